#include "cli/diagnose_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <tuple>

#include "cli/diagnosis_view.h"
#include "cli/dirty_tree.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/problems.h"
#include "cli/report_file.h"
#include "cli/repository_paths.h"
#include "cli/shown.h"
#include "cli/version.h"
#include "cli/write_changes.h"
#include "diagnose/diagnose.h"
#include "diagnose/read_log.h"
#include "report/diagnosis_view.h"
#include "report/fingerprint.h"
#include "rules/messages.h"
#include "text/diff.h"
#include "text/disk_file.h"
#include "text/parallel.h"

namespace ptofix::cli {

namespace {

using diagnose::Verdict;
using fixing::Analysis;
using rules::Data;

/// Which verdict a finding belongs to, by what the report shows of it.
using FindingKey = std::tuple<std::string, std::string_view, text::Range>;

class Run {
  public:
    Run(const DiagnoseCommand& command, Output& out, Output& err)
        : command_(command), what_(command.inputs), out_(out), err_(err), folder_(current_folder()) {
        options_.language = what_.language;
        options_.unsafe_fixes = what_.unsafe_fixes;
        options_.jobs = text::threads_for(what_.jobs);
    }

    int run() {
        if (const std::string fault = soc_fault(what_.soc, what_.language); !fault.empty()) {
            err_.write(fault);
            return kExitError;
        }
        if (!read_the_log()) {
            write_nothing();
            return code_;
        }
        if (!what_.paths.empty()) read_kernels();
        choose_chip();
        conclude();
        if (what_.mode != Mode::check) fix_it();
        check_it();
        report();
        return finish();
    }

  private:
    std::string words(std::string_view id, Data data = {}) const {
        return rules::render({id, std::move(data)}, what_.language);
    }
    void say(std::string_view id, Data data = {}) { err_.write("pto-fix: " + words(id, std::move(data)) + "\n"); }

    std::string log_name() const { return command_.log == "-" ? "<stdin>" : command_.log; }
    Data log_data() const { return Data().set("path", log_name()).set("lines", static_cast<std::int64_t>(log_.lines)); }

    /// Says it of the log as a whole, and keeps it for the document.
    void refuse(std::string_view kind, std::string_view id, Data data) {
        problems_.push_back({log_name(), std::string(kind), words(id, data)});
        say(id, std::move(data));
        code_ = kExitError;
    }

    /// Whoever reads a document gets one of a run without verdicts too.
    void write_nothing() {
        report::DiagnosisReport document;
        document.log = log_name();
        document.lines = log_.lines;
        document.bytes = log_.bytes;
        const std::size_t told = problems_.size();
        write_files(document, code_);
        for (const report::Problem& problem : std::span(problems_).subspan(told)) {
            err_.write(fmt::format("pto-fix: {}\n", problem.message));
            code_ = kExitError;
        }
        if (what_.report.on_stdout && what_.format != Format::text) {
            out_.write(text_of(document, what_.format, code_, false));
        }
    }

    std::string text_of(report::DiagnosisReport document, Format format, int exit_code, bool colour) const {
        if (format == Format::json) {
            return report::json_of(kVersion, document, problems_, fixing_ ? &*fixing_ : nullptr);
        }
        if (format == Format::sarif) {
            report::add_fingerprints(document.files);
            return sarif_of(document, exit_code);
        }
        if (what_.mode == Mode::apply) leave_unsettled(document);
        return report::text_of(document, report::TextStyle{colour, what_.language});
    }

    /// Where fixes were written, what is left is for people.
    void leave_unsettled(report::DiagnosisReport& document) const {
        document.verdicts.clear();
        for (std::size_t i = 0; i < views_.size(); ++i) {
            if (!is_settled(i)) document.verdicts.push_back(views_[i]);
        }
        document.notes.clear();
    }

    /// The documents of --output. One that can't be written is a problem of the run.
    void write_files(const report::DiagnosisReport& document, int exit_code) {
        for (const ReportFile& file : what_.report.files) {
            const std::string error = write_report(file.path, text_of(document, file.format, exit_code, false));
            if (error.empty()) continue;
            Data data = Data().set("path", file.path).set("detail", rules::in_language(error, what_.language));
            problems_.push_back({file.path, "output-unwritable", words("cli.output_unwritable", std::move(data))});
        }
    }

    /// False: there is nothing to diagnose, and it has been said.
    bool read_the_log() {
        auto read = diagnose::read_log(command_.log);
        using Kind = diagnose::StreamError::Kind;
        if (!read) {
            const std::string detail = read.error().kind == Kind::unreadable
                                           ? rules::in_language(text::error_text(read.error().error), what_.language)
                                           : std::string{};
            if (read.error().kind == Kind::unreadable) {
                refuse("unreadable", "diagnose.unreadable", log_data().set("detail", detail));
            } else {
                refuse("damaged", "diagnose.damaged", log_data());
            }
            return false;
        }
        log_ = std::move(read->log);
        if (read->error)
            say(read->error->kind == Kind::cut_short ? "diagnose.cut_short" : "diagnose.damaged", log_data());
        if (diagnose::has_anything(log_) && is_about_pypto()) return true;
        if (log_.bytes == 0) {
            refuse("empty", "diagnose.empty", log_data());
        } else if (log_.finished && log_.is_pypto) {
            say("diagnose.no_error", log_data());
            code_ = kExitClean;
            return false;
        } else {
            refuse("unrelated", "diagnose.unrelated", log_data());
        }
        return false;
    }

    /// A message that anything may print, such as exit 124, says nothing of a kernel unless one was given with the log.
    bool is_about_pypto() const {
        if (log_.is_pypto || !what_.paths.empty()) return true;
        return std::ranges::any_of(log_.events, [](const diagnose::Event& event) {
            return std::holds_alternative<diagnose::OutOfMemory>(event.what);
        });
    }

    void read_kernels() {
        Inputs inputs = read_inputs(what_);
        problems_ = std::move(inputs.problems);
        for (const std::string& note : inputs.notes) err_.write(note + "\n");
        inputs_ = std::move(inputs.files);
        options_.also_editable = std::move(inputs.others);
    }

    /// The command line's, else what the log speaks of, else the configuration's.
    void choose_chip() {
        std::string configured = what_.soc;
        if (configured.empty() && !inputs_.empty()) configured = inputs_.front().config->soc;
        soc_ = hardware::soc_of_name(configured).value_or(hardware::Soc::a2a3);
        const auto told = diagnose::chip_of(log_);
        if (what_.soc.empty() && told && *told != soc_) {
            soc_ = *told;
            notes_.push_back(words("diagnose.chip", Data().set("chip", std::string(hardware::pools(soc_).name))));
        }
        options_.soc = hardware::pools(soc_).name;
    }

    std::vector<Analysis> analyse(const fixing::Pipeline& pipeline) {
        options_.pipeline = &pipeline;
        std::vector<Analysis> analyses;
        analyses.reserve(inputs_.size());
        for (const Input& input : inputs_) {
            analyses.push_back(fixing::analyse(project_, input.source, config_of(*input.config, options_), pipeline));
        }
        options_.pipeline = nullptr;
        return analyses;
    }

    void conclude() {
        const fixing::Pipeline everything = diagnose::pipeline_for(log_);
        analyses_ = analyse(everything);
        verdicts_ = diagnose::diagnose({log_, analyses_, soc_});
        settle_open_sizes(everything);
        const diagnose::Case all{log_, analyses_, soc_};
        for (const Verdict& verdict : verdicts_) {
            views_.push_back(verdict_view(verdict, all, folder_, what_.language));
        }
        for (const Analysis& analysis : analyses_) all_findings_ += analysis.findings.size();
        pipeline_ = diagnose::pipeline_for(log_, verdicts_, soc_);
        for (const Verdict& verdict : verdicts_) {
            for (const std::string_view rule : verdict.selector.rules) options_.selected.emplace_back(rule);
        }
    }

    /// Where the log's number is that of an operation with one open size, that size is known now. Fixes that rest on it
    /// are for a person to look at.
    void settle_open_sizes(const fixing::Pipeline& everything) {
        for (const Verdict& verdict : verdicts_) {
            if (verdict.matches.empty() || !verdict.matches.front().with) continue;
            const trace::Assumption& with = *verdict.matches.front().with;
            const bool agreed =
                std::ranges::all_of(verdict.matches, [&](const auto& match) { return match.with == with; });
            if (agreed) options_.assume.push_back(with);
        }
        if (options_.assume.empty()) return;
        std::vector<Analysis> assumed = analyse(everything);
        std::vector<Verdict> again = diagnose::diagnose({log_, assumed, soc_});
        for (std::size_t i = 0; i < again.size() && i < verdicts_.size(); ++i) {
            if (again[i].events != verdicts_[i].events || verdicts_[i].matches.empty()) continue;
            if (!verdicts_[i].matches.front().with) continue;
            // It is told as it was found: with the size that makes it so.
            again[i].reasons = verdicts_[i].reasons;
            for (std::size_t m = 0; m < again[i].matches.size() && m < verdicts_[i].matches.size(); ++m) {
                again[i].matches[m].with = verdicts_[i].matches[m].with;
            }
            again[i].confidence = std::min(again[i].confidence, diagnose::Confidence::likely);
        }
        analyses_ = std::move(assumed);
        verdicts_ = std::move(again);
    }

    bool has_rules() const { return !options_.selected.empty() && !inputs_.empty(); }

    void fix_it() {
        if (!has_rules()) return;
        if (what_.mode == Mode::apply) {
            if (auto problem = work_in_the_way(inputs_, options_.also_editable, what_.apply, what_.language)) {
                problems_.push_back(*std::move(problem));
                return;
            }
        }
        options_.pipeline = &pipeline_;
        FixAnswer answer = fix(inputs_, options_);
        std::ranges::move(answer.problems, std::back_inserter(problems_));
        fixing_ = std::move(answer.fixing);
        if (what_.mode == Mode::apply) {
            Written written = write_changes(answer, what_.apply, what_.language);
            changed_ = std::move(written.paths);
            std::ranges::move(written.problems, std::back_inserter(problems_));
            // What is reported is what the files hold now.
            for (Input& input : inputs_) {
                if (!changed_.contains(input.path)) continue;
                if (auto source = text::Source::load(input.path)) {
                    input.source = std::make_shared<const text::Source>(std::move(*source));
                }
            }
            return;
        }
        const auto is_outside = [](const ChangedFile& file) { return !path_inside(file.path); };
        outside_ = std::ranges::any_of(answer.changed, is_outside);
        would_change_ = answer.changed.size();
        for (const ChangedFile& file : answer.changed) {
            auto encoded = file.original->encode(file.text);
            if (!encoded) {
                problems_.push_back(problem_of(file.path, *file.original, encoded.error(), what_.language));
                continue;
            }
            // Programs that apply a diff take no path that leads out of the folder they are called in.
            const std::string path = outside_ ? path_from_root(file.path) : *path_inside(file.path);
            diff_ += text::unified_diff(path, path, file.original->bytes(), *encoded);
        }
    }

    void check_it() {
        if (!has_rules()) return;
        options_.pipeline = &pipeline_;
        std::mutex mutex;
        std::map<FindingKey, std::size_t> verdict_of;
        options_.look = [&](const Analysis& analysis) {
            if (analysis.trace == nullptr) return;
            for (const fixing::Diagnosis& diagnosis : analysis.findings) {
                const rules::Finding& finding = diagnosis.finding;
                const auto index = diagnose::verdict_for(verdicts_, finding, *analysis.trace, soc_);
                const std::scoped_lock lock(mutex);
                if (index)
                    verdict_of.emplace(FindingKey{key_path(analysis, finding), finding.rule, finding.location.range},
                                       *index);
            }
        };
        Answer answer = check(inputs_, options_);
        options_.look = {};
        if (what_.mode == Mode::check) std::ranges::move(answer.problems, std::back_inserter(problems_));
        files_ = std::move(answer.reports);
        for (std::size_t f = 0; f < files_.size(); ++f) {
            for (std::size_t i = 0; i < files_[f].findings.size(); ++i) {
                const report::FindingView& finding = files_[f].findings[i];
                const FindingKey key{files_[f].files[finding.primary.file].path(), finding.rule, finding.primary.range};
                const auto found = verdict_of.find(key);
                if (found != verdict_of.end()) views_[found->second].findings.push_back({f, i});
            }
        }
    }

    static std::string key_path(const Analysis& analysis, const rules::Finding& finding) {
        return analysis.sources[finding.location.file]->path();
    }

    std::size_t diagnosed() const {
        std::size_t count = 0;
        for (const report::VerdictView& view : views_) count += view.findings.size();
        return count;
    }

    std::string arguments() const { return fmt::format("{} {}", command_.log, fmt::join(what_.paths, " ")); }

    void add_hints(report::DiagnosisReport& report) const {
        if (what_.mode != Mode::check) return;
        if (inputs_.empty() && what_.paths.empty()) {
            if (!log_.frames.empty()) {
                const diagnose::PythonFrame& inner = log_.frames.back();
                report.hints.push_back(words("diagnose.frame", Data().set("file", inner.file).set("line", inner.line)));
            }
            report.hints.push_back(words("diagnose.hint.kernel", Data().set("log", command_.log)));
            return;
        }
        bool safe = false, with_unsafe = false;
        for (const report::FileReport& file : report.files) {
            for (const report::FindingView& finding : file.findings) {
                if (!finding.fix) continue;
                safe = safe || finding.fix->applicability == rules::Applicability::safe;
                with_unsafe = with_unsafe || finding.fix->applicability == rules::Applicability::unsafe;
            }
        }
        if (command_.log == "-") return;
        if (safe) report.hints.push_back(words("diagnose.hint.apply", Data().set("arguments", arguments())));
        if (with_unsafe && !safe) {
            report.hints.push_back(words("diagnose.hint.unsafe", Data().set("arguments", arguments())));
        }
    }

    report::DiagnosisReport document() {
        report::DiagnosisReport report;
        report.log = log_name();
        report.lines = log_.lines;
        report.bytes = log_.bytes;
        report.verdicts = views_;
        report.files = files_;
        for (report::FileReport& file : report.files) file.changed = changed_.contains(file.path);
        report.notes = notes_;
        const std::size_t count = diagnosed();
        if (what_.mode == Mode::check && all_findings_ > count) {
            report.notes.push_back(
                words("diagnose.other_findings", Data()
                                                     .set("count", static_cast<std::int64_t>(all_findings_ - count))
                                                     .set("paths", fmt::format("{}", fmt::join(what_.paths, " ")))));
        }
        add_hints(report);
        return report;
    }

    void report() {
        const report::DiagnosisReport document = this->document();
        write_files(document, exit_code());
        if (what_.report.on_stdout && what_.format != Format::text) {
            out_.write(text_of(document, what_.format, exit_code(), false));
            return;
        }
        if (what_.mode == Mode::diff) {
            out_.write(diff_);
            if (outside_) err_.write(words("cli.diff_from_root") + "\n");
            for (const report::VerdictView& view : views_) {
                err_.write(fmt::format("{}:{}: {}\n", document.log, view.line, view.headline));
            }
            summarise();
            return;
        }
        if (what_.report.on_stdout) {
            out_.write(text_of(document, Format::text, exit_code(), use_colour(what_.colour, out_)));
        }
        if (what_.mode == Mode::apply) summarise();
        if (log_.left_out > 0)
            say("diagnose.left_out", log_data().set("count", static_cast<std::int64_t>(log_.left_out)));
    }

    /// Something was fixed for it, and nothing of it is left.
    bool is_settled(std::size_t index) const {
        if (!views_[index].findings.empty() || !fixing_) return false;
        return std::ranges::any_of(verdicts_[index].selector.rules, [&](std::string_view rule) {
            return std::ranges::any_of(fixing_->applied,
                                       [&](const auto& one) { return one.first == rule && one.second > 0; });
        });
    }

    void summarise() {
        std::int64_t fixes = 0;
        if (fixing_) {
            for (const auto& [rule, number] : fixing_->applied) fixes += number;
        }
        if (fixes == 0) {
            err_.write(words("cli.summary.nothing_to_apply") + "\n");
            return;
        }
        const std::size_t files = what_.mode == Mode::diff ? would_change_ : changed_.size();
        err_.write(words(what_.mode == Mode::diff ? "cli.summary.would_apply" : "cli.summary.applied",
                         Data().set("fixes", fixes).set("files", static_cast<std::int64_t>(files))) +
                   "\n");
    }

    std::string sarif_of(const report::DiagnosisReport& document, int exit_code) const {
        report::SarifRun run;
        run.version = kVersion;
        run.homepage = kHomepage;
        run.language = what_.language;
        run.problems = problems_;
        run.exit_code = exit_code;
        run.in_repository = [paths = RepositoryPaths()](const std::string& path) mutable {
            return paths.from_root(path);
        };
        return report::sarif_of(std::move(run), document);
    }

    int finish() {
        if (what_.format != Format::json || !what_.report.on_stdout) {
            for (const report::Problem& problem : problems_) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        return exit_code();
    }

    int exit_code() const {
        if (!problems_.empty()) return kExitError;
        if (what_.mode != Mode::apply) return views_.empty() ? kExitClean : kExitFindings;
        for (std::size_t i = 0; i < views_.size(); ++i) {
            if (!is_settled(i)) return kExitFindings;
        }
        return kExitClean;
    }

    const DiagnoseCommand& command_;
    const CheckCommand& what_;
    Output& out_;
    Output& err_;
    std::string folder_;
    int code_ = kExitClean;
    diagnose::Log log_;
    hardware::Soc soc_ = hardware::Soc::a2a3;
    EngineOptions options_;
    trace::Project project_;
    std::vector<Input> inputs_;
    std::vector<Analysis> analyses_;
    std::size_t all_findings_ = 0;
    std::vector<Verdict> verdicts_;
    fixing::Pipeline pipeline_;
    std::vector<report::VerdictView> views_;  // by verdicts_
    std::vector<report::FileReport> files_;
    std::vector<report::Problem> problems_;
    std::vector<std::string> notes_;
    std::optional<report::FixingView> fixing_;
    std::set<std::string> changed_;  // written
    std::string diff_;
    bool outside_ = false;          // some of the changed files are not below the current folder
    std::size_t would_change_ = 0;  // with --diff
};

}  // namespace

int run_diagnose(const DiagnoseCommand& command, Output& out, Output& err) {
    return Run(command, out, err).run();
}

}  // namespace ptofix::cli
