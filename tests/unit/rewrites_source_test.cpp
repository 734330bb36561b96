#include <string>

#include "rewrites/imports.h"
#include "rewrites/lines.h"
#include "rewrites/operands.h"
#include "rewrites/variables.h"
#include "rewrites_support.h"
#include "trace/operations.h"

using namespace ptofix;
using syntax::Kind;
using syntax::NodeId;

namespace {

NodeId first(const trace::SourceFile& file, Kind kind, std::string_view text) {
    for (NodeId id = 0; id < file.tree.nodes().size(); ++id) {
        if (file.tree.kind(id) == kind && file.text(id).starts_with(text)) return id;
    }
    FAIL("no node " << text);
    return syntax::kNoNode;
}

std::size_t bindings(const std::string& text) {
    const test::Traced traced(text);
    std::size_t count = 0;
    for (const NodeId use : rewrites::variable_uses(*traced.file, 0, "x"))
        count += rewrites::binds(traced.file->tree, use);
    return count;
}

}  // namespace

TEST_CASE("attributes, keywords and names of imports are no variables") {
    const test::Traced traced("import x\nfrom x import y as x\na.x = b(x=x, y=x.x)\n");
    CHECK(rewrites::variable_uses(*traced.file, 0, "x").size() == 2);
}

TEST_CASE("every way to bind a name is seen as one") {
    for (const char* text : {"x = 1\n",
                             "x: int = 1\n",
                             "x += 1\n",
                             "a, (x, b) = c\n",
                             "[a, *x] = c\n",
                             "for x in y:\n    pass\n",
                             "z = [x for x in y if x]\n",
                             "with a as x:\n    pass\n",
                             "def x():\n    pass\n",
                             "class x:\n    pass\n",
                             "def f(x, y):\n    pass\n",
                             "def f(x: int, *y):\n    pass\n",
                             "def f(x=1):\n    pass\n",
                             "def f(x: int = 1):\n    pass\n",
                             "f = lambda x: 1\n",
                             "if (x := 1):\n    pass\n",
                             "global x\n",
                             "del x\n",
                             "a = x = 1\n",
                             "def f(*x):\n    pass\n"}) {
        INFO(text);
        CHECK(bindings(text) == 1);
    }
    for (const char* text : {"x[0] = 1\n", "x.a = 1\n", "a[x] = 1\n", "def f(y=x):\n    pass\n",
                             "def f(y: x):\n    pass\n", "for y in x:\n    pass\n", "y = x\n", "f(x)\n"}) {
        INFO(text);
        CHECK(bindings(text) == 0);
    }
}

TEST_CASE("a free name is one that the file does not mention in any role") {
    const test::Traced traced("a = b.c(d=1)\n");
    CHECK(rewrites::free_name(*traced.file, {"a", "c", "e"}) == "e");
    CHECK(rewrites::free_name(*traced.file, {"a", "d"}) == "d2");
}

TEST_CASE("a statement owns its lines when nothing else stands on them") {
    const test::Traced traced("if a:\n    b = f(\n        1)\n    c = 2; d = 3\n    e = 4  # why\nf = 5");
    const auto own = [&](std::string_view text) {
        const NodeId at = first(*traced.file, Kind::expression_statement, text);
        const auto lines = rewrites::own_lines(*traced.file, at);
        return lines ? std::string(traced.file->text().substr(lines->start, lines->size())) : "none";
    };
    CHECK(own("b =") == "    b = f(\n        1)\n");
    CHECK(own("c =") == "none");
    CHECK(own("d =") == "none");
    CHECK(own("e =") == "none");
    CHECK(own("f =") == "f = 5");
    CHECK(rewrites::indentation_unit(*traced.file) == "    ");
    const test::Traced tabs("class A:\n\tdef f(self):\n\t\tpass\n");
    CHECK(rewrites::indentation_unit(*tabs.file) == "\t");
}

TEST_CASE("comments that are indented deeper belong to the statement before them") {
    const test::Traced traced("def f():\n    a = 1\n    # still f\n\n    # and this\n\n# of g\ndef g():\n    pass\n");
    const NodeId f = first(*traced.file, Kind::function_definition, "def f");
    const std::uint32_t end = rewrites::end_of_lines(*traced.file, f);
    CHECK(traced.file->text().substr(0, end).ends_with("# and this\n"));
}

TEST_CASE("a module goes by the name that the whole file has for it") {
    const test::Traced traced("import torch as th\nimport pypto.frontend\ndef f():\n    import math\n");
    CHECK(rewrites::module_alias(*traced.file, "torch") == "th");
    CHECK(rewrites::module_alias(*traced.file, "pypto") == "pypto");
    CHECK(rewrites::module_alias(*traced.file, "math").empty());
    std::vector<rules::FileEdit> edits;
    CHECK(rewrites::require_module(0, *traced.file, "torch", edits) == "th");
    CHECK(edits.empty());
    CHECK(rewrites::require_module(0, *traced.file, "math", edits) == "math");
    REQUIRE(edits.size() == 1);
    CHECK(edits[0].text == "import math\n");
    CHECK(edits[0].range.start == traced.file->text().find("def f"));
}

TEST_CASE("a name may come with the framework's star") {
    const test::Traced named("from pypto import loop, DT_FP32\n");
    CHECK(rewrites::imports_name(*named.file, "pypto", "DT_FP32"));
    CHECK_FALSE(rewrites::imports_name(*named.file, "pypto", "DT_BF16"));
    const test::Traced star("from pypto import *\n");
    CHECK(rewrites::imports_name(*star.file, "pypto", "DT_BF16"));
}

TEST_CASE("an operand is found as argument, keyword, object or side of an operator") {
    const test::Traced traced(
        "import pypto\n\n\n@pypto.frontend.jit\ndef k(a: pypto.Tensor([16, 16], pypto.DT_FP32), b: pypto.Tensor([16, "
        "16], "
        "pypto.DT_FP32), c: pypto.Tensor([16, 16], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(16, 16)\n"
        "    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])\n"
        "    pypto.matmul(a, mat2=b, out_dtype=pypto.DT_FP32)\n    a.matmul(b, pypto.DT_FP32)\n    a @ b\n"
        "    c.assemble(a, [0, 0])\n");
    const trace::Trace& trace = *traced.trace;
    const auto text = [&](trace::OpId id, std::string_view parameter) {
        const NodeId node = rewrites::operand_node(trace, trace.operations[id], parameter);
        return node == syntax::kNoNode ? std::string("none") : std::string(traced.file->text(node));
    };
    REQUIRE(trace.operations.size() == 4);
    for (trace::OpId id = 0; id < 3; ++id) {
        CHECK(text(id, "input") == "a");
        CHECK(text(id, "mat2") == "b");
    }
    CHECK(text(3, "input") == "a");
    CHECK(text(3, "offsets") == "[0, 0]");
    CHECK(text(3, "out") == "c");
    CHECK(text(0, "nothing") == "none");
}
