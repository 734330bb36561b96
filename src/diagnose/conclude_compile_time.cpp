// Compiling that does not come to an end, or only after minutes: the stage by what the log says last, the loop by the
// name of the function, the cause by what the kernel has. F0F619, exit 124, Pass_NN, Compiler Monitor, F7A007.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "diagnose/case.h"
#include "diagnose/places.h"
#include "diagnose/selector.h"
#include "diagnose/shared.h"
#include "trace/compile_cost.h"
#include "trace/project.h"

namespace ptofix::diagnose {

namespace {

using rules::Data;
using Number = std::int64_t;

/// The stages of the experience notes' table, and what they come from, likeliest first.
enum class Stage : std::uint8_t { code_generation, frame, subgraphs, expanding, scheduling, slow_pass, nowhere, count };

struct StageInfo {
    Stage stage;
    std::string_view name;
    std::array<std::string_view, 6> rules;
    std::size_t expected;  // so many of them are what the notes name for the stage
};
constexpr std::array kStages{
    StageInfo{Stage::code_generation, "CodeGen", {"PTO203", "PTO202", "PTO204", "PTO201", "PTO206", "PTO207"}, 2},
    StageInfo{Stage::frame, "CodeGen", {"PTO203", "PTO204", "PTO206", "PTO202", "PTO201", "PTO207"}, 3},
    StageInfo{Stage::subgraphs, "Pass", {"PTO202", "PTO203", "PTO201", "PTO204", "PTO206", "PTO207"}, 1},
    StageInfo{Stage::expanding, "Pass", {"PTO207", "PTO206", "PTO201", "PTO202", "PTO203", "PTO204"}, 1},
    StageInfo{Stage::scheduling, "Pass", {"PTO201", "PTO204", "PTO202", "PTO203", "PTO206", "PTO207"}, 1},
    StageInfo{Stage::slow_pass, "Pass", {"PTO204", "PTO202", "PTO203", "PTO201", "PTO206", "PTO207"}, 1},
    StageInfo{Stage::nowhere, "", {"PTO201", "PTO206", "PTO202", "PTO203", "PTO204", "PTO207"}, 2},
    StageInfo{Stage::count, "", {"PTO201", "PTO202", "PTO203", "PTO204", "PTO206", "PTO207"}, 6},
};

const StageInfo& info_of(Stage stage) {
    return *std::ranges::find(kStages, stage, &StageInfo::stage);
}

/// What is said of one function.
struct Account {
    FunctionName function;
    std::vector<std::size_t> events;
    bool code_failed = false, killed = false, stopped = false, warned = false, too_many = false;
    std::optional<Number> frame, frame_limit, size, limit;
    double seconds = 0;
    std::string stage;  // that took them
    std::optional<Number> exit_code;
};

Stage stage_of_pass(std::string_view pass) {
    if (pass == "SubgraphToFunction") return Stage::subgraphs;
    if (pass == "ExpandFunction" || pass == "MergeViewAssemble") return Stage::expanding;
    if (pass == "OoOSchedule") return Stage::scheduling;
    return Stage::nowhere;
}

class CompileTime {
  public:
    CompileTime(const Case& all, std::vector<bool>& done) : all_(all), done_(done) {}

    void run(std::vector<Verdict>& out) {
        collect();
        const bool explained = is_explained();
        const std::size_t before = out.size();
        for (const Account& account : accounts_) {
            const bool failed = account.code_failed || account.too_many || account.frame;
            const bool slow = account.stopped || account.warned || account.seconds >= kSlowSeconds;
            if (failed || (slow && !explained)) out.push_back(conclude(account));
        }
        if (out.size() > before || explained || !hangs_silently()) return;
        Account silent;
        silent.function = all_.log.passes.back().function;
        out.push_back(conclude(silent));
    }

  private:
    void collect() {
        std::vector<std::size_t> nameless;
        for (std::size_t i = 0; i < all_.log.events.size(); ++i) {
            const Event& event = all_.log.events[i];
            const bool mine =
                std::holds_alternative<CodeFailed>(event.what) || std::holds_alternative<StageTime>(event.what) ||
                std::holds_alternative<Stopped>(event.what) || std::holds_alternative<TooManyOperations>(event.what);
            if (!mine) continue;
            done_[i] = true;
            const FunctionName function = own_function(event);
            if (function.whole.empty()) {
                nameless.push_back(i);
            } else {
                add(account_for(function), i);
            }
        }
        // What names no function belongs to those that are named, or to one that is not.
        if (accounts_.empty() && !nameless.empty()) accounts_.emplace_back();
        for (const std::size_t i : nameless) {
            for (Account& account : accounts_) add(account, i);
        }
        for (Account& account : accounts_) std::ranges::sort(account.events);
    }

    static FunctionName own_function(const Event& event) {
        if (const auto* failed = std::get_if<CodeFailed>(&event.what)) return failed->function;
        if (const auto* time = std::get_if<StageTime>(&event.what)) return time->function;
        if (const auto* many = std::get_if<TooManyOperations>(&event.what)) return many->function;
        return {};
    }

    /// Functions that are made of one loop are one account.
    Account& account_for(const FunctionName& function) {
        const auto same = std::ranges::find_if(accounts_, [&](const Account& account) {
            return account.function.loop.empty() ? account.function.whole == function.whole
                                                 : account.function.loop == function.loop;
        });
        if (same != accounts_.end()) return *same;
        accounts_.emplace_back();
        accounts_.back().function = function;
        return accounts_.back();
    }

    static void add(Account& account, std::size_t index, const Event& event) {
        account.events.push_back(index);
        if (const auto* failed = std::get_if<CodeFailed>(&event.what)) {
            account.code_failed = true;
            account.killed = account.killed || failed->killed;
            if (failed->frame) {
                account.frame = failed->frame;
                account.frame_limit = failed->frame_limit;
            }
            if (failed->function.unroll > account.function.unroll) account.function = failed->function;
        } else if (const auto* time = std::get_if<StageTime>(&event.what)) {
            account.warned = account.warned || time->warned;
            if (time->seconds > account.seconds) {
                account.seconds = time->seconds;
                account.stage = time->stage;
            }
        } else if (const auto* stopped = std::get_if<Stopped>(&event.what)) {
            account.stopped = true;
            if (stopped->code) account.exit_code = stopped->code;
        } else if (const auto* many = std::get_if<TooManyOperations>(&event.what)) {
            account.too_many = true;
            account.size = many->size;
            account.limit = many->limit;
        }
    }
    void add(Account& account, std::size_t index) { add(account, index, all_.log.events[index]); }

    /// Another message says why compiling ended: that it was slow or was stopped is no matter of its own.
    bool is_explained() const {
        return std::ranges::any_of(all_.log.events, [](const Event& event) {
            return std::holds_alternative<PoolOverflow>(event.what) ||
                   std::holds_alternative<CubeTileRefused>(event.what) ||
                   std::holds_alternative<VecTileRefused>(event.what) ||
                   std::holds_alternative<OutOfMemory>(event.what);
        });
    }

    /// The log breaks off in the middle of the passes, and nothing in it says why.
    bool hangs_silently() const {
        if (all_.log.passes.empty() || all_.log.finished) return false;
        const bool other = std::ranges::any_of(
            all_.log.events, [](const Event& event) { return std::holds_alternative<OtherError>(event.what); });
        return !other && !all_.log.passes.back().failed;
    }

    const LastPass* pass_of(const Account& account) const {
        if (all_.log.finished || all_.log.passes.empty()) return nullptr;
        if (account.events.empty()) return &all_.log.passes.back();
        const LastPass* own = last_pass(all_.log, all_.log.events[account.events.front()].process);
        return own != nullptr ? own : &all_.log.passes.back();
    }

    Stage stage_of(const Account& account, const LastPass* pass) const {
        if (account.too_many) return Stage::count;
        if (account.frame) return Stage::frame;
        if (account.code_failed) return Stage::code_generation;
        const Stage at = pass == nullptr ? Stage::nowhere : stage_of_pass(pass->name);
        if (account.stage == "CodeGen" && account.seconds >= kSlowSeconds) return Stage::code_generation;
        if (at != Stage::nowhere) return at;
        if (account.stage == "Pass" && (account.warned || account.seconds > 0)) return Stage::slow_pass;
        return Stage::nowhere;
    }

    rules::Text headline(const Account& account, Stage stage, const LastPass* pass) const {
        Data data;
        data.set("code", std::string(account.too_many ? "F7A007" : "F0F619"));
        data.set("function", account.function.whole).set("pass", pass == nullptr ? std::string{} : pass->name);
        data.set("seconds", static_cast<Number>(account.seconds)).set("stage", account.stage);
        data.set("frame", account.frame.value_or(0))
            .set("limit", account.frame_limit.value_or(account.limit.value_or(0)));
        data.set("size", account.size.value_or(0));
        const bool named = !account.function.whole.empty();
        switch (stage) {
            case Stage::count:
                if (!named) return {"diagnose.compile.too_many_unnamed", std::move(data)};
                if (!account.size || !account.limit) return {"diagnose.compile.too_many", std::move(data)};
                return {"diagnose.compile.count", std::move(data)};
            case Stage::frame:
                if (!named || !account.frame || !account.frame_limit) {
                    return {"diagnose.compile.frame_short", std::move(data)};
                }
                return {"diagnose.compile.frame", std::move(data)};
            case Stage::code_generation:
                if (account.killed && named) return {"diagnose.compile.killed", std::move(data)};
                if (account.killed) return {"diagnose.compile.killed_unnamed", std::move(data)};
                if (!account.code_failed) return {"diagnose.compile.slow_stage", std::move(data)};
                return {named ? "diagnose.compile.failed" : "diagnose.compile.failed_unnamed", std::move(data)};
            default:
                break;
        }
        if (account.seconds >= kSlowSeconds && named) return {"diagnose.compile.slow", std::move(data)};
        if (account.seconds >= kSlowSeconds) return {"diagnose.compile.slow_stage", std::move(data)};
        if (pass != nullptr && account.stopped) return {"diagnose.compile.stopped_in", std::move(data)};
        if (pass != nullptr) return {"diagnose.compile.ends_in", std::move(data)};
        if (account.warned && named) return {"diagnose.compile.slow", std::move(data)};
        if (account.warned) return {"diagnose.compile.slow_stage", std::move(data)};
        return {"diagnose.compile.stopped", std::move(data)};
    }

    Verdict conclude(const Account& account) {
        const LastPass* pass = pass_of(account);
        const Stage stage = stage_of(account, pass);
        const StageInfo& info = info_of(stage);
        Verdict verdict;
        verdict.kind = account.too_many ? Kind::too_many_operations : Kind::compile_time;
        verdict.events = account.events;
        verdict.code = account.too_many ? "F7A007" : account.code_failed || account.frame ? "F0F619" : "";
        for (const std::size_t i : account.events) {
            // As the log has it: other releases number it in another way.
            const Event& event = all_.log.events[i];
            if (!event.code.empty() && event.text.find(event.code) != std::string::npos) verdict.code = event.code;
        }
        if (verdict.code.empty() && account.exit_code) verdict.code = "exit 124";
        verdict.stage = info.name;
        verdict.function = account.function.whole;
        if (pass != nullptr && info.name != "CodeGen") verdict.pass = pass->name;
        verdict.line =
            account.events.empty() ? all_.log.passes.back().line : all_.log.events[account.events.front()].line;
        if (const auto first = first_telling(account)) verdict.line = *first;
        verdict.headline = headline(account, stage, pass);
        if (verdict.headline.data.find("code") != nullptr) verdict.headline.data.set("code", verdict.code);
        FunctionName function = account.function;
        if (function.whole.empty() && pass != nullptr) function = pass->function;
        narrow(all_, function, verdict);
        if (verdict.function.empty()) verdict.function = function.whole;
        tell_loop(function, verdict);
        choose(info, function, verdict);
        if (stage == Stage::code_generation && account.code_failed && !account.killed &&
            verdict.selector.rules.empty()) {
            verdict.advice.push_back({"diagnose.advice.compiler_message", {}});
        }
        return verdict;
    }

    /// The line that tells most: of a failure rather than of a time.
    std::optional<std::uint64_t> first_telling(const Account& account) const {
        for (const std::size_t i : account.events) {
            if (!std::holds_alternative<StageTime>(all_.log.events[i].what)) return all_.log.events[i].line;
        }
        return std::nullopt;
    }

    static bool is_meant(const trace::Trace& trace, trace::KernelId kernel, const Verdict& verdict) {
        const std::vector<std::string>& kernels = verdict.selector.kernels;
        return kernels.empty() ||
               (kernel != trace::kNone && std::ranges::find(kernels, trace.kernels[kernel].name) != kernels.end());
    }

    void tell_loop(const FunctionName& function, Verdict& verdict) {
        if (function.loop.empty() || verdict.selector.nothing) return;
        for (const fixing::Analysis& analysis : all_.analyses) {
            if (analysis.trace == nullptr) continue;
            const trace::Trace& trace = *analysis.trace;
            std::vector<trace::LoopId> loops = loops_named(trace, function);
            std::erase_if(loops, [&](trace::LoopId id) { return !is_meant(trace, trace.loops[id].kernel, verdict); });
            if (loops.empty()) continue;
            const trace::Loop& loop = trace.loops[loops.front()];
            const rules::Location place{loop.site.file, trace.files[loop.site.file]->tree.range(loop.site.node)};
            Data data;
            data.set("loop", function.loop)
                .set("place", place_text(analysis, place))
                .set("unroll", function.unroll.value_or(1));
            const bool copies = function.unroll.value_or(1) > 1;
            verdict.selector.loop_is_given = true;
            verdict.reasons.push_back(
                {copies ? "diagnose.compile.loop_copies" : "diagnose.compile.loop", std::move(data)});
            return;
        }
    }

    void choose(const StageInfo& info, const FunctionName& function, Verdict& verdict) {
        verdict.selector.about = function;
        verdict.selector.rules.assign(info.rules.begin(), info.rules.end());
        std::vector<TakenFinding> found = settle(all_, verdict);
        // What is possible only is no cause of a hang beside what is known.
        const auto is_warning = [](const TakenFinding& f) {
            return f.diagnosis->finding.severity != rules::Severity::info;
        };
        if (std::ranges::any_of(found, is_warning)) {
            std::erase_if(found, [&](const TakenFinding& f) { return !is_warning(f); });
            std::erase_if(verdict.selector.rules, [&](std::string_view rule) { return !has_rule(found, rule); });
        }
        verdict.no_use.push_back(
            {info.stage == Stage::nowhere ? "diagnose.no_use.timeout" : "diagnose.no_use.stitch", {}});
        verdict.confidence = Confidence::possible;
        if (!found.empty()) {
            if (untie_if_ambiguous(all_, found, verdict)) return;
            tell_cost(found, verdict);
            const auto expected = std::span(info.rules).first(info.expected);
            const bool named = std::ranges::find(expected, verdict.selector.rules.front()) != expected.end();
            const bool one_loop = !loops_of(found, function).empty() || verdict.selector.rules.size() == 1;
            verdict.confidence = named && one_loop ? Confidence::certain : Confidence::likely;
            if (info.stage == Stage::nowhere) verdict.confidence = Confidence::likely;
            for (const std::string_view rule : verdict.selector.rules) verdict.advice.push_back(direction_of(rule));
            // Its own findings come only with these.
            verdict.selector.rules.push_back("PTO205");
            return;
        }
        if (all_.has_kernels() && !verdict.selector.nothing) {
            verdict.reasons.push_back({"diagnose.compile.nothing_heavy", {}});
        }
        verdict.advice.push_back({advice_for(info.stage), {}});
    }

    static std::string_view advice_for(Stage stage) {
        switch (stage) {
            case Stage::code_generation:
                return "diagnose.advice.code_generation";
            case Stage::frame:
                return "diagnose.advice.frame";
            case Stage::subgraphs:
                return "diagnose.advice.subgraphs";
            case Stage::expanding:
                return "diagnose.advice.expanding";
            case Stage::scheduling:
                return "diagnose.advice.scheduling";
            case Stage::slow_pass:
                return "diagnose.advice.slow_pass";
            case Stage::count:
                return "diagnose.advice.count";
            case Stage::nowhere:
                break;
        }
        return "diagnose.advice.nowhere";
    }

    std::vector<trace::LoopId> loops_of(const std::vector<TakenFinding>& found, const FunctionName& function) const {
        return loops_named(*all_.analyses[found.front().analysis].trace, function);
    }

    /// What the kernel that was found to blame costs, by the estimate.
    void tell_cost(const std::vector<TakenFinding>& found, Verdict& verdict) {
        if (found.empty()) return;
        const fixing::Analysis& analysis = all_.analyses[found.front().analysis];
        const trace::Trace& trace = *analysis.trace;
        const trace::KernelId id = kernel_of(found.front().diagnosis->finding, trace);
        if (id == trace::kNone) return;
        const trace::KernelTrace& kernel = trace.kernels[id];
        const trace::KernelCost cost = trace::compile_cost(trace, kernel);
        Number largest = 0;
        for (const trace::FunctionCost& function : cost.functions) largest = std::max(largest, function.largest());
        if (cost.total <= 1) return;
        Data data;
        data.set("kernel", std::string(kernel.name)).set("total", cost.total).set("largest", largest);
        data.set("budget", rules::kCompileBudget);
        verdict.reasons.push_back(
            {cost.complete ? "diagnose.compile.cost" : "diagnose.compile.cost_at_least", std::move(data)});
    }

    const Case& all_;
    std::vector<bool>& done_;
    std::vector<Account> accounts_;
};

}  // namespace

void conclude_compile_time(const Case& all, std::vector<bool>& done, std::vector<Verdict>& out) {
    CompileTime(all, done).run(out);
}

}  // namespace ptofix::diagnose
