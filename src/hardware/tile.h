// What a tile takes on the chip, in bytes, by the arithmetic of PyPTO's own compiler: the buffers that its scheduler
// pass (OoOSchedule) holds against the pool sizes when it reports F40005. Pure functions of known numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hardware/dtype.h"

namespace ptofix::hardware {

/// Vector buffers are padded to whole blocks in their last axis (ubblock_size in the platform files).
inline constexpr std::int64_t kVectorBlockBytes = 32;
/// kL0 and nL0 must be multiples of this (cube_operation_impl.cpp, "must be aligned to 16 elements"), and both axes of
/// a matmul operand are padded to it (pad_local_buffer.cpp CUBE_PAD_VALUE).
inline constexpr std::int64_t kCubeAlign = 16;
/// The same padding for 8-bit and 4-bit operands (CUBE_PAD_B8_VALUE, CUBE_PAD_B4_VALUE).
inline constexpr std::int64_t kCubeAlign8Bit = 32;
inline constexpr std::int64_t kCubeAlign4Bit = 64;
/// kL0 and nL0 times the element size must be a multiple of this.
inline constexpr std::int64_t kCubeAlignBytes = 32;
/// Products accumulate in 4 bytes an element: FP32, or INT32 for INT8.
inline constexpr std::int64_t kAccumulatorBytes = 4;
/// A bias is held as FP32 or INT32 in the bias table, padded to 64 bytes (BT_PAD_BASE).
inline constexpr std::int64_t kBiasBytes = 4;
inline constexpr std::int64_t kBiasBlockBytes = 64;
/// A quantisation scale is held as UINT64 in the fixpipe buffer.
inline constexpr std::int64_t kScaleBytes = 8;

/// a x b and a + b, or INT64_MAX where that is too large.
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);
std::int64_t saturating_add(std::int64_t a, std::int64_t b);
/// value rounded up to a multiple of `to`; saturates.
std::int64_t round_up(std::int64_t value, std::int64_t to);
/// ceil(value / by) for positive numbers.
std::int64_t ceil_div(std::int64_t value, std::int64_t by);

/// Elements that both axes of a matmul operand of this type are padded to.
std::int64_t cube_align(DType dtype);

/// set_cube_tile_shapes(m=[l0, l1], k=[l0, a_l1, b_l1], n=[l0, l1]); with two k values b_l1 repeats a_l1.
struct CubeTile {
    std::int64_t m_l0 = 0, m_l1 = 0;
    std::int64_t k_l0 = 0, k_a_l1 = 0, k_b_l1 = 0;
    std::int64_t n_l0 = 0, n_l1 = 0;
    bool operator==(const CubeTile&) const = default;
};

/// The extent of one matmul (of one batch); an unknown extent clips nothing.
struct MatmulExtent {
    std::optional<std::int64_t> m, k, n;
    bool operator==(const MatmulExtent&) const = default;
};

/// Buffers of one step of a matmul. Each is held against its pool on its own: L1 for A and for B too.
struct CubeBytes {
    std::int64_t l0a = 0, l0b = 0, l0c = 0;
    std::int64_t l1_a = 0, l1_b = 0;
    std::int64_t bias_table = 0;      // what a bias would take
    std::int64_t fixpipe_buffer = 0;  // what a vector of scales would take
};

/// nullopt for tiles that are not positive or an unknown type. The L1 buffers are m_l0 x k_a_l1 and n_l0 x k_b_l1: m_l1
/// and n_l1 take no memory.
std::optional<CubeBytes> cube_tile_bytes(const CubeTile& tile, const MatmulExtent& extent, DType a, DType b);

/// How much of K should lie in L1 at once, by the table of the experience notes: K up to 1024, 512 up to 4096, 256
/// above.
std::int64_t longest_k_l1(std::int64_t k);

/// One operand or result of a vector operation under a vec tile: the tile's leading axes, clipped by the shape, the
/// last padded to a block. nullopt when the tile has fewer axes than the shape (the compiler refuses it), the shape has
/// none, or a number is not positive, or the type is unknown. Saturates.
std::optional<std::int64_t> vec_tile_bytes(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape,
                                           DType dtype);

/// How many tiles the compiler makes of a tensor of this shape: one operation each. Same nullopt as vec_tile_bytes.
std::optional<std::int64_t> vec_tile_count(std::span<const std::int64_t> tile, std::span<const std::int64_t> shape);

}  // namespace ptofix::hardware
