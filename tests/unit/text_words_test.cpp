#include "text/words.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace ptofix::text;

TEST_CASE("a word is found by itself alone, never as a part of a name") {
    CHECK(has_word("run(kernel)", "kernel"));
    CHECK(has_word("kernel", "kernel"));
    CHECK(has_word("a.kernel.b", "kernel"));
    CHECK_FALSE(has_word("my_kernel(x); kernels; kernel2; kernel_", "kernel"));
    CHECK_FALSE(has_word("", "kernel"));
    CHECK_FALSE(has_word("kerne", "kernel"));
}

TEST_CASE("letters beyond ASCII are parts of names") {
    CHECK_FALSE(has_word("核kernel = 1", "kernel"));
    CHECK_FALSE(has_word("kernel核 = 1", "kernel"));
    CHECK(has_word("x = 核 + 1", "核"));
    CHECK_FALSE(has_word("x = 核心 + 1", "核"));
}

TEST_CASE("the search goes on behind a part of a name and from any offset") {
    const std::string_view text = "pypto_pro pypto";
    CHECK(find_word(text, "pypto") == 10);
    CHECK(find_word(text, "pypto", 10) == 10);
    CHECK(find_word(text, "pypto", 11) == std::string_view::npos);
    CHECK(find_word(text, "pypto", text.size()) == std::string_view::npos);
    CHECK(find_word(text, "pypto", text.size() + 1) == std::string_view::npos);
    CHECK(find_part(text, "pypto") == 0);
    CHECK(find_part(text, "pypto", 1) == 10);
    CHECK_FALSE(has_part(text, "pto-fix"));
}

TEST_CASE("a word that overlaps itself is found") {
    CHECK(find_word("aaa aa", "aa") == 4);
    CHECK(find_word("aa aa", "aa", 1) == 3);
}

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
