// What PyPTO asks of a cube tile before it compiles a matmul, apart from memory: alignment and the relation of L0 to
// L1. Source: CheckCubeTiling, CheckNZFormatAligned, CheckCMatrixNZFormatAligned, CheckMXMatmulOperands and
// SetMatmulTileInfo in the framework's framework/src/interface/operation/cube_operation_impl.cpp. Codes: F0000C
// (INVALID_TILE) since 9.2.0-beta.1, before that FC4000 (ERR_CONFIG_TILE) and FC4001 (ERR_CONFIG_ALIGNMENT), with the
// same texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hardware/dtype.h"
#include "hardware/tile.h"

namespace ptofix::hardware {

/// kL0 of scaled_mm must be a multiple of this.
inline constexpr std::int64_t kScaledAlign = 64;

/// What decides which tiles a matmul takes, beside its extent.
struct MatmulForm {
    DType a = DType::unknown, b = DType::unknown, out = DType::unknown;
    bool a_transposed = false, b_transposed = false;
    bool a_nz = false, b_nz = false, out_nz = false;
    bool scaled = false;              // scaled_mm
    bool checked_when_called = true;  // transposed_batchmatmul is looked at only when it is expanded
    bool has_bias = false, has_scales = false;
    bool operator==(const MatmulForm&) const = default;
};

enum class CubeFault : std::uint8_t {
    not_positive,    // one of the numbers is 0 or less
    l0_alignment,    // kL0 or nL0 is no multiple of 16
    relation,        // L0 > L1, or L1 no multiple of L0
    byte_alignment,  // kL0, nL0 or mL0 times the size of an element is no multiple of 32 bytes
    nz_alignment,    // what the NZ layout of an operand or of the result asks
    scaled_alignment,
    l1_ratio,  // kAL1 and kBL1 do not divide each other
};

struct CubeProblem {
    CubeFault fault = CubeFault::not_positive;
    char axis = 'k';   // of the tile: 'm', 'k' or 'n'
    std::string said;  // the compiler's own words
};

/// The first thing that the compiler would complain of, in its order. An element type that is not known passes.
std::optional<CubeProblem> cube_problem(const CubeTile& tile, const MatmulForm& form, const MatmulExtent& extent);

/// Multiples that the L0 numbers of a tile must be of. With an unknown type what every type takes.
struct CubeSteps {
    std::int64_t m = 1, k = kCubeAlign, n = kCubeAlign;
};
CubeSteps cube_steps(const MatmulForm& form);

}  // namespace ptofix::hardware
