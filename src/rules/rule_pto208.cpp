#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"NPU out of memory", "Tried to allocate"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit(runtime_options={"stitch_function_max_num": 128})
def scores(
    q: pypto.Tensor([16384, 128], pypto.DT_BF16),
    k: pypto.Tensor([128, 32768], pypto.DT_BF16),
    out: pypto.Tensor([16384, 32768], pypto.DT_FP32),
):
    for b in pypto.loop(16, name="BLOCKS", idx_name="b"):
        rows = pypto.view(q, [1024, 128], [b * 1024, 0])
        pypto.set_cube_tile_shapes([128, 128], [128, 128], [128, 128])
        s = pypto.matmul(rows, k, pypto.DT_FP32)
        pypto.set_vec_tile_shapes(8, 2048)
        pypto.assemble(pypto.exp(s), [b * 1024, 0], out)
)py",
     R"py(import pypto


@pypto.frontend.jit(runtime_options={"stitch_function_max_num": 8})
def scores(
    q: pypto.Tensor([16384, 128], pypto.DT_BF16),
    k: pypto.Tensor([128, 32768], pypto.DT_BF16),
    out: pypto.Tensor([16384, 32768], pypto.DT_FP32),
):
    for b in pypto.loop(16, name="BLOCKS", idx_name="b"):
        rows = pypto.view(q, [1024, 128], [b * 1024, 0])
        pypto.set_cube_tile_shapes([128, 128], [128, 128], [128, 128])
        s = pypto.matmul(rows, k, pypto.DT_FP32)
        pypto.set_vec_tile_shapes(8, 2048)
        pypto.assemble(pypto.exp(s), [b * 1024, 0], out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO208",
    "stitch-workspace",
    Severity::warning,
    "more functions stitched into one task than device memory has room for",
    "一个任务合并的函数过多，workspace 超出设备内存",
    kCodes,
    {
        R"(A kernel whose workspace is more than 4 GiB by the framework's own sum, with a `stitch_function_max_num` of 128 or more (written, or
the default) and no `max_workspace_kb`. For each function of a task the sum takes what the function hands from the cube to the
vector units or back, what it leaves to other functions, and the largest buffer that is assembled across functions, once for each
such buffer; then two blocks for each tensor that goes from task to task; all of it `device_sched_parallelism` times. Shapes that
are not known count nothing, so the real workspace may be larger.)",
        R"(The workspace is allocated before the kernel runs, for as many functions as a task may hold, whether or not they ever run side by
side: `RuntimeError: NPU out of memory. Tried to allocate ... GiB`. The number of functions is a factor of nearly all of it.)",
        R"(8, where the number is written and every kernel that takes it is too large; where the default is in force, the option is added to the
decorator. The other answer is `max_workspace_kb`, within which the runtime stitches as many functions as fit: 131,072 (128 MiB) as
shipping kernels have it, or the next power of two above twice what a single function needs. Results do not change; a smaller task
may cost run time.)",
        R"(Kernels with a `max_workspace_kb`, with options that are not known, in files that set options for all kernels. Results of weight casts that PTO207
reports do not count: on the host they take none.)",
    },
    {
        R"(按框架自身的算法，workspace 超过 4 GiB，且 `stitch_function_max_num` 不小于 128（写出的或默认的），又没有 `max_workspace_kb` 的 kernel。对任务中的
每个函数，计入：函数在 cube 与 vector 单元之间传递的数据、留给其他函数的结果，以及跨函数 assemble 的最大缓冲（每个这样的缓冲计一次）；再为每个跨任务的
张量计两块；最后乘以 `device_sched_parallelism`。未知的形状不计入，实际 workspace 可能更大。)",
        R"(workspace 在 kernel 运行前按一个任务最多容纳的函数数量分配，无论这些函数是否真的同时运行：
`RuntimeError: NPU out of memory. Tried to allocate ... GiB`。函数数量几乎是全部用量的乘数。)",
        R"(在数字写出的位置改为 8（前提是使用它的每个 kernel 都过大）；默认值生效时，在装饰器中加上该选项。另一种做法是 `max_workspace_kb`，运行时在此范围内
能合并多少函数就合并多少：取 131,072（128 MiB，与现有 kernel 一致），或单个函数所需两倍之上的 2 的幂。结果不变；任务变小可能增加运行时间。)",
        R"(设置了 `max_workspace_kb`、选项未知、或所在文件为所有 kernel 设置选项的 kernel。PTO207 报告的权重 cast 结果不计入：移到 host 侧后不再占用 workspace。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto208() {
    return kRule;
}

}  // namespace ptofix::rules
