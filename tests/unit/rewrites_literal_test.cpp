#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rewrites/literal.h"
#include "rewrites/number_list.h"
#include "rewrites_support.h"

using namespace ptofix;
using test::Traced;

namespace {

/// The first list display that stands behind the marker in the text.
trace::Site list_after(const Traced& traced, std::string_view marker) {
    const auto at = static_cast<std::uint32_t>(traced.file->text().find(marker));
    REQUIRE(at != static_cast<std::uint32_t>(std::string::npos));
    for (syntax::NodeId id = 0; id < traced.file->tree.nodes().size(); ++id) {
        const bool display = traced.file->tree.kind(id) == syntax::Kind::list;
        if (display && traced.file->tree.range(id).start >= at) return {traced.trace->main, id};
    }
    FAIL("no list behind the marker");
    return {};
}

/// "call keyword/path" of each use, sorted; "line n" for one that is no argument of a foreign call.
std::vector<std::string> uses(const std::string& text, std::string_view marker) {
    const Traced traced("import pypto\n" + text);
    std::vector<std::string> out;
    for (const rewrites::LiteralUse& use : rewrites::uses_of_literal(*traced.trace, list_after(traced, marker))) {
        if (!use.call.known()) {
            const auto start = traced.file->tree.range(use.site.node).start;
            out.push_back("line " + std::to_string(traced.file->lines.line_of(start) - 1));
            continue;
        }
        const auto callee = traced.file->tree.child(use.call.node, syntax::Field::function);
        std::string shown(traced.file->text(callee));
        shown += " " + use.keyword;
        for (const std::string& key : use.path) shown += "/" + key;
        out.push_back(shown);
    }
    std::ranges::sort(out);
    return out;
}

using Uses = std::vector<std::string>;

/// The list in `text` after it was turned into `numbers`.
std::string rewritten(const std::string& text, const std::vector<std::int64_t>& numbers) {
    const Traced traced(
        "import pypto\n"
        "@pypto.frontend.jit\n"
        "def kernel(x: pypto.Tensor([pypto.DYNAMIC, 8], pypto.DT_FP32)):\n"
        "    for i in pypto.loop(x.shape[0], unroll_list=LIST):\n"
        "        pypto.set_vec_tile_shapes(1, 8)\n"
        "LIST = " +
        text + "\n");
    REQUIRE(traced.trace->loops.size() == 1);
    const auto list = rewrites::NumberList::read(*traced.trace, traced.trace->loops[0].spec->unroll_list);
    if (!list) return "computed";
    rules::Fix fix;
    fix.edits = list->edits_to(numbers);
    const std::string after = traced.apply(fix);
    const auto start = after.find("LIST = ") + 7;
    return after.substr(start, after.size() - start - 1);
}

}  // namespace

TEST_CASE("a literal is followed through names, also those of enclosing scopes") {
    CHECK(uses("A = [1]\nB = A\nf(x=B)\n", "A =") == Uses{"f x"});
    CHECK(uses("A = [1]\ndef g():\n    f(x=A)\n", "A =") == Uses{"f x"});
    CHECK(uses("A = [1]\ndef g(A):\n    f(x=A)\n", "A =").empty());
    CHECK(uses("A = [1]\ndef g():\n    A = 2\n    f(x=A)\n", "A =").empty());
    CHECK(uses("def g():\n    global A\n    A = [1]\nf(x=A)\n", "A =") == Uses{"f x"});
    CHECK(uses("A = B = [1]\nf(x=A)\nh(x=B)\n", "A =") == Uses{"f x", "h x"});
    CHECK(uses("A, B = [1], 2\nf(x=A)\nh(x=B)\n", "A, B") == Uses{"f x"});
}

TEST_CASE("a literal is followed into functions and out of them") {
    CHECK(uses("def g(a, b):\n    f(x=b)\ng(0, [1])\n", "g(0") == Uses{"f x"});
    CHECK(uses("def g(a, *, b=[1]):\n    f(x=b)\n", "b=") == Uses{"f x"});
    CHECK(uses("def g(**rest):\n    f(**rest)\ng(x=[1])\n", "g(x") == Uses{"f x"});
    CHECK(uses("def g():\n    return [1]\nf(x=g())\n", "return") == Uses{"f x"});
    CHECK(uses("def g():\n    return {'a': {'b': [1]}}\nf(**g()['a'])\n", "return") == Uses{"f b"});
    CHECK(uses("class C:\n    def m(self, a):\n        f(x=a)\nC().m([1])\n", "C().m") == Uses{"f x"});
}

TEST_CASE("a literal is followed through fields and dicts") {
    CHECK(uses("class C:\n    A = [1]\nf(x=C.A)\n", "A =") == Uses{"f x"});
    CHECK(uses("class C:\n    def __init__(self, a):\n        self.a = a\nf(x=C([1]).a)\n", "C([") == Uses{"f x"});
    CHECK(uses("D = {'k': [1], 'l': 2}\nf(x=D['k'])\nh(x=D['l'])\n", "D =") == Uses{"f x"});
    CHECK(uses("D = dict(k=[1])\nf(x=D.get('k'))\nf(x=D.get('l'))\n", "D =") == Uses{"f x"});
    CHECK(uses("D = {'k': [1]}\nf(o={**D, 'l': 2})\n", "D =") == Uses{"f o/k"});
}

TEST_CASE("what is done with a literal besides passing it on is a use") {
    CHECK(uses("A = [1]\nf(x=A)\nn = A[0]\n", "A =") == Uses{"f x", "line 3"});
    CHECK(uses("A = [1]\nfor a in A:\n    pass\n", "A =") == Uses{"line 2"});
    CHECK(uses("A = [1]\nA.append(2)\n", "A =") == Uses{"line 2"});
    CHECK(uses("A = [1]\nn = len(A)\n", "A =") == Uses{"len "});
    CHECK(uses("A = [1]\nf(*A)\n", "A =") == Uses{"line 2"});
    CHECK(uses("A = [1]\nn = A + [2]\n", "A =") == Uses{"line 2"});
    CHECK(uses("A = [1]\nD[k] = A\n", "A =") == Uses{"line 2"});
}

TEST_CASE("a literal that goes round in circles comes to an end") {
    CHECK(uses("A = [1]\ndef g(a):\n    f(x=a)\n    g(a)\ng(A)\n", "A =") == Uses{"f x"});
    CHECK(uses("A = [1]\nB = A\nA = B\n", "A =").empty());
}

TEST_CASE("a list of numbers gets what it lacks and keeps what it has") {
    CHECK(rewritten("[128, 1]", {128, 8, 1}) == "[128, 8, 1]");
    CHECK(rewritten("[1, 128]", {128, 8, 1}) == "[1, 8, 128]");
    CHECK(rewritten("[128,1]", {128, 8, 1}) == "[128,8,1]");
    CHECK(rewritten("(128,)", {128, 8, 1}) == "(128, 8, 1)");
    CHECK(rewritten("{128}", {128, 8, 1}) == "{128, 8, 1}");
    CHECK(rewritten("[0_64, 1]", {64, 8, 1}) == "[0_64, 8, 1]");
    CHECK(rewritten("[256, 128, 1]", {128, 8, 1}) == "[128, 8, 1]");
    CHECK(rewritten("[256, 1]", {128, 8, 1}) == "[128, 8, 1]");
    CHECK(rewritten("[256]", {8, 1}) == "[8, 1]");
    CHECK(rewritten("[256, 128]", {1}) == "[1]");
    CHECK(rewritten("[128, 128, 1]", {128, 8, 1}) == "[128, 8, 1]");
    CHECK(rewritten("[1, 128, 4]", {128, 8, 1}) == "[128, 8, 1]");
}

TEST_CASE("a list with a number a line gets a number a line") {
    CHECK(rewritten("[\n    128,  # long\n    # short\n    1,\n]", {128, 8, 1}) ==
          "[\n    128,  # long\n    8,\n    # short\n    1,\n]");
    CHECK(rewritten("[\n    128\n]", {128, 8, 1}) == "[\n    128,\n    8,\n    1\n]");
    CHECK(rewritten("[\n    128  # long\n]", {128, 8, 1}) == "[\n    128,  # long\n    8,\n    1\n]");
    CHECK(rewritten("[\n    256,  # long\n    1\n]", {128, 8, 1}) == "[\n    128,  # long\n    8,\n    1\n]");
    CHECK(rewritten("[\n    1,\n    8]", {64, 8, 1}) == "[\n    1,\n    8,\n    64]");
}

TEST_CASE("a list that is not written as numbers is left alone") {
    CHECK(rewritten("[2 ** 7, 1]", {128, 8, 1}) == "computed");
    CHECK(rewritten("[n for n in (128, 1)]", {128, 8, 1}) == "computed");
    CHECK(rewritten("[*(128,), 1]", {128, 8, 1}) == "computed");
    CHECK(rewritten("[128, 1]\nLIST.append(4)", {128, 8, 1}) == "computed");
}
