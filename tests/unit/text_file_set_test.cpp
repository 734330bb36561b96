#include <catch2/catch.hpp>
#include <filesystem>

#include "text/file_set.h"
#include "unit/temporary_directory.h"

using ptofix::text::FileSet;

TEST_CASE("the same file by several paths is kept once, as first spelled") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("sub/kernel.py", "x");
    std::filesystem::create_symlink(path, directory / "link.py");
    std::filesystem::create_symlink("link.py", directory / "link-to-link.py");
    std::filesystem::create_directory_symlink("sub", directory / "other");
    std::filesystem::create_hard_link(path, directory / "hard.py");
    const std::string different = directory.write("copy.py", "x");

    FileSet files;
    CHECK(files.insert(directory / "link.py"));
    CHECK_FALSE(files.insert(path));
    CHECK_FALSE(files.insert(directory / "link-to-link.py"));
    CHECK_FALSE(files.insert(directory / "other/kernel.py"));
    CHECK_FALSE(files.insert(directory / "./sub/../sub//kernel.py"));
    CHECK_FALSE(files.insert(directory / "hard.py"));
    CHECK(files.insert(different));
    CHECK(files.paths() == std::vector<std::string>{directory / "link.py", different});
}

TEST_CASE("paths that lead nowhere are kept once for their error") {
    const TemporaryDirectory directory;
    FileSet files;
    CHECK(files.insert(directory / "missing.py"));
    CHECK_FALSE(files.insert(directory / "./missing.py"));
    CHECK(files.insert(directory / "other.py"));
    CHECK(files.paths().size() == 2);
}
