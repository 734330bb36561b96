#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"Pass_04", "Pass_05", "ExpandFunction", "exit 124"};

constexpr Example kExamples[] = {
    {R"py(import pypto
import torch


@pypto.frontend.jit
def project(
    x: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
    w_int8: pypto.Tensor([2048, 1536], pypto.DT_INT8),
    out: pypto.Tensor([pypto.DYNAMIC, 1536], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 512)
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 128])
    for b, tile in pypto.loop_unroll(0, x.shape[0] // 16, 1, name="B", idx_name="b", unroll_list=[8, 4, 2, 1]):
        w_half = pypto.cast(w_int8, pypto.DT_FP16)
        w = pypto.cast(w_half, pypto.DT_FP32)
        y = pypto.matmul(pypto.view(x, [16, 2048], [b * 16, 0]), w, pypto.DT_FP32)
        pypto.assemble(y, [b * 16, 0], out)
)py",
     R"py(import pypto
import torch


@pypto.frontend.jit
def _project(
    x: pypto.Tensor([pypto.DYNAMIC, 2048], pypto.DT_FP32),
    w: pypto.Tensor([2048, 1536], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 1536], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 512)
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 128])
    for b, tile in pypto.loop_unroll(0, x.shape[0] // 16, 1, name="B", idx_name="b", unroll_list=[8, 4, 2, 1]):
        y = pypto.matmul(pypto.view(x, [16, 2048], [b * 16, 0]), w, pypto.DT_FP32)
        pypto.assemble(y, [b * 16, 0], out)


def project(x, w_int8, out):
    return _project(x, w_int8.to(torch.float16).to(torch.float32), out)
)py",
     ""},
    {R"py(import pypto
import torch


@pypto.frontend.jit
def gate_kernel(
    x: pypto.Tensor([64, 1024], pypto.DT_BF16),
    weight: pypto.Tensor([1024, 1024], pypto.DT_FP32),
    out: pypto.Tensor([64, 1024], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 256)
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    for i in pypto.loop(4, name="ROWS", idx_name="i"):
        weight_bf16 = pypto.cast(weight, pypto.DT_BF16)
        rows = pypto.view(x, [16, 1024], [i * 16, 0])
        pypto.assemble(pypto.matmul(rows, weight_bf16, pypto.DT_FP32), [i * 16, 0], out)


def gate(x, weight):
    assert weight.dtype == torch.float32
    out = torch.empty(64, 1024)
    inputs = [x, weight, out]
    gate_kernel(*inputs)
    return out
)py",
     R"py(import pypto
import torch


@pypto.frontend.jit
def gate_kernel(
    x: pypto.Tensor([64, 1024], pypto.DT_BF16),
    weight_bf16: pypto.Tensor([1024, 1024], pypto.DT_BF16),
    out: pypto.Tensor([64, 1024], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(32, 256)
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    for i in pypto.loop(4, name="ROWS", idx_name="i"):
        rows = pypto.view(x, [16, 1024], [i * 16, 0])
        pypto.assemble(pypto.matmul(rows, weight_bf16, pypto.DT_FP32), [i * 16, 0], out)


def gate(x, weight):
    assert weight.dtype == torch.float32
    out = torch.empty(64, 1024)
    inputs = [x, weight.to(torch.bfloat16), out]
    gate_kernel(*inputs)
    return out
)py",
     ""},
};

constexpr Rule kRule{
    "PTO207",
    "weight-cast-in-loop",
    Severity::warning,
    "a loop that casts the same kernel parameter again in every trip",
    "循环在每次迭代中重复转换同一个 kernel 参数",
    kCodes,
    {
        R"(A cast, or a chain of casts, of a kernel parameter inside `pypto.loop` or `pypto.loop_unroll` that no trip changes, of more
than 1,000,000 elements, or of a weight whose size is not known (information only).)",
        R"(No pass moves it out of the loop. Every unrolled copy of the body expands the whole cast again; for a 7168 x 1536 INT8 weight
compilation hangs between Pass_04 (ExpandFunction) and Pass_05 (MergeViewAssemble) until a timeout ends it (exit 124).)",
        R"(**Host-side precomputation**: the host converts the tensor before the call, in the same rounding steps, and the kernel's
parameter is declared with the target dtype. Where the only call stands in the same file it is edited. Where other files know the
kernel a wrapper keeps its name and parameters; with `--unsafe` all calls in the given files are edited instead, in one fix, if
each of them shows the argument. The conversion runs at each call; for weights, the time of loading is a better place. Alternative, and the fix where torch has no equal conversion or the
weight is also used as it is: the cast moves above the loop.)",
        R"(Small parameters; slices that depend on the loop's index; a cast to the dtype that the parameter already has.)",
    },
    {
        R"(`pypto.loop` 或 `pypto.loop_unroll` 中对 kernel 参数的转换（或转换链），各次迭代之间不变，元素超过 1 M，或是大小未知的权重。)",
        R"(没有任何 pass 会把它移出循环。每个展开的循环体副本都会把整个转换再展开一次；对 7168 x 1536 的 INT8 权重，编译卡在 Pass_04
（ExpandFunction）和 Pass_05（MergeViewAssemble）之间，直到被 timeout 终止（exit 124）。)",
        R"(**host 侧预计算**：host 在调用之前按相同的舍入步骤转换张量，kernel 参数声明为目标 dtype。唯一的调用在同一文件中时直接修改
该调用。其他文件也使用该 kernel 时，增加一个保留其名字和参数的 wrapper；若加 `--unsafe`，且每处调用都看得出实参，则在同一个修复里修改给定
文件中的全部调用。转换在每次调用时执行；对权重而言，放到
加载时更好。另一种做法是把转换移到循环之前；torch 没有等价的转换，或权重还以原类型使用时，就这样修复。)",
        R"(小的参数；依赖循环下标的切片；目标 dtype 与参数相同的转换。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto207() {
    return kRule;
}

}  // namespace ptofix::rules
