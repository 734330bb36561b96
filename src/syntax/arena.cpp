#include "syntax/arena.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

// Under AddressSanitizer what is not handed out is out of bounds, as it is with malloc.
#if defined(__SANITIZE_ADDRESS__)
#define PTOFIX_ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PTOFIX_ARENA_POISON 1
#endif
#endif
#ifdef PTOFIX_ARENA_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace ptofix::syntax {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;  // bytes
constexpr std::size_t kLarge = kBlock / 4;             // from here on a piece is a block by itself
constexpr std::size_t kKeptBlocks = 16;                // by an arena that nobody uses

void forbid([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t size) {
#ifdef PTOFIX_ARENA_POISON
    __asan_poison_memory_region(memory, size);
#endif
}

void allow([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t size) {
#ifdef PTOFIX_ARENA_POISON
    __asan_unpoison_memory_region(memory, size);
#endif
}

}  // namespace

void Arena::Release::operator()(char* memory) const {
    std::free(memory);
}

Arena::~Arena() = default;

std::size_t Arena::size_class(std::size_t size) {
    if (size <= kSmall) return (std::max(size, kAlign) - 1) / kAlign;
    return kSmallSizes + static_cast<std::size_t>(std::bit_width(size - 1) - std::bit_width(kSmall));
}

std::size_t Arena::room(std::size_t size_class) {
    if (size_class < kSmallSizes) return (size_class + 1) * kAlign;
    return (2 * kSmall) << (size_class - kSmallSizes);
}

/// Memory that nobody had since clear(). Null: there is none.
char* Arena::cut(std::size_t size) {
    if (size >= kLarge) {
        large_.emplace_back(static_cast<char*>(std::malloc(size)));
        return large_.back().get();
    }
    if (static_cast<std::size_t>(end_ - next_) < size) {
        if (used_ == blocks_.size()) {
            Block block(static_cast<char*>(std::malloc(kBlock)));
            if (block == nullptr) return nullptr;
            blocks_.push_back(std::move(block));
        }
        next_ = blocks_[used_++].get();
        end_ = next_ + kBlock;
        forbid(next_, kBlock);
    }
    char* const piece = next_;
    next_ += size;
    return piece;
}

void* Arena::take(std::size_t size) {
    if (size > PTRDIFF_MAX / 2) return nullptr;
    const std::size_t kind = size_class(size);
    if (Free*& list = free_[kind]; list != nullptr) {
        Free* const memory = list;
        allow(memory, std::max(size, sizeof(Free)));
        list = memory->next;
        return memory;
    }
    char* const piece = cut(kAlign + room(kind));
    if (piece == nullptr) return nullptr;
    char* const memory = piece + kAlign;
    allow(memory - sizeof(std::size_t), sizeof(std::size_t));
    forbid(memory, room(kind));
    allow(memory, size);
    class_of(memory) = kind;
    return memory;
}

void* Arena::grow(void* memory, std::size_t size) {
    if (memory == nullptr) return take(size);
    const std::size_t had = room(class_of(memory));
    allow(memory, std::min(had, size));
    if (size <= had) return memory;
    void* const more = take(size);
    if (more == nullptr) return nullptr;
    allow(memory, had);
    std::memcpy(more, memory, had);
    give(memory);
    return more;
}

void Arena::give(void* memory) {
    if (memory == nullptr) return;
    const std::size_t kind = class_of(memory);
    allow(memory, sizeof(Free));
    auto* const freed = static_cast<Free*>(memory);
    freed->next = free_[kind];
    free_[kind] = freed;
    forbid(memory, room(kind));
}

void Arena::clear() {
    free_.fill(nullptr);
    large_.clear();
    if (blocks_.size() > kKeptBlocks) blocks_.resize(kKeptBlocks);
    used_ = 0;
    next_ = nullptr;
    end_ = nullptr;
}

}  // namespace ptofix::syntax
