#include "text/words.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace ptofix::text;

TEST_CASE("a part is found where std::string_view::find finds it") {
    std::mt19937 random(5);
    const std::string letters = "ab\njq";
    std::size_t found = 0;
    for (int round = 0; round < 20'000; ++round) {
        const auto made = [&](std::size_t longest) {
            std::string out(random() % (longest + 1), ' ');
            for (char& c : out) c = letters[random() % letters.size()];
            return out;
        };
        const std::string text = made(30);
        const std::string part = made(4);
        const std::size_t from = random() % 33;
        INFO('"' << text << "\" \"" << part << "\" " << from);
        const std::size_t at = find_part(text, part, from);
        REQUIRE(at == std::string_view(text).find(part, from));
        found += at != std::string_view::npos;
    }
    CHECK(found > 1'000);
}

TEST_CASE("the rarest byte is one that is in few files, wherever it stands") {
    CHECK(rarest("jit") == 0);
    CHECK(rarest("a_z") == 2);
    CHECK(rarest("   ") == 0);
    CHECK(rarest("a\x80") == 1);
}

TEST_CASE("a word has no name's bytes around it") {
    CHECK(find_word("loops loop", "loop") == 6);
    CHECK(find_word("loop", "loop") == 0);
    CHECK(find_word("x.loop(", "loop") == 2);
    CHECK_FALSE(has_word("loop_unroll my_loop loop2 \xC3\xA9loop", "loop"));
    CHECK(has_part("loop_unroll", "unroll"));
    CHECK_FALSE(has_part("", "x"));
}
