#include "diagnose/diagnose.h"

#include <algorithm>
#include <array>

#include "detectors/detectors.h"
#include "detectors/log_facts.h"
#include "diagnose/selector.h"
#include "diagnose/shared.h"

namespace ptofix::diagnose {

namespace {

using detectors::LogFacts;

fixing::RuleEntry& entry_of(fixing::Pipeline& pipeline, std::string_view id) {
    return *std::ranges::find(pipeline.rules, id, &fixing::RuleEntry::id);
}

/// Rules that the log adds to: those that only it can tell of, and the workspace, which it proves too large.
void add_facts(fixing::Pipeline& pipeline, const std::shared_ptr<const LogFacts>& facts) {
    if (!facts->overflows.empty()) {
        entry_of(pipeline, "PTO102").detector = [facts](const trace::Trace& trace, const detectors::Settings&,
                                                        std::vector<rules::Finding>& out) {
            detectors::unroll_accumulates_ub(trace, *facts, out);
        };
    }
    if (facts->device_memory) {
        entry_of(pipeline, "PTO208").detector = [facts](const trace::Trace& trace, const detectors::Settings&,
                                                        std::vector<rules::Finding>& out) {
            detectors::stitch_workspace_in_log(trace, *facts, out);
        };
    }
}

void add_device_memory(LogFacts& facts, const Log& log, const std::vector<std::string>& kernels) {
    for (const Event& event : log.events) {
        if (const auto* memory = std::get_if<OutOfMemory>(&event.what)) {
            facts.device_memory = LogFacts::DeviceMemory{memory->bytes, kernels};
        }
    }
}

bool is_caused_before(const Verdict& a, const Verdict& b) {
    return std::pair(a.kind, a.line) < std::pair(b.kind, b.line);
}

}  // namespace

bool has_anything(const Log& log) {
    const bool hang = log.is_pypto && !log.passes.empty() && !log.finished && !log.passes.back().failed;
    return hang || std::ranges::any_of(log.events, [&](const Event& event) {
               const auto* time = std::get_if<StageTime>(&event.what);
               return time == nullptr || time->warned || time->seconds >= kSlowSeconds;
           });
}

std::optional<hardware::Soc> chip_of(const Log& log) {
    constexpr std::array kChips{hardware::Soc::a2a3, hardware::Soc::ascend950, hardware::Soc::kirin_x90,
                                hardware::Soc::kirin_9030};
    std::vector<hardware::Soc> possible(kChips.begin(), kChips.end());
    bool any = false;
    for (const Event& event : log.events) {
        const auto* overflow = std::get_if<PoolOverflow>(&event.what);
        if (overflow == nullptr || !overflow->limit) continue;
        std::erase_if(possible, [&](hardware::Soc soc) {
            return pool_size(hardware::pools(soc), overflow->pool) != *overflow->limit;
        });
        any = true;
    }
    return any && !possible.empty() ? std::optional(possible.front()) : std::nullopt;
}

fixing::Pipeline pipeline_for(const Log& log, const std::vector<std::string>& kernels) {
    fixing::Pipeline pipeline = fixing::default_pipeline();
    auto facts = std::make_shared<LogFacts>();
    add_device_memory(*facts, log, kernels);
    add_facts(pipeline, facts);
    return pipeline;
}

std::vector<Verdict> diagnose(const Case& all) {
    std::vector<bool> done(all.log.events.size());
    std::vector<Verdict> verdicts;
    conclude_cube_tile(all, done, verdicts);
    conclude_vec_tile(all, done, verdicts);
    conclude_call(all, done, verdicts);
    conclude_memory(all, done, verdicts);
    conclude_compile_time(all, done, verdicts);
    conclude_workspace(all, done, verdicts);
    conclude_other(all, done, verdicts);
    std::ranges::stable_sort(verdicts, is_caused_before);
    return verdicts;
}

fixing::Pipeline pipeline_for(const Log& log, std::vector<Verdict> verdicts, hardware::Soc soc) {
    auto facts = std::make_shared<LogFacts>();
    std::vector<std::string> kernels;
    for (const Verdict& verdict : verdicts) {
        if (verdict.kind == Kind::workspace) kernels = verdict.selector.kernels;
        const bool unroll = std::ranges::find(verdict.selector.rules, "PTO102") != verdict.selector.rules.end();
        const auto* overflow = std::get_if<PoolOverflow>(&verdict.selector.about);
        if (!unroll || overflow == nullptr || !verdict.unrolled) continue;
        LogFacts::UnexplainedOverflow unexplained;
        unexplained.bytes = overflow->size.value_or(0);
        unexplained.limit = overflow->limit.value_or(0);
        unexplained.kernel = verdict.unrolled->kernel;
        unexplained.loop = verdict.unrolled->loop;
        unexplained.level = verdict.unrolled->level;
        const bool known = std::ranges::any_of(facts->overflows, [&](const LogFacts::UnexplainedOverflow& other) {
            return other.kernel == unexplained.kernel && other.loop == unexplained.loop;
        });
        if (!known) facts->overflows.push_back(std::move(unexplained));
    }
    add_device_memory(*facts, log, kernels);
    fixing::Pipeline pipeline = fixing::default_pipeline();
    add_facts(pipeline, facts);
    pipeline.narrow = [verdicts = std::move(verdicts), soc](const trace::Trace& trace,
                                                            std::vector<rules::Finding>& found) {
        std::vector<Selection> selections;
        for (const Verdict& verdict : verdicts) selections.emplace_back(verdict.selector, trace, soc);
        std::erase_if(found, [&](const rules::Finding& finding) {
            return std::ranges::none_of(selections, [&](const Selection& s) { return s.takes(finding); });
        });
    };
    return pipeline;
}

std::optional<std::size_t> verdict_for(const std::vector<Verdict>& verdicts, const rules::Finding& finding,
                                       const trace::Trace& trace, hardware::Soc soc) {
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (Selection(verdicts[i].selector, trace, soc).takes(finding)) return i;
    }
    return std::nullopt;
}

}  // namespace ptofix::diagnose
