#include "cli/cache_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptofix::cli {

std::vector<std::string> pack_words(const CheckCommand& command) {
    const FileChoice& choice = command.choice;
    std::vector<std::string> words = command.paths;
    words.insert(words.end(), {choice.files_from, choice.since, choice.staged ? "staged" : "",
                               fmt::format("{}/{}", choice.shard.number, choice.shard.of), command.soc,
                               command.config_path, fmt::format("{}", fmt::join(command.selected, ",")),
                               fmt::format("{}", fmt::join(command.ignored, ","))});
    return words;
}

bool may_pass_over(const CheckCommand& command) {
    const FileChoice& choice = command.choice;
    return command.mode == Mode::check && command.report.add_ignore.empty() && !command.explain_unknown &&
           choice.since.empty() && !choice.staged && choice.shard.of == 1;
}

}  // namespace ptofix::cli
