#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "config/config_finder.h"
#include "config/file_config.h"
#include "temporary_directory.h"

using namespace ptofix;
using namespace ptofix::config;
namespace fs = std::filesystem;

#define KNOWN                                                                                                         \
    "extend, soc, frontend, select, ignore, exclude, extend-exclude, per-file-ignores, respect-gitignore, severity, " \
    "assume"

namespace {

FileConfig config_of(std::string_view toml, bool is_pyproject = false) {
    const auto result = parse_config("dir/pto-fix.toml", toml, is_pyproject, rules::Language::en);
    if (!result) FAIL(result.error().message);
    REQUIRE(*result != nullptr);
    return **result;
}

std::string error_of(std::string_view toml, bool is_pyproject = false) {
    const auto result = parse_config("pto-fix.toml", toml, is_pyproject, rules::Language::en);
    REQUIRE_FALSE(result);
    return result.error().message;
}

void write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("every key is read") {
    const FileConfig config = config_of(R"(
soc = "950"
frontend = "legacy"
select = ["pto2", "matmul-result-exceeds-ub"]
ignore = ["PTO205"]
exclude = ["third_party", "gen/*.py"]
[severity]
PTO201 = "error"
PTO2 = "off"
)");
    CHECK(config.soc == "950");
    CHECK(config.legacy_frontend);
    CHECK(config.selected == std::vector<std::string>{"PTO2", "PTO104"});
    CHECK(config.ignored == std::vector<std::string>{"PTO205"});
    REQUIRE(config.severities.size() == 2);
    CHECK(config.severities[0].rule == "PTO2");
    CHECK_FALSE(config.severities[0].severity);
    CHECK(config.severities[1].severity == rules::Severity::error);
}

TEST_CASE("what is not understood is an error with its place and the nearest known word") {
    CHECK(error_of("\nselct = []\n") == "pto-fix.toml:2:9: unknown key `selct`; did you mean `select`?");
    CHECK(error_of("colour = 'red'") == "pto-fix.toml:1:10: unknown key `colour`; known are " KNOWN);
    CHECK(error_of("M = 8") == "pto-fix.toml:1:5: unknown key `M`; known are " KNOWN
                               "; sizes of kernels go into the table `[assume]`");
    CHECK(error_of("soc = 950") == "pto-fix.toml:1:7: `soc` must be a text in quotes");
    CHECK(error_of("soc = '910x'").starts_with("pto-fix.toml:1:7: `soc` is `910x`; it must be one of a2a3"));
    CHECK(error_of("select = 'PTO201'").find("`select` must be a list") != std::string::npos);
    CHECK(error_of("select = [1]").find("`select` must be a list") != std::string::npos);
    CHECK(error_of("ignore = ['PTO210']").find("did you mean PTO201?") != std::string::npos);
    CHECK(error_of("severity = 'high'").find("must be a table") != std::string::npos);
    CHECK(error_of("[severity]\nPTO201 = 'fatal'").find("`severity.PTO201` is `fatal`") != std::string::npos);
    CHECK(error_of("frontend = 'old'").find("new-ir, legacy") != std::string::npos);
    CHECK(error_of("soc = \n").starts_with("pto-fix.toml:1:"));
    CHECK(error_of("[tool]\npto-fix = 1", true).find("must be a table") != std::string::npos);
}

TEST_CASE("pyproject.toml counts only with a table of ours") {
    CHECK(config_of("[tool.pto-fix]\nsoc = 'a2a3'\n[tool.other]\nx = 1\n", true).soc == "a2a3");
    const auto none = parse_config("pyproject.toml", "[tool.other]\nx = 1\n", true, rules::Language::en);
    REQUIRE(none);
    CHECK(*none == nullptr);
}

TEST_CASE("the nearest configuration counts, pto-fix.toml before pyproject.toml") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    write(top / "pyproject.toml", "[tool.pto-fix]\nsoc = 'a2a3'\n");
    write(top / "a/pto-fix.toml", "soc = '950'\n");
    write(top / "a/pyproject.toml", "[tool.pto-fix]\nsoc = 'kirinx90'\n");
    write(top / "a/b/pyproject.toml", "[project]\nname = 'x'\n");
    write(top / "broken/pto-fix.toml", "soc = ");
    write(top / "c/pyproject.toml", "this is not TOML and no business of ours");
    ConfigFinder finder(rules::Language::en);
    const auto soc = [&](const char* path) { return (*finder.of_file((top / path).string()))->soc; };
    CHECK(soc("k.py") == "a2a3");
    CHECK(soc("a/k.py") == "950");
    CHECK(soc("a/b/k.py") == "950");
    CHECK(soc("c/k.py") == "a2a3");
    CHECK(soc("a/b/k.py") == "950");
    CHECK_FALSE(finder.of_file((top / "broken/k.py").string()));
    CHECK_FALSE(finder.read((top / "missing.toml").string()));
}

TEST_CASE("exclude names folders at any depth, paths from the configuration's folder, and patterns") {
    FileConfig config;
    config.exclude = {{"/p", "third_party/"}, {"/p", "gen/*.py"}, {"/p", "*_pb2.py"}, {"/p", "deep/**/old_*.py"}};
    CHECK(config.excludes("/p/third_party/a.py"));
    CHECK(config.excludes("/p/x/third_party/y/a.py"));
    CHECK(config.excludes("/p/gen/a.py"));
    CHECK(config.excludes("/p/x/a_pb2.py"));
    CHECK_FALSE(config.excludes("/p/x/gen/a.py"));
    CHECK_FALSE(config.excludes("/p/a.py"));
    CHECK_FALSE(config.excludes("/q/third_party/a.py"));
    CHECK_FALSE(config.excludes("/pq/third_party/a.py"));
    CHECK(config.excludes("/p/deep/old_a.py"));
    CHECK(config.excludes("/p/deep/er/old_a.py"));
}

TEST_CASE("a file extends another one, from its own folder, and says the rest on top of it") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    write(top / "pto-fix.toml", R"(
soc = "950"
select = ["PTO1"]
exclude = ["gen"]
extend-exclude = ["old"]
per-file-ignores = { "tests/**" = ["PTO101"] }
severity = { PTO201 = "error", PTO202 = "off" }
assume = { M = 8, N = 4 }
)");
    write(top / "a/pto-fix.toml", R"(
select = ["PTO2"]
extend-exclude = ["mine"]
per-file-ignores = { "k.py" = ["PTO201"] }
severity = { PTO202 = "info" }
assume = { M = 16 }
extend = "../pto-fix.toml"
)");
    write(top / "a/b/pto-fix.toml", "extend = '../pto-fix.toml'\nexclude = ['only']\n");
    ConfigFinder finder(rules::Language::en);
    const auto of = [&](const char* path) {
        const ConfigResult found = finder.of_file((top / path).string());
        if (!found) FAIL(found.error().message);
        return **found;
    };
    const FileConfig a = of("a/x.py");
    CHECK(a.soc == "950");
    CHECK(a.selected == std::vector<std::string>{"PTO2"});
    CHECK(a.ignored.empty());
    CHECK(a.excludes((top / "gen/x.py").string()));
    CHECK(a.excludes((top / "a/old/x.py").string()));
    CHECK(a.excludes((top / "a/mine/x.py").string()));
    CHECK_FALSE(a.excludes((top / "mine/x.py").string()));
    REQUIRE(a.severities.size() == 3);
    CHECK(a.severities.back().severity == rules::Severity::info);
    REQUIRE(a.assume.size() == 2);
    CHECK(std::ranges::find(a.assume, trace::Assumption{"M", std::nullopt, 16}) != a.assume.end());
    CHECK(of("a/k.py").ignored == std::vector<std::string>{"PTO201"});
    CHECK(of("a/tests/x.py").ignored.empty());  // the pattern's folder is that of its own file
    CHECK(of("tests/deep/k.py").ignored == std::vector<std::string>{"PTO101"});
    const FileConfig b = of("a/b/k.py");
    CHECK(b.exclude == std::vector<Pattern>{{(top / "a/b").string(), "only"}});
    CHECK(b.selected == std::vector<std::string>{"PTO2"});
}

TEST_CASE("what cannot be extended is an error where it is asked for") {
    const TemporaryDirectory dir;
    const fs::path top = dir.path();
    const auto error = [&](const char* name) {
        const ConfigResult found = ConfigFinder(rules::Language::en).read((top / name).string());
        REQUIRE_FALSE(found);
        std::string message = found.error().message;
        for (auto at = message.find(top.string()); at != std::string::npos; at = message.find(top.string())) {
            message.replace(at, top.string().size(), "T");
        }
        return message;
    };
    write(top / "self.toml", "extend = 'self.toml'\n");
    CHECK(error("self.toml") == "T/self.toml:1:10: `extend` goes round in a circle: T/self.toml -> T/self.toml");
    write(top / "a.toml", "extend = 'sub/b.toml'\n");
    write(top / "sub/b.toml", "soc = '950'\nextend = '../c.toml'\n");
    write(top / "c.toml", "extend = './sub/../sub/b.toml'\n");
    CHECK(error("a.toml") ==
          "T/c.toml:1:10: `extend` goes round in a circle: T/sub/b.toml -> T/c.toml -> T/sub/b.toml");
    write(top / "d.toml", "\nextend = 'missing.toml'\n");
    CHECK(error("d.toml") == "T/d.toml:2:10: `extend`: T/missing.toml cannot be read: No such file or directory");
    write(top / "pyproject.toml", "[project]\nname = 'x'\n");
    write(top / "e.toml", "extend = 'pyproject.toml'\n");
    CHECK(error("e.toml") == "T/e.toml:1:10: `extend`: T/pyproject.toml has no table [tool.pto-fix]");
    write(top / "f.toml", "extend = 'g.toml'\n");
    write(top / "g.toml", "colour = 'red'\n");
    CHECK(error("f.toml").starts_with("T/g.toml:1:10: unknown key `colour`"));
    CHECK(error_of("extend = 3") == "pto-fix.toml:1:10: `extend` must be a text in quotes");
    CHECK(error_of("per-file-ignores = ['a']") == "pto-fix.toml:1:20: `per-file-ignores` must be a table");
    CHECK(error_of("per-file-ignores = { a = ['PTO999'] }") ==
          "pto-fix.toml:1:27: no rule is called PTO999; did you mean PTO209?");
}
