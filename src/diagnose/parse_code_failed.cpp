// F0F619 (F63001 by the newer table): the code that was generated does not compile, or takes so long that make is
// killed.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::int64_t kTerminatedSignal = 15;

bool holds(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

/// The status that the framework prints of make, or of the compiler.
std::optional<std::int64_t> status_in(std::string_view line) {
    for (const std::string_view before : {"ret = ", "return code: ", "errCode = ", "ret ", "ret="}) {
        if (const auto status = number_after(line, before)) return status;
    }
    return std::nullopt;
}

}  // namespace

std::optional<CodeFailed> parse_code_failed(std::string_view line) {
    CodeFailed found;
    if (holds(line, "stack frame size") && holds(line, "exceeds limit")) {
        found.frame = number_between(line, "stack frame size (", ")");
        found.frame_limit = number_between(line, "exceeds limit (", ")");
        found.function = function_in(behind(line, "in function"));
        return found;
    }
    const bool by_make = line.find("make") != std::string_view::npos && holds(line, "***");
    const bool by_framework = holds(line, "COMPILE_CODE_FAILED") || holds(line, "kernel compilation failed") ||
                              holds(line, "Parallel compilation failed") || holds(line, "DoCompileCmd failed") ||
                              holds(line, "CompileCCE failed");
    if (!by_make && !by_framework) return std::nullopt;
    found.function = function_in(line);
    found.killed = holds(line, "Terminated") || holds(line, "Killed") || status_in(line) == kTerminatedSignal;
    // make may fail at anything: only targets of the backend's are PyPTO's.
    const bool is_target = found.function.whole.find("_PATH") != std::string::npos;
    if (by_make && !by_framework && !is_target) {
        found.function = {};
        if (!found.killed) return std::nullopt;
    }
    return found;
}

}  // namespace ptofix::diagnose
