#include "rewrites/call_arguments.h"

#include "rewrites/lines.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::SourceFile;

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

bool touches_comment(const SourceFile& file, NodeId list, text::Range range) {
    for (NodeId at = list; at < file.tree[list].subtree_end; ++at) {
        if (file.tree.kind(at) != Kind::comment) continue;
        const text::Range comment = file.tree.range(at);
        if (comment.start < range.end && range.start < comment.end) return true;
    }
    return false;
}

}  // namespace

NodeId keyword_argument(const trace::Trace& trace, trace::Site call, std::string_view name) {
    if (!call.known()) return kNoNode;
    const SourceFile& file = *trace.files[call.file];
    const NodeId arguments = file.tree.child(call.node, Field::arguments);
    if (arguments == kNoNode) return kNoNode;
    for (const NodeId c : file.tree.children(arguments)) {
        if (file.tree.kind(c) == Kind::keyword_argument && file.text(file.tree.child(c, Field::name)) == name) return c;
    }
    return kNoNode;
}

std::optional<rules::FileEdit> without_argument(const trace::Trace& trace, trace::Site argument) {
    const SourceFile& file = *trace.files[argument.file];
    const syntax::Tree& tree = file.tree;
    const NodeId list = tree.parent(argument.node);
    NodeId before = kNoNode, after = kNoNode, comma = kNoNode;
    for (const NodeId c : tree.children(list)) {
        const bool is_argument = tree[c].named && tree.kind(c) != Kind::comment;
        if (c < argument.node && is_argument) before = c;
        if (c > argument.node && tree.kind(c) == Kind::comma && comma == kNoNode) comma = c;
        if (c > argument.node && is_argument && after == kNoNode) after = c;
    }
    const text::Range own = tree.range(argument.node);
    const std::uint32_t end = comma == kNoNode ? own.end : tree.range(comma).end;
    const std::uint32_t line_start = file.lines.line_start(file.lines.line_of(own.start));
    const text::Range last_line = file.lines.full_line_range(file.lines.line_of(end));
    const std::uint32_t last_end = file.lines.line_range(file.lines.line_of(end)).end;
    text::Range range;
    if (is_blank(file.text().substr(line_start, own.start - line_start)) &&
        is_blank(file.text().substr(end, last_end - end))) {
        range = {line_start, last_line.end};
    } else if (after != kNoNode) {
        range = {own.start, tree.range(after).start};
    } else if (before != kNoNode) {
        range = {tree.range(before).end, own.end};
    } else {
        range = {own.start, end};
    }
    if (touches_comment(file, list, range)) return std::nullopt;
    return replacement(argument.file, range, "");
}

}  // namespace ptofix::rewrites
