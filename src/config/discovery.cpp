#include "config/discovery.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

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

class Search {
  public:
    explicit Search(Discovery& out) : out_(out) {}

    void add(const std::string& given) {
        const std::string path = tidy(given);
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) {
            // The reader reports it, with the system's words.
            take(path, true);
        } else if (S_ISDIR(status.st_mode)) {
            walk(path);
        } else {
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

    void walk(const std::string& top) {
        found_.clear();
        std::vector<std::string> open{top};
        bool complete = true;
        while (!open.empty()) {
            const std::string folder = std::move(open.back());
            open.pop_back();
            complete = list(folder, open) && complete;
        }
        if (found_.empty() && complete) out_.problems.push_back({top, "no-python", {}});
        std::ranges::sort(found_);
        for (const std::string& path : found_) take(path, false);
    }

    bool list(const std::string& folder, std::vector<std::string>& open) {
        const std::unique_ptr<DIR, int (*)(DIR*)> handle(::opendir(folder.c_str()), ::closedir);
        if (!handle) {
            out_.problems.push_back({folder, "folder-unreadable", text::error_text(errno)});
            return false;
        }
        const std::string prefix = folder == "." ? std::string{} : folder.ends_with('/') ? folder : folder + '/';
        while (const dirent* entry = ::readdir(handle.get())) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            const bool python = name.ends_with(".py") && !name.starts_with(".");
            if (!python && entry->d_type == DT_REG) continue;
            std::string path = prefix + std::string(name);
            switch (type_of(*entry, path)) {
                case EntryType::file:
                    if (python) found_.push_back(std::move(path));
                    break;
                case EntryType::folder:
                    if (!is_skipped_folder(name)) open.push_back(std::move(path));
                    break;
                case EntryType::other:
                    break;
            }
        }
        return true;
    }

    Discovery& out_;
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

Discovery discover(std::span<const std::string> paths) {
    Discovery out;
    Search search(out);
    for (const std::string& path : paths) search.add(path);
    search.finish();
    return out;
}

}  // namespace ptofix::config
