// Which files a run is about: the paths of the command line, folders searched for Python files. In sorted order, each
// file once even if several paths lead to it. Used by pto-fix and pto-parse-only alike.
#pragma once

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

struct Discovery {
    std::vector<InputPath> files;
    std::vector<Problem> problems;  // kind and path only; the words depend on the language
};

/// A named file is taken whatever it is called. In a folder, *.py files count; links are not followed, and hidden
/// folders and those of tools (build, dist, node_modules, __pycache__ ...) are not entered unless they are named.
Discovery discover(std::span<const std::string> paths);

/// Without "./" and doubled slashes.
std::string tidy(std::string_view path);

}  // namespace ptofix::config
