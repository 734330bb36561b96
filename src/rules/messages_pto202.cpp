#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO202.found", "This unroll list goes from {from} to {to} in one step ({ratio} times); the compiler sees {list}.",
     "这个 unroll_list 从 {from} 一步跳到 {to}（{ratio} 倍）；编译器看到的是 {list}。"},
    {"PTO202.found.heavy",
     "This unroll list goes from {from} to {to} in one step ({ratio} times); the compiler sees {list}, which makes "
     "{copies:copy|copies} of the body and about {tile_operations:,} tile operations.",
     "这个 unroll_list 从 {from} 一步跳到 {to}（{ratio} 倍）；编译器看到的是 {list}，循环体复制 {copies} 份，约 "
     "{tile_operations:,} 个 tile 操作。"},
    {"PTO202.why",
     "pypto.loop copies its body as often as the list says. A jump leaves everything below the largest factor to "
     "single steps, and Pass_27 (SubgraphToFunction) hangs on one huge function.",
     "pypto.loop "
     "按列表复制循环体。单级跳跃使小于最大值的部分只能逐个执行，Pass_27（SubgraphToFunction）会卡在一个巨大的函数上。"},
    {"PTO202.label", "{from} to {to}", "{from} 到 {to}"},
    {"PTO202.related.list", "the list is written here", "列表写在此处"},
    {"PTO202.related.loop", "the loop that unrolls by it", "按它展开的循环"},
    {"PTO202.fix.progressive", "Halve step by step: {proposed}", "逐级减半：{proposed}"},
    {"PTO202.fix.progressive_lowered",
     "Halve step by step from {maximum}: {proposed}; a larger maximum would exceed {budget:,} tile operations, beyond "
     "which compiling takes minutes",
     "从 {maximum} 逐级减半：{proposed}；更大的最大值会超过 {budget:,} 个 tile 操作，编译将耗时数分钟"},
    {"PTO202.fix.remove_list",
     "Unroll not at all: even the smallest useful list would exceed {budget:,} tile operations",
     "不展开：最短的可用列表也会超过 {budget:,} 个 tile 操作"},
    {"PTO202.fix.short", "Use a short list, which compiles faster: {proposed}", "使用编译更快的短列表：{proposed}"},
    {"PTO202.fix.no_list", "Remove the list: the fastest to compile, the slowest to run",
     "去掉列表：编译最快，运行最慢"},
    {"PTO202.blocked.list_computed", "The list is computed, not written; the place to change is this expression.",
     "列表是计算得到的，不是直接写出的；需要修改的是这个表达式。"},
};

}  // namespace

std::span<const Message> messages_pto202() {
    return kMessages;
}

}  // namespace ptofix::rules
