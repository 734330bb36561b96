// What a kernel takes of the chip's memories under each of its tile settings, what it costs to compile, and what would
// fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hardware/soc.h"
#include "hardware/tile.h"
#include "trace/compile_cost.h"
#include "trace/trace.h"
#include "trace/workspace.h"

namespace ptofix::budget {

/// What the compiler counts: no less and no more. Two numbers where an extent is not known (the tile may be clipped to
/// it), or where a result may lie in the buffer of an operand that is not needed any more.
struct Bytes {
    std::int64_t least = 0, most = 0;
};

/// One operation in the text, with all of its copies: those that loops make of their bodies, and what takes the same.
struct OperationUse {
    trace::OpId op = trace::kNone;            // the first
    std::int64_t copies = 0;                  // in the compiler's graph; 0: it is left out
    std::optional<std::int64_t> tiles;        // of one copy
    std::int64_t tile_operations = 0;         // of all copies; where something is not known at least this
    std::vector<std::optional<Bytes>> bytes;  // by TileBudget::pools
};

/// One of the chip's memories, and the operation that takes most of it.
struct PoolUse {
    std::string_view name;  // "UB", "L0A", "L1 (B)"
    std::int64_t limit = 0;
    std::optional<Bytes> bytes;
    trace::OpId op = trace::kNone;
    bool overflows() const { return bytes && bytes->least > limit; }
    bool may_overflow() const { return bytes && bytes->most > limit; }
};

/// Another tile than the one that is set.
struct OtherTile {
    bool needed = false;      // the one that is set does not fit, or PyPTO refuses it
    bool to_be_sure = false;  // the one that is set may not fit
    std::vector<std::int64_t> vec;
    std::optional<hardware::CubeTile> cube;
    std::int64_t kernel_tile_operations = 0;  // what the kernel would come to
};

/// A tile call with the numbers that it set, and what ran under it in this kernel.
struct TileBudget {
    trace::TileId tile = trace::kNone;  // kNone: no tile was set
    bool is_cube = false;
    bool refused = false;  // PyPTO takes no such cube tile
    std::vector<PoolUse> pools;
    std::vector<OperationUse> operations;
    std::optional<OtherTile> other;
};

/// A device loop: each of its bodies becomes functions of their own.
struct LoopBudget {
    trace::LoopId loop = trace::kNone;
    std::int64_t copies = 1;   // of the body, that an unroll list makes
    std::int64_t body = 0;     // tile operations of one copy
    std::int64_t largest = 0;  // of the largest function in it
};

struct KernelBudget {
    trace::KernelId kernel = 0;
    std::int64_t tile_operations = 0;
    bool complete = true;      // false: at least this many
    std::int64_t largest = 0;  // of its largest function
    std::vector<LoopBudget> loops;
    std::vector<TileBudget> tiles;  // in the order in which they come into force
    trace::Workspace workspace;
};

/// The trace is given back as it was: what another tile would cost is counted by setting it for a moment.
std::vector<KernelBudget> budget_of(trace::Trace& trace, hardware::Soc soc);

}  // namespace ptofix::budget
