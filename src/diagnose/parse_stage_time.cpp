// Lines of the Compiler Monitor: how long a stage took, or has been taking.
#include <array>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::string_view kMonitor = "Compiler Monitor";
constexpr std::array<std::string_view, 4> kStages{"Prepare", "Pass", "HostMachine", "CodeGen"};

bool holds(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

std::string stage_at(std::string_view text) {
    while (text.starts_with(' ') || text.starts_with('[')) text.remove_prefix(1);
    for (const std::string_view stage : kStages) {
        if (text.starts_with(stage)) return std::string(stage);
    }
    return {};
}

std::optional<double> seconds_of(std::string_view line) {
    for (const std::string_view before : {"Stage elapsed:", "elapsed [", "Pass elapsed:", "Total elapsed ["}) {
        if (const auto seconds = duration_at(behind(line, before))) return seconds;
    }
    // "Stage Pass 394s", as people quote it.
    std::string_view rest = behind(line, "Stage Pass");
    while (!rest.empty() && (rest.front() < '0' || rest.front() > '9')) rest.remove_prefix(1);
    return duration_at(rest);
}

/// "DetectedStage: CodeGen | Prepare: 12s | ...": the stage that took the longest.
std::optional<StageTime> summary_in(std::string_view line) {
    const std::string_view detected = behind(line, "DetectedStage:");
    if (detected.empty()) return std::nullopt;
    StageTime found;
    found.stage = stage_at(detected);
    found.seconds = duration_at(behind(line, "| " + found.stage + ":")).value_or(0);
    found.warned = true;
    if (found.stage.empty() || found.seconds <= 0) return std::nullopt;
    return found;
}

}  // namespace

std::optional<StageTime> parse_stage_time(std::string_view line) {
    if (!holds(line, kMonitor)) return std::nullopt;
    if (auto summary = summary_in(line)) return summary;
    StageTime found;
    const bool total = holds(line, "Total elapsed [");
    const auto seconds = seconds_of(line);
    if (!seconds) return std::nullopt;
    found.seconds = *seconds;
    found.warned = holds(line, "WARNING");
    found.stage = stage_at(behind(line, holds(line, "Stage:") ? "Stage:" : "Stage "));
    if (found.stage.empty() && holds(line, "Pass elapsed:")) found.stage = "Pass";
    if (found.stage.empty() && !total) return std::nullopt;
    if (const std::string_view name = between(line, "Func:[", "]"); !name.empty())
        found.function = function_named(name);
    return found;
}

}  // namespace ptofix::diagnose
