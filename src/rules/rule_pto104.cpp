#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_UB", "TENSOR_MEMORY_ALLOCATION"};

constexpr Example kExamples[] = {
    {R"py(import pypto
import torch

HEADS = 128
ROWS = 2
DIM = 512


@pypto.frontend.jit
def absorb(
    q: pypto.Tensor([HEADS, ROWS, DIM], pypto.DT_BF16),
    w_uk: pypto.Tensor([HEADS, DIM, DIM], pypto.DT_BF16),
    out: pypto.Tensor([HEADS, ROWS, DIM], pypto.DT_BF16),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 256])
    pypto.set_vec_tile_shapes(HEADS, ROWS, DIM)
    product = pypto.matmul(q, w_uk, pypto.DT_BF16)
    scaled = pypto.mul(product, 0.125)
    pypto.assemble(scaled, [0, 0, 0], out)


def absorbed_query(q, w_uk):
    out = torch.empty([HEADS, ROWS, DIM], dtype=torch.bfloat16, device=q.device)
    absorb(q, w_uk, out)
    return out
)py",
     R"py(import pypto
import torch

HEADS = 128
ROWS = 2
DIM = 512


@pypto.frontend.jit
def absorb(
    q: pypto.Tensor([HEADS, ROWS, DIM], pypto.DT_BF16),
    w_uk: pypto.Tensor([HEADS, DIM, DIM], pypto.DT_BF16),
    out: pypto.Tensor([HEADS, ROWS, DIM], pypto.DT_BF16),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 256])
    pypto.set_vec_tile_shapes(HEADS, ROWS, DIM)
    heads_per_group = 32
    for head_group in pypto.loop(0, 4, 1, name="HEAD_GROUPS", idx_name="head_group"):
        head_start = head_group * heads_per_group
        q_group = pypto.view(q, [heads_per_group, 2, 512], [head_start, 0, 0])
        w_uk_group = pypto.view(w_uk, [heads_per_group, 512, 512], [head_start, 0, 0])
        product = pypto.matmul(q_group, w_uk_group, pypto.DT_BF16)
        scaled = pypto.mul(product, 0.125)
        pypto.assemble(scaled, [head_start, 0, 0], out)


def absorbed_query(q, w_uk):
    out = torch.empty([HEADS, ROWS, DIM], dtype=torch.bfloat16, device=q.device)
    absorb(q, w_uk, out)
    return out
)py",
     ""},
    {R"py(import pypto


@pypto.frontend.jit
def total(
    q: pypto.Tensor([64, 4, 128], pypto.DT_FP32),
    w: pypto.Tensor([64, 128, 512], pypto.DT_FP32),
    out: pypto.Tensor([1, 4, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    pypto.set_vec_tile_shapes(64, 4, 512)
    r = pypto.mul(pypto.matmul(q, w, pypto.DT_FP32), 0.5)
    pypto.set_vec_tile_shapes(64, 1, 64)
    out[:] = pypto.sum(r, 0, True)
)py",
     R"py(import pypto


@pypto.frontend.jit
def total(
    q: pypto.Tensor([64, 4, 128], pypto.DT_FP32),
    w: pypto.Tensor([64, 128, 512], pypto.DT_FP32),
    out: pypto.Tensor([1, 4, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    pypto.set_vec_tile_shapes(16, 4, 512)
    r = pypto.mul(pypto.matmul(q, w, pypto.DT_FP32), 0.5)
    pypto.set_vec_tile_shapes(64, 1, 64)
    out[:] = pypto.sum(r, 0, True)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO104",
    "matmul-result-exceeds-ub",
    Severity::error,
    "a batched matmul whose result is consumed with more heads at once than fit UB",
    "批量 matmul 的结果一次被取用的 head 数超出 UB",
    kCodes,
    {
        R"(A matmul over heads whose result, of shape heads x M x N, reaches a vector operation under a vec tile that keeps so many
heads together that the operation's inputs and outputs need more than UB. The tile is clipped to the operand first, and
16-bit results count 4 bytes an element, as in the compiler.)",
        R"(Compilation ends in Pass_31 (OoOSchedule) with `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [..] exceeds
MEM_UB size [196608]`. The stitch number, unroll lists and cube tiles change nothing: they cut the work between kernels,
not inside this operation.)",
        R"(**Head grouping**: matmul, its vector consumers and the store run for a group of heads at a time. Heads per group start at
UB / (M x N x size), are lowered until every consumer fits, and are a multiple of 16 where that is possible, else a divisor
of the number of heads. The loop over the groups is a `pypto.loop` where that is legal, a Python `range` for up to 8 groups
otherwise. The alternative, and the fix where the heads cannot go up to the store group by group, is a vec tile that splits
the heads.

Collecting the groups in a buffer and consuming the buffer after the loop is not enough: the later operation still takes
all heads at once, unless its tile splits them.)",
        R"(A tile that already splits the heads; `transposed_batchmatmul`; results that are stored without a vector operation. If M is
not known the finding is information only: state M with an assert in the host wrapper.)",
    },
    {
        R"(对 head 做批量 matmul，其结果（head 数 x M x N）被一个向量操作使用，而生效的 vec tile 把过多的 head 放在一起，使该操作的输入
与输出之和超出 UB。tile 先按操作数的 shape 截断；16 位结果在 UB 中按每元素 4 字节计，与编译器一致。)",
        R"(编译在 Pass_31（OoOSchedule）以 `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [..] exceeds MEM_UB size [196608]`
终止。stitch 数、unroll_list 和 cube tile 都不起作用：它们切分的是 kernel 之间的工作，不是这个操作内部。)",
        R"(**head 分组**：matmul、其后的向量操作和写回按组执行。每组 head 数从 UB / (M x N x 字节数) 开始，逐步减小到每个向量操作都放得下，
尽量取 16 的倍数，否则取 head 数的约数。合法时分组循环使用 `pypto.loop`，否则 8 组以内使用 Python `range`。另一种做法是让 vec tile
切分 head；无法按组执行到写回时，就这样修复。

仅把各组结果收集到缓冲区、循环之后再处理是不够的：除非后面的 tile 切分 head，否则那个操作仍会一次取全部 head。)",
        R"(已经切分 head 的 tile；`transposed_batchmatmul`；结果不经向量操作直接写回。M 未知时只作提示：请在 host 侧用 assert 写明 M。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto104() {
    return kRule;
}

}  // namespace ptofix::rules
