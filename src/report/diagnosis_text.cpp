#include <fmt/format.h>

#include <map>

#include "report/colour.h"
#include "report/diagnosis_view.h"
#include "report/fix_diff.h"
#include "report/wrap.h"
#include "rules/messages.h"
#include "text/cell_place.h"
#include "text/display_width.h"
#include "text/edit.h"

namespace ptofix::report {

namespace {

constexpr std::uint32_t kTextWidth = 100;
constexpr std::string_view kIndent = "  ";
constexpr std::size_t kDiffLines = 16;

class Writer {
  public:
    Writer(const DiagnosisReport& report, const TextStyle& style) : report_(report), style_(style) {}

    std::string write() {
        for (const VerdictView& verdict : report_.verdicts) write(verdict);
        for (const std::string& note : report_.notes) plain(note);
        for (const std::string& hint : report_.hints) out_ += hint + '\n';  // to be copied: on one line
        return std::move(out_);
    }

  private:
    std::string words(std::string_view id, rules::Data data = {}) const {
        return rules::render({id, std::move(data)}, style_.language);
    }

    void plain(std::string_view text) {
        for (const std::string& line : wrap(text, kTextWidth)) out_ += line + '\n';
    }

    void item(std::string_view text, std::string_view further = {}) {
        const std::string indent = std::string(kIndent) + std::string(further);
        for (const std::string& line : wrap(text, kTextWidth - static_cast<std::uint32_t>(indent.size()))) {
            out_ += indent;
            out_ += line;
            out_ += '\n';
        }
    }

    void write(const VerdictView& verdict) {
        const std::string place = fmt::format("{}:{}:", text::printable(report_.log), verdict.line);
        out_ += paint(place, Role::place, style_.colour);
        out_ += ' ' + verdict.headline;
        out_ += fmt::format(" ({})\n", verdict.confidence_words);
        for (const std::string& reason : verdict.reasons) item(reason);
        for (const std::string& no_use : verdict.no_use) {
            item(words("diagnose.will_not_help", rules::Data().set("what", no_use)));
        }
        for (const std::string& advice : verdict.advice) item(advice);
        for (const VerdictView::FindingAt& at : verdict.findings) finding(report_.files[at.file], at.finding);
        out_ += '\n';
    }

    void finding(const FileReport& file, std::size_t index) {
        const FindingView& found = file.findings[index];
        const text::CellLine at = text::line_in(file.files[found.primary.file], found.primary.range.start);
        const std::string place = fmt::format("{}:{}", text::printable(file.paths[found.primary.file]), at.line_text());
        out_ += kIndent;
        out_ += paint(place + ":", Role::place, style_.colour);
        out_ +=
            ' ' + paint(std::string(found.rule) + " " + std::string(found.name), Role::strong, style_.colour) + '\n';
        if (found.fix) {
            const std::string_view id = found.fix->applicability == rules::Applicability::safe ? "diagnose.fix.safe"
                                        : found.fix->applicability == rules::Applicability::unsafe
                                            ? "diagnose.fix.unsafe"
                                            : "diagnose.fix.suggestion";
            item(words(id, rules::Data().set("description", found.fix->description)), kIndent);
            diff(file, *found.fix);
        }
        if (found.blocked) item(words("diagnose.blocked", rules::Data().set("reason", found.blocked->reason)), kIndent);
    }

    void diff(const FileReport& file, const FixView& fix) {
        std::map<std::uint16_t, std::vector<text::Edit>> by_file;
        for (const rules::FileEdit& edit : fix.edits) by_file[edit.file].push_back({edit.range, edit.text});
        std::size_t shown = 0, hidden = 0;
        for (auto& [id, list] : by_file) {
            const auto edits = text::Edits::make(std::move(list), file.files[id].text().size());
            if (!edits) continue;
            if (id != file.main) out_ += fmt::format("{0}{0}{1}:\n", kIndent, text::printable(file.paths[id]));
            for (const DiffLine& line : diff_lines(file.files[id], edits->items(), 0)) {
                if (line.kind == DiffLine::Kind::hunk || line.kind == DiffLine::Kind::same) continue;
                if (shown++ >= kDiffLines) {
                    ++hidden;
                    continue;
                }
                const bool added = line.kind == DiffLine::Kind::added;
                const std::string text = (added ? "+ " : "- ") + text::TerminalLine(line.text).text();
                out_ += kIndent;
                out_ += kIndent;
                out_ += paint(text, added ? Role::added : Role::removed, style_.colour) + '\n';
            }
        }
        if (hidden > 0) {
            item(words("report.more_lines", rules::Data().set("count", static_cast<std::int64_t>(hidden))), kIndent);
        }
    }

    const DiagnosisReport& report_;
    const TextStyle& style_;
    std::string out_;
};

}  // namespace

std::string text_of(const DiagnosisReport& report, const TextStyle& style) {
    return Writer(report, style).write();
}

}  // namespace ptofix::report
