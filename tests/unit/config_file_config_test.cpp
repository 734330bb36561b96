#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "config/file_config.h"
#include "temporary_directory.h"

using namespace ptofix;
using namespace ptofix::config;
namespace fs = std::filesystem;

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
    CHECK(error_of("colour = 'red'") ==
          "pto-fix.toml:1:10: unknown key `colour`; known are soc, frontend, select, ignore, exclude, "
          "respect-gitignore, severity, assume");
    CHECK(error_of("M = 8") ==
          "pto-fix.toml:1:5: unknown key `M`; known are soc, frontend, select, ignore, exclude, respect-gitignore, "
          "severity, assume; sizes of kernels go into the table `[assume]`");
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
    config.folder = "/p";
    config.exclude = {"third_party/", "gen/*.py", "*_pb2.py"};
    CHECK(config.excludes("/p/third_party/a.py"));
    CHECK(config.excludes("/p/x/third_party/y/a.py"));
    CHECK(config.excludes("/p/gen/a.py"));
    CHECK(config.excludes("/p/x/a_pb2.py"));
    CHECK_FALSE(config.excludes("/p/x/gen/a.py"));
    CHECK_FALSE(config.excludes("/p/a.py"));
    CHECK_FALSE(config.excludes("/q/third_party/a.py"));
}
