#include "rewrites/name_uses.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "rewrites_support.h"

using namespace ptofix;
using test::Traced;

namespace {

/// How often the file reads the module's `tiles` in a `match` with this pattern, whose case reads the name once more.
std::size_t reads_with(std::string_view pattern) {
    const Traced traced("tiles = [1, 2]\ndef f(thing):\n    match thing:\n        case " + std::string(pattern) +
                        ":\n            return tiles\n");
    return rewrites::reads_of(*traced.trace, {traced.trace->main, traced.file->tree.root()}, "tiles").size();
}

}  // namespace

TEST_CASE("what a pattern captures is a name of the function, and hides the module's") {
    for (const std::string_view pattern : {"tiles", "[tiles]", "[1, *tiles]", "(tiles, 1)", "1, tiles", "{'a': tiles}",
                                           "{'a': 1, **tiles}", "C(tiles)", "C(attr=tiles)", "C(tiles) | [tiles, 1]",
                                           "(1 | 2) as tiles", "[C(a=[tiles])]", "tiles if thing", "a.b(tiles)"}) {
        INFO(pattern);
        CHECK(reads_with(pattern) == 0);
    }
}

TEST_CASE("a pattern that captures another name leaves the module's to be read") {
    for (const std::string_view pattern : {"other", "[other, *_]", "{'tiles': other}", "C(tiles=other)", "other.tiles",
                                           "'tiles'", "_", "other.tiles(x)"}) {
        INFO(pattern);
        CHECK(reads_with(pattern) == 1);
    }
}

TEST_CASE("a value or a class in a pattern is read") {
    for (const std::string_view pattern : {"tiles.first", "[tiles.first.second, x]", "tiles(x)", "tiles.kind(a=1)",
                                           "{'a': tiles.b}", "x if tiles", "1 | tiles.two"}) {
        INFO(pattern);
        CHECK(reads_with(pattern) == 2);
    }
}

TEST_CASE("a capture at the top of a file gives the module's name its value") {
    const Traced traced("match 1:\n    case tiles:\n        print(tiles)\n\n\ndef f():\n    return tiles\n");
    CHECK(rewrites::reads_of(*traced.trace, {traced.trace->main, traced.file->tree.root()}, "tiles").size() == 2);
}
