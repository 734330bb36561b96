// What a detector proved, for the rewriter of its rule: indices into the trace that the finding came from, and the
// numbers it computed. One struct for each kind of finding. A rewriter trusts them and detects nothing itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace ptofix::rules {

/// PTO201: a Python loop that copies its body into the graph.
struct PythonLoopEvidence {
    std::uint32_t loop = 0;                       // Trace::loops
    std::uint32_t kernel = 0;                     // Trace::kernels
    std::int64_t trips = 0;                       // of this loop
    std::int64_t copies = 0;                      // trips of this loop and the Python loops around it
    std::int64_t nodes = 0;                       // copies x (10 per matmul + 1 per other operation)
    std::optional<std::int64_t> tile_operations;  // estimate as written
    std::vector<std::uint32_t> found_before;  // loops of findings earlier in the text of this kernel: names must differ
};

/// How many tile operations of one loop, all copies counted, compile in the time that a person waits: above it the time
/// grows faster than the number (measured on the framework's compiler: 12,600 took 25 s, 25,000 took 114 s).
inline constexpr std::int64_t kCompileBudget = 20'000;

/// tiles x (1 + tensor operands) of one operation: the framework's documented limit, beyond which compiling hangs.
inline constexpr std::int64_t kMostTileOperations = 18'000;

/// PTO202: an unroll list with a jump.
struct UnrollJumpEvidence {
    std::uint32_t loop = 0;
    std::uint32_t kernel = 0;
    std::vector<std::int64_t> list;                    // as the framework sees it: descending, unique, with 1
    std::int64_t maximum = 0;                          // of the values that are not above the known number of trips
    std::vector<std::int64_t> proposed;                // the progressive list, within the budget; {1}: nothing fits
    std::optional<std::int64_t> body_tile_operations;  // of one copy of the body; at least, where something is unknown
    std::vector<std::uint32_t> same_list;  // the loops of the trace that take this very list, this one among them
};

/// PTO102: a compile log says that UB overflows, and no single operation of this unrolled loop needs so much.
struct UnrollSumEvidence {
    std::uint32_t loop = 0;
    std::uint32_t kernel = 0;
    std::vector<std::int64_t> list;      // as the framework sees it: descending, unique, with 1
    std::vector<std::int64_t> proposed;  // its small levels
    std::vector<std::uint32_t>
        same_list;  // the loops of the kernel's file that take this very list, this one among them
};

/// PTO203: one large unroll factor over a heavy body.
struct UnrollBodyEvidence {
    std::uint32_t loop = 0;
    std::uint32_t kernel = 0;
    std::int64_t factor = 0;
    std::optional<std::int64_t> body_tile_operations;  // of one copy
    std::vector<std::uint32_t> same_list;  // the loops that take this very list and are as heavy, this one among them
};

/// PTO205: a stitch number that makes a heavy compile heavier.
struct StitchEvidence {
    std::uint32_t kernel = 0;
    std::int64_t value = 0;
    std::int64_t proposed = 0;
    std::uint16_t value_file = 0;  // where the number is written
    std::uint32_t value_node = 0;
    std::vector<std::string_view> companions;  // rule ids found in the same kernel
    std::vector<std::uint32_t> same_number;    // kernels of the trace that take this very number and have company too
    std::optional<std::uint32_t> content;      // one that takes it and has none
};

/// PTO207: a cast chain of a kernel parameter that every iteration repeats.
struct WeightCastEvidence {
    std::uint32_t kernel = 0;
    std::uint32_t loop = 0;
    std::vector<std::uint32_t> chain;  // cast operations in order, Trace::operations
    std::uint32_t parameter = 0;       // index in KernelTrace::parameters
    std::optional<std::int64_t> elements;
};

/// PTO204: unroll copies over tiles of one row.
struct ThinTileEvidence {
    std::uint32_t loop = 0;
    std::uint32_t kernel = 0;
    std::vector<std::uint32_t> settings;   // Trace::tiles whose first axis is 1 and need not be
    std::vector<std::uint32_t> same_list;  // the loops that take this very list and have thin tiles too
    std::int64_t first_axis = 0;           // proposed; at most, within UB
    std::int64_t tile_operations = 0;      // of the loop, all copies
};

/// PTO206: one operation in more tiles than compile.
struct TileCountEvidence {
    std::uint32_t kernel = 0;
    std::uint32_t operation = 0;
    std::uint32_t setting = 0;  // Trace::tiles
    std::int64_t tiles = 0;
    std::int64_t inputs = 0;
};

/// PTO208: more functions in a task than there is memory for.
struct WorkspaceEvidence {
    StitchEvidence number;
    bool is_default = false;          // nothing is written
    std::int64_t bytes = 0;           // of the workspace, at least
    std::int64_t proposed_bytes = 0;  // with the proposed number
    std::int64_t least_bytes = 0;     // with one function in a task
};

/// PTO209: what a kernel costs to compile.
struct CompileCostEvidence {
    std::uint32_t kernel = 0;
    std::int64_t total = 0;         // tile operations
    std::int64_t largest_body = 0;  // in one function of one loop
    bool complete = true;           // false: both are lower bounds
};

/// PTO104: a batched matmul whose result is consumed with more heads at once than fit UB.
struct HeadGroupEvidence {
    std::uint32_t kernel = 0;
    std::uint32_t matmul = 0;                       // operation
    std::uint32_t consumer = 0;                     // the vector operation that does not fit
    std::int32_t head_axis = 0;                     // of the matmul's result
    std::int64_t heads = 0, rows = 0, columns = 0;  // rows 0: not known
    std::int64_t bytes = 0, limit = 0;
    std::vector<HeadGroupEvidence> found_before;  // earlier in the text of this kernel: names must differ
};

/// PTO101: a vec tile under which an operation needs more than UB.
struct VecTileEvidence {
    std::uint32_t setting = 0;    // Trace::tiles
    std::uint32_t operation = 0;  // the worst one
    bool shape_known = true;
};

/// PTO105: a matmul of INT8 tensors that were cast to FP32 first.
struct Int8MatmulEvidence {
    std::uint32_t kernel = 0;
    std::uint32_t matmul = 0;                     // operation
    std::vector<std::uint32_t> a_casts, b_casts;  // from the INT8 tensor on
    std::optional<std::int64_t> k;
};

/// PTO103, PTO106, PTO107, PTO108: a cube tile that its matmuls cannot have, or one that they had better not have.
struct CubeTileEvidence {
    std::uint32_t setting = 0;  // Trace::tiles
    std::uint32_t matmul = 0;   // an operation under it that shows it; for lists of a wrong length any
};

/// PTO301: a number of a vec tile that must be a multiple of another one.
struct TileTailEvidence {
    std::uint32_t setting = 0;    // Trace::tiles
    std::uint32_t operation = 0;  // that asks for it
    std::uint32_t axis = 0;       // of the tile
    std::int64_t multiple = 1;
    bool refused = true;  // else the compiler pads
};

/// PTO302, PTO303: an operation under a vec tile of another number of axes, or under none.
struct TileRankEvidence {
    std::uint32_t operation = 0;  // the first of them
    std::uint32_t axes = 0;       // that its tile should have
    bool refused = true;          // else surplus axes multiply the tiles
};

using Evidence =
    std::variant<std::monostate, PythonLoopEvidence, UnrollJumpEvidence, StitchEvidence, WeightCastEvidence,
                 HeadGroupEvidence, VecTileEvidence, Int8MatmulEvidence, CubeTileEvidence, UnrollBodyEvidence,
                 CompileCostEvidence, ThinTileEvidence, TileCountEvidence, WorkspaceEvidence, TileTailEvidence,
                 TileRankEvidence, UnrollSumEvidence>;

}  // namespace ptofix::rules
