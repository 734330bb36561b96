#include "cli/trace_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "cli/coverage_count.h"
#include "cli/problems.h"
#include "cli/shown.h"
#include "cli/trace_view.h"
#include "cli/traced_inputs.h"
#include "cli/version.h"
#include "report/json.h"
#include "report/trace_view.h"
#include "text/parallel.h"

namespace ptofix::cli {

namespace {

class Run {
  public:
    Run(const TraceCommand& command, Output& out, Output& err)
        : command_(command), what_(command.inputs), inputs_(what_), out_(out), err_(err), folder_(current_folder()) {}

    int run() {
        if (const std::string fault = soc_fault(what_.soc, what_.language); !fault.empty()) {
            err_.write(fault);
            return kExitError;
        }
        const std::vector<Input> inputs = inputs_.read();
        for (const std::string& note : inputs_.notes()) err_.write(note + "\n");
        if (command_.coverage) {
            count(inputs);
        } else {
            show(inputs);
        }
        if (what_.format == Format::text) {
            for (const Problem& problem : inputs_.problems()) err_.write(fmt::format("pto-fix: {}\n", problem.message));
        }
        return inputs_.problems().empty() ? kExitClean : kExitError;
    }

  private:
    void show(const std::vector<Input>& inputs) {
        std::vector<report::TraceReport> reports;
        trace::Project project;
        for (const Input& input : inputs) {
            const auto traced = inputs_.trace(project, input);
            if (traced == nullptr) continue;
            const TraceViewOptions options{what_.language, input.path, folder_, what_.explain_unknown};
            reports.push_back(view_of(*traced, options));
            if (what_.format == Format::json) continue;
            if (reports.size() > 1) out_.write("\n");
            out_.write(report::text_of(reports.back(), what_.language));
            reports.back() = {};
            if (out_.closed()) return;
        }
        if (what_.format == Format::json) out_.write(report::json_of(kVersion, reports, inputs_.problems()));
    }

    void count(const std::vector<Input>& inputs) {
        CoverageCount coverage(folder_);
        const auto files = std::make_shared<trace::ParsedFiles>();
        text::in_parallel(inputs.size(), text::threads_for(what_.jobs), [&] {
            return [&, project = std::make_shared<trace::Project>(files)](std::size_t i) {
                const auto traced = inputs_.trace(*project, inputs[i]);
                if (traced == nullptr) return;
                const std::scoped_lock lock(mutex_);
                coverage.add(*traced, inputs[i].path);
            };
        });
        const report::CoverageReport report = coverage.take();
        out_.write(what_.format == Format::json ? report::json_of(kVersion, report, inputs_.problems())
                                                : report::text_of(report, what_.language));
    }

    const TraceCommand& command_;
    const CheckCommand& what_;
    TracedInputs inputs_;
    Output& out_;
    Output& err_;
    std::string folder_;
    std::mutex mutex_;
};

}  // namespace

int run_trace(const TraceCommand& command, Output& out, Output& err) {
    return Run(command, out, err).run();
}

}  // namespace ptofix::cli
