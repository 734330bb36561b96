#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "report/fix_diff.h"

using namespace ptofix;
using Kind = report::DiffLine::Kind;

namespace {

std::string diff(const std::string& text, std::vector<text::Edit> edits, std::uint32_t context = 1) {
    const auto source = *text::Source::from_bytes("k.py", text);
    const auto made = text::Edits::make(std::move(edits), text.size());
    REQUIRE(made);
    std::string out;
    for (const report::DiffLine& line : report::diff_lines(source, made->items(), context)) {
        constexpr std::string_view signs[] = {"", " ", "-", "+"};
        out += std::string(signs[static_cast<std::size_t>(line.kind)]) + line.text + "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("a replaced word shows its line before and after") {
    CHECK(diff("a\nb\nc\nd\n", {{{2, 3}, "B"}}) == "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
}

TEST_CASE("inserted and removed lines, at the start and the end too") {
    CHECK(diff("a\nb\n", {{{0, 0}, "x\ny\n"}}) == "@@ -1,1 +1,3 @@\n+x\n+y\n a\n");
    CHECK(diff("a\nb\nc\n", {{{2, 4}, ""}}) == "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
    CHECK(diff("a\nb", {{{3, 3}, "\nc"}}) == "@@ -2,1 +2,2 @@\n b\n+c\n");
    CHECK(diff("", {{{0, 0}, "x"}}) == "@@ -1,0 +1,1 @@\n+x\n");
}

TEST_CASE("changes far apart are hunks of their own, with the lines' new numbers") {
    CHECK(diff("a\nb\nc\nd\ne\nf\ng\n", {{{0, 2}, ""}, {{12, 13}, "G"}}) ==
          "@@ -1,2 +1,1 @@\n-a\n b\n@@ -6,2 +5,2 @@\n f\n-g\n+G\n");
}

TEST_CASE("lines inside a replaced block that stay are shown as staying") {
    CHECK(diff("a\nb\nc\nd\ne\n", {{{0, 10}, "a\nB\nc\nd\nE\n"}}) == "@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n-e\n+E\n");
}

TEST_CASE("CRLF and lone CR end lines") {
    CHECK(diff("a\r\nb\r\n", {{{3, 4}, "B"}}) == "@@ -1,2 +1,2 @@\n a\n-b\n+B\n");
    CHECK(diff("a\rb\rc", {{{2, 3}, "B"}}) == "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
}

TEST_CASE("removed and added lines rebuild both texts, whatever the edits") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (int i = 0; i < 40; ++i)
            text += (random() % 4 == 0 ? "\n" : std::string(1, static_cast<char>('a' + random() % 3)));
        std::vector<text::Edit> edits;
        for (std::uint32_t at = random() % 10; at < text.size(); at += 1 + random() % 15) {
            const std::uint32_t end =
                std::min<std::uint32_t>(static_cast<std::uint32_t>(text.size()), at + random() % 4);
            edits.push_back({{at, end}, random() % 2 ? "x\n" : "y"});
            at = end;
        }
        const auto source = *text::Source::from_bytes("k.py", text);
        const auto made = text::Edits::make(edits, text.size());
        REQUIRE(made);
        // With context enough for the whole file the diff holds every line of both.
        std::string before, after;
        for (const auto& line : report::diff_lines(source, made->items(), 100)) {
            if (line.kind == Kind::hunk) continue;
            if (line.kind != Kind::added) before += line.text + "\n";
            if (line.kind != Kind::removed) after += line.text + "\n";
        }
        const auto ended = [](std::string s) { return s.empty() || s.ends_with('\n') ? s : s + "\n"; };
        if (made->apply(text) == text) continue;
        CHECK(before == ended(text));
        CHECK(after == ended(made->apply(text)));
    }
}
