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

class Anchors {
  public:
    static constexpr std::size_t kShortest = 5;  // of the words, in bytes

    /// The views stay valid as long as the words do.
    explicit Anchors(std::span<const std::string_view> words);

    /// The offset of the first byte of the first word at or behind `from`, or npos.
    std::size_t find(std::string_view text, std::size_t from) const;

    std::size_t longest() const { return longest_; }

  private:
    static constexpr std::size_t kPairs = 1U << 16U;

    bool is_word_at(std::string_view text, std::size_t at, std::size_t pair) const;

    std::vector<std::uint8_t> shift_;                                 // by pair of bytes: how far the window may move
    std::vector<std::uint16_t> first_;                                // by pair: into chains_
    std::vector<std::pair<std::string_view, std::uint16_t>> chains_;  // a word, and the next one of its pair
    std::size_t longest_ = 0;
};

/// The words that PyPTO's messages, the compilers it starts and Python's tracebacks have.
const Anchors& log_anchors();

}  // namespace ptofix::diagnose
