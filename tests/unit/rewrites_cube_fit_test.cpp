#include "rewrites/cube_fit.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <random>

#include "hardware/cube_cost.h"

using namespace ptofix;
using hardware::CubeTile;
using hardware::DType;
using trace::Matmul;

namespace {

const hardware::Pools& kPools = hardware::pools(hardware::Soc::a2a3);

CubeTile tile(std::int64_t m0, std::int64_t m1, std::int64_t k0, std::int64_t k1, std::int64_t n0, std::int64_t n1) {
    return {.m_l0 = m0, .m_l1 = m1, .k_l0 = k0, .k_a_l1 = k1, .k_b_l1 = k1, .n_l0 = n0, .n_l1 = n1};
}

Matmul product(std::optional<std::int64_t> m, std::optional<std::int64_t> k, std::optional<std::int64_t> n,
               DType dtype = DType::bf16) {
    Matmul out;
    out.form.a = out.form.b = dtype;
    out.form.out = dtype == DType::int8 ? DType::int32 : DType::fp32;
    out.extent = {m, k, n};
    return out;
}

std::string fitted(const CubeTile& from, const std::vector<Matmul>& matmuls,
                   const rewrites::CubeFitOptions& options = {}) {
    const auto r = rewrites::nearest_cube_tile(from, matmuls, kPools, options);
    if (!r) return r.error() == rewrites::NoCubeTile::k_too_short ? "pad K" : "none";
    CHECK(rewrites::takes_cube_tile(*r, matmuls, kPools));
    const std::string b = r->k_b_l1 == r->k_a_l1 ? "" : fmt::format(",{}", r->k_b_l1);
    return fmt::format("{},{} {},{}{} {},{}", r->m_l0, r->m_l1, r->k_l0, r->k_a_l1, b, r->n_l0, r->n_l1);
}

}  // namespace

TEST_CASE("the nearest legal tile") {
    CHECK(fitted(tile(16, 16, 16, 36, 16, 16), {product(16, 576, 16)}) == "16,16 16,576 16,16");     // the quotient
    CHECK(fitted(tile(16, 16, 16, 36, 16, 16), {product(16, {}, 16)}) == "16,16 16,32 16,16");       // K not known
    CHECK(fitted(tile(16, 16, 576, 512, 16, 16), {product(16, 576, 16)}) == "16,16 288,576 16,16");  // put in order
    CHECK(fitted(tile(128, 64, 256, 64, 32, 16), {product(128, 512, 64)}) == "64,128 64,256 16,32");
    CHECK(fitted(tile(16, 16, 64, 200, 16, 16), {product(16, 512, 16)}) == "16,16 64,192 16,16");
    CHECK(fitted(tile(16, 16, 64, 200, 16, 16), {product(16, 200, 16)}) == "16,16 64,256 16,16");  // all of K
    CHECK(fitted(tile(16, 16, 13, 13, 16, 16), {product(16, 13, 16)}) == "pad K");
    CHECK(fitted(tile(16, 16, 20, 20, 16, 16), {product(16, 20, 16, DType::int8)}) == "pad K");
    CHECK(fitted(tile(16, 16, 40, 40, 16, 16), {product(16, 40, 16)}) == "16,16 32,64 16,16");
    CHECK(fitted(tile(0, 0, 0, 0, 0, 0), {product(20, 512, 48)}) == "20,20 128,128 48,48");
    // What one of several matmuls asks is asked of all.
    CHECK(fitted(tile(16, 16, 16, 48, 16, 48), {product(16, 96, 96), product(16, 96, 96, DType::int8)}) ==
          "16,16 32,32 32,32");
}

TEST_CASE("a legal tile that fits is left alone") {
    CHECK(fitted(tile(10, 20, 64, 256, 48, 48), {product(20, 520, 48)}) == "10,20 64,256 48,48");
}

TEST_CASE("what does not fit shrinks, K first") {
    // L0C: 128 x 512 x 4
    CHECK(fitted(tile(128, 128, 64, 64, 512, 512), {product(128, 512, 512)}) == "128,128 64,64 256,512");
    // L0B: 128 x 512 x 2; L0A is fine
    CHECK(fitted(tile(64, 64, 128, 256, 512, 512), {product(256, 1024, 512)}) == "64,64 64,256 512,512");
    // L1 of B: 1.75 MB. By the K table 256, and a tiny kL0 grows with it.
    CHECK(fitted(tile(16, 16, 16, 7168, 128, 128), {product(16, 7168, 1024)}) == "16,16 256,256 128,128");
    CHECK(fitted(tile(16, 16, 16, 7168, 128, 128), {product(16, 7168, 1024)}, {.keep_k_l0 = true}) ==
          "16,16 16,256 128,128");
    // K not known: nothing is clipped
    CHECK(fitted(tile(128, 128, 64, 4096, 128, 128), {product({}, {}, {})}) == "128,128 64,256 128,128");
}

TEST_CASE(
    "an L0 number with few divisors gives way to one that costs about as little as any, not to its largest divisor") {
    // L0C: 128 x 272 x 4. Of 272 = 16 x 17 only 16 is a part: 68 columns of blocks in place of 5.
    CHECK(fitted(tile(128, 128, 64, 64, 272, 272), {product(1088, 512, 1088)}) == "128,128 64,64 256,256");
    CHECK(fitted(tile(272, 272, 64, 64, 128, 128), {product(1088, 512, 1088)}) == "256,256 64,64 128,128");
    CHECK(fitted(tile(128, 128, 64, 64, 304, 304), {product({}, {}, {})}) == "128,128 64,64 256,256");
    // One list changes rather than two, and an L1 number that is a multiple stays.
    CHECK(fitted(tile(128, 256, 64, 64, 512, 1024), {product(2048, 512, 2048)}) == "128,256 64,64 256,1024");
    // L0A and L0B: 256 x 272 x 2, kL0 first
    CHECK(fitted(tile(256, 256, 272, 272, 128, 128), {product(1024, 1088, 512)}) == "256,256 128,256 128,128");
    // The bias table: 304 x 4 bytes of 1,024
    Matmul biased = product(64, 256, 1216);
    biased.form.has_bias = true;
    CHECK(fitted(tile(64, 64, 64, 64, 304, 304), {biased}) == "64,64 64,64 256,256");
    // K = 16 x 67: no kL1 up to 512 but 16 divides it
    CHECK(fitted(tile(16, 16, 1072, 1072, 64, 64), {product(16, 1072, 64)}, {.bound_l1 = true}) ==
          "16,16 368,368 64,64");
    // Put in order: 1,040 and 1,072 have 16 in common
    CHECK(fitted(tile(16, 16, 1072, 1040, 16, 16), {product(16, 4288, 16)}) == "16,16 1040,1040 16,16");
}

TEST_CASE("no tile of the same shape is half as dear as the one that is proposed for L0") {
    std::mt19937 random(11);
    const auto pick = [&](std::int64_t most) {
        return 16 * std::uniform_int_distribution<std::int64_t>(1, most / 16)(random);
    };
    const auto cost = [](const CubeTile& t, const Matmul& m) {
        return hardware::cube_tile_operations(t, {.m = *m.extent.m, .k = *m.extent.k, .n = *m.extent.n});
    };
    int shrunk = 0;
    for (int i = 0; i < 200; ++i) {
        const std::int64_t m = pick(512), k = pick(512), n = pick(512);
        const std::vector matmuls{product(pick(2048), pick(2048), pick(2048))};
        const CubeTile from = tile(m, m, k, k, n, n);
        if (rewrites::takes_cube_tile(from, matmuls, kPools)) continue;
        const auto r = rewrites::nearest_cube_tile(from, matmuls, kPools);
        REQUIRE(r);
        ++shrunk;
        std::int64_t least = INT64_MAX;
        for (std::int64_t a = 16; a <= m; a += 16) {
            for (std::int64_t b = 16; b <= n; b += 16) {
                for (std::int64_t c = 16; c <= k; c += 16) {
                    const CubeTile other = tile(a, a, c, c, b, b);
                    if (rewrites::takes_cube_tile(other, matmuls, kPools))
                        least = std::min(least, cost(other, matmuls[0]));
                }
            }
        }
        INFO(fmt::format("{} {} {}: {} {} {}", m, k, n, r->m_l0, r->k_l0, r->n_l0));
        CHECK(cost(*r, matmuls[0]) <= 2 * least);
    }
    CHECK(shrunk > 50);
}

TEST_CASE("the K table bounds kL1 where that is asked for") {
    CHECK(fitted(tile(16, 16, 256, 1024, 16, 16), {product(16, 2048, 1024)}) == "16,16 256,1024 16,16");
    CHECK(fitted(tile(16, 16, 256, 1024, 16, 16), {product(16, 2048, 1024)}, {.bound_l1 = true}) ==
          "16,16 256,512 16,16");
    CHECK(hardware::longest_k_l1(1024) == 1024);
    CHECK(hardware::longest_k_l1(1025) == 512);
    CHECK(hardware::longest_k_l1(4096) == 512);
    CHECK(hardware::longest_k_l1(4097) == 256);
}

TEST_CASE("whatever the tile, the answer is legal, fits, and is its own answer") {
    std::mt19937 random(7);
    const auto pick = [&](std::initializer_list<std::int64_t> from) {
        return *(from.begin() + std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random));
    };
    int answers = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto number = [&] {
            return pick({0, 1, 8, 16, 24, 32, 36, 48, 64, 100, 128, 200, 256, 512, 576, 1024, 4096});
        };
        CubeTile from = tile(number(), number(), number(), number(), number(), number());
        const bool three = pick({0, 1}) != 0;
        if (three) from.k_b_l1 = number();
        std::vector<Matmul> matmuls;
        for (std::int64_t n = pick({1, 1, 2}); n > 0; --n) {
            matmuls.push_back(product(pick({1, 16, 20, 128, 256}), pick({13, 64, 200, 576, 1024, 4096, 7168}),
                                      pick({16, 48, 128, 512, 1000}),
                                      pick({0, 1, 2}) == 0 ? DType::int8 : DType::bf16));
            if (pick({0, 1, 2}) == 0) matmuls.back().form.has_bias = true;
        }
        const auto r = rewrites::nearest_cube_tile(from, matmuls, kPools, {.one_k_l1 = !three});
        if (!r) continue;
        ++answers;
        CHECK(rewrites::takes_cube_tile(*r, matmuls, kPools));
        CHECK(rewrites::nearest_cube_tile(*r, matmuls, kPools, {.one_k_l1 = !three}) == *r);
        if (!three) CHECK(r->k_a_l1 == r->k_b_l1);
    }
    CHECK(answers > 1600);
}
