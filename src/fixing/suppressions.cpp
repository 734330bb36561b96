#include "fixing/suppressions.h"

#include <algorithm>
#include <cctype>

#include "fixing/directive_marks.h"

namespace ptofix::fixing {

namespace {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

constexpr std::string_view kMarker = "pto-fix";

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_marker(std::string_view word) {
    return std::ranges::equal(word, kMarker, {}, lower);
}

bool mentions_marker(std::string_view text) {
    constexpr std::size_t kHyphen = kMarker.find('-');
    for (std::size_t at = text.find('-', kHyphen); at != std::string_view::npos; at = text.find('-', at + 1)) {
        if (is_marker(text.substr(at - kHyphen, kMarker.size()))) return true;
    }
    return false;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    return skip_marks(text, at, kBlankMarks);
}

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(skip_blanks(text, 0));
    if (text.ends_with('\r')) text.remove_suffix(1);
    while (const std::size_t blank = mark_before(text, kBlankMarks)) text.remove_suffix(blank);
    return text;
}

/// Where a directive starts and its verb begins, both in the comment.
struct Head {
    std::size_t marker;  // "pto-fix"
    std::size_t verb;    // after the colon and blanks
};

/// A directive follows a '#', so that prose which mentions the tool is none.
std::optional<Head> next_directive(std::string_view comment, std::size_t from) {
    for (std::size_t hash = comment.find('#', from); hash != std::string_view::npos;
         hash = comment.find('#', hash + 1)) {
        const std::size_t marker = skip_blanks(comment, hash + 1);
        if (!is_marker(comment.substr(marker, kMarker.size()))) continue;
        const std::size_t colon = skip_blanks(comment, marker + kMarker.size());
        if (const std::size_t size = mark_at(comment, colon, kColonMarks)) {
            return Head{marker, skip_blanks(comment, colon + size)};
        }
    }
    return std::nullopt;
}

bool alone_on_line(std::string_view text, std::uint32_t at) {
    while (at > 0 && is_blank(text[at - 1])) --at;
    // Offset 3 is the start of the first line behind a byte order mark.
    return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' || (at == 3 && text.starts_with("\xEF\xBB\xBF"));
}

class CommentReader {
  public:
    using Why = MalformedSuppression::Why;

    CommentReader(std::string_view text, const Pipeline& pipeline, std::vector<Suppression>& items,
                  std::vector<MalformedSuppression>& malformed)
        : text_(text), pipeline_(pipeline), items_(items), malformed_(malformed) {}

    void read(text::Range comment) {
        comment_ = comment;
        const std::string_view whole = text_.substr(comment.start, comment.size());
        std::size_t at = 0;
        while (const std::optional<Head> head = next_directive(whole, at)) at = read_directive(whole, *head);
    }

  private:
    /// Returns where to look for another directive in the same comment.
    std::size_t read_directive(std::string_view comment, Head head) {
        std::size_t verb_end = head.verb;
        while (verb_end < comment.size() && (std::isalpha(static_cast<unsigned char>(comment[verb_end])) != 0 ||
                                             comment[verb_end] == '-' || comment[verb_end] == '_')) {
            ++verb_end;
        }
        const std::string_view verb = comment.substr(head.verb, verb_end - head.verb);
        if (verb != "ignore" && verb != "ignore-file") {
            complain(Why::unknown_verb, head.marker, verb_end);
            return verb_end;
        }
        const std::size_t open = skip_blanks(comment, verb_end);
        const std::size_t first = open + mark_at(comment, open, kOpeningMarks);
        if (first == open) {
            complain(Why::no_brackets, head.marker, verb_end);
            return verb_end;
        }
        const std::size_t close = find_mark(comment, first, kClosingMarks);
        if (close == std::string_view::npos) {
            complain(Why::unclosed_bracket, head.marker, first);
            return first;
        }
        const std::size_t end = close + mark_at(comment, close, kClosingMarks);
        Suppression item;
        item.comment = comment_;
        item.range = range_of(head.marker, end);
        item.list = range_of(first, close);
        item.whole_file = verb == "ignore-file";
        item.alone_on_line = alone_on_line(text_, comment_.start);
        if (!read_rules(comment, first, close, item)) complain(Why::no_rule, head.marker, end);
        const std::optional<Head> next = next_directive(comment, close);
        const std::size_t reason_end = next ? comment.rfind('#', next->marker) : comment.size();
        item.reason = reason_of(comment.substr(end, reason_end - end));
        if (!item.rules.empty()) items_.push_back(std::move(item));
        return close;
    }

    /// False when nothing at all is written between the brackets.
    bool read_rules(std::string_view comment, std::size_t start, std::size_t end, Suppression& item) {
        bool any = false;
        while (start < end) {
            const std::size_t comma = std::min(find_mark(comment, start, kCommaMarks), end);
            const std::string_view word = trimmed(comment.substr(start, comma - start));
            if (!word.empty()) {
                any = true;
                const RuleEntry* rule = pipeline_.find(word);
                const auto at = static_cast<std::size_t>(word.data() - comment.data());
                if (rule == nullptr) {
                    malformed_.push_back(
                        {Why::unknown_rule, range_of(at, at + word.size()), item.range, item.list, comment_});
                } else {
                    item.rules.push_back(rule->id);
                    item.rule_ranges.push_back(range_of(at, at + word.size()));
                }
            }
            start = comma + std::max<std::size_t>(mark_at(comment, comma, kCommaMarks), 1);
        }
        return any;
    }

    static std::string reason_of(std::string_view rest) {
        rest = trimmed(rest);
        while (const std::size_t size = rest.starts_with('-') ? 1 : mark_at(rest, 0, kColonMarks)) {
            rest.remove_prefix(size);
        }
        return std::string(trimmed(rest));
    }

    text::Range range_of(std::size_t start, std::size_t end) const {
        return {comment_.start + static_cast<std::uint32_t>(start), comment_.start + static_cast<std::uint32_t>(end)};
    }

    void complain(Why why, std::size_t start, std::size_t end) {
        malformed_.push_back({why, range_of(start, end), range_of(start, end), {}, comment_});
    }

    std::string_view text_;
    const Pipeline& pipeline_;
    std::vector<Suppression>& items_;
    std::vector<MalformedSuppression>& malformed_;
    text::Range comment_;
};

bool is_clause(Kind kind) {
    return kind == Kind::elif_clause || kind == Kind::else_clause || kind == Kind::except_clause ||
           kind == Kind::finally_clause || kind == Kind::case_clause;
}

/// "# %%" begins a cell: what is above it is said of another one.
bool is_comment_line(std::string_view line) {
    const std::size_t at = skip_blanks(line, 0);
    if (line.starts_with("# %%")) return false;
    return at < line.size() && line[at] == '#';
}

}  // namespace

bool holds_directive(std::string_view comment) {
    return next_directive(comment, 0).has_value();
}

Suppressions::Suppressions(std::string_view text, const syntax::Tree& tree, const Pipeline& pipeline) {
    if (!mentions_marker(text)) return;  // most files hold no directive: their trees need not be walked
    CommentReader reader(text, pipeline, items_, malformed_);
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        if (tree.kind(id) == Kind::comment) reader.read(tree.range(id));
    }
}

text::Range statement_header(const syntax::Tree& tree, text::Range place) {
    if (tree.empty()) return place;
    NodeId node = tree.node_at({place.start, std::min(place.end, place.start + 1)});
    // A place that starts at a clause's or statement's first byte is held by it; climb to the nearest one.
    for (; node != kNoNode; node = tree.parent(node)) {
        if (is_clause(tree.kind(node))) break;
        const NodeId up = tree.parent(node);
        if (up == kNoNode) return place;
        if (tree.kind(up) == Kind::block || tree.kind(up) == Kind::module_) break;
    }
    if (node == kNoNode) return place;
    const std::uint32_t start = tree[node].start;
    if (tree.kind(node) == Kind::decorated_definition) {
        const NodeId definition = tree.child(node, syntax::Field::definition);
        if (definition != kNoNode) node = definition;
    }
    std::uint32_t end = tree[node].end;
    for (const NodeId child : tree.children(node)) {
        if (tree.kind(child) == Kind::colon) end = tree[child].end;
        if (tree.kind(child) == Kind::block) return {start, end};
    }
    return {start, tree[node].end};
}

const Suppression* Suppressions::find(std::string_view rule, text::Range finding, const syntax::Tree& tree,
                                      const text::LineIndex& lines) const {
    if (items_.empty()) return nullptr;
    const auto silences = [&](const Suppression& s) {
        return std::find(s.rules.begin(), s.rules.end(), rule) != s.rules.end();
    };
    for (const Suppression& item : items_) {
        if (item.whole_file && silences(item)) return &item;
    }
    const text::Range header = statement_header(tree, finding);
    const std::uint32_t first = lines.line_of(header.start);
    const std::uint32_t last = lines.line_of(header.end > header.start ? header.end - 1 : header.end);
    const std::uint32_t own = lines.line_of(finding.start);
    const auto first_comment_above = [&](std::uint32_t line) {
        while (line > 1 && is_comment_line(lines.line_text(line - 1))) --line;
        return line;
    };
    const std::uint32_t above_statement = first_comment_above(first);
    const std::uint32_t above_own = first_comment_above(own);
    for (const Suppression& item : items_) {
        if (item.whole_file || !silences(item)) continue;
        const std::uint32_t line = lines.line_of(item.comment.start);
        if (line >= first && line <= last) return &item;
        if (item.alone_on_line && ((line >= above_statement && line < first) || (line >= above_own && line < own))) {
            return &item;
        }
    }
    return nullptr;
}

}  // namespace ptofix::fixing
