// rule_tests [--accept] [-k WORD] [-v] PATH...: runs the cases of fixtures/ below each path and checks the laws.
// --accept writes what was found and the fixed text into the cases instead of comparing: read `git diff` before you
// commit it.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/registry.h"
#include "fixture.h"
#include "laws.h"

namespace {

namespace fs = std::filesystem;

struct Options {
    bool accept = false;
    bool verbose = false;
    std::string word;
    std::vector<fs::path> paths;
};

/// The folder fixtures/ above the path, so that a case has one name however it is reached.
fs::path root_of(const fs::path& path) {
    fs::path root = path;
    while (root.has_parent_path() && root.filename() != "fixtures") root = root.parent_path();
    return root.filename() == "fixtures" ? root : path.parent_path();
}

/// True when all is well.
bool try_case(const fs::path& path, const Options& options) {
    const auto fixture = rule_tests::read_fixture(path, root_of(path));
    if (!fixture) {
        fmt::print("FAILED {}: {}\n", path.string(), fixture.error());
        return false;
    }
    const auto& pipeline = ptofix::fixing::default_pipeline();
    const rule_tests::Outcome outcome = rule_tests::run(*fixture, pipeline);
    if (options.accept) rule_tests::accept(*fixture, outcome.found, outcome.fixed);
    std::vector<rule_tests::Failure> failures = rule_tests::check_laws(*fixture, outcome, pipeline);
    if (options.accept) {
        std::erase_if(failures, [](const auto& failure) { return failure.law == "findings" || failure.law == "text"; });
    }
    if (failures.empty()) {
        if (options.verbose) fmt::print("ok {}\n", fixture->name);
        return true;
    }
    fmt::print("FAILED {}\n", fixture->name);
    for (const auto& failure : failures) fmt::print("  [{}] {}\n", failure.law, failure.what);
    return false;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--accept") {
            options.accept = true;
        } else if (argument == "-v") {
            options.verbose = true;
        } else if (argument == "-k" && i + 1 < count) {
            options.word = arguments[++i];
        } else {
            options.paths.emplace_back(argument);
        }
    }
    if (options.paths.empty()) {
        fmt::print(stderr, "usage: rule_tests [--accept] [-k WORD] [-v] PATH...\n");
        return 2;
    }
    int passed = 0, failed = 0;
    for (const fs::path& given : options.paths) {
        const fs::path path = fs::path(given).lexically_normal();
        const auto cases = fs::is_directory(path) ? rule_tests::find_fixtures(path) : std::vector{path};
        for (const fs::path& one : cases) {
            if (one.string().find(options.word) == std::string::npos) continue;
            ++(try_case(one, options) ? passed : failed);
        }
    }
    fmt::print("{} passed, {} failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
