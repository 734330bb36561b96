#include "hardware/cube_check.h"

#include <catch2/catch.hpp>

using namespace ptofix::hardware;

namespace {

constexpr MatmulForm kHalf{.a = DType::bf16, .b = DType::bf16, .out = DType::fp32};
constexpr MatmulForm kByte{.a = DType::int8, .b = DType::int8, .out = DType::int32};

CubeTile tile(std::int64_t m0, std::int64_t m1, std::int64_t k0, std::int64_t ka, std::int64_t kb, std::int64_t n0,
              std::int64_t n1) {
    return {.m_l0 = m0, .m_l1 = m1, .k_l0 = k0, .k_a_l1 = ka, .k_b_l1 = kb, .n_l0 = n0, .n_l1 = n1};
}

std::string said(const CubeTile& t, const MatmulForm& form = kHalf, const MatmulExtent& extent = {}) {
    const auto problem = cube_problem(t, form, extent);
    return problem ? problem->said : "";
}

}  // namespace

TEST_CASE("a cube tile is refused with the compiler's own words") {  // each one measured
    CHECK(said(tile(128, 128, 72, 256, 256, 128, 128)) == "kL0(72) and nL0(128) must be aligned to 16 elements");
    CHECK(said(tile(128, 128, 64, 200, 200, 128, 128)) ==
          "Invalid L1/L0 relation: kL0=64, kL1a=200, require kL0 <= kL1a && kL1a % kL0 == 0");
    CHECK(said(tile(128, 128, 256, 128, 128, 128, 128)) ==
          "Invalid L1/L0 relation: kL0=256, kL1a=128, require kL0 <= kL1a && kL1a % kL0 == 0");
    CHECK(said(tile(128, 128, 64, 128, 128, 24, 48)) == "kL0(64) and nL0(24) must be aligned to 16 elements");
    CHECK(said(tile(16, 0, 128, 512, 512, 64, 256)) ==
          "Invalid tile values: kL0=128, kL1a=512, kL1b=512, mL0=16, mL1=0, nL0=64, nL1=256");
    CHECK(said(tile(16, 16, 16, 64, 64, 32, 32), kByte) == "kL0 * sizeof(dtype) = 16 bytes, must be 32-byte aligned");
    CHECK(said(tile(16, 16, 64, 64, 64, 16, 32), kByte) == "nL0 * sizeof(dtype) = 16 bytes, must be 32-byte aligned");
    MatmulForm turned = kHalf;
    turned.a_transposed = true;
    CHECK(said(tile(8, 8, 64, 64, 64, 16, 16), turned) ==
          "mL0 memory not aligned when transA=true: 16 bytes, must be 32-byte aligned");
    CHECK(said(tile(16, 16, 64, 128, 192, 16, 16), kHalf, {.m = {}, .k = 512, .n = {}})
              .starts_with("Invalid tileKL1 configuration: tileKL1Max: 192, kViewA: 512, tileKL1Min: 128"));
}

TEST_CASE("what stands on the legal side of each limit passes") {
    CHECK(said(tile(8, 8, 16, 16, 16, 16, 16)).empty());
    CHECK(said(tile(10, 20, 64, 192, 192, 16, 48)).empty());
    CHECK(said(tile(1, 1, 16, 512, 16, 16, 16)).empty());
    CHECK(said(tile(16, 16, 32, 64, 64, 32, 32), kByte).empty());
    MatmulForm turned = kHalf;
    turned.a_transposed = true;
    CHECK(said(tile(16, 16, 64, 64, 64, 16, 16), turned).empty());
    // kAL1 and kBL1 need not divide each other where one of them covers K.
    CHECK(said(tile(16, 16, 64, 128, 192, 16, 16), kHalf, {.m = {}, .k = 192, .n = {}}).empty());
    CHECK(said(tile(16, 16, 64, 128, 192, 16, 16)).empty());  // K is not known
    // FP32: 8 elements are 32 bytes, but 16 elements is a rule of its own.
    CHECK_FALSE(said(tile(16, 16, 8, 8, 8, 16, 16), {.a = DType::fp32, .b = DType::fp32}).empty());
}

TEST_CASE("layouts ask for more") {
    MatmulForm nz = kHalf;
    nz.a_nz = true;
    CHECK_FALSE(said(tile(8, 8, 64, 64, 64, 16, 16), nz).empty());
    CHECK(said(tile(16, 16, 64, 64, 64, 16, 16), nz).empty());
    MatmulForm out = kByte;
    out.out_nz = true;
    out.out = DType::int8;
    CHECK_FALSE(said(tile(16, 16, 64, 64, 64, 16, 16), out).empty());
    MatmulForm scaled{.a = DType::fp8e4m3, .b = DType::fp8e4m3, .out = DType::bf16, .scaled = true};
    CHECK_FALSE(said(tile(16, 16, 32, 64, 64, 32, 32), scaled).empty());
    CHECK(said(tile(16, 16, 64, 64, 64, 32, 32), scaled).empty());
    // transposed_batchmatmul is looked at when it is expanded, and then at k alone.
    MatmulForm late = kHalf;
    late.checked_when_called = false;
    CHECK(said(tile(16, 8, 64, 128, 128, 24, 16), late).empty());
    CHECK_FALSE(said(tile(16, 16, 64, 96, 96, 16, 16), late).empty());
}

TEST_CASE("numbers without bound are no trouble") {
    CHECK_FALSE(said(tile(1, 1, INT64_MAX, INT64_MAX, INT64_MAX, 16, 16)).empty());
    CHECK_FALSE(said(tile(INT64_MIN, 1, 16, 16, 16, 16, 16)).empty());
}

TEST_CASE("the steps of a tile are what every check asks") {
    CHECK(cube_steps(kHalf).k == 16);
    CHECK(cube_steps(kHalf).m == 1);
    CHECK(cube_steps(kByte).k == 32);
    CHECK(cube_steps(kByte).n == 32);
    CHECK(cube_steps({}).k == 32);  // an unknown type may be INT8
}
