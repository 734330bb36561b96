// A case of fixtures/: the files it is given, what must be found in them, and the text that the fixes must leave. Read
// by the laws, and written by `rule_tests --accept`.
#pragma once

#include <compare>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fixing/analysis.h"
#include "fixing/fix_all.h"
#include "text/source.h"

namespace rule_tests {

/// A finding as a sidecar names it. Words, not enums: what differs is shown as it stands in the file.
struct Expected {
    std::string file;  // of a folder case, from the folder; empty in a single file
    std::uint32_t line = 0;
    std::string rule;
    std::string severity;
    std::string fix = "none";  // safe, unsafe, suggestion, none
    std::string blocked = "";  // id of the message; empty: nothing blocks it
    friend auto operator<=>(const Expected&, const Expected&) = default;
};

using Sources = std::vector<std::shared_ptr<const ptofix::text::Source>>;

struct Fixture {
    std::string name;                          // "PTO202/seed"
    std::filesystem::path folder;              // that holds the files
    std::filesystem::path sidecar;             // may not exist
    Sources inputs;                            // what pto-fix is given
    std::map<std::string, std::string> fixed;  // by path of the input: its text after --apply; absent: unchanged
    std::vector<Expected> expect;
    std::string skipped_law;             // "skip_law": {"law": ..., "why": ...}
    ptofix::fixing::Config config;       // from "args" and "assume"
    ptofix::fixing::FixOptions options;  // from "args" and "assume"

    /// The file as Expected names it.
    std::string file_name(const std::string& path) const;
    bool is_folder() const;
    std::filesystem::path fixed_path(const std::string& input) const;
};

/// Paths of cases below `root`: `x.py`, or a folder that holds a case.json. `x.fixed.py` and what lies in a folder case
/// are parts of one.
std::vector<std::filesystem::path> find_fixtures(const std::filesystem::path& root);

/// The error says in words what is wrong with the files of the case.
std::expected<Fixture, std::string> read_fixture(const std::filesystem::path& path, const std::filesystem::path& root);

/// Writes the fixed texts and the findings into the case's files; the other keys of the sidecar stay.
void accept(const Fixture& fixture, const std::vector<Expected>& found,
            const std::map<std::string, std::string>& fixed);

std::string show(const Expected& finding);

}  // namespace rule_tests
