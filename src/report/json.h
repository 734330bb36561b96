// The JSON format: one object, documented in README.md. Fragments are made file by file, so that a run over many files
// holds text, not trees.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/shard_of_run.h"
#include "report/view.h"

namespace ptofix::report {

struct JsonFragment {
    std::string path;
    std::string findings;  // objects, separated by commas; may be empty
    std::string silenced;  // likewise: FileReport::silenced
    std::string file;      // one object
};

struct Problem {
    std::string path;
    std::string kind;  // "not-found", "invalid-utf8" ...: stable
    std::string message;
};

/// Offsets are bytes of the file as it is on disk, lines and columns count from 1, columns in code points. `problem`:
/// what went wrong with the file although it was analysed.
JsonFragment json_of(const FileReport& report, const Problem* problem = nullptr);

/// A file that could not be analysed.
JsonFragment json_of(const Problem& problem);

struct AbsentView;
/// `fixing` is null for a run that only checks, `absent` one without a baseline.
std::string json_document(std::string_view version, std::span<const JsonFragment> files, const FixingView* fixing,
                          const std::span<const AbsentView>* absent = nullptr, ShardOfRun shard = {});
/// The same with what is said of the fixes as JSON; empty: nothing is.
std::string json_document(std::string_view version, std::span<const JsonFragment> files, std::string_view fixing,
                          const std::span<const AbsentView>* absent = nullptr, ShardOfRun shard = {});

/// The catalogue as a JSON array.
std::string json_of_rules();

}  // namespace ptofix::report
