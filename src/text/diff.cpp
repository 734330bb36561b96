#include "text/diff.h"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <new>

#include "text/libgit2.h"
#include "text/newlines.h"

namespace ptofix::text {
namespace {

/// The escape of one byte in a quoted name, empty for bytes that stand for themselves.
std::string escaped(char c) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
        case '\a':
            return "\\a";
        case '\b':
            return "\\b";
        case '\t':
            return "\\t";
        case '\n':
            return "\\n";
        case '\v':
            return "\\v";
        case '\f':
            return "\\f";
        case '\r':
            return "\\r";
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        default:
            break;
    }
    constexpr unsigned char kSpace = 0x20, kDelete = 0x7F;
    return byte < kSpace || byte >= kDelete ? fmt::format("\\{:03o}", byte) : std::string();
}

/// "--- a/path" as git writes it: quoted when a byte needs an escape, a tab after names with a space so that the name's
/// end is known.
std::string header_line(std::string_view marker, std::string_view side, std::string_view path) {
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    std::string name(side);
    bool quoted = false;
    for (const char c : path) {
        const std::string escape = escaped(c);
        quoted = quoted || !escape.empty();
        name += escape.empty() ? std::string(1, c) : escape;
    }
    const std::string_view tab = path.find(' ') == std::string_view::npos ? "" : "\t";
    return quoted ? fmt::format("{} \"{}\"{}\n", marker, name, tab) : fmt::format("{} {}{}\n", marker, name, tab);
}

int append_line(const git_diff_delta* /*delta*/, const git_diff_hunk* /*hunk*/, const git_diff_line* line,
                void* payload) {
    if (line->origin == GIT_DIFF_LINE_FILE_HDR) return 0;  // its hashes and mode would be made up
    std::string& output = *static_cast<std::string*>(payload);
    if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION ||
        line->origin == GIT_DIFF_LINE_DELETION) {
        output += line->origin;
    }
    output.append(line->content, line->content_len);
    return 0;
}

using Patch = std::unique_ptr<git_patch, FreeGit<&Libgit2::git_patch_free>>;

Patch make_patch(const std::string& old_name, std::string_view old_bytes, const std::string& new_name,
                 std::string_view new_bytes, std::uint32_t context_lines) {
    git_diff_options options{};
    libgit2().git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    // Never "binary files differ": what is to be rewritten was read as text.
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    options.context_lines = context_lines;
    git_patch* raw = nullptr;
    const int made = libgit2().git_patch_from_buffers(&raw, old_bytes.data(), old_bytes.size(), old_name.c_str(),
                                                      new_bytes.data(), new_bytes.size(), new_name.c_str(), &options);
    Patch patch(raw);
    // With buffers in memory only a failed allocation is left; libgit2 reports what the standard library would throw.
    if (made != 0) throw std::bad_alloc();
    return patch;
}

/// A hunk's lines as bytes; a hunk without lines on this side names the line before it.
Range bytes_of(const std::vector<std::uint32_t>& starts, int first, int count) {
    const auto start = static_cast<std::size_t>(count == 0 ? first : first - 1);
    return {starts[start], starts[start + static_cast<std::size_t>(count)]};
}

}  // namespace

std::string unified_diff(std::string_view old_path, std::string_view new_path, std::string_view old_bytes,
                         std::string_view new_bytes, std::uint32_t context_lines) {
    if (old_bytes == new_bytes) return {};
    const std::string old_name(old_path), new_name(new_path);
    const Patch patch = make_patch(old_name, old_bytes, new_name, new_bytes, context_lines);
    std::string body;
    if (libgit2().git_patch_print(patch.get(), append_line, &body) != 0) throw std::bad_alloc();
    return header_line("---", "a/", old_path) + header_line("+++", "b/", new_path) + body;
}

std::vector<Edit> line_edits(std::string_view old_text, std::string_view new_text) {
    std::vector<Edit> edits;
    if (old_text == new_text) return edits;
    const std::string name = "text";
    const Patch patch = make_patch(name, old_text, name, new_text, 0);
    const std::vector<std::uint32_t> old_starts = newline_starts(old_text), new_starts = newline_starts(new_text);
    for (std::size_t i = 0; i < libgit2().git_patch_num_hunks(patch.get()); ++i) {
        const git_diff_hunk* hunk = nullptr;
        if (libgit2().git_patch_get_hunk(&hunk, nullptr, patch.get(), i) != 0) throw std::bad_alloc();
        const Range range = bytes_of(old_starts, hunk->old_start, hunk->old_lines);
        const Range now = bytes_of(new_starts, hunk->new_start, hunk->new_lines);
        edits.push_back({range, std::string(new_text.substr(now.start, now.size()))});
    }
    return edits;
}

std::vector<Range> changed_lines(std::string_view old_text, std::string_view new_text) {
    std::vector<Range> ranges;
    if (old_text == new_text) return ranges;
    const std::string name = "text";
    const Patch patch = make_patch(name, old_text, name, new_text, 0);
    const std::vector<std::uint32_t> starts = newline_starts(new_text);
    for (std::size_t i = 0; i < libgit2().git_patch_num_hunks(patch.get()); ++i) {
        const git_diff_hunk* hunk = nullptr;
        if (libgit2().git_patch_get_hunk(&hunk, nullptr, patch.get(), i) != 0) throw std::bad_alloc();
        if (hunk->new_lines > 0) ranges.push_back(bytes_of(starts, hunk->new_start, hunk->new_lines));
    }
    return ranges;
}

}  // namespace ptofix::text
