#include "rewrites/comments.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "rewrites/lines.h"

namespace ptofix::rewrites {

using syntax::Kind;
using syntax::NodeId;

namespace {

constexpr std::string_view kBlank = " \t\f";
constexpr auto kTools = std::to_array<std::string_view>(
    {"noqa", "type:", "pylint:", "fmt:", "yapf:", "isort:", "ruff:", "mypy:", "flake8:", "pragma:", "region",
     "endregion", "nosec", "pto-fix:", "pto-fix：", "pyright:", "!", "%%"});

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    const std::size_t last = text.find_last_not_of(" \t\f\r\n");
    return text.substr(first, last - first + 1);
}

bool is_blank_line(const trace::SourceFile& file, std::uint32_t line) {
    return trimmed(file.lines.line_text(line)).empty();
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::uint32_t first_line_of(const trace::SourceFile& file, text::Range lines) {
    return file.lines.line_of(lines.start);
}

/// The line behind the lines; there may be none.
std::optional<std::uint32_t> line_behind(const trace::SourceFile& file, text::Range lines) {
    if (lines.end >= file.text().size()) return std::nullopt;
    return file.lines.line_of(lines.end);
}

}  // namespace

std::optional<text::Range> lines_with_comment(const trace::SourceFile& file, NodeId statement) {
    if (const auto own = own_lines(file, statement)) return own;
    if (!comment_behind(file, statement)) return std::nullopt;
    if (!begins_its_line(file, statement)) return std::nullopt;
    const std::uint32_t start = file.lines.line_start(file.lines.line_of(file.tree[statement].start));
    return text::Range{start, file.lines.full_line_range(file.lines.line_of(file.tree[statement].end)).end};
}

std::optional<std::string_view> comment_behind(const trace::SourceFile& file, NodeId statement) {
    const std::uint32_t end = file.tree[statement].end;
    const text::Range line = file.lines.line_range(file.lines.line_of(end));
    const std::string_view rest = trimmed(file.text().substr(end, line.end - end));
    if (!rest.starts_with('#')) return std::nullopt;
    return rest;
}

text::Range comments_above(const trace::SourceFile& file, NodeId statement) {
    const std::uint32_t own = file.lines.line_of(file.tree[statement].start);
    const std::string_view indent = indentation(file, statement);
    std::uint32_t first = own;
    while (first > 1) {
        const std::string_view text = file.lines.line_text(first - 1);
        const std::string_view comment = trimmed(text);
        if (!comment.starts_with('#') || text.substr(0, text.find('#')) != indent) break;
        if (is_for_a_tool(comment)) return {file.lines.line_start(own), file.lines.line_start(own)};
        --first;
    }
    return {file.lines.line_start(first), file.lines.line_start(own)};
}

std::vector<std::string> comments_on(const trace::SourceFile& file, text::Range lines) {
    std::vector<std::string> found;
    for (std::uint32_t line = first_line_of(file, lines); file.lines.line_start(line) < lines.end; ++line) {
        found.emplace_back(trimmed(file.lines.line_text(line)));
        if (line >= file.lines.line_count()) break;
    }
    return found;
}

bool is_for_a_tool(std::string_view comment) {
    comment.remove_prefix(std::min(comment.find_first_not_of("# \t"), comment.size()));
    const std::string text = lower(comment);
    return std::ranges::any_of(kTools, [&](std::string_view tool) { return text.starts_with(tool); });
}

bool mentions(std::string_view text, const std::vector<std::string>& words) {
    const std::string all = lower(text);
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return std::ranges::any_of(words, [&](const std::string& word) {
        const std::string wanted = lower(word);
        if (wanted.empty()) return false;
        for (std::size_t at = all.find(wanted); at != std::string::npos; at = all.find(wanted, at + 1)) {
            const std::size_t end = at + wanted.size();
            // A word of letters stands alone; a character of another script needs no space around it.
            const bool begins = !is_letter(wanted.front()) || at == 0 || !is_letter(all[at - 1]);
            const bool stops = !is_letter(wanted.back()) || end == all.size() || !is_letter(all[end]);
            if (begins && stops) return true;
        }
        return false;
    });
}

bool tells_of_cast(std::string_view comment, const trace::Trace& trace, const std::vector<trace::OpId>& chain,
                   const std::vector<std::string_view>& names) {
    std::vector<std::string> words{"cast",       "casts",      "convert",        "converts", "conversion", "dequant",
                                   "dequantise", "dequantize", "dequantization", "转换",     "反量化",     "类型"};
    words.insert(words.end(), names.begin(), names.end());
    const auto add = [&](trace::TensorId tensor) {
        const hardware::DType type = trace.tensors[tensor].type.dtype;
        const std::string_view name = hardware::pypto_name(type);
        words.emplace_back(name);
        if (name.starts_with("DT_")) words.emplace_back(name.substr(std::string_view("DT_").size()));
        words.emplace_back(hardware::torch_name(type));
    };
    for (const trace::OpId id : chain) {
        const trace::Operation& cast = trace.operations[id];
        for (const trace::TensorId input : trace.inputs(cast)) add(input);
        if (cast.output != trace::kNoTensor) add(cast.output);
    }
    return mentions(comment, words);
}

bool ends_paragraph(const trace::SourceFile& file, text::Range lines, std::string_view indentation) {
    const auto behind = line_behind(file, lines);
    if (!behind || is_blank_line(file, *behind)) return true;
    const std::string_view text = file.lines.line_text(*behind);
    const std::string_view blank = text.substr(0, text.find_first_not_of(kBlank));
    return blank != indentation || text[blank.size()] == '#';
}

text::Range with_blank_lines(const trace::SourceFile& file, text::Range lines) {
    const std::uint32_t first = first_line_of(file, lines);
    const bool opens_block = first > 1 && trimmed(file.lines.line_text(first - 1)).ends_with(':');
    if (first <= 1 || (!is_blank_line(file, first - 1) && !opens_block)) return lines;
    auto behind = line_behind(file, lines);
    while (behind && is_blank_line(file, *behind) && lines.end < file.text().size()) {
        lines.end = file.lines.full_line_range(*behind).end;
        behind = line_behind(file, lines);
    }
    return lines;
}

}  // namespace ptofix::rewrites
