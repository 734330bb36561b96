// Reads what a run is about: discovered files, their configurations, and of the files those that mention PyPTO at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/known_files.h"
#include "cli/engine.h"
#include "cli/options.h"
#include "cli/scope.h"
#include "config/discovery.h"
#include "config/file_config.h"

namespace ptofix::cli {

using report::Problem;

struct Inputs {
    std::vector<Input> files;         // that mention pypto, sorted by path; with those that may import one of the scope
    std::vector<std::string> others;  // that were read and do not
    std::vector<Problem> problems;
    std::vector<std::string> notes;   // of paths that come to nothing, and of files found that cannot be read: words
    std::vector<std::string> unread;  // found, of a kind that isn't read
    std::vector<std::string> beside;  // beyond the scope; they may be edited with what is in it
    Scope scope;
    std::size_t excluded = 0;  // found in a folder, left out by the configuration
    std::size_t ignored = 0;   // files and folders that git ignores, left out
    bool none_left = false;    // of what was found or named
};

/// A file found in a folder that cannot be read as text is a problem only if its bytes mention PyPTO; a notebook of a
/// format that is not read is one where it was named.
/// `known`: files that need not be read, and those that were; their sources are unread ones.
Inputs read_inputs(const CheckCommand& command, cache::KnownFiles* known = nullptr);

/// What standard input held, under the name that was given for it; nothing, and a problem, when it cannot be read as
/// text. Nothing and no problem: the configuration excludes it.
std::optional<Input> stdin_input(const CheckCommand& command, const std::string& path, const std::string& bytes,
                                 std::vector<Problem>& problems);

}  // namespace ptofix::cli
