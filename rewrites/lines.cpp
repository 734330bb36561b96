#include "rewrites/lines.h"

namespace ptofix::rewrites {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

constexpr std::string_view kBlank = " \t\f";

std::string_view leading_blank(std::string_view line) {
    const std::size_t end = line.find_first_not_of(kBlank);
    return line.substr(0, end == std::string_view::npos ? line.size() : end);
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(kBlank) == std::string_view::npos;
}

}  // namespace

std::string_view indentation(const trace::SourceFile& file, NodeId node) {
    return leading_blank(file.lines.line_text(file.lines.line_of(file.tree[node].start)));
}

bool begins_its_line(const trace::SourceFile& file, NodeId node) {
    const std::uint32_t line = file.lines.line_of(file.tree[node].start);
    const std::uint32_t start = file.lines.line_start(line);
    if (!is_blank(file.text().substr(start, file.tree[node].start - start))) return false;
    return line == 1 || !file.lines.line_text(line - 1).ends_with('\\');
}

std::string indentation_unit(const trace::SourceFile& file) {
    const auto nodes = file.tree.nodes();
    for (NodeId id = 0; id < nodes.size(); ++id) {
        if (nodes[id].kind != Kind::block || nodes[id].subtree_end == id + 1) continue;
        const std::string_view outer = indentation(file, file.tree.parent(id));
        const std::string_view inner = indentation(file, id + 1);
        if (inner.size() > outer.size() && inner.starts_with(outer)) return std::string(inner.substr(outer.size()));
    }
    return "    ";
}

std::optional<text::Range> own_lines(const trace::SourceFile& file, NodeId statement) {
    const text::Range range = file.tree.range(statement);
    const std::uint32_t first = file.lines.line_of(range.start);
    const std::uint32_t last = file.lines.line_of(range.end);
    const text::Range head = file.lines.full_line_range(first);
    const text::Range tail = file.lines.full_line_range(last);
    const text::Range tail_text = file.lines.line_range(last);
    // A line that goes on from the one before is a part of that one.
    if (!begins_its_line(file, statement)) return std::nullopt;
    if (!is_blank(file.text().substr(range.end, tail_text.end - range.end))) return std::nullopt;
    return text::Range{head.start, tail.end};
}

bool is_whole_block(const trace::SourceFile& file, NodeId statement, std::size_t count) {
    const NodeId block = file.tree.parent(statement);
    return block == kNoNode || file.tree.named_child_count(block) <= count;
}

std::uint32_t end_of_lines(const trace::SourceFile& file, NodeId statement) {
    const std::size_t depth = indentation(file, statement).size();
    std::uint32_t line = file.lines.line_of(file.tree[statement].end);
    std::uint32_t last = line;
    while (++line <= file.lines.line_count()) {
        const std::string_view text = file.lines.line_text(line);
        const std::string_view blank = leading_blank(text);
        if (blank.size() == text.size()) continue;
        if (text[blank.size()] != '#' || blank.size() <= depth) break;
        last = line;
    }
    return file.lines.full_line_range(last).end;
}

rules::FileEdit replacement(trace::FileId file, text::Range range, std::string text) {
    return {file, range, std::move(text)};
}

rules::FileEdit insertion(trace::FileId file, std::uint32_t at, std::string text) {
    return {file, {at, at}, std::move(text)};
}

}  // namespace ptofix::rewrites
