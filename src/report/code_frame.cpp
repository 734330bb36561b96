#include "report/code_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/messages.h"
#include "text/display_width.h"
#include "text/line_index.h"
#include "text/utf8.h"

namespace ptofix::report {

namespace {

/// Source bytes of one line that are shown at most; a longer line is cut around its first label.
constexpr std::uint32_t kShownBytes = 160;
constexpr std::uint32_t kShownBefore = 60;  // of these, before the label
constexpr std::string_view kCut = "…";
constexpr std::uint32_t kCutCells = 1;

struct Mark {
    std::uint32_t line;
    text::Range range;  // within the line
    std::string words;
    bool primary;
};

/// A label that spans several lines is marked on its first one, to the line's end.
Mark mark_of(const text::LineIndex& lines, const FrameLabel& label, rules::Language language) {
    const std::uint32_t line = lines.line_of(label.range.start);
    const text::Range whole = lines.line_range(line);
    Mark mark{line,
              {std::min(label.range.start, whole.end), std::min(label.range.end, whole.end)},
              label.words,
              label.primary};
    const std::uint32_t last = label.range.empty() ? line : lines.line_of(label.range.end - 1);
    if (last != line) {
        const std::string_view text = lines.line_text(line);
        const std::size_t blank = text.find_last_not_of(" \t") + 1;
        mark.range.end = std::max(mark.range.start, whole.start + static_cast<std::uint32_t>(blank));
        const std::string to =
            rules::render({"report.to_line", rules::Data().set("line", std::int64_t{last})}, language);
        mark.words += mark.words.empty() ? to : " " + to;
    }
    return mark;
}

/// The part of a line that is shown.
struct Window {
    text::Range range;
    bool cut_before = false, cut_after = false;
};

Window window_of(std::string_view text, text::Range line, text::Range focus) {
    if (line.size() <= kShownBytes) return {line};
    std::uint32_t start = focus.start > line.start + kShownBefore ? focus.start - kShownBefore : line.start;
    start = static_cast<std::uint32_t>(text::floor_to_code_point(text, start));
    std::uint32_t end = std::min(line.end, start + kShownBytes);
    if (end < line.end) end = static_cast<std::uint32_t>(text::floor_to_code_point(text, end));
    return {{start, end}, start > line.start, end < line.end};
}

class Frame {
  public:
    Frame(const text::Source& source, std::vector<Mark> marks, const FrameStyle& style, std::uint32_t digits)
        : source_(source), marks_(std::move(marks)), style_(style), digits_(digits) {}

    std::string draw() {
        gutter({});
        out_ += '\n';
        std::uint32_t previous = 0;
        for (std::size_t at = 0; at < marks_.size();) {
            const std::uint32_t line = marks_[at].line;
            if (previous != 0 && line > previous + 2) {
                out_ += paint("...", Role::gutter, style_.colour) + '\n';
            } else if (previous != 0 && line == previous + 2) {
                source_line(line - 1, {});
            }
            std::size_t end = at;
            while (end < marks_.size() && marks_[end].line == line) ++end;
            source_line(line, std::span(marks_).subspan(at, end - at));
            previous = line;
            at = end;
        }
        gutter({});
        out_ += '\n';
        return std::move(out_);
    }

  private:
    void gutter(std::string_view number) {
        out_ += paint(fmt::format("{:>{}} |", number, digits_), Role::gutter, style_.colour);
    }

    /// In a notebook lines count from their cell's first one; the line between two cells has no number.
    std::string shown_number(std::uint32_t number) const {
        const auto cell = source_.cell(source_.lines().line_start(number));
        if (cell && (number < cell->first_line || number > cell->last_line)) return {};
        return fmt::format("{}", cell ? number - cell->first_line + 1 : number);
    }

    void source_line(std::uint32_t number, std::span<const Mark> marks) {
        const text::LineIndex& lines = source_.lines();
        const text::Range whole = lines.line_range(number);
        const Window window =
            window_of(source_.text(), whole, marks.empty() ? text::Range{whole.start, whole.start} : marks[0].range);
        const text::TerminalLine shown(source_.text().substr(window.range.start, window.range.size()));
        gutter(shown_number(number));
        if (!shown.text().empty()) {
            out_ += ' ';
            if (window.cut_before) out_ += kCut;
            out_ += shown.text();
            if (window.cut_after) out_ += kCut;
        }
        out_ += '\n';
        for (const Mark& mark : marks) {
            const auto relative = [&](std::uint32_t offset) {
                return std::clamp(offset, window.range.start, window.range.end) - window.range.start;
            };
            const text::Range cells = shown.columns({relative(mark.range.start), relative(mark.range.end)});
            const std::uint32_t indent = cells.start + (window.cut_before ? kCutCells : 0);
            std::string under(std::max(cells.size(), 1U), mark.primary ? '^' : '-');
            if (!mark.words.empty()) under += " " + mark.words;
            gutter({});
            out_ += std::string(indent + 1, ' ');
            out_ += paint(under, mark.primary ? style_.role : Role::gutter, style_.colour);
            out_ += '\n';
        }
    }

    const text::Source& source_;
    std::vector<Mark> marks_;
    const FrameStyle& style_;
    std::uint32_t digits_;
    std::string out_;
};

}  // namespace

std::uint32_t gutter_digits(const text::Source& source, std::span<const FrameLabel> labels) {
    std::uint32_t last = 1;
    for (const FrameLabel& label : labels) last = std::max(last, source.lines().line_of(label.range.start));
    return static_cast<std::uint32_t>(fmt::formatted_size("{}", last));
}

std::string code_frame(const text::Source& source, std::span<const FrameLabel> labels, const FrameStyle& style) {
    std::vector<Mark> marks;
    marks.reserve(labels.size());
    for (const FrameLabel& label : labels) marks.push_back(mark_of(source.lines(), label, style.language));
    std::ranges::stable_sort(marks, [](const Mark& a, const Mark& b) {
        return std::tie(a.line, a.range.start, b.primary) < std::tie(b.line, b.range.start, a.primary);
    });
    const std::uint32_t digits = style.gutter != 0 ? style.gutter : gutter_digits(source, labels);
    return Frame(source, std::move(marks), style, digits).draw();
}

}  // namespace ptofix::report
