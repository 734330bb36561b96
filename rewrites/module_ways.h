// By what ways others reach a module: by its own name, or through the packages and folders around it.
#pragma once

#include <string>
#include <vector>

namespace ptofix::rewrites {

/// `import package`, then package.folder.module.
struct ModuleWay {
    std::string path;  // the package's __init__.py, or the folder where it has none
    std::string way;   // what leads from there to the module: "folder.module"
    bool has_init = false;
};

/// From the folder of the module at `path` (a package by its __init__.py) outwards, up to the root of the project.
std::vector<ModuleWay> ways_to(const std::string& path);

}  // namespace ptofix::rewrites
