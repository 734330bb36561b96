// Where the passes are: "Pass_27_SubgraphToFunction" of a dump folder, "Apply pass <OoOSchedule> on function: ...",
// "Run pass <OoOSchedule> failed.", and the monitor's "[27] SubgraphToFunction start".
#include <algorithm>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

/// "SubgraphToFunction": passes are named in words that begin with capitals.
bool is_pass_name(std::string_view name) {
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' &&
           std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// A harness tells how its tests went: they may be numbered like passes.
bool is_a_result(std::string_view rest) {
    while (rest.starts_with(' ') || rest.starts_with(':')) rest.remove_prefix(1);
    const std::string_view word = word_at(rest);
    return word == "ok" || word == "OK" || word == "passed" || word == "PASSED" || word == "PASS" || word == "done";
}

std::string_view bracketed(std::string_view text) {
    if (text.empty() || (text.front() != '<' && text.front() != '[')) return {};
    return word_at(text.substr(1));
}

std::optional<LastPass> numbered(std::string_view line) {
    constexpr std::string_view kPass = "Pass_";
    std::optional<LastPass> found;
    for (std::size_t at = line.find(kPass); at != std::string_view::npos; at = line.find(kPass, at + 1)) {
        if (at > 0 && is_word(line[at - 1])) continue;
        const std::string_view rest = line.substr(at + kPass.size());
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        if (digits == 0 || digits > 2) continue;
        LastPass pass;
        pass.number = static_cast<int>(number_at(rest).value_or(0));
        if (!rest.substr(digits).starts_with('_')) continue;
        pass.name = word_at(rest.substr(digits + 1));
        if (!is_pass_name(pass.name) || is_a_result(rest.substr(digits + 1 + pass.name.size()))) continue;
        found = std::move(pass);  // the last one of the line
    }
    return found;
}

}  // namespace

std::optional<LastPass> parse_pass(std::string_view line) {
    for (const std::string_view before : {"Apply pass ", "Run pass "}) {
        const std::string_view name = bracketed(behind(line, before));
        if (!is_pass_name(name)) continue;
        LastPass pass;
        pass.name = name;
        pass.failed = line.find("failed") != std::string_view::npos;
        if (const auto function = behind(line, "on function: "); !function.empty()) {
            pass.function = function_named(word_at(function));
        }
        return pass;
    }
    if (const std::string_view monitor = behind(line, "Compiler Monitor] ["); !monitor.empty()) {
        const auto number = number_at(monitor);
        const std::string_view name = word_at(behind(monitor, "] "));
        if (number && *number >= 0 && *number < 100 && !name.empty()) {
            LastPass pass;
            pass.number = static_cast<int>(*number);
            pass.name = name;
            pass.failed = line.find("Result:[FAILED]") != std::string_view::npos;
            return pass;
        }
    }
    return numbered(line);
}

}  // namespace ptofix::diagnose
