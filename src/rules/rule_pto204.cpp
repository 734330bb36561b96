#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"Compiler Monitor", "Pass_31", "exit 124"};

constexpr Example kExamples[] = {
    {R"py(import pypto

HEADS = 64


@pypto.frontend.jit
def norm_heads(
    x: pypto.Tensor([pypto.DYNAMIC, HEADS, 512], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, HEADS, 512], pypto.DT_FP32),
):
    for q in pypto.loop(x.shape[0], name="QUERY", idx_name="q", unroll_list=[4, 2]):
        pypto.set_vec_tile_shapes(1, 512)
        a = pypto.reshape(pypto.view(x, [1, HEADS, 512], [q, 0, 0]), [HEADS, 512])
        b = pypto.exp(pypto.mul(a, 0.5))
        c = pypto.sqrt(pypto.add(pypto.mul(b, b), 1.0))
        pypto.set_vec_tile_shapes(1, 16, 512)
        pypto.assemble(pypto.reshape(c, [1, HEADS, 512]), [q, 0, 0], out)
)py",
     R"py(import pypto

HEADS = 64


@pypto.frontend.jit
def norm_heads(
    x: pypto.Tensor([pypto.DYNAMIC, HEADS, 512], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, HEADS, 512], pypto.DT_FP32),
):
    for q in pypto.loop(x.shape[0], name="QUERY", idx_name="q", unroll_list=[2, 1]):
        pypto.set_vec_tile_shapes(16, 512)
        a = pypto.reshape(pypto.view(x, [1, HEADS, 512], [q, 0, 0]), [HEADS, 512])
        b = pypto.exp(pypto.mul(a, 0.5))
        c = pypto.sqrt(pypto.add(pypto.mul(b, b), 1.0))
        pypto.set_vec_tile_shapes(1, 16, 512)
        pypto.assemble(pypto.reshape(c, [1, HEADS, 512]), [q, 0, 0], out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO204",
    "unroll-thin-tile",
    Severity::warning,
    "unroll copies over operations whose vec tile has a single row",
    "展开的循环体中，操作的 vec tile 只有一行",
    kCodes,
    {
        R"(`pypto.loop` with an unroll factor of 4 or more over vector operations whose vec tile has a first axis of 1 though their tensors
have more: 16 tiles or more in each copy of the body, and 2,000 estimated tile operations or more in the loop.)",
        R"(The list copies the body as often as its factors add up to, and each copy is cut into rows: `[4, 2]` over tile (1, 512) on
[64, 512] is 21,577 tile operations on the framework's own passes and 9.2 s, `[2, 1]` over (16, 512) is 608 and 0.5 s. The report
that this rule comes from saw 394 s and 34 s.)",
        R"(The list becomes `[2, 1]` and the tile's first axis 16, or the largest power of two below it with which every operation under the
tile fits UB. Both are changed where they are written. Where another loop wants the list, the tile alone is changed; where the
tile has no room, the list alone. An axis along which numbers are summed keeps its tile, so that results do not change.)",
        R"(Tensors whose first axis is 1, `pypto.loop_unroll`, lists below 4, light loops; lists with a jump and single factors over heavy
bodies, which PTO202 and PTO203 mend first; operations of more than 18,000 (PTO206).)",
    },
    {
        R"(`pypto.loop` 的展开因子不小于 4，其中向量操作的 vec tile 第一维为 1，而张量的第一维更长：循环体每份副本至少 16 个 tile，整个循环估算至少 2,000 个
tile 操作。)",
        R"(列表按因子之和复制循环体，每份副本又被切成一行一行：[64, 512] 上 `[4, 2]` 配 tile (1, 512)，在框架自身的编译流程中是 21,577 个 tile 操作、9.2 s；
`[2, 1]` 配 (16, 512) 是 608 个、0.5 s。本规则来源的报告中分别是 394 s 和 34 s。)",
        R"(列表改为 `[2, 1]`，tile 第一维改为 16，或小于它且其下每个操作都放得进 UB 的最大 2 的幂。两者都在写出的位置修改。若列表还有其他循环使用，只改 tile；若 tile 无法放大，只改列表。
沿其求和的轴保持原来的 tile，因此结果不变。)",
        R"(第一维为 1 的张量；`pypto.loop_unroll`；因子都小于 4 的列表；较轻的循环；有跳跃的列表和重循环体上的单个因子（先由 PTO202、PTO203 处理）；超过
18,000 的操作（PTO206）。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto204() {
    return kRule;
}

}  // namespace ptofix::rules
