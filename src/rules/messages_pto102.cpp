#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO102.found",
     "The log says that UB overflows ({bytes:,} of {limit:,} bytes) in a kernel whose loop is unrolled by {list}, and "
     "no "
     "single operation of it makes that many: its copies do so together.",
     "日志报告 UB 溢出（{bytes:,} 字节，上限 {limit:,}），kernel 中的循环按 {list} 展开，而没有任何单个操作需要这么多："
     "是多份副本累加所致。"},
    {"PTO102.why",
     "Each level of the list puts its copies of the body into one function, and all of their buffers ask for the same "
     "UB: "
     "F40005.",
     "列表的每一层把循环体的副本放进同一个函数，它们的缓冲区共用同一块 UB：F40005。"},
    {"PTO102.label", "unrolled by {list}", "按 {list} 展开"},
    {"PTO102.fix.small_levels",
     "Keep the small levels, {proposed}; the same trips in smaller steps, with the same result",
     "只保留小的层级 {proposed}；迭代相同、步子变小，结果不变"},
};

}  // namespace

std::span<const Message> messages_pto102() {
    return kMessages;
}

}  // namespace ptofix::rules
