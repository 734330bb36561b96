// Who beside a file may use what it defines: files that are no part of the run, or that no rule looks at because they
// never name the framework. Asked before a fix changes how a function is called.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/import_lines.h"

namespace ptofix::fixing {

class Importers {
  public:
    /// A file in the folder of `path`, or above a package's folder, that imports the module, or one of those files that
    /// do, and mentions the name or looks names up.
    /// Those that `is_known` says have been asked aside.
    std::optional<std::string> find(const std::string& path, std::string_view name,
                                    const std::function<bool(const std::string& path)>& is_known = {});

  private:
    struct Neighbour {
        std::string path;
        std::string text;
        std::vector<ImportLine> imports;
    };
    const std::vector<Neighbour>& in_folder(const std::string& folder);

    std::map<std::string, std::vector<Neighbour>> folders_;
};

}  // namespace ptofix::fixing
