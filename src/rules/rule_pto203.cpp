#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F0F619", "COMPILE_CODE_FAILED", "Terminated", "exit 124"};

constexpr Example kExamples[] = {
    {R"py(import pypto

D = 256


@pypto.frontend.jit
def mix_rows(
    x: pypto.Tensor([pypto.DYNAMIC, D], pypto.DT_BF16),
    w: pypto.Tensor([D, D], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, D], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 128])
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row", unroll_list=[16]):
        pypto.set_vec_tile_shapes(1, 256)
        a = pypto.matmul(pypto.view(x, [1, D], [row, 0]), w, pypto.DT_FP32)
        for _ in range(10):
            a = pypto.exp(pypto.mul(a, 0.5))
        b = pypto.matmul(pypto.cast(a, pypto.DT_BF16), w, pypto.DT_FP32)
        c = pypto.matmul(pypto.cast(b, pypto.DT_BF16), w, pypto.DT_FP32)
        pypto.assemble(c, [row, 0], out)
)py",
     R"py(import pypto

D = 256


@pypto.frontend.jit
def mix_rows(
    x: pypto.Tensor([pypto.DYNAMIC, D], pypto.DT_BF16),
    w: pypto.Tensor([D, D], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, D], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 128])
    for row in pypto.loop(x.shape[0], name="ROWS", idx_name="row"):
        pypto.set_vec_tile_shapes(1, 256)
        a = pypto.matmul(pypto.view(x, [1, D], [row, 0]), w, pypto.DT_FP32)
        for _ in range(10):
            a = pypto.exp(pypto.mul(a, 0.5))
        b = pypto.matmul(pypto.cast(a, pypto.DT_BF16), w, pypto.DT_FP32)
        c = pypto.matmul(pypto.cast(b, pypto.DT_BF16), w, pypto.DT_FP32)
        pypto.assemble(c, [row, 0], out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO203",
    "unroll-heavy-body",
    Severity::warning,
    "a single large unroll factor over a heavy loop body",
    "循环体很重，却用单个很大的因子展开",
    kCodes,
    {
        R"(`pypto.loop(..., unroll_list=[n])` with one factor of 8 or more, and a body of at least 3 matmuls and 20 vector operations; Python
loops inside the body count with their trips. A factor above the known number of trips does not count.)",
        R"(The loop makes one function with n copies of the body, and the code generator has to compile all of it at once: bisheng runs
until it is killed (F0F619, `make: *** [TENSOR_M_Unroll16_PATH0...] Terminated`, exit 15). On the framework's own passes a
body of 3 matmuls and 32 vector operations is 2,588 tile operations under `[16]` and 154 without a list.)",
        R"(The list goes, at the loop; where it comes in by `**` of a dict, it becomes `[1]`, which means the same. A row that is left over was
computed by the same body before, so the result does not change; the loop may run slower, as rows are launched one by one. A tail
that is narrower than the body's view needs `valid_shape`, with the list or without it.)",
        R"(Lists of several factors (`[16, 1]` ships; a jump between them is PTO202), `pypto.loop_unroll`, which records its body once for each
factor, lighter bodies.)",
    },
    {
        R"(`pypto.loop(..., unroll_list=[n])` 只给出一个不小于 8 的因子，循环体至少有 3 个 matmul 和 20 个向量操作；循环体里的 Python 循环按次数计入。
超过已知循环次数的因子不计。)",
        R"(循环生成一个含 n 份循环体的函数，代码生成阶段必须一次编译完：bisheng 一直运行到被杀掉（F0F619，
`make: *** [TENSOR_M_Unroll16_PATH0...] Terminated`，ret 15）。在框架自身的编译流程中，3 个 matmul 加 32 个向量操作的循环体，`[16]` 下是 2,588 个
tile 操作，不带列表是 154 个。)",
        R"(在循环处去掉列表；若列表通过字典的 `**` 传入，则改为含义相同的 `[1]`。剩余的行原来也由同一个循环体计算，因此结果不变；逐行下发，运行可能变慢。
比循环体的 view 更窄的尾块，无论有没有列表都需要 `valid_shape`。)",
        R"(含多个因子的列表（`[16, 1]` 在已发布代码中使用；因子之间的跳跃属于 PTO202）；`pypto.loop_unroll`（每个因子只录制一次循环体）；较轻的循环体。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto203() {
    return kRule;
}

}  // namespace ptofix::rules
