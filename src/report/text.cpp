#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/code_frame.h"
#include "report/colour.h"
#include "report/fix_diff.h"
#include "report/wrap.h"
#include "rules/messages.h"
#include "text/cell_place.h"
#include "text/display_width.h"
#include "text/edit.h"
#include "text/utf8.h"

namespace ptofix::report {

namespace {

/// Cells for running text beside the gutter.
constexpr std::uint32_t kTextWidth = 96;
/// Narrower terminals get lines as for this one.
constexpr std::uint32_t kLeastWidth = 40;
/// In front of the lines that a heading continues on.
constexpr std::string_view kContinued = "    ";
/// Lines of a fix's diff that are shown.
constexpr std::size_t kDiffLines = 24;
/// Unchanged lines around each change.
constexpr std::uint32_t kDiffContext = 1;
/// Bytes of each of them.
constexpr std::size_t kDiffLineBytes = 160;
/// Other places that are shown with a finding.
constexpr std::size_t kRelatedPlaces = 6;

Role role_of(rules::Severity severity) {
    switch (severity) {
        case rules::Severity::error:
            return Role::error;
        case rules::Severity::warning:
            return Role::warning;
        case rules::Severity::info:
            break;
    }
    return Role::info;
}

class Writer {
  public:
    Writer(const FileReport& report, const TextStyle& style) : report_(report), style_(style) {}

    std::string write() {
        for (const FindingView& finding : report_.findings) {
            if (is_shown(finding)) write(finding);
        }
        for (const Label& unknown : report_.unknowns) {
            const std::string at = place(unknown.file, unknown.range) + ":";
            heading(at + " ", paint(at, Role::place, style_.colour) + " ", unknown.words);
        }
        return std::move(out_);
    }

  private:
    std::string words(std::string_view id, rules::Data data = {}) const {
        return rules::render({id, std::move(data)}, style_.language);
    }

    std::string place(std::uint16_t file, text::Range range) const {
        return fmt::format("{}:{}", text::printable(report_.paths[file]),
                           text::place_in(report_.files[file], range.start));
    }

    /// The head as it is and as it is painted, then the words, on as many lines as the terminal asks for.
    void heading(std::string_view head, std::string_view painted, std::string_view text) {
        out_ += painted;
        if (style_.width == 0) {
            out_ += fmt::format("{}\n", text);
            return;
        }
        constexpr auto kIndent = static_cast<std::uint32_t>(kContinued.size());
        const std::uint32_t taken = std::max(text::display_width(head), kIndent) - kIndent;
        bool first = true;
        for (const std::string& line : wrap(text, std::max(style_.width, kLeastWidth) - kIndent, taken)) {
            out_ += first ? line : fmt::format("\n{}{}", kContinued, line);
            first = false;
        }
        out_ += '\n';
    }

    std::uint32_t text_width() const {
        if (style_.width == 0) return kTextWidth;
        const std::uint32_t gutter = digits_ + 3;
        return std::min(kTextWidth, std::max(style_.width, kLeastWidth) - gutter);
    }

    void write(const FindingView& finding) {
        const Role role = role_of(finding.severity);
        const std::string at = place(finding.primary.file, finding.primary.range) + ":";
        const std::string severity = words(fmt::format("report.{}", to_string(finding.severity)));
        const std::string rule = fmt::format("{} {}", finding.rule, finding.name);
        heading(fmt::format("{} {} {}: ", at, severity, rule),
                fmt::format("{} {} {}: ", paint(at, Role::place, style_.colour), paint(severity, role, style_.colour),
                            paint(rule, Role::strong, style_.colour)),
                finding.message);
        frames(finding, role);
        if (!finding.why.empty()) note(words("report.why"), finding.why);
        if (const std::string numbers = other_numbers(finding); !numbers.empty())
            note(words("report.numbers"), numbers);
        if (finding.blocked) blocked(*finding.blocked);
        if (finding.fix) {
            const bool named =
                finding.fix_waits_for_name && finding.fix->applicability != rules::Applicability::suggestion;
            fix(words(fmt::format("report.fix.{}{}", to_string(finding.fix->applicability), named ? ".named" : ""),
                      rules::Data().set("rule", std::string(finding.rule))),
                *finding.fix, true);
        }
        for (const FixView& other : finding.alternatives) fix(words("report.alternative"), other, !finding.fix);
        out_ += '\n';
    }

    /// The frame of the file of the finding, then one for each other file that has a part in it.
    void frames(const FindingView& finding, Role role) {
        std::map<std::uint16_t, std::vector<FrameLabel>> by_file;
        by_file[finding.primary.file].push_back({finding.primary.range, finding.primary.words, true});
        std::size_t places = 0;
        for (const Label& label : finding.related) {
            if (++places <= kRelatedPlaces) by_file[label.file].push_back({label.range, label.words, false});
        }
        if (finding.blocked && finding.blocked->place) {
            by_file[finding.blocked->place->file].push_back(
                {finding.blocked->place->range, words("report.blocked_here"), false});
        }
        digits_ = 1;
        for (const auto& [file, labels] : by_file) {
            digits_ = std::max(digits_, gutter_digits(report_.files[file], labels));
        }
        const FrameStyle frame{style_.colour, role, style_.language, digits_};
        out_ += code_frame(report_.files[finding.primary.file], by_file[finding.primary.file], frame);
        for (const auto& [file, labels] : by_file) {
            if (file == finding.primary.file) continue;
            out_ += paint(fmt::format("{:>{}}--> ", "", digits_), Role::gutter, style_.colour);
            out_ += place(file, labels.front().range) + '\n';
            out_ += code_frame(report_.files[file], labels, frame);
        }
        if (places > kRelatedPlaces) {
            const auto more = static_cast<std::int64_t>(places - kRelatedPlaces);
            indent();
            out_ += words("report.more_places", rules::Data().set("count", more)) + '\n';
        }
    }

    void indent() { out_ += std::string(digits_ + 1, ' '); }

    /// "= title: text", the text wrapped and aligned.
    void note(std::string_view title, std::string_view text) {
        const std::string head = fmt::format("{}{}", title, style_.language == rules::Language::zh ? "：" : ": ");
        bool first = true;
        for (const std::string& line : wrap(head + std::string(text), text_width())) {
            indent();
            out_ += first ? paint("= ", Role::gutter, style_.colour) : std::string("  ");
            if (first && line.starts_with(head)) {
                out_ += paint(head, Role::strong, style_.colour) + line.substr(head.size());
            } else {
                out_ += line;
            }
            out_ += '\n';
            first = false;
        }
    }

    std::string other_numbers(const FindingView& finding) const {
        std::string out;
        for (const auto& [key, value] : finding.data.items()) {
            if (std::holds_alternative<std::string>(value)) continue;
            if (std::ranges::find(finding.shown_data, key) != finding.shown_data.end()) continue;
            if (!out.empty()) out += ", ";
            out += fmt::format("{} {}", word_of(key), shown_value(value));
        }
        return out;
    }
    std::string word_of(std::string_view key) const {
        const rules::Message* word = rules::find_message(fmt::format("data.{}", key));
        return std::string(word != nullptr ? word->in(style_.language) : key);
    }
    std::string shown_value(const rules::DataValue& value) const {
        const bool* yes = std::get_if<bool>(&value);
        if (yes == nullptr) return rules::show(value);
        return *yes ? words("report.yes") : words("report.no");
    }

    void blocked(const BlockedView& blocked) {
        if (!blocked.place) {
            note(words("report.blocked"), blocked.reason);
            return;
        }
        const text::CellLine at = text::line_in(report_.files[blocked.place->file], blocked.place->range.start);
        note(words("report.blocked_at", rules::Data().set("line", at.line_words())), blocked.reason);
    }

    void fix(std::string_view title, const FixView& fix, bool with_diff) {
        note(title, fix.description);
        if (with_diff) diff(fix);
    }

    void diff(const FixView& fix) {
        std::map<std::uint16_t, std::vector<text::Edit>> by_file;
        for (const rules::FileEdit& edit : fix.edits) by_file[edit.file].push_back({edit.range, edit.text});
        std::size_t shown = 0;
        std::size_t hidden = 0;
        for (auto& [file, list] : by_file) {
            const std::string_view old_text = report_.files[file].text();
            const auto edits = text::Edits::make(std::move(list), old_text.size());
            if (!edits) continue;
            if (file != report_.main) {
                indent();
                out_ += "  " + text::printable(report_.paths[file]) + ":\n";
            }
            for (const DiffLine& line : diff_lines(report_.files[file], edits->items(), kDiffContext)) {
                if (shown++ < kDiffLines) {
                    diff_line(line);
                } else {
                    ++hidden;
                }
            }
        }
        if (hidden > 0) {
            indent();
            out_ +=
                "  " + words("report.more_lines", rules::Data().set("count", static_cast<std::int64_t>(hidden))) + '\n';
        }
    }

    void diff_line(const DiffLine& line) {
        using Kind = DiffLine::Kind;
        if (line.kind == Kind::same && line.text.empty()) {
            out_ += '\n';
            return;
        }
        std::string shown = text::TerminalLine(line.text).text();
        if (shown.size() > kDiffLineBytes) {
            shown.resize(text::floor_to_code_point(shown, kDiffLineBytes));
            shown += "…";
        }
        indent();
        out_ += "  ";
        switch (line.kind) {
            case Kind::hunk:
                out_ += paint(shown, Role::gutter, style_.colour);
                break;
            case Kind::same:
                out_ += " " + shown;
                break;
            case Kind::removed:
                out_ += paint("-" + shown, Role::removed, style_.colour);
                break;
            case Kind::added:
                out_ += paint("+" + shown, Role::added, style_.colour);
                break;
        }
        out_ += '\n';
    }

    const FileReport& report_;
    const TextStyle& style_;
    std::uint32_t digits_ = 1;
    std::string out_;
};

}  // namespace

std::string text_of(const FileReport& report, const TextStyle& style) {
    return Writer(report, style).write();
}

}  // namespace ptofix::report
