#pragma once

// An edit replaces a range of bytes by a text; a set of edits on one text is checked and sorted once, then applied and
// used to carry offsets from the old text to the new. Rewriters make edits, the fixing engine and editors apply them.

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/range.h"

namespace ptofix::text {

struct Edit {
    Range range;
    std::string text;

    bool is_insertion() const { return range.empty(); }
    /// True when applying it leaves `original` as it is.
    bool is_identity_on(std::string_view original) const;

    friend auto operator<=>(const Edit&, const Edit&) = default;
};

/// Where an offset goes that lies within a replaced range or at the point of an insertion: before or after the new
/// text.
enum class Side { before, after };

struct EditError {
    enum class Kind { reversed_range, beyond_end, overlap };
    Kind kind = Kind::overlap;
    Edit edit;   ///< the one that was refused
    Edit other;  ///< for overlap: the one before it
};

/// Edits of one text in the order of their ranges, none overlapping. Insertions at one point keep the order in which
/// they were given, and come before a replacement that starts there.
class Edits {
  public:
    Edits() = default;

    /// `text_size` is that of the text they apply to, in bytes.
    static std::expected<Edits, EditError> make(std::vector<Edit> edits, std::size_t text_size);

    std::span<const Edit> items() const { return edits_; }
    bool empty() const { return edits_.empty(); }
    std::size_t size() const { return edits_.size(); }

    std::string apply(std::string_view original) const;

    /// The offset in the new text of an offset in the old one.
    std::uint32_t map_offset(std::uint32_t offset, Side side) const;
    /// The new place of an old range: text inserted at its two ends stays outside. A range that was replaced as a whole
    /// becomes the range of its replacement.
    Range map_range(Range range) const;

    friend bool operator==(const Edits&, const Edits&) = default;

  private:
    std::vector<Edit> edits_;
};

/// Applies edits that are already sorted and do not overlap, as Edits::items() gives them.
std::string apply(std::string_view original, std::span<const Edit> sorted_edits);

}  // namespace ptofix::text
