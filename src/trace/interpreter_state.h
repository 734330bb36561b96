// What the interpreter keeps of the loops, calls and try blocks that it is in, and of what it has learnt on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/heap.h"
#include "trace/symbols.h"
#include "trace/trace.h"
#include "trace/trail.h"
#include "trace/value.h"

namespace ptofix::trace {

struct ActiveLoop {
    LoopId id = kNone;
    Trail::Mark mark = 0;
    std::uint32_t start = 0;   // number of the latest object at its beginning
    std::uint32_t pass = 0;    // ... of this pass over the body
    bool wants_items = false;  // the body does things that only concrete indices make clear
    std::vector<Place> stale;  // names of which the body read a value older than the loop
    std::vector<Exit> breaks, continues;
};

struct CallFrame {
    const Function* function = nullptr;
    FrameId id = kNone;
    Scope* scope = nullptr;
    std::vector<Value> returns;
    bool yields = false;
    std::size_t loop_base = 0;  // loops_ below belong to callers
    Trail::Mark mark = 0;
    std::vector<Exit> exits;  // returns on some of the ways
    Value self;
};

struct TryFrame {
    Trail::Mark mark = 0;
    std::vector<Exit> raised;   // for sure
    std::vector<Exit> moments;  // in which something may have been raised
    std::uint64_t writes = 0;   // of the last moment
    bool risky = false;
    bool overrun = false;  // more moments than are kept
};

/// A dim that is known of a tensor of unknown rank.
struct PartialDim {
    TensorId tensor;  // of unknown rank
    std::int64_t axis;
    SymInt value;
};

/// What was learnt and does not hold for ever.
struct Fact {  // as it was before
    std::size_t frame;
    std::optional<Symbols::Fixing> symbol;
    const UnknownReason* narrowed = nullptr;
    TensorId tensor = kNoTensor;
    TensorType type;
};

}  // namespace ptofix::trace
