#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO106.found",
     "{names} of this cube tile takes {bytes:,} bytes of {pool} ({formula}); it has {limit:,}. Operands: {operands}.",
     "该 cube tile 的 {names} 占用 {pool} {bytes:,} 字节（{formula}），而它只有 {limit:,} 字节。操作数：{operands}。"},
    {"PTO106.found.long_level",
     "One level of {k_l1} takes K = {k_extent} into L1; the experience notes allow {table}. It fits, and PyPTO "
     "compiles it.",
     "一级 {k_l1} 取 K = {k_extent}；经验文档建议不超过 {table}。放得下，PyPTO 可以编译。"},
    {"PTO106.why", "Compilation stops in Pass_31 (OoOSchedule) with F40005 TENSOR_MEMORY_ALLOCATION: \"{compiler}\".",
     "编译在 Pass_31（OoOSchedule）以 F40005 TENSOR_MEMORY_ALLOCATION 终止：“{compiler}”。"},
    {"PTO106.label", "{names} takes {bytes:,} bytes", "{names} 占 {bytes:,} 字节"},
};

}  // namespace

std::span<const Message> messages_pto106() {
    return kMessages;
}

}  // namespace ptofix::rules
