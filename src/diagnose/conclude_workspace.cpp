// NPU out of memory: the workspace of a kernel, allocated for as many functions as may be stitched into one task.
#include <algorithm>

#include "diagnose/case.h"
#include "diagnose/shared.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;

// What torch tries to get for tensors of its own is often no more than this.
constexpr std::int64_t kSmallRequest = std::int64_t{256} << 20;

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
            if (all.has_kernels() && !verdict.selector.nothing)
                verdict.reasons.push_back({"diagnose.workspace.not_in_kernel", {}});
            verdict.advice.push_back({"diagnose.advice.workspace", {}});
        }
        if (bytes > 0 && bytes < kSmallRequest) {
            verdict.reasons.push_back({"diagnose.workspace.small", data});
            verdict.confidence = std::min(verdict.confidence, Confidence::likely);
        }
        out.push_back(std::move(verdict));
    }
}

}  // namespace ptofix::diagnose
