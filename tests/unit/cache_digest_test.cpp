#include "cache/digest.h"

#include <catch2/catch.hpp>

#include "cache/cached_analysis.h"

using namespace ptofix::cache;

TEST_CASE("a digest tells texts apart and is the same for the same text") {
    CHECK(digest_of("a") == digest_of(std::string("a")));
    CHECK_FALSE(digest_of("a") == digest_of("b"));
    CHECK_FALSE(digest_of("") == Digest{});
    CHECK(digest_of("kernel").hex().size() == 32);
}

TEST_CASE("texts put together another way have another digest") {
    CHECK_FALSE(DigestBuilder().add("ab").add("c").finish() == DigestBuilder().add("a").add("bc").finish());
    CHECK_FALSE(DigestBuilder().add("").add("a").finish() == DigestBuilder().add("a").add("").finish());
    CHECK_FALSE(DigestBuilder().add(1).finish() == DigestBuilder().add(2).finish());
    CHECK(DigestBuilder().add("a").add(digest_of("b")).finish() ==
          DigestBuilder().add("a").add(digest_of("b")).finish());
}

TEST_CASE("the program carries the mark of its build") {
    CHECK(build_id().size() == 20);
}
