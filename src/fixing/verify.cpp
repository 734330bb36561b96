#include "fixing/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fixing/broken_code.h"
#include "fixing/suppressions.h"

namespace ptofix::fixing {

namespace {

using syntax::Kind;
using syntax::Node;
using syntax::NodeId;
using text::Range;

/// The tokens of a tree in order; the inside of a string and a comment count as one token each.
class Tokens {
  public:
    explicit Tokens(const syntax::Tree& tree) {
        for (NodeId id = 0; id < tree.nodes().size();) {
            const Node& node = tree[id];
            const bool atom = node.kind == Kind::string_content || node.kind == Kind::comment;
            const bool leaf = node.subtree_end == id + 1;
            if ((atom || leaf) && node.end > node.start) ranges_.push_back({node.start, node.end});
            id = atom ? node.subtree_end : id + 1;
        }
    }

    /// The token that has bytes on both sides of `at`, or null.
    const Range* across(std::uint32_t at) const {
        const auto after = std::partition_point(ranges_.begin(), ranges_.end(), [&](Range r) { return r.end <= at; });
        return after != ranges_.end() && after->start < at ? &*after : nullptr;
    }

  private:
    std::vector<Range> ranges_;
};

/// `if(a)` to `ifa`: an edit whose end lay between two tokens and now lies within one.
std::optional<Violation> find_glued(const ParsedText& before, const ParsedText& now, const text::Edits& edits) {
    const Tokens old_tokens(before.tree), new_tokens(now.tree);
    std::int64_t shift = 0;
    for (const text::Edit& edit : edits.items()) {
        const auto new_start = static_cast<std::uint32_t>(edit.range.start + shift);
        const auto new_end = static_cast<std::uint32_t>(new_start + edit.text.size());
        shift += static_cast<std::int64_t>(edit.text.size()) - edit.range.size();
        for (const bool at_end : {false, true}) {
            const std::uint32_t new_at = at_end ? new_end : new_start;
            const Range* glued = new_tokens.across(new_at);
            if (glued == nullptr || old_tokens.across(at_end ? edit.range.end : edit.range.start) != nullptr) continue;
            const std::string_view token = now.text.substr(glued->start, glued->size());
            return Violation{fmt::format("tokens run together: '{}'", token), new_at};
        }
    }
    return std::nullopt;
}

/// Broken code that was not broken before: the count of errors alone may stay, as one error can swallow another.
std::optional<Violation> find_new_error(const ParsedText& before, const ParsedText& now, const text::Edits& edits) {
    if (now.tree.error_count() == 0) return std::nullopt;
    const BrokenCode was(before.tree, before.text), broken(now.tree, now.text);
    std::vector<Range> old_broken;
    for (const Range range : was.ranges()) old_broken.push_back(edits.map_range(range));
    for (const Range range : broken.ranges()) {
        const bool was_broken = std::ranges::any_of(
            old_broken, [&](Range old) { return old.start <= range.end && range.start <= old.end; });
        if (!was_broken) return Violation{"a syntax error", range.start};
    }
    std::int64_t shift = 0;
    for (const text::Edit& edit : edits.items()) {
        const auto start = static_cast<std::uint32_t>(edit.range.start + shift);
        const Range written{start, static_cast<std::uint32_t>(start + edit.text.size())};
        shift += static_cast<std::int64_t>(edit.text.size()) - edit.range.size();
        if (broken.touching(written) != nullptr) return Violation{"a syntax error in what was written", start};
    }
    return std::nullopt;
}

std::string_view comment_text(std::string_view text, Range range) {
    std::string_view comment = text.substr(range.start, range.size());
    while (!comment.empty() && (comment.back() == '\r' || comment.back() == ' ' || comment.back() == '\t')) {
        comment.remove_suffix(1);
    }
    return comment;
}

std::optional<Violation> find_lost_comment(const ParsedText& before, const ParsedText& now,
                                           std::span<const AllowedLoss> allowed) {
    std::map<std::string_view, std::int64_t> there;
    std::int64_t suppressions = 0;
    for (NodeId id = 0; id < now.tree.nodes().size(); ++id) {
        if (now.tree.kind(id) != Kind::comment) continue;
        const std::string_view text = comment_text(now.text, now.tree.range(id));
        ++there[text];
        suppressions += holds_directive(text);
    }
    for (NodeId id = 0; id < before.tree.nodes().size(); ++id) {
        if (before.tree.kind(id) != Kind::comment) continue;
        const Range range = before.tree.range(id);
        const std::string_view text = comment_text(before.text, range);
        bool may_go = false, is_counted = holds_directive(text);
        for (const AllowedLoss& loss : allowed) {
            if (!loss.range.contains(range) && !range.contains(loss.range)) continue;
            may_go = true;
            is_counted = is_counted && !loss.suppressions;
        }
        suppressions -= is_counted;
        if (!may_go && --there[text] < 0) return Violation{fmt::format("the comment '{}' is gone", text), 0};
    }
    if (suppressions < 0) return Violation{"a suppression comment is gone", 0};
    return std::nullopt;
}

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find_first_of("\r\n"));
}

/// The byte order mark, "#!" and what says the encoding stay where they work.
std::optional<Violation> find_displaced_head(std::string_view before, std::string_view now) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    const auto take_mark = [&](std::string_view& text) {
        if (!text.starts_with(kMark)) return false;
        text.remove_prefix(kMark.size());
        return true;
    };
    const bool was_first = take_mark(before), is_first = take_mark(now);
    // Anywhere behind the start it is a character like another.
    if (was_first != is_first || (now.starts_with(kMark) && !before.starts_with(kMark))) {
        return Violation{"the byte order mark is not the first thing in the file", 0};
    }
    if (before.starts_with("#!") && first_line(now) != first_line(before)) {
        return Violation{"the line that starts with #! is no longer the first", 0};
    }
    std::string_view old_rest = before;
    for (int line = 0; line < 2; ++line) {
        const std::string_view text = first_line(old_rest);
        if (text.starts_with('#') && text.find("coding") != std::string_view::npos) {
            const std::size_t second = std::min(now.size(), now.find_first_of("\r\n"));
            std::string_view now_second = now.substr(second);
            if (now_second.starts_with("\r\n")) now_second.remove_prefix(1);
            if (!now_second.empty()) now_second.remove_prefix(1);
            if (first_line(now) != text && first_line(now_second) != text) {
                return Violation{"the line that declares the encoding is no longer one of the first two", 0};
            }
        }
        old_rest.remove_prefix(text.size());
        if (old_rest.starts_with("\r\n")) old_rest.remove_prefix(1);
        if (!old_rest.empty()) old_rest.remove_prefix(1);
    }
    return std::nullopt;
}

}  // namespace

std::optional<Violation> verify(const ParsedText& before, const ParsedText& now, const text::Edits& edits,
                                std::span<const AllowedLoss> allowed) {
    if (const auto fault = worse(before.health, now.health)) {
        return Violation{std::string(name_of(*fault)), now.health.first[static_cast<std::size_t>(*fault)]};
    }
    if (auto found = find_new_error(before, now, edits)) return found;
    if (auto found = find_glued(before, now, edits)) return found;
    if (auto found = find_lost_comment(before, now, allowed)) return found;
    return find_displaced_head(before.text, now.text);
}

}  // namespace ptofix::fixing
