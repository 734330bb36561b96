#include "hardware/dtype.h"

#include <catch2/catch.hpp>
#include <set>

namespace {

using ptofix::hardware::bits_of;
using ptofix::hardware::DType;
using ptofix::hardware::dtype_of_pypto_name;
using ptofix::hardware::dtype_of_torch_name;
using ptofix::hardware::pypto_name;
using ptofix::hardware::torch_name;

}  // namespace

TEST_CASE("every PyPTO type name is known, with the framework's size") {
    const std::pair<std::string_view, int> sizes[] = {
        {"DT_BOOL", 1},  {"DT_INT4", 1},     {"DT_INT8", 1},     {"DT_INT16", 2},      {"DT_INT32", 4},
        {"DT_INT64", 8}, {"DT_UINT8", 1},    {"DT_UINT16", 2},   {"DT_UINT32", 4},     {"DT_UINT64", 8},
        {"DT_FP8", 1},   {"DT_FP8E4M3", 1},  {"DT_FP8E5M2", 1},  {"DT_FP8E8M0", 1},    {"DT_HF4", 1},
        {"DT_HF8", 1},   {"DT_FP4_E2M1", 1}, {"DT_FP4_E1M2", 1}, {"DT_FP4_E2M1X2", 1}, {"DT_FP4_E1M2X2", 1},
        {"DT_FP16", 2},  {"DT_BF16", 2},     {"DT_FP32", 4},     {"DT_DOUBLE", 8},
    };
    std::set<DType> seen;
    for (const auto& [name, size] : sizes) {
        INFO(name);
        const auto dtype = dtype_of_pypto_name(name);
        REQUIRE(dtype);
        CHECK(size_of(*dtype) == size);
        CHECK(pypto_name(*dtype) == name);
        CHECK(is_float(*dtype) != is_integer(*dtype));
        CHECK(seen.insert(*dtype).second);
    }
    CHECK(seen.size() == static_cast<std::size_t>(DType::fp64));
}

TEST_CASE("names that are no type are refused") {
    for (const auto name : {"", "DT_FP64", "FP32", "dt_fp32", "DT_"}) CHECK_FALSE(dtype_of_pypto_name(name));
    for (const auto name : {"", "complex64", "DT_FP32", "Float"}) CHECK_FALSE(dtype_of_torch_name(name));
    CHECK(dtype_of_pypto_name("DT_BOTTOM") == DType::unknown);
}

TEST_CASE("torch names and their aliases map to the same types") {
    CHECK(dtype_of_torch_name("float") == DType::fp32);
    CHECK(dtype_of_torch_name("float32") == DType::fp32);
    CHECK(dtype_of_torch_name("half") == DType::fp16);
    CHECK(dtype_of_torch_name("bfloat16") == DType::bf16);
    CHECK(dtype_of_torch_name("double") == DType::fp64);
    CHECK(dtype_of_torch_name("int") == DType::int32);
    CHECK(dtype_of_torch_name("long") == DType::int64);
    CHECK(dtype_of_torch_name("short") == DType::int16);
    CHECK(dtype_of_torch_name("bool") == DType::boolean);
    CHECK(dtype_of_torch_name("float8_e4m3fn") == DType::fp8e4m3);
    CHECK(torch_name(DType::bf16) == "bfloat16");
    CHECK(torch_name(DType::hf8).empty());
}

TEST_CASE("nothing is claimed about an unknown type") {
    CHECK(size_of(DType::unknown) == 0);
    CHECK_FALSE(is_float(DType::unknown));
    CHECK_FALSE(is_integer(DType::unknown));
    CHECK_FALSE(is_half(DType::unknown));
    CHECK(pypto_name(DType::unknown).empty());
}

TEST_CASE("packed types take half a byte") {
    CHECK(bits_of(DType::int4) == 4);
    CHECK(bits_of(DType::fp4_e2m1) == 4);
    CHECK(bits_of(DType::fp4_e2m1x2) == 8);
    CHECK(bits_of(DType::bf16) == 16);
}
