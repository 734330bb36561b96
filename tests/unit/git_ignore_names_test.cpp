#include <catch2/catch.hpp>

#include <string>
#include <tuple>

#include "git/ignore_names.h"

using ptofix::git::IgnoreNames;

namespace {

bool may_mean(const char* patterns, const char* path) {
    IgnoreNames names;
    names.add(patterns, "/p");
    return names.may_mean(path);
}

}  // namespace

TEST_CASE("a path is a pattern's matter when their ends agree") {
    CHECK(may_mean("gen\n", "/p/models/gen"));
    CHECK(may_mean("gen/\n", "/p/gen"));
    CHECK(may_mean("/gen\r\n", "/p/gen"));
    CHECK(may_mean("*.py[cod]\n*.log", "/p/x.pyc"));
    CHECK_FALSE(may_mean("*.py[cod]\n*.log", "/p/x.py"));
    CHECK(may_mean("a/**/b.py\n", "/p/q/b.py"));
    CHECK(may_mean("out/*\n", "/p/out/b.py"));
    CHECK_FALSE(may_mean("out/*\n", "/p/in/b.py"));
    CHECK(may_mean("GEN\n", "/p/gen"));
    CHECK(may_mean("**\n", "/p/anything"));
}

TEST_CASE("a pattern with a slash that is not its last character is about one folder") {
    CHECK(may_mean("out/*\n", "/p/out/b.py"));
    CHECK_FALSE(may_mean("out/*\n", "/p/q/out/b.py"));
    CHECK_FALSE(may_mean("/gen\n", "/p/models/gen"));
    CHECK_FALSE(may_mean("q/gen/\n", "/p/models/q/gen"));
    CHECK(may_mean("gen/\n", "/p/models/gen"));
    CHECK(may_mean("**/out/*\n", "/p/q/out/b.py"));
    CHECK(may_mean("a/**\n", "/p/q/b.py"));
    IgnoreNames names;
    names.add("out/*\n", "/p/q/");
    CHECK(names.may_mean("/p/q/out/b.py"));
    CHECK_FALSE(names.may_mean("/p/out/b.py"));
}

TEST_CASE("a star stands for any part of a name, an empty one too") {
    for (const auto& [pattern, name, matches] :
         {std::tuple("*.log", "a.log", true), std::tuple("*.log", ".log", true), std::tuple("*.log", "log", false),
          std::tuple("*.LOG", "a.log", true), std::tuple("run_*", "run_", true), std::tuple("run_*", "rerun_1", false),
          std::tuple("a*a", "aa", true), std::tuple("a*a", "a", false), std::tuple("a*b", "a_b", true),
          std::tuple("*", "x", true), std::tuple("a*b*c", "a.b.c", true), std::tuple("a*b*c", "a.c", false)}) {
        INFO(pattern << ' ' << name);
        CHECK(may_mean(pattern, (std::string("/p/q/") + name).c_str()) == matches);
    }
}

TEST_CASE("what only libgit2 reads right is its matter") {
    CHECK(may_mean("\\#x\n", "/p/other"));
    CHECK(may_mean("x[!1].py\n", "/p/y.py"));
}

TEST_CASE("comments, blank lines and exceptions ignore nothing") {
    IgnoreNames names;
    names.add("# gen\n\n   \n!gen\n", "/p");
    CHECK(names.empty());
    CHECK_FALSE(names.may_mean("/p/gen"));
}
