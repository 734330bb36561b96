#include "cli/options_discovery.h"

#include <CLI/CLI.hpp>

namespace ptofix::cli {

void add_discovery_options(CLI::App& app, RawFileChoice& raw) {
    const auto flag = [&](const char* name, bool& value) {
        app.add_flag(name, value)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    flag("--no-respect-gitignore", raw.no_respect_gitignore);
}

std::optional<OptionFault> read_discovery_options(const RawFileChoice& raw, FileChoice& choice) {
    choice.respect_gitignore = !raw.no_respect_gitignore;
    return std::nullopt;
}

std::string_view given_discovery_option(const RawFileChoice& raw) {
    return raw.no_respect_gitignore ? "--no-respect-gitignore" : "";
}

}  // namespace ptofix::cli
