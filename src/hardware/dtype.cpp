#include "hardware/dtype.h"

#include <array>
#include <utility>

namespace ptofix::hardware {
namespace {

struct Row {
    DType dtype;
    std::string_view pypto;
    std::string_view torch;
    std::uint8_t bytes, bits;
    bool floating;
};

constexpr Row kRows[] = {
    {DType::unknown, "", "", 0, 0, false},
    {DType::boolean, "DT_BOOL", "bool", 1, 8, false},
    {DType::int4, "DT_INT4", "", 1, 4, false},
    {DType::int8, "DT_INT8", "int8", 1, 8, false},
    {DType::int16, "DT_INT16", "int16", 2, 16, false},
    {DType::int32, "DT_INT32", "int32", 4, 32, false},
    {DType::int64, "DT_INT64", "int64", 8, 64, false},
    {DType::uint8, "DT_UINT8", "uint8", 1, 8, false},
    {DType::uint16, "DT_UINT16", "uint16", 2, 16, false},
    {DType::uint32, "DT_UINT32", "uint32", 4, 32, false},
    {DType::uint64, "DT_UINT64", "uint64", 8, 64, false},
    {DType::fp8, "DT_FP8", "", 1, 8, true},
    {DType::fp8e4m3, "DT_FP8E4M3", "float8_e4m3fn", 1, 8, true},
    {DType::fp8e5m2, "DT_FP8E5M2", "float8_e5m2", 1, 8, true},
    {DType::fp8e8m0, "DT_FP8E8M0", "float8_e8m0fnu", 1, 8, true},
    {DType::hf4, "DT_HF4", "", 1, 4, true},
    {DType::hf8, "DT_HF8", "", 1, 8, true},
    {DType::fp4_e2m1, "DT_FP4_E2M1", "", 1, 4, true},
    {DType::fp4_e1m2, "DT_FP4_E1M2", "", 1, 4, true},
    {DType::fp4_e2m1x2, "DT_FP4_E2M1X2", "float4_e2m1fn_x2", 1, 8, true},
    {DType::fp4_e1m2x2, "DT_FP4_E1M2X2", "", 1, 8, true},
    {DType::fp16, "DT_FP16", "float16", 2, 16, true},
    {DType::bf16, "DT_BF16", "bfloat16", 2, 16, true},
    {DType::fp32, "DT_FP32", "float32", 4, 32, true},
    {DType::fp64, "DT_DOUBLE", "float64", 8, 64, true},
};

constexpr bool rows_stand_at_their_index() {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        if (static_cast<std::size_t>(kRows[i].dtype) != i) return false;
    }
    return std::size(kRows) == static_cast<std::size_t>(DType::fp64) + 1;
}
static_assert(rows_stand_at_their_index());

/// torch's second names for its types.
constexpr std::pair<std::string_view, DType> kTorchAliases[] = {
    {"half", DType::fp16},   {"float", DType::fp32}, {"double", DType::fp64},
    {"short", DType::int16}, {"int", DType::int32},  {"long", DType::int64},
};

const Row& row(DType dtype) {
    return kRows[static_cast<std::size_t>(dtype)];
}

}  // namespace

int size_of(DType dtype) {
    return row(dtype).bytes;
}
int bits_of(DType dtype) {
    return row(dtype).bits;
}

std::optional<DType> dtype_of_pypto_name(std::string_view name) {
    if (name.empty()) return {};
    for (const Row& r : kRows) {
        if (r.pypto == name) return r.dtype;
    }
    // "no type yet": the framework has it as a value, we know nothing of it
    if (name == "DT_BOTTOM") return DType::unknown;
    return {};
}

std::optional<DType> dtype_of_torch_name(std::string_view name) {
    if (name.empty()) return {};
    for (const Row& r : kRows) {
        if (r.torch == name) return r.dtype;
    }
    for (const auto& [alias, dtype] : kTorchAliases) {
        if (alias == name) return dtype;
    }
    return {};
}

std::string_view pypto_name(DType dtype) {
    return row(dtype).pypto;
}
std::string_view torch_name(DType dtype) {
    return row(dtype).torch;
}

bool is_float(DType dtype) {
    return row(dtype).floating;
}
bool is_integer(DType dtype) {
    return dtype != DType::unknown && !is_float(dtype);
}
bool is_half(DType dtype) {
    return dtype == DType::fp16 || dtype == DType::bf16;
}

}  // namespace ptofix::hardware
