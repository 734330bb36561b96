#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_L1", "TENSOR_MEMORY_ALLOCATION", "exceeds MEM_L1 size"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 7168], pypto.DT_BF16),
    w: pypto.Tensor([7168, 1024], pypto.DT_BF16),
    out: pypto.Tensor([16, 1024], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [16, 7168], [128, 128])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 7168], pypto.DT_BF16),
    w: pypto.Tensor([7168, 1024], pypto.DT_BF16),
    out: pypto.Tensor([16, 1024], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [256, 256], [128, 128])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO107",
    "k-tile-exceeds-l1",
    Severity::error,
    "a cube tile that takes more of K at once than L1 holds",
    "cube tile 一次取入的 K 超出 L1",
    kCodes,
    {
        R"(mL0 x kAL1 or nL0 x kBL1 of a cube tile, clipped to the operands and padded to 16 elements (32 for INT8), times the size of an
element, is more than L1. These are the buffers that the compiler allocates: mL1 and nL1 take no memory, and A and B are held
against L1 one by one, not together.

As information: kL1 above the K table of the experience notes, where it fits.)",
        R"(Compilation stops in Pass_31 (OoOSchedule) with `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [1835008] exceeds
MEM_L1 size [524288]!`.)",
        R"(kL1 by the K table: K up to 1,024, at most 512 up to 4,096, at most 256 above, a multiple of 16 that divides K and fits. A kL0
under 64 is raised to the largest multiple of 16 up to 256 that divides kL1 and fits L0A and L0B: at K = 7,168 `[256, 256]`
compiles ten times faster than `[16, 256]`, the form of the notes, which is offered as the alternative. The schedule changes,
not the result.)",
        R"(Operands that clip the tile; a large mL1 or nL1; extents that are not known.)",
    },
    {
        R"(cube tile 的 mL0 x kAL1 或 nL0 x kBL1 按操作数截断、补齐到 16 个元素（INT8 为 32），再乘以元素大小后超出 L1。编译器分配的就是这两个缓冲：
mL1 和 nL1 不占内存，A 与 B 分别与 L1 比较，不相加。

提示：kL1 高于经验文档的 K 表但放得下。)",
        R"(编译在 Pass_31（OoOSchedule）以 `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [1835008] exceeds MEM_L1 size
[524288]!` 终止。)",
        R"(按 K 表设置 kL1：K 不超过 1,024 时取 K，不超过 4,096 时至多 512，更大时至多 256，且为能整除 K 的 16 的倍数并放得下。小于 64 的 kL0 会增大
到能整除 kL1、且放得进 L0A 和 L0B 的不超过 256 的最大 16 的倍数：K = 7,168 时 `[256, 256]` 的编译比文档形式 `[16, 256]` 快十倍，后者作为
另一种做法给出。只改变调度，不改变结果。)",
        R"(会截断 tile 的操作数；较大的 mL1 或 nL1；未知的长度。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto107() {
    return kRule;
}

}  // namespace ptofix::rules
