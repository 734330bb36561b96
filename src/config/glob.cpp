#include "config/glob.h"

#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>

namespace ptofix::config {

namespace {

constexpr std::string_view kAnyFolders = "**";

class Expansion {
  public:
    Expansion(std::vector<std::string> parts, Folders& folders) : parts_(std::move(parts)), folders_(folders) {}

    GlobMatches run(const Folder& top) {
        open_.push_back({top, 0});
        while (!open_.empty()) {
            Step step = std::move(open_.back());
            open_.pop_back();
            take(step);
        }
        std::ranges::sort(found_.files);
        const auto repeated = std::ranges::unique(found_.files);
        found_.files.erase(repeated.begin(), repeated.end());
        return std::move(found_);
    }

  private:
    struct Step {
        Folder folder;
        std::size_t part;  // the next one to match
    };

    bool is_last(std::size_t part) const { return part + 1 == parts_.size(); }

    void take(Step& step) {
        const std::string& part = parts_[step.part];
        if (part == kAnyFolders) {
            any_folders(step);
        } else if (is_glob(part)) {
            some_names(step, part);
        } else {
            one_name(step, part);
        }
    }

    void any_folders(Step& step) {
        if (is_last(step.part)) {
            found_.folders.push_back(std::move(step.folder));
            return;
        }
        Folders::Entries entries;
        const auto no_file = [](std::string_view) { return false; };
        if (!folders_.list(step.folder, no_file, entries)) return;
        for (const std::string& name : entries.folders)
            open_.push_back({Folders::within(step.folder, name), step.part});
        open_.push_back({std::move(step.folder), step.part + 1});
    }

    void some_names(Step& step, const std::string& part) {
        const bool last = is_last(step.part);
        const bool any_file = part.back() != '*' && part.back() != '?' && part.back() != ']';
        const auto matches = [&](std::string_view name) {
            return ::fnmatch(part.c_str(), std::string(name).c_str(), FNM_PERIOD) == 0;
        };
        Folders::Entries entries;
        const auto wants = [&](std::string_view name) {
            return last && matches(name) && (any_file || is_python_name(name));
        };
        if (!folders_.list(step.folder, wants, entries)) return;
        for (const std::string& name : entries.files) found_.files.push_back(prefix_of(step.folder.path) + name);
        for (const std::string& name : entries.folders) {
            if (!matches(name)) continue;
            if (last) {
                found_.folders.push_back(Folders::within(step.folder, name));
            } else {
                open_.push_back({Folders::within(step.folder, name), step.part + 1});
            }
        }
    }

    void one_name(Step& step, const std::string& part) {
        Folder next = Folders::within(step.folder, part);
        struct stat status{};
        if (::stat(next.path.c_str(), &status) != 0) return;
        if (!S_ISDIR(status.st_mode)) {
            if (!is_last(step.part)) return;
            if (step.folder.ignored != nullptr && step.folder.ignored->contains(next.real, false)) {
                ++folders_.ignored;
            } else {
                found_.files.push_back(std::move(next.path));
            }
        } else if (is_last(step.part)) {
            found_.folders.push_back(std::move(next));
        } else {
            open_.push_back({std::move(next), step.part + 1});
        }
    }

    std::vector<std::string> parts_;
    Folders& folders_;
    std::vector<Step> open_;
    GlobMatches found_;
};

}  // namespace

bool is_glob(std::string_view path) {
    return path.find_first_of("*?[") != std::string_view::npos;
}

GlobMatches expand_glob(const std::string& pattern, Folders& folders) {
    std::string top = pattern.starts_with('/') ? "/" : ".";
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t slash = std::min(pattern.find('/', at), pattern.size());
        std::string part = pattern.substr(at, slash - at);
        at = slash + 1;
        if (part.empty() || part == ".") continue;
        if (parts.empty() && !is_glob(part)) {
            top = prefix_of(top) + part;
        } else if (part != kAnyFolders || parts.empty() || parts.back() != kAnyFolders) {
            parts.push_back(std::move(part));
        }
    }
    struct stat status{};
    if (::stat(top.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
    return Expansion(std::move(parts), folders).run(folders.named(top));
}

}  // namespace ptofix::config
