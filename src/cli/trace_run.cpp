#include "cli/trace_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "cli/coverage_count.h"
#include "cli/inputs.h"
#include "cli/problems.h"
#include "cli/shown.h"
#include "cli/trace_view.h"
#include "cli/version.h"
#include "report/json.h"
#include "report/trace_view.h"
#include "text/disk_file.h"
#include "trace/tracer.h"

namespace ptofix::cli {

namespace {

class Run {
  public:
    Run(const TraceCommand& command, Output& out, Output& err)
        : command_(command), what_(command.inputs), out_(out), err_(err), folder_(current_folder()) {}

    int run() {
        const std::vector<Input> inputs = what_.read_stdin ? standard_input() : files();
        if (command_.coverage) {
            count(inputs);
        } else {
            show(inputs);
        }
        if (what_.format == Format::text) {
            for (const Problem& problem : problems_) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        return problems_.empty() ? kExitClean : kExitError;
    }

  private:
    std::vector<Input> files() {
        Inputs inputs = read_inputs(what_);
        problems_ = std::move(inputs.problems);
        return std::move(inputs.files);
    }

    std::vector<Input> standard_input() {
        std::string bytes;
        const std::string path = what_.stdin_filename.empty() ? "<stdin>" : tidy(what_.stdin_filename);
        if (const int error = text::read_all(STDIN_FILENO, SIZE_MAX, bytes); error != 0) {
            problems_.push_back(problem_of(path, "not-readable", text::error_text(error), what_.language));
            return {};
        }
        std::vector<Input> inputs;
        if (auto input = stdin_input(what_, path, bytes, problems_)) inputs.push_back(std::move(*input));
        return inputs;
    }

    /// Null when the parser refuses it; then there is a problem.
    std::unique_ptr<trace::Trace> trace(trace::Project& project, const Input& input) {
        auto file = project.parse(input.source);
        if (!file) {
            const std::scoped_lock lock(mutex_);
            problems_.push_back(problem_of(input.path, file.error(), what_.language));
            return nullptr;
        }
        trace::TraceOptions options;
        options.keep_unknowns = true;
        options.legacy_frontend = input.config->legacy_frontend;
        return trace::trace_file(project, *std::move(file), options);
    }

    void show(const std::vector<Input>& inputs) {
        std::vector<report::TraceReport> reports;
        trace::Project project;
        for (const Input& input : inputs) {
            const auto traced = trace(project, input);
            if (traced == nullptr) continue;
            const TraceViewOptions options{what_.language, input.path, folder_, what_.explain_unknown};
            reports.push_back(view_of(*traced, options));
            if (what_.format == Format::json) continue;
            if (reports.size() > 1) out_.write("\n");
            out_.write(report::text_of(reports.back(), what_.language));
            reports.back() = {};
            if (out_.closed()) return;
        }
        if (what_.format == Format::json) out_.write(report::json_of(kVersion, reports, problems_));
    }

    void count(const std::vector<Input>& inputs) {
        CoverageCount coverage(folder_);
        std::atomic<std::size_t> next{0};
        const auto files = std::make_shared<trace::ParsedFiles>();
        const auto work = [&] {
            trace::Project project(files);
            for (std::size_t i = next++; i < inputs.size(); i = next++) {
                const auto traced = trace(project, inputs[i]);
                if (traced == nullptr) continue;
                const std::scoped_lock lock(mutex_);
                coverage.add(*traced, inputs[i].path);
            }
        };
        std::vector<std::jthread> threads;
        const unsigned jobs = what_.jobs != 0 ? what_.jobs : std::max(1U, std::thread::hardware_concurrency());
        for (unsigned n = 1; n < std::min<std::size_t>(jobs, inputs.size()); ++n) threads.emplace_back(work);
        work();
        threads.clear();
        const report::CoverageReport report = coverage.take();
        out_.write(what_.format == Format::json ? report::json_of(kVersion, report, problems_)
                                                : report::text_of(report, what_.language));
    }

    const TraceCommand& command_;
    const CheckCommand& what_;
    Output& out_;
    Output& err_;
    std::string folder_;
    std::mutex mutex_;
    std::vector<Problem> problems_;
};

}  // namespace

int run_trace(const TraceCommand& command, Output& out, Output& err) {
    return Run(command, out, err).run();
}

}  // namespace ptofix::cli
