#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"exit 124", "NPU out of memory"};

constexpr Example kExamples[] = {
    {R"py(import pypto

ROWS, COLUMNS = 64, 256


@pypto.frontend.jit(runtime_options={"stitch_function_max_num": 128})
def scale_rows(
    x: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 256)
    for row in pypto.loop(x.shape[0] // ROWS, name="ROWS", idx_name="row", unroll_list=[64, 1]):
        block = pypto.view(x, [ROWS, COLUMNS], [row * ROWS, 0])
        pypto.assemble(pypto.mul(block, 0.5), [row * ROWS, 0], out)
)py",
     R"py(import pypto

ROWS, COLUMNS = 64, 256


@pypto.frontend.jit(runtime_options={"stitch_function_max_num": 8})
def scale_rows(
    x: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, COLUMNS], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 256)
    for row in pypto.loop(x.shape[0] // ROWS, name="ROWS", idx_name="row", unroll_list=[64, 32, 16, 8, 4, 2, 1]):
        block = pypto.view(x, [ROWS, COLUMNS], [row * ROWS, 0])
        pypto.assemble(pypto.mul(block, 0.5), [row * ROWS, 0], out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO205",
    "stitch-with-heavy-compile",
    Severity::warning,
    "a large stitch_function_max_num in a kernel that is heavy to compile",
    "编译已很重的 kernel 又设置了很大的 stitch_function_max_num",
    kCodes,
    {
        R"(`stitch_function_max_num` of 128 or more, written in the options of a kernel that also has a PTO201, PTO202 or PTO203 finding.)",
        R"(The number says how many functions are stitched into one task. It sizes the workspace and adds scheduling work to a compile
that is too heavy already.)",
        R"(The number becomes 8, where it is written, if every kernel that takes it has such a finding. The result does not change; the
run time may: tasks are launched in smaller batches. Repair the other finding first and measure before you raise the number again.)",
        R"(`max_workspace_kb` is set, because the number is not in force then; kernels without another finding of their compile cost. 128
is the framework's default and shipping kernels use up to 1024.)",
    },
    {
        R"(kernel 的选项中写有不小于 128 的 `stitch_function_max_num`，同时该 kernel 还有 PTO201、PTO202 或 PTO203 的问题。)",
        R"(它决定多少个函数合并为一个任务，也决定 workspace 大小，会在已经很重的编译之上再增加调度工作。)",
        R"(使用该数的 kernel 都有此类问题时，在写出该数的位置改为 8。结果不变，运行时间可能变化：任务以更小的批次下发。请先修复另一个问题，测量之后再考虑调大。)",
        R"(设置了 `max_workspace_kb`（此时该数不生效）；没有其他编译开销问题的 kernel。128 是框架默认值，已发布的 kernel 用到 1024。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto205() {
    return kRule;
}

}  // namespace ptofix::rules
