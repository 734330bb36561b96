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

std::shared_ptr<FolderNames::Folder> FolderNames::at(const std::string& folder) {
    {
        const std::shared_lock lock(mutex_);
        if (const auto known = folders_.find(folder); known != folders_.end()) return known->second;
    }
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Folder>& made = folders_[folder];
    if (made == nullptr) made = std::make_shared<Folder>();
    return made;
}

bool FolderNames::may_hold(const std::string& folder, std::string_view name, std::string_view ending) {
    const std::shared_ptr<Folder> entry = at(folder);
    std::call_once(entry->read, [&] { entry->names = names_in(folder); });
    if (!entry->names) return true;
    const std::vector<std::string>& names = *entry->names;
    return std::ranges::binary_search(names, name) ||
           std::ranges::binary_search(names, std::string(name) + std::string(ending));
}

void FolderNames::forget() {
    const std::scoped_lock lock(mutex_);
    folders_.clear();
}

}  // namespace ptofix::text
