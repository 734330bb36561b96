#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "text/edit.h"
#include "text/json_cursor.h"
#include "text/magics.h"
#include "text/notebook.h"

using ptofix::text::Notebook;
using ptofix::text::NotebookNames;
using ptofix::text::python_of_cell;
using ptofix::text::Range;

namespace {

Notebook parsed(std::string_view json) {
    auto notebook = Notebook::parse(json);
    if (!notebook) FAIL(notebook.error().detail);
    return std::move(*notebook);
}

std::string cells(std::string_view list, std::string_view metadata = "{}") {
    return "{\"cells\": [" + std::string(list) + "], \"metadata\": " + std::string(metadata) +
           ", \"nbformat\": 4, \"nbformat_minor\": 5}\n";
}

std::string code(std::string_view source) {
    return R"({"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": )" + std::string(source) + "}";
}

/// The file after one replacement in the text.
std::string replaced(const std::string& json, std::string_view old_part, std::string_view new_part) {
    const Notebook notebook = parsed(json);
    std::string text = notebook.text();
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    text.replace(at, old_part.size(), new_part);
    const auto edits = notebook.put_back(json, text);
    REQUIRE(edits);
    std::string out = ptofix::text::apply(json, *edits);
    CHECK(parsed(out).text() == text);
    return out;
}

bool can_be(const std::string& json, std::string_view text) {
    return parsed(json).put_back(json, text).has_value();
}

std::string with(std::string text, std::string_view old_part, std::string_view new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

}  // namespace

TEST_CASE("the code cells of a notebook are one text, with a line between them") {
    const std::string json = cells(code(R"(["import pypto\n", "x = 1"])") + ", " +
                                   R"({"cell_type": "markdown", "source": ["y = 2"]}, )" + code(R"("z = 3\n")"));
    const Notebook notebook = parsed(json);
    CHECK(notebook.text() == "import pypto\nx = 1\n# %% cell 3\nz = 3\n");
    const auto at = static_cast<std::uint32_t>(notebook.text().find("= 3"));
    const auto place = notebook.place(json, {at, at + 3});
    CHECK(place.cell == 3);
    CHECK(notebook.text().substr(place.text.start, place.text.size()) == "z = 3\n");
    CHECK(place.own == Range{2, 5});
    CHECK(json.substr(place.raw.start, place.raw.size()) == "= 3");
    const Range line = notebook.place(json, {13, 19}).raw;
    CHECK(notebook.place(json, {13, 19}).cell == 1);
    CHECK(json.substr(line.start, line.size()) == "x = 1");
    const Range lines = notebook.place(json, {7, 15}).raw;
    CHECK(json.substr(lines.start, lines.size()) == R"(pypto\n", "x )");
    const Range border = notebook.place(json, {20, 25}).raw;
    CHECK(json.substr(border.start, 5) == "z = 3");
    CHECK(border.empty());
    CHECK(notebook.may_edit({0, 5}));
    CHECK(notebook.may_edit({13, 19}));
    CHECK_FALSE(notebook.may_edit({13, 20}));
    CHECK_FALSE(notebook.may_edit({20, 20}));
    CHECK(notebook.put_back(json, notebook.text())->empty());
}

TEST_CASE("an edit changes the bytes of its own characters") {
    const std::string list =
        cells(code("[\n    \"import pypto\\n\",\n    \"x = 1\\n\",\n    \"y = \\\"\\u00e9\\\"\\n\",\n"
                   "    \"z = 3\"\n   ]"));
    CHECK(replaced(list, "x = 1", "x = 12") == with(list, "x = 1", "x = 12"));
    CHECK(replaced(list, "y = ", "why = ") == with(list, "y = ", "why = "));
    CHECK(replaced(list, "x = 1\n", "x = 1\nnew\n") == with(list, "x = 1\\n\",\n", "x = 1\\n\",\n    \"new\\n\",\n"));
    CHECK(replaced(list, "x = 1\n", "") == with(list, "    \"x = 1\\n\",\n", ""));
    CHECK(replaced(list, "import pypto\nx = 1\n", "a\nb\nc\n") ==
          with(list, "\"import pypto\\n\",\n    \"x = 1\\n\",\n", "\"a\\n\",\n    \"b\\n\",\n    \"c\\n\",\n"));
    CHECK(replaced(list, "z = 3\n", "z = 3\nend\n") == with(list, "z = 3\"", "z = 3\\n\",\n    \"end\""));
    CHECK(replaced(list, "x = 1", "x = \"中\\\"") == with(list, "x = 1", "x = \\\"\\u4e2d\\\\\\\""));
    CHECK(replaced(list, "x = 1", "x = '😀'") == with(list, "x = 1", "x = '\\ud83d\\ude00'"));
    CHECK(replaced(list, "import", "first\nimport") == with(list, "\"import", "\"first\\n\",\n    \"import"));
    const std::string one = cells(code(R"("import pypto\nx = 1\nz = '中'")"));
    CHECK(replaced(one, "x = 1\n", "x = 1\ny = '文'\n") == with(one, "x = 1\\n", "x = 1\\ny = '文'\\n"));
    const std::string single = cells(code("[\"x = 1\"]"));
    CHECK(replaced(single, "x = 1\n", "x = 1\ny\n") == with(single, "x = 1\"", "x = 1\\n\",\"y\""));
    const std::string ended = cells(code("[\"x = 1\\n\", \"y = 2\\n\"]"));
    CHECK(replaced(ended, "y = 2\n", "y = 2\nz = 3\n") == with(ended, "y = 2\\n\"", "y = 2\\n\", \"z = 3\\n\""));
    CHECK(replaced(ended, "y = 2\n", "") == with(ended, ", \"y = 2\\n\"", ""));
    const std::string crlf = cells(code("[\"x = 1\\r\\n\",\r\n \"y = 2\\r\\n\"]"));
    CHECK(replaced(crlf, "x = 1\r\n", "x = 1\r\nz\r\n") ==
          with(crlf, "x = 1\\r\\n\",", "x = 1\\r\\n\",\r\n \"z\\r\\n\","));
}

TEST_CASE("an edit is put back by its cell alone as it is with the whole text, or not at all") {
    // Every small edit at every place of a notebook with all kinds of cells.
    const std::string json = cells(code(R"(["import pypto\n", "%time f()\n", "x = '\u00e9'"])") + ", " +
                                   R"({"cell_type": "markdown", "source": ["y = 2"]}, )" + code(R"("z = 3\n")") + ", " +
                                   code("[]") + ", " + code(R"(["def f():\n", "    return 1\n", "!ls f\n"])") + ", " +
                                   code(R"(["raise f\n", "s = '''a\n", "b\n"])"));
    const Notebook notebook = parsed(json);
    const std::string& text = notebook.text();
    const auto size = static_cast<std::uint32_t>(text.size());
    const auto is_inside = [&](std::uint32_t at) {
        return at < size && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    int alone = 0, whole = 0;
    for (std::uint32_t start = 0; start <= size; ++start) {
        for (const std::uint32_t length : {0U, 1U, 7U, 13U}) {
            const std::uint32_t end = std::min(start + length, size);
            if (is_inside(start) || is_inside(end)) continue;
            for (const char* put :
                 {"", "q", "\n", "q\n", "%q\n", "'", "\"\\", "def q():\n", "# %% cell 3\n", "\xC3\xBC"}) {
                const ptofix::text::Edit edit{{start, end}, put};
                const std::string wanted = ptofix::text::apply(text, std::span(&edit, 1));
                const auto by_cell = notebook.put_back(json, std::span(&edit, 1));
                const auto by_text = notebook.put_back(json, wanted);
                const bool is_right = by_text && parsed(ptofix::text::apply(json, *by_text)).text() == wanted;
                whole += is_right ? 1 : 0;
                if (!by_cell) continue;
                ++alone;
                INFO(start << " " << end << " " << put);
                REQUIRE(is_right);
                REQUIRE(ptofix::text::apply(json, *by_cell) == ptofix::text::apply(json, *by_text));
            }
        }
    }
    CHECK(alone > 500);
    CHECK(alone > whole / 2);
}

TEST_CASE("strings that are cut other than at lines are edited where they are") {
    const std::string json = cells(code(R"(["im", "port pypto\nx =", "", " 1\ny = 2\n", "z"])"));
    CHECK(replaced(json, "x = 1", "x = 7") == with(json, " 1\\n", " 7\\n"));
    CHECK(replaced(json, "import", "from") == with(json, R"("im", "port)", R"("from)"));
}

TEST_CASE("a text that lost a line between cells, or one that stands for a magic, is not put back") {
    const std::string json = cells(code(R"(["%load_ext x\n", "x = 1"])") + ", " + code(R"("z = 3\n")"));
    const Notebook notebook = parsed(json);
    CHECK(notebook.text() == "pass\nx = 1\n# %% cell 2\nz = 3\n");
    CHECK_FALSE(can_be(json, "pass\nx = 1\nz = 3\n"));
    CHECK_FALSE(can_be(json, "x = 1\n# %% cell 2\nz = 3\n"));
    CHECK_FALSE(notebook.may_edit({0, 4}));
    CHECK(notebook.may_edit({5, 10}));
    CHECK(notebook.may_edit({0, 0}));
    const auto edits = notebook.put_back(json, "pass\nx = 2\n# %% cell 2\nz = 4\n");
    REQUIRE(edits);
    CHECK(ptofix::text::apply(json, *edits) == with(with(json, "x = 1", "x = 2"), "z = 3", "z = 4"));
}

TEST_CASE("a line between cells is one that no cell has") {
    const std::string json = cells(code(R"("x = 1")") + ", " + code(R"("# %% cell 2\ny = 2")"));
    CHECK(parsed(json).text() == "x = 1\n# %%% cell 2\n# %% cell 2\ny = 2\n");
}

TEST_CASE("what is no notebook of format 4 is told apart") {
    const auto error = [](std::string_view json) {
        const auto notebook = Notebook::parse(json);
        REQUIRE_FALSE(notebook);
        return (notebook.error().other_version ? "version " : "") + notebook.error().detail;
    };
    CHECK(error("") == "not valid JSON");
    CHECK(error("{") == "not valid JSON");
    CHECK(error("[]") == "no nbformat");
    CHECK(error(R"({"nbformat": 3, "worksheets": []})") == "version 3");
    CHECK(error(R"({"nbformat": 4})") == "no list of cells");
    CHECK(error(cells(R"({"cell_type": "code"})")) == "a cell without a type or a source");
    CHECK(error(cells(R"({"cell_type": "code", "source": [1]})")) == "a cell without a type or a source");
    CHECK(error(cells(R"({"cell_type": "code", "source": "a\ud800"})")) == "a character that no text has in a cell");
}

TEST_CASE("JSON is checked by its grammar") {
    using ptofix::text::json_fault;
    for (const char* sound : {"{}", " [ ] ", "0", "-0.5e+10", "[1, \"a\\u00e9\\n\", {\"\": null}]", "\"\\ud800\"",
                              "1e999", "[NaN, Infinity, -Infinity]", "\xEF\xBB\xBF[true]"}) {
        CAPTURE(sound);
        CHECK_FALSE(json_fault(sound));
    }
    const std::pair<const char*, std::size_t> broken[] = {
        {"", 0},      {"{", 1},   {"[1,]", 3},  {"[1 2]", 3},  {"{\"a\"}", 4}, {"{\"a\":1,}", 7},
        {"{a:1}", 1}, {"01", 1},  {"1.", 2},    {"-", 1},      {"-NaN", 1},    {"1e", 2},
        {"tru", 0},   {"nan", 0}, {"\"a", 2},   {"\"\n\"", 1}, {"\"\\x\"", 2}, {"\"\\u12g4\"", 5},
        {"[}", 1},    {"{]", 1},  {"[] []", 3}, {"'a'", 0},    {"[1]]", 3},    {"\"\\", 2}};
    for (const auto& [text, at] : broken) {
        CAPTURE(text);
        CHECK(json_fault(text) == at);
    }
}

TEST_CASE("a notebook of another language has no Python") {
    CHECK(parsed(cells(code(R"("x <- 1")"), R"({"kernelspec": {"language": "R"}})")).text().empty());
    CHECK(parsed(cells(code(R"("x = 1")"), R"({"language_info": {"name": "julia"}})")).text().empty());
    CHECK(parsed(cells(code(R"("x = 1")"), R"({"language_info": {"name": "python"}})")).text() == "x = 1\n");
    CHECK(parsed(cells("")).text().empty());
    CHECK(parsed(cells(code("[]"))).text().empty());
}

TEST_CASE("IPython's lines are replaced, Python's are not") {
    CHECK(python_of_cell("%matplotlib inline\nx = 1\n").text == "pass\nx = 1\n");
    CHECK(python_of_cell("if a:\n    !ls -l\n").text == "if a:\n    pass\n");
    CHECK(python_of_cell("files = !ls\nt = %time f()\n").text == "files = get_ipython()\nt = f()\n");
    CHECK(python_of_cell("x?\nx.y??\n?x\n").text == "pass\npass\npass\n");
    CHECK(python_of_cell("!ls \\\n  -l\nx = 1").text == "pass\n\nx = 1");
    CHECK(python_of_cell("y = (a\n%b)\n").text == "y = (a\n%b)\n");
    CHECK(python_of_cell("y = a \\\n  % b\n").text == "y = a \\\n  % b\n");
    CHECK(python_of_cell("s = '''\n%d\n!x\n'''\n").text == "s = '''\n%d\n!x\n'''\n");
    CHECK(python_of_cell("s = 'a('\n%x\n").text == "s = 'a('\npass\n");
    CHECK(python_of_cell("# (\n%x\r\n").text == "# (\npass\r\n");
    CHECK(python_of_cell("x = a if b else '?'\n# why?\n").text == "x = a if b else '?'\n# why?\n");
    CHECK(python_of_cell("a == b\nx %= 2\nx != 3\n").text == "a == b\nx %= 2\nx != 3\n");
    CHECK(python_of_cell("\n%%time\nx = 1\n").text == "\n\nx = 1\n");
    CHECK(python_of_cell("%%bash\nls\nx = 1\n").text == "\n\n\n");
    CHECK(python_of_cell("%%writefile k.py\nimport pypto").text == "\n");
    CHECK(python_of_cell("%%time\nx = 1\n").text == "\nx = 1\n");
}

TEST_CASE("what a magic runs stays in the text") {
    CHECK(python_of_cell("%time f(x)\n").text == "f(x)\n");
    CHECK(python_of_cell("  %timeit -n 10 -r2 -o f(x)\n").text == "  f(x)\n");
    CHECK(python_of_cell("t = %timeit -o f(x)\n").text == "t = get_ipython(f(x))\n");
    CHECK(python_of_cell("%lprun -f g f(x)\n").text == "f(x)\n");
    CHECK(python_of_cell("%time f(x,\n").text == "pass\n");
    CHECK(python_of_cell("%%timeit -n 3 y = 2\nf(y)\n").text == "y = 2\nf(y)\n");
    CHECK(python_of_cell("%%capture out\nf(y)\n").text == "out = get_ipython()\nf(y)\n");
    CHECK(python_of_cell("%run other.ipynb\n").text == "from IPython import *\n");
    CHECK(python_of_cell("%%time\n").replaced == std::vector<bool>{true});
    const Notebook notebook = parsed(cells(code(R"("\n%%time\nx = 1")")));
    CHECK(notebook.text() == "\n\nx = 1\n");
    CHECK_FALSE(notebook.may_edit({0, 0}));
    CHECK_FALSE(notebook.may_edit({1, 1}));
    CHECK(notebook.may_edit({2, 2}));
    const Notebook bash = parsed(cells(code(R"("%%bash\nls\n")")));
    CHECK(bash.text() == "\n\n");
    CHECK_FALSE(bash.may_edit({2, 2}));
}

TEST_CASE("lines that a backslash joins are one magic") {
    CHECK(python_of_cell("%time f(x, \\\n  y)\nz\n").text == "f(x, \\\n  y)\nz\n");
    CHECK(python_of_cell("%time A = \\\r\n  64\r\n").text == "A = \\\r\n  64\r\n");
    CHECK(python_of_cell("r = %timeit -o \\\n  f(x)\n").text == "r = get_ipython(\\\n  f(x))\n");
    CHECK(python_of_cell("%time f(x) # \\\n y\n").text == "pass\n\n");
    CHECK(python_of_cell("!ls \\\n -l\nx\n").text == "pass\n\nx\n");
}

TEST_CASE("names that a magic gives a value are not believed") {
    const auto is_bound = [](const std::string& cell, const std::string& text) {
        CHECK(python_of_cell(cell).text == text);
    };
    is_bound("%%bash --out A\nls\n", "A = get_ipython()\n\n");
    is_bound("%%script bash --out=A --err B\nls\n", "A = B = get_ipython()\n\n");
    is_bound("%capture --no-stderr A\n", "A = get_ipython()\n");
    is_bound("%sql A << SELECT 1\n", "A = get_ipython()\n");
    is_bound("%R -o A,B\n", "A = B = get_ipython()\n");
    is_bound("%macro A 1-2\n", "A = get_ipython()\n");
    is_bound("%rerun 3\n", "from IPython import *\n");
    is_bound("%time A = (1,\n", "from IPython import *\n");
    is_bound("d['a'] = !ls\n", "d['a'] = get_ipython()\n");
    is_bound("a, *b = !ls\n", "a, *b = get_ipython()\n");
    is_bound("%pip install -o in\n", "pass\n");
}

TEST_CASE("a %% magic may stand in another one") {
    CHECK(python_of_cell("%%time\n%%bash\nls -l\n").text == "\n\n\n");
    CHECK(python_of_cell("%%time\n\n%%timeit\nf(x)\n").text == "\n\n\nf(x)\n");
    CHECK(python_of_cell("%%time\nx = 1\n").head == 1);
}

TEST_CASE("what Python does not read may call a function of the notebook") {
    NotebookNames names;
    names.read("import k, torch\nfrom m import (g as h,\n    j)\ndef f(x): pass\n");
    const auto python = [&](const std::string& cell) { return python_of_cell(cell, names).text; };
    CHECK(python("%pyinstrument f(x)\n") == "lambda: (f, )\n");
    CHECK(python("r = %pyinstrument k.g(h, j)\n") == "r = get_ipython(lambda: (k, h, j, ))\n");
    CHECK(python("%%px\nif x:\n    f(x)\n") == "\n\nlambda: (f, )\n");
    CHECK(python("  /f x, y\n") == "  lambda: (f, )\n");
    CHECK(python("%run -i other.py f\n") == "from IPython import *; lambda: (f, )\n");
    CHECK(python("%pip install torch x.f\n!ls\nf?\n") == "pass\npass\npass\n");
    CHECK(python("%%writefile k.py\nf(x)\n") == "\n\n");
    CHECK(python("%%time\nf(x)\n") == "\nf(x)\n");
    names.read("from n import *\n");
    CHECK(python("%px q(1) if 2 else 3\n") == "lambda: (q, )\n");
}

TEST_CASE("what ends a cell does not end the next one") {
    CHECK(python_of_cell("raise SystemExit(\n    1)\n").text == "if get_ipython(): raise SystemExit(\n    1)\n");
    CHECK(python_of_cell("return\n").text == "if get_ipython(): return\n");
    CHECK(python_of_cell("while True:\n    f()\n").text == "while get_ipython():\n    f()\n");
    CHECK(python_of_cell("def f():\n    raise A\nraised = 1\n").text == "def f():\n    raise A\nraised = 1\n");
    CHECK(python_of_cell("raise A\nx\n").replaced == std::vector<bool>{true, false});
}

TEST_CASE("a string that nothing ends is an error of its cell alone") {
    CHECK(python_of_cell("x = 1\ns = (1,\n  \"\"\"abc\ny\n").text == "x = 1\n?\n\n\n");
    CHECK(python_of_cell("def f():\n  \"\"\"abc\ny").text == "def f():\n  ?\n");
    CHECK(python_of_cell("s = '''a\n'''\n").text == "s = '''a\n'''\n");
}

TEST_CASE("a cell may lose all of its text") {
    const std::string json =
        cells(code("[\"a\\n\", \"b\"]") + ", " + code("\"x\"") + ", " + code("[]") + ", " + code("[\"y\"]"));
    CHECK(parsed(json).text() == "a\nb\n# %% cell 2\nx\n# %% cell 3\n# %% cell 4\ny\n");
    CHECK(replaced(json, "a\nb\n", "") == with(json, R"("a\n", "b")", R"("")"));
    CHECK(replaced(json, "\nx\n", "\n") == with(json, "\"x\"", "\"\""));
    CHECK(replaced(json, "y\n", "") == with(json, "[\"y\"]", "[\"\"]"));
    CHECK_FALSE(can_be(json, "a\nb\n# %% cell 2\nx\n# %% cell 3\nnew\n# %% cell 4\ny\n"));
}

TEST_CASE("names are read as JSON means them, and the last of two counts") {
    CHECK(
        parsed(
            R"({"nbf\u006frmat": 4, "cells": [{"cell_type": "markdown", "source": "a", "\u0073ource": "b", "cell_type": "code"}]})")
            .text() == "b\n");
    CHECK(parsed("\xEF\xBB\xBF" + cells(code("\"x\""))).text() == "x\n");
    CHECK(parsed(cells(code(R"("a\ud83d\ude00\u00e9\/b\tc")"))).text() == "a\U0001F600\u00e9/b\tc\n");
}

TEST_CASE("depth is no matter") {
    const std::string deep(100000, '[');
    CHECK_FALSE(Notebook::parse(deep));
    const std::string outputs = deep + std::string(deep.size(), ']');
    CHECK(parsed(R"({"metadata": )" + outputs + R"(, "nbformat": 4, "cells": [{"outputs": )" + outputs +
                 R"(, "cell_type": "code", "source": "x"}]})")
              .text() == "x\n");
}
