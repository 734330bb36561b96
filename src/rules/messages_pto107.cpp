#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO107.found",
     "{names} of this cube tile takes {bytes:,} bytes of {pool} ({formula}); it has {limit:,}. Operands: {operands}.",
     "该 cube tile 的 {names} 占用 {pool} {bytes:,} 字节（{formula}），而它只有 {limit:,} 字节。操作数：{operands}。"},
    {"PTO107.found.above_table",
     "kL1 takes {k_l1} of K = {k_extent} into L1 at once; the experience notes advise {table}. It fits, and PyPTO "
     "compiles "
     "it.",
     "kL1 一次把 K = {k_extent} 中的 {k_l1} 取入 L1；经验文档建议不超过 {table}。放得下，PyPTO 可以编译。"},
    {"PTO107.why", "Compilation stops in Pass_31 (OoOSchedule) with F40005 TENSOR_MEMORY_ALLOCATION: \"{compiler}\".",
     "编译在 Pass_31（OoOSchedule）以 F40005 TENSOR_MEMORY_ALLOCATION 终止：“{compiler}”。"},
    {"PTO107.label", "{names} takes {bytes:,} bytes", "{names} 占 {bytes:,} 字节"},
};

}  // namespace

std::span<const Message> messages_pto107() {
    return kMessages;
}

}  // namespace ptofix::rules
