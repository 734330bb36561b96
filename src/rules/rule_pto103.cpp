#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F0000C",      "FC4000", "FC4001", "ERR_CONFIG_TILE", "ERR_CONFIG_ALIGNMENT",
                                       "INVALID_TILE"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 576], pypto.DT_BF16),
    w: pypto.Tensor([576, 16], pypto.DT_BF16),
    out: pypto.Tensor([16, 16], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [16, 36], [16, 16])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    x: pypto.Tensor([16, 576], pypto.DT_BF16),
    w: pypto.Tensor([576, 16], pypto.DT_BF16),
    out: pypto.Tensor([16, 16], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([16, 16], [16, 576], [16, 16])
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     ""},
    {R"py(import pypto

TILE = {"m": [128, 64], "k": [72, 256], "n": [24, 48]}


@pypto.frontend.jit
def project(
    x: pypto.Tensor([128, 512], pypto.DT_FP16),
    w: pypto.Tensor([512, 96], pypto.DT_FP16),
    out: pypto.Tensor([128, 96], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes(**TILE)
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     R"py(import pypto

TILE = {"m": [64, 128], "k": [64, 256], "n": [16, 48]}


@pypto.frontend.jit
def project(
    x: pypto.Tensor([128, 512], pypto.DT_FP16),
    w: pypto.Tensor([512, 96], pypto.DT_FP16),
    out: pypto.Tensor([128, 96], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes(**TILE)
    out[:] = pypto.matmul(x, w, pypto.DT_FP32)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO103",
    "cube-tile-relation",
    Severity::error,
    "a cube tile whose numbers PyPTO refuses: alignment, L0 against L1, lengths",
    "PyPTO 拒绝的 cube tile：对齐、L0 与 L1 的关系、列表长度",
    kCodes,
    {
        R"(`set_cube_tile_shapes(m, k, n)` under which a matmul runs that PyPTO refuses: a number of 0 or less; kL0 or nL0 that is no
multiple of 16 elements or of 32 bytes; L0 above L1, or L1 no multiple of L0; mL0 of a transposed A that is no multiple of
32 bytes; what the NZ layout and `scaled_mm` ask; kAL1 and kBL1 that do not divide each other; lists of a wrong length. A
kL1 that is the quotient K / kL0 is named as such: kL1 is a length.

A warning instead of an error: a number that is computed, in code that other kernels run with numbers that are legal.)",
        R"(Tracing stops with `ErrCode: F0000C! Enum: ExternalError::INVALID_TILE`, up to release 9.1.0 `FC4000 ERR_CONFIG_TILE` or
`FC4001 ERR_CONFIG_ALIGNMENT`, with texts such as `Invalid L1/L0 relation: kL0=64, kL1a=200, require kL0 <= kL1a && kL1a %
kL0 == 0`, `kL0(72) and nL0(128) must be aligned to 16 elements`, `kL0 * sizeof(dtype) = 16 bytes, must be 32-byte aligned`.)",
        R"(The nearest legal tile that also fits L0A, L0B, L0C and L1 for every matmul under it, written where the numbers are
written. A quotient becomes K. A pair in the wrong order is put in order, L0 rounded down to divide L1: `[576, 512]` with
K = 576 becomes `[288, 576]`; `[16, 576]` is legal too, and takes eighteen times as many steps. Where K is below 16 no tile
is legal, and the finding says to what K must be padded. The schedule changes, not the result.)",
        R"(k of three numbers (kL0, kAL1, kBL1); mL0 of any size where A is not transposed; tiles larger than the operands; settings
under which no matmul runs.)",
    },
    {
        R"(`set_cube_tile_shapes(m, k, n)` 之下执行的 matmul 会被 PyPTO 拒绝：数值不大于 0；kL0 或 nL0 不是 16 个元素或 32 字节的倍数；L0 大于
L1，或 L1 不是 L0 的整数倍；A 转置时 mL0 不是 32 字节的倍数；NZ 格式和 `scaled_mm` 的要求；kAL1 与 kBL1 互不整除；列表长度错误。把商
K / kL0 误当作 kL1 时会直接指出：kL1 是长度。

数值由计算得到，而共用这段代码的其他 kernel 得到合法数值时，只报警告。)",
        R"(构图以 `ErrCode: F0000C! Enum: ExternalError::INVALID_TILE` 终止（9.1.0 及以前为 `FC4000 ERR_CONFIG_TILE` 或
`FC4001 ERR_CONFIG_ALIGNMENT`），文本如 `Invalid L1/L0 relation: kL0=64, kL1a=200, require kL0 <= kL1a && kL1a % kL0 == 0`、
`kL0(72) and nL0(128) must be aligned to 16 elements`、`kL0 * sizeof(dtype) = 16 bytes, must be 32-byte aligned`。)",
        R"(改为最近的合法 tile，并保证其下每个 matmul 都放得进 L0A、L0B、L0C 和 L1；在写出数值的位置修改。商改为 K。次序颠倒的一对
重新排序，L0 向下取到能整除 L1：K = 576 时 `[576, 512]` 变为 `[288, 576]`；`[16, 576]` 也合法，但步数多十八倍。K 小于 16 时没有
合法 tile，会说明 K 应补齐到多少。只改变调度，不改变结果。)",
        R"(三个数的 k（kL0, kAL1, kBL1）；A 不转置时任意大小的 mL0；大于操作数的 tile；没有 matmul 使用的设置。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto103() {
    return kRule;
}

}  // namespace ptofix::rules
