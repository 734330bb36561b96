#include "text/notebook.h"

#include <algorithm>
#include <utility>

#include "text/diff.h"
#include "text/json_cursor.h"
#include "text/newlines.h"
#include "text/notebook_reader.h"
#include "text/utf8.h"

namespace ptofix::text {

namespace {

/// Which line an offset is in; the end of the text is behind the last one.
std::size_t line_of(const std::vector<std::uint32_t>& starts, std::uint32_t offset) {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts, offset) - starts.begin()) - 1;
}

/// Only what differs: what stays keeps the way it is written.
void trim(Edit& edit, std::string_view text) {
    const std::string_view was = text.substr(edit.range.start, edit.range.size());
    const std::string_view now = edit.text;
    const std::size_t most = std::min(was.size(), now.size());
    std::size_t head = 0;
    while (head < most && was[head] == now[head]) ++head;
    head = floor_to_code_point(was, head);
    std::size_t tail = 0;
    while (tail < most - head && was[was.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    while (tail > 0 && is_continuation_byte(was[was.size() - tail])) --tail;
    edit.range.start += static_cast<std::uint32_t>(head);
    edit.range.end -= static_cast<std::uint32_t>(tail);
    edit.text = std::string(now.substr(head, now.size() - head - tail));
}

}  // namespace

bool is_notebook_path(std::string_view path) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (path.size() < kNotebookEnding.size()) return false;
    return std::ranges::equal(path.substr(path.size() - kNotebookEnding.size()), kNotebookEnding, {}, lower);
}

std::expected<Notebook, NotebookError> Notebook::parse(std::string_view bytes) {
    if (const auto fault = json_fault(bytes)) return std::unexpected(NotebookError{false, "not valid JSON", *fault});
    return NotebookReader(bytes).read();
}

const Notebook::Cell& Notebook::cell_at(std::uint32_t offset) const {
    const auto ends_behind = [&](const Cell& cell) { return cell.range.end <= offset; };
    const auto found = std::ranges::partition_point(cells_, ends_behind);
    return found == cells_.end() ? cells_.back() : *found;
}

std::string_view Notebook::python(const Cell& cell) const {
    return std::string_view(text_).substr(cell.range.start, cell.range.size());
}

/// `offset` in python(). A line that stands for another one is that line's start.
std::uint32_t Notebook::own_offset(const Cell& cell, std::uint32_t offset) const {
    const std::vector<std::uint32_t> mine = newline_starts(python(cell)), own = newline_starts(cell.own);
    const std::size_t line = line_of(mine, offset);
    if (line >= own.size()) return own.back();
    const bool replaced = line < cell.replaced.size() && cell.replaced[line];
    const std::uint32_t column = replaced ? 0 : offset - mine[line];
    return std::min(own[line] + column, own.back());
}

std::uint32_t Notebook::raw_offset(const Cell& cell, std::string_view bytes, std::uint32_t decoded) {
    const auto at = std::ranges::find_if(cell.literals, [&](const Literal& l) { return decoded < l.decoded.end; });
    if (at == cell.literals.end()) return cell.literals.back().raw.end - 1;
    std::size_t raw = at->raw.start + 1;
    for (std::string out; out.size() < decoded - at->decoded.start;)
        raw += append_json_character(out, bytes.substr(raw));
    return static_cast<std::uint32_t>(raw);
}

/// The same behind the character that ends there: in its own string.
std::uint32_t Notebook::raw_end(const Cell& cell, std::string_view bytes, std::uint32_t decoded) {
    const auto at = std::ranges::find_if(cell.literals, [&](const Literal& l) { return decoded <= l.decoded.end; });
    if (at == cell.literals.end()) return cell.literals.back().raw.end - 1;
    if (decoded == at->decoded.end) return at->raw.end - 1;
    return raw_offset(cell, bytes, decoded);
}

Notebook::Place Notebook::place(std::string_view bytes, Range range) const {
    if (cells_.empty()) return {};
    const Cell& cell = cell_at(range.start);
    const auto inside = [&](std::uint32_t offset) {
        return std::clamp(offset, cell.range.start, cell.range.end) - cell.range.start;
    };
    Place place{cell.number, cell.range};
    place.own.start = own_offset(cell, inside(range.start));
    place.own.end = std::max(place.own.start, own_offset(cell, inside(range.end)));
    if (cell.literals.empty()) return place;
    place.raw.start = raw_offset(cell, bytes, place.own.start);
    place.raw.end = place.own.empty() ? place.raw.start : raw_end(cell, bytes, place.own.end);
    return place;
}

bool Notebook::may_edit(Range range) const {
    const auto holds = [&](const Cell& cell) {
        return !cell.own.empty() && cell.range.start <= range.start && range.end <= cell.range.end;
    };
    const auto found = std::ranges::find_if(cells_, holds);
    if (found == cells_.end()) return false;
    const std::vector<std::uint32_t> starts = newline_starts(python(*found));
    const std::uint32_t start = range.start - found->range.start, end = range.end - found->range.start;
    const std::size_t first = line_of(starts, start);
    if (first < found->head) return false;
    // An insertion at the start of a line leaves that line as it is, and so does what ends there.
    std::size_t last = line_of(starts, end);
    if (starts[last] == end) {
        if (last == first) return true;
        --last;
    }
    for (std::size_t line = first; line <= last && line < found->replaced.size(); ++line) {
        if (found->replaced[line]) return false;
    }
    return true;
}

/// `edit` of python(). The line end that was added at the end of the text is not the cell's.
Edit Notebook::own_edit(const Cell& cell, const Edit& edit) const {
    const auto size = static_cast<std::uint32_t>(python(cell).size());
    Edit own{{own_offset(cell, edit.range.start), own_offset(cell, edit.range.end)}, edit.text};
    if (!cell.line_end_added || edit.range.end != size) return own;
    if (own.text.ends_with('\n')) own.text.pop_back();
    if (edit.range.start == size) own.text.insert(0, "\n");
    return own;
}

Edit Notebook::own_edit(const Edit& edit) const {
    const auto ends_before = [&](const Cell& cell) { return cell.range.end < edit.range.end; };
    const auto cell = std::ranges::partition_point(cells_, ends_before);
    if (cell == cells_.end() || edit.range.start < cell->range.start) return edit;
    const std::uint32_t start = cell->range.start;
    return own_edit(*cell, {{edit.range.start - start, edit.range.end - start}, edit.text});
}

/// What ends one string of the list and begins the next, as the list has it.
std::string Notebook::between_lines(const Cell& cell, std::string_view bytes) {
    if (!cell.is_list) return {};
    const Range first = cell.literals.front().raw;
    if (cell.literals.size() > 1) {
        return std::string(bytes.substr(first.end - 1, cell.literals[1].raw.start + 1 - (first.end - 1)));
    }
    const std::size_t bracket = bytes.rfind('[', first.start);
    return "\"," + std::string(bytes.substr(bracket + 1, first.start - bracket - 1)) + "\"";
}

/// An edit of the cell's own text in the strings that hold it: a string for each line of a list, as Jupyter writes it.
Edit Notebook::raw_edit(const Cell& cell, std::string_view bytes, Edit own, bool ascii) {
    trim(own, cell.own);
    const auto size = static_cast<std::uint32_t>(cell.own.size());
    const std::string between = between_lines(cell, bytes);
    Edit raw{{raw_offset(cell, bytes, own.range.start), raw_offset(cell, bytes, own.range.end)}, {}};
    if (cell.is_list && own.text.empty() && own.range.end == size && own.range.start > 0) {
        // Strings at the end that would be left empty go.
        const auto empty = std::ranges::find_if(
            cell.literals, [&](const Literal& l) { return l.decoded.start >= own.range.start && !l.decoded.empty(); });
        if (empty != cell.literals.end() && empty->decoded.start == own.range.start) {
            raw.range = {std::prev(empty)->raw.end, cell.literals.back().raw.end};
        }
    }
    if (cell.is_list && own.range.start == size && cell.own.ends_with('\n') && !own.text.empty()) raw.text = between;
    for (std::string_view rest = own.text; !rest.empty();) {
        const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
        rest.remove_prefix(line.size());
        raw.text += in_json_string(line, ascii);
        const bool more = !rest.empty() || own.range.end < size;
        if (line.ends_with('\n') && more) raw.text += between;
    }
    return raw;
}

std::optional<Notebook::CellChange> Notebook::change(const Cell& cell, std::string_view bytes,
                                                     std::string_view new_python, bool ascii) const {
    CellChange out;
    const std::vector<Edit> edits = line_edits(python(cell), new_python);
    if (edits.empty()) return out;
    const std::vector<std::uint32_t> starts = newline_starts(python(cell));
    for (const Edit& edit : edits) {
        const std::size_t behind = line_of(starts, edit.range.end);
        for (std::size_t line = line_of(starts, edit.range.start); line < behind; ++line) {
            if (line < cell.replaced.size() && cell.replaced[line]) return std::nullopt;
        }
        if (cell.literals.empty()) return std::nullopt;
        out.own.push_back(own_edit(cell, edit));
        out.raw.push_back(raw_edit(cell, bytes, out.own.back(), ascii));
    }
    return out;
}

/// Where the file has other characters than ASCII, they stand for themselves.
bool Notebook::writes_ascii(std::string_view bytes) {
    return is_ascii(bytes) && bytes.find("\\u") != std::string_view::npos;
}

std::optional<std::vector<Edit>> Notebook::put_back(std::string_view bytes, std::string_view new_text) const {
    const bool ascii = writes_ascii(bytes);
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const Cell& cell = cells_[i];
        std::string_view piece = new_text;
        if (i < borders_.size()) {
            const std::string& border = borders_[i];
            std::size_t at = new_text.find(border);
            while (at != std::string_view::npos && at > 0 && new_text[at - 1] != '\n')
                at = new_text.find(border, at + 1);
            if (at == std::string_view::npos) return std::nullopt;
            piece = new_text.substr(0, at);
            new_text.remove_prefix(at + border.size());
        }
        const auto changed = change(cell, bytes, piece, ascii);
        if (!changed) return std::nullopt;
        edits.insert(edits.end(), changed->raw.begin(), changed->raw.end());
    }
    if (cells_.empty() && !new_text.empty()) return std::nullopt;
    std::ranges::stable_sort(edits, {}, &Edit::range);
    return edits;
}

std::optional<std::vector<Edit>> Notebook::put_back(std::string_view bytes, std::span<const Edit> sorted_edits) const {
    const bool ascii = writes_ascii(bytes);
    std::vector<Edit> out;
    while (!sorted_edits.empty()) {
        const auto ends_before = [&](const Cell& cell) { return cell.range.end < sorted_edits.front().range.end; };
        const auto cell = std::ranges::partition_point(cells_, ends_before);
        std::vector<Edit> in_cell;
        for (; !sorted_edits.empty(); sorted_edits = sorted_edits.subspan(1)) {
            const Edit& edit = sorted_edits.front();
            if (cell == cells_.end() || edit.range.start < cell->range.start) return std::nullopt;
            if (edit.range.end > cell->range.end) break;
            const std::uint32_t start = cell->range.start;
            in_cell.push_back({{edit.range.start - start, edit.range.end - start}, edit.text});
        }
        const std::string piece = text::apply(python(*cell), in_cell);
        const auto changed = change(*cell, bytes, piece, ascii);
        if (!changed || !comes_back(*cell, bytes, *changed, piece)) return std::nullopt;
        out.insert(out.end(), changed->raw.begin(), changed->raw.end());
    }
    std::ranges::stable_sort(out, {}, &Edit::range);
    return out;
}

/// Is the cell, read again, this text, and are all others what they were?
bool Notebook::comes_back(const Cell& cell, std::string_view bytes, const CellChange& change,
                          std::string_view new_python) const {
    if (change.raw.empty()) return true;
    const Range all{cell.literals.front().raw.start, cell.literals.back().raw.end};
    std::vector<Edit> raw = change.raw;
    for (Edit& edit : raw) {
        if (edit.range.start < all.start || edit.range.end > all.end) return false;
        edit.range.start -= all.start;
        edit.range.end -= all.start;
    }
    const auto edits = Edits::make(std::move(raw), all.size());
    if (!edits) return false;
    const std::string json = "[" + edits->apply(bytes.substr(all.start, all.size())) + "]";
    if (json_fault(json)) return false;
    std::string own;
    bool only_strings = true;
    std::size_t strings = 0;
    JsonCursor cursor(json);
    cursor.list([&] {
        const Range string = cursor.string();
        only_strings = only_strings && !string.empty();
        if (!string.empty()) own += cursor.decoded(string);
        ++strings;
    });
    if (!only_strings || (!cell.is_list && strings != 1) || own != text::apply(cell.own, change.own)) return false;
    // Lines of other cells may stand for uses of the names that this one has.
    NotebookNames before, after;
    before.read(cell.own);
    after.read(own);
    if (before != after) return false;
    // No line of it may be taken for one that stands between cells.
    for (const std::string& border : borders_) {
        const std::string_view marks = std::string_view(border).substr(0, border.rfind(' '));
        if (new_python.find(marks) != std::string_view::npos) return false;
    }
    std::string python = python_of_cell(own, names_).text;
    if (!python.empty() && !python.ends_with('\n')) python += '\n';
    return python == new_python;
}

}  // namespace ptofix::text
