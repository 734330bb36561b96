#include "hardware/tile.h"

#include <algorithm>

namespace ptofix::hardware {
namespace {

constexpr std::int64_t kBitsOfByte = 8;

/// Positive element counts and known types only.
std::int64_t bytes_of(std::int64_t elements, DType dtype) {
    const std::int64_t bits = saturating_multiply(elements, bits_of(dtype));
    return bits == INT64_MAX ? bits : bits / kBitsOfByte;
}

std::int64_t clip(std::int64_t tile, std::optional<std::int64_t> extent) {
    return extent ? std::min(tile, *extent) : tile;
}

std::int64_t matrix_bytes(std::int64_t rows, std::int64_t columns, DType dtype) {
    const std::int64_t align = cube_align(dtype);
    return bytes_of(saturating_multiply(round_up(rows, align), round_up(columns, align)), dtype);
}

bool usable(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape) {
    const auto positive = [](std::int64_t v) { return v > 0; };
    return !shape.empty() && tile.size() >= shape.size() && std::ranges::all_of(shape, positive) &&
           std::ranges::all_of(tile.first(shape.size()), positive);
}

}  // namespace

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

std::int64_t ceil_div(std::int64_t value, std::int64_t by) {
    return value / by + (value % by != 0);
}

std::int64_t round_up(std::int64_t value, std::int64_t to) {
    return saturating_multiply(ceil_div(value, to), to);
}

std::int64_t cube_align(DType dtype) {
    switch (bits_of(dtype)) {
        case 4:
            return kCubeAlign4Bit;
        case 8:
            // two packed 4-bit numbers count as a 4-bit operand
            return dtype == DType::fp4_e2m1x2 || dtype == DType::fp4_e1m2x2 ? kCubeAlign4Bit : kCubeAlign8Bit;
        default:
            return kCubeAlign;
    }
}

std::optional<CubeBytes> cube_tile_bytes(const CubeTile& tile, const MatmulExtent& extent, DType a, DType b) {
    if (a == DType::unknown || b == DType::unknown) return {};
    for (const std::int64_t v : {tile.m_l0, tile.k_l0, tile.k_a_l1, tile.k_b_l1, tile.n_l0}) {
        if (v <= 0) return {};
    }
    for (const auto& v : {extent.m, extent.k, extent.n}) {
        if (v && *v <= 0) return {};
    }
    const std::int64_t m = clip(tile.m_l0, extent.m), n = clip(tile.n_l0, extent.n), k = clip(tile.k_l0, extent.k);
    CubeBytes r;
    r.l0a = matrix_bytes(m, k, a);
    r.l0b = matrix_bytes(k, n, b);
    r.l0c =
        saturating_multiply(saturating_multiply(round_up(m, kCubeAlign), round_up(n, kCubeAlign)), kAccumulatorBytes);
    r.l1_a = matrix_bytes(m, clip(tile.k_a_l1, extent.k), a);
    r.l1_b = matrix_bytes(clip(tile.k_b_l1, extent.k), n, b);
    r.bias_table = saturating_multiply(round_up(n, kBiasBlockBytes / kBiasBytes), kBiasBytes);
    r.fixpipe_buffer = saturating_multiply(round_up(n, kCubeAlign), kScaleBytes);
    return r;
}

std::int64_t longest_k_l1(std::int64_t k) {
    constexpr std::int64_t kShort = 1024, kLong = 4096;
    constexpr std::int64_t kMiddle = 512, kLeast = 256;
    return k <= kShort ? k : k <= kLong ? kMiddle : kLeast;
}

std::optional<std::int64_t> vec_tile_bytes(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape,
                                           DType dtype) {
    if (dtype == DType::unknown || !usable(tile, shape)) return {};
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        std::int64_t size = std::min(tile[i], shape[i]);
        if (i + 1 == shape.size()) size = round_up(size, kVectorBlockBytes / size_of(dtype));
        elements = saturating_multiply(elements, size);
    }
    return bytes_of(elements, dtype);
}

std::optional<std::int64_t> vec_tile_count(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape) {
    if (!usable(tile, shape)) return {};
    std::int64_t count = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) count = saturating_multiply(count, ceil_div(shape[i], tile[i]));
    return count;
}

}  // namespace ptofix::hardware
