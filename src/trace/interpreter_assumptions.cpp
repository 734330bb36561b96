// What the user assumes of sizes that the code leaves open (the table `assume` of the configuration), by the names that
// the code gives them.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

std::optional<std::int64_t> Interpreter::assumed(std::string_view name) const {
    const auto found =
        std::ranges::find_if(options_.assume, [&](const Assumption& each) { return !each.axis && each.name == name; });
    return found == options_.assume.end() ? std::nullopt : std::optional(found->value);
}

std::optional<std::int64_t> Interpreter::assumed_dim(std::string_view tensor, std::int64_t axis,
                                                     std::optional<std::size_t> rank) const {
    const auto from_start = [&](std::int64_t at) {
        return rank && at < 0 ? at + static_cast<std::int64_t>(*rank) : at;
    };
    const auto found = std::ranges::find_if(options_.assume, [&](const Assumption& each) {
        return each.axis && each.name == tensor && from_start(*each.axis) == from_start(axis);
    });
    return found == options_.assume.end() ? std::nullopt : std::optional(found->value);
}

Value Interpreter::with_assumption(std::string_view name, Value value) {
    if (options_.assume.empty()) return value;
    const bool dynamic = value.tag == Tag::marker && (*value.as.text == "DYNAMIC" || *value.as.text == "DYN");
    if (value.tag != Tag::unknown && value.tag != Tag::symbol && !dynamic) return value;
    const auto number = assumed(name);
    if (!number) return value;
    // The other names of the size hear of it too.
    if (value.tag == Tag::symbol) give_number(value.sym(), *number);
    return Value::of(SymInt::of(*number)).at(value.origin());
}

}  // namespace ptofix::trace
