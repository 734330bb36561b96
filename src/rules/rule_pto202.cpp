#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"Pass_27", "SubgraphToFunction", "exit 124"};

constexpr Rule kRule{
    "PTO202",
    "unroll-single-jump",
    Severity::warning,
    "an unroll list that jumps from a large factor to a small one",
    "unroll_list 从大的展开因子直接跳到小的",
    kCodes,
    {
        R"(`pypto.loop(..., unroll_list=L)` where two neighbours of the list, sorted and with the 1 that the framework always adds, are
more than 16 times apart: `[128, 1]`. `[128]`, `[128, 1]` and `[1, 128]` mean the same. Values above the known number of
trips do not count.)",
        R"(`pypto.loop` copies its body once for each unit of each factor: `[128, 1]` makes 129 copies, of which one function holds 128.
Pass_27 (SubgraphToFunction) hangs on it without a message. What is left below 128 trips runs one by one.)",
        R"(**Progressive unroll**: halve from the largest factor to 1, so `[128, 1]` becomes `[128, 64, 32, 16, 8, 4, 2, 1]`. As the copies
add up to the sum of the list, the maximum is lowered to the largest power of two whose estimated tile operations stay within
20,000. Alternatives: a short list, or none. Unrolling changes the schedule, not the result.)",
        R"(`pypto.loop_unroll`, which records its body once for each factor; lists whose neighbours are at most 16 times apart.)",
    },
    {
        R"(`pypto.loop(..., unroll_list=L)` 的列表排序并加上框架总会加入的 1 之后，有相邻两项相差超过 16 倍，例如 `[128, 1]`。`[128]`、`[128, 1]` 与
`[1, 128]` 含义相同。超过已知循环次数的值不计。)",
        R"(`pypto.loop` 按每个因子的大小复制循环体：`[128, 1]` 产生 129 份副本，其中一个函数含 128 份。Pass_27（SubgraphToFunction）卡在上面且没有
任何输出。不足 128 次的剩余部分只能逐个执行。)",
        R"(**递进展开**：从最大因子逐级减半到 1，`[128, 1]` 变为 `[128, 64, 32, 16, 8, 4, 2, 1]`。副本数等于列表之和，因此最大值会降到使估算的
tile 操作数不超过 20,000 的最大 2 的幂。也可以使用短列表或去掉列表。展开只改变调度，不改变结果。)",
        R"(`pypto.loop_unroll`（每个因子只录制一次循环体）；相邻两项相差不超过 16 倍的列表。)",
    },
    {},
};

}  // namespace

const Rule& rule_pto202() {
    return kRule;
}

}  // namespace ptofix::rules
