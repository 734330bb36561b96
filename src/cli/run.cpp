#include "cli/run.h"

#include <fcntl.h>

#include <filesystem>

#include "cli/check_run.h"
#include "cli/trace_run.h"
#include "report/json.h"
#include "report/rule_page.h"
#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

struct Runner {
    Output& out;
    Output& err;

    int operator()(const CheckCommand& command) const {
        return command.read_stdin ? run_filter(command, out, err) : run_check(command, out, err);
    }

    int operator()(const TraceCommand& command) const { return run_trace(command, out, err); }

    int operator()(const ExplainCommand& command) const {
        bool first = true;
        for (const rules::Rule* rule : command.rules) {
            if (!first) out.write("\n");
            first = false;
            out.write(report::rule_page(*rule, command.language));
        }
        return kExitClean;
    }

    int operator()(const RulesCommand& command) const {
        out.write(command.format == Format::json ? report::json_of_rules() : report::rule_table(command.language));
        return kExitClean;
    }

    int operator()(const DocsCommand& command) const {
        for (const report::DocsFile& file : report::rule_docs()) {
            const std::string path = (std::filesystem::path(command.folder) / file.name).string();
            const text::FileDescriptor target(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
            const int error = target.is_open() ? text::write_all(target.get(), file.text) : errno;
            if (error == 0) continue;
            err.write("pto-fix: " + path + ": " + text::error_text(error) + "\n");
            return kExitError;
        }
        return kExitClean;
    }

    int operator()(const Leave& leave) const {
        out.write(leave.out);
        err.write(leave.err);
        return leave.exit_code;
    }
};

}  // namespace

int run(const Command& command, Output& out, Output& err) {
    const int code = std::visit(Runner{out, err}, command);
    if (out.error() != 0) {
        err.write("pto-fix: stdout: " + text::error_text(out.error()) + "\n");
        return kExitError;
    }
    return code;
}

}  // namespace ptofix::cli
