#include "syntax/arena.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using ptofix::syntax::Arena;

namespace {

struct Stretch {
    unsigned char* memory;
    std::size_t size;
    unsigned char mark;
};

bool is_whole(const Stretch& piece) {
    for (std::size_t i = 0; i < piece.size; ++i) {
        if (piece.memory[i] != piece.mark) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("an arena hands out memory that is aligned and nobody else's, whatever the order") {
    std::mt19937 random(3);
    Arena arena;
    for (int parse = 0; parse < 3; ++parse) {
        std::vector<Stretch> pieces;
        std::size_t torn = 0;
        const auto size_of_next = [&] {
            const unsigned wide = random() % 8 == 0 ? 21 : 10;  // some up to 2 MB, a block by themselves
            return static_cast<std::size_t>(random() % (1U << (random() % wide + 1)));
        };
        for (int step = 0; step < 4'000; ++step) {
            const auto mark = static_cast<unsigned char>(random());
            const std::size_t some = pieces.empty() ? 0 : random() % pieces.size();
            switch (pieces.empty() ? 0 : random() % 3) {
                case 0: {
                    const std::size_t size = size_of_next();
                    auto* memory = static_cast<unsigned char*>(arena.take(size));
                    REQUIRE(memory != nullptr);
                    REQUIRE(reinterpret_cast<std::uintptr_t>(memory) % 8 == 0);
                    std::memset(memory, mark, size);
                    pieces.push_back({memory, size, mark});
                    break;
                }
                case 1: {
                    Stretch& piece = pieces[some];
                    const std::size_t size = piece.size + size_of_next();
                    piece.memory = static_cast<unsigned char*>(arena.grow(piece.memory, size));
                    REQUIRE(piece.memory != nullptr);
                    torn += !is_whole(piece);
                    std::memset(piece.memory, mark, size);
                    piece = {piece.memory, size, mark};
                    break;
                }
                default:
                    torn += !is_whole(pieces[some]);
                    arena.give(pieces[some].memory);
                    pieces[some] = pieces.back();
                    pieces.pop_back();
            }
        }
        for (const Stretch& piece : pieces) torn += !is_whole(piece);
        CHECK(torn == 0);
        arena.clear();
    }
}

TEST_CASE("an arena gives again what it got back, and after clear() what it had") {
    Arena arena;
    void* const first = arena.take(100);
    CHECK(arena.take(100) != first);
    arena.give(first);
    CHECK(arena.take(97) == first);
    arena.clear();
    CHECK(arena.take(100) == first);
}

TEST_CASE("an arena has no memory for what no machine has, and stays usable") {
    Arena arena;
    CHECK(arena.take(SIZE_MAX) == nullptr);
    void* const piece = arena.take(8);
    CHECK(arena.grow(piece, SIZE_MAX - 64) == nullptr);
    arena.give(nullptr);
    CHECK(arena.grow(nullptr, 8) != nullptr);
}
