// Element types of PyPTO (pypto.DT_*) with their sizes and families. Source: DATA_TYPE_ALL in the framework's
// framework/include/tilefwk/data_type.h; torch's names: python/pypto/converter.py. Used wherever a tensor has a type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptofix::hardware {

enum class DType : std::uint8_t {
    unknown,
    boolean,
    int4,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    fp8,
    fp8e4m3,
    fp8e5m2,
    fp8e8m0,
    hf4,
    hf8,
    fp4_e2m1,
    fp4_e1m2,
    fp4_e2m1x2,
    fp4_e1m2x2,
    fp16,
    bf16,
    fp32,
    fp64,
};

/// Bytes that stand for one element (the framework's BytesOf: 1 for 4-bit types too); 0 for unknown.
int size_of(DType dtype);
/// Bits an element takes in memory (4 for the packed types); 0 for unknown.
int bits_of(DType dtype);
/// "DT_FP32" -> fp32. Takes the name with its prefix, as written after "pypto.".
std::optional<DType> dtype_of_pypto_name(std::string_view name);
/// "float32", "half" ... as written after "torch." -> fp32.
std::optional<DType> dtype_of_torch_name(std::string_view name);
/// "DT_FP32"; empty for unknown.
std::string_view pypto_name(DType dtype);
/// "float32"; empty where torch has no such type.
std::string_view torch_name(DType dtype);

bool is_float(DType dtype);
/// Signed, unsigned and boolean, as the framework's IsInteger.
bool is_integer(DType dtype);
/// BF16 and FP16: the compiler computes in FP32 and casts back.
bool is_half(DType dtype);

}  // namespace ptofix::hardware
