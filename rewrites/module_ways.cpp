#include "rewrites/module_ways.h"

#include <filesystem>
#include <system_error>

namespace ptofix::rewrites {

std::vector<ModuleWay> ways_to(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<ModuleWay> ways;
    fs::path module = fs::absolute(path, error).lexically_normal();
    if (module.stem() == "__init__") module = module.parent_path();
    std::string way = module.stem().string();
    while (true) {
        const fs::path folder = module.parent_path();
        if (folder == module || fs::exists(folder / ".git", error)) return ways;
        const fs::path init = folder / "__init__.py";
        const bool has_init = fs::exists(init, error);
        ways.push_back({has_init ? init.string() : folder.string(), way, has_init});
        way = folder.filename().string() + "." + way;
        module = folder;
    }
}

}  // namespace ptofix::rewrites
