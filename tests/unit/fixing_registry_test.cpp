#include "fixing/registry.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

#include "rules/catalogue.h"

using namespace ptofix;
using namespace ptofix::fixing;

TEST_CASE("the table holds every rule of the catalogue in its order, found by id and by name") {
    const Pipeline& pipeline = default_pipeline();
    REQUIRE(pipeline.rules.size() == rules::catalogue().size());
    for (std::size_t i = 0; i < pipeline.rules.size(); ++i) {
        CHECK(pipeline.rules[i].id == rules::catalogue()[i].id);
        CHECK(pipeline.find(pipeline.rules[i].id) == &pipeline.rules[i]);
        CHECK(pipeline.find(pipeline.rules[i].name) == &pipeline.rules[i]);
    }
    CHECK(pipeline.find("PTO2") == nullptr);
    CHECK(pipeline.find("") == nullptr);
    CHECK(pipeline.trace);
}

TEST_CASE("what is found has a rewriter, and the rule that asks what others found runs last") {
    for (const RuleEntry& rule : default_pipeline().rules) {
        INFO(rule.id);
        // PTO209 weighs a kernel as a whole: the rules that own its parts change them. PTO102 is found from a log.
        const bool runs = (!rule.rewriters.empty() || rule.id == "PTO209") && rule.id != "PTO102";
        CHECK(static_cast<bool>(rule.detector) == runs);
        CHECK(rule.reads_other_findings ==
              (rule.id == "PTO101" || rule.id == "PTO205" || rule.id == "PTO208" || rule.id == "PTO302"));
    }
    for (const std::string_view id : {"PTO104", "PTO201", "PTO202", "PTO205", "PTO207"}) {
        INFO(id);
        const RuleEntry* rule = default_pipeline().find(id);
        REQUIRE(rule != nullptr);
        CHECK(rule->detector);
    }
    CHECK(default_pipeline().find("PTO201")->rewriters.size() == 2);
}

TEST_CASE("a file is read further when something of the framework can be named in it, however it is imported") {
    const auto worth = default_pipeline().worth_parsing;
    for (const char* text : {
             "import pypto\n@pypto.frontend.jit\ndef k(): ...",
             "import pypto\n@pypto.jit\ndef k(): ...",
             "import pypto as p\n@p.frontend.jit\ndef k(): ...",
             "from pypto import frontend\n@frontend.jit\ndef k(): ...",
             "from pypto.frontend import jit as compiled\n@compiled\ndef k(): ...",
             "from pypto import loop as L\nfor i in L(8): ...",
             "from pypto import *\nfor i in loop (8): ...",
             "import pypto as p\nfor i in p.loop\\\n(8): ...",
             "import pypto\np = pypto\nfor i in p.loop_unroll(8): ...",
             "import torch, pypto\n@f(pypto)\ndef jit(): ...",
             "import pypto\nwith pypto.options(vec_tile_shapes=[1, 2]): ...",
             "import pypto\npypto.set_options(cube_tile_shapes=[1, 2])",
             "import pypto\nX = 1  # pto-fix: ignore[PTO101]",
             "import pypto  # jit",
             "from pypto.frontend import jit",
             "import pypto.runtime\nfor i in pypto.loop(8): ...",
             "with pypto.options(vec_tile_shapes=[1]): ...",
             "x = '#' ; p = pypto\nloop = p.loop",
             "x = \"\"\"\n # \"\"\" ; p = pypto\nloop = p.loop",
             "x = f\"\"\"\n # {pypto.loop(3)}\"\"\"",
             "loop = 1 if pypto else 2",
             "def jit(p=pypto): ...",
             "jit = lambda: pypto",
             "jit = 0x1for pypto in x",
             "import pypto as jit",
             "jit = 1or pypto",
             "match pypto:\n    case loop: ...",
             "import pypto as p\n# the loop over rows\nfor i in p.loop(8): ...",
             "from pypto import (view,\n                   loop)",
             "from pypto import view , loop\n",
             "p = pypto\nf = getattr(p, 'loop')",
             "p = pypto\nf = getattr(p, \"loop\" )",
             "p = pypto\nx = p . loop_unroll (8)",
             "p = pypto\nx = y if loop else z",
             "p = pypto\nx = [i for i in loop]",
             "p = pypto\nx = f'# {p.loop}'",
         }) {
        INFO(text);
        CHECK(worth(text));
    }
    for (const char* text : {
             "import torch\n@torch.jit.script\ndef f(): ...",
             "import pypto_pro.language as pl\n@pl.jit\ndef f(): ...",
             "import pypto\nimport pypto_pro.language as pl\n@pl.jit\ndef f(x=pypto.DT_FP32): ...",
             "import pypto\r\nimport pypto_pro.language as pl\r\n@pl.jit\r\ndef f(): ...",
             "import pypto\nimport pypto_pro.language as pl\n@pl.jit\n@pypto.options(host_options={})\ndef f(): ...",
             "import pypto\nprint(pypto.DT_FP32)",
             "from pypto.pypto_impl import ir\nimport jit",
             "from pypto.error import FeError  # jit",
             "import pypto\npypto.runtime.start()\njit = 1",
             "\"\"\"The pypto jit.\"\"\"",
             "jit = 1  # as in pypto",
             "# as in pypto: pypto.loop",
             "jit = 'a loop of pypto kernels'",
             "p = pypto\n# in the loop body",
             "p = pypto\ndef f():\n    \"\"\"Runs once for each loop iteration.\"\"\"",
             "p = pypto\nx = 1  # loop (outer)",
             "p = pypto\n# loop_unroll, as before",
         }) {
        INFO(text);
        CHECK_FALSE(worth(text));
    }
}
