// NPU out of memory: the workspace of a kernel, allocated for as many functions as may be stitched into one task.
#include <algorithm>

#include "detectors/runtime_options.h"
#include "diagnose/case.h"
#include "diagnose/shared.h"
#include "trace/workspace.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;

// What torch tries to get for tensors of its own is often no more than this.
constexpr std::int64_t kSmallRequest = std::int64_t{256} << 20;

/// What a kernel's options say of its workspace: none of them is the cause by a finding.
class Options {
  public:
    Options(const Case& all, Verdict& verdict) : all_(all), verdict_(verdict) {}

    void tell() {
        for (const fixing::Analysis& analysis : all_.analyses) {
            if (analysis.trace != nullptr) look_at(analysis);
        }
        if (bounded_) verdict_.advice.push_back({"diagnose.advice.workspace_bound", {}});
        if (may_be_lower_) verdict_.advice.push_back({"diagnose.advice.workspace", {}});
        if (!bounded_ && !may_be_lower_) verdict_.advice.push_back({"diagnose.advice.workspace_elsewhere", {}});
    }

  private:
    void look_at(const fixing::Analysis& analysis) {
        const trace::Trace& trace = *analysis.trace;
        const bool options_are_set = detectors::sets_options(trace);
        for (trace::KernelId id = 0; id < trace.kernels.size(); ++id) {
            const trace::KernelTrace& kernel = trace.kernels[id];
            if (kernel.is_helper || kernel.first_op == kernel.end_op || kernel.context != 0) continue;
            const std::vector<std::string>& meant = verdict_.selector.kernels;
            if (!meant.empty() && std::ranges::find(meant, kernel.name) == meant.end()) continue;
            Data data = Data().set("kernel", kernel_text(analysis, id));
            std::string_view text = "diagnose.workspace.options_unknown";
            const auto number = detectors::stitch_number(kernel, options_are_set);
            if (const auto bound = detectors::workspace_bound(kernel)) {
                data.set("kibibytes", *bound);
                text = "diagnose.workspace.bound";
                bounded_ = true;
            } else if (number) {
                data.set("value", number->value.as.i);
                text = text_for(trace, kernel, *number, data);
            } else {
                may_be_lower_ = true;
            }
            if (told_++ < kMostTold) verdict_.reasons.push_back({text, std::move(data)});
        }
    }

    std::string_view text_for(const trace::Trace& trace, const trace::KernelTrace& kernel,
                              const detectors::StitchNumber& number, Data& data) {
        const trace::Workspace workspace = trace::workspace(trace, kernel);
        data.set("mebibytes", workspace.bytes(std::max<std::int64_t>(number.value.as.i, 1), number.tasks) >> 20);
        if (number.value.as.i <= detectors::kProposedStitchNumber) return "diagnose.workspace.few";
        // From that number on there is a finding, unless all of it is known to be little.
        if (number.value.as.i < detectors::kLargeStitchNumber) may_be_lower_ = true;
        return number.is_default ? "diagnose.workspace.little_default" : "diagnose.workspace.little";
    }

    static constexpr std::size_t kMostTold = 3;

    const Case& all_;
    Verdict& verdict_;
    std::size_t told_ = 0;
    bool bounded_ = false, may_be_lower_ = false;
};

}  // namespace

void conclude_workspace(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    for (std::size_t i = 0; i < all.log.events.size(); ++i) {
        const auto* memory = std::get_if<OutOfMemory>(&all.log.events[i].what);
        if (memory == nullptr) continue;
        done[i] = true;
        Verdict verdict = verdict_of(all, i, Kind::workspace);
        verdict.stage = "Run";
        verdict.pass.clear();
        verdict.code = "NPU out of memory";
        const std::int64_t bytes = memory->bytes.value_or(0);
        const Data data = Data().set("mebibytes", bytes >> 20);
        verdict.headline = {bytes > 0 ? "diagnose.workspace.tried" : "diagnose.workspace", data};
        verdict.no_use.push_back({"diagnose.no_use.tiles_for_workspace", {}});
        verdict.selector.rules = {"PTO208"};
        const std::vector<TakenFinding> found = settle(all, verdict);
        if (!found.empty() && !untie_if_ambiguous(all, found, verdict)) {
            verdict.confidence = Confidence::certain;
            verdict.advice.push_back(direction_of("PTO208"));
        } else if (found.empty()) {
            if (all.has_kernels() && !verdict.selector.nothing) {
                Options(all, verdict).tell();
            } else {
                verdict.advice.push_back({"diagnose.advice.workspace", {}});
            }
        }
        if (bytes > 0 && bytes < kSmallRequest) {
            verdict.reasons.push_back({"diagnose.workspace.small", data});
            verdict.confidence = std::min(verdict.confidence, Confidence::likely);
        }
        out.push_back(std::move(verdict));
    }
}

}  // namespace ptofix::diagnose
