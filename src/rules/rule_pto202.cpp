#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"Pass_27", "SubgraphToFunction", "exit 124"};

constexpr Example kExamples[] = {
    {R"py(import pypto

HIDDEN = 128


@pypto.frontend.jit
def project_rows(
    x: pypto.Tensor([pypto.DYNAMIC, HIDDEN], pypto.DT_BF16),
    w: pypto.Tensor([HIDDEN, HIDDEN], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, HIDDEN], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row", unroll_list=[128, 1]):
        pypto.set_vec_tile_shapes(1, 128)
        y = pypto.matmul(pypto.view(x, [1, HIDDEN], [row, 0]), w, pypto.DT_FP32)
        pypto.assemble(pypto.mul(y, 0.5), [row, 0], out)
)py",
     R"py(import pypto

HIDDEN = 128


@pypto.frontend.jit
def project_rows(
    x: pypto.Tensor([pypto.DYNAMIC, HIDDEN], pypto.DT_BF16),
    w: pypto.Tensor([HIDDEN, HIDDEN], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, HIDDEN], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row", unroll_list=[128, 64, 32, 16, 8, 4, 2, 1]):
        pypto.set_vec_tile_shapes(1, 128)
        y = pypto.matmul(pypto.view(x, [1, HIDDEN], [row, 0]), w, pypto.DT_FP32)
        pypto.assemble(pypto.mul(y, 0.5), [row, 0], out)
)py",
     ""},
    {R"py(import pypto

UNROLL = (256, 1)


@pypto.frontend.jit
def gate_rows(
    x: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 256)
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row", unroll_list=UNROLL):
        y = pypto.view(x, [1, 2048], [row, 0])
        y = pypto.exp(pypto.mul(y, -1.0))
        y = pypto.div(pypto.full([1, 2048], 1.0, pypto.DT_FP32), pypto.add(y, 1.0))
        pypto.assemble(pypto.mul(y, y), [row, 0], out)
)py",
     R"py(import pypto

UNROLL = (64, 32, 16, 8, 4, 2, 1)


@pypto.frontend.jit
def gate_rows(
    x: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 256)
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row", unroll_list=UNROLL):
        y = pypto.view(x, [1, 2048], [row, 0])
        y = pypto.exp(pypto.mul(y, -1.0))
        y = pypto.div(pypto.full([1, 2048], 1.0, pypto.DT_FP32), pypto.add(y, 1.0))
        pypto.assemble(pypto.mul(y, y), [row, 0], out)
)py",
     ""},
};

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
trips do not count. The list may be written anywhere: in the call, in a variable, a dataclass, a dict of options, another file.)",
        R"(`pypto.loop` copies its body once for each unit of each factor: `[128, 1]` makes 129 copies, of which one function holds 128.
Pass_27 (SubgraphToFunction) hangs on it without a message. What is left below 128 trips runs one by one.)",
        R"(**Progressive unroll**: halve from the largest factor to 1, so `[128, 1]` becomes `[128, 64, 32, 16, 8, 4, 2, 1]`. As the copies
add up to the sum of the list, the maximum is lowered to the largest power of two whose estimated tile operations stay within
20,000; what is not known counts little, so the full list stays where nothing is known. The list is changed once, where it
is written, if every loop that takes it is a `pypto.loop`; otherwise the finding names the other use. Alternatives: a short list,
or none. Unrolling changes the schedule, not the result.)",
        R"(`pypto.loop_unroll`, which records its body once for each factor; lists whose neighbours are at most 16 times apart.)",
    },
    {
        R"(`pypto.loop(..., unroll_list=L)` 的列表排序并加上框架总会加入的 1 之后，有相邻两项相差超过 16 倍，例如 `[128, 1]`。`[128]`、`[128, 1]` 与
`[1, 128]` 含义相同。超过已知循环次数的值不计。列表可以写在任何地方：调用处、变量、dataclass、选项字典、其他文件。)",
        R"(`pypto.loop` 按每个因子的大小复制循环体：`[128, 1]` 产生 129 份副本，其中一个函数含 128 份。Pass_27（SubgraphToFunction）卡在上面且没有
任何输出。不足 128 次的剩余部分只能逐个执行。)",
        R"(**递进展开**：从最大因子逐级减半到 1，`[128, 1]` 变为 `[128, 64, 32, 16, 8, 4, 2, 1]`。副本数等于列表之和，因此最大值会降到使估算的
tile 操作数不超过 20,000 的最大 2 的幂；未知的操作按很小计，因此一无所知时保留完整列表。列表只在写出的位置修改一次，前提是使用它的
都是 `pypto.loop`，否则指出另一处使用。也可以使用短列表或去掉列表。展开只改变调度，不改变结果。)",
        R"(`pypto.loop_unroll`（每个因子只录制一次循环体）；相邻两项相差不超过 16 倍的列表。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto202() {
    return kRule;
}

}  // namespace ptofix::rules
