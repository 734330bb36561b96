// Small readers of numbers and names in a message. Nothing that is read is trusted: numbers that do not fit are none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ptofix::diagnose {

bool is_word(char c);  // of an identifier

/// The number right at the beginning, with a sign; nullopt: there is none, or it does not fit.
std::optional<std::int64_t> number_at(std::string_view text);
/// The number behind the first `before`.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view before);
/// The number behind the first `before`, if `close` follows it: a number that is cut off is none.
std::optional<std::int64_t> number_between(std::string_view text, std::string_view before, std::string_view close);
/// What stands behind the first `before` up to `close`; empty when one of them is missing.
std::string_view between(std::string_view text, std::string_view before, std::string_view close);
/// What stands behind the first `before`; empty when it is missing.
std::string_view behind(std::string_view text, std::string_view before);
/// The identifier right at the beginning.
std::string_view word_at(std::string_view text);
/// "F40005" where the text holds a code by itself; empty: it does not.
std::string_view code_in(std::string_view text);
/// "394.0s", "10min 5s (605s)", "1h 2m 3s", "1712s", "394000.000ms": in seconds.
std::optional<double> duration_at(std::string_view text);

}  // namespace ptofix::diagnose
