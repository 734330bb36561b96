#include "rewrites/names.h"

#include "rewrites_support.h"

namespace {

using namespace ptofix;
using ptofix::test::Traced;

/// What a call on the last line is, as a function of the framework.
std::optional<std::string> function_in(const std::string& text) {
    const Traced t(text);
    syntax::NodeId call = syntax::kNoNode;
    for (syntax::NodeId n = 0; n < t.file->tree.nodes().size(); ++n) {
        if (t.file->tree.kind(n) == syntax::Kind::call) call = n;
    }
    REQUIRE(call != syntax::kNoNode);
    return rewrites::framework_function(*t.file, t.file->tree.child(call, syntax::Field::function));
}

rewrites::ModuleName module_in(const std::string& text) {
    const Traced t(text);
    return rewrites::framework_module(*t.file, 0, static_cast<syntax::NodeId>(t.file->tree.nodes().size() - 1));
}

}  // namespace

TEST_CASE("a function of the framework is known by any name that the imports give it", "[rewrites]") {
    CHECK(function_in("import pypto\npypto.view(x)\n") == "view");
    CHECK(function_in("import pypto as p\np.experimental.gather(x)\n") == "experimental.gather");
    CHECK(function_in("from pypto import view as look\nlook(x)\n") == "view");
    CHECK(function_in("from pypto.frontend import jit\njit(x)\n") == "frontend.jit");
    CHECK(function_in("import pypto.frontend\npypto.frontend.jit(x)\n") == "frontend.jit");
    CHECK(function_in("import pypto.experimental as pe\npe.load(x)\n") == "experimental.load");
    CHECK_FALSE(function_in("import pypto_pro.language as pl\npl.view(x)\n"));
    CHECK_FALSE(function_in("import torch\ntorch.view(x)\n"));
    CHECK_FALSE(function_in("import pypto\nview(x)\n"));
    CHECK_FALSE(function_in("import pypto\nf(x)(y)\n"));
}

TEST_CASE("the module's name is the file's own, or it is imported", "[rewrites]") {
    CHECK(module_in("import pypto\nx = 1\n").text == "pypto");
    CHECK(module_in("import pypto as p\nx = 1\n").text == "p");
    CHECK(module_in("import pypto as p\nimport pypto\nx = 1\n").text == "pypto");
    CHECK_FALSE(module_in("import pypto as p\nx = 1\n").import);
    const auto added = module_in("import os\nfrom pypto import view\nx = 1\n");
    CHECK(added.text == "pypto");
    REQUIRE(added.import);
    CHECK(added.import->text == "import pypto\n");
    CHECK(added.import->range.start == 10);
    // An import in another function does not count.
    CHECK(module_in("from pypto import view\ndef f():\n    import pypto as p\nx = 1\n").import);
}

TEST_CASE("a new loop has a name of its own", "[rewrites]") {
    CHECK(rewrites::UsedNames({}).unused("LOOP_H") == "LOOP_H");
    CHECK(rewrites::UsedNames({"LOOP_H"}).unused("LOOP_H") == "LOOP_H_2");
    CHECK(rewrites::UsedNames({"LOOP_H", "LOOP_H_2"}).unused("LOOP_H") == "LOOP_H_3");
    const Traced t("import pypto\nx = dict(name='A', idx_name=\"b\", other='c')\n");
    const rewrites::UsedNames used = rewrites::loop_names(*t.trace);
    CHECK((used.size() == 2 && used.contains("A") && used.contains("b")));
}

TEST_CASE("strings are quoted as most of the file's strings are", "[rewrites]") {
    CHECK(rewrites::usual_quote(*Traced("x = 'a' + 'b' + \"c\"\n").file) == '\'');
    CHECK(rewrites::usual_quote(*Traced("x = \"a\"\n'''d'''\n").file) == '"');
    CHECK(rewrites::usual_quote(*Traced("x = 1\n").file) == '"');
}
