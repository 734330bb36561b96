#include "config/discovery.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "git/ignored.h"
#include "text/disk_file.h"
#include "text/file_set.h"

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
EntryType type_of(const dirent& entry, const std::string& path) {
    if (entry.d_type == DT_REG) return EntryType::file;
    if (entry.d_type == DT_DIR) return EntryType::folder;
    if (entry.d_type != DT_UNKNOWN) return EntryType::other;
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return EntryType::other;
    if (S_ISREG(status.st_mode)) return EntryType::file;
    return S_ISDIR(status.st_mode) ? EntryType::folder : EntryType::other;
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

/// A folder of a walk, with what is ignored in the work tree around it.
struct Folder {
    std::string path;
    std::string real;                       // without links
    std::shared_ptr<git::Ignored> ignored;  // null: nothing is
    bool asks_git = true;                   // of repositories within it
    bool is_ignored = false;                // itself
};

class Search {
  public:
    Search(Discovery& out, const DiscoveryOptions& options) : out_(out), options_(options) {}

    void add(const std::string& given) {
        const std::string path = tidy(given);
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) {
            // The reader reports it, with the system's words.
            take(path, true);
        } else if (S_ISDIR(status.st_mode)) {
            walk(path);
        } else if (!options_.force_exclude || !is_ignored_file(path)) {
            take(path, true);
        }
    }

    void finish() { std::ranges::sort(out_.files, {}, &InputPath::path); }

  private:
    void take(const std::string& path, bool named) {
        if (seen_.insert(path)) {
            out_.files.push_back({path, named});
        } else if (named) {
            const auto same = std::ranges::find(out_.files, path, &InputPath::path);
            if (same != out_.files.end()) same->named = true;
        }
    }

    bool is_ignored_file(const std::string& path) {
        if (!respects_gitignore(git::real_path(folder_of(path))) || !is_ignored_by_git(path)) return false;
        ++out_.ignored;
        return true;
    }

    bool respects_gitignore(const std::string& folder) const {
        return !options_.respects_gitignore || options_.respects_gitignore(folder);
    }

    /// Who names an ignored folder means what is in it.
    Folder named_folder(const std::string& path) const {
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

    void walk(const std::string& top) {
        found_.clear();
        const std::size_t ignored_before = out_.ignored;
        std::vector<Folder> open{named_folder(top)};
        if (options_.force_exclude && open.back().is_ignored) {
            ++out_.ignored;
            return;
        }
        bool complete = true;
        while (!open.empty()) {
            const Folder folder = std::move(open.back());
            open.pop_back();
            complete = list(folder, open) && complete;
        }
        const bool nothing = found_.empty() && out_.ignored == ignored_before;
        if (nothing && complete) out_.problems.push_back({top, "no-python", {}});
        std::ranges::sort(found_);
        for (const std::string& path : found_) take(path, false);
    }

    struct Entry {
        std::string name;
        bool is_folder = false;
    };

    /// What of a folder may be wanted, and whether it has an ignore file or a repository of its own.
    struct Listing {
        std::vector<Entry> entries;
        bool has_ignore_file = false;
        bool has_repository = false;
    };

    bool read(const std::string& folder, const std::string& prefix, Listing& out) {
        const std::unique_ptr<DIR, int (*)(DIR*)> handle(::opendir(folder.c_str()), ::closedir);
        if (!handle) {
            out_.problems.push_back({folder, "folder-unreadable", text::error_text(errno)});
            return false;
        }
        while (const dirent* entry = ::readdir(handle.get())) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            out.has_ignore_file = out.has_ignore_file || name == ".gitignore";
            out.has_repository = out.has_repository || name == ".git";
            const bool python = name.ends_with(".py") && !name.starts_with(".");
            if (!python && entry->d_type == DT_REG) continue;
            const EntryType type = type_of(*entry, prefix + std::string(name));
            if ((type == EntryType::file && python) || (type == EntryType::folder && !is_skipped_folder(name))) {
                out.entries.push_back({std::string(name), type == EntryType::folder});
            }
        }
        return true;
    }

    bool list(const Folder& folder, std::vector<Folder>& open) {
        const std::string& path = folder.path;
        const std::string prefix = path == "." ? std::string{} : path.ends_with('/') ? path : path + '/';
        Listing listing;
        if (!read(path, prefix, listing)) return false;
        std::shared_ptr<git::Ignored> ignored = folder.ignored;
        // A repository within another is not the outer one's to judge.
        if (listing.has_repository && folder.asks_git && (ignored == nullptr || ignored->work_tree() != folder.real)) {
            ignored = std::make_shared<git::Ignored>(folder.real);
        }
        if (listing.has_ignore_file && ignored != nullptr) ignored->enter(folder.real);
        for (Entry& entry : listing.entries) {
            const std::string real =
                folder.real.ends_with('/') ? folder.real + entry.name : folder.real + '/' + entry.name;
            if (ignored != nullptr && ignored->contains(real, entry.is_folder)) {
                ++out_.ignored;
            } else if (entry.is_folder) {
                open.push_back({prefix + entry.name, real, ignored, folder.asks_git});
            } else {
                found_.push_back(prefix + entry.name);
            }
        }
        return true;
    }

    Discovery& out_;
    const DiscoveryOptions& options_;
    text::FileSet seen_;
    std::vector<std::string> found_;
};

}  // namespace

std::string tidy(std::string_view path) {
    std::string out;
    out.reserve(path.size());
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t slash = std::min(path.find('/', at), path.size());
        const std::string_view part = path.substr(at, slash - at);
        const bool root = at == 0 && part.empty();
        at = slash + 1;
        if (!root && (part.empty() || part == ".")) continue;
        if (!out.empty() && !out.ends_with('/')) out += '/';
        out += part;
        if (root) out += '/';
    }
    return out.empty() ? "." : out;
}

bool is_ignored_by_git(const std::string& path) {
    const std::string real = git::real_path(folder_of(path));
    const auto ignored = git::ignored_around(real);
    const std::string name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
    return ignored != nullptr && ignored->holds((real == "/" ? real : real + '/') + name, false);
}

Discovery discover(std::span<const std::string> paths, const DiscoveryOptions& options) {
    Discovery out;
    Search search(out, options);
    for (const std::string& path : paths) search.add(path);
    search.finish();
    return out;
}

}  // namespace ptofix::config
