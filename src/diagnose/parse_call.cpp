// What PyPTO refuses of an operation, a loop or an option, apart from tiles: the sentence stands on the line of its
// code or a line or two below.
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

using Fault = CallRefused::Fault;

/// "The dims of tensor is out of range [1, 4], actual dims: 5 for op: ADD"
CallRefused rank_in(std::string_view line) {
    CallRefused found{Fault::rank};
    found.least = number_between(line, "out of range [", ",");
    if (found.least) found.most = number_between(behind(line, "out of range ["), ",", "]");
    found.got = number_between(line, "actual dims: ", " ");
    found.operation = word_at(behind(line, "for op: "));
    return found;
}

/// "Operation: ADDS Input operand (name: x)  at dimension[0] has invalid shape value: -1. Dynamic shape ..."
CallRefused dynamic_in(std::string_view line) {
    CallRefused found{Fault::dynamic_dim};
    found.operation = word_at(behind(line, "Operation: "));
    found.tensor = between(line, "(name: ", ")");
    found.axis = number_between(line, "at dimension[", "]");
    found.got = -1;
    return found;
}

/// "Current inner axis: 70000, when input is ND format, inner axis must be less than 65535"
CallRefused inner_axis_in(std::string_view line) {
    CallRefused found{Fault::inner_axis};
    found.got = number_between(line, "inner axis: ", ",");
    found.most = number_after(line, "must be less than ");
    return found;
}

bool holds(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

}  // namespace

std::optional<CallRefused> parse_call(std::string_view line) {
    if (holds(line, "dims of tensor is out of range") || holds(line, "dims of dst shape is out of range")) {
        return rank_in(line);
    }
    if (number_between(line, "has invalid shape value: ", ".") == -1) return dynamic_in(line);
    if (holds(line, "inner axis") && holds(line, "ND format")) return inner_axis_in(line);
    if (holds(line, "only support FP32 and INT32 when using GM")) return CallRefused{Fault::split_type};
    if (holds(line, "unroll factor ") && holds(line, "must be a positive integer")) {
        CallRefused found{Fault::unroll};
        found.got = number_between(line, "unroll factor ", " must be");
        return found;
    }
    if (holds(line, "CurUnrollTimes() = ")) {
        CallRefused found{Fault::unroll};
        found.got = number_after(line, "CurUnrollTimes() = ");
        // Above zero it is another check that failed.
        if (found.got && *found.got > 0) return std::nullopt;
        return found;
    }
    if (holds(line, "Division or Mod by zero")) return CallRefused{Fault::division};
    return std::nullopt;
}

std::optional<CallRefused> parse_option(std::string_view line) {
    constexpr std::string_view kGroup = "runtime.";
    const std::size_t at = line.find(kGroup);
    if (at == std::string_view::npos || (at > 0 && is_word(line[at - 1]))) return std::nullopt;
    CallRefused found{Fault::option};
    found.option = word_at(line.substr(at + kGroup.size()));
    if (found.option.empty()) return std::nullopt;
    found.got = number_after(line.substr(at), found.option + ": ");
    if (!found.got) return std::nullopt;
    return found;
}

std::optional<CallRefused> parse_option_range(std::string_view line) {
    if (!holds(line, "within the value range")) return std::nullopt;
    CallRefused found = parse_option(line).value_or(CallRefused{Fault::option});
    found.least = number_between(line, "Range: [", ",");
    if (found.least) found.most = number_between(behind(line, "Range: ["), ",", "]");
    return found;
}

}  // namespace ptofix::diagnose
