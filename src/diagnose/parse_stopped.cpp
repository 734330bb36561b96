// Something else put an end to compiling: timeout's exit code, a signal, a harness that ran out of patience.
#include <algorithm>
#include <array>
#include <span>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::int64_t kTimeoutCode = 124;
constexpr std::string_view kTimeoutDigits = "124";
// What may stand before it, with a blank or a bracket between, or right before it.
constexpr std::array<std::string_view, 5> kWords{"exit", "code", "status", "exited with", "returned"};
constexpr std::array<std::string_view, 6> kRightBefore{"code:", "status:", "rc=", "exit=", "exit_code=", "code="};

bool ends_with_any(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.ends_with(word); });
}

/// "exit 124", "exit status: 124", "exited with code [124]", "rc=124"
bool has_timeout_code(std::string_view line) {
    for (std::size_t at = line.find(kTimeoutDigits); at != std::string_view::npos;
         at = line.find(kTimeoutDigits, at + 1)) {
        const std::size_t end = at + kTimeoutDigits.size();
        if (end < line.size() && is_word(line[end])) continue;
        std::string_view before = line.substr(0, at);
        while (before.ends_with(' ') || before.ends_with('[') || before.ends_with('(')) before.remove_suffix(1);
        if (ends_with_any(before, kRightBefore)) return true;
        if (before.size() < at && ends_with_any(before, kWords)) return true;
    }
    return false;
}

}  // namespace

std::optional<Stopped> parse_stopped(std::string_view line) {
    if (has_timeout_code(line)) return Stopped{kTimeoutCode};
    // The shell's word for SIGTERM, by itself or behind the number of a job.
    if (line == "Terminated" || line.ends_with(": Terminated") ||
        (line.find(" Terminated ") != std::string_view::npos && line.starts_with('['))) {
        return Stopped{};
    }
    const bool impatient = line.find("TimeoutExpired") != std::string_view::npos ||
                           (line.find("timed out after") != std::string_view::npos);
    if (impatient) return Stopped{};
    return std::nullopt;
}

}  // namespace ptofix::diagnose
