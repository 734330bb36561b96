#include "hardware/tile.h"

#include <catch2/catch.hpp>
#include <vector>

#include "hardware/soc.h"

namespace {

using ptofix::hardware::ceil_div;
using ptofix::hardware::cube_tile_bytes;
using ptofix::hardware::DType;
using ptofix::hardware::pools;
using ptofix::hardware::Pools;
using ptofix::hardware::round_up;
using ptofix::hardware::Soc;
using ptofix::hardware::vec_tile_bytes;
using ptofix::hardware::vec_tile_count;

using Sizes = std::vector<std::int64_t>;

std::int64_t vec(const Sizes& tile, const Sizes& shape, DType dtype) {
    return vec_tile_bytes(tile, shape, dtype).value();
}

const Pools& chip = pools(Soc::a2a3);
const Sizes kWide{128, 512};

}  // namespace

// The expected numbers are those of the compiler's own messages.

TEST_CASE("a cast from BF16 to FP32 fills UB exactly at a tile of (64, 512)") {
    const auto cast = [](const Sizes& tile) {
        return vec(tile, {1024, 512}, DType::bf16) + vec(tile, {1024, 512}, DType::fp32);
    };
    CHECK(cast({64, 512}) == chip.ub);
    CHECK(cast({80, 512}) == 245760);
    CHECK(vec({128, 512}, {1024, 512}, DType::fp32) == 262144);
}

TEST_CASE("an operand and a result in FP32 overflow UB at a tile of (64, 512) and fit at (32, 512)") {
    const auto two = [](const Sizes& tile) { return 2 * vec(tile, {1024, 512}, DType::fp32); };
    CHECK(two({64, 512}) == 262144);
    CHECK(two({32, 512}) <= chip.ub);
}

TEST_CASE("a tile is clipped by the tensor") {
    CHECK(vec({128, 128}, {1, 512}, DType::fp32) == 512);
    CHECK(vec({128, 512}, {4, 96}, DType::bf16) == 768);
}

TEST_CASE("the last axis is padded to 32 bytes") {
    CHECK(vec({16, 6}, {16, 6}, DType::fp32) == 16L * 32);
    CHECK(vec({4, 10}, {4, 10}, DType::fp16) == 4L * 32);
    CHECK(vec({4, 10}, {4, 1}, DType::int8) == 4L * 32);
    CHECK(vec({4, 3}, {4, 3}, DType::int64) == 4L * 32);
    CHECK(vec({4, 64}, {4, 64}, DType::int4) == 4L * 32);
}

TEST_CASE("surplus axes of a tile are ignored, the first ones count") {
    CHECK(vec({1, 4, 256}, {512, 256}, DType::fp32) == 32);
    CHECK(vec_tile_count(Sizes{1, 4, 256}, Sizes{512, 256}) == 512L * 64);
    CHECK(vec_tile_count(Sizes{16, 256}, Sizes{512, 256}) == 32);
    CHECK(vec_tile_count(Sizes{1, 64}, Sizes{1024, 3072}) == 49152);
}

TEST_CASE("a tile that says nothing about the shape has no size") {
    CHECK_FALSE(vec_tile_bytes(Sizes{128}, kWide, DType::fp32));
    CHECK_FALSE(vec_tile_bytes(Sizes{4, 0}, kWide, DType::fp32));
    CHECK_FALSE(vec_tile_bytes(Sizes{4, -8}, kWide, DType::fp32));
    CHECK_FALSE(vec_tile_bytes(Sizes{4, 8}, Sizes{-1, 8}, DType::fp32));
    CHECK_FALSE(vec_tile_bytes(Sizes{4, 8}, Sizes{}, DType::fp32));
    CHECK_FALSE(vec_tile_bytes(Sizes{4, 8}, kWide, DType::unknown));
    CHECK_FALSE(vec_tile_count(Sizes{}, kWide));
}

TEST_CASE("sizes beyond 64 bits saturate") {
    const std::int64_t huge = INT64_MAX - 1;
    CHECK(vec_tile_bytes(Sizes{huge, huge}, Sizes{huge, huge}, DType::fp32) == INT64_MAX);
    CHECK(vec_tile_count(Sizes{1, 1}, Sizes{huge, huge}) == INT64_MAX);
    CHECK(cube_tile_bytes({huge, huge, huge, huge, huge, huge, huge}, {}, DType::fp32, DType::fp32)->l0c == INT64_MAX);
}

TEST_CASE("L0C holds 4 bytes an element whatever the operands are") {
    const auto over = cube_tile_bytes({128, 128, 64, 64, 64, 512, 512}, {}, DType::bf16, DType::bf16);
    CHECK(over->l0c == 262144);
    CHECK(over->l0c > chip.l0c);
    CHECK(cube_tile_bytes({128, 128, 64, 64, 64, 256, 256}, {}, DType::bf16, DType::bf16)->l0c == chip.l0c);
}

TEST_CASE("L0A and L0B hold the operand tiles") {
    CHECK(cube_tile_bytes({256, 256, 256, 256, 256, 64, 64}, {}, DType::bf16, DType::bf16)->l0a == 131072);
    CHECK(cube_tile_bytes({128, 128, 256, 256, 256, 64, 64}, {}, DType::bf16, DType::bf16)->l0a == chip.l0a);
    CHECK(cube_tile_bytes({64, 64, 256, 256, 256, 128, 128}, {}, DType::fp32, DType::fp32)->l0b == 131072);
    CHECK(cube_tile_bytes({64, 64, 256, 256, 256, 16, 16}, {}, DType::fp32, DType::fp32)->l0b == 16384);
}

TEST_CASE("L1 holds mL0 x kL1 of A and nL0 x kL1 of B, each on its own") {
    const auto over = cube_tile_bytes({128, 128, 64, 4096, 4096, 128, 128}, {}, DType::bf16, DType::bf16);
    CHECK(over->l1_a == 1048576);
    CHECK(over->l1_b == 1048576);
    const auto full = cube_tile_bytes({128, 128, 64, 2048, 2048, 128, 128}, {}, DType::bf16, DType::bf16);
    CHECK(full->l1_a == chip.l1);
    CHECK(full->l1_b == chip.l1);
    // mL1 takes no memory
    CHECK(cube_tile_bytes({128, 1024, 128, 512, 512, 128, 128}, {}, DType::bf16, DType::bf16)->l1_a == 131072);
    // M 16, K 7168, N 1024 under k = [16, 7168], n = [128, 128]
    CHECK(cube_tile_bytes({16, 16, 16, 7168, 7168, 128, 128}, {16, 7168, 1024}, DType::bf16, DType::bf16)->l1_b ==
          1835008);
    // separate L1 tiles of k for A and B
    const auto split = cube_tile_bytes({64, 64, 64, 128, 512, 64, 64}, {}, DType::bf16, DType::bf16);
    CHECK(split->l1_a == 64L * 128 * 2);
    CHECK(split->l1_b == 64L * 512 * 2);
}

TEST_CASE("cube tiles are clipped by the extents that are known, then padded") {
    const auto clipped = cube_tile_bytes({128, 128, 256, 256, 256, 256, 256}, {3, 100, 24}, DType::bf16, DType::bf16);
    CHECK(clipped->l0a == 16L * 112 * 2);
    CHECK(clipped->l0b == 112L * 32 * 2);
    CHECK(clipped->l0c == 16L * 32 * 4);
    const auto bytes = cube_tile_bytes({8, 8, 64, 64, 64, 16, 16}, {}, DType::int8, DType::int8);
    CHECK(bytes->l0a == 32L * 64);
    CHECK(bytes->l0b == 64L * 32);
    CHECK(bytes->l0c == 16L * 16 * 4);
    CHECK(cube_tile_bytes({8, 8, 64, 64, 64, 16, 16}, {}, DType::fp4_e2m1, DType::fp4_e2m1)->l0a == 64L * 64 / 2);
}

TEST_CASE("a bias of 256 columns fills the bias table, scales of 256 columns the fixpipe buffer") {
    const auto full = cube_tile_bytes({16, 16, 64, 64, 64, 256, 256}, {}, DType::bf16, DType::bf16);
    CHECK(full->bias_table == chip.bt);
    CHECK(full->fixpipe_buffer == chip.fb);
    CHECK(cube_tile_bytes({16, 16, 64, 64, 64, 272, 272}, {}, DType::bf16, DType::bf16)->bias_table > chip.bt);
}

TEST_CASE("a cube tile that is not positive has no size") {
    CHECK_FALSE(cube_tile_bytes({}, {}, DType::bf16, DType::bf16));
    CHECK_FALSE(cube_tile_bytes({16, 16, 16, 16, 16, 16, 16}, {}, DType::unknown, DType::bf16));
    CHECK_FALSE(cube_tile_bytes({16, 16, 16, 16, 16, 16, 16}, {0, 1, 1}, DType::bf16, DType::bf16));
    CHECK(round_up(17, 16) == 32);
    CHECK(ceil_div(16, 16) == 1);
}
