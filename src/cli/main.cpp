// pto-fix: reads the arguments and the locale, then leaves everything to cli/run.h.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/run.h"

namespace {

std::string_view message_locale() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return value;
    }
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that went away is noticed when writing to it; it must not end a run that is writing files.
    std::signal(SIGPIPE, SIG_IGN);
    ptofix::cli::Output out(STDOUT_FILENO);
    ptofix::cli::Output err(STDERR_FILENO);
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        return ptofix::cli::run(ptofix::cli::parse_command_line(arguments, message_locale()), out, err);
    } catch (const std::exception& failure) {
        // Out of memory above all: nothing is looked up or allocated any more.
        err.write("pto-fix: internal error: ");
        err.write(failure.what());
        err.write("; please report it\n");
    }
    return ptofix::cli::kExitError;
}
