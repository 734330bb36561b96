#include "trace/framework_package.h"

namespace ptofix::trace {

namespace fs = std::filesystem;

bool FrameworkPackage::holds(const fs::path& file) {
    return is_inside(file.parent_path());
}

bool FrameworkPackage::is_inside(const fs::path& folder) {
    if (!folder.has_relative_path()) return false;
    if (const auto known = known_.find(folder.native()); known != known_.end()) return known->second;
    const bool inside = is_package(folder) || is_inside(folder.parent_path());
    known_.emplace(folder.native(), inside);
    return inside;
}

bool FrameworkPackage::is_package(const fs::path& folder) const {
    const std::string name = folder.filename().string();
    if (name != "pypto" && name != "pypto_pro") return false;
    const std::string mark = (folder / (name == "pypto" ? "frontend" : "language") / "__init__.py").string();
    return is_file_((folder / "__init__.py").string()) && is_file_(mark);
}

}  // namespace ptofix::trace
