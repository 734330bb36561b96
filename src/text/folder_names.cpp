#include "text/folder_names.h"

#include <algorithm>
#include <cerrno>

#include "text/open_folder.h"

namespace ptofix::text {

namespace {

std::optional<std::vector<std::string>> names_in(const std::string& folder) {
    std::vector<std::string> names;
    const int error = each_entry(folder, [&](const Entry& entry) { names.emplace_back(entry.name); });
    if (error != 0 && error != ENOENT && error != ENOTDIR) return std::nullopt;
    std::ranges::sort(names);
    return names;
}

}  // namespace

bool FolderNames::may_hold(const std::string& folder, std::string_view name, std::string_view ending) {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = folders_.try_emplace(folder);
    if (fresh) at->second = names_in(folder);
    if (!at->second) return true;
    const std::vector<std::string>& names = *at->second;
    return std::ranges::binary_search(names, name) ||
           std::ranges::binary_search(names, std::string(name) + std::string(ending));
}

void FolderNames::forget() {
    const std::scoped_lock lock(mutex_);
    folders_.clear();
}

}  // namespace ptofix::text
