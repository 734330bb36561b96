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

// Each message of a parser has one of these, and a parser is asked only where one of its words stands; a word that is
// rare elsewhere is better than a longer one.
constexpr Anchor kWords[] = {
    // codes, and the texts that stand a line below them
    {"ErrCode", kCode},
    {"TENSOR_MEMORY_ALLOCATION", kCode},
    {"ERR_CONFIG", kCode},
    {"FC4000", kCode},
    {"FC4001", kCode},
    {"F0000C", kCode},
    {"FC1000", kCode},
    {"FC1001", kCode},
    {"F4FFFF", kCode},
    {"F0F619", kCode},
    {"F63001", kCode},
    {"F7A007", kCode},
    {"F40005", kCode},
    {" exceeds ", kPool},
    {"| inputs: {", kPrinted},
    {"Invalid L1/L0", kCube},
    {"Invalid tile", kCube},
    {"byte aligned", kCube},
    {"16 elements", kCube},
    {"must have ", kCube},
    {"multiple of", kVec},
    {"TileShape", kVec},
    {"tileShape", kVec},
    {"Tile shape", kVec},
    {"tile shape", kVec},
    {"tile_shape rank", kVec},
    {"32Byte", kVec},
    {"align 32B", kVec},
    {"invalid shape value", kVec | kCall},
    {"out of range", kCall},
    {"inner axis", kCall},
    {"only support FP32", kCall},
    {"unroll factor", kCall},
    {"CurUnrollTimes", kCall},
    {"Division or Mod", kCall},
    {"value range", kOption},
    {"runtime.", kOption},
    {"hitting the max", kMany},
    {"CallOpmaxSize", kMany},
    {"Failed to compile", kKernel},
    // the stages
    {"Compiler Monitor", kMonitor | kPass},
    {"Pass_", kPass},
    {"Apply pass ", kPass},
    {"Run pass ", kPass},
    // what make, the compiler and the shell say
    {"make: ***", kFailed},
    {"make[", kFailed},
    {"COMPILE_CODE_FAILED", kCode | kFailed},
    {"ompilation failed", kFailed},
    {"DoCompileCmd", kFailed},
    {"CompileCCE", kFailed},
    {"stack frame", kFailed},
    {"return code", kStopped},
    {"exit 124", kStopped},
    {"code 124", kStopped},
    {"code: 124", kStopped},
    {"status 124", kStopped},
    {"status: 124", kStopped},
    {"returned 124", kStopped},
    {"rc=124", kStopped},
    {"exit=124", kStopped},
    {"code=124", kStopped},
    {"timed out", kStopped},
    {"TimeoutExpired", kStopped},
    {"Terminated", kStopped | kFailed},
    // the device
    {"out of memory", kMemory},
    // Python
    {"Traceback", kFrame},
    {"File \"", kFrame},
};

}  // namespace

Anchors::Anchors(std::span<const Anchor> words)
    : shift_(kPairs, static_cast<std::uint8_t>(kShortest - kPair + 1)), first_(kPairs, kEnd) {
    for (const auto& [word, groups] : words) {
        if (word.size() < kShortest) continue;
        longest_ = std::max(longest_, word.size());
        for (std::size_t end = kPair; end <= kShortest; ++end) {
            auto& shift = shift_[pair_at(word, end - kPair)];
            shift = std::min(shift, static_cast<std::uint8_t>(kShortest - end));
        }
        const std::size_t pair = pair_at(word, kShortest - kPair);
        chains_.push_back({word, groups, first_[pair]});
        first_[pair] = static_cast<std::uint16_t>(chains_.size() - 1);
    }
}

bool Anchors::is_word_at(std::string_view text, std::size_t at, std::size_t pair) const {
    for (std::uint16_t i = first_[pair]; i != kEnd; i = chains_[i].next) {
        if (text[at] == chains_[i].word.front() && text.substr(at).starts_with(chains_[i].word)) return true;
    }
    return false;
}

AnchorGroups Anchors::groups(std::string_view text) const {
    AnchorGroups found = 0;
    for (std::size_t end = kShortest; end <= text.size();) {
        const std::size_t pair = pair_at(text, end - kPair);
        const std::size_t shift = shift_[pair];
        if (shift == 0) {
            const std::string_view here = text.substr(end - kShortest);
            for (std::uint16_t i = first_[pair]; i != kEnd; i = chains_[i].next) {
                const std::string_view word = chains_[i].word;
                if (here.front() == word.front() && here.starts_with(word)) found |= chains_[i].groups;
            }
        }
        end += std::max<std::size_t>(shift, 1);
    }
    return found;
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
