#include "cli/check_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <thread>

#include "cli/add_ignore.h"
#include "cli/baseline.h"
#include "cli/dirty_tree.h"
#include "cli/engine.h"
#include "cli/estimates.h"
#include "cli/inputs.h"
#include "cli/problems.h"
#include "cli/progress.h"
#include "cli/report_document.h"
#include "cli/report_file.h"
#include "cli/review.h"
#include "cli/run_journal.h"
#include "cli/shown.h"
#include "cli/version.h"
#include "cli/write_changes.h"
#include "config/file_config.h"
#include "report/coloured_diff.h"
#include "report/fingerprint.h"
#include "report/former.h"
#include "report/json.h"
#include "report/run_report.h"
#include "report/statistics.h"
#include "report/text.h"
#include "report/timing_table.h"
#include "rules/messages.h"
#include "text/diff.h"
#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

using report::FileReport;
using report::Problem;
using rules::Data;
using rules::Language;

struct Counts {
    std::int64_t errors = 0, warnings = 0, infos = 0, safe = 0, unsafe_fixes = 0;

    void add(const report::FindingView& finding) {
        errors += finding.severity == rules::Severity::error;
        warnings += finding.severity == rules::Severity::warning;
        infos += finding.severity == rules::Severity::info;
        if (!finding.fix) return;
        safe += finding.fix->applicability == rules::Applicability::safe && finding.severity != rules::Severity::info;
        unsafe_fixes += finding.fix->applicability == rules::Applicability::unsafe;
    }
    std::int64_t all() const { return errors + warnings + infos; }
};

Counts count(std::span<const FileReport> reports) {
    Counts counts;
    for (const FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            if (report::is_shown(finding)) counts.add(finding);
        }
    }
    return counts;
}

/// The fixes of the groups of which a file was written, by rule. A group is written whole unless the disk fails half
/// way.
std::vector<std::pair<std::string_view, std::uint32_t>> applied_to(std::span<const fixing::AppliedTogether> groups,
                                                                   const std::set<std::string>& written) {
    std::map<std::string_view, std::uint32_t> applied;
    for (const fixing::AppliedTogether& group : groups) {
        const auto is_written = [&](const std::string& path) { return written.contains(path); };
        if (std::ranges::none_of(group.paths, is_written)) continue;
        for (const auto& [rule, count] : group.applied) applied[rule] += count;
    }
    return {applied.begin(), applied.end()};
}

/// One run: what it prints, and what its exit code is.
class Run {
  public:
    Run(CheckCommand command, Output& out, Output& err) : command_(std::move(command)), out_(out), err_(err) {
        if (command_.jobs == 0) command_.jobs = std::max(1U, std::thread::hardware_concurrency());
        if (!command_.read_stdin && !command_.run.cache_folder.empty()) cache_.emplace(command_.run.cache_folder);
    }

    int over_files() {
        if (!known_soc() || !has_baseline()) return kExitError;
        if (command_.mode == Mode::apply) {
            for (const std::string& note : notes_of_killed_runs(command_.language)) err_.write(note + "\n");
        }
        Inputs inputs = read_inputs(command_);
        for (Problem& problem : inputs.problems) problems_.push_back(std::move(problem));
        all_ignored_ = inputs.files.empty() && inputs.others.empty() && inputs.ignored > 0;
        take(std::move(inputs));
        if (writes() && refuses_work_tree()) return refuse_to_write();
        if (cache_) {
            for (const Input& input : inputs_) cache_->know(input.source);
        }
        if (command_.run.progress && !command_.apply.review && err_.is_terminal()) {
            progress_.emplace(err_, inputs_.size(), command_.language);
        }
        if (adds_ignores()) {
            silence();
        } else if (command_.mode != Mode::check) {
            EngineOptions options = engine_options();
            const auto reviewer = command_.apply.review ? make_reviewer(command_, err_) : nullptr;
            options.reviewer = reviewer.get();
            FixAnswer answer = fix(fixable(), options);
            if (progress_) progress_->stop();
            if (command_.mode == Mode::apply) {
                Written written = write_changes(answer, command_.apply, command_.language);
                changed_ = std::move(written.paths);
                unwritten_.insert(written.refused.begin(), written.refused.end());
                written_ = changed_.size();
                if (!unwritten_.empty()) answer.fixing.applied = applied_to(answer.groups, changed_);
                std::ranges::move(written.problems, std::back_inserter(problems_));
            } else {
                add_diffs(answer.changed);
            }
            take(std::move(answer));
        }
        check_what_stays();
        if (progress_) progress_->stop();
        report();
        if (cache_) cache_->tidy_up();
        return finish();
    }

    int over_stdin() {
        if (!known_soc() || !has_baseline()) return kExitError;
        if (::isatty(STDIN_FILENO) == 1) err_.write(words("cli.reading_terminal") + "\n");
        std::string bytes;  // all of them, even if they are too many for us: a filter loses nothing
        const std::string path = command_.stdin_filename.empty() ? "<stdin>" : config::tidy(command_.stdin_filename);
        if (const int error = text::read_all(STDIN_FILENO, SIZE_MAX, bytes); error != 0) {
            problems_.push_back(problem_of(path, "not-readable", text::error_text(error), command_.language));
            return finish();
        }
        if (std::optional<Input> input = stdin_input(command_, path, bytes, problems_)) {
            checked_ = 1;
            if (mentions_pypto(input->source->text())) {
                inputs_.push_back(std::move(*input));
            } else {
                others_.push_back(path);
            }
        }
        std::string result = bytes;
        if (command_.mode != Mode::check) {
            FixAnswer answer = fix(inputs_, engine_options());
            for (const ChangedFile& file : answer.changed) {
                if (command_.mode == Mode::diff) {
                    add_diff(file);
                } else if (auto encoded = encode(file)) {
                    result = std::move(*encoded);
                    ++written_;
                }
            }
            take(std::move(answer));
        }
        check_what_stays();
        if (command_.mode == Mode::apply) out_.write(result);
        report();
        return finish();
    }

  private:
    EngineOptions engine_options() {
        EngineOptions options;
        options.language = command_.language;
        options.soc = command_.soc;
        options.selected = command_.selected;
        options.ignored = command_.ignored;
        options.unsafe_fixes = command_.unsafe_fixes;
        options.explain_unknown = command_.explain_unknown;
        options.show_suppressed = command_.report.show_suppressed;
        options.both_languages = has_page();
        options.jobs = command_.jobs;
        options.cache = cache_ ? &*cache_ : nullptr;
        options.progress = progress_ ? &*progress_ : nullptr;
        options.timings = command_.run.timing ? &timings_ : nullptr;
        // A file of numbers that kernels import says nothing of PyPTO itself, and may be edited all the same.
        options.also_editable = editable_;
        if (!scope_.is_everything()) {
            options.in_scope = [this](const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) {
                return scope_.holds(diagnosis, analysis);
            };
        }
        return options;
    }

    std::string words(std::string_view id, Data data = {}) const {
        return rules::render({id, std::move(data)}, command_.language);
    }

    /// Does a report of this run have both languages, and estimates?
    bool has_page() const {
        const ReportOptions& report = command_.report;
        return (report.on_stdout && command_.format == Format::html) ||
               std::ranges::find(report.files, Format::html, &ReportFile::format) != report.files.end();
    }

    bool known_soc() {
        const std::string fault = soc_fault(command_.soc, command_.language);
        if (!fault.empty()) err_.write(fault);
        return fault.empty();
    }

    /// False when there should be one and it cannot be read.
    bool has_baseline() {
        if (command_.report.baseline.empty()) return true;
        auto former = load_baseline(command_.report.baseline, command_.language);
        if (!former) {
            err_.write(former.error());
            return false;
        }
        former_ = std::move(*former);
        return true;
    }

    /// Names the findings, and tells the new ones from those of the baseline.
    void judge() {
        report::add_fingerprints(reports_);
        if (!former_) return;
        const auto exists = [](const std::string& path) { return ::access(path.c_str(), F_OK) == 0; };
        const std::vector<std::string_view> rules = rules_looked_for(command_.selected, command_.ignored);
        absent_ = report::compare_with_former(*former_, reports_, {others_, rules, exists});
    }

    void take(Inputs inputs) {
        others_ = std::move(inputs.others);
        inputs_ = std::move(inputs.files);
        scope_ = std::move(inputs.scope);
        editable_ = others_;
        // A part of a run may write what belongs to another part of it in no case: two would write at once.
        if (command_.mode == Mode::check || scope_.is_by_lines()) {
            std::ranges::move(inputs.beside, std::back_inserter(editable_));
        }
        const auto own = [&](const Input& input) { return scope_.owns(input.path); };
        checked_ = static_cast<std::size_t>(std::ranges::count_if(inputs_, own)) + others_.size();
        for (const Input& input : inputs_) {
            if (scope_.staged(input.path) == nullptr) continue;
            const Data data = Data().set("path", input.path);
            if (command_.mode == Mode::check) {
                say("cli.partly_staged", data);
            } else {
                problems_.push_back({input.path, "partly-staged", words("input.partly_staged", data)});
                unwritten_.insert(input.path);
            }
        }
    }

    /// The inputs that may be written: a file is not, where what is staged of it counts and it has something else.
    std::vector<Input> fixable() const {
        std::vector<Input> inputs;
        for (const Input& input : inputs_) {
            if (scope_.staged(input.path) == nullptr) inputs.push_back(input);
        }
        return inputs;
    }

    bool writes() const { return command_.mode == Mode::apply || (adds_ignores() && command_.mode == Mode::check); }

    bool refuses_work_tree() {
        auto problem = work_in_the_way(inputs_, others_, command_.apply, command_.language);
        if (problem) problems_.push_back(*std::move(problem));
        return problem.has_value();
    }

    /// Nothing was written, and nothing is reported but why.
    int refuse_to_write() {
        write_documents();
        return finish();
    }

    void take(FixAnswer answer) {
        reports_ = std::move(answer.reports);
        translated_ = std::move(answer.translated);
        fixing_ = std::move(answer.fixing);
        for (Problem& problem : answer.problems) problems_.push_back(std::move(problem));
        judge();
        narrow_reports();
        left_ = count(reports_);
    }

    /// Reports are about what is on disk when the program ends: all inputs unless fixes were written, else those whose
    /// fixes could not be.
    void check_what_stays() {
        if (command_.mode == Mode::apply) {
            std::vector<Input> unwritten;
            for (const Input& input : inputs_) {
                if (unwritten_.contains(input.path)) unwritten.push_back(input);
            }
            Answer now = check(unwritten, engine_options());
            put_back(reports_, std::move(now.reports));
            put_back(translated_, std::move(now.translated));
            narrow_reports();
            return;
        }
        Answer answer = check(inputs_, engine_options());
        reports_ = std::move(answer.reports);
        translated_ = std::move(answer.translated);
        for (FileReport& report : reports_) {
            if (const auto diff = diffs_.find(report.path); diff != diffs_.end()) report.diff = diff->second;
        }
        if (command_.mode == Mode::check) std::ranges::move(answer.problems, std::back_inserter(problems_));
    }

    static void put_back(std::vector<FileReport>& reports, std::vector<FileReport> now) {
        for (FileReport& one : now) {
            const auto found = std::ranges::find(reports, one.path, &FileReport::path);
            if (found != reports.end()) {
                *found = std::move(one);
            } else {
                reports.push_back(std::move(one));
            }
        }
        std::ranges::stable_sort(reports, {}, &FileReport::path);
    }

    /// Leaves what the run is about, and what it writes.
    void narrow_reports() {
        const auto is_written = [&](const std::string& path) {
            return changed_.contains(path) || diffs_.contains(path);
        };
        scope_.narrow(reports_, is_written);
        scope_.narrow(translated_, is_written);
        const auto is_beside = [&](const Problem& problem) {
            const auto same = std::ranges::find(inputs_, problem.path, &Input::path);
            return same != inputs_.end() && !scope_.owns(problem.path) && problem.kind != "internal-error";
        };
        std::erase_if(problems_, is_beside);
    }

    std::optional<std::string> encode(const ChangedFile& file) {
        auto encoded = file.original->encode(file.text);
        if (encoded) return std::move(*encoded);
        problems_.push_back(problem_of(file.path, *file.original, encoded.error(), command_.language));
        unwritten_.insert(file.path);
        return std::nullopt;
    }

    bool adds_ignores() const { return !command_.report.add_ignore.empty(); }

    /// --add-ignore: comments for what is found, or with --diff what they would be.
    void silence() {
        EngineOptions options = engine_options();
        options.both_languages = false;
        options.progress = nullptr;  // it is for the second look
        const std::vector<Input> inputs = fixable();
        reports_ = check(inputs, options).reports;
        judge();
        narrow_reports();
        IgnoreAnswer answer = add_ignores(inputs, reports_, command_.report.add_ignore, command_.report.fail_on);
        silenced_ = answer.silenced;
        not_silenced_ = answer.refused;
        if (command_.mode == Mode::diff) {
            add_diffs(answer.changed);
            return;
        }
        FixAnswer comments;
        comments.changed = answer.changed;
        Written written = write_changes(comments, command_.apply, command_.language);
        std::ranges::move(written.problems, std::back_inserter(problems_));
        changed_ = std::move(written.paths);
        written_ = changed_.size();
        for (const ChangedFile& file : answer.changed) {
            const auto input = std::ranges::find(inputs_, file.path, &Input::path);
            if (!changed_.contains(file.path) || input == inputs_.end()) continue;
            const auto bytes = file.original->encode(file.text);
            auto now = bytes ? file.original->with_bytes(*bytes) : text::Source::from_text(file.path, file.text);
            if (!now) continue;
            input->source = std::make_shared<const text::Source>(std::move(*now));
            if (cache_) cache_->know(input->source);
        }
    }

    void add_diffs(std::span<const ChangedFile> files) {
        const auto is_outside = [](const ChangedFile& file) { return !path_inside(file.path); };
        outside_ = std::ranges::any_of(files, is_outside);
        for (const ChangedFile& file : files) add_diff(file);
    }

    void add_diff(const ChangedFile& file) {
        const auto encoded = encode(file);
        if (!encoded) return;
        // Programs that apply a diff take no path that leads out of the folder they are called in.
        const std::string path = outside_ ? path_from_root(file.path) : path_inside(file.path).value_or(file.path);
        std::string diff = text::unified_diff(path, path, file.original->bytes(), *encoded);
        diffs_[file.path] = diff;
        diff_ += diff;
        ++written_;
    }

    void write_text() {
        if (command_.report.statistics) {
            out_.write(report::statistics_of(reports_, command_.language));
            return;
        }
        const report::TextStyle style{use_colour(command_.colour, out_), command_.language, out_.columns().value_or(0)};
        for (const FileReport& report : reports_) {
            if (out_.closed()) return;
            out_.write(report::text_of(report, style));
        }
    }

    Data totals(const Counts& counts) const {
        return Data()
            .set("files", static_cast<std::int64_t>(checked_))
            .set("errors", counts.errors)
            .set("warnings", counts.warnings)
            .set("infos", counts.infos);
    }

    report::RunReport run_report() {
        for (FileReport& report : reports_) report.changed = changed_.contains(report.path);
        report::RunReport run;
        run.version = kVersion;
        run.homepage = kHomepage;
        run.language = command_.language;
        run.files = reports_;
        run.others = others_;
        run.problems = problems_;
        run.fixing = fixing_ ? &*fixing_ : nullptr;
        run.rules = rules_looked_for(command_.selected, command_.ignored);
        run.has_baseline = former_.has_value();
        run.absent = absent_;
        run.translated = translated_;
        run.estimates = estimates_;
        run.exit_code = exit_code();
        return run;
    }

    void report() {
        if (!write_documents()) report_in_words();
    }

    /// False: stdout is for people.
    bool write_documents() {
        judge();
        narrow_reports();
        if (has_page()) estimates_ = estimates_of(reports_, inputs_, engine_options());
        for (const ReportFile& file : command_.report.files) {
            const std::string error = write_report(file.path, document_of(file.format, run_report()));
            if (error.empty()) continue;
            const std::string in_words = rules::in_language(error, command_.language);
            problems_.push_back(
                {file.path, "output-unwritable",
                 words("cli.output_unwritable", Data().set("path", file.path).set("detail", in_words))});
        }
        if (command_.report.on_stdout && command_.format != Format::text) {
            out_.write(document_of(command_.format, run_report()));
            return true;
        }
        return false;
    }

    void report_in_words() {
        if (!command_.report.on_stdout) {
            // Nothing but the totals, on stderr.
        } else if (command_.mode == Mode::diff) {
            out_.write(use_colour(command_.colour, out_) ? report::coloured_diff(diff_) : diff_);
            if (outside_) say("cli.diff_from_root", {});
        } else if (command_.read_stdin && command_.mode == Mode::apply) {
            // stdout holds the text.
            const report::TextStyle style{use_colour(command_.colour, err_), command_.language,
                                          err_.columns().value_or(0)};
            for (const FileReport& report : reports_) err_.write(report::text_of(report, style));
        } else {
            write_text();
        }
        for (const FileReport& report : reports_) {
            note_syntax_error(report);
            if (report.cut_short) say("input.cut_short", Data().set("path", report.path));
        }
        if (adds_ignores()) summarise_silenced();
        command_.mode == Mode::check || adds_ignores() ? summarise_findings() : summarise_fixes();
        if (!former_) return;
        const BaselineCounts counts = count_by_baseline(reports_);
        say("cli.summary.baseline", Data()
                                        .set("fresh", counts.fresh)
                                        .set("unchanged", counts.unchanged)
                                        .set("absent", static_cast<std::int64_t>(absent_.size())));
    }

    void note_syntax_error(const FileReport& report) {
        if (!report.syntax_error) return;
        const text::Position at = report.files[report.main].lines().position(report.syntax_error->start);
        say(report.missing_block ? "input.missing_block" : "input.syntax_error",
            Data().set("path", report.path).set("line", std::int64_t{at.line}).set("column", std::int64_t{at.column}));
    }

    void say(std::string_view id, Data data) { err_.write(words(id, std::move(data)) + "\n"); }

    void summarise_findings() {
        const Counts counts = count(reports_);
        if (counts.all() == 0) {
            if (checked_ > 0 && problems_.empty()) say("cli.summary.clean", totals(counts));
            if (all_ignored_) say("cli.all_ignored", {});
            if (checked_ == 0 && scope_.is_by_lines() && problems_.empty()) say("cli.nothing_changed", {});
            return;
        }
        say("cli.summary.found", totals(counts));
        if (counts.safe > 0) say("cli.summary.fixable", Data().set("count", counts.safe));
        if (counts.unsafe_fixes > 0) say("cli.summary.unsafe", Data().set("count", counts.unsafe_fixes));
    }

    void summarise_silenced() {
        const Data data = Data().set("findings", silenced_).set("files", static_cast<std::int64_t>(written_));
        say(command_.mode == Mode::diff ? "cli.summary.would_silence" : "cli.summary.silenced", data);
        if (not_silenced_ > 0) say("cli.summary.not_silenced", Data().set("findings", not_silenced_));
    }

    void summarise_fixes() {
        std::int64_t fixes = 0;
        for (const auto& [rule, number] : fixing_->applied) fixes += number;
        const std::string_view written = command_.read_stdin ? "cli.summary.filtered" : "cli.summary.applied";
        const std::string_view done = command_.mode == Mode::diff ? "cli.summary.would_apply" : written;
        if (fixes == 0 && unwritten_.empty()) {
            say(command_.read_stdin ? "cli.summary.nothing_to_filter" : "cli.summary.nothing_to_apply", {});
        } else {
            say(done, Data().set("fixes", fixes).set("files", static_cast<std::int64_t>(written_)));
        }
        if (!fixing_->stop_rules.empty()) {
            say("cli.summary.stopped", Data()
                                           .set("stop", std::string(fixing_->stop))
                                           .set("rules", fmt::format("{}", fmt::join(fixing_->stop_rules, ", "))));
        }
        if (left_.all() > 0) say("cli.summary.left", totals(left_));
    }

    void say_timing() {
        std::vector<report::TimingRow> rows;
        for (const fixing::Timings::Entry& entry : timings_.entries()) {
            rows.push_back({fixing::name_of(entry.stage), entry.rule, entry.time, entry.times});
        }
        timespec processor{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
        const report::TimingTotals totals{
            std::chrono::seconds(processor.tv_sec) + std::chrono::nanoseconds(processor.tv_nsec),
            std::chrono::steady_clock::now() - start_, cache_ ? cache_->found() : 0};
        err_.write(report::timing_table(rows, totals, command_.language));
    }

    int finish() {
        if (command_.run.timing) say_timing();
        // A document for programs has a place for them, one that alarms or shows has not.
        if (command_.format != Format::json || !command_.report.on_stdout) {
            for (const Problem& problem : problems_) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        return exit_code();
    }

    int exit_code() const {
        if (!problems_.empty()) return kExitError;
        const ReportOptions& options = command_.report;
        if (options.exit_zero) return kExitClean;
        if (options.exit_non_zero_on_fix && written_ > 0) return kExitFindings;
        const auto counts = [&](const report::FindingView& finding) {
            return report::is_shown(finding) && finding.severity >= options.fail_on;
        };
        const bool left = std::ranges::any_of(
            reports_, [&](const FileReport& report) { return std::ranges::any_of(report.findings, counts); });
        return left ? kExitFindings : kExitClean;
    }

    CheckCommand command_;
    Output& out_;
    Output& err_;
    std::vector<FileReport> reports_;
    std::vector<FileReport> translated_;              // for a page: the same in the other language
    std::vector<report::EstimatesOfFile> estimates_;  // likewise
    std::vector<Problem> problems_;
    std::vector<std::string> others_;    // files without a word of PyPTO
    std::vector<std::string> editable_;  // files that are no inputs and may be written
    Scope scope_;
    std::size_t checked_ = 0;
    std::size_t written_ = 0;
    std::int64_t silenced_ = 0, not_silenced_ = 0;  // with --add-ignore
    bool all_ignored_ = false;
    std::vector<Input> inputs_;
    std::optional<cache::CachedAnalysis> cache_;
    std::optional<Progress> progress_;
    fixing::Timings timings_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    Counts left_;  // after the fixes, whether they were written or not
    std::optional<report::FixingView> fixing_;
    std::string diff_;
    std::optional<std::vector<report::AbsentView>> former_;  // with --baseline
    std::vector<report::AbsentView> absent_;                 // of them, what is gone
    bool outside_ = false;                      // some of the changed files are not below the current folder
    std::map<std::string, std::string> diffs_;  // by path
    std::set<std::string> changed_;             // written
    std::set<std::string> unwritten_;           // that should have been
};

}  // namespace

int run_check(const CheckCommand& command, Output& out, Output& err) {
    return Run(command, out, err).over_files();
}

int run_filter(const CheckCommand& command, Output& out, Output& err) {
    return Run(command, out, err).over_stdin();
}

}  // namespace ptofix::cli
