#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO101.found",
     "Under the vec tile {tile}, {operation} keeps {bytes:,} bytes in UB ({formula}); UB has {limit:,}. Operands of "
     "the "
     "step: {operands}.",
     "在 vec tile {tile} 下，{operation} 在 UB 中占 {bytes:,} 字节（{formula}），UB 只有 {limit:,} "
     "字节。该步操作数：{operands}。"},
    {"PTO101.found.several",
     "Under the vec tile {tile}, {operations:operation does|operations do} not fit UB; the largest, {operation}, keeps "
     "{bytes:,} bytes ({formula}); UB has {limit:,}. Operands of the step: {operands}.",
     "在 vec tile {tile} 下有 {operations} 个操作放不进 UB；最大的是 {operation}，占 {bytes:,} 字节（{formula}），UB "
     "只有 "
     "{limit:,} 字节。该步操作数：{operands}。"},
    {"PTO101.found.shape_unknown",
     "Under the vec tile {tile}, {operation} may keep up to {bytes:,} bytes in UB; UB has {limit:,}. The tile is "
     "clipped to "
     "the operands, whose shape is not known here.",
     "在 vec tile {tile} 下，{operation} 在 UB 中最多可能占 {bytes:,} 字节，UB 只有 {limit:,} 字节。tile "
     "会按操作数截断，而此处 shape 未知。"},
    {"PTO101.why", "Compilation stops in Pass_31 (OoOSchedule) with F40005 TENSOR_MEMORY_ALLOCATION: \"{compiler}\".",
     "编译在 Pass_31（OoOSchedule）以 F40005 TENSOR_MEMORY_ALLOCATION 终止：“{compiler}”。"},
    {"PTO101.label", "too large for {operation}", "对 {operation} 过大"},
    {"PTO101.related.operation", "{operation} needs {bytes:,} bytes of UB", "{operation} 需要 {bytes:,} 字节 UB"},
    {"PTO101.related.under_it", "{operation} runs under it", "{operation} 在其下执行"},
    {"PTO101.fix.tile", "Set the vec tile to {proposed}", "将 vec tile 设为 {proposed}"},
    {"PTO101.blocked.no_tile",
     "No smaller tile makes every operation under it fit UB; an axis that must stay whole is too long.",
     "没有更小的 tile 能使其下所有操作都放进 UB：必须保持完整的轴过长。"},
    {"PTO101.blocked.shape_unknown",
     "The shape is not known; state it with an assert in the host wrapper or in the table `assume` of the "
     "configuration.",
     "shape 未知；请在 host 侧用 assert 写明，或在配置的 `assume` 表中给出。"},
};

}  // namespace

std::span<const Message> messages_pto101() {
    return kMessages;
}

}  // namespace ptofix::rules
