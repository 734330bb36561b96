// Which files a run is about: the paths of the command line, folders searched for Python files. In sorted order, each
// file once even if several paths lead to it. Used by pto-fix and pto-parse-only alike.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/json.h"

namespace ptofix::config {

using report::Problem;

struct InputPath {
    std::string path;
    bool named = false;  // on the command line, not found in a folder
};

/// A folder or pattern that was named and of which nothing is left to look at.
struct LeftOut {
    std::string path;
    bool by_git = false;  // git ignores all of it; else the configuration excludes what was found
};

struct Discovery {
    std::vector<InputPath> files;
    std::vector<Problem> problems;  // kind and path only; the words depend on the language
    std::vector<LeftOut> left_out;
    std::size_t ignored = 0;  // files and folders that git ignores, left out
};

/// One that a search has come to.
struct SearchedFolder {
    std::string path;
    int opened;                          // for who opens what is in it
    std::span<const std::string> files;  // their names; not all of very many
    bool may_have_config = true;
};

struct DiscoveryOptions {
    /// At least 1. So many threads search folders; what is told below is then told by all of them.
    unsigned jobs = 1;
    /// Does what git ignores stay out of this folder, which was named? It has a path from the root. None: yes.
    std::function<bool(const std::string& folder)> respects_gitignore = {};
    /// Does the configuration exclude this file, if it is found? For left_out alone: files has it all the same.
    std::function<bool(const std::string& path)> excludes = {};
    /// What git ignores stays out even when it is named.
    bool force_exclude = false;
    /// Further paths, from a list: files of other names than Python's are passed over.
    std::vector<std::string> listed = {};
    /// A file that two names in a folder lead to may be there twice: who reads it will see. Else that is looked up.
    bool may_repeat = false;
    /// Told of each folder that is searched, before those in it; one that is found twice may be told twice.
    std::function<void(const SearchedFolder& folder)> searched = {};
};

/// A named file is taken whatever it is called. A path that leads nowhere may be a pattern (glob.h). In a folder, *.py
/// and *.ipynb files count, in small letters; links are not followed, and hidden folders, those of tools (build, dist,
/// node_modules,
/// __pycache__ ...) and what git ignores are left out unless they are named.
Discovery discover(std::span<const std::string> paths, const DiscoveryOptions& options = {});

/// For one file that is named, under force_exclude.
bool is_ignored_by_git(const std::string& path);

/// Without "./" and doubled slashes.
std::string tidy(std::string_view path);

}  // namespace ptofix::config
