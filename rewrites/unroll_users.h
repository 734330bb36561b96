// Who takes an unroll list: may the list be edited where it is written? Asked by the rewriters of unroll lists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

inline constexpr std::string_view kUnrollArgument = "unroll_list";

/// Who else takes the list, if it is not only pypto.loop with these loops among them.
std::optional<rules::Blocked> other_user_of_list(const trace::Trace& trace, trace::Site list,
                                                 std::span<const std::uint32_t> loops);

/// As other_user_of_list for loops of either kind: pypto.loop_unroll takes a list too.
std::optional<rules::Blocked> other_taker_of_list(const trace::Trace& trace, trace::Site list,
                                                  std::span<const std::uint32_t> loops);

/// As other_user_of_list, and no other loop that is traced runs with it.
std::optional<rules::Blocked> other_user_or_loop(const trace::Trace& trace, trace::Site list,
                                                 std::span<const std::uint32_t> loops);

rules::Location location_of_node(const trace::Trace& trace, trace::Site site);

}  // namespace ptofix::rewrites
