// `pto-fix completions SHELL`: what makes the shell complete its options, their values, rules and subcommands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptofix::cli {

struct CompletedOption {
    std::string name;   // "--format"
    std::string words;  // what it does
    bool takes_value = false;
    bool is_list = false;             // several values, separated by commas
    std::vector<std::string> values;  // that it can have; empty: any, or files
};

struct CompletedProgram {
    std::vector<CompletedOption> options;
    std::vector<std::string> subcommands;
    std::vector<std::string> explained;  // what `explain` takes: rules and codes
};

inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

/// The script for one of kShells.
std::string completion_script(std::string_view shell, const CompletedProgram& program);

}  // namespace ptofix::cli
