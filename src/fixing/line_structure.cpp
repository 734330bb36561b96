#include "fixing/line_structure.h"

#include <algorithm>

namespace ptofix::fixing {

namespace {

using syntax::Kind;
using syntax::kNoNode;
using syntax::Node;
using syntax::NodeId;

constexpr bool opens(Kind kind) {
    return kind == Kind::open_paren || kind == Kind::open_bracket || kind == Kind::open_brace;
}
constexpr bool closes(Kind kind) {
    return kind == Kind::close_paren || kind == Kind::close_bracket || kind == Kind::close_brace;
}

/// Starts a line of its own: a statement, a clause of one, a decorator.
bool begins_line(const syntax::Tree& tree, NodeId id) {
    const Node& node = tree[id];
    if (!node.named || node.parent == kNoNode || node.end == node.start) return false;
    switch (node.kind) {
        case Kind::elif_clause:
        case Kind::except_clause:
        case Kind::finally_clause:
        case Kind::else_clause:
        case Kind::case_clause:
        case Kind::decorator:
            return true;
        default:
            break;
    }
    const Kind parent = tree.kind(node.parent);
    return parent == Kind::block || parent == Kind::module_ || parent == Kind::decorated_definition;
}

bool has_line_break(std::string_view text) {
    for (std::size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
         at = text.find_first_of("\r\n", at + 1)) {
        if (at > 0 && text[at - 1] == '\\') {
            at += text.substr(at).starts_with("\r\n");
            continue;
        }
        return true;
    }
    return false;
}

class Reading {
  public:
    Reading(std::string_view text, const syntax::Tree& tree) : text_(text), tree_(tree) {}

    LineFaults run() {
        for (NodeId id = 0; id < tree_.nodes().size();) {
            const Node& node = tree_[id];
            if (node.kind != Kind::comment && node.kind != Kind::line_continuation && begins_line(tree_, id)) {
                line_start_ = node.start;
                depth_ = 0;
            }
            const bool whole = node.kind == Kind::string || node.kind == Kind::error;
            if (whole || node.subtree_end == id + 1) token(id);
            id = whole ? node.subtree_end : id + 1;
        }
        return std::move(faults_);
    }

  private:
    void token(NodeId id) {
        const Node& node = tree_[id];
        // Whatever a comment ends with, a backslash too, its line ends there.
        comment_since_ = comment_since_ || node.kind == Kind::comment;
        if (node.kind == Kind::comment || node.kind == Kind::line_continuation || node.end == node.start) return;
        const std::string_view gap = text_.substr(last_end_, node.start - std::min(node.start, last_end_));
        const bool at_start = node.start == line_start_;
        if (node.kind != Kind::error && last_ != Kind::error && last_ != Kind::module_) {
            const bool broken = comment_since_ || has_line_break(gap);
            if (broken && !at_start && depth_ == 0) faults_.breaks.push_back(node.start);
            if (!broken && at_start && last_ != Kind::semicolon && last_ != Kind::colon) {
                faults_.separators.push_back(node.start);
            }
        }
        if (node.kind == Kind::string) string(id);
        if (opens(node.kind)) ++depth_;
        if (closes(node.kind) && depth_ > 0) --depth_;
        last_end_ = node.end;
        last_ = node.kind;
        comment_since_ = false;
    }

    void string(NodeId id) {
        const NodeId start = tree_.child_of_kind(id, Kind::string_start);
        if (start == kNoNode) return;
        const text::Range quotes = tree_.range(start);
        const std::string_view written = text_.substr(quotes.start, quotes.size());
        const bool triple = written.size() >= 3 && written[written.size() - 1] == written[written.size() - 2];
        const text::Range whole = tree_.range(id);
        if (!triple && has_line_break(text_.substr(whole.start, whole.size()))) faults_.strings.push_back(whole.start);
    }

    std::string_view text_;
    const syntax::Tree& tree_;
    LineFaults faults_;
    std::uint32_t line_start_ = UINT32_MAX, last_end_ = 0;
    Kind last_ = Kind::module_;  // none yet
    bool comment_since_ = false;
    int depth_ = 0;
};

}  // namespace

LineFaults find_line_faults(std::string_view text, const syntax::Tree& tree) {
    return Reading(text, tree).run();
}

}  // namespace ptofix::fixing
