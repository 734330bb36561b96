// Finds the few words that a line of a log must hold to be worth reading, in one pass over blocks of any bytes, most of
// which are never looked at: Wu and Manber's search for many words at once. What makes a gigabyte a matter of a second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ptofix::diagnose {

/// Which parsers a word is for.
using AnchorGroups = std::uint32_t;
enum AnchorGroup : AnchorGroups {
    kCode = 1U << 0U,
    kPool = 1U << 1U,
    kPrinted = 1U << 2U,
    kMany = 1U << 3U,
    kCube = 1U << 4U,
    kVec = 1U << 5U,
    kCall = 1U << 6U,
    kOption = 1U << 7U,
    kKernel = 1U << 8U,
    kFailed = 1U << 9U,
    kMonitor = 1U << 10U,
    kPass = 1U << 11U,
    kStopped = 1U << 12U,
    kMemory = 1U << 13U,
    kFrame = 1U << 14U,
};

struct Anchor {
    std::string_view word;
    AnchorGroups groups = 0;
};

class Anchors {
  public:
    static constexpr std::size_t kShortest = 5;  // of the words, in bytes

    /// The views stay valid as long as the words do.
    explicit Anchors(std::span<const Anchor> words);

    /// The offset of the first byte of the first word at or behind `from`, or npos.
    std::size_t find(std::string_view text, std::size_t from) const;

    /// Of all words in the text together.
    AnchorGroups groups(std::string_view text) const;

    std::size_t longest() const { return longest_; }

  private:
    static constexpr std::size_t kPairs = 1U << 16U;

    bool is_word_at(std::string_view text, std::size_t at, std::size_t pair) const;

    std::vector<std::uint8_t> shift_;   // by pair of bytes: how far the window may move
    std::vector<std::uint16_t> first_;  // by pair: into chains_
    struct Link {
        std::string_view word;
        AnchorGroups groups = 0;
        std::uint16_t next = 0;  // of its pair
    };
    std::vector<Link> chains_;
    std::size_t longest_ = 0;
};

/// The words that PyPTO's messages, the compilers it starts and Python's tracebacks have.
const Anchors& log_anchors();

}  // namespace ptofix::diagnose
