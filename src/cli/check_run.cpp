#include "cli/check_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "cli/add_ignore.h"
#include "cli/baseline.h"
#include "cli/cache_use.h"
#include "cli/check_words.h"
#include "cli/dirty_tree.h"
#include "cli/engine.h"
#include "cli/estimates.h"
#include "cli/inputs.h"
#include "cli/known_findings.h"
#include "cli/problems.h"
#include "cli/progress.h"
#include "cli/report_document.h"
#include "cli/report_file.h"
#include "cli/repository_paths.h"
#include "cli/review.h"
#include "cli/run_journal.h"
#include "cli/shown.h"
#include "cli/version.h"
#include "cli/write_changes.h"
#include "config/file_config.h"
#include "report/fingerprint.h"
#include "report/former.h"
#include "report/json.h"
#include "report/run_report.h"
#include "report/timing_table.h"
#include "rules/messages.h"
#include "text/crew.h"
#include "text/diff.h"
#include "text/disk_file.h"
#include "text/large_pages.h"
#include "text/notebook.h"
#include "text/parallel.h"

namespace ptofix::cli {

namespace {

using report::FileReport;
using report::Problem;
using rules::Data;
using rules::Language;

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
        command_.jobs = text::threads_for(command_.jobs);
        if (!command_.read_stdin && !command_.run.cache_folder.empty()) {
            cache_.emplace(command_.run.cache_folder, pack_words(command_));
        }
    }

    int over_files() {
        if (!known_soc() || !has_baseline()) return kExitError;
        if (writes()) {
            for (const std::string& note : notes_of_killed_runs(command_)) err_.write(note + "\n");
        }
        Inputs inputs = read_inputs(command_, known_files());
        for (Problem& problem : inputs.problems) result_.problems.push_back(std::move(problem));
        for (const std::string& note : inputs.notes) err_.write(note + "\n");
        const bool untold = inputs.none_left && inputs.notes.empty();
        result_.all_ignored = untold && inputs.ignored > 0;
        result_.all_excluded = untold && inputs.excluded > 0 && inputs.ignored == 0;
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
            find_known(fixable());
            EngineOptions options = engine_options();
            const auto reviewer = command_.apply.review ? make_reviewer(command_, err_) : nullptr;
            options.reviewer = reviewer.get();
            FixAnswer answer = fix(fixable(), options);
            if (progress_) progress_->stop();
            if (command_.mode == Mode::apply) {
                Written written =
                    write_changes(answer, command_.apply, command_.language, unstaged_among(answer.changed));
                changed_ = std::move(written.paths);
                result_.written = changed_.size();
                leave_out(written, changed_, answer);
                if (cache_) cache_->forget_texts();
            } else {
                show(answer);
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
            result_.problems.push_back(problem_of(path, "not-readable", text::error_text(error), command_.language));
            return finish();
        }
        if (std::optional<Input> input = stdin_input(command_, path, bytes, result_.problems)) {
            result_.checked = 1;
            if (fixing::mentions_pypto(input->source->text())) {
                inputs_.push_back(std::move(*input));
            } else {
                others_.push_back(path);
            }
        }
        std::string result = bytes;
        if (command_.mode != Mode::check) {
            find_known(inputs_);
            FixAnswer answer = fix(inputs_, engine_options());
            for (const ChangedFile& file : answer.changed) {
                if (command_.mode == Mode::diff) {
                    add_diff(file);
                } else if (auto encoded = encode(file)) {
                    result = std::move(*encoded);
                    ++result_.written;
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
        options.sees_all_files = command_.choice.shard.of == 1;
        options.explain_unknown = command_.explain_unknown;
        options.show_suppressed = command_.report.show_suppressed;
        options.both_languages = has_page();
        options.jobs = command_.jobs;
        options.cache = cache_ ? &*cache_ : nullptr;
        options.progress = progress_ ? &*progress_ : nullptr;
        options.timings = command_.run.timing ? &timings_ : nullptr;
        // A file of numbers that kernels import says nothing of PyPTO itself, and may be edited all the same.
        options.also_editable = editable_;
        if (!scope_.is_everything() || !known_.empty()) {
            options.in_scope = [this](const fixing::Diagnosis& diagnosis, const fixing::Analysis& analysis) {
                return scope_.holds(diagnosis, analysis) && !known_.hold(diagnosis, analysis);
            };
        }
        return options;
    }

    cache::KnownFiles* known_files() { return cache_ && may_pass_over(command_) ? &cache_->files() : nullptr; }

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
        result_.has_baseline = true;
        return true;
    }

    /// Names the findings, and tells the new ones from those of the baseline.
    void judge() {
        report::add_fingerprints(result_.reports);
        if (!former_) return;
        const auto exists = [](const std::string& path) { return ::access(path.c_str(), F_OK) == 0; };
        const std::vector<std::string_view> rules = rules_looked_for(command_.selected, command_.ignored);
        result_.absent =
            report::compare_with_former(*former_, result_.reports, {others_, rules, exists, in_repository()});
    }

    void take(Inputs inputs) {
        others_ = std::move(inputs.others);
        inputs_ = std::move(inputs.files);
        scope_ = std::move(inputs.scope);
        editable_ = others_;
        // One that cannot be read may still be run one day.
        for (const Problem& problem : result_.problems) {
            if (text::is_notebook_path(problem.path)) editable_.push_back(problem.path);
        }
        std::ranges::move(inputs.unread, std::back_inserter(editable_));
        // A part of a run may write what belongs to another part of it in no case: two would write at once.
        if (command_.mode == Mode::check || scope_.is_by_lines()) {
            std::ranges::move(inputs.beside, std::back_inserter(editable_));
        }
        const auto own = [&](const Input& input) { return scope_.owns(input.path); };
        result_.checked = static_cast<std::size_t>(std::ranges::count_if(inputs_, own)) + others_.size();
        for (const Input& input : inputs_) {
            if (scope_.staged(input.path) == nullptr) continue;
            const Data data = Data().set("path", input.path);
            if (command_.mode == Mode::check) {
                err_.write(words("cli.partly_staged", data) + "\n");
            } else {
                result_.problems.push_back({input.path, "partly-staged", words("input.partly_staged", data)});
                unwritten_.insert(input.path);
                editable_.push_back(input.path);  // it may hold a call all the same: what would edit it is not written
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

    std::set<std::string> unstaged_among(const std::vector<ChangedFile>& files) const {
        std::set<std::string> paths;
        for (const ChangedFile& file : files) {
            if (scope_.is_unstaged(file.path)) paths.insert(file.path);
        }
        return paths;
    }

    /// Of what was fixed, and was refused to be written.
    void leave_out(Written& written, const std::set<std::string>& taken, FixAnswer& answer) {
        unwritten_.insert(written.refused.begin(), written.refused.end());
        if (!unwritten_.empty()) answer.fixing.applied = applied_to(answer.groups, taken);
        std::ranges::move(written.problems, std::back_inserter(result_.problems));
    }

    /// The diff of what --apply would write.
    void show(FixAnswer& answer) {
        Written written = refusals(answer, command_.language, unstaged_among(answer.changed));
        std::vector<ChangedFile> shown;
        std::set<std::string> paths;
        for (const ChangedFile& file : answer.changed) {
            if (written.refused.contains(file.path)) continue;
            paths.insert(file.path);
            shown.push_back(file);
        }
        leave_out(written, paths, answer);
        add_diffs(shown);
    }

    bool writes() const { return command_.mode == Mode::apply || (adds_ignores() && command_.mode == Mode::check); }

    bool refuses_work_tree() {
        auto problem = work_in_the_way(inputs_, others_, command_.apply, command_.language);
        if (!problem) return false;
        result_.problems.push_back(*std::move(problem));
        return true;
    }

    /// Nothing was written, and nothing is reported but why.
    int refuse_to_write() {
        write_documents();
        return finish();
    }

    void take(FixAnswer answer) {
        result_.reports = std::move(answer.reports);
        translated_ = std::move(answer.translated);
        result_.fixing = std::move(answer.fixing);
        for (Problem& problem : answer.problems) result_.problems.push_back(std::move(problem));
        judge();
        // Only what is counted: findings keep the names that they have among all of their file.
        std::vector<FileReport> about = result_.reports;
        scope_.narrow(about, [](const std::string&) { return false; });
        result_.left = count(about);
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
            put_back(result_.reports, std::move(now.reports));
            put_back(translated_, std::move(now.translated));
            return;
        }
        Answer answer = check(inputs_, engine_options());
        result_.reports = std::move(answer.reports);
        translated_ = std::move(answer.translated);
        for (FileReport& report : result_.reports) {
            if (const auto diff = diffs_.find(report.path); diff != diffs_.end()) report.diff = diff->second;
        }
        if (command_.mode == Mode::check) std::ranges::move(answer.problems, std::back_inserter(result_.problems));
        if (cache_) tell_of_lost();
    }

    /// Files that need not have been read, had nothing been found in them: as if they had been tried at first.
    void tell_of_lost() {
        for (const auto& [path, error] : cache_->lost()) {
            const auto is_it = [&](const FileReport& report) { return report.path == path; };
            std::erase_if(result_.reports, is_it);
            std::erase_if(translated_, is_it);
            if (error.kind == text::LoadError::Kind::not_found) {
                others_.push_back(path);
            } else {
                result_.problems.push_back(problem_of(path, error, command_.language));
                --result_.checked;
            }
        }
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
        scope_.narrow(result_.reports, is_written);
        scope_.narrow(translated_, is_written);
        const auto is_beside = [&](const Problem& problem) {
            const auto same = std::ranges::find(inputs_, problem.path, &Input::path);
            return same != inputs_.end() && !scope_.owns(problem.path) && problem.kind != "internal-error";
        };
        std::erase_if(result_.problems, is_beside);
    }

    std::optional<std::string> encode(const ChangedFile& file) {
        auto encoded = file.original->encode(file.text);
        if (encoded) return std::move(*encoded);
        result_.problems.push_back(problem_of(file.path, *file.original, encoded.error(), command_.language));
        unwritten_.insert(file.path);
        return std::nullopt;
    }

    /// What a baseline hides is not fixed: it is told from the rest before anything changes.
    void find_known(const std::vector<Input>& inputs) {
        if (!former_) return;
        EngineOptions options = engine_options();
        options.both_languages = false;
        options.progress = nullptr;
        options.timings = nullptr;
        result_.reports = check(inputs, options).reports;
        judge();
        known_ = KnownFindings(std::exchange(result_.reports, {}));
    }

    bool adds_ignores() const { return !command_.report.add_ignore.empty(); }

    /// --add-ignore: comments for what is found, or with --diff what they would be.
    void silence() {
        EngineOptions options = engine_options();
        options.both_languages = false;
        options.progress = nullptr;  // it is for the second look
        const std::vector<Input> inputs = fixable();
        result_.reports = check(inputs, options).reports;
        judge();
        narrow_reports();
        IgnoreAnswer answer = add_ignores(inputs, result_.reports, command_.report.add_ignore, command_.report.fail_on);
        result_.silenced = answer.silenced;
        result_.not_silenced = answer.refused;
        FixAnswer comments;
        comments.changed = answer.changed;
        if (command_.mode == Mode::diff) return show(comments);
        Written written = write_changes(comments, command_.apply, command_.language, unstaged_among(comments.changed));
        std::ranges::move(written.problems, std::back_inserter(result_.problems));
        changed_ = std::move(written.paths);
        result_.written = changed_.size();
        for (const ChangedFile& file : answer.changed) {
            const auto input = std::ranges::find(inputs_, file.path, &Input::path);
            if (!changed_.contains(file.path) || input == inputs_.end()) continue;
            const auto bytes = file.original->encode(file.text);
            auto now = bytes ? file.original->with_bytes(*bytes) : text::Source::from_text(file.path, file.text);
            if (now) input->source = std::make_shared<const text::Source>(std::move(*now));
        }
        if (cache_) cache_->forget_texts();
    }

    void add_diffs(std::span<const ChangedFile> files) {
        const auto is_outside = [](const ChangedFile& file) { return !path_inside(file.path); };
        result_.outside = std::ranges::any_of(files, is_outside);
        for (const ChangedFile& file : files) add_diff(file);
    }

    void add_diff(const ChangedFile& file) {
        const auto encoded = encode(file);
        if (!encoded) return;
        // Programs that apply a diff take no path that leads out of the folder they are called in.
        const std::string path =
            result_.outside ? path_from_root(file.path) : path_inside(file.path).value_or(file.path);
        std::string diff = text::unified_diff(path, path, file.original->bytes(), *encoded);
        diffs_[file.path] = diff;
        result_.diff += diff;
        ++result_.written;
    }

    report::PathInRepository in_repository() {
        return [this](const std::string& path) { return repository_paths_.from_root(path); };
    }

    report::RunReport run_report() {
        for (FileReport& report : result_.reports) report.changed = changed_.contains(report.path);
        report::RunReport run;
        run.version = kVersion;
        run.homepage = kHomepage;
        run.language = command_.language;
        run.files = result_.reports;
        run.others = others_;
        run.problems = result_.problems;
        run.fixing = result_.fixing ? &*result_.fixing : nullptr;
        run.rules = rules_looked_for(command_.selected, command_.ignored);
        run.has_baseline = result_.has_baseline;
        run.absent = result_.absent;
        run.translated = translated_;
        run.estimates = estimates_;
        run.exit_code = exit_code();
        run.in_repository = in_repository();
        run.shard = {command_.choice.shard.number, command_.choice.shard.of};
        return run;
    }

    void report() {
        if (write_documents()) return;
        result_.by_lines = scope_.is_by_lines();
        result_.left_unwritten = !unwritten_.empty();
        report_in_words(command_, result_, out_, err_);
    }

    /// False: stdout is for people.
    bool write_documents() {
        judge();
        narrow_reports();
        if (has_page()) estimates_ = estimates_of(result_.reports, inputs_, engine_options());
        for (const ReportFile& file : command_.report.files) {
            const std::string error = write_report(file.path, document_of(file.format, run_report()));
            if (error.empty()) continue;
            const std::string in_words = rules::in_language(error, command_.language);
            result_.problems.push_back(
                {file.path, "output-unwritable",
                 words("cli.output_unwritable", Data().set("path", file.path).set("detail", in_words))});
        }
        if (command_.report.on_stdout && command_.format != Format::text) {
            out_.write(document_of(command_.format, run_report()));
            return true;
        }
        return false;
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
            for (const Problem& problem : result_.problems) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        return exit_code();
    }

    int exit_code() const {
        if (!result_.problems.empty()) return kExitError;
        const ReportOptions& options = command_.report;
        if (options.exit_zero) return kExitClean;
        if (options.exit_non_zero_on_fix && result_.written > 0) return kExitFindings;
        const auto counts = [&](const report::FindingView& finding) {
            return report::is_shown(finding) && finding.severity >= options.fail_on;
        };
        const bool left = std::ranges::any_of(
            result_.reports, [&](const FileReport& report) { return std::ranges::any_of(report.findings, counts); });
        return left ? kExitFindings : kExitClean;
    }

    CheckCommand command_;
    Output& out_;
    Output& err_;
    CheckResult result_;
    std::vector<FileReport> translated_;              // for a page: the same in the other language
    std::vector<report::EstimatesOfFile> estimates_;  // likewise
    std::vector<std::string> others_;                 // files without a word of PyPTO
    std::vector<std::string> editable_;               // files that are no inputs and may be written
    Scope scope_;
    std::vector<Input> inputs_;
    std::optional<cache::CachedAnalysis> cache_;
    std::optional<Progress> progress_;
    RepositoryPaths repository_paths_;
    fixing::Timings timings_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::optional<std::vector<report::AbsentView>> former_;  // with --baseline
    KnownFindings known_;                                    // likewise, where fixes are made
    std::map<std::string, std::string> diffs_;               // by path
    std::set<std::string> changed_;                          // written
    std::set<std::string> unwritten_;                        // that should have been
};

}  // namespace

int run_check(const CheckCommand& command, Output& out, Output& err) {
    text::keep_freed_memory();
    text::prefer_large_pages();
    // The threads that will search a folder start while this one does the rest.
    std::error_code error;
    if (!command.paths.empty() && std::filesystem::is_directory(command.paths.front(), error)) {
        text::Crew::of_process().gather(std::min(text::threads_for(command.jobs), text::threads_for(0)) - 1);
    }
    text::map_code();
    auto run = std::make_unique<Run>(command, out, err);
    const int code = run->over_files();
    text::leave_to_the_system(std::move(run));
    return code;
}

int run_filter(const CheckCommand& command, Output& out, Output& err) {
    return Run(command, out, err).over_stdin();
}

}  // namespace ptofix::cli
