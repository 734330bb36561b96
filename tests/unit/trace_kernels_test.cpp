// Kernels are found however they are declared, and so are functions with operations in files without one.
#include "temporary_directory.h"
#include "trace_support.h"

using namespace ptofix;

namespace {

using Words = std::vector<std::string>;

/// "kernel name", "helper name", in the order of the trace.
Words found(const trace::Trace& trace) {
    Words out;
    for (const trace::KernelTrace& k : trace.kernels) {
        out.push_back(std::string(k.is_helper ? "helper " : "kernel ").append(k.name));
    }
    return out;
}
Words found(const std::string& source) {
    return found(*test::Traced(source).trace);
}

const std::string kDef =
    "def k(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(16, 64)\n    y = pypto.exp(x)\n";

std::string with_name(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace

TEST_CASE("a kernel in all its declarations") {
    const std::vector<std::string> sources = {
        "import pypto\n@pypto.frontend.jit\n" + kDef,
        "import pypto\n@pypto.frontend.jit()\n" + kDef,
        "import pypto\n@pypto.frontend.jit(runtime_options={'stitch_cfgcache_size': 100})\n" + kDef,
        "import pypto\nOPTIONS = {'runtime_options': {'run_mode': 1}}\n@pypto.frontend.jit(**OPTIONS)\n" + kDef,
        "import pypto\nrun = {'run_mode': 1}\n@pypto.frontend.jit(runtime_options=run, host_options={})\n" + kDef,
        "import pypto\n@pypto.jit\n" + kDef,
        "import pypto\n@pypto.jit(pass_options={})\n" + kDef,
        "from pypto import frontend\nimport pypto\n@frontend.jit\n" + kDef,
        "from pypto import frontend as fe\nimport pypto\n@fe.jit()\n" + kDef,
        "from pypto.frontend import jit\nimport pypto\n@jit\n" + kDef,
        "from pypto.frontend import jit as compiled\nimport pypto\n@compiled()\n" + kDef,
        "from pypto import *\nimport pypto\n@jit\n" + kDef,
        "import pypto.frontend\n@pypto.frontend.jit\n" + kDef,
        "import pypto.frontend as fe, pypto\n@fe.jit\n" + kDef,
        "import pypto as p\n@p.frontend.jit\n" + with_name(kDef, "pypto.", "p."),
        "import pypto as p\n@p.jit(runtime_options={})\n" + with_name(kDef, "pypto.", "p."),
        "import pypto\nmy_jit = pypto.frontend.jit\n@my_jit\n" + kDef,
        "import pypto\nmy_jit = pypto.frontend.jit(runtime_options={})\n@my_jit\n" + kDef,
        "import pypto\n" + kDef + "k = pypto.frontend.jit(k)\n",
        "import pypto\nimport functools\n@functools.wraps(print)\n@pypto.frontend.jit\n" + kDef,
        "import pypto\nif True:\n    @pypto.frontend.jit\n" + test::indented(kDef),
        "import pypto\ntry:\n    import torch\nexcept ImportError:\n    torch = None\n@pypto.frontend.jit\n" + kDef,
    };
    for (const std::string& source : sources) {
        INFO(source);
        const test::Traced traced(source);
        CHECK(found(*traced.trace) == Words{"kernel k"});
        CHECK(test::operations_of(*traced.trace, true) == Words{"exp [64, 64] DT_FP32 | 16 64"});
    }
}

TEST_CASE("kernels nested in factories, methods and branches; several in a file") {
    const std::string nested =
        "import pypto\ndef make(tile, n=64):\n    @pypto.frontend.jit\n    def k(x: pypto.Tensor([n, 64], "
        "pypto.DT_FP32)):\n        pypto.set_vec_tile_shapes(tile, 64)\n        y = pypto.exp(x)\n    return k\n";
    CHECK(found(nested) == Words{"kernel k"});
    const test::Traced called(nested + "first = make(8)\nsecond = make(32, 128)\n");
    CHECK(found(*called.trace) == Words{"kernel k", "kernel k"});
    CHECK(test::tiles_of(*called.trace) == Words{"8, 64", "32, 64"});
    CHECK(found("import pypto\nclass Model:\n    @staticmethod\n    @pypto.frontend.jit\n" + test::indented(kDef)) ==
          Words{"kernel k"});
    CHECK(found("import pypto\n@pypto.frontend.jit\n" + kDef + "@pypto.jit\n" +
                with_name(kDef, "def k", "def other")) == Words{"kernel k", "kernel other"});
}

TEST_CASE("options of the decorator reach the kernel") {
    const auto legacy = [](const std::string& decorator) {
        return test::Traced("import pypto\nOLD = {'new_ir': False}\n" + decorator + "\n" + kDef)
            .trace->kernels.front()
            .legacy_frontend;
    };
    CHECK_FALSE(legacy("@pypto.frontend.jit"));
    CHECK(legacy("@pypto.frontend.jit(new_ir=False)"));
    CHECK(legacy("@pypto.frontend.jit(**OLD)"));
    CHECK(legacy("@pypto.frontend.jit(**dict(OLD, debug_options={}))"));
    CHECK_FALSE(legacy("@pypto.frontend.jit(new_ir=True)"));
}

TEST_CASE("functions with operations are traced as they are where no kernel calls them") {
    const std::string helper =
        "def scale(x, factor=2.0):\n    pypto.set_vec_tile_shapes(16, 64)\n    return pypto.mul(x, factor)\n";
    CHECK(found("import pypto\n" + helper) == Words{"helper scale"});
    CHECK(found("import pypto\n" + helper + "def plain(a):\n    return a + 1\n") == Words{"helper scale"});
    CHECK(found("import pypto\n" + helper +
                "@pypto.frontend.jit\ndef k(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n    y = scale(x)\n") ==
          Words{"kernel k"});
    const test::Traced traced("import pypto\n" + helper);
    CHECK(test::operations_of(*traced.trace, true) == Words{"mul [...] ? | 16 64"});
}

TEST_CASE("what is no kernel is none") {
    CHECK(found("import pypto\n" + kDef) == Words{"helper k"});
    CHECK(found("import torch\n@torch.jit.script\ndef k(x):\n    return x\n").empty());
    CHECK(found("import numba\n@numba.jit\ndef k(x):\n    return x\n").empty());
    CHECK(found("jit = lambda f: f\n@jit\ndef k(x):\n    return x\n").empty());
    CHECK(found("").empty());
}

TEST_CASE("modules of the project are found by import and traced on demand") {
    const TemporaryDirectory folder;
    folder.write("pyproject.toml", "");
    folder.write("model/__init__.py", "");
    folder.write("model/config.py",
                 "from dataclasses import dataclass\nfrom .base import ROWS\n@dataclass\nclass Config:\n    tile: int "
                 "= ROWS * 2\n");
    folder.write("model/base.py", "ROWS = 8\n");
    folder.write("model/helpers.py",
                 "import pypto\nfrom . import base\ndef normalise(x, tile):\n    pypto.set_vec_tile_shapes(tile, "
                 "base.ROWS * 8)\n    return pypto.exp(x)\n");
    folder.write("common.py", "import pypto as _p\nDTYPE = _p.DT_FP32\n");
    const std::string body = "(x: pypto.Tensor([64, 64], DTYPE)):\n    y = ";
    const std::vector<std::string> sources = {
        "import pypto\nfrom common import DTYPE\nfrom model.config import Config\nfrom model.helpers import "
        "normalise\n@pypto.frontend.jit\ndef k" +
            body + "normalise(x, Config().tile)\n",
        "import pypto\nfrom common import *\nimport model.config as c, model.helpers\n@pypto.frontend.jit\ndef k" +
            body + "model.helpers.normalise(x, c.Config().tile)\n",
        "import pypto\nfrom common import DTYPE\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([64, 64], DTYPE)):\n    "
        "from model import config, helpers as h\n    y = h.normalise(x, config.Config().tile)\n",
    };
    for (const std::string& text : sources) {
        INFO(text);
        const auto source = text::Source::load(folder.write("main.py", text));
        REQUIRE(source);
        trace::Project project;
        const auto parsed = project.parse(std::make_shared<const text::Source>(*source));
        REQUIRE(parsed);
        const auto trace = trace::trace_file(project, *parsed, {});
        CHECK(test::operations_of(*trace, true) == Words{"exp [64, 64] DT_FP32 | 16 64"});
    }
}

TEST_CASE("an import means the file that Python would take") {
    const TemporaryDirectory folder;
    folder.write("pyproject.toml", "");
    folder.write("module.py", "");
    folder.write("both.py", "");
    folder.write("both/__init__.py", "");
    folder.write("data.py", "");
    folder.write("data/table.txt", "");  // a folder that is no package stands behind a module
    folder.write("pack/__init__.py", "");
    folder.write("pack/inner.py", "");
    folder.write("pack/inner/__init__.py", "");
    folder.write("pack/module.py", "");
    const std::string main = folder.write("main.py", "");
    const std::string top = main.substr(0, main.rfind('/') + 1);
    trace::Project project;
    const auto means = [&](std::string_view module, const std::string& importer) {
        const std::string& path = project.resolve(module, top + importer);
        return path.starts_with(top) ? path.substr(top.size()) : path;
    };
    CHECK(means("module", "main.py") == "module.py");
    CHECK(means("both", "main.py") == "both/__init__.py");
    CHECK(means("data", "main.py") == "data.py");
    CHECK(means("pack.inner", "main.py") == "pack/inner/__init__.py");
    CHECK(means(".inner", "pack/module.py") == "pack/inner/__init__.py");
    CHECK(means(".", "pack/module.py") == "pack/__init__.py");
    CHECK(means("..both", "pack/module.py") == "both/__init__.py");
    CHECK(means("module", "pack/inner.py") == "pack/module.py");
    CHECK(means("none", "main.py").empty());
}

TEST_CASE("a parameter annotated as a number scales a tensor, whatever it is") {
    const std::string head = "import pypto\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([64, 64], pypto.DT_BF16), a: ";
    const std::string tail = ", b: int):\n    pypto.set_vec_tile_shapes(16, 64)\n    y = ";
    for (const std::string type : {"float", "bool", "float = 1.0"}) {
        for (const std::string made :
             {"x * a", "a * x", "x / (1.0 - a)", "pypto.mul(x, a)", "pypto.maximum(x, max(a, 0.5))", "x + abs(a) * b",
              "x * float(b)", "x - (a if b > 3 else 2.0)", "pypto.where(pypto.exp(x) > a, x, a)", "x ** a"}) {
            INFO(type << ": " << made);
            const std::string with_default = type.find('=') == std::string::npos ? "" : " = 3";
            const test::Traced traced(head + type + tail.substr(0, tail.find(')')) + with_default +
                                      tail.substr(tail.find(')')) + made + "\n");
            const Words operations = test::operations_of(*traced.trace);
            REQUIRE_FALSE(operations.empty());
            CHECK(operations.back().ends_with(" [64, 64] DT_BF16"));
        }
    }
    // Without an annotation it may be a tensor of any shape.
    const test::Traced open(
        "import pypto\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([64, 64], pypto.DT_BF16), a):\n    y = x * a\n");
    CHECK(test::operations_of(*open.trace) == Words{"mul [...] DT_BF16"});
}

TEST_CASE("what a * or ** that is not known may give an operation has no default") {
    const auto made = [](const std::string& call) {
        const test::Traced traced("import pypto\nfrom outside import rest, named\n" +
                                  test::kernel_of("z = " + call).substr(std::string("import pypto\n").size()));
        return test::operations_of(*traced.trace);
    };
    CHECK(made("pypto.sum(x, *rest)") == Words{"sum [...] DT_FP32"});
    CHECK(made("pypto.sum(x, 1, **named)") == Words{"sum [...] DT_FP32"});
    CHECK(made("pypto.sum(x, 1, True, *rest)") == Words{"sum [64, 1] DT_FP32"});
    CHECK(made("pypto.matmul(x, x, pypto.DT_FP32, **named)") == Words{"matmul [?, ?] DT_FP32"});
    CHECK(made("pypto.cast(x, pypto.DT_BF16, **named)") == Words{"cast [64, 128] DT_BF16"});
}

TEST_CASE("a function inside of another that is handed to code that is not seen is traced with what surely holds") {
    const std::string text =
        "import pypto\nfrom outside import compile\n"
        "def test():\n"
        "    size = 64\n"
        "    changing = 1\n"
        "    changing = changing + 1\n"
        "    def body(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n"
        "        pypto.set_vec_tile_shapes(16, size)\n"
        "        y = pypto.exp(x)\n"
        "        pypto.set_vec_tile_shapes(changing, size)\n"
        "        z = pypto.exp(y)\n"
        "    compile(body)\n";
    const test::Traced traced(text);
    CHECK(found(*traced.trace) == Words{"helper body"});
    const Words tiles = test::tiles_of(*traced.trace);
    REQUIRE(tiles.size() >= 2);
    CHECK(tiles.front() == "16, 64");
    CHECK(tiles[1] != "2, 64");
}
