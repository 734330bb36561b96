// The paths of formats that services read beside a checked out repository: they count from its root, wherever the
// program ran. Who knows the repository gives the function; without one, paths stay as they are shown.
#pragma once

#include <functional>
#include <string>

namespace ptofix::report {

using PathInRepository = std::function<std::string(const std::string& path)>;

/// Such formats write no "./" either.
inline std::string path_for_service(const PathInRepository& in_repository, const std::string& path) {
    std::string out = in_repository ? in_repository(path) : path;
    while (out.starts_with("./")) out.erase(0, 2);
    return out;
}

}  // namespace ptofix::report
