#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/shard.h"
#include "temporary_directory.h"

using namespace ptofix::cli;

namespace {

std::vector<std::string> paths_in(const TemporaryDirectory& folder, int folders, int files) {
    std::vector<std::string> paths;
    for (int i = 0; i < folders; ++i) {
        for (int j = 0; j < files; ++j) {
            paths.push_back(folder / ("m" + std::to_string(i) + "/k" + std::to_string(j) + ".py"));
        }
    }
    return paths;
}

/// By path: the number of the part that has it. Fails where none or several have.
std::map<std::string, std::uint32_t> parts_of(const std::vector<std::string>& paths, std::uint32_t count, bool whole) {
    std::map<std::string, std::uint32_t> parts;
    for (std::uint32_t k = 1; k <= count; ++k) {
        ShardFilter filter({k, count}, whole);
        for (const std::string& path : paths) {
            if (filter.holds(path)) REQUIRE(parts.emplace(path, k).second);
        }
    }
    REQUIRE(parts.size() == paths.size());
    return parts;
}

}  // namespace

TEST_CASE("each file is in one part, and the parts are of about one size") {
    const TemporaryDirectory folder;
    std::filesystem::create_directory(folder / ".git");
    const auto paths = paths_in(folder, 20, 50);
    for (const std::uint32_t count : {1U, 2U, 3U, 8U}) {
        std::map<std::uint32_t, std::size_t> sizes;
        for (const auto& [path, part] : parts_of(paths, count, false)) ++sizes[part];
        CHECK(sizes.size() == count);
        for (const auto& [part, size] : sizes) {
            CHECK(size * count > paths.size() * 7 / 10);
            CHECK(size * count < paths.size() * 13 / 10);
        }
    }
}

TEST_CASE("a part does not depend on where the work tree lies nor on what else is in it") {
    const TemporaryDirectory here, there;
    for (const TemporaryDirectory* folder : {&here, &there}) std::filesystem::create_directory(*folder / ".git");
    const auto some = parts_of(paths_in(here, 4, 10), 5, false);
    const auto more = parts_of(paths_in(there, 8, 20), 5, false);
    for (const auto& [path, part] : some) {
        CHECK(more.at(there / path.substr((here / "").size())) == part);
    }
}

TEST_CASE("folders can be kept whole") {
    const TemporaryDirectory folder;
    std::filesystem::create_directory(folder / ".git");
    std::map<std::string, std::uint32_t> by_folder;
    for (const auto& [path, part] : parts_of(paths_in(folder, 12, 5), 4, true)) {
        CHECK(by_folder.emplace(path.substr(0, path.rfind('/')), part).first->second == part);
    }
}
