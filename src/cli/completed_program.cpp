#include "cli/completed_program.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/help_parts.h"
#include "cli/options.h"
#include "hardware/soc.h"
#include "rules/codes.h"

namespace ptofix::cli {

namespace {

std::vector<std::string> values_of(std::string_view option, const OptionValues& known) {
    std::vector<std::string> values;
    if (const auto at = known.find(option); at != known.end()) values.assign(at->second.begin(), at->second.end());
    if (option == "--soc") {
        for (const hardware::Pools& pools : hardware::all_pools()) values.emplace_back(pools.name);
    }
    if (option == "--select" || option == "--ignore") {
        for (const rules::Rule& rule : rules::catalogue()) values.emplace_back(rule.id);
    }
    return values;
}

std::string words_of(std::string_view option, std::span<const HelpSection> help) {
    for (const HelpSection& section : help) {
        for (const HelpEntry& entry : section.entries) {
            if (!entry.head.starts_with('-')) continue;  // a way to call the program
            const auto names = option_names_in(entry.head);
            if (std::ranges::find(names, option) != names.end()) return entry.words;
        }
    }
    return {};
}

}  // namespace

CompletedProgram completed_program(const CLI::App& app, const OptionValues& values,
                                   std::span<const std::string_view> subcommands, rules::Language language) {
    CompletedProgram program;
    const std::vector<HelpSection> help = help_sections(help_text(language));
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& own : option->get_lnames()) {
            const std::string name = "--" + own;
            program.options.push_back({name, words_of(name, help), option->get_items_expected_max() > 0,
                                       name == "--select" || name == "--ignore", values_of(name, values)});
        }
    }
    for (const std::string_view subcommand : subcommands) {
        if (!subcommand.starts_with("generate-")) program.subcommands.emplace_back(subcommand);
    }
    for (const rules::Rule& rule : rules::catalogue()) program.explained.emplace_back(rule.id);
    for (const rules::Code& code : rules::codes()) program.explained.emplace_back(code.id);
    return program;
}

}  // namespace ptofix::cli
