#include "cli/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "cli/budget_run.h"
#include "cli/check_run.h"
#include "cli/diagnose_run.h"
#include "cli/merge_run.h"
#include "cli/trace_run.h"
#include "cli/undo_run.h"
#include "cli/version.h"
#include "lsp/serve.h"
#include "report/code_page.h"
#include "report/json.h"
#include "report/rule_page.h"
#include "rules/messages.h"
#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

std::string in_words(std::string_view id, const std::string& path, std::string_view detail, rules::Language language) {
    const rules::Data data = rules::Data().set("path", path).set("detail", rules::in_language(detail, language));
    return "pto-fix: " + rules::render({id, data}, language) + "\n";
}

struct LanguageOf {
    rules::Language operator()(const TraceCommand& command) const { return command.inputs.language; }
    rules::Language operator()(const BudgetCommand& command) const { return command.inputs.language; }
    rules::Language operator()(const DiagnoseCommand& command) const { return command.inputs.language; }
    rules::Language operator()(const auto& command) const { return command.language; }
};

struct Runner {
    Output& out;
    Output& err;

    int operator()(const CheckCommand& command) const {
        return command.read_stdin ? run_filter(command, out, err) : run_check(command, out, err);
    }

    int operator()(const TraceCommand& command) const { return run_trace(command, out, err); }
    int operator()(const BudgetCommand& command) const { return run_budget(command, out, err); }
    int operator()(const DiagnoseCommand& command) const { return run_diagnose(command, out, err); }

    int operator()(const MergeCommand& command) const { return run_merge(command, out, err); }

    int operator()(const ExplainCommand& command) const {
        bool first = true;
        for (const ExplainCommand::Subject& subject : command.subjects) {
            if (!first) out.write("\n");
            first = false;
            out.write(subject.rule != nullptr ? report::rule_page(*subject.rule, command.language)
                                              : report::code_page(*subject.code, command.language));
        }
        return kExitClean;
    }

    int operator()(const RulesCommand& command) const {
        out.write(command.format == Format::json ? report::json_of_rules() : report::rule_table(command.language));
        return kExitClean;
    }

    int operator()(const LspCommand& command) const {
        return lsp::serve(STDIN_FILENO, STDOUT_FILENO, command.language, std::string(kVersion));
    }

    int operator()(const UndoCommand& command) const { return run_undo(command, out, err); }

    int operator()(const DocsCommand& command) const {
        const std::filesystem::path folder(command.folder);
        return write_docs(command, folder / "rules", report::rule_docs()) == kExitClean
                   ? write_docs(command, folder / "codes", report::code_docs())
                   : kExitError;
    }

    int write_docs(const DocsCommand& command, const std::filesystem::path& folder,
                   const std::vector<report::DocsFile>& files) const {
        for (const report::DocsFile& file : files) {
            const std::string path = (folder / file.name).string();
            const text::FileDescriptor target(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
            const int error = target.is_open() ? text::write_all(target.get(), file.text) : errno;
            if (error == 0) continue;
            err.write(in_words("input.failed", path, text::error_text(error), command.language));
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
        err.write(in_words("cli.output_failed", {}, text::error_text(out.error()), std::visit(LanguageOf{}, command)));
        return kExitError;
    }
    return code;
}

}  // namespace ptofix::cli
