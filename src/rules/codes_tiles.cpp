#include "rules/code_table.h"

namespace ptofix::rules {

namespace {

constexpr std::string_view kCubeRules[] = {"PTO103"};
constexpr std::string_view kTailRules[] = {"PTO301"};
constexpr std::string_view kMissingRules[] = {"PTO303"};
constexpr std::string_view kRankRules[] = {"PTO302", "PTO303"};
constexpr std::string_view kInvalidAlso[] = {"ExternalError::INVALID_TILE"};
constexpr std::string_view kTileAlso[] = {"ERR_CONFIG_TILE"};
constexpr std::string_view kAlignAlso[] = {"MatmulErrorCode::ERR_CONFIG_ALIGNMENT"};
constexpr std::string_view kVectorAlso[] = {"VectorErrorCode::ERR_CONFIG_ALIGNMENT"};
constexpr std::string_view kInnerAlso[] = {"InternalError::PASS_INNER_ERROR", "Tile shape size"};

constexpr std::string_view kCubeCause =
    R"(kL0 or nL0 is no multiple of 16; L0 is larger than L1, or L1 is no multiple of it; a number is zero; kL0 or nL0 times the size of an
element is no multiple of 32 bytes; kAL1 and kBL1 do not divide each other. mL0 is free unless A is transposed. A quotient K / kL0
taken for kL1 (576 / 16 = 36) is a common mistake.)";
constexpr std::string_view kCubeCauseZh =
    R"(kL0 或 nL0 不是 16 的倍数；L0 大于 L1，或 L1 不是 L0 的倍数；有数值为零；kL0 或 nL0 乘以元素大小不是 32 字节的倍数；kAL1 与 kBL1 互不整除。除非 A 转置，
mL0 没有限制。常见错误是把商 K / kL0（576 / 16 = 36）当作 kL1。)";
constexpr std::string_view kCubeCure =
    R"(Set kL1 = K where K is a multiple of kL0, or the nearest numbers that satisfy the checks.)";
constexpr std::string_view kCubeCureZh = R"(K 是 kL0 的倍数时取 kL1 = K，否则取满足检查的最接近的数值。)";

constexpr Code kCodes[] = {
    {"F0000C",
     "INVALID_TILE",
     kInvalidAlso,
     kCubeRules,
     "FeError: CHECK FAILED: ErrCode: F0000C! Enum: ExternalError::INVALID_TILE\nInvalid L1/L0 relation: kL0=64, "
     "kL1a=200, "
     "require kL0 <= kL1a && kL1a % kL0 == 0",
     {"a cube tile that PyPTO refuses",
      R"(The frontend checks set_cube_tile_shapes at each matmul. Since 9.2.0-beta.1 every such check has this code; up to 9.1.0 the same
sentences came with FC4000 and FC4001.)",
      kCubeCause, kCubeCure},
     {"PyPTO 不接受的 cube tile",
      R"(前端在每个 matmul 处检查 set_cube_tile_shapes。自 9.2.0-beta.1 起这类检查都是这个错误码；9.1.0 及以前，同样的句子对应 FC4000 和 FC4001。)",
      kCubeCauseZh, kCubeCureZh}},
    {"FC4000",
     "ERR_CONFIG_TILE",
     kTileAlso,
     kCubeRules,
     "ErrCode: FC4000! Enum: MatmulErrorCode::ERR_CONFIG_TILE Invalid L1/L0 relation: kL0=576, kL1a=512, require kL0 "
     "<= kL1a "
     "&& kL1a % kL0 == 0",
     {"a cube tile whose L0 and L1 do not go together",
      R"(The code of releases up to 9.1.0 for the relation of L0 to L1 and for numbers that are zero; F0000C since then.)",
      kCubeCause, kCubeCure},
     {"L0 与 L1 不匹配的 cube tile", R"(9.1.0 及以前版本中 L0 与 L1 的关系错误、数值为零的错误码；之后为 F0000C。)",
      kCubeCauseZh, kCubeCureZh}},
    {"FC4001",
     "ERR_CONFIG_ALIGNMENT",
     kAlignAlso,
     kCubeRules,
     "ErrCode: FC4001! Enum: MatmulErrorCode::ERR_CONFIG_ALIGNMENT kL0(16) and nL0(24) must be aligned to 16 elements",
     {"a cube tile whose numbers do not align", R"(The code of releases up to 9.1.0 for alignment; F0000C since then.)",
      kCubeCause, kCubeCure},
     {"未对齐的 cube tile", R"(9.1.0 及以前版本中对齐错误的错误码；之后为 F0000C。)", kCubeCauseZh, kCubeCureZh}},
    {"FC1001",
     "",
     kVectorAlso,
     kTailRules,
     "FeError: CHECK FAILED: ErrCode: FC1001! Enum: VectorErrorCode::ERR_CONFIG_ALIGNMENT\nThe size of the tile shape "
     "along "
     "axis 1 must be a multiple of 32. Got 24.",
     {"a vec tile whose axis an operation wants to be a multiple",
      R"(sort, argsort and topk want multiples of 32 elements, where and comparisons to bits multiples of 8. Other operations take any last
axis: the compiler pads it.)",
      R"(The number of that axis in set_vec_tile_shapes.)", R"(Round it up to the multiple, within UB.)"},
     {"vec tile 的某一维不是操作要求的倍数",
      R"(sort、argsort、topk 要求 32 个元素的倍数，where 与按位比较要求 8 的倍数。其他操作接受任意最后一维，由编译器补齐。)",
      R"(set_vec_tile_shapes 中该维的数值。)", R"(在 UB 允许范围内向上取整到该倍数。)"}},
    {"FC1000",
     "",
     {},
     kMissingRules,
     "ErrCode: FC1000! TileShape is no set for reduce op",
     {"an operation without a vec tile", R"(A reduction is reached before any set_vec_tile_shapes.)",
      R"(No tile is set on the way to it, or the last one is of a cube.)", R"(Set a vec tile before it.)"},
     {"没有设置 vec tile 的操作", R"(执行到归约操作时尚未调用 set_vec_tile_shapes。)",
      R"(之前没有设置 vec tile，或只设置了 cube tile。)", R"(在它之前设置 vec tile。)"}},
    {"FC0000",
     "",
     {},
     kRankRules,
     "ErrCode: FC0000! Enum: VectorErrorCode::ERR_PARAM_INVALID\nTileShape dim num should same to input.",
     {"a vec tile of another number of axes", R"(An operation that takes no surplus axes of a vec tile.)",
      R"(The tile was set for a tensor of another rank.)",
      R"(Set a tile with as many numbers as the tensor has axes.)"},
     {"vec tile 维数不符", R"(该操作不接受维数多余的 vec tile。)", R"(tile 是为另一种维数的张量设置的。)",
      R"(设置数值个数与张量维数相同的 tile。)"}},
    {"F4FFFF",
     "PASS_INNER_ERROR",
     kInnerAlso,
     kRankRules,
     "ErrCode: F4FFFF! Enum: InternalError::PASS_INNER_ERROR. "
     "[ExpandFunction.Function]:FUnction[kernel_PATH0_hiddenfunc] "
     "ExpandFunction failed: Operation: ADD. Tile shape size 1 is not matched the output shape size 2.",
     {"a pass failed; most often a vec tile with too few axes",
      R"(Every failure inside a pass has this code; the sentence says which. "Tile shape size 1 is not matched the output shape size 2" is a
vec tile with fewer numbers than the tensor has axes; size 0 means that none was set. More numbers than axes are accepted, but the
first ones count, which multiplies tiles.)",
      R"(The rank changed (reshape, reduction, unsqueeze, a matmul before) and the tile was not set again.)",
      R"(Set a vec tile with as many numbers as the tensor has axes, right where the rank changes.)"},
     {"pass 失败；多数是 vec tile 维数不足",
      R"(pass 内部的所有失败都用这个错误码，具体看后面的句子。“Tile shape size 1 is not matched the output shape size 2”表示 vec tile 的数值个数少于张量维数；
size 0 表示没有设置。数值个数多于维数可以接受，但起作用的是前几个数，会使 tile 数量成倍增加。)",
      R"(维数变了（reshape、归约、unsqueeze、前面的 matmul），而 tile 没有重新设置。)",
      R"(在维数变化处设置数值个数与张量维数相同的 vec tile。)"}},
};

}  // namespace

std::span<const Code> codes_of_tiles() {
    return kCodes;
}

}  // namespace ptofix::rules
