// --add-ignore: from what a run found to the files with comments that silence it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cli/engine.h"
#include "report/view.h"
#include "rules/finding.h"

namespace ptofix::cli {

struct IgnoreAnswer {
    std::vector<ChangedFile> changed;
    std::int64_t silenced = 0;
    std::int64_t refused = 0;  // that no comment can silence, or that are in a file which is no input
};

/// For the findings that a report shows, from this severity on. PTO001 is about such comments: it is left alone.
IgnoreAnswer add_ignores(std::span<const Input> inputs, std::span<const report::FileReport> reports,
                         std::string_view reason, rules::Severity lowest);

}  // namespace ptofix::cli
