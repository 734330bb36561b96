#pragma once

// A half-open range of bytes [start, end) of a Source's text. Every span in the program, from syntax nodes to edits and
// findings, is one of these; lines and columns are computed from it only where something is shown.

#include <compare>
#include <cstdint>

namespace ptofix::text {

struct Range {
    std::uint32_t start = 0;
    std::uint32_t end = 0;

    constexpr std::uint32_t size() const { return end - start; }
    constexpr bool empty() const { return start == end; }

    /// True for a range within this one; equal ends count as within, so a range contains itself.
    constexpr bool contains(Range other) const { return start <= other.start && other.end <= end; }

    /// True for the offset of a byte of this range; the end is not one of its bytes.
    constexpr bool contains(std::uint32_t offset) const { return start <= offset && offset < end; }

    /// True overlap. Ranges that touch do not overlap, nor do two empty ranges at one point; an empty range strictly
    /// inside another does.
    constexpr bool overlaps(Range other) const { return start < other.end && other.start < end; }

    friend constexpr auto operator<=>(const Range&, const Range&) = default;
};

}  // namespace ptofix::text
