// Memory for one parse: handed out in a row, given back all at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ptofix::syntax {

/// Hands out memory from blocks that it keeps. What is given back goes to the next one who asks for as much: a parse
/// that goes wrong may try for a minute. For one thread.
class Arena {
  public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena();

    /// Of at least `size` bytes, for what needs no more alignment than a pointer. Null: there is none.
    void* take(std::size_t size);
    void* grow(void* memory, std::size_t size);
    void give(void* memory);
    /// All that was taken is gone.
    void clear();

  private:
    struct Free {
        Free* next;
    };
    struct Release {
        void operator()(char* memory) const;
    };
    using Block = std::unique_ptr<char, Release>;

    static constexpr std::size_t kAlign = 8;
    static constexpr std::size_t kSmall = 1024;  // up to here each multiple of kAlign is a size of its own
    static constexpr std::size_t kSmallSizes = kSmall / kAlign;
    static constexpr std::size_t kSizes = kSmallSizes + 54;  // above, each power of two

    static std::size_t size_class(std::size_t size);
    static std::size_t room(std::size_t size_class);
    /// What stands before each piece of memory.
    static std::size_t& class_of(void* memory) { return *(static_cast<std::size_t*>(memory) - 1); }
    char* cut(std::size_t size);

    std::array<Free*, kSizes> free_{};
    std::vector<Block> blocks_;  // of kBlock bytes
    std::vector<Block> large_;
    std::size_t used_ = 0;  // of blocks_
    char* next_ = nullptr;
    char* end_ = nullptr;
};

}  // namespace ptofix::syntax
