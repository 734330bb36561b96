// The command line as values: what the user asked for, checked, or the message and exit code that end the program. Made
// by parse_command_line, read by run.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/options_apply.h"
#include "cli/options_discovery.h"
#include "cli/options_run.h"
#include "cli/report_options.h"
#include "rules/catalogue.h"
#include "rules/codes.h"

namespace ptofix::cli {

/// Of the process.
inline constexpr int kExitClean = 0;     // nothing of severity warning or error is left
inline constexpr int kExitFindings = 1;  // something is left
inline constexpr int kExitError = 2;     // usage, input or internal error

enum class Mode { check, diff, apply };
enum class Colour { automatic, always, never };

struct CheckCommand {
    Mode mode = Mode::check;
    Format format = Format::text;  // on stdout
    ReportOptions report;
    Colour colour = Colour::automatic;
    rules::Language language = rules::Language::en;
    bool unsafe_fixes = false;
    bool explain_unknown = false;
    bool read_stdin = false;
    std::string stdin_filename;         // empty: none was given
    std::vector<std::string> paths;     // without "-"
    std::vector<std::string> selected;  // canonical: "PTO201", "PTO2"
    std::vector<std::string> ignored;
    std::string soc;          // as hardware::soc_of_name reads it; empty: not given
    std::string config_path;  // --config; empty: look for it
    bool no_config = false;
    bool force_exclude = false;  // the configuration's exclude counts for named files too
    FileChoice choice;
    unsigned jobs = 0;  // 0: as many as the machine has
    RunOptions run = {};
    ApplyOptions apply;
};

/// `pto-fix trace`: paths, configuration, language and format as for a check.
struct TraceCommand {
    CheckCommand inputs;
    bool coverage = false;
};

/// `pto-fix budget`: as above.
struct BudgetCommand {
    CheckCommand inputs;
};

/// `pto-fix diagnose`: a compile log, and the kernels that it is about; none: the diagnosis in words.
struct DiagnoseCommand {
    std::string log;  // "-": standard input
    CheckCommand inputs;
};

struct ExplainCommand {
    /// A rule, or a code of the compiler's.
    struct Subject {
        const rules::Rule* rule = nullptr;
        const rules::Code* code = nullptr;
    };
    std::vector<Subject> subjects;
    rules::Language language = rules::Language::en;
};

/// `pto-fix merge`: the JSON or SARIF reports of the shards of a run.
struct MergeCommand {
    std::vector<std::string> paths;
    std::optional<Format> format;      // that the reports have to be in; none: any
    std::vector<std::string> outputs;  // files that the whole goes to
    bool on_stdout = true;
    bool allow_missing = false;  // shards
    std::optional<rules::Severity> fail_on;
    bool exit_zero = false;
    rules::Language language = rules::Language::en;
};

struct RulesCommand {
    Format format = Format::text;
    rules::Language language = rules::Language::en;
};

/// The language server on standard input and output.
struct LspCommand {
    rules::Language language = rules::Language::en;
};

/// Writes docs/rules/*.md and docs/codes/*.md; for the developers of pto-fix.
struct DocsCommand {
    std::string folder;
    rules::Language language = rules::Language::en;
};

/// Nothing to run: print and leave.
struct Leave {
    int exit_code = kExitClean;
    std::string out;  // for stdout
    std::string err;  // for stderr
    rules::Language language = rules::Language::en;
};

using Command = std::variant<CheckCommand, TraceCommand, BudgetCommand, DiagnoseCommand, ExplainCommand, RulesCommand,
                             MergeCommand, LspCommand, DocsCommand, UndoCommand, Leave>;

/// Arguments without the program's name. `locale` is the value of LC_ALL, LC_MESSAGES or LANG that is in force:
/// "zh_CN.UTF-8" makes Chinese the default.
Command parse_command_line(std::span<const std::string> arguments, std::string_view locale);

/// The names of the options, for the test that the help texts mention each.
std::vector<std::string> option_names();
std::string_view help_text(rules::Language language);

}  // namespace ptofix::cli
