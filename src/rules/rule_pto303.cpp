#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F4FFFF", "FC1000", "TileShape is no set for reduce op", "AC110005"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def scores(
    q: pypto.Tensor([64, 128], pypto.DT_BF16),
    k: pypto.Tensor([128, 64], pypto.DT_BF16),
    out: pypto.Tensor([64, 64], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([64, 64], [128, 128], [64, 64])
    s = pypto.matmul(q, k, pypto.DT_FP32)
    out[:] = pypto.mul(s, 0.125)
)py",
     R"py(import pypto


@pypto.frontend.jit
def scores(
    q: pypto.Tensor([64, 128], pypto.DT_BF16),
    k: pypto.Tensor([128, 64], pypto.DT_BF16),
    out: pypto.Tensor([64, 64], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([64, 64], [128, 128], [64, 64])
    s = pypto.matmul(q, k, pypto.DT_FP32)
    pypto.set_vec_tile_shapes(64, 64)
    out[:] = pypto.mul(s, 0.125)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO303",
    "vec-tile-missing-after-cube",
    Severity::error,
    "a vector operation with no vec tile, or one left from before a matmul",
    "向量操作没有 vec tile，或沿用 matmul 之前的 vec tile",
    kCodes,
    {
        R"(A vector operation of a kernel for which no vec tile was set; and one that comes after a matmul under the vec tile from before it, which
has too few axes for it.)",
        R"(There is no vec tile to begin with, and a matmul works under the cube tile alone: it puts the vec tile back that it found. The compiler
then finds a tile of no axes (F4FFFF, "Tile shape size 0 is not matched the output shape size 2"; a reduction says FC1000, "TileShape is
no set for reduce op"). The kernels that ship set a vec tile again after each matmul.)",
        R"(A call of `set_vec_tile_shapes` in front of the first such operation: as large as its tensors, leading axes shrunk to powers of two
until a buffer is at most 64 KB and every operation that comes under it fits UB.)",
        R"(Functions that no kernel calls. Kernels under a tile that host code sets, or behind a call into code that is not there to read.)",
    },
    {
        R"(kernel 中没有设置过 vec tile 的向量操作；以及位于 matmul 之后、却仍在 matmul 之前设置的、维数不足的 vec tile 之下的向量操作。)",
        R"(vec tile 没有初始值，而 matmul 只使用 cube tile：它会把原来的 vec tile 恢复。于是编译器看到的是 0 维的 tile（F4FFFF，
`Tile shape size 0 is not matched the output shape size 2`；归约则报 FC1000，`TileShape is no set for reduce op`）。仓库中的 kernel 在每个 matmul 之后都会重设 vec tile。)",
        R"(在第一个这样的操作之前插入 `set_vec_tile_shapes`：与张量一样大，前面的维缩小到 2 的幂，直到单个缓冲不超过 64 KB，且其下每个操作都放得进 UB。)",
        R"(没有 kernel 调用的函数。由 host 代码设置 tile 的 kernel，或位于无法读到的代码调用之后的操作。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto303() {
    return kRule;
}

}  // namespace ptofix::rules
