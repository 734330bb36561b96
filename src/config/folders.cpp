#include "config/folders.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>

#include "config/config_bytes.h"
#include "text/disk_file.h"
#include "text/open_folder.h"

namespace ptofix::config {

namespace {

/// Folders that hold what tools made or installed, by the names that their makers give them.
constexpr std::string_view kSkippedFolders[] = {
    "__pycache__", "_build", "build", "dist", "node_modules", "site-packages", "venv",
};

bool is_skipped_folder(std::string_view name) {
    return name.starts_with('.') || name.ends_with(".egg-info") ||
           std::ranges::find(kSkippedFolders, name) != std::end(kSkippedFolders);
}

enum class EntryType { file, folder, other };

/// Links are `other`. The type that the directory tells saves a call; some file systems tell none.
EntryType type_of(const text::Entry& entry, const std::string& prefix) {
    if (entry.type == DT_REG) return EntryType::file;
    if (entry.type == DT_DIR) return EntryType::folder;
    if (entry.type != DT_UNKNOWN) return EntryType::other;
    struct stat status{};
    if (::lstat((prefix + std::string(entry.name)).c_str(), &status) != 0) return EntryType::other;
    if (S_ISREG(status.st_mode)) return EntryType::file;
    return S_ISDIR(status.st_mode) ? EntryType::folder : EntryType::other;
}

}  // namespace

Folder Folders::named(const std::string& path) const {
    Folder folder{path, git::real_path(path), nullptr};
    folder.asks_git = respects_gitignore(folder.real);
    if (!folder.asks_git) return folder;
    folder.ignored = git::ignored_around(folder.real);
    if (folder.ignored == nullptr) return folder;
    if (folder.ignored->holds(folder.real, true)) {
        folder.is_ignored = true;
        folder.ignored.reset();
    }
    return folder;
}

Folder Folders::within(const Folder& folder, const std::string& name) {
    return {prefix_of(folder.path) + name, prefix_of(folder.real) + name, folder.ignored, folder.asks_git};
}

bool Folders::list(Folder& folder, const std::function<bool(std::string_view name)>& wants, Entries& out) {
    const std::string prefix = prefix_of(folder.path);
    bool has_ignore_file = false, has_repository = false;
    const int error = text::each_entry(
        folder.path,
        [&](const text::Entry& entry) {
            const std::string_view name = entry.name;
            has_ignore_file = has_ignore_file || name == ".gitignore";
            has_repository = has_repository || name == ".git";
            out.has_config = out.has_config || name == kFileName || name == kProjectFileName;
            const bool wanted = wants(name);
            if (!wanted && entry.type == DT_REG) return;
            const EntryType type = type_of(entry, prefix);
            if (type == EntryType::file && wanted) out.files.emplace_back(name);
            if (type == EntryType::folder && !is_skipped_folder(name)) out.folders.emplace_back(name);
        },
        &out.opened);
    if (error != 0) {
        problems.push_back({folder.path, "folder-unreadable", text::error_text(error)});
        return false;
    }
    // A repository within another is not the outer one's to judge.
    if (has_repository && folder.asks_git && !folder.is_ignored &&
        (folder.ignored == nullptr || folder.ignored->work_tree() != folder.real)) {
        folder.ignored = std::make_shared<git::Ignored>(folder.real);
    }
    if (folder.ignored == nullptr) return true;
    if (has_ignore_file) folder.ignored->enter(folder.real);
    const std::string real = prefix_of(folder.real);
    ignored += std::erase_if(out.files, [&](const auto& name) { return folder.ignored->contains(real + name, false); });
    ignored +=
        std::erase_if(out.folders, [&](const auto& name) { return folder.ignored->contains(real + name, true); });
    return true;
}

std::string prefix_of(const std::string& folder) {
    return folder == "." ? std::string{} : folder.ends_with('/') ? folder : folder + '/';
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

bool is_python_name(std::string_view name) {
    return (name.ends_with(".py") || name.ends_with(".ipynb")) && !name.starts_with('.');
}

}  // namespace ptofix::config
