// Names that the compiler gives to the functions it makes of loop bodies: TENSOR_<loop>_Unroll<n>_PATH<k>_<more>.
#include <algorithm>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::string_view kTensor = "TENSOR_";
constexpr std::string_view kUnroll = "_Unroll";
constexpr std::string_view kLoopUnroll = "_LoopUnroll";  // the suffix that loop_unroll of the older frontend adds
constexpr std::string_view kPath = "_PATH";

std::size_t find_with_number(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (number_at(text.substr(at + word.size())).value_or(-1) >= 0) return at;
    }
    return std::string_view::npos;
}

}  // namespace

FunctionName function_named(std::string_view whole) {
    FunctionName name;
    name.whole = whole;
    std::string_view rest = whole;
    if (rest.starts_with(kTensor)) rest.remove_prefix(kTensor.size());
    const std::size_t path = find_with_number(rest, kPath);
    const std::size_t unroll = find_with_number(rest, kUnroll);
    const std::size_t loop_unroll = find_with_number(rest, kLoopUnroll);
    const std::size_t end = std::min({path, unroll, loop_unroll});
    if (end == std::string_view::npos) return name;
    name.loop = rest.substr(0, end);
    if (unroll != std::string_view::npos) name.unroll = number_at(rest.substr(unroll + kUnroll.size()));
    if (loop_unroll != std::string_view::npos) {
        const auto factor = number_at(rest.substr(loop_unroll + kLoopUnroll.size()));
        name.unroll = std::max(factor, name.unroll);
    }
    return name;
}

FunctionName function_in(std::string_view text) {
    for (const std::string_view word : {kUnroll, kLoopUnroll, kPath}) {
        const std::size_t at = find_with_number(text, word);
        if (at == std::string_view::npos) continue;
        std::size_t start = at;
        while (start > 0 && is_word(text[start - 1])) --start;
        return function_named(word_at(text.substr(start)));
    }
    return {};
}

}  // namespace ptofix::diagnose
