// One configuration file: pto-fix.toml, or [tool.pto-fix] in pyproject.toml, with what it extends. Read and checked
// here; a key or value that is not understood is an error, never ignored.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/patterns.h"
#include "rules/catalogue.h"
#include "trace/tracer.h"

namespace ptofix::config {

struct FileConfig {
    std::string path;  // of the file; empty: there is none
    std::string soc;   // empty: not given
    bool legacy_frontend = false;
    bool respect_gitignore = true;
    std::vector<std::string> selected, ignored;  // canonical selectors
    struct Severity {
        std::string rule;                         // selector
        std::optional<rules::Severity> severity;  // nothing: off
    };
    std::vector<Severity> severities;
    std::vector<Pattern> exclude;
    struct PerFile {
        Pattern pattern;
        std::vector<std::string> ignored;  // canonical selectors
        bool others = false;               // all files but those of the pattern: it was written as "!pattern"

        bool matches(std::string_view absolute_path) const { return pattern.matches(absolute_path) != others; }
    };
    std::vector<PerFile> per_file_ignores;  // counted where ConfigFinder gives the configuration of a file
    std::vector<trace::Assumption> assume;

    /// Does `exclude` name this file, or a folder that it is in?
    bool excludes(const std::string& absolute_path) const;
};

struct ConfigError {
    std::string path;
    std::string message;
};

using ConfigResult = std::expected<std::shared_ptr<const FileConfig>, ConfigError>;

/// `is_pyproject`: the table is [tool.pto-fix]; a null pointer when there is none. A file that it extends is read from
/// disk: of that one `select`, `ignore`, `exclude` and single values are replaced, `extend-exclude` and
/// `per-file-ignores` are added to, `severity` and `assume` are replaced entry by entry. `chain`: the files that extend
/// this one.
ConfigResult parse_config(const std::string& path, std::string_view text, bool is_pyproject, rules::Language language,
                          std::vector<std::string> chain = {});

/// A path from the root, without ".", ".." or links resolved.
std::string absolute_path(const std::string& path);
/// The same for many: `here` is absolute_path(".").
std::string absolute_path(const std::string& path, const std::string& here);

}  // namespace ptofix::config
