// Paths as services that show a repository want them: from its root, wherever the program runs.
#pragma once

#include <map>
#include <string>

namespace ptofix::cli {

class RepositoryPaths {
  public:
    RepositoryPaths();

    /// From the root of the work tree around the current folder, else of the one around the file. As it is where there
    /// is none, and where it names no file.
    std::string from_root(const std::string& path);
    /// The other way round, for a path from the root of the work tree around the current folder.
    std::string from_here(const std::string& path) const;

  private:
    const std::string& root_of(const std::string& folder);
    const std::string& real_folder(const std::string& folder);
    std::string find(const std::string& path);

    std::map<std::string, std::string> roots_;  // by folder
    std::map<std::string, std::string> real_;   // folders without links, likewise
    std::map<std::string, std::string> found_;  // what from_root() has been asked
    std::string folder_;                        // the current one, with a slash at its end
    std::string root_;                          // of the work tree around it, likewise; empty: there is none
};

}  // namespace ptofix::cli
