#include <catch2/catch.hpp>
#include <string>

#include "rules/nearest.h"

using namespace ptofix::rules;

TEST_CASE("a mistyped word finds the one that was meant, an unrelated one finds none") {
    constexpr std::string_view words[] = {"--apply", "--diff", "--select", "--soc"};
    CHECK(nearest("--aply", words) == "--apply");
    CHECK(nearest("--slect", words) == "--select");
    CHECK(nearest("--DIFF", words) == "--diff");
    CHECK(nearest("--dfif", words) == "--diff");
    CHECK_FALSE(nearest("--completely-else", words));
    CHECK_FALSE(nearest("", words));
    CHECK_FALSE(nearest(std::string(10'000, 'x'), words));
}

TEST_CASE("a rule is found by its id or its name") {
    CHECK(nearest_rule("PTO210") == "PTO201");
    CHECK(nearest_rule("pto2O1") == "PTO201");
    CHECK(nearest_rule("python-lop-in-kernel") == "PTO201");
    CHECK_FALSE(nearest_rule("unrelated-thing-of-another-tool"));
}
