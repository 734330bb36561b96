#include "rewrites/liveness.h"

#include <algorithm>

#include "rewrites_support.h"

namespace {

using namespace ptofix;
using ptofix::test::Traced;

/// The first `for` statement of the text.
syntax::NodeId loop_of(const Traced& t) {
    for (syntax::NodeId n = 0; n < t.file->tree.nodes().size(); ++n) {
        if (t.file->tree.kind(n) == syntax::Kind::for_statement) return n;
    }
    FAIL("no loop");
    return syntax::kNoNode;
}

bool live_after(const std::string& text, std::string_view name) {
    const Traced t("def f(x):\n" + text);
    return rewrites::read_after(*t.file, loop_of(t), name) != syntax::kNoNode;
}

bool read_early(const std::string& text, std::string_view name) {
    const Traced t("def f(x):\n" + text);
    const syntax::NodeId body = t.file->tree.child(loop_of(t), syntax::Field::body);
    return rewrites::read_before_binding(*t.file, body, name) != syntax::kNoNode;
}

}  // namespace

TEST_CASE("a name that is read after a loop is live", "[rewrites]") {
    CHECK(live_after("    for h in x:\n        a = h\n    return a\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    if x:\n        y = a\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    a += 1\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    y = [a for b in x]\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    y = lambda b, a=a: a\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    while x:\n        y = a\n        a = 1\n", "a"));
    CHECK(live_after("    if x:\n        for h in x:\n            a = h\n    return a\n", "a"));
    CHECK(live_after("    for h in x:\n        a = h\n    if x:\n        a = 1\n    return a\n", "a"));
}

TEST_CASE("a name that is bound again before it is read is not live", "[rewrites]") {
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    return x\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    a = 1\n    return a\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    for a in x:\n        y = a\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    y = [a for a in x]\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    y = lambda a: a\n", "a"));
    CHECK_FALSE(live_after(
        "    for h in x:\n        a = h\n    if x:\n        a = 1\n    else:\n        a = 2\n    return a\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n    y = x.a\n    z = x(a=1)\n", "a"));
    CHECK_FALSE(live_after("    for h in x:\n        a = h\n\n\ndef g():\n    return a\n", "a"));
}

TEST_CASE("a pattern reads values and classes, and not what it captures", "[rewrites]") {
    const std::string loop = "    for h in x:\n        a = h\n    match x:\n        case ";
    for (const std::string pattern : {"a.b", "[a.b.c, _]", "a()", "a.b(1)", "{'k': a.b}", "1 | a.b", "y if a"}) {
        INFO(pattern);
        CHECK(live_after(loop + pattern + ":\n            pass\n", "a"));
    }
    for (const std::string pattern :
         {"b.a", "C(a=1)", "a", "[a, 1]", "1 as a", "(1 | 2) as a", "[*a]", "{**a}", "C(a)"}) {
        INFO(pattern);
        CHECK_FALSE(live_after(loop + pattern + ":\n            pass\n", "a"));
    }
}

TEST_CASE("a loop around reads what an inner loop left in the round before", "[rewrites]") {
    const auto outer = [](const std::string& body) {
        const Traced t("def f(x):\n    while x:\n" + body);
        return rewrites::read_after(*t.file, loop_of(t), "a") != syntax::kNoNode;
    };
    CHECK(outer("        y = a\n        for h in x:\n            a = h\n"));
    CHECK_FALSE(outer("        a = 0\n        y = a\n        for h in x:\n            a = h\n"));
}

TEST_CASE("a value that one trip hands to the next is read before it is bound", "[rewrites]") {
    CHECK(read_early("    for h in x:\n        a = a + h\n", "a"));
    CHECK(read_early("    for h in x:\n        y = a\n        a = h\n", "a"));
    CHECK(read_early("    for h in x:\n        if h:\n            a = h\n        y = a\n", "a"));
    CHECK(read_early("    for h in x:\n        a += h\n", "a"));
    CHECK_FALSE(read_early("    for h in x:\n        a = h\n        a = a + 1\n", "a"));
    CHECK_FALSE(read_early("    for h in x:\n        for a in x:\n            y = a\n", "a"));
}

TEST_CASE("names that a piece of code binds are found, those of inner scopes are not", "[rewrites]") {
    const Traced t(
        "def f(x):\n"
        "    for h in x:\n"
        "        a, (b, *c) = h\n"
        "        d += 1\n"
        "        with x as e:\n"
        "            (g := 1)\n"
        "        y[i] = [j for j in x]\n"
        "        k.l = lambda m: m\n"
        "        n: int\n"
        "        def o():\n"
        "            p = 1\n");
    std::vector<std::string_view> names;
    for (const auto& b : rewrites::bound_names(*t.file, loop_of(t))) names.push_back(b.name);
    CHECK(names == std::vector<std::string_view>{"h", "a", "b", "c", "d", "e", "g", "o"});
}

TEST_CASE("a condition that always holds leaves one way", "[rewrites]") {
    CHECK_FALSE(read_early("    for h in x:\n        if True:\n            a = h\n        y = a\n", "a"));
    CHECK_FALSE(read_early(
        "    for h in x:\n        if h:\n            a = h\n        else:\n            a = 1\n        y = a\n", "a"));
    CHECK(read_early("    for h in x:\n        if h:\n            a = h\n        y = a\n", "a"));
    CHECK(read_early("    for h in x:\n        if True:\n            y = a\n        a = h\n", "a"));
}
