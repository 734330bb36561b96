// The word of a list that a mistyped one was probably meant to be. Used where users write names: options, rule ids,
// configuration keys, suppression comments.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ptofix::rules {

/// Nearest by edits (insert, delete, replace, swap neighbours), case ignored; nothing when even that is far off.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);
/// The id of the rule whose id or name is nearest.
std::optional<std::string_view> nearest_rule(std::string_view word);

}  // namespace ptofix::rules
