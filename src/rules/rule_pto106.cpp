#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_L0B", "TENSOR_MEMORY_ALLOCATION", "exceeds MEM_L0B size"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([64, 1024], pypto.DT_FP32),
    w: pypto.Tensor([1024, 512], pypto.DT_FP32),
    out: pypto.Tensor([64, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([64, 64], [256, 256], [128, 128])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([64, 1024], pypto.DT_FP32),
    w: pypto.Tensor([1024, 512], pypto.DT_FP32),
    out: pypto.Tensor([64, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([64, 64], [128, 256], [128, 128])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     ""},
    {R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 2048], pypto.DT_FP32),
    w: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    out: pypto.Tensor([16, 1024], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [256, 1024], [16, 16])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 2048], pypto.DT_FP32),
    w: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    out: pypto.Tensor([16, 1024], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [256, 512], [16, 16])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     "--select PTO106"},
};

constexpr Rule kRule{
    "PTO106",
    "k-tile-exceeds-l0b",
    Severity::error,
    "a cube tile whose kL0 x nL0 is more than L0B",
    "cube tile 的 kL0 x nL0 超出 L0B",
    kCodes,
    {
        R"(kL0 x nL0 of a cube tile, clipped to the operands and padded to 16 elements (32 for INT8), times the size of an element, is
more than L0B. A tile that overflows several memories is reported once.

As information: one level of K in L1 of 1,024 or more where K is longer. The experience notes name it a cause of the same
error (their example: `[256, 1024]` with n `[16, 16]` at K = 2,048); by the compiler's formula that is 256 x 16 x 4 = 16,384
bytes of L0B, and it compiles.)",
        R"(Compilation stops in Pass_31 (OoOSchedule) with `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [131072] exceeds
MEM_L0B size [65536]!`. Exactly 65,536 bytes fit.)",
        R"(The largest smaller kL0 that divides kL1 and fits, for every matmul under the tile. For the information kL1 by the K table: K up
to 1,024, 512 up to 4,096, 256 above, a multiple of 16 that divides K. (The notes' own list, `[256, 256]`, takes a third more
steps at K = 2,048.) The schedule changes, not the result.)",
        R"(Operands that clip the tile; extents that are not known, as far as the tile may be clipped to fit.)",
    },
    {
        R"(cube tile 的 kL0 x nL0 按操作数截断、补齐到 16 个元素（INT8 为 32），再乘以元素大小后超出 L0B。一个 tile 超出多个内存时只报一次。

提示：L1 一级 K 不小于 1,024 而 K 更长。经验文档把它列为同一错误的原因（其示例：K = 2,048 时 `[256, 1024]`、n `[16, 16]`）；按编译器公式
只占 L0B 256 x 16 x 4 = 16,384 字节，可以编译。)",
        R"(编译在 Pass_31（OoOSchedule）以 `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [131072] exceeds MEM_L0B size
[65536]!` 终止。恰好 65,536 字节可以放下。)",
        R"(改为能整除 kL1 且放得下的最大 kL0，对该 tile 下的每个 matmul 都成立。提示情形按 K 表设置 kL1：K 不超过 1,024 时取 K，不超过 4,096 时
取 512，更大时取 256，且为能整除 K 的 16 的倍数。（文档自己的 `[256, 256]` 在 K = 2,048 时步数多三分之一。）只改变调度，不改变结果。)",
        R"(会截断 tile 的操作数；未知的长度（只要截断后可能放得下）。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto106() {
    return kRule;
}

}  // namespace ptofix::rules
