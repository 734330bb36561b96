#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ptofix::cli {

/// An option that is there or not; given twice it is still there.
inline CLI::Option* add_flag(CLI::App& app, const char* name, bool& value) {
    return app.add_flag(name, value)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// An option with one value each time it is given. All values are kept: who reads them says which counts.
inline CLI::Option* add_option(CLI::App& app, const char* name, std::vector<std::string>& values) {
    return app.add_option(name, values)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace ptofix::cli
