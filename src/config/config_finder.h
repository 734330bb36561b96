// Finds the configuration of each file: the nearest pto-fix.toml or [tool.pto-fix], read once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/file_config.h"

namespace ptofix::config {

class ConfigFinder {
  public:
    explicit ConfigFinder(rules::Language language) : language_(language) {}

    /// The configuration of a file or, for a path in a folder that does not exist, of the nearest one that does, with
    /// what it ignores in this file.
    ConfigResult of_file(const std::string& absolute_path);
    /// A search has seen that this folder, which has a path from the root, holds none itself.
    void holds_none(const std::string& folder) { without_.insert(folder); }
    /// The configuration in this file, whatever it is about.
    ConfigResult read(const std::string& path);
    /// One that was read, with what it ignores in a file.
    ConfigResult for_file(const ConfigResult& config, const std::string& absolute_path);

  private:
    ConfigResult of_folder(const std::string& folder);

    using Which = std::vector<bool>;  // of the patterns in per_file_ignores

    rules::Language language_;
    std::unordered_map<std::string, ConfigResult> by_folder_;
    std::unordered_set<std::string> without_;
    std::map<std::pair<std::shared_ptr<const FileConfig>, Which>, std::shared_ptr<const FileConfig>> for_files_;
};

}  // namespace ptofix::config
