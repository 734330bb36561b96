// The options that say which files a run is about, beside its paths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shard.h"
#include "rules/messages.h"

namespace CLI {
class App;
}

namespace ptofix::cli {

/// As they are meant.
struct FileChoice {
    bool respect_gitignore = true;  // unless the configuration says otherwise
    std::string files_from;         // a list of further paths; "-": standard input; empty: none
    bool null_ends_paths = false;   // in that list
    std::string since;              // a revision; empty: none
    bool staged = false;
    Shard shard;

    bool is_a_part() const { return staged || !since.empty() || shard.of > 1; }
};

/// As they are written.
struct RawFileChoice {
    bool no_respect_gitignore = false, null = false, staged = false;
    std::vector<std::string> files_from, since, shard;
};

/// What is wrong with the command line: a message and its data.
struct OptionFault {
    std::string_view id;
    rules::Data data = {};
};

void add_discovery_options(CLI::App& app, RawFileChoice& raw);
std::optional<OptionFault> read_discovery_options(const RawFileChoice& raw, FileChoice& choice);

/// The first that is given, for commands that take none; empty: none is.
std::string_view given_discovery_option(const RawFileChoice& raw);
/// The first of those that choose a part of the files, for commands that find nothing; empty: none is.
std::string_view given_part_option(const RawFileChoice& raw);

}  // namespace ptofix::cli
