// Which operations of a trace make a buffer, or a sum of buffers, of exactly the size that the compiler complained of:
// the back-computation from bytes to an operation, its line and its shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/log.h"
#include "hardware/soc.h"
#include "trace/trace.h"
#include "trace/tracer.h"

namespace ptofix::diagnose {

struct BufferMatch {
    trace::OpId op = trace::kNone;
    trace::TileId tile = trace::kNone;
    std::string step;  // as the compiler names it; of a matmul the buffer: "A", "B", "C"
    std::vector<std::int64_t> shape;
    hardware::DType dtype = hardware::DType::unknown;
    std::optional<trace::Assumption> with;  // what an open dim has to be for it
};

/// An operation that would make it under another vec tile, of which one or two numbers differ.
struct OtherTile {
    trace::OpId op = trace::kNone;
    std::vector<std::int64_t> tile;
    bool is_usual = false;  // numbers that fixes and people begin with: it may well be what the text had
};

struct BufferSearch {
    std::optional<OtherTile> other;    // looked for where nothing matches
    std::vector<BufferMatch> matches;  // one an operation in the text, by operation
    std::size_t unknown = 0;           // operations that may make it: a shape, a type or a tile is not known
};

/// `kernels`: only these, by name; empty: all.
BufferSearch find_buffers(const trace::Trace& trace, const PoolOverflow& overflow, hardware::Soc soc,
                          const std::vector<std::string>& kernels);

}  // namespace ptofix::diagnose
