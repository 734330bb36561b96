#include "fixing/importers.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fixing/import_lines.h"
#include "fixing/string_names.h"

namespace {

namespace fs = std::filesystem;

class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / "ptofix_importers_test") {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << text;
        return (path_ / name).string();
    }

  private:
    fs::path path_;
};

bool is_imported(const std::string& path, std::string_view name) {
    return ptofix::fixing::Importers().find(path, name).has_value();
}

}  // namespace

TEST_CASE("files beside a module that import it and name the function are its importers", "[fixing]") {
    const Folder folder;
    const std::string kernels = folder.write("kernels.py", "def project(x): ...\n");
    CHECK_FALSE(is_imported(kernels, "project"));
    folder.write("other.py", "import torch\ndef project(x): ...\n");
    folder.write("docs.txt", "from kernels import project\n");
    CHECK_FALSE(is_imported(kernels, "project"));
    folder.write("host.py", "import importlib\nproject = importlib.import_module('kernels').project\n");
    CHECK(is_imported(kernels, "project"));
    CHECK_FALSE(is_imported(kernels, "convert"));
}

TEST_CASE("a notebook imports by the code of its cells, and nobody imports it", "[fixing]") {
    const Folder folder;
    const std::string kernels = folder.write("kernels.py", "def project(x): ...\n");
    const std::string start = R"({"nbformat": 4, "metadata": {}, "cells": [{"cell_type": ")";
    const std::string source = R"(", "source": ["# import\n", "from kernels import project\n"]}]})";
    const std::string notebook = folder.write("nb.ipynb", start + "markdown" + source);
    CHECK_FALSE(is_imported(kernels, "project"));
    folder.write("nb.ipynb", start + "code" + source);
    CHECK(is_imported(kernels, "project"));
    folder.write("use.py", "from nb import project\n");
    CHECK_FALSE(is_imported(notebook, "project"));
}

TEST_CASE("a package's modules are imported from the folder above it", "[fixing]") {
    const Folder folder;
    const std::string kernels = folder.write("ops/kernels.py", "def project(x): ...\n");
    folder.write("host.py", "from ops.kernels import project\n");
    CHECK_FALSE(is_imported(kernels, "project"));
    folder.write("ops/__init__.py", "");
    CHECK(is_imported(kernels, "project"));
}

TEST_CASE("what is no file has no importers", "[fixing]") {
    CHECK_FALSE(is_imported("untitled:1", "project"));
    CHECK_FALSE(is_imported("-", "project"));
}

TEST_CASE("import statements are read off a text that is not parsed", "[fixing]") {
    const auto read = [](std::string_view text) {
        std::vector<std::string> found;
        ptofix::fixing::each_import_line(text, [&](const ptofix::fixing::ImportLine& line) {
            std::string names = line.names;
            std::erase(names, ' ');
            found.push_back(line.module + (line.is_from ? "<-" + names : ""));
        });
        return found;
    };
    using Lines = std::vector<std::string>;
    CHECK(read("import a.b.c as d, e\n") == Lines{"a", "a.b", "a.b.c", "e"});
    CHECK(read("from ..a import b as c, d\n") == Lines{"..a<-basc,d", "..a.b", "..a.d"});
    CHECK(read("from . import x; import y") == Lines{".<-x", ".x", "y"});
    CHECK(read("if x: from a import *  # all\n") == Lines{"a<-*"});
    CHECK(read("from a import (  # one\r\n    b,  # two, three\r\n    c,\r\n)\r\n") == Lines{"a<-b,c,", "a.b", "a.c"});
    CHECK(read("from a.b \\\n    import c, \\\n    d\n") == Lines{"a.b<-c,d", "a.b.c", "a.b.d"});
    CHECK(read("from a import b\rimport c\r") == Lines{"a<-b", "a.b", "c"});
    CHECK(read("importlib.reload(a); important = 3").empty());
    CHECK(read("\uFEFFfrom a import b\n") == Lines{"a<-b", "a.b"});
    CHECK(read("import a . b as c\nfrom a . b import d\n") == Lines{"a", "a.b", "a.b<-d", "a.b.d"});
    CHECK(read("import").empty());
    CHECK(read("from import").empty());
    CHECK(ptofix::fixing::imports_at_run_time("x = __import__('a')"));
    CHECK_FALSE(ptofix::fixing::imports_at_run_time("import a"));
}

TEST_CASE("names that a string says the way to are read off a text that is not parsed", "[fixing]") {
    const auto read = [](std::string_view text) {
        std::vector<std::string> found;
        ptofix::fixing::each_name_in_string(text, [&](std::string_view name) { found.emplace_back(name); });
        return found;
    };
    using Names = std::vector<std::string>;
    CHECK(read("f('a.b') + \"c:d\"  # 'e.f'\ng.h") == Names{"b", "d"});
    CHECK(read("'''a 'b.c' \\''' d.e'''; f.g") == Names{"c", "e"});
    CHECK(read("'import a'\n'it isn\\'t.here'\n'open.end\nx.y") == Names{"import", "a", "here", "end"});
}
