// Folders as a search sees them: what they hold, without links, the folders of tools, and what git ignores.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "git/ignored.h"
#include "report/json.h"
#include "text/disk_file.h"

namespace ptofix::config {

/// With what is ignored in the work tree around it.
struct Folder {
    std::string path;
    std::string real;                       // without links
    std::shared_ptr<git::Ignored> ignored;  // null: nothing is
    bool asks_git = true;                   // of repositories within it
    bool is_ignored = false;                // itself, which was named
};

class Folders {
  public:
    /// `respects_gitignore`: see DiscoveryOptions.
    explicit Folders(std::function<bool(const std::string& folder)> respects_gitignore)
        : respects_gitignore_(std::move(respects_gitignore)) {}

    /// One that a path of the command line leads to. Who names an ignored folder means what is in it.
    Folder named(const std::string& path) const;
    bool respects_gitignore(const std::string& real_folder) const {
        return !respects_gitignore_ || respects_gitignore_(real_folder);
    }

    struct Entries {
        std::vector<std::string> files;  // names
        std::vector<std::string> folders;
        bool has_config = false;      // a file of the name of one
        text::FileDescriptor opened;  // the folder
    };
    /// Of the files those whose name `wants`. False when the folder cannot be listed: see problems. Reads the ignore
    /// file of the folder.
    bool list(Folder& folder, const std::function<bool(std::string_view name)>& wants, Entries& out);
    static Folder within(const Folder& folder, const std::string& name);

    std::vector<report::Problem> problems;
    std::size_t ignored = 0;  // entries

  private:
    std::function<bool(const std::string& folder)> respects_gitignore_;
};

/// "" for ".", else with a slash at the end: what a name in the folder is put behind.
std::string prefix_of(const std::string& folder);
/// Of a path; "." when it has none.
std::string folder_of(const std::string& path);
/// What a search looks for: Python files and notebooks that are not hidden. In small letters, as Python imports no
/// other and ruff and black look for no other; who means KERNEL.PY names it.
bool is_python_name(std::string_view name);

}  // namespace ptofix::config
