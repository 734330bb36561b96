// The configuration file: pto-fix.toml, or [tool.pto-fix] in pyproject.toml, whichever is nearest to a file. Read and
// checked here; a key or value that is not understood is an error, never ignored.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalogue.h"
#include "trace/tracer.h"

namespace ptofix::config {

struct FileConfig {
    std::string path;    // of the file; empty: there is none
    std::string folder;  // that `exclude` is relative to
    std::string soc;     // empty: not given
    bool legacy_frontend = false;
    bool respect_gitignore = true;
    std::vector<std::string> selected, ignored;  // canonical selectors
    struct Severity {
        std::string rule;                         // selector
        std::optional<rules::Severity> severity;  // nothing: off
    };
    std::vector<Severity> severities;
    std::vector<std::string> exclude;  // glob patterns
    std::vector<trace::Assumption> assume;

    /// Does `exclude` name this file, or a folder that it is in?
    bool excludes(const std::string& absolute_path) const;
};

struct ConfigError {
    std::string path;
    std::string message;
};

using ConfigResult = std::expected<std::shared_ptr<const FileConfig>, ConfigError>;

/// `is_pyproject`: the table is [tool.pto-fix]; a null pointer when there is none.
ConfigResult parse_config(const std::string& path, std::string_view text, bool is_pyproject, rules::Language language);

/// Finds and keeps them, by folder.
class ConfigFinder {
  public:
    explicit ConfigFinder(rules::Language language) : language_(language) {}

    /// The configuration of a file or, for a path in a folder that does not exist, of the nearest one that does.
    ConfigResult of_file(const std::string& absolute_path);
    ConfigResult read(const std::string& path);

  private:
    ConfigResult of_folder(const std::string& folder);

    rules::Language language_;
    std::map<std::string, ConfigResult> by_folder_;
};

/// A path from the root, without ".", ".." or links resolved.
std::string absolute_path(const std::string& path);

}  // namespace ptofix::config
