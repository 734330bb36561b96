// F7A007: "the loop function operation: <name> size is 67209 hitting the maxinum single-loop-operation limit:60000."
#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

/// Counts that are not above zero are none.
TooManyOperations with_counts(TooManyOperations found) {
    for (std::optional<std::int64_t>* count : {&found.size, &found.limit}) {
        if (*count && **count <= 0) count->reset();
    }
    return found;
}

}  // namespace

std::optional<TooManyOperations> parse_too_many_operations(std::string_view line) {
    TooManyOperations found;
    if (line.find("single-loop-operation limit") != std::string_view::npos) {
        found.function = function_named(word_at(behind(line, "the loop function operation: ")));
        found.size = number_between(line, "size is ", " ");
        found.limit = number_after(line, "limit:");
        return with_counts(found);
    }
    if (line.find("CallOpmaxSize: ") != std::string_view::npos) {
        found.function = function_named(word_at(behind(line, "loopFunction: ")));
        found.size = number_after(line, "CallOpSize: ");
        found.limit = number_after(line, "CallOpmaxSize: ");
        return with_counts(found);
    }
    return std::nullopt;
}

}  // namespace ptofix::diagnose
