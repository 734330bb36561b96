#include "cache/pack.h"

#include <catch2/catch.hpp>
#include <string>

using namespace ptofix::cache;

namespace {

const Digest kOne = digest_of("1"), kTwo = digest_of("2"), kThree = digest_of("3");

}  // namespace

TEST_CASE("a pack holds what was put into it") {
    Pack pack;
    pack.read(Pack().with({{kOne, "first"}, {kTwo, ""}}));
    CHECK(pack.find(kOne) == "first");
    CHECK(pack.find(kTwo) == "");
    CHECK_FALSE(pack.find(kThree).has_value());
    CHECK(pack.found() == 2);
    CHECK(pack.find(kOne) == "first");
    CHECK(pack.found() == 2);
}

TEST_CASE("the next pack has what was found in this one and what is new, the newest of each key") {
    Pack pack;
    pack.read(Pack().with({{kOne, "first"}, {kTwo, "second"}}));
    CHECK(pack.find(kOne) == "first");
    Pack next;
    next.read(pack.with({{kThree, "old"}, {kThree, "new"}}));
    CHECK(next.find(kOne) == "first");
    CHECK_FALSE(next.find(kTwo).has_value());  // nobody asked for it
    CHECK(next.find(kThree) == "new");
    Pack changed;
    changed.read(pack.with({{kOne, "other"}}));
    CHECK(changed.find(kOne) == "other");
}

TEST_CASE("a damaged pack is empty, however it is damaged") {
    const std::string whole = Pack().with({{kOne, "first"}, {kTwo, "second"}});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        Pack pack;
        pack.read(whole.substr(0, size));
        CHECK_FALSE(pack.find(kOne).has_value());
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        Pack pack;
        pack.read(std::move(bytes));
        CHECK_FALSE(pack.find(kOne).has_value());
    }
}
