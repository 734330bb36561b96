#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cli/options.h"

using namespace ptofix;
using namespace ptofix::cli;

namespace {

Command parse(std::vector<std::string> arguments, std::string_view locale = "C") {
    return parse_command_line(arguments, locale);
}

CheckCommand check_of(std::vector<std::string> arguments) {
    const Command command = parse(std::move(arguments));
    if (const auto* leave = std::get_if<Leave>(&command)) FAIL(leave->err);
    return std::get<CheckCommand>(command);
}

std::string refusal(std::vector<std::string> arguments) {
    const Command command = parse(std::move(arguments));
    REQUIRE(std::holds_alternative<Leave>(command));
    const auto& leave = std::get<Leave>(command);
    CHECK(leave.exit_code == kExitError);
    CHECK(leave.out.empty());
    return leave.err;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("paths alone ask for a check in text") {
    const CheckCommand command = check_of({"a.py", "b"});
    CHECK(command.mode == Mode::check);
    CHECK(command.format == Format::text);
    CHECK(command.paths == std::vector<std::string>{"a.py", "b"});
    CHECK_FALSE(command.read_stdin);
}

TEST_CASE("options may stand before, between and after paths, and take one value each") {
    const CheckCommand command =
        check_of({"--select", "PTO201", "a.py", "--format=json", "b.py", "--apply", "--unsafe", "--jobs", "2", "c.py"});
    CHECK(command.paths == std::vector<std::string>{"a.py", "b.py", "c.py"});
    CHECK(command.selected == std::vector<std::string>{"PTO201"});
    CHECK(command.mode == Mode::apply);
    CHECK(command.unsafe_fixes);
    CHECK(command.format == Format::json);
    CHECK(command.jobs == 2);
}

TEST_CASE("flags may be repeated; lists add up and the last of a single value counts") {
    const CheckCommand command =
        check_of({"--diff", "--diff", "--select", "PTO201,pto1", "--select", "unroll-single-jump", "--format", "text",
                  "--format", "json", "--ignore", " PTO205 ,", "x"});
    CHECK(command.mode == Mode::diff);
    CHECK(command.selected == std::vector<std::string>{"PTO201", "PTO1", "PTO202"});
    CHECK(command.ignored == std::vector<std::string>{"PTO205"});
    CHECK(command.format == Format::json);
}

TEST_CASE("a lone dash is standard input, and what follows two dashes is a path") {
    CHECK(check_of({"-"}).read_stdin);
    CHECK(check_of({"--apply", "-", "--stdin-filename", "k.py"}).stdin_filename == "k.py");
    CHECK(check_of({"--", "-odd.py"}).paths == std::vector<std::string>{"-odd.py"});
}

TEST_CASE("what cannot be meant is refused with a reason") {
    CHECK(contains(refusal({}), "no path given"));
    CHECK(contains(refusal({"--diff", "--apply", "x"}), "exclude each other"));
    CHECK(contains(refusal({"--unsafe", "x"}), "--diff or --apply"));
    CHECK(contains(refusal({"-", "x"}), "cannot be mixed"));
    CHECK(contains(refusal({"--stdin-filename", "x", "y"}), "for the path `-`"));
    CHECK(contains(refusal({"--apply", "--format", "json", "-"}), "go to a file"));
    CHECK(contains(refusal({"--format", "yaml", "x"}), "text, json"));
    CHECK(contains(refusal({"--lang", "fr", "x"}), "en, zh"));
    CHECK(contains(refusal({"--color", "maybe", "x"}), "auto, always, never"));
    CHECK(contains(refusal({"--jobs", "0", "x"}), "--jobs 0"));
    CHECK(contains(refusal({"--jobs", "many", "x"}), "--jobs many"));
    CHECK(contains(refusal({"--config", "a", "--no-config", "x"}), "exclude each other"));
    CHECK(contains(refusal({""}), "empty"));
    CHECK(contains(refusal({"--format"}), "--format"));
    CHECK(contains(refusal({"explain"}), "explain which rule"));
    CHECK(contains(refusal({"rules", "x"}), "unexpected word x"));
}

TEST_CASE("an unknown option or rule suggests the nearest known one") {
    CHECK(contains(refusal({"--aply", "x"}), "--apply?"));
    CHECK(contains(refusal({"--fix", "x"}), "--apply?"));
    CHECK(contains(refusal({"--output-format=json", "x"}), "--format?"));
    CHECK(contains(refusal({"-x", "x"}), "unknown option -x"));
    CHECK(contains(refusal({"--select", "PTO210", "x"}), "PTO201?"));
    CHECK(contains(refusal({"--ignore", "python-loop", "x"}), "no rule is called python-loop"));
    CHECK(contains(refusal({"explain", "PTO999"}), "PTO"));
}

TEST_CASE("the language is that of --lang, else that of the locale, also in refusals") {
    CHECK(std::get<CheckCommand>(parse({"x"}, "zh_CN.UTF-8")).language == rules::Language::zh);
    CHECK(std::get<CheckCommand>(parse({"x"}, "de_DE.UTF-8")).language == rules::Language::en);
    CHECK(std::get<CheckCommand>(parse({"x", "--lang", "en"}, "zh_CN")).language == rules::Language::en);
    CHECK(contains(refusal({"--lang=zh"}), "没有给出路径"));
    CHECK(contains(refusal({"--nonsense", "--lang", "zh"}), "未知选项"));
}

TEST_CASE("subcommands are known by their place; options before them belong to them") {
    const auto explain = std::get<ExplainCommand>(parse({"--lang", "zh", "explain", "PTO201", "unroll-single-jump"}));
    REQUIRE(explain.subjects.size() == 2);
    CHECK(explain.subjects[1].rule->id == "PTO202");
    CHECK(explain.language == rules::Language::zh);
    CHECK(std::get<RulesCommand>(parse({"rules", "--format", "json"})).format == Format::json);
    CHECK(check_of({"x.py", "rules"}).paths == std::vector<std::string>{"x.py", "rules"});
    CHECK(check_of({"./rules"}).paths == std::vector<std::string>{"./rules"});
}

TEST_CASE("help mentions every option in both languages, and goes to stdout") {
    for (const std::string& option : option_names()) {
        CAPTURE(option);
        CHECK(help_text(rules::Language::en).find(option) != std::string_view::npos);
        CHECK(help_text(rules::Language::zh).find(option) != std::string_view::npos);
    }
    for (const auto& arguments : {std::vector<std::string>{"--help"}, {"-h"}, {"x", "--help"}, {"explain", "--help"}}) {
        const auto leave = std::get<Leave>(parse(arguments));
        CHECK(leave.exit_code == kExitClean);
        CHECK(leave.out == help_text(rules::Language::en));
    }
    CHECK(std::get<Leave>(parse({"--version"})).out.starts_with("pto-fix "));
}
