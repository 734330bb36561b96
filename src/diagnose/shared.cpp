#include "diagnose/shared.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "diagnose/places.h"
#include "diagnose/selector.h"
#include "text/cell_place.h"
#include "trace/project.h"

namespace ptofix::diagnose {

namespace {

struct Direction {
    std::string_view rule, text;
};
// By literals: a test checks that every id in the code is in the catalogue.
constexpr std::array kDirections{
    Direction{"PTO101", "diagnose.direction.vec_tile"},    Direction{"PTO102", "diagnose.direction.unroll_levels"},
    Direction{"PTO103", "diagnose.direction.cube_tile"},   Direction{"PTO104", "diagnose.direction.heads"},
    Direction{"PTO105", "diagnose.direction.int8"},        Direction{"PTO106", "diagnose.direction.l0b"},
    Direction{"PTO107", "diagnose.direction.l1"},          Direction{"PTO108", "diagnose.direction.l0"},
    Direction{"PTO201", "diagnose.direction.python_loop"}, Direction{"PTO202", "diagnose.direction.unroll_jump"},
    Direction{"PTO203", "diagnose.direction.unroll_body"}, Direction{"PTO204", "diagnose.direction.thin_tile"},
    Direction{"PTO206", "diagnose.direction.tile_count"},  Direction{"PTO207", "diagnose.direction.weight_cast"},
    Direction{"PTO208", "diagnose.direction.stitch"},      Direction{"PTO301", "diagnose.direction.tail"},
    Direction{"PTO302", "diagnose.direction.tile_axes"},   Direction{"PTO303", "diagnose.direction.tile_missing"},
};

void collect(const Selection& selection, std::size_t index, const std::vector<fixing::Diagnosis>& all, bool suppressed,
             std::vector<TakenFinding>& out) {
    for (const fixing::Diagnosis& diagnosis : all) {
        if (selection.takes(diagnosis.finding)) out.push_back({index, &diagnosis, suppressed});
    }
}

void add_once(std::vector<std::string>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// The innermost frame of the traceback that is a given kernel, in a file of that name.
std::vector<std::string> kernels_of_traceback(const Case& all) {
    for (auto frame = all.log.frames.rbegin(); frame != all.log.frames.rend(); ++frame) {
        for (const fixing::Analysis& analysis : all.analyses) {
            if (analysis.trace == nullptr) continue;
            for (const trace::KernelTrace& kernel : analysis.trace->kernels) {
                if (kernel.name == frame->function &&
                    file_name(analysis.path(kernel.site.file)) == file_name(frame->file)) {
                    return {std::string(kernel.name)};
                }
            }
        }
    }
    return {};
}

/// The given kernels that may be what the function is made of: they have its loop, or its name.
struct Functions {
    std::vector<std::string> kernels;
    bool has_level = false;  // a loop is unrolled as often as the function says, or may be
};

Functions functions_of(const Case& all, const FunctionName& function) {
    Functions found;
    for (const fixing::Analysis& analysis : all.analyses) {
        if (analysis.trace == nullptr) continue;
        const trace::Trace& trace = *analysis.trace;
        for (const trace::LoopId id : loops_named(trace, function)) {
            const trace::Loop& loop = trace.loops[id];
            if (loop.kernel == trace::kNone) continue;
            add_once(found.kernels, trace.kernels[loop.kernel].name);
            found.has_level = found.has_level || function.unroll.value_or(1) <= 1 || !loop.unroll_known ||
                              std::ranges::find(loop.unroll, *function.unroll) != loop.unroll.end();
        }
        for (const trace::KernelTrace& kernel : trace.kernels) {
            if (kernel.name != function.loop) continue;
            add_once(found.kernels, kernel.name);
            found.has_level = true;
        }
    }
    return found;
}

bool is_given(const Case& all, const std::string& kernel) {
    return std::ranges::any_of(all.analyses, [&](const fixing::Analysis& analysis) {
        return analysis.trace != nullptr &&
               std::ranges::any_of(analysis.trace->kernels,
                                   [&](const trace::KernelTrace& given) { return given.name == kernel; });
    });
}

}  // namespace

std::vector<TakenFinding> findings_of(const Case& all, const Selector& selector) {
    std::vector<TakenFinding> found;
    for (std::size_t i = 0; i < all.analyses.size(); ++i) {
        const fixing::Analysis& analysis = all.analyses[i];
        if (analysis.trace == nullptr) continue;
        const Selection selection(selector, *analysis.trace, all.soc);
        collect(selection, i, analysis.findings, false, found);
        collect(selection, i, analysis.suppressed, true, found);
    }
    return found;
}

bool has_rule(const std::vector<TakenFinding>& findings, std::string_view rule) {
    return std::ranges::any_of(findings, [&](const TakenFinding& f) { return f.diagnosis->finding.rule == rule; });
}

std::vector<TakenFinding> settle(const Case& all, Verdict& verdict) {
    std::vector<TakenFinding> found = findings_of(all, verdict.selector);
    std::erase_if(verdict.selector.rules, [&](std::string_view rule) { return !has_rule(found, rule); });
    for (const TakenFinding& taken : found) {
        if (!taken.is_suppressed) continue;
        const rules::Finding& finding = taken.diagnosis->finding;
        verdict.advice.push_back({"diagnose.advice.suppressed",
                                  rules::Data()
                                      .set("rule", std::string(finding.rule))
                                      .set("place", place_text(all.analyses[taken.analysis], finding.location))});
    }
    return found;
}

bool untie_if_ambiguous(const Case& all, const std::vector<TakenFinding>& findings, Verdict& verdict) {
    std::vector<std::string> kernels;  // each with its place
    for (const TakenFinding& taken : findings) {
        const fixing::Analysis& analysis = all.analyses[taken.analysis];
        const trace::KernelId id = kernel_of(taken.diagnosis->finding, *analysis.trace);
        if (id == trace::kNone) continue;
        add_once(kernels, kernel_text(analysis, id));
    }
    if (kernels.size() < 2) return false;
    untie(kernels, verdict);
    return true;
}

void untie(const std::vector<std::string>& all, Verdict& verdict) {
    constexpr std::size_t kMostNamed = 4;
    std::vector<std::string> kernels = all;
    const auto count = static_cast<std::int64_t>(kernels.size());
    const bool more = kernels.size() > kMostNamed;
    if (more) kernels.resize(kMostNamed);
    std::string names = fmt::format("{}", fmt::join(kernels, ", "));
    if (more) names += " ...";
    verdict.reasons.push_back({"diagnose.several_kernels", rules::Data().set("count", count).set("names", names)});
    verdict.advice.push_back({"diagnose.advice.one_kernel", {}});
    verdict.selector.rules.clear();
    verdict.confidence = Confidence::possible;
}

std::string kernel_text(const fixing::Analysis& analysis, trace::KernelId id) {
    const trace::KernelTrace& kernel = analysis.trace->kernels[id];
    return fmt::format("{} ({})", kernel.name, place_text(analysis, location_of(*analysis.trace, kernel.site)));
}

rules::Location location_of(const trace::Trace& trace, trace::Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

bool is_in_traceback(const Log& log, const fixing::Analysis& analysis, const rules::Location& place) {
    const std::string_view path = analysis.path(place.file);
    const text::LineIndex& lines = analysis.sources[place.file]->lines();
    const std::int64_t first = lines.position(place.range.start).line, last = lines.position(place.range.end).line;
    return std::ranges::any_of(log.frames, [&](const PythonFrame& frame) {
        return first <= frame.line && frame.line <= last && file_name(frame.file) == file_name(path);
    });
}

std::vector<std::int64_t> numbers_of(const trace::TileSetting& tile) {
    std::vector<std::int64_t> numbers;
    const auto add = [&](const trace::Value& v) {
        if (v.tag == trace::Tag::integer) numbers.push_back(v.as.i);
    };
    for (const trace::Value& v : tile.vec) add(v);
    if (tile.engine == trace::TileSetting::Engine::cube) {
        for (const trace::Value& v : tile.m) add(v);
        for (std::size_t i = 0; i < (tile.k_count == 3 ? 3U : 2U); ++i) add(tile.k[i]);
        for (const trace::Value& v : tile.n) add(v);
    }
    return numbers;
}

std::int64_t line_text(const fixing::Analysis& analysis, const rules::Location& location) {
    return text::line_in(*analysis.sources[location.file], location.range.start).line;
}

std::string place_text(const fixing::Analysis& analysis, const rules::Location& location) {
    return fmt::format("{}:{}", analysis.path(location.file),
                       text::line_in(*analysis.sources[location.file], location.range.start).line_text());
}

std::string tuple_text(const std::vector<std::int64_t>& numbers) {
    return fmt::format("({})", fmt::join(numbers, ", "));
}

std::string list_text(const std::vector<std::int64_t>& numbers) {
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string product_text(const std::vector<std::int64_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, " x "));
}

const LastPass* last_pass(const Log& log, const std::string& process) {
    const auto same = std::ranges::find(log.passes, process, &LastPass::process);
    if (same != log.passes.end()) return &*same;
    return log.passes.size() == 1 ? &log.passes.front() : nullptr;
}

FunctionName function_of(const Event& event) {
    const FunctionName* own = nullptr;
    if (const auto* failed = std::get_if<CodeFailed>(&event.what)) own = &failed->function;
    if (const auto* time = std::get_if<StageTime>(&event.what)) own = &time->function;
    if (const auto* many = std::get_if<TooManyOperations>(&event.what)) own = &many->function;
    if (own != nullptr && !own->whole.empty()) return *own;
    return event.pass ? event.pass->function : FunctionName{};
}

Verdict verdict_of(const Case& all, std::size_t index, Kind kind) {
    const Event& event = all.log.events[index];
    Verdict verdict;
    verdict.kind = kind;
    verdict.events = {index};
    verdict.code = event.code;
    verdict.line = event.line;
    const FunctionName function = function_of(event);
    verdict.function = function.whole;
    if (event.pass) verdict.pass = event.pass->name;
    narrow(all, function, verdict);
    return verdict;
}

Meant meant_by(const Case& all, const FunctionName& function) {
    Meant meant;
    if (!all.has_kernels()) return meant;
    const auto not_given = [](std::string_view id, std::string what) {
        return Meant{{}, rules::Text{id, rules::Data().set("what", std::move(what))}};
    };
    meant.kernels = failed_kernels(all);
    if (meant.kernels.empty() && !all.log.kernels.empty()) {
        return not_given("diagnose.not_given", fmt::format("{}", fmt::join(all.log.kernels, ", ")));
    }
    if (function.loop.empty() && meant.kernels.size() < all.log.kernels.size()) {
        std::vector<std::string> others = all.log.kernels;
        std::erase_if(others, [&](const std::string& name) { return is_given(all, name); });
        return not_given("diagnose.not_all_given", fmt::format("{}", fmt::join(others, ", ")));
    }
    if (meant.kernels.empty()) meant.kernels = kernels_of_traceback(all);
    if (function.loop.empty()) return meant;
    const Functions found = functions_of(all, function);
    if (found.kernels.empty()) return not_given("diagnose.not_given", function.whole);
    std::vector<std::string> both = found.kernels;
    std::erase_if(both, [&](const std::string& name) {
        return !meant.kernels.empty() && std::ranges::find(meant.kernels, name) == meant.kernels.end();
    });
    if (both.empty()) {
        return not_given("diagnose.not_together",
                         fmt::format("{}, {}", fmt::join(meant.kernels, ", "), function.whole));
    }
    if (!found.has_level) {
        Meant earlier = not_given("diagnose.earlier_level", function.whole);
        earlier.nothing->data.set("unroll", function.unroll.value_or(1));
        return earlier;
    }
    meant.kernels = std::move(both);
    return meant;
}

void narrow(const Case& all, const FunctionName& function, Verdict& verdict) {
    Meant meant = meant_by(all, function);
    verdict.selector.kernels = std::move(meant.kernels);
    verdict.selector.nothing = meant.nothing.has_value();
    if (meant.nothing) verdict.reasons.push_back(*std::move(meant.nothing));
}

std::vector<std::string> failed_kernels(const Case& all) {
    std::vector<std::string> names;
    for (const std::string& name : all.log.kernels) {
        if (is_given(all, name)) names.push_back(name);
    }
    return names;
}

std::int64_t pool_size(const hardware::Pools& pools, std::string_view pool) {
    if (pool == "UB") return pools.ub;
    if (pool == "L1") return pools.l1;
    if (pool == "L0A") return pools.l0a;
    if (pool == "L0B") return pools.l0b;
    if (pool == "L0C") return pools.l0c;
    if (pool == "BT") return pools.bt;
    return pool == "FB" ? pools.fb : 0;
}

rules::Text direction_of(std::string_view rule) {
    const auto found = std::ranges::find(kDirections, rule, &Direction::rule);
    return {found == kDirections.end() ? std::string_view{} : found->text, {}};
}

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::cube_tile:
            return "cube-tile";
        case Kind::vec_tile:
            return "vec-tile";
        case Kind::call:
            return "call";
        case Kind::memory:
            return "memory";
        case Kind::compile_time:
            return "compile-time";
        case Kind::too_many_operations:
            return "too-many-operations";
        case Kind::workspace:
            return "workspace";
        case Kind::other:
            break;
    }
    return "other";
}

}  // namespace ptofix::diagnose
