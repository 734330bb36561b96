// Something else put an end to compiling: timeout's exit code, a signal, a harness that ran out of patience.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::int64_t kTimeoutCode = 124;

}  // namespace

std::optional<Stopped> parse_stopped(std::string_view line) {
    for (const std::string_view before :
         {"exit ", "exit code ", "exit code: ", "exit status ", "exited with code ",
          "code: ", "exit status: ", "return code ", "returned ", "rc=", "exit=", "exit_code=", "code "}) {
        std::string_view rest = behind(line, before);
        while (rest.starts_with(' ') || rest.starts_with('[') || rest.starts_with('(')) rest.remove_prefix(1);
        if (number_at(rest) == kTimeoutCode) return Stopped{kTimeoutCode};
    }
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
