#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cli/import_words.h"

using namespace ptofix::cli;

TEST_CASE("every name of an import statement is found, however it is laid out") {
    for (const char* text : {
             "import kernels",
             "import a.kernels as k",
             "from kernels import *",
             "from . import kernels",
             "from .kernels import (x,\n    y)",
             "from a import (b,  # as in f() and g)\n    kernels,\n)",
             "from a import (  # (\r\n    kernels)",
             "from a import b, \\\n    c, \\\n    kernels",
             "from a import b, \\\r\n    kernels",
             "import a; import kernels",
             "if x:\n    import a, kernels\n",
             "try:\n\timport kernels\nexcept ImportError: pass",
             "m = importlib.import_module('kernels')",
             "m = importlib.import_module(\n    'kernels',\n)",
             "m = __import__('kernels')",
             "y = 1\nimport kernels",
             "import kernels\r\nx = 1",
         }) {
        INFO(text);
        CHECK(import_words(text).contains("kernels"));
    }
    for (const char* text :
         {"", "kernels = 1", "import other\nkernels()", "from a import (b,\n  # kernels)", "import"}) {
        INFO(text);
        CHECK(import_words(text).contains("kernels") == (std::string(text).find("# kernels") != std::string::npos));
    }
}

TEST_CASE("a file is imported by its own name, a package by its folder's") {
    CHECK(module_word("a/b/kernels.py") == "kernels");
    CHECK(module_word("kernels.py") == "kernels");
    CHECK(module_word("a/kernels/__init__.py") == "kernels");
    CHECK(module_word("__init__.py").empty());
}

TEST_CASE("who imports a wanted file is wanted, over any number of steps") {
    std::vector<Module> modules = {{"a.py", "import b"},         {"b.py", "from c import x"}, {"c.py", "", true},
                                   {"d.py", "import other"},     {"e.py", "import a"},        {"f.py", "import outer"},
                                   {"loop1.py", "import loop2"}, {"loop2.py", "import loop1"}};
    const std::vector<std::string> further = {"elsewhere/outer.py"};
    want_importers(modules, further);
    std::string wanted;
    for (const Module& module : modules) wanted += module.wanted ? module.path + " " : "";
    CHECK(wanted == "a.py b.py c.py e.py f.py ");
}
