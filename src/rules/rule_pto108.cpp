#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_L0A",           "MEM_L0C",
                                       "MEM_BT", "MEM_FIX_QUANT_PRE", "TENSOR_MEMORY_ALLOCATION"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([128, 256], pypto.DT_BF16),
    w: pypto.Tensor([256, 512], pypto.DT_BF16),
    out: pypto.Tensor([128, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([128, 128], [64, 128], [512, 512])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([128, 256], pypto.DT_BF16),
    w: pypto.Tensor([256, 512], pypto.DT_BF16),
    out: pypto.Tensor([128, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([128, 128], [64, 128], [256, 512])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO108",
    "cube-tile-exceeds-l0",
    Severity::error,
    "a cube tile that is more than L0A, L0C, the bias table or the fixpipe buffer",
    "cube tile 超出 L0A、L0C、bias 表或 fixpipe 缓冲",
    kCodes,
    {
        R"(A cube tile, clipped to the operands, of which mL0 x kL0 is more than L0A, mL0 x nL0 x 4 more than L0C (products accumulate in
4 bytes, whatever the result's type), nL0 x 4 more than the bias table where the matmul has a bias, or nL0 x 8 more than the
fixpipe buffer where it has a tensor of scales. Both axes are padded to 16 elements, to 32 for INT8 operands.)",
        R"(Compilation stops in Pass_31 (OoOSchedule) with `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [262144] exceeds
MEM_L0C size [131072]!`, and MEM_L0A, MEM_BT or MEM_FIX_QUANT_PRE alike.)",
        R"(A smaller legal tile that fits: kL0 for L0A, mL0 or nL0 for L0C, nL0 for the bias table and the fixpipe buffer. Of all of them the
estimate of tile operations decides; of those that cost about as little as any, the one nearest to the written tile is taken, L1 as it
is where it is still a multiple: [272, 272] beside mL0 = 128 becomes [256, 256], not [16, 272]. The schedule changes, not the result.)",
        R"(Operands that clip the tile; types and extents that are not known. L0B is PTO106, L1 is PTO107.)",
    },
    {
        R"(cube tile 按操作数截断后，mL0 x kL0 超出 L0A，或 mL0 x nL0 x 4 超出 L0C（无论结果类型，累加都用 4 字节），或带 bias 时 nL0 x 4 超出 bias 表，
或带 scale 张量时 nL0 x 8 超出 fixpipe 缓冲。两个轴都补齐到 16 个元素，INT8 操作数为 32。)",
        R"(编译在 Pass_31（OoOSchedule）以 `F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [..] size [262144] exceeds MEM_L0C size
[131072]!` 终止，MEM_L0A、MEM_BT、MEM_FIX_QUANT_PRE 同理。)",
        R"(改为放得下的较小的合法 tile：L0A 缩小 kL0，L0C 缩小 mL0 或 nL0，bias 表和 fixpipe 缓冲缩小 nL0。按 tile 操作数的估算选择，开销相近时取最接近原值的，
L1 仍是整数倍时不变：mL0 = 128 时 [272, 272] 改为 [256, 256]，而不是 [16, 272]。只改变调度，不改变结果。)",
        R"(会截断 tile 的操作数；未知的类型和长度。L0B 见 PTO106，L1 见 PTO107。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto108() {
    return kRule;
}

}  // namespace ptofix::rules
