#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/discovery.h"
#include "temporary_directory.h"

using namespace ptofix::config;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path& path) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "import pypto\n";
}

std::vector<std::string> found_in(const fs::path& folder, std::vector<std::string> paths) {
    for (std::string& path : paths) path = (folder / path).string();
    std::vector<std::string> out;
    for (const InputPath& file : discover(paths).files)
        out.push_back(fs::path(file.path).lexically_relative(folder).string());
    return out;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("folders are searched for Python files, in sorted order, without what tools put there") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    for (const char* name :
         {"b.py", "a/z.py", "a/y.py", "c.txt", "d.pyi", ".hidden.py", ".git/x.py", "__pycache__/x.py",
          "node_modules/x.py", "build/x.py", "venv/x.py", "p.egg-info/x.py", "a/build.py"}) {
        touch(top / name);
    }
    CHECK(found_in(top, {"."}) == Paths{"a/build.py", "a/y.py", "a/z.py", "b.py"});
}

TEST_CASE("an ending in capitals is no Python file's in folders, patterns and lists, and any is when it is named") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    for (const char* name : {"K.PY", "NB.IPYNB", "Nb.Ipynb", "k.py", "nb.ipynb"}) touch(top / name);
    CHECK(found_in(top, {"."}) == Paths{"k.py", "nb.ipynb"});
    CHECK(found_in(top, {"*"}) == Paths{"k.py", "nb.ipynb"});
    CHECK(found_in(top, {"K.PY", "NB.IPYNB", "Nb.Ipynb"}) == Paths{"K.PY", "NB.IPYNB", "Nb.Ipynb"});
    CHECK(found_in(top, {"*.PY", "*.IPYNB"}) == Paths{"K.PY", "NB.IPYNB"});
    DiscoveryOptions options;
    for (const char* name : {"K.PY", "NB.IPYNB", "k.py"}) options.listed.push_back((top / name).string());
    const auto listed = discover({}, options).files;
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].path == (top / "k.py").string());
}

TEST_CASE("what is named is taken, whatever its name or its folder") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    touch(top / "build/x.py");
    touch(top / "kernel.txt");
    CHECK(found_in(top, {"build", "kernel.txt"}) == Paths{"build/x.py", "kernel.txt"});
}

TEST_CASE("a file that several paths lead to is taken once, by the first") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    touch(top / "a/k.py");
    fs::create_symlink("a/k.py", top / "link.py");
    fs::create_hard_link(top / "a/k.py", top / "hard.py");
    CHECK(found_in(top, {"link.py", "a/k.py", "hard.py", "."}) == Paths{"link.py"});
    CHECK(found_in(top, {"a/k.py", "a/k.py", "./a/../a/k.py"}) == Paths{"a/k.py"});
}

TEST_CASE("links are not followed in folders: loops end, nothing outside is touched") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    touch(top / "in/k.py");
    touch(top / "out/o.py");
    fs::create_directory_symlink(".", top / "in/self");
    fs::create_directory_symlink("..", top / "in/parent");
    fs::create_directory_symlink("../out", top / "in/out");
    fs::create_symlink("../out/o.py", top / "in/o.py");
    CHECK(found_in(top, {"in"}) == Paths{"in/k.py"});
}

TEST_CASE("a folder without Python is a problem, and a missing path is left to the reader") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    fs::create_directories(top / "empty/deep");
    const Paths paths{(top / "empty").string(), (top / "missing.py").string()};
    const Discovery found = discover(paths);
    REQUIRE(found.problems.size() == 1);
    CHECK(found.problems[0].kind == "no-python");
    REQUIRE(found.files.size() == 1);
    CHECK(found.files[0].named);
}

TEST_CASE("a file found in a folder and named as well counts as named") {
    const TemporaryDirectory dir;
    touch(dir.path() / "k.py");
    const Paths paths{dir.path().string(), (dir.path() / "k.py").string()};
    REQUIRE(discover(paths).files.size() == 1);
    CHECK(discover(paths).files[0].named);
}

TEST_CASE("paths are shown without dots and doubled slashes, but not resolved") {
    CHECK(tidy("./a.py") == "a.py");
    CHECK(tidy("a//b/./c.py") == "a/b/c.py");
    CHECK(tidy("../a/../b.py") == "../a/../b.py");
    CHECK(tidy("/") == "/");
    CHECK(tidy("//a") == "/a");
    CHECK(tidy(".") == ".");
    CHECK(tidy("a/") == "a");
}

TEST_CASE("deeply nested folders are no problem") {
    const TemporaryDirectory dir;
    fs::path deep = dir.path();
    for (int i = 0; i < 200; ++i) deep /= "d";
    touch(deep / "k.py");
    CHECK(found_in(dir.path(), {"."}).size() == 1);
}
