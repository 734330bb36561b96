#include "cli/check_words.h"

#include <fmt/format.h>

#include "cli/baseline.h"
#include "cli/shown.h"
#include "report/coloured_diff.h"
#include "report/statistics.h"
#include "report/text.h"
#include "rules/messages.h"
#include "text/cell_place.h"

namespace ptofix::cli {

namespace {

using report::FileReport;
using rules::Data;

void add(Counts& counts, const report::FindingView& finding) {
    counts.errors += finding.severity == rules::Severity::error;
    counts.warnings += finding.severity == rules::Severity::warning;
    counts.infos += finding.severity == rules::Severity::info;
    if (!finding.fix || finding.fix_waits_for_name) return;
    const rules::Applicability applicability = finding.fix->applicability;
    counts.safe += applicability == rules::Applicability::safe;
    counts.unsafe_fixes += applicability == rules::Applicability::unsafe;
}

class Words {
  public:
    Words(const CheckCommand& command, const CheckResult& result, Output& out, Output& err)
        : command_(command), result_(result), out_(out), err_(err) {}

    void report() {
        if (!command_.report.on_stdout) {
            // Nothing but the totals, on stderr.
        } else if (command_.mode == Mode::diff) {
            out_.write(use_colour(command_.colour, out_) ? report::coloured_diff(result_.diff) : result_.diff);
            if (result_.outside) say("cli.diff_from_root", {});
        } else if (command_.read_stdin && command_.mode == Mode::apply) {
            // stdout holds the text.
            const report::TextStyle style{use_colour(command_.colour, err_), command_.language,
                                          err_.columns().value_or(0)};
            for (const FileReport& report : result_.reports) err_.write(report::text_of(report, style));
        } else {
            write_text();
        }
        for (const FileReport& report : result_.reports) {
            note_syntax_error(report);
            if (report.cut_short) say("input.cut_short", Data().set("path", report.path));
        }
        if (!command_.report.add_ignore.empty()) summarise_silenced();
        command_.mode == Mode::check || !command_.report.add_ignore.empty() ? summarise_findings() : summarise_fixes();
        if (!result_.has_baseline) return;
        const BaselineCounts counts = count_by_baseline(result_.reports);
        say("cli.summary.baseline", Data()
                                        .set("fresh", counts.fresh)
                                        .set("unchanged", counts.unchanged)
                                        .set("absent", static_cast<std::int64_t>(result_.absent.size())));
    }

    void note_syntax_error(const FileReport& report) {
        if (!report.syntax_error) return;
        const text::CellLine at = text::line_in(report.files[report.main], report.syntax_error->start);
        say(report.missing_block ? "input.missing_block" : "input.syntax_error",
            Data().set("path", report.path).set("line", at.line_text()).set("column", std::int64_t{at.column}));
    }

    void say(std::string_view id, Data data) {
        err_.write(rules::render({id, std::move(data)}, command_.language) + "\n");
    }

    void summarise_findings() {
        const Counts counts = count(result_.reports);
        if (counts.all() == 0) {
            if (result_.checked > 0 && result_.problems.empty()) say("cli.summary.clean", totals(counts));
            if (result_.all_ignored) say("cli.all_ignored", {});
            if (result_.all_excluded) say("cli.all_excluded", {});
            if (result_.checked == 0 && result_.by_lines && result_.problems.empty()) say("cli.nothing_changed", {});
            return;
        }
        say("cli.summary.found", totals(counts));
        if (counts.safe > 0) say("cli.summary.fixable", Data().set("count", counts.safe));
        if (counts.unsafe_fixes > 0) say("cli.summary.unsafe", Data().set("count", counts.unsafe_fixes));
    }

    void summarise_silenced() {
        const Data data =
            Data().set("findings", result_.silenced).set("files", static_cast<std::int64_t>(result_.written));
        say(command_.mode == Mode::diff ? "cli.summary.would_silence" : "cli.summary.silenced", data);
        if (result_.not_silenced > 0) say("cli.summary.not_silenced", Data().set("findings", result_.not_silenced));
    }

    void summarise_fixes() {
        std::int64_t fixes = 0;
        for (const auto& [rule, number] : result_.fixing->applied) fixes += number;
        const std::string_view written = command_.read_stdin ? "cli.summary.filtered" : "cli.summary.applied";
        const std::string_view done = command_.mode == Mode::diff ? "cli.summary.would_apply" : written;
        if (fixes == 0 && !result_.left_unwritten) {
            say(command_.read_stdin ? "cli.summary.nothing_to_filter" : "cli.summary.nothing_to_apply", {});
        } else {
            say(done, Data().set("fixes", fixes).set("files", static_cast<std::int64_t>(result_.written)));
        }
        if (!result_.fixing->stop_rules.empty()) {
            say("cli.summary.stopped",
                Data()
                    .set("stop", std::string(result_.fixing->stop))
                    .set("rules", fmt::format("{}", fmt::join(result_.fixing->stop_rules, ", "))));
        }
        if (result_.left.all() > 0) say("cli.summary.left", totals(result_.left));
    }

  private:
    void write_text() {
        if (command_.report.statistics) {
            out_.write(report::statistics_of(result_.reports, command_.language));
            return;
        }
        const report::TextStyle style{use_colour(command_.colour, out_), command_.language, out_.columns().value_or(0)};
        for (const FileReport& report : result_.reports) {
            if (out_.closed()) return;
            out_.write(report::text_of(report, style));
        }
    }

    Data totals(const Counts& counts) const {
        return Data()
            .set("files", static_cast<std::int64_t>(result_.checked))
            .set("errors", counts.errors)
            .set("warnings", counts.warnings)
            .set("infos", counts.infos);
    }

    const CheckCommand& command_;
    const CheckResult& result_;
    Output& out_;
    Output& err_;
};

}  // namespace

Counts count(std::span<const FileReport> reports) {
    Counts counts;
    for (const FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            if (report::is_shown(finding)) add(counts, finding);
        }
    }
    return counts;
}

void report_in_words(const CheckCommand& command, const CheckResult& result, Output& out, Output& err) {
    Words(command, result, out, err).report();
}

}  // namespace ptofix::cli
