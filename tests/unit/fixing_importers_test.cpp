#include "fixing/importers.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

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
