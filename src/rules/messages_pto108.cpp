#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO108.found",
     "{names} of this cube tile takes {bytes:,} bytes of {pool} ({formula}); it has {limit:,}. Operands: {operands}.",
     "该 cube tile 的 {names} 占用 {pool} {bytes:,} 字节（{formula}），而它只有 {limit:,} 字节。操作数：{operands}。"},
    {"PTO108.why", "Compilation stops in Pass_31 (OoOSchedule) with F40005 TENSOR_MEMORY_ALLOCATION: \"{compiler}\".",
     "编译在 Pass_31（OoOSchedule）以 F40005 TENSOR_MEMORY_ALLOCATION 终止：“{compiler}”。"},
    {"PTO108.label", "{names} takes {bytes:,} bytes", "{names} 占 {bytes:,} 字节"},
};

}  // namespace

std::span<const Message> messages_pto108() {
    return kMessages;
}

}  // namespace ptofix::rules
