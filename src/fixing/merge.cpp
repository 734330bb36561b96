#include "fixing/merge.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>

namespace ptofix::fixing {

namespace {

using text::Edit;
using text::Range;

/// The bytes from a fix's first edit to its last one in its first file.
Range extent(const Candidate& candidate) {
    Range whole = candidate.edits.front().edit.range;
    for (const PlacedEdit& placed : candidate.edits) {
        if (placed.file == candidate.edits.front().file) whole.end = std::max(whole.end, placed.edit.range.end);
    }
    return whole;
}

/// May stand before or after another insertion at its point without changing what that one means: it opens nothing that
/// it does not close. "f(" of a wrapped call is not so.
bool is_self_contained(std::string_view text) {
    constexpr std::string_view kOpen = "([{", kClose = ")]}";
    std::vector<char> open;
    for (const char c : text) {
        if (const auto at = kOpen.find(c); at != std::string_view::npos) open.push_back(kClose[at]);
        if (kClose.find(c) == std::string_view::npos) continue;
        if (open.empty() || open.back() != c) return false;
        open.pop_back();
    }
    return open.empty();
}

bool is_line_start(std::string_view text, std::uint32_t at) {
    return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}

/// Whole lines put in at the start of a line.
bool is_whole_lines(const Edit& edit, std::string_view text) {
    return is_line_start(text, edit.range.start) && (edit.text.ends_with('\n') || edit.text.ends_with('\r'));
}

/// The edits taken so far in one file. Each question is answered by looking at its neighbours, however many there are.
class TakenEdits {
  public:
    explicit TakenEdits(std::string_view text) : text_(text) {}

    bool has(const Edit& edit) const { return set_of(edit).contains(edit); }
    void add(const Edit& edit) { (edit.is_insertion() ? insertions_ : replacements_).insert(edit); }

    /// Can `edit` stand beside all that is taken?
    bool allows(const Edit& edit) const {
        if (edit.is_insertion()) return !is_inside_replacement(edit.range.start) && fits_insertions(edit);
        if (replacements_.contains(edit)) return true;
        const auto after = replacements_.lower_bound(Edit{{edit.range.start, 0}, {}});
        if (after != replacements_.end() && after->range.overlaps(edit.range)) return false;
        // Replacements do not overlap each other: of those before only the last one can reach this far.
        if (after != replacements_.begin() && std::prev(after)->range.overlaps(edit.range)) return false;
        const auto inner = insertions_.lower_bound(Edit{{edit.range.start + 1, 0}, {}});
        return inner == insertions_.end() || inner->range.start >= edit.range.end;
    }

  private:
    const std::set<Edit>& set_of(const Edit& edit) const { return edit.is_insertion() ? insertions_ : replacements_; }

    bool is_mergeable(const Edit& insertion) const {
        return is_whole_lines(insertion, text_) || is_self_contained(insertion.text);
    }

    bool is_inside_replacement(std::uint32_t at) const {
        const auto after = replacements_.lower_bound(Edit{{at, 0}, {}});
        return after != replacements_.begin() && std::prev(after)->range.end > at;
    }

    bool fits_insertions(const Edit& edit) const {
        auto at = insertions_.lower_bound(Edit{edit.range, {}});
        if (at == insertions_.end() || at->range != edit.range) return true;
        if (!is_mergeable(edit)) return false;
        for (; at != insertions_.end() && at->range == edit.range; ++at) {
            if (!is_mergeable(*at)) return false;
        }
        return true;
    }

    std::string_view text_;
    std::set<Edit> insertions_, replacements_;
};

}  // namespace

bool goes_before(const Candidate& a, const Candidate& b) {
    const Range left = extent(a), right = extent(b);
    const FileIndex left_file = a.edits.front().file, right_file = b.edits.front().file;
    const auto key = [](const Candidate& c, FileIndex file, Range range) {
        return std::tuple(c.priority, file, range.start, ~range.size(), c.rule);
    };
    const auto left_key = key(a, left_file, left), right_key = key(b, right_file, right);
    if (left_key != right_key) return left_key < right_key;
    return std::tie(a.edits, a.isolation) < std::tie(b.edits, b.isolation);
}

Merged merge(std::span<const Candidate> candidates, std::span<const std::string_view> texts) {
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return goes_before(candidates[a], candidates[b]); });

    Merged merged;
    std::vector<TakenEdits> taken;
    taken.reserve(texts.size());
    for (const std::string_view text : texts) taken.emplace_back(text);
    std::map<std::string_view, std::size_t> groups;  // isolation key -> who holds it

    for (const std::size_t index : order) {
        const Candidate& candidate = candidates[index];
        const auto has = [&](const PlacedEdit& placed) { return taken[placed.file].has(placed.edit); };
        const auto allows = [&](const PlacedEdit& placed) { return taken[placed.file].allows(placed.edit); };
        // A fix that is there already as a whole comes along with the one that brought it.
        const bool is_there = std::ranges::all_of(candidate.edits, has);
        const bool shut_out = !candidate.isolation.empty() && groups.contains(candidate.isolation);
        if (!is_there && (shut_out || !std::ranges::all_of(candidate.edits, allows))) {
            merged.deferred.push_back(index);
            continue;
        }
        if (!candidate.isolation.empty()) groups.emplace(candidate.isolation, index);
        for (const PlacedEdit& placed : candidate.edits) taken[placed.file].add(placed.edit);
        merged.accepted.push_back(index);
    }
    return merged;
}

std::map<FileIndex, std::vector<Edit>> edits_of(std::span<const Candidate> candidates,
                                                std::span<const std::size_t> accepted) {
    std::map<FileIndex, std::vector<Edit>> result;
    std::set<PlacedEdit> seen;
    for (const std::size_t index : accepted) {
        // What one fix inserts twice at one point is meant twice; only other fixes' edits are repetitions.
        std::vector<PlacedEdit> fresh;
        for (const PlacedEdit& placed : candidates[index].edits) {
            if (seen.contains(placed)) continue;
            result[placed.file].push_back(placed.edit);
            fresh.push_back(placed);
        }
        seen.insert(fresh.begin(), fresh.end());
    }
    return result;
}

}  // namespace ptofix::fixing
