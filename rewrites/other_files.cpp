#include "rewrites/other_files.h"

#include <filesystem>

namespace ptofix::rewrites {

std::string module_name(const std::string& path) {
    const std::filesystem::path file(path);
    if (file.stem() != "__init__") return file.stem().string();
    return std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
}

}  // namespace ptofix::rewrites
