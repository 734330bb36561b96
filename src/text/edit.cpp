#include "text/edit.h"

#include <algorithm>
#include <utility>

namespace ptofix::text {

bool Edit::is_identity_on(std::string_view original) const {
    return range.end <= original.size() && original.substr(range.start, range.size()) == text;
}

std::expected<Edits, EditError> Edits::make(std::vector<Edit> edits, std::size_t text_size) {
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.range < b.range; });
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Range range = edits[i].range;
        if (range.end < range.start) return std::unexpected(EditError{EditError::Kind::reversed_range, edits[i], {}});
        if (range.end > text_size) return std::unexpected(EditError{EditError::Kind::beyond_end, edits[i], {}});
        // Sorted by start, so the end of the one before is the furthest reached so far.
        if (i > 0 && range.start < edits[i - 1].range.end) {
            return std::unexpected(EditError{EditError::Kind::overlap, edits[i], edits[i - 1]});
        }
    }
    Edits result;
    result.edits_ = std::move(edits);
    return result;
}

std::string Edits::apply(std::string_view original) const {
    return text::apply(original, edits_);
}

std::uint32_t Edits::map_offset(std::uint32_t offset, Side side) const {
    std::uint32_t inserted = 0, removed = 0;
    for (const Edit& edit : edits_) {
        const auto size = static_cast<std::uint32_t>(edit.text.size());
        if (edit.range.start > offset) break;
        if (edit.is_insertion()) {
            if (edit.range.start == offset && side == Side::before) break;
        } else if (offset == edit.range.start) {
            break;  // before the replacement, whatever its text
        } else if (offset < edit.range.end) {
            return edit.range.start + inserted - removed + (side == Side::after ? size : 0);
        }
        inserted += size;
        removed += edit.range.size();
    }
    return offset + inserted - removed;
}

Range Edits::map_range(Range range) const {
    if (range.empty()) {
        const std::uint32_t at = map_offset(range.start, Side::before);
        return {at, at};
    }
    const std::uint32_t start = map_offset(range.start, Side::after);
    const std::uint32_t end = map_offset(range.end, Side::before);
    return {start, std::max(start, end)};
}

std::string apply(std::string_view original, std::span<const Edit> sorted_edits) {
    std::size_t size = original.size();
    for (const Edit& edit : sorted_edits) size += edit.text.size();
    std::string result;
    result.reserve(size);
    std::size_t at = 0;
    for (const Edit& edit : sorted_edits) {
        result.append(original, at, edit.range.start - at);
        result.append(edit.text);
        at = edit.range.end;
    }
    result.append(original, at);
    return result;
}

}  // namespace ptofix::text
