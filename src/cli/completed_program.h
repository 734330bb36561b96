// What the shells may complete, read off the command line's own options, help text and tables.
#pragma once

#include <map>
#include <span>
#include <string_view>

#include "cli/completions.h"
#include "rules/catalogue.h"

namespace CLI {
class App;
}

namespace ptofix::cli {

/// Of options that take one of a few words.
using OptionValues = std::map<std::string_view, std::span<const std::string_view>>;

CompletedProgram completed_program(const CLI::App& app, const OptionValues& values,
                                   std::span<const std::string_view> subcommands, rules::Language language);

}  // namespace ptofix::cli
