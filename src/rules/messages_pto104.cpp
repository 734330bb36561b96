#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

constexpr Message kMessages[] = {
    {"PTO104.found",
     "The result of this matmul, {heads} heads of {rows} x {columns} {dtype}, is consumed {tile_heads:head|heads} at a "
     "time by {consumer}, which then needs {bytes:,} bytes; UB has {limit:,}.",
     "该 matmul 的结果（{heads} 个 head，每个 {rows} x {columns}，{dtype}）被 {consumer} 一次取 {tile_heads} 个 head "
     "使用，需要 {bytes:,} 字节；UB 只有 {limit:,} 字节。"},
    {"PTO104.found.rows_unknown",
     "The result of this matmul, {heads} heads of M x {columns} {dtype}, is consumed {tile_heads:head|heads} at a time "
     "by {consumer}; from M = {first_bad_rows} on that is more than the {limit:,} bytes of UB. M is not known here.",
     "该 matmul 的结果（{heads} 个 head，每个 M x {columns}，{dtype}）被 {consumer} 一次取 {tile_heads} 个 head "
     "使用；M 达到 {first_bad_rows} 时超出 UB 的 {limit:,} 字节。此处 M 未知。"},
    {"PTO104.why",
     "Compilation stops in Pass_31 (OoOSchedule) with F40005 TENSOR_MEMORY_ALLOCATION, \"exceeds MEM_UB size\". Unroll "
     "lists, the stitch number and cube tiles do not change it: the vec tile spans all heads.",
     "编译在 Pass_31（OoOSchedule）以 F40005 TENSOR_MEMORY_ALLOCATION“exceeds MEM_UB size”终止。unroll_list、stitch "
     "数和 cube tile 都不起作用：vec tile 跨越了所有 head。"},
    {"PTO104.label", "{heads} heads x {rows} x {columns}", "{heads} 个 head x {rows} x {columns}"},
    {"PTO104.related.consumer", "{consumer} needs {bytes:,} bytes of UB under this tile",
     "在此 tile 下 {consumer} 需要 {bytes:,} 字节 UB"},
    {"PTO104.related.tile", "the vec tile in force is set here", "生效的 vec tile 在此设置"},
    {"PTO104.fix.head_grouping",
     "Compute {heads_per_group} heads at a time, from the matmul to the store of its result",
     "每次计算 {heads_per_group} 个 head，从 matmul 一直到结果写回"},
    {"PTO104.fix.smaller_tile", "Set a vec tile that takes {tile_heads:head|heads} at a time: {proposed}",
     "改用每次取 {tile_heads} 个 head 的 vec tile：{proposed}"},
    {"PTO104.blocked.rows_unknown",
     "M is not known, so the number of heads a group may have is not either; state it with an assert in the host "
     "wrapper or in the table `assume` of the configuration.",
     "M 未知，无法确定每组 head 数；请在 host 侧用 assert 写明，或在配置的 `assume` 表中给出。"},
    {"PTO104.blocked.consumers_mix_heads",
     "{operation} combines values of different heads, so the heads cannot be computed group by group up to the store.",
     "{operation} 会混合不同 head 的数据，无法按组计算到写回为止。"},
    {"PTO104.blocked.result_used_outside",
     "The result is also used at this place, outside the statements that would move into the group loop.",
     "结果在此处还被使用，而此处不在要移入分组循环的语句之内。"},
    {"PTO104.blocked.no_store",
     "The result does not end in a store (assemble, slice assignment or move) whose place depends on the head axis.",
     "结果没有以 head 轴为偏移写回（assemble、切片赋值或 move）。"},
    {"PTO104.blocked.transposed_heads", "The head axis is moved by {operation} before the store.",
     "写回之前 head 轴被 {operation} 移动。"},
    {"PTO104.blocked.in_helper",
     "The matmul, a step after it or the store stands in a helper function, so the steps cannot move into a loop "
     "together.",
     "matmul、其后的某一步或写回位于辅助函数中，无法一起移入循环。"},
    {"PTO104.blocked.carried_name",
     "`{name}` is read here before these statements give it a value, so they cannot run once for each group.",
     "`{name}` 在这些语句赋值之前被读取，因此它们不能按组各执行一次。"},
    {"PTO104.blocked.changes_state",
     "`{name}` is changed here, which would happen once for each group instead of once.",
     "此处会修改 `{name}`；分组之后每组都会执行一次。"},
    {"PTO104.blocked.groups_unrolled",
     "The loop over {groups} groups could only be a Python loop here ({name}), and copies its body too often.",
     "此处分组循环只能是 Python 循环（{name}），{groups} 组会把循环体复制过多次。"},
    {"PTO104.blocked.one_head_too_large",
     "A single head already needs {bytes:,} bytes; UB has {limit:,}. Split another axis with a smaller vec tile.",
     "单个 head 就需要 {bytes:,} 字节，UB 只有 {limit:,} 字节；请用更小的 vec tile 切分其他轴。"},
};

}  // namespace

std::span<const Message> messages_pto104() {
    return kMessages;
}

}  // namespace ptofix::rules
