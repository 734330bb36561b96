#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"FC1001",
                                       "ERR_CONFIG_ALIGNMENT",
                                       "last axis need 32Byte align",
                                       "must be a multiple of 32",
                                       "last dim is not aligned",
                                       "F0000A",
                                       "has invalid shape value"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def order(
    scores: pypto.Tensor([64, 96], pypto.DT_FP32),
    out: pypto.Tensor([64, 96], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(16, 24)
    out[:] = pypto.argsort(scores, -1, True)
)py",
     R"py(import pypto


@pypto.frontend.jit
def order(
    scores: pypto.Tensor([64, 96], pypto.DT_FP32),
    out: pypto.Tensor([64, 96], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(16, 32)
    out[:] = pypto.argsort(scores, -1, True)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO301",
    "vec-tile-tail-alignment",
    Severity::error,
    "a vec tile whose last axis is not aligned as an operation asks",
    "vec tile 尾轴未按操作要求对齐",
    kCodes,
    {
        R"(A vec tile of known numbers under an operation that checks one of them: `argsort` (a multiple of 32 elements along the axis that is
sorted), `where` with a UINT8 condition (8), `online_softmax_update` (8), `concat` (the last number in whole blocks of 32 bytes, since
the parts are copied). A number of 0 or less, which no operation takes. And, as information, a tile that cuts the last axis of any other operation into pieces that are no whole blocks
of 32 bytes.)",
        R"(The framework refuses the first kind with FC1001 or a failed check of its own. Its documentation asks for 32 bytes everywhere ("last
axis need 32Byte align"), but the compiler looks nowhere else: elementwise operations, `sum`, `amax` and `topk` compile under a tile of
6 or 10 elements, and their buffers are padded to whole blocks. So these are not errors; the padding only wastes UB. A tile (4, 0) or
(4, -8) is taken when it is set; the first operation under it stops the compiler with F0000A, "Operation: ADD Input operand [..] at
dimension[1] has invalid shape value: 0".)",
        R"(The number is rounded up where it is written; in place of 0 or less the whole length of the axis is written. Where UB would not hold the longer tail, leading axes shrink to powers of two. The fix of
the information is held back where numbers are added up along the axis.)",
        R"(Tiles whose last number reaches the end of the tensor: real tails may be shorter than a block. Numbers that are not known.)",
    },
    {
        R"(数值已知的 vec tile，且其下有会检查该数值的操作：`argsort`（排序轴须为 32 个元素的整数倍）、条件为 UINT8 的 `where`（8）、
`online_softmax_update`（8）、`concat`（各部分要复制，最后一个数须是整的 32 字节块）。任何操作都不接受的 0 或负数。此外，把其他操作的尾轴切成非整 32 字节块的 tile 作为提示给出。)",
        R"(前一类会被框架以 FC1001 或自身检查失败拒绝。框架文档要求处处 32 字节对齐（`last axis need 32Byte align`），但编译器在别处并不检查：逐元素操作、
`sum`、`amax`、`topk` 在 6 或 10 个元素的 tile 下都能编译，缓冲会补齐到整块。因此它们不是错误，补齐只是浪费 UB。tile (4, 0) 或 (4, -8) 在设置时不会报错，
其下第一个操作会使编译器以 F0000A 终止：`Operation: ADD Input operand [..] at dimension[1] has invalid shape value: 0`。)",
        R"(在数字写出的位置向上取整；0 或负数改为该轴的全长。若 UB 放不下更长的尾轴，则把前面的维缩小到 2 的幂。若沿该轴有求和，提示类的修复不会给出。)",
        R"(尾轴数值已覆盖到张量末端的 tile：真实尾轴可以短于一个块。数值未知的 tile。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto301() {
    return kRule;
}

}  // namespace ptofix::rules
