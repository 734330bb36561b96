#include "fixing/merge.h"

#include <algorithm>
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

/// The edits taken so far in one file, by range and text.
class TakenEdits {
  public:
    explicit TakenEdits(std::string_view text) : text_(text) {}

    bool has(const Edit& edit) const { return edits_.contains(edit); }
    void add(const Edit& edit) { edits_.insert(edit); }

    /// Can `edit` stand beside all that is taken?
    bool allows(const Edit& edit) const {
        if (edits_.contains(edit)) return !edit.is_insertion() || is_mergeable(edit);
        // Those that are taken do not overlap, so their ends ascend with their starts: look to both sides from here.
        auto at = edits_.lower_bound(Edit{{edit.range.start, 0}, {}});
        for (auto before = at; before != edits_.begin();) {
            --before;
            if (!stands_beside(edit, *before)) return false;
            if (!before->is_insertion()) break;
        }
        for (; at != edits_.end() && at->range.start <= edit.range.end; ++at) {
            if (!stands_beside(edit, *at)) return false;
        }
        return true;
    }

  private:
    bool is_mergeable(const Edit& insertion) const {
        return is_whole_lines(insertion, text_) || is_self_contained(insertion.text);
    }

    bool stands_beside(const Edit& a, const Edit& b) const {
        if (a.is_insertion() && b.is_insertion()) {
            return a.range != b.range || (is_mergeable(a) && is_mergeable(b));
        }
        return !a.range.overlaps(b.range);
    }

    std::string_view text_;
    std::set<Edit> edits_;
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
