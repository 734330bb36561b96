// Which memory of the cube core a tile overflows, for the matmuls under one tile call. Shared by the detectors of
// PTO106, PTO107 and PTO108: one tile that does not fit is one finding, in the memory that the compiler names first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hardware/soc.h"
#include "rules/finding.h"
#include "trace/matmul.h"

namespace ptofix::detectors {

enum class CubePool : std::uint8_t { l1_a, l1_b, l0b, l0a, l0c, bias_table, fixpipe_buffer };

struct CubeOverflow {
    CubePool pool = CubePool::l1_a;
    trace::TileId setting = trace::kNone;
    trace::Matmul matmul;
    hardware::CubeTile tile;
    std::int64_t bytes = 0, limit = 0;
    std::int64_t matmuls = 0;  // under this call that do not fit
    bool certain = false;      // it is compiled in any case
};

/// What is certain from the extents and types that are known. A tile that the compiler refuses for its numbers is none.
std::optional<CubeOverflow> cube_overflow(const trace::Trace& trace, const trace::CubeTileCall& call,
                                          const hardware::Pools& pools);

/// `id`: of the message, which finds bytes, limit, formula, operands, compiler, m, k, n and matmuls in its data.
rules::Finding cube_overflow_finding(const trace::Trace& trace, const trace::CubeTileCall& call,
                                     const CubeOverflow& overflow, std::string_view rule, std::string_view id);

/// A tile that fits, under which a matmul takes more of K into L1 at once than the K table of the experience notes has.
struct LongK {
    trace::TileId setting = trace::kNone;
    trace::Matmul matmul;
    hardware::CubeTile tile;
    std::int64_t k_l1 = 0, k = 0, table = 0;
};
/// A level of L1 that is long by itself, and K goes on behind it.
bool is_one_long_level(const LongK& found);
std::optional<LongK> long_k(const trace::Trace& trace, const trace::CubeTileCall& call, const hardware::Pools& pools);
rules::Finding long_k_finding(const trace::Trace& trace, const trace::CubeTileCall& call, const LongK& found,
                              std::string_view rule, std::string_view id);

}  // namespace ptofix::detectors
