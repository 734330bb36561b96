// pto-fix: reads the arguments and the locale, then leaves everything to cli/run.h.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/run.h"
#include "syntax/memory.h"

namespace {

std::string_view message_locale() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return value;
    }
    return {};
}

/// On any thread, in the middle of anything: files are whole at every moment, so the process just ends.
[[noreturn]] void give_up_for_want_of_memory() {
    constexpr std::string_view kText = "pto-fix: out of memory\n";
    static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
    _exit(ptofix::cli::kExitError);
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that went away is noticed when writing to it; it must not end a run that is writing files.
    std::signal(SIGPIPE, SIG_IGN);
    // Likewise a limit on the size of files: the write then fails, and says so.
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_new_handler(give_up_for_want_of_memory);
    ptofix::syntax::on_out_of_memory(give_up_for_want_of_memory);
    ptofix::cli::Output out(STDOUT_FILENO);
    ptofix::cli::Output err(STDERR_FILENO);
    try {
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        return ptofix::cli::run(ptofix::cli::parse_command_line(arguments, message_locale()), out, err);
    } catch (const std::exception& failure) {
        err.write("pto-fix: internal error: ");
        err.write(failure.what());
        err.write("; please report it\n");
    }
    return ptofix::cli::kExitError;
}
