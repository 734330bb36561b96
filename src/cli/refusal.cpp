#include "cli/refusal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "rules/messages.h"
#include "rules/nearest.h"

namespace ptofix::cli {

using rules::Data;

Leave Refusal::operator()(std::string_view id, Data data) const {
    return {kExitError,
            {},
            fmt::format("pto-fix: {}\n{}\n", rules::render({id, std::move(data)}, language_),
                        rules::render({"cli.see_help", {}}, language_)),
            language_};
}

Leave Refusal::unknown_option(const std::string& option, std::span<const std::string_view> known) const {
    const std::string name = option.substr(0, option.find('='));
    // What other tools call it.
    constexpr std::pair<std::string_view, std::string_view> kSynonyms[] = {
        {"--fix", "--apply"},
        {"--write", "--apply"},
        {"--in-place", "--apply"},
        {"-i", "--apply"},
        {"--dry-run", "--diff"},
        {"--unsafe-fixes", "--unsafe"},
        {"--output-format", "--format"},
        {"--exclude", "--ignore"},
        {"--no-gitignore", "--no-respect-gitignore"},
        {"--no-ignore", "--no-respect-gitignore"},
        {"--cached", "--staged"},
        {"--no-gitignore", "--no-respect-gitignore"},
        {"--no-ignore", "--no-respect-gitignore"},
        {"--language", "--lang"},
        {"--colour", "--color"},
        {"--stdin", "-"},
    };
    const auto synonym = std::ranges::find(kSynonyms, name, &std::pair<std::string_view, std::string_view>::first);
    if (synonym != std::end(kSynonyms)) {
        return (*this)("cli.unknown_option_near", Data().set("option", name).set("near", std::string(synonym->second)));
    }
    if (const auto near = rules::nearest(name, known)) {
        return (*this)("cli.unknown_option_near", Data().set("option", name).set("near", std::string(*near)));
    }
    return (*this)("cli.unknown_option", Data().set("option", name));
}

Leave Refusal::unknown_rule(const std::string& rule) const {
    if (const auto near = rules::nearest_rule(rule)) {
        return (*this)("cli.unknown_rule_near", Data().set("rule", rule).set("near", std::string(*near)));
    }
    return (*this)("cli.unknown_rule", Data().set("rule", rule));
}

Leave Refusal::of_option(std::string_view id, std::string_view option) const {
    return (*this)(id, Data().set("option", std::string(option)));
}

Leave Refusal::bad_value(std::string_view option, const std::string& value,
                         std::span<const std::string_view> known) const {
    Data data;
    data.set("option", std::string(option)).set("value", value).set("known", fmt::format("{}", fmt::join(known, ", ")));
    return (*this)("cli.bad_value", std::move(data));
}

}  // namespace ptofix::cli
