// What an analysis is told: the configuration of a file, and what a command line or an editor says beside it.
#pragma once

#include <string>
#include <vector>

#include "config/file_config.h"
#include "fixing/analysis.h"

namespace ptofix::config {

struct Overrides {
    std::string soc;                    // empty: the configuration's
    std::vector<std::string> selected;  // instead of the configuration's, when there are any
    std::vector<std::string> ignored;   // beside the configuration's
};

fixing::Config settings(const FileConfig& file, const Overrides& overrides);

}  // namespace ptofix::config
