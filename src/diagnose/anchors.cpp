#include "diagnose/anchors.h"

#include <algorithm>

namespace ptofix::diagnose {

namespace {

constexpr std::uint16_t kEnd = UINT16_MAX;
constexpr std::size_t kPair = 2;  // bytes that a step looks at

std::size_t pair_at(std::string_view text, std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[at])) |
           (static_cast<std::size_t>(static_cast<unsigned char>(text[at + 1])) << 8U);
}

// Each message of a parser has one of these; a word that is rare elsewhere is better than a longer one.
constexpr std::string_view kWords[] = {
    // codes, and the texts that stand a line below them
    "ErrCode",
    " exceeds ",
    "TENSOR_MEMORY_ALLOCATION",
    "ERR_CONFIG",
    "COMPILE_CODE_FAILED",
    "Invalid L1/L0",
    "Invalid tile",
    "byte aligned",
    "-byte align",
    "32Byte",
    "16 elements",
    "must have ",
    "multiple of",
    "TileShape",
    "Tile shape",
    "invalid shape value",
    "out of range",
    "inner axis",
    "only support FP32",
    "value range",
    "unroll factor",
    "CurUnrollTimes",
    "Division or Mod",
    "hitting the max",
    "CHECK FAILED",
    "PyptoGeneralError",
    "FeError",
    "| inputs: {",
    "FC4000",
    "FC4001",
    "F0000C",
    "FC1000",
    "FC1001",
    "F4FFFF",
    "F0F619",
    "F63001",
    "F7A007",
    "F40005",
    "dynamic dim",
    // the stages
    "Compiler Monitor",
    "Pass_",
    "Apply pass ",
    "Run pass ",
    "Failed to compile",
    "Stage Pass",
    // what make, the compiler and the shell say
    "make: ***",
    "make[",
    "_Unroll",
    "stack frame",
    "ret = ",
    "ret 15",
    "return code",
    "exit 124",
    "code 124",
    "code: 124",
    "status 124",
    "status: 124",
    "rc=124",
    "timed out",
    "TimeoutExpired",
    "Terminated",
    // the device
    "out of memory",
    // Python
    "Traceback",
    "  File \"",
};

}  // namespace

Anchors::Anchors(std::span<const std::string_view> words)
    : shift_(kPairs, static_cast<std::uint8_t>(kShortest - kPair + 1)), first_(kPairs, kEnd) {
    for (const std::string_view word : words) {
        if (word.size() < kShortest) continue;
        longest_ = std::max(longest_, word.size());
        for (std::size_t end = kPair; end <= kShortest; ++end) {
            auto& shift = shift_[pair_at(word, end - kPair)];
            shift = std::min(shift, static_cast<std::uint8_t>(kShortest - end));
        }
        const std::size_t pair = pair_at(word, kShortest - kPair);
        chains_.emplace_back(word, first_[pair]);
        first_[pair] = static_cast<std::uint16_t>(chains_.size() - 1);
    }
}

bool Anchors::is_word_at(std::string_view text, std::size_t at, std::size_t pair) const {
    for (std::uint16_t i = first_[pair]; i != kEnd; i = chains_[i].second) {
        if (text.substr(at).starts_with(chains_[i].first)) return true;
    }
    return false;
}

std::size_t Anchors::find(std::string_view text, std::size_t from) const {
    // `end` is behind the window of kShortest bytes.
    for (std::size_t end = from + kShortest; end <= text.size();) {
        const std::size_t pair = pair_at(text, end - kPair);
        const std::size_t shift = shift_[pair];
        if (shift == 0 && is_word_at(text, end - kShortest, pair)) return end - kShortest;
        end += std::max<std::size_t>(shift, 1);
    }
    return std::string_view::npos;
}

const Anchors& log_anchors() {
    static const Anchors anchors{kWords};
    return anchors;
}

}  // namespace ptofix::diagnose
