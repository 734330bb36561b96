// A half-open byte range of a text.
#pragma once

#include <compare>
#include <cstdint>

namespace ptofix::text {

struct Range {
    std::uint32_t start = 0, end = 0;

    std::uint32_t size() const { return end - start; }
    bool empty() const { return start == end; }
    bool contains(std::uint32_t offset) const { return start <= offset && offset < end; }
    bool contains(Range other) const { return start <= other.start && other.end <= end; }
    /// Touching is not overlapping, and an empty range overlaps only what it lies strictly inside of.
    bool overlaps(Range other) const { return start < other.end && other.start < end; }
    auto operator<=>(const Range&) const = default;
};

}  // namespace ptofix::text
