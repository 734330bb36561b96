#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "TENSOR_MEMORY_ALLOCATION", "exceeds MEM_UB"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def norm(
    x: pypto.Tensor([4096, 512], pypto.DT_FP32),
    out: pypto.Tensor([4096, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 512)
    for b in pypto.loop(256, name="ROWS", idx_name="b", unroll_list=[32, 16, 8, 4, 2, 1]):
        a = pypto.view(x, [16, 512], [b * 16, 0])
        pypto.assemble(pypto.exp(pypto.mul(a, 0.5)), [b * 16, 0], out)
)py",
     R"py(import pypto


@pypto.frontend.jit
def norm(
    x: pypto.Tensor([4096, 512], pypto.DT_FP32),
    out: pypto.Tensor([4096, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 512)
    for b in pypto.loop(256, name="ROWS", idx_name="b", unroll_list=[4, 2, 1]):
        a = pypto.view(x, [16, 512], [b * 16, 0])
        pypto.assemble(pypto.exp(pypto.mul(a, 0.5)), [b * 16, 0], out)
)py",
     "", R"log([INFO] Apply pass <OoOSchedule> on function: TENSOR_ROWS_Unroll32_PATH0_hiddenfunc0_12.
[ERROR] ErrCode: F40005! Enum: TensorErr::TENSOR_MEMORY_ALLOCATION. [OoOSchedule.Operation]:Alloc tensor [2214] size [229376] exceeds MEM_UB size [196608]!
)log"},
};

constexpr Rule kRule{
    "PTO102",
    "unroll-accumulates-ub",
    Severity::warning,
    "a compile log in which UB overflows and no single operation of the unrolled loop makes so much",
    "编译日志报告 UB 溢出，而展开的循环中没有任何单个操作需要这么多",
    kCodes,
    {
        R"(`pto-fix diagnose build.log kernel.py` alone finds it: the log has an F40005 in UB, the number of bytes is none that an operation
of the given kernels makes by itself (of one buffer, or of the operands and results of one step, as the message says), and a loop
of the failing function has an unroll list that goes above 4. The bytes of every operation have to be known: otherwise one of those
that are not may be it.)",
        R"(All levels of an unroll list bring their copies of the body, and what a copy keeps in UB is asked for by each of them. A single
operation is another matter: its buffers are as large with one copy as with 128, and no shorter list will help; PTO101, PTO104 and
PTO105 have these.)",
        R"(The list keeps its levels up to 4; where it has none of them, a list of `pypto.loop` becomes `[4, 2, 1]` (the body of
`pypto.loop_unroll` sees the factor, so there nothing but levels that the list had, and 1, is taken). The trips are the same, in
smaller steps: results do not change; the kernel may run slower.)",
        R"(Every run without a log; messages whose number is that of a single operation; lists that are small already.)",
    },
    {
        R"(只有 `pto-fix diagnose build.log kernel.py` 会报告：日志中有 UB 的 F40005，其字节数不是给定 kernel 中任何单个操作所需（单个缓冲区，或一步操作的输入输出之和，
视报错而定），且出错函数所在循环的 unroll_list 超过 4。要求每个操作的字节数都已知：否则未知的操作也可能是原因。)",
        R"(unroll_list 的每一层都带来循环体的副本，每份副本都要占用 UB。单个操作则不同：无论一份还是 128 份副本，它的缓冲区都一样大，缩短列表没有用；这类问题由 PTO101、
PTO104、PTO105 处理。)",
        R"(列表只保留不超过 4 的层级；若没有，`pypto.loop` 的列表改为 `[4, 2, 1]`（`pypto.loop_unroll` 的循环体能看到因子，因此只取列表原有的层级和 1）。迭代相同、步子变小，
结果不变；kernel 运行可能变慢。)",
        R"(没有日志的运行；字节数正是某个单个操作所需的报错；本来就很小的列表。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto102() {
    return kRule;
}

}  // namespace ptofix::rules
