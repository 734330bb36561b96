#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_UB", "TENSOR_MEMORY_ALLOCATION", "exceeds MEM_UB size"};

constexpr Example kExamples[] = {
    {R"py(import pypto

ROWS = 128  # of a tile


@pypto.frontend.jit
def widen(
    x: pypto.Tensor([1024, 512], pypto.DT_BF16),
    out: pypto.Tensor([1024, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
)py",
     R"py(import pypto

ROWS = 32  # of a tile


@pypto.frontend.jit
def widen(
    x: pypto.Tensor([1024, 512], pypto.DT_BF16),
    out: pypto.Tensor([1024, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(ROWS, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO101",
    "vec-tile-exceeds-ub",
    Severity::error,
    "a vec tile under which a vector operation needs more than UB",
    "vec tile 过大，其下的向量操作放不进 UB",
    kCodes,
    {
        R"(A vector operation whose inputs and output, under the vec tile in force, add up to more than UB. The sum is the compiler's
own: the tile is clipped to each operand, the last axis padded to 32 bytes; 16-bit arithmetic runs in FP32 with casts around
it; a result lies in the place of an operand that nothing else needs; reductions have a work space, and three whole tiles
where the reduced axis is cut. One finding for one tile call: it names the worst operation and counts the others.)",
        R"(Compilation stops in Pass_31 (OoOSchedule) with `F40005 TENSOR_MEMORY_ALLOCATION`: `Alloc tensor [..] size [262144] exceeds
MEM_UB size [196608]!` where one buffer is too large by itself, `OP CAST[..] in/output total size [245760] exceeds MEM_UB
size [196608]!` where the sum is. (64, 512) from BF16 to FP32 takes exactly 196,608 bytes and compiles; (80, 512) does not.)",
        R"(Leading axes shrink to powers of two, the first one first, until the largest buffer is at most 64 KB and every operation under
the same tile fits: (128, 512) on FP32 becomes (32, 512). The last axis stays as long as the others suffice, and so do axes
that an operation must see whole. The number is changed where it is written, when every tile that takes it wants the same. The
schedule changes, not the result.)",
        R"(Tiles larger than UB that clip to a small operand; operations whose result nothing reads; what PTO104 explains: the heads of a
matmul, taken all at once. Where a shape is not known the finding is information only.)",
    },
    {
        R"(在生效的 vec tile 下，某个向量操作的输入与输出之和超出 UB。求和方式与编译器一致：tile 按各操作数截断，尾轴补齐到 32 字节；16 位运算
在 FP32 中进行，前后各有一次 cast；结果可放在别处不再需要的操作数的位置；归约需要临时空间，被归约的轴被切分时需要三个完整 tile。一处
tile 设置只报一次：指出最大的操作并给出其余个数。)",
        R"(编译在 Pass_31（OoOSchedule）以 `F40005 TENSOR_MEMORY_ALLOCATION` 终止：单个缓冲过大时为 `Alloc tensor [..] size [262144] exceeds
MEM_UB size [196608]!`，总和过大时为 `OP CAST[..] in/output total size [245760] exceeds MEM_UB size [196608]!`。(64, 512) 的
BF16 转 FP32 恰好占 196,608 字节，可以编译；(80, 512) 则不行。)",
        R"(从第一个轴开始把前面的轴缩小为 2 的幂，直到最大的缓冲不超过 64 KB 且同一 tile 下的每个操作都放得下：FP32 的 (128, 512) 变为
(32, 512)。其余轴足够时尾轴保持不变，操作不允许切分的轴也保持不变。使用该数的所有 tile 都需要同样的新值时，在写出它的位置修改。只改变
调度，不改变结果。)",
        R"(大于 UB 但会被截断到小操作数的 tile；结果无人读取的操作；PTO104 已说明的情形（一次取用 matmul 的全部 head）。shape 未知时只作提示。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto101() {
    return kRule;
}

}  // namespace ptofix::rules
