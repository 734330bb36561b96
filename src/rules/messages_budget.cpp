#include "rules/message_tables.h"

namespace ptofix::rules {

namespace {

// What `pto-fix budget` says around names and numbers.
constexpr Message kMessages[] = {
    {"budget.kernel", "kernel {name} on {soc}, as it is declared: no call of it was found",
     "kernel {name}，{soc}（按声明分析：未找到调用）"},
    {"budget.kernel_called", "kernel {name} on {soc}, called at {place}", "kernel {name}，{soc}（调用处：{place}）"},
    {"budget.estimate",
     "to compile: about {count:,} tile operations, {largest:,} in the largest function (from 20,000 on it takes "
     "minutes)",
     "编译量：约 {count:,} 个 tile 操作，最大的函数 {largest:,} 个（超过 20,000 需要数分钟）"},
    {"budget.estimate_least",
     "to compile: at least {count:,} tile operations, {largest:,} in the largest function, as not every size is known "
     "(from 20,000 on it takes minutes)",
     "编译量：至少 {count:,} 个 tile 操作，最大的函数 {largest:,} 个，部分大小未知（超过 20,000 需要数分钟）"},
    {"budget.loop",
     "  line {place}, {loop}: {body:,} in its body, {largest:,} in its largest function of at most 60,000",
     "  第 {place} 行 {loop}：循环体 {body:,} 个，其中最大的函数 {largest:,} 个（上限 60,000）"},
    {"budget.loop_unrolled",
     "  line {place}, {loop}: {body:,} in its body, {copies:copy|copies} by {list}; {largest:,} in its largest "
     "function of at most 60,000",
     "  第 {place} 行 {loop}：循环体 {body:,} 个，按 {list} 展开为 {copies} 份；其中最大的函数 {largest:,} 个（上限 "
     "60,000）"},
    {"budget.workspace",
     "workspace: {each:,} KiB for each function in a task, {kibibytes:,} KiB with the default of 128 functions",
     "workspace：任务中每个函数 {each:,} KiB，默认 128 个函数时为 {kibibytes:,} KiB"},
    {"budget.vec_tile", "vec tile", "vec tile"},
    {"budget.cube_tile", "cube tile", "cube tile"},
    {"budget.no_tile", "no {kind} is set for these", "这些操作没有设置 {kind}"},
    {"budget.refused", "PyPTO refuses this tile", "PyPTO 不接受这个 tile"},
    {"budget.unknown", "not known", "未知"},
    {"budget.no_bytes", "bytes not known (limits: {limits})", "占用未知（上限：{limits}）"},
    {"budget.bytes", "{bytes:,} B", "{bytes:,} B"},
    {"budget.of", "of {bytes:,} B, {percent} %", "/ {bytes:,} B，{percent} %"},
    {"budget.limit", "of {bytes:,} B", "/ {bytes:,} B"},
    {"budget.most", "{operation}, line {place}", "{operation}，第 {place} 行"},
    {"budget.over", "{bytes:,} B too much", "超出 {bytes:,} B"},
    {"budget.maybe_over", "may be too much", "可能超出"},
    {"budget.at_most", "up to {bytes:,} B", "至多 {bytes:,} B"},
    {"budget.sure", "fits in any case: {tile}", "必定放得下：{tile}"},
    {"budget.sure_counted",
     "fits in any case: {tile}; the kernel then has about {count:,} tile operations instead of {now:,}",
     "必定放得下：{tile}；kernel 约 {count:,} 个 tile 操作，现为 {now:,} 个"},
    {"budget.fits", "fits: {tile}", "放得下：{tile}"},
    {"budget.fits_counted", "fits: {tile}; the kernel then has about {count:,} tile operations instead of {now:,}",
     "放得下：{tile}；kernel 约 {count:,} 个 tile 操作，现为 {now:,} 个"},
    {"budget.room", "room for {tile}: the kernel then has about {count:,} tile operations instead of {now:,}",
     "还可放大到 {tile}：kernel 约 {count:,} 个 tile 操作，现为 {now:,} 个"},
    {"budget.number", "{number:,}", "{number:,}"},
    {"budget.head.line", "line", "行"},
    {"budget.head.operation", "operation", "操作"},
    {"budget.head.sizes", "sizes", "大小"},
    {"budget.head.tiles", "tiles", "tile 数"},
    {"budget.head.tile_operations", "tile ops", "tile 操作"},
};

}  // namespace

std::span<const Message> messages_budget() {
    return kMessages;
}

}  // namespace ptofix::rules
