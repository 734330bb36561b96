#include "rules/code_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kLengthRules[] = {"PTO103"};
constexpr std::string_view kEmptyTileRules[] = {"PTO301"};
constexpr std::string_view kValueAlso[] = {"ExternalError::INVALID_VAL"};
constexpr std::string_view kUnrollAlso[] = {"DispatchError", "unroll factor"};

constexpr Code kCodes[] = {
    {"F00002",
     "INVALID_VAL",
     kValueAlso,
     kLengthRules,
     "FeError: ErrCode: F00002, ValueError: k must have 2 or 3 elements, got 1",
     {"a value that PyPTO does not take", R"(An argument or an option has a value outside its range.)",
      R"(m and n of set_cube_tile_shapes have not two numbers, or k not two or three; stitch_function_max_num is not in [1, 1024]; a division by
zero; weights that are declared NZ and come as ND.)",
      R"(The line below the code names the value and its range.)"},
     {"PyPTO 不接受的值", R"(参数或选项的值超出范围。)",
      R"(set_cube_tile_shapes 的 m、n 不是两个数，或 k 不是两个或三个数；stitch_function_max_num 不在 [1, 1024] 内；除以零；声明为 NZ 的权重以 ND 传入。)",
      R"(错误码下一行给出具体的值及其范围。)"}},
    {"F0000A",
     "",
     {},
     kEmptyTileRules,
     "ErrCode: F0000A! Operation: ADDS Input operand (name: x)  at dimension[0] has invalid shape value: -1. Dynamic "
     "shape tensors "
     "are not allowed",
     {"an operation on a tensor whose shape is not known when it is compiled",
      R"(-1 stands for a DYNAMIC dim: operations want known shapes. 0 or less comes from a tile or shape that is zero.)",
      R"(A parameter with a DYNAMIC dim is used as it is; or a vec tile has a number of 0 or less.)",
      R"(Take a view of a fixed size inside pypto.loop, with valid_shape for the tail; give the vec tile numbers above 0.)"},
     {"对编译时形状未知的张量做运算", R"(-1 表示 DYNAMIC 维：操作要求已知形状。0 或负数来自为零的 tile 或形状。)",
      R"(直接使用带 DYNAMIC 维的参数；或 vec tile 中有 0 或负数。)",
      R"(在 pypto.loop 中取固定大小的 view，尾部用 valid_shape；vec tile 的数都要大于 0。)"}},
    {"F0000B",
     "",
     {},
     {},
     "ErrCode: F0000B! Current inner axis: 70000, when input is ND format, inner axis must be less than 65535",
     {"a matmul operand whose inner axis is too long",
      R"(The last axis of an operand in ND layout may have 65,535 elements at most.)",
      R"(A large K or N in the last axis.)",
      R"(Store the operand the other way round and pass a_trans or b_trans, use NZ, or split the axis.)"},
     {"matmul 操作数的内轴过长", R"(ND 格式操作数的最后一维最多 65,535 个元素。)", R"(最后一维是很大的 K 或 N。)",
      R"(换一种存放方向并使用 a_trans 或 b_trans，使用 NZ，或拆分该维。)"}},
    {"F00007",
     "",
     {},
     {},
     "ErrCode: F00007! Output data type only support FP32 and INT32 when using GM accumulated",
     {"a result type that splitting K does not have", R"(enable_split_k adds up in device memory, in FP32 or INT32.)",
      R"(out_dtype is 16-bit together with enable_split_k.)", R"(Ask for DT_FP32 and cast the result.)"},
     {"切分 K 时不支持的输出类型", R"(enable_split_k 在设备内存中以 FP32 或 INT32 累加。)",
      R"(enable_split_k 与 16 位 out_dtype 同时使用。)", R"(使用 DT_FP32，再转换结果。)"}},
    {"F0FFFF",
     "",
     kUnrollAlso,
     {},
     "ErrCode: F0FFFF, DispatchError: unroll factor 0 must be a positive integer",
     {"an error of Python's inside of the frontend",
      R"(What Python raised while the kernel was recorded, wrapped; the sentence says what.)",
      R"(unroll_list with 0 or less, operands of different dtype, and others.)",
      R"(The sentence behind the code, and the traceback.)"},
     {"前端执行 Python 时的错误", R"(录制 kernel 时 Python 抛出的错误，具体看后面的句子。)",
      R"(unroll_list 含 0 或负数、操作数 dtype 不同等。)", R"(看错误码后面的句子和 traceback。)"}},
    {"F2FFFF",
     "",
     {},
     {},
     "ErrCode: F2FFFF! cur_ = 1, rlf_.CurUnrollTimes() = 0",
     {"a check inside of the frontend", R"(A check without a code of its own.)",
      R"(With CurUnrollTimes() = 0: an unroll factor of 0.)", R"(Factors are positive integers.)"},
     {"前端内部检查", R"(没有单独错误码的检查。)", R"(CurUnrollTimes() = 0 表示展开因子为 0。)",
      R"(展开因子必须是正整数。)"}},
    {"FC0002",
     "",
     {},
     {},
     "ErrCode: FC0002! The dims of tensor is out of range [1, 4], actual dims: 5 for op: ADD",
     {"a tensor with too many axes", R"(Vector operations take tensors of 1 to 4 axes.)",
      R"(A tensor of five axes or more.)", R"(Merge axes by reshape.)"},
     {"张量维数过多", R"(向量操作接受 1 到 4 维的张量。)", R"(五维或更多维的张量。)", R"(用 reshape 合并若干维。)"}},
};

}  // namespace

std::span<const Code> codes_of_calls() {
    return kCodes;
}

}  // namespace ptofix::rules
