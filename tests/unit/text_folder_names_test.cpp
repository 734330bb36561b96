#include "text/folder_names.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "text/open_folder.h"

using namespace ptofix::text;
namespace fs = std::filesystem;

TEST_CASE("a folder is read once, and again after its names were forgotten") {
    const fs::path folder = fs::temp_directory_path() / "pto-fix-folder-names";
    fs::remove_all(folder);
    fs::create_directories(folder / "package");
    std::ofstream(folder / "module.py") << "\n";
    FolderNames names;
    CHECK(names.may_hold(folder.string(), "module", ".py"));
    CHECK(names.may_hold(folder.string(), "package", ".py"));
    CHECK_FALSE(names.may_hold(folder.string(), "modul", ".py"));
    CHECK_FALSE(names.may_hold(folder.string(), "late", ".py"));
    std::ofstream(folder / "late.py") << "\n";
    CHECK_FALSE(names.may_hold(folder.string(), "late", ".py"));
    names.forget();
    CHECK(names.may_hold(folder.string(), "late", ".py"));
    // One that is not there, or is a file, holds nothing.
    CHECK_FALSE(names.may_hold((folder / "none").string(), "late", ".py"));
    CHECK_FALSE(names.may_hold((folder / "late.py").string(), "late", ".py"));
    fs::remove_all(folder);
}

TEST_CASE("threads may ask while others forget") {
    const fs::path folder = fs::temp_directory_path() / "pto-fix-forgotten-names";
    fs::remove_all(folder);
    std::vector<std::string> folders;
    for (int i = 0; i < 20; ++i) {
        const fs::path one = folder / std::to_string(i);
        fs::create_directories(one);
        std::ofstream(one / "module.py") << "\n";
        folders.push_back(one.string());
    }
    FolderNames names;
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 2'000; ++i) {
                    const std::string& one = folders[static_cast<std::size_t>(i) % folders.size()];
                    if (!names.may_hold(one, "module", ".py") || names.may_hold(one, "other", ".py")) ++wrong;
                    if ((i + t) % 7 == 0) names.forget();
                }
            });
        }
    }
    CHECK(wrong == 0);
    fs::remove_all(folder);
}

TEST_CASE("every entry of a large folder is told once") {
    const fs::path folder = fs::temp_directory_path() / "pto-fix-large-folder";
    fs::remove_all(folder);
    fs::create_directories(folder);
    constexpr int kMany = 3'000;  // more than one answer of the system has room for
    for (int i = 0; i < kMany; ++i) std::ofstream(folder / ("a_name_of_some_length_" + std::to_string(i)));
    std::set<std::string> told;
    int count = 0;
    FileDescriptor opened;
    CHECK(each_entry(
              folder.string(),
              [&](const Entry& entry) {
                  told.emplace(entry.name);
                  ++count;
              },
              &opened) == 0);
    CHECK(count == kMany);
    CHECK(told.size() == kMany);
    CHECK(opened.is_open());
    CHECK(each_entry((folder / "none").string(), [](const Entry&) {}) == ENOENT);
    fs::remove_all(folder);
}
