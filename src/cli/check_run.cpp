#include "cli/check_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "cli/config.h"
#include "cli/engine.h"
#include "cli/inputs.h"
#include "cli/problems.h"
#include "cli/version.h"
#include "hardware/soc.h"
#include "report/json.h"
#include "report/text.h"
#include "rules/messages.h"
#include "text/diff.h"
#include "text/disk_file.h"
#include "text/write_file.h"

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
    bool anything_left() const { return errors + warnings > 0; }
};

Counts count(std::span<const FileReport> reports) {
    Counts counts;
    for (const FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) counts.add(finding);
    }
    return counts;
}

EngineOptions engine_options(const CheckCommand& command) {
    EngineOptions options;
    options.language = command.language;
    options.soc = command.soc;
    options.selected = command.selected;
    options.ignored = command.ignored;
    options.unsafe_fixes = command.unsafe_fixes;
    options.explain_unknown = command.explain_unknown;
    options.jobs = command.jobs;
    return options;
}

/// One run: what it prints, and what its exit code is.
class Run {
  public:
    Run(CheckCommand command, Output& out, Output& err) : command_(std::move(command)), out_(out), err_(err) {
        if (command_.jobs == 0) command_.jobs = std::max(1U, std::thread::hardware_concurrency());
    }

    int over_files() {
        if (!known_soc()) return kExitError;
        Inputs inputs = read_inputs(command_);
        for (Problem& problem : inputs.problems) problems_.push_back(std::move(problem));
        checked_ = inputs.files.size() + inputs.others.size();
        others_ = std::move(inputs.others);
        if (command_.mode == Mode::check) {
            Answer answer = check(inputs.files, engine_options(command_));
            take(answer);
            report_findings();
        } else {
            FixAnswer answer = fix(inputs.files, engine_options(command_));
            take(answer);
            fixes_ = answer.fixes;
            for (const ChangedFile& file : answer.changed) {
                command_.mode == Mode::diff ? add_diff(file) : write(file);
            }
            report_fixes();
        }
        return finish();
    }

    int over_stdin() {
        if (!known_soc()) return kExitError;
        if (::isatty(STDIN_FILENO) == 1) err_.write(words("cli.reading_terminal") + "\n");
        std::string bytes;
        const std::string path = command_.stdin_filename.empty() ? "<stdin>" : tidy(command_.stdin_filename);
        if (const int error = text::read_all(STDIN_FILENO, text::kMaxSourceBytes + 1, bytes); error != 0) {
            problems_.push_back(problem_of(path, "not-readable", text::error_text(error), command_.language));
            return finish();
        }
        const bool echo = command_.mode == Mode::apply;
        std::optional<Input> input = stdin_input(path, bytes);
        checked_ = input ? 1 : 0;
        std::string fixed;
        if (input && !mentions_pypto(input->source->text())) {
            others_.push_back(path);
            input.reset();
        }
        if (input) {
            const std::span<const Input> one(&*input, 1);
            if (command_.mode == Mode::check) {
                Answer answer = check(one, engine_options(command_));
                take(answer);
            } else {
                FixAnswer answer = fix(one, engine_options(command_));
                take(answer);
                fixes_ = answer.fixes;
                for (const ChangedFile& file : answer.changed) {
                    // Only the text that came in can go out again.
                    if (file.path != path) continue;
                    if (command_.mode == Mode::diff) {
                        add_diff(file);
                    } else if (auto encoded = encode(file)) {
                        fixed = std::move(*encoded);
                        ++written_;
                    }
                }
            }
        }
        if (echo) {
            out_.write(written_ > 0 ? fixed : bytes);
        } else if (command_.mode == Mode::check) {
            report_findings();
            return finish();
        }
        report_fixes();
        return finish();
    }

  private:
    std::string words(std::string_view id, Data data = {}) const {
        return rules::render({id, std::move(data)}, command_.language);
    }

    bool known_soc() {
        if (command_.soc.empty() || hardware::soc_of_name(command_.soc)) return true;
        std::vector<std::string_view> known;
        for (const hardware::Pools& pools : hardware::all_pools()) known.push_back(pools.name);
        const Data data = Data().set("soc", command_.soc).set("known", fmt::format("{}", fmt::join(known, ", ")));
        err_.write(fmt::format("pto-fix: {}\n", words("cli.unknown_soc", data)));
        return false;
    }

    std::optional<Input> stdin_input(const std::string& path, const std::string& bytes) {
        ConfigFinder finder(command_.language);
        ConfigResult config = std::make_shared<const FileConfig>();
        const std::string absolute = absolute_path(command_.stdin_filename.empty() ? "." : path);
        if (!command_.config_path.empty()) {
            config = finder.read(command_.config_path);
        } else if (!command_.no_config) {
            config = finder.of_file(command_.stdin_filename.empty() ? absolute + "/stdin.py" : absolute);
        }
        if (!config) {
            problems_.push_back({config.error().path, "configuration", config.error().message});
            return std::nullopt;
        }
        if (command_.force_exclude && (*config)->excludes(absolute)) return std::nullopt;
        auto source = text::Source::from_bytes(path, bytes);
        if (!source) {
            problems_.push_back(problem_of(path, source.error(), command_.language));
            return std::nullopt;
        }
        return Input{path, std::make_shared<const text::Source>(std::move(*source)), std::move(*config)};
    }

    void take(Answer& answer) {
        reports_ = std::move(answer.reports);
        for (Problem& problem : answer.problems) problems_.push_back(std::move(problem));
    }

    FileReport* report_of(const std::string& path) {
        const auto found = std::ranges::find(reports_, path, &FileReport::path);
        return found == reports_.end() ? nullptr : &*found;
    }

    std::optional<std::string> encode(const ChangedFile& file) {
        auto encoded = file.original->encode(file.text);
        if (encoded) return std::move(*encoded);
        problems_.push_back(problem_of(file.path, *file.original, encoded.error(), command_.language));
        return std::nullopt;
    }

    void add_diff(const ChangedFile& file) {
        const auto encoded = encode(file);
        if (!encoded) return;
        std::string diff = text::unified_diff(file.path, file.path, file.original->bytes(), *encoded);
        if (FileReport* report = report_of(file.path)) report->diff = diff;
        diff_ += diff;
        ++written_;
    }

    void write(const ChangedFile& file) {
        const auto encoded = encode(file);
        if (!encoded) return;
        if (const auto done = text::write_file(*file.original, *encoded); !done) {
            problems_.push_back(problem_of(file.path, done.error(), command_.language));
            return;
        }
        if (FileReport* report = report_of(file.path)) report->changed = true;
        ++written_;
    }

    bool colour() const {
        if (command_.colour != Colour::automatic) return command_.colour == Colour::always;
        const char* no_colour = std::getenv("NO_COLOR");
        const char* terminal = std::getenv("TERM");
        return out_.is_terminal() && (no_colour == nullptr || *no_colour == '\0') &&
               (terminal == nullptr || std::string_view(terminal) != "dumb");
    }

    void write_json() {
        std::vector<report::JsonFragment> fragments;
        for (const FileReport& report : reports_) fragments.push_back(report::json_of(report));
        for (const std::string& path : others_) {
            FileReport nothing;
            nothing.path = path;
            fragments.push_back(report::json_of(nothing));
        }
        for (const Problem& problem : problems_) fragments.push_back(report::json_of(problem));
        std::ranges::stable_sort(fragments, {}, &report::JsonFragment::path);
        out_.write(report::json_document(kVersion, fragments));
    }

    void write_text() {
        const report::TextStyle style{colour(), command_.language};
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

    void report_findings() {
        if (command_.format == Format::json) {
            write_json();
            return;
        }
        write_text();
        const Counts counts = count(reports_);
        if (counts.errors + counts.warnings + counts.infos == 0) {
            if (checked_ > 0) err_.write(words("cli.summary.clean", totals(counts)) + "\n");
            return;
        }
        err_.write(words("cli.summary.found", totals(counts)) + "\n");
        if (counts.safe > 0) err_.write(words("cli.summary.fixable", Data().set("count", counts.safe)) + "\n");
        if (counts.unsafe_fixes > 0) {
            err_.write(words("cli.summary.unsafe", Data().set("count", counts.unsafe_fixes)) + "\n");
        }
    }

    void report_fixes() {
        const bool filter_text = command_.read_stdin && command_.mode == Mode::apply;
        if (command_.format == Format::json) {
            write_json();
            return;
        }
        if (command_.mode == Mode::diff) {
            out_.write(diff_);
        } else if (filter_text) {
            const report::TextStyle plain{false, command_.language};
            for (const FileReport& report : reports_) err_.write(report::text_of(report, plain));
        } else {
            write_text();
        }
        const Counts left = count(reports_);
        const std::string_view done = command_.mode == Mode::diff ? "cli.summary.would_apply" : "cli.summary.applied";
        err_.write(
            words(done, Data().set("fixes", std::int64_t{fixes_}).set("files", static_cast<std::int64_t>(written_))) +
            "\n");
        err_.write(words("cli.summary.left", totals(left)) + "\n");
    }

    int finish() {
        if (command_.format == Format::text) {
            for (const Problem& problem : problems_) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        if (!problems_.empty()) return kExitError;
        return count(reports_).anything_left() || (command_.mode == Mode::diff && fixes_ > 0) ? kExitFindings
                                                                                              : kExitClean;
    }

    CheckCommand command_;
    Output& out_;
    Output& err_;
    std::vector<FileReport> reports_;
    std::vector<Problem> problems_;
    std::vector<std::string> others_;  // files without a word of PyPTO
    std::size_t checked_ = 0;
    std::size_t written_ = 0;
    std::uint32_t fixes_ = 0;
    std::string diff_;
};

}  // namespace

int run_check(const CheckCommand& command, Output& out, Output& err) {
    return Run(command, out, err).over_files();
}

int run_filter(const CheckCommand& command, Output& out, Output& err) {
    return Run(command, out, err).over_stdin();
}

}  // namespace ptofix::cli
