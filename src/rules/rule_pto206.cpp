#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"exit 124", "CodegenPreproc"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def gate(
    x: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    y: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    out: pypto.Tensor([2048, 1024], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 64)
    out[:] = pypto.mul(pypto.exp(x), y)
)py",
     R"py(import pypto


@pypto.frontend.jit
def gate(
    x: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    y: pypto.Tensor([2048, 1024], pypto.DT_FP32),
    out: pypto.Tensor([2048, 1024], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 1024)
    out[:] = pypto.mul(pypto.exp(x), y)
)py",
     ""},
    {R"py(import pypto


@pypto.frontend.jit
def project(
    w: pypto.Tensor([1024, 3072], pypto.DT_FP32),
    scale: pypto.Tensor([1, 3072], pypto.DT_FP32),
    x: pypto.Tensor([16, 1024], pypto.DT_FP32),
    out: pypto.Tensor([16, 3072], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 64)
    w_scaled = pypto.mul(w, scale)
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    out[:] = pypto.matmul(x, w_scaled, pypto.DT_FP32)


def run(w, scale, x, out):
    project(w, scale, x, out)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    w_scaled: pypto.Tensor([1024, 3072], pypto.DT_FP32),
    x: pypto.Tensor([16, 1024], pypto.DT_FP32),
    out: pypto.Tensor([16, 3072], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 64)
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    out[:] = pypto.matmul(x, w_scaled, pypto.DT_FP32)


def run(w, scale, x, out):
    project(w * scale, x, out)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO206",
    "tile-count-explosion",
    Severity::warning,
    "an operation that its vec tile cuts into more tiles than compile",
    "vec tile 过小，一个操作被切成编译不完的 tile 数量",
    kCodes,
    {
        R"(A vector operation of known shape under a known vec tile where the number of tiles, times one plus its tensor operands, is more than
18,000: the framework's documented limit. [1024, 3072] under (1, 64) is 49,152 tiles.)",
        R"(Each tile is copied in, computed and copied out by operations of its own; beyond the limit the code generator does not come back, and
says nothing (exit 124). [2048, 4096] under (1, 64) did not finish in 100 s on the framework's own passes; under (64, 256) it took
3.9 s.)",
        R"(**Host-side precomputation** of what looks like a weight: a cast, sum, difference or product of parameters of the kernel, in FP32 or
INT32, that ends as the right operand of matmuls. It is the same in every call of the kernel, so the caller computes it and the kernel
takes the result. Where one host wrapper in the file is the only caller, the wrapper is edited; otherwise the kernel goes behind a
wrapper of its name and parameters. **A larger tile** everywhere else, and as the alternative: the last axis first, then the others, up
to 64 KB a buffer and as long as every operation under the tile fits UB. It is changed where its numbers are written. An axis along
which numbers are summed keeps its tile, so that results do not change.)",
        R"(Shapes or tiles that are not known.)",
    },
    {
        R"(形状和 vec tile 都已知的向量操作，tile 数乘以（1 + 张量操作数个数）超过 18,000，即框架文档给出的上限。[1024, 3072] 在 (1, 64) 下是 49,152 个
tile。)",
        R"(每个 tile 都有各自的搬入、计算、搬出操作；超过上限后代码生成阶段不再返回，也没有任何输出（exit 124）。在框架自身的编译流程中，[2048, 4096] 在
(1, 64) 下 100 s 未完成，在 (64, 256) 下 3.9 s。)",
        R"(对看起来是权重的张量采用 **host 侧预计算**：kernel 入参（FP32 或 INT32）的 cast、和、差、积，且最终作为 matmul 的右操作数。它在每次调用中都相同，
由调用者计算，kernel 直接接收结果。若文件中唯一的调用者是一个 host wrapper，则修改该 wrapper；否则在 kernel 外加一个同名同参的 wrapper。其他情况（也作为
备选）采用**更大的 tile**：先放大最后一维，再放大其他维，单个缓冲不超过 64 KB，且该 tile 下的每个操作都放得进 UB；在数字写出的位置修改。沿其求和的轴保持
原来的 tile，因此结果不变。)",
        R"(形状或 tile 未知的操作。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto206() {
    return kRule;
}

}  // namespace ptofix::rules
