#include "rules/rule_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCodes[] = {"F40005", "MEM_UB", "TENSOR_MEMORY_ALLOCATION"};

constexpr Example kExamples[] = {
    {R"py(import pypto


@pypto.frontend.jit
def project(
    q_int8: pypto.Tensor([32, 512], pypto.DT_INT8),
    w_int8: pypto.Tensor([512, 64], pypto.DT_INT8),
    out: pypto.Tensor([32, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 256)
    pypto.set_cube_tile_shapes([16, 16], [16, 256], [16, 64])
    q_fp16 = pypto.cast(q_int8, pypto.DT_FP16)
    q_fp32 = pypto.cast(q_fp16, pypto.DT_FP32)
    w_fp32 = pypto.cast(pypto.cast(w_int8, pypto.DT_FP16), pypto.DT_FP32)
    result = pypto.matmul(q_fp32, w_fp32, pypto.DT_FP32)
    out[:] = pypto.mul(result, 0.125)
)py",
     R"py(import pypto


@pypto.frontend.jit
def project(
    q_int8: pypto.Tensor([32, 512], pypto.DT_INT8),
    w_int8: pypto.Tensor([512, 64], pypto.DT_INT8),
    out: pypto.Tensor([32, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(16, 256)
    pypto.set_cube_tile_shapes([16, 16], [32, 256], [32, 64])
    result_i32 = pypto.matmul(q_int8, w_int8, pypto.DT_INT32)
    result = pypto.cast(result_i32, pypto.DT_FP32)
    out[:] = pypto.mul(result, 0.125)
)py",
     ""},
};

constexpr Rule kRule{
    "PTO105",
    "int8-matmul-upcast",
    Severity::warning,
    "a matmul of INT8 tensors that are cast to FP32 first",
    "先把 INT8 张量转成 FP32 再做 matmul",
    kCodes,
    {
        R"(A matmul both of whose operands are INT8 tensors that were cast to FP32, directly or by way of FP16 (PyPTO has no direct cast),
in the call or in statements before it.)",
        R"(Every buffer on the chip takes four times the space; a kernel that fits as INT8 ends in `F40005 TENSOR_MEMORY_ALLOCATION: ...
exceeds MEM_UB size`. The casts are compiled and run tile by tile: at K = 512 a matmul of 149 tile operations becomes one of 32.)",
        R"(matmul on the INT8 tensors with `DT_INT32`, then a cast of the product to FP32. Casts whose result nothing else reads go; the
others stay. The cube tile is made legal for INT8 (kL0 and nL0 multiples of 32) where it is not. Safe while K x 127 x 127 is
below 2^24: then FP32 adds the products without rounding, and both give the same. Above that the new sums are exact where the
old ones were rounded, and the fix asks for `--unsafe`.)",
        R"(Only one operand is INT8; a scale is applied before the matmul; 16-bit matmuls of INT8 values.)",
    },
    {
        R"(matmul 的两个操作数都是先转成 FP32 的 INT8 张量，直接转换或经由 FP16（PyPTO 没有直接转换），写在调用中或之前的语句中。)",
        R"(片上每个缓冲占用四倍空间；用 INT8 放得下的 kernel 会以 `F40005 TENSOR_MEMORY_ALLOCATION: ... exceeds MEM_UB size` 终止。cast 还要
逐 tile 编译和执行：K = 512 时 149 个 tile 操作的 matmul 变为 32 个。)",
        R"(对 INT8 张量做 `DT_INT32` 的 matmul，再把乘积转换为 FP32。结果别处不用的 cast 删除，其余保留。cube tile 对 INT8 不合法（kL0、nL0 需为 32
的倍数）时一并改正。K x 127 x 127 小于 2^24 时是安全的：FP32 累加不舍入，两种写法结果相同。更大时新的和是精确的，而原来的会舍入，需要
`--unsafe`。)",
        R"(只有一个操作数是 INT8；matmul 之前乘了 scale；INT8 值的 16 位 matmul。)",
    },
    kExamples,
};

}  // namespace

const Rule& rule_pto105() {
    return kRule;
}

}  // namespace ptofix::rules
