#include "config/config_finder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "config/config_bytes.h"
#include "rules/messages.h"
#include "text/disk_file.h"

namespace ptofix::config {

using rules::Data;
using rules::in_language;

ConfigResult ConfigFinder::read(const std::string& path) {
    int error = 0;
    const auto bytes = read_config_bytes(path, error);
    if (!bytes) {
        const Data data = Data().set("path", path).set("detail", in_language(text::error_text(error), language_));
        return std::unexpected(ConfigError{path, rules::render({"config.unreadable", data}, language_)});
    }
    const bool is_pyproject = is_project_file(path);
    ConfigResult result = parse_config(path, *bytes, is_pyproject, language_);
    if (result && *result == nullptr) return std::make_shared<const FileConfig>();
    return result;
}

ConfigResult ConfigFinder::of_file(const std::string& absolute) {
    return for_file(of_folder(absolute.substr(0, std::max<std::size_t>(absolute.rfind('/'), 1))), absolute);
}

ConfigResult ConfigFinder::for_file(const ConfigResult& config, const std::string& absolute) {
    if (!config || (*config)->per_file_ignores.empty()) return config;
    Which which;
    for (const FileConfig::PerFile& each : (*config)->per_file_ignores) which.push_back(each.matches(absolute));
    if (std::ranges::find(which, true) == which.end()) return config;
    std::shared_ptr<const FileConfig>& made = for_files_[{*config, which}];
    if (made == nullptr) {
        FileConfig own = **config;
        for (std::size_t i = 0; i < which.size(); ++i) {
            const auto& ignored = own.per_file_ignores[i].ignored;
            if (which[i]) own.ignored.insert(own.ignored.end(), ignored.begin(), ignored.end());
        }
        made = std::make_shared<const FileConfig>(std::move(own));
    }
    return made;
}

ConfigResult ConfigFinder::of_folder(const std::string& folder) {
    if (const auto known = by_folder_.find(folder); known != by_folder_.end()) return known->second;
    if (without_.contains(folder)) {
        const std::size_t slash = folder.rfind('/');
        if (slash != std::string::npos && folder.size() > 1) {
            ConfigResult found = of_folder(folder.substr(0, std::max<std::size_t>(slash, 1)));
            return by_folder_.emplace(folder, std::move(found)).first->second;
        }
    }
    // Upwards to the nearest folder that is known or has one, then down again to remember it.
    std::vector<std::string> passed;
    std::filesystem::path at(folder);
    ConfigResult found = std::make_shared<const FileConfig>();
    while (true) {
        if (const auto known = by_folder_.find(at.string()); known != by_folder_.end()) {
            found = known->second;
            break;
        }
        passed.push_back(at.string());
        const std::string own = (at / kFileName).string();
        const std::string project = (at / kProjectFileName).string();
        if (::access(own.c_str(), F_OK) == 0) {
            found = read(own);
            break;
        }
        int error = 0;
        if (const auto bytes = read_config_bytes(project, error)) {
            // A pyproject.toml that says nothing of pto-fix may be broken without our saying so.
            if (bytes->find("pto-fix") != std::string::npos) {
                ConfigResult result = parse_config(project, *bytes, true, language_);
                if (!result || *result != nullptr) {
                    found = std::move(result);
                    break;
                }
            }
        } else if (error != ENOENT && error != ENOTDIR && error != EISDIR) {
            // One that cannot be read may say what is wanted here: nobody is told by going on without it.
            found = read(project);
            break;
        }
        if (!at.has_relative_path()) break;
        at = at.parent_path();
    }
    for (std::string& path : passed) by_folder_.emplace(std::move(path), found);
    return found;
}

}  // namespace ptofix::config
