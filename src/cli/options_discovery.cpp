#include "cli/options_discovery.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace ptofix::cli {

void add_discovery_options(CLI::App& app, RawFileChoice& raw) {
    const auto flag = [&](const char* name, bool& value) {
        app.add_flag(name, value)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    const auto option = [&](const char* name, std::vector<std::string>& values) {
        app.add_option(name, values)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    };
    flag("--no-respect-gitignore", raw.no_respect_gitignore);
    option("--files-from", raw.files_from);
    flag("--null", raw.null);
}

std::optional<OptionFault> read_discovery_options(const RawFileChoice& raw, FileChoice& choice) {
    choice.respect_gitignore = !raw.no_respect_gitignore;
    if (!raw.files_from.empty()) choice.files_from = raw.files_from.back();
    choice.null_ends_paths = raw.null;
    if (raw.null && choice.files_from.empty()) return OptionFault{"cli.null_alone"};
    return std::nullopt;
}

std::string_view given_discovery_option(const RawFileChoice& raw) {
    const std::pair<std::string_view, bool> options[] = {
        {"--no-respect-gitignore", raw.no_respect_gitignore},
        {"--files-from", !raw.files_from.empty()},
        {"--null", raw.null},
    };
    for (const auto& [name, given] : options) {
        if (given) return name;
    }
    return {};
}

}  // namespace ptofix::cli
