#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>

#include "cli/completed_program.h"
#include "cli/completions.h"
#include "cli/man_page.h"
#include "cli/option_kinds.h"
#include "cli/options_run.h"
#include "cli/refusal.h"
#include "cli/report_arguments.h"
#include "cli/version.h"
#include "config/selectors.h"
#include "rules/messages.h"

namespace ptofix::cli {

namespace {

using rules::Data;
using rules::Language;

/// The values as they were written; repeated flags are collected, the last one counts where only one can.
struct Raw {
    bool diff = false, apply = false, unsafe_fixes = false, explain_unknown = false, no_config = false;
    bool force_exclude = false, coverage = false, allow_missing = false, help = false, version = false;
    std::vector<std::string> lang, color, soc, config, jobs, stdin_filename, select, ignore, paths;
    RawReport report;
    RawFileChoice choice;
    RawRunOptions run;
    RawApply writing;
};

const std::string kNothing;

const std::string& last(const std::vector<std::string>& values) {
    return values.empty() ? kNothing : values.back();
}

void add_options(CLI::App& app, Raw& raw) {
    app.set_help_flag();
    app.allow_windows_style_options(false);
    add_flag(app, "--diff", raw.diff);
    add_flag(app, "--apply", raw.apply);
    add_flag(app, "--unsafe", raw.unsafe_fixes);
    add_flag(app, "--explain-unknown", raw.explain_unknown);
    add_flag(app, "--no-config", raw.no_config);
    add_flag(app, "--force-exclude", raw.force_exclude);
    add_flag(app, "--coverage", raw.coverage);
    add_flag(app, "--allow-missing", raw.allow_missing);
    add_apply_options(app, raw.writing);
    add_flag(app, "--help,-h", raw.help);
    add_flag(app, "--version,-V", raw.version);
    add_option(app, "--lang", raw.lang);
    add_option(app, "--color", raw.color);
    add_option(app, "--soc", raw.soc);
    add_option(app, "--config", raw.config);
    add_option(app, "--jobs,-j", raw.jobs);
    add_option(app, "--stdin-filename", raw.stdin_filename);
    add_option(app, "--select", raw.select);
    add_option(app, "--ignore", raw.ignore);
    add_discovery_options(app, raw.choice);
    add_report_options(app, raw.report);
    add_run_options(app, raw.run);
    app.add_option("PATH", raw.paths);
}

std::vector<std::string_view> long_names(const CLI::App& app) {
    static std::vector<std::string> names;
    names.clear();
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return {names.begin(), names.end()};
}

Language language_of(std::string_view value, std::string_view locale) {
    if (value == "zh") return Language::zh;
    if (value == "en") return Language::en;
    return locale.starts_with("zh") ? Language::zh : Language::en;
}

/// --lang wherever it stands, so that every later message is in that language.
std::string_view find_lang(std::span<const std::string> arguments) {
    std::string_view found;
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        constexpr std::string_view kLang = "--lang";
        const std::string_view argument = arguments[i];
        if (argument == kLang && i + 1 < arguments.size()) found = arguments[i + 1];
        if (argument.starts_with("--lang=")) found = argument.substr(kLang.size() + 1);
    }
    return found;
}

/// A value where none may be, and none where one must be. CLI11 takes `--apply=false` for no --apply, and in
/// `--config= k.py` the path for the value.
std::optional<Leave> check_values(const CLI::App& app, std::span<const std::string> arguments, const Refusal& refuse) {
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        const std::string_view argument = arguments[i];
        const std::size_t equals = argument.find('=');
        const std::string name(argument.substr(0, equals));
        const CLI::Option* option = name.starts_with('-') ? app.get_option_no_throw(name) : nullptr;
        if (option == nullptr) continue;
        const bool written = equals != std::string_view::npos;
        if (option->get_items_expected_max() == 0) {
            if (written) return refuse.of_option("cli.takes_no_value", name);
        } else if (written) {
            if (equals + 1 == argument.size()) return refuse.of_option("cli.value_missing", name);
        } else {
            ++i;  // the value
            const bool missing = i == arguments.size() || (arguments[i].size() > 1 && arguments[i].starts_with('-'));
            if (missing) return refuse.of_option("cli.value_missing", name);
        }
    }
    return std::nullopt;
}

/// Splits lists at commas; false and the word at fault when it means no rule.
bool read_selectors(std::span<const std::string> lists, std::vector<std::string>& out, std::string& fault) {
    for (const std::string_view list : lists) {
        for (std::size_t at = 0; at <= list.size();) {
            const std::size_t comma = std::min(list.find(',', at), list.size());
            std::string_view word = list.substr(at, comma - at);
            at = comma + 1;
            while (word.starts_with(' ')) word.remove_prefix(1);
            while (word.ends_with(' ')) word.remove_suffix(1);
            if (word.empty()) continue;
            out.push_back(config::canonical_selector(word));
            if (out.back().empty()) {
                fault = word;
                return false;
            }
        }
    }
    return true;
}

constexpr std::string_view kLanguages[] = {"en", "zh"};
constexpr std::string_view kColours[] = {"auto", "always", "never"};
constexpr std::string_view kSubcommands[] = {"explain",     "rules", "trace", "budget",        "diagnose",    "lsp",
                                             "completions", "merge", "undo",  "generate-docs", "generate-man"};

bool is_one_of(std::string_view value, std::span<const std::string_view> known) {
    return std::ranges::find(known, value) != known.end();
}

/// Where the subcommand stands, if there is one: the first word that is no option and no option's value.
std::size_t find_subcommand(const CLI::App& app, std::span<const std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with("-")) return is_one_of(arguments[i], kSubcommands) ? i : arguments.size();
        const CLI::Option* option = app.get_option_no_throw(arguments[i]);  // none for --name=value
        if (option != nullptr && option->get_items_expected_max() > 0) ++i;
    }
    return arguments.size();
}

CompletedProgram program_of(const CLI::App& app, Language language) {
    const OptionValues values{
        {"--format", check_formats()}, {"--fail-on", severity_names()}, {"--lang", kLanguages}, {"--color", kColours}};
    return completed_program(app, values, kSubcommands, language);
}

class Reader {
  public:
    Reader(const Raw& raw, Language language) : raw_(raw), refuse_(language), language_(language) {}

    Command check() const {
        CheckCommand command;
        if (auto fault = what_to_do(command)) return *std::move(fault);
        if (auto fault = read_report_options(raw_.report, refuse_, command)) return *std::move(fault);
        return paths(std::move(command));
    }

    /// What of a check other commands have too. `formats`: what they may print.
    Command like_a_check(std::span<const std::string_view> formats, bool without_paths) const {
        CheckCommand command;
        if (auto fault = what_to_do(command)) return *std::move(fault);
        if (auto fault = read_outputs(raw_.report, formats, refuse_, command)) return *std::move(fault);
        return without_paths && raw_.paths.empty() ? Command(std::move(command)) : paths(std::move(command));
    }

    std::optional<Leave> what_to_do(CheckCommand& command) const {
        command.language = language_;
        if (auto fault = common(&command.colour)) return fault;
        if (raw_.diff && raw_.apply) return refuse_("cli.diff_and_apply");
        command.mode = raw_.diff ? Mode::diff : raw_.apply ? Mode::apply : Mode::check;
        if (raw_.unsafe_fixes && command.mode == Mode::check) return refuse_("cli.unsafe_alone");
        if (auto refused = writing(command)) return refused;
        command.unsafe_fixes = raw_.unsafe_fixes;
        command.explain_unknown = raw_.explain_unknown;
        std::string fault;
        if (!read_selectors(raw_.select, command.selected, fault)) return refuse_.unknown_rule(fault);
        if (!raw_.select.empty() && command.selected.empty()) return refuse_("cli.selects_nothing");
        if (!read_selectors(raw_.ignore, command.ignored, fault)) return refuse_.unknown_rule(fault);
        command.soc = last(raw_.soc);
        command.config_path = last(raw_.config);
        command.no_config = raw_.no_config;
        command.force_exclude = raw_.force_exclude;
        if (auto wrong = read_discovery_options(raw_.choice, command.choice)) {
            return refuse_(wrong->id, std::move(wrong->data));
        }
        command.run = read_run_options(raw_.run);
        if (command.no_config && !raw_.config.empty()) return refuse_("cli.config_and_no_config");
        if (!raw_.jobs.empty()) {
            const std::string& jobs = raw_.jobs.back();
            const auto [end, error] = std::from_chars(jobs.data(), jobs.data() + jobs.size(), command.jobs);
            if (error != std::errc{} || end != jobs.data() + jobs.size() || command.jobs == 0) {
                return refuse_("cli.bad_number", Data().set("option", "--jobs").set("value", jobs));
            }
        }
        return std::nullopt;
    }

    Command trace() const {
        Command command = shows("trace");
        if (const auto* leave = std::get_if<Leave>(&command)) return *leave;
        return TraceCommand{std::move(std::get<CheckCommand>(command)), raw_.coverage};
    }

    Command budget() const {
        if (raw_.coverage) return coverage_alone();
        Command command = shows("budget");
        if (const auto* leave = std::get_if<Leave>(&command)) return *leave;
        return BudgetCommand{std::move(std::get<CheckCommand>(command))};
    }

    Command diagnose() const {
        if (raw_.coverage) return coverage_alone();
        Given others = given_rules();
        others.emplace_back("--explain-unknown", raw_.explain_unknown);
        others.emplace_back(given_part_option(raw_.choice), !given_part_option(raw_.choice).empty());
        if (!raw_.stdin_filename.empty()) return refuse_("cli.diagnose_stdin");
        if (auto fault = not_for("diagnose", others, "cli.not_for_diagnose")) return *std::move(fault);
        if (raw_.paths.empty()) return refuse_("cli.diagnose_no_log");
        Raw rest = raw_;
        rest.paths.erase(rest.paths.begin());
        if (std::ranges::find(rest.paths, "-") != rest.paths.end()) return refuse_("cli.diagnose_stdin");
        if (rest.paths.empty() && raw_.choice.files_from.empty() && (raw_.diff || raw_.apply))
            return refuse_("cli.diagnose_no_kernel");
        if (raw_.paths.front().empty()) return refuse_("cli.empty_path");
        Reader reader(rest, language_);
        Command command = reader.like_a_check(diagnose_formats(), true);
        if (const auto* leave = std::get_if<Leave>(&command)) return *leave;
        return DiagnoseCommand{raw_.paths.front(), std::move(std::get<CheckCommand>(command))};
    }

    Command explain() const {
        ExplainCommand command{{}, language_};
        const auto format = read_format(raw_.report, show_formats(), refuse_);
        if (!format) return format.error();
        if (auto fault = common(nullptr)) return *fault;
        if (*format == Format::json) return refuse_("cli.explain_json");
        if (raw_.paths.empty()) return refuse_("cli.explain_nothing");
        for (const std::string& word : raw_.paths) {
            const rules::Rule* rule = rules::find_rule(word);
            const rules::Code* code = rule == nullptr ? rules::find_code(word) : nullptr;
            if (rule == nullptr && code == nullptr) return refuse_.unknown_rule(word);
            command.subjects.push_back({rule, code});
        }
        return command;
    }

    Command list_rules() const {
        RulesCommand command{Format::text, language_};
        const auto format = read_format(raw_.report, show_formats(), refuse_);
        if (!format) return format.error();
        command.format = *format;
        if (auto fault = common(nullptr)) return *fault;
        if (!raw_.paths.empty()) return refuse_("cli.too_many", Data().set("word", raw_.paths.front()));
        return command;
    }

    Command language_server() const {
        Given others = given_mode_and_rules();
        others.insert(others.end(),
                      {{"--soc", !raw_.soc.empty()},
                       {"--config", !raw_.config.empty()},
                       {"--no-config", raw_.no_config},
                       {"--stdin-filename", !raw_.stdin_filename.empty()},
                       {"--format", !raw_.report.format.empty()},
                       {given_discovery_option(raw_.choice), !given_discovery_option(raw_.choice).empty()}});
        if (auto fault = not_for("lsp", others)) return *std::move(fault);
        if (auto fault = common(nullptr)) return *fault;
        if (!raw_.paths.empty()) return refuse_("cli.too_many", Data().set("word", raw_.paths.front()));
        return LspCommand{language_};
    }

    Command completions(const CLI::App& app) const {
        if (raw_.paths.size() != 1 || !is_one_of(raw_.paths.front(), kShells)) return refuse_("cli.completions_shell");
        return Leave{kExitClean, completion_script(raw_.paths.front(), program_of(app, language_)), {}, language_};
    }

    Command merge() const {
        Given others = given_mode_and_rules();
        others.emplace_back(given_discovery_option(raw_.choice), !given_discovery_option(raw_.choice).empty());
        if (auto fault = not_for("merge", others, "cli.not_for_merge")) return *std::move(fault);
        if (auto fault = common(nullptr)) return *fault;
        if (raw_.paths.empty()) return refuse_("cli.merge_nothing");
        const auto fail_on = read_fail_on(raw_.report, refuse_);
        if (!fail_on) return fail_on.error();
        MergeCommand command;
        command.paths = raw_.paths;
        if (!raw_.report.format.empty()) {
            const auto format = read_format(raw_.report, merge_formats(), refuse_);
            if (!format) return format.error();
            command.format = *format;
        }
        command.on_stdout = raw_.report.output.empty();
        for (const std::string& path : raw_.report.output) {
            if (auto fault = output_fault(path, refuse_)) return *std::move(fault);
            if (path == "-") {
                command.on_stdout = true;
            } else {
                command.outputs.push_back(path);
            }
        }
        command.allow_missing = raw_.allow_missing;
        command.fail_on = *fail_on;
        command.exit_zero = raw_.report.exit_zero;
        command.language = language_;
        return command;
    }

    Command docs() const {
        if (raw_.paths.size() != 1) return refuse_("cli.docs_folder");
        return DocsCommand{raw_.paths.front(), language_};
    }

    Command undo() const {
        Given others = given_mode_and_rules();
        others.emplace_back("--format", !raw_.report.format.empty());
        const auto writing = apply_option_given(raw_.writing);
        others.emplace_back(writing.value_or(std::string_view{}), writing.has_value());
        if (auto fault = not_for("undo", others, "cli.not_for_undo")) return *std::move(fault);
        if (auto fault = common(nullptr)) return *fault;
        if (std::ranges::find(raw_.paths, "") != raw_.paths.end()) return refuse_("cli.empty_path");
        return UndoCommand{raw_.paths, raw_.writing.list, raw_.writing.skip_changed, language_};
    }

    Leave undo_option_alone(std::string_view option) const {
        return refuse_.of_option("cli.undo_option_alone", option);
    }

    Leave allow_missing_alone() const { return refuse_("cli.allow_missing_alone"); }

    Leave coverage_alone() const { return refuse_("cli.coverage_alone"); }

  private:
    /// Options that a subcommand has no use for, and whether they were written.
    using Given = std::vector<std::pair<std::string_view, bool>>;

    std::optional<Leave> writing(CheckCommand& command) const {
        const auto option = apply_option_given(raw_.writing);
        const bool writes =
            command.mode == Mode::apply || (command.mode == Mode::check && !raw_.report.add_ignore.empty());
        // A diff says what --apply with the same options would write.
        const bool shows = command.mode == Mode::diff && !raw_.writing.apply.review;
        if (option && !writes && !shows) return refuse_.of_option("cli.apply_option_alone", *option);
        command.apply = raw_.writing.apply;
        if (command.apply.review && std::ranges::find(raw_.paths, "-") != raw_.paths.end()) {
            return refuse_("cli.review_stdin");
        }
        return std::nullopt;
    }

    /// What it shows depends on no rule, and it changes nothing.
    Command shows(std::string_view subcommand) const {
        Given others = given_mode_and_rules();
        others.emplace_back(given_part_option(raw_.choice), !given_part_option(raw_.choice).empty());
        if (auto fault = not_for(subcommand, others)) return *std::move(fault);
        return like_a_check(show_formats(), false);
    }

    Given given_rules() const { return {{"--select", !raw_.select.empty()}, {"--ignore", !raw_.ignore.empty()}}; }

    Given given_mode_and_rules() const {
        Given given{{"--diff", raw_.diff}, {"--apply", raw_.apply}, {"--unsafe", raw_.unsafe_fixes}};
        const Given rules = given_rules();
        given.insert(given.end(), rules.begin(), rules.end());
        return given;
    }

    std::optional<Leave> not_for(std::string_view subcommand, const Given& others,
                                 std::string_view why = "cli.not_for_command") const {
        for (const auto& [option, given] : others) {
            if (!given) continue;
            Data data;
            data.set("option", std::string(option)).set("command", std::string(subcommand));
            return refuse_(why, std::move(data));
        }
        return std::nullopt;
    }

    std::optional<Leave> common(Colour* colour) const {
        for (const std::string& value : raw_.lang) {
            if (!is_one_of(value, kLanguages)) return refuse_.bad_value("--lang", value, kLanguages);
        }
        for (const std::string& value : raw_.color) {
            if (!is_one_of(value, kColours)) return refuse_.bad_value("--color", value, kColours);
            const Colour read = value == "always"  ? Colour::always
                                : value == "never" ? Colour::never
                                                   : Colour::automatic;
            if (colour != nullptr) *colour = read;
        }
        return std::nullopt;
    }

    Command paths(CheckCommand command) const {
        for (const std::string& path : raw_.paths) {
            if (path == "-") {
                command.read_stdin = true;
            } else if (path.empty()) {
                return refuse_("cli.empty_path");
            } else {
                command.paths.push_back(path);
            }
        }
        command.stdin_filename = last(raw_.stdin_filename);
        const FileChoice& choice = command.choice;
        if (command.read_stdin && choice.is_a_part()) {
            return refuse_("cli.stdin_no_part", Data().set("option", std::string(given_part_option(raw_.choice))));
        }
        if (raw_.paths.empty() && choice.files_from.empty()) {
            if (!choice.staged && choice.since.empty()) return refuse_("cli.no_path");
            command.paths.emplace_back(".");
        }
        if (command.read_stdin && !command.choice.files_from.empty()) return refuse_("cli.stdin_and_list");
        if (command.read_stdin && !command.report.add_ignore.empty()) return refuse_("cli.add_ignore_stdin");
        if (command.read_stdin && !command.paths.empty()) return refuse_("cli.stdin_and_paths");
        if (!command.read_stdin && !raw_.stdin_filename.empty()) return refuse_("cli.stdin_filename_alone");
        if (command.read_stdin && command.mode == Mode::apply && command.format != Format::text) {
            return refuse_("cli.stdin_apply_json");
        }
        return command;
    }

    const Raw& raw_;
    Refusal refuse_;
    Language language_;
};

}  // namespace

std::vector<std::string> option_names() {
    Raw raw;
    CLI::App app;
    add_options(app, raw);
    const auto names = long_names(app);
    return {names.begin(), names.end()};
}

Command parse_command_line(std::span<const std::string> arguments, std::string_view locale) {
    const Language language = language_of(find_lang(arguments), locale);
    const Refusal refuse(language);
    Raw raw;
    CLI::App app;
    add_options(app, raw);

    std::vector<std::string> words(arguments.begin(), arguments.end());
    const std::size_t at = find_subcommand(app, arguments);
    std::string subcommand;
    if (at < words.size()) {
        subcommand = words[at];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::ranges::reverse(words);  // as CLI11 wants them
    const auto known = long_names(app);
    if (auto fault = check_values(app, arguments, refuse)) return *std::move(fault);
    try {
        app.parse(std::move(words));
    } catch (const CLI::ExtrasError&) {
        return refuse.unknown_option(app.remaining().empty() ? kNothing : app.remaining().front(), known);
    } catch (const CLI::ParseError& error) {
        return refuse("cli.bad_command_line", Data().set("detail", std::string(error.what())));
    }
    for (const std::string& path : raw.paths) {
        // CLI11 takes what it does not know for a path when it has one dash or follows a list.
        const bool after_dashes = std::ranges::find(arguments, "--") != arguments.end();
        if (path.size() > 1 && path.starts_with('-') && !after_dashes) return refuse.unknown_option(path, known);
    }
    if (raw.help) return Leave{kExitClean, std::string(help_text(language)), {}, language};
    if (raw.version) return Leave{kExitClean, fmt::format("pto-fix {}\n", kVersion), {}, language};
    note_order(app, raw.report);
    const Reader reader(raw, language);
    if (const auto option = report_option_given(raw.report, subcommand); option && !subcommand.empty()) {
        return refuse("cli.for_check_alone", Data().set("option", std::string(*option)).set("command", subcommand));
    }
    if (const auto option = undo_option_given(raw.writing); option && subcommand != "undo") {
        return reader.undo_option_alone(*option);
    }
    if (raw.allow_missing && subcommand != "merge") return reader.allow_missing_alone();
    if (subcommand == "trace") return reader.trace();
    if (subcommand == "budget") return reader.budget();
    if (subcommand == "diagnose") return reader.diagnose();
    if (raw.coverage) return reader.coverage_alone();
    if (subcommand == "undo") return reader.undo();
    if (subcommand == "explain") return reader.explain();
    if (subcommand == "rules") return reader.list_rules();
    if (subcommand == "merge") return reader.merge();
    if (subcommand == "lsp") return reader.language_server();
    if (subcommand == "completions") return reader.completions(app);
    if (subcommand == "generate-man")
        return Leave{kExitClean, man_page(help_text(language), kVersion, language), {}, language};
    if (subcommand == "generate-docs") return reader.docs();
    return reader.check();
}

}  // namespace ptofix::cli
