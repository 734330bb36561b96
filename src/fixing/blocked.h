// Ids of the message catalogue for what holds back a fix whichever rule it is of.
#pragma once

#include <string_view>

namespace ptofix::fixing {

inline constexpr std::string_view kBlockedByBrokenCode = "blocked.syntax_error";
inline constexpr std::string_view kBlockedByComment = "blocked.comments_inside";
inline constexpr std::string_view kBlockedByShownCode = "blocked.shown_code";
inline constexpr std::string_view kBlockedBySuppression = "blocked.suppression_inside";
inline constexpr std::string_view kBlockedByCells = "blocked.spans_cells";
inline constexpr std::string_view kBlockedByEncoding = "blocked.not_rewritable";
inline constexpr std::string_view kBlockedByContexts = "blocked.contexts_disagree";      // {count}
inline constexpr std::string_view kBlockedByOtherReader = "blocked.read_in_other_file";  // {name}, {path}
inline constexpr std::string_view kBlockedByOtherRules = "blocked.other_rules_first";    // {rules}
inline constexpr std::string_view kBlockedByAssumption = "blocked.assumed_size";
inline constexpr std::string_view kBlockedByOtherFile = "blocked.file_not_given";  // {path}

}  // namespace ptofix::fixing
