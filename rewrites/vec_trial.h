// Would a vec tile hold what runs under it? What the search for a smaller tile and that for a larger one ask.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hardware/soc.h"
#include "trace/trace.h"
#include "trace/vector_buffers.h"

namespace ptofix::rewrites {

/// Bytes: the experience notes ask for tiles of 16 to 64 KB.
inline constexpr std::int64_t kLargestBuffer = 65536;

class VecTrial {
  public:
    /// `operations`: those under the tile. All arguments outlive the trial.
    VecTrial(const trace::Trace& trace, const trace::VectorMemory& memory, std::span<const trace::OpId> operations,
             const hardware::Pools& pools, std::int64_t largest_buffer = kLargestBuffer)
        : trace_(trace), memory_(memory), operations_(operations), pools_(pools), largest_buffer_(largest_buffer) {}

    /// Do the buffers of every operation fit UB, none of them over what is allowed for one? An extent that is not known
    /// clips nothing.
    bool fits(std::span<const std::int64_t> tile) const;
    /// Bytes of UB that the operation may take at most; 0 where that is not known.
    std::int64_t bytes(trace::OpId operation, std::span<const std::int64_t> tile) const;
    /// The longest extent that a tensor has along the axis: 0 where none reaches it, nullopt where one is not known.
    std::optional<std::int64_t> longest(std::size_t axis) const;
    /// Is the dtype of every tensor known?
    bool is_typed() const;

  private:
    std::vector<std::int64_t> extents(trace::TensorId tensor, std::span<const std::int64_t> tile) const;

    const trace::Trace& trace_;
    const trace::VectorMemory& memory_;
    const std::span<const trace::OpId> operations_;
    const hardware::Pools& pools_;
    const std::int64_t largest_buffer_;
};

/// What the operation reads and makes.
std::vector<trace::TensorId> tensors_of(const trace::Trace& trace, const trace::Operation& op);

}  // namespace ptofix::rewrites
