// Edits stitch_function_max_num where it is written, when every kernel that takes it has reason to.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

inline constexpr std::string_view kStitchNumber = "stitch_function_max_num";

struct StitchEdit {
    rules::FileEdit edit;
    std::string read_as;  // Fix::read_as
};

/// `place`: of the finding, for a number that stands nowhere.
std::expected<StitchEdit, rules::Blocked> edit_stitch_number(const trace::Trace& trace,
                                                             const rules::StitchEvidence& evidence,
                                                             const rules::Location& place);

}  // namespace ptofix::rewrites
