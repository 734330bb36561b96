#include "fixing/add_suppressions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "fixing/apply.h"
#include "fixing/suppressions.h"
#include "fixing/verify.h"
#include "text/display_width.h"
#include "text/source.h"

namespace ptofix::fixing {

namespace {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

/// Cells; a longer line is worse to read than one more line.
constexpr std::uint32_t kLongestLine = 120;

/// Where a comment goes.
struct Spot {
    std::uint32_t offset = 0;
    bool on_own_line = false;
    auto operator<=>(const Spot&) const = default;
};

class Placing {
  public:
    explicit Placing(const trace::SourceFile& file) : file_(file) {
        for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
            if (file.tree.kind(id) != Kind::comment) continue;
            const std::uint32_t end = file.tree.range(id).end;
            const bool with_return = end > 0 && file.text()[end - 1] == '\r';
            comments_.emplace(with_return ? end - 1 : end, file.tree.range(id));
        }
    }

    /// The lines of the statement's header.
    std::pair<std::uint32_t, std::uint32_t> header(text::Range place) const {
        const text::Range range = statement_header(file_.tree, place);
        return {file_.lines.line_of(range.start),
                file_.lines.line_of(range.end > range.start ? range.end - 1 : range.end)};
    }

    /// At the end of the line; nothing: it ends in a string, or goes on behind a backslash.
    std::optional<Spot> behind(std::uint32_t line) const {
        const text::Range range = file_.lines.line_range(line);
        if (is_in_string(range.end) || !may_write(range.end)) return std::nullopt;
        if (file_.lines.line_text(line).ends_with('\\') && !ends_with_comment(range.end)) return std::nullopt;
        return Spot{range.end, false};
    }

    /// Above the line, which must begin with the statement; nothing: it does not, or the line before goes on.
    std::optional<Spot> above(std::uint32_t line) const {
        const std::uint32_t start = file_.lines.line_start(line);
        if (is_in_string(start) || !may_write(start)) return std::nullopt;
        if (line > 1 && file_.lines.line_text(line - 1).ends_with('\\')) return std::nullopt;
        return Spot{start, true};
    }

    std::string_view indentation(std::uint32_t offset) const {
        const std::string_view line = file_.lines.line_text(file_.lines.line_of(offset));
        return line.substr(0, std::min(line.find_first_not_of(" \t\f"), line.size()));
    }

    bool ends_with_comment(std::uint32_t line_end) const { return comments_.contains(line_end); }

    /// The comment that ends there.
    std::optional<text::Range> comment_before(std::uint32_t line_end) const {
        const auto found = comments_.find(line_end);
        return found == comments_.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    bool may_write(std::uint32_t offset) const { return file_.source->may_edit({offset, offset}); }

    bool is_in_string(std::uint32_t offset) const {
        NodeId node = file_.tree.node_at({offset, offset});
        for (; node != kNoNode; node = file_.tree.parent(node)) {
            const text::Range range = file_.tree.range(node);
            if (file_.tree.kind(node) == Kind::string && range.start < offset && offset < range.end) return true;
        }
        return false;
    }

    const trace::SourceFile& file_;
    std::map<std::uint32_t, text::Range> comments_;  // by the end of their line
};

std::string directive(const std::set<std::string_view>& rules, std::string_view reason) {
    return fmt::format("# pto-fix: ignore[{}] {}", fmt::join(rules, ", "), reason);
}

}  // namespace

AddedSuppressions add_suppressions(trace::Project& project, const std::shared_ptr<const trace::SourceFile>& file,
                                   std::span<const SuppressionWish> wishes, std::string_view reason,
                                   const Pipeline& pipeline) {
    const Placing placing(*file);
    // All findings of a statement share a comment.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::string_view>> by_header;
    for (const SuppressionWish& wish : wishes) by_header[placing.header(wish.place)].insert(wish.rule);
    std::map<Spot, std::set<std::string_view>> by_spot;
    for (const auto& [lines, rules] : by_header) {
        const auto behind = placing.behind(lines.second);
        const auto above = placing.above(lines.first);
        bool is_long = false;
        if (behind && above) {
            const std::string line =
                fmt::format("{}  {}", file->lines.line_text(lines.second), directive(rules, reason));
            is_long = text::display_width(line) > kLongestLine;
        }
        const auto spot = behind && !is_long ? behind : above ? above : behind;
        if (spot) by_spot[*spot].insert(rules.begin(), rules.end());
    }
    std::vector<text::Edit> list;
    for (const auto& [spot, rules] : by_spot) {
        const std::string comment = directive(rules, reason);
        if (spot.on_own_line) {
            list.push_back({{spot.offset, spot.offset},
                            fmt::format("{}{}{}", placing.indentation(spot.offset), comment,
                                        file->lines.newline_for(spot.offset))});
        } else if (const auto old = placing.comment_before(spot.offset)) {
            // A comment that is written on is another one: it is replaced as a whole.
            const text::Range written{old->start, spot.offset};
            list.push_back(
                {written, fmt::format("{}  {}", file->text().substr(written.start, written.size()), comment)});
        } else {
            list.push_back({{spot.offset, spot.offset}, "  " + comment});
        }
    }
    AddedSuppressions out;
    auto edits = text::Edits::make(std::move(list), file->text().size());
    if (!edits || edits->empty()) return out;
    auto source = text::Source::from_text(file->path(), edits->apply(file->text()));
    if (!source) return out;
    const auto parsed = project.parse(std::make_shared<const text::Source>(std::move(*source)));
    if (!parsed) return out;
    const CheckedFile before = CheckedFile::of(file);
    const CheckedFile now = CheckedFile::of(*parsed);
    const auto text_of = [](const CheckedFile& one) {
        return ParsedText{one.file->text(), one.file->tree, one.health};
    };
    std::vector<AllowedLoss> longer;
    for (const text::Edit& edit : edits->items()) {
        if (!edit.is_insertion()) longer.push_back({edit.range, true});
    }
    if (verify(text_of(before), text_of(now), *edits, longer)) return out;
    const Suppressions suppressions((*parsed)->text(), (*parsed)->tree, pipeline);
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        const text::Range place = edits->map_range(wishes[i].place);
        if (suppressions.find(wishes[i].rule, place, (*parsed)->tree, (*parsed)->lines) != nullptr) {
            out.silenced.push_back(i);
        }
    }
    if (!out.silenced.empty()) out.edits = std::move(*edits);
    return out;
}

}  // namespace ptofix::fixing
