#include "config/discovery.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "config/folder_search.h"
#include "config/folders.h"
#include "config/glob.h"
#include "text/file_set.h"

namespace ptofix::config {

namespace {

class Search {
  public:
    Search(Discovery& out, const DiscoveryOptions& options, std::size_t paths)
        : out_(out),
          options_(options),
          folders_(options.respects_gitignore),
          finds_all_(options.may_repeat && paths == 1 && options.listed.empty()) {}

    void add(const std::string& given) {
        const std::string path = tidy(given);
        struct stat status{};
        if (::stat(path.c_str(), &status) == 0) {
            add_existing(path, status);
        } else if (is_glob(path)) {
            add_matches(path);
        } else {
            take(path, true);  // the reader reports it, with the system's words
        }
    }

    /// From a list, where a name is a name and never a pattern. Lists are made by programs, of files of every kind.
    void add_listed(const std::string& given) {
        const std::string path = tidy(given);
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) {
            take(path, true);
        } else if (S_ISDIR(status.st_mode) || is_python_name(path.substr(path.rfind('/') + 1))) {
            add_existing(path, status);
        }
    }

    void finish() {
        std::ranges::sort(out_.files, {}, &InputPath::path);
        std::ranges::move(folders_.problems, std::back_inserter(out_.problems));
        out_.ignored += folders_.ignored;
    }

  private:
    void take(const std::string& path, bool named) {
        const auto [at, fresh] = seen_.place(path);
        if (fresh) {
            out_.files.push_back({path, named});
        } else if (named) {  // by whatever spelling
            out_.files[at].named = true;
        }
    }

    void add_existing(const std::string& path, const struct stat& status) {
        if (!S_ISDIR(status.st_mode)) {
            if (!options_.force_exclude || !is_ignored_file(path)) take(path, true);
            return;
        }
        Folder folder = folders_.named(path);
        if (options_.force_exclude && folder.is_ignored) {
            ++out_.ignored;
            out_.left_out.push_back({path, true});
            return;
        }
        const std::size_t ignored_before = folders_.ignored;
        const std::size_t problems_before = folders_.problems.size();
        const std::vector<std::string> found = walk(std::move(folder));
        const bool ignored = ignored_before != folders_.ignored;
        if (problems_before == folders_.problems.size() && !ignored && found.empty()) {
            out_.problems.push_back({path, "no-python", {}});
        }
        note_left_out(path, found, ignored);
    }

    void add_matches(const std::string& pattern) {
        const std::size_t ignored_before = folders_.ignored;
        GlobMatches matches = expand_glob(pattern, folders_);
        if (is_empty(matches) && (ignored_before == folders_.ignored || !matches_what_git_ignores(pattern))) {
            out_.problems.push_back({pattern, "no-match", {}});
            return;
        }
        std::vector<std::string> found = std::move(matches.files);
        for (const std::string& file : found) take(file, false);
        for (Folder& folder : matches.folders) std::ranges::move(walk(std::move(folder)), std::back_inserter(found));
        note_left_out(pattern, found, ignored_before != folders_.ignored);
    }

    static bool is_empty(const GlobMatches& matches) { return matches.files.empty() && matches.folders.empty(); }

    /// What git ignores on the way of a pattern may hold nothing that it means.
    static bool matches_what_git_ignores(const std::string& pattern) {
        Folders all([](const std::string&) { return false; });
        return !is_empty(expand_glob(pattern, all));
    }

    void note_left_out(const std::string& path, const std::vector<std::string>& found, bool ignored) {
        if (found.empty()) {
            if (ignored) out_.left_out.push_back({path, true});
        } else if (options_.excludes && std::ranges::all_of(found, options_.excludes)) {
            out_.left_out.push_back({path, false});
        }
    }

    bool is_ignored_file(const std::string& path) {
        if (!folders_.respects_gitignore(git::real_path(folder_of(path))) || !is_ignored_by_git(path)) return false;
        ++out_.ignored;
        return true;
    }

    /// The files found.
    std::vector<std::string> walk(Folder top) {
        FolderSearch search(options_);
        std::vector<std::string> found = search.run(std::move(top));
        folders_.ignored += search.ignored();
        std::ranges::copy(search.problems(), std::back_inserter(folders_.problems));
        for (const std::string& path : found) {
            if (finds_all_) {
                out_.files.push_back({path, false});
            } else {
                take(path, false);
            }
        }
        return found;
    }

    Discovery& out_;
    const DiscoveryOptions& options_;
    Folders folders_;
    text::FileSet seen_;
    bool finds_all_;  // in one folder, by different paths
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
    Search search(out, options, paths.size());
    for (const std::string& path : paths) search.add(path);
    for (const std::string& path : options.listed) search.add_listed(path);
    search.finish();
    return out;
}

}  // namespace ptofix::config
