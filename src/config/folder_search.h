// The Python files in a folder and those within it, looked for by several threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "config/discovery.h"
#include "config/folders.h"

namespace ptofix::config {

class FolderSearch {
  public:
    explicit FolderSearch(const DiscoveryOptions& options) : options_(options) {}

    /// Their paths, sorted. Once.
    std::vector<std::string> run(Folder top);
    /// By path.
    const std::vector<report::Problem>& problems() const { return problems_; }
    std::size_t ignored() const { return ignored_; }

  private:
    void work();
    std::vector<Folder> look_into(Folder folder, Folders& folders, std::vector<std::string>& found) const;
    void leave(const Folders& folders, std::vector<std::string> found);

    const DiscoveryOptions& options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Folder> open_;  // not looked into yet
    std::size_t busy_ = 0;      // threads that may find more
    bool failed_ = false;
    std::vector<std::string> found_;
    std::vector<report::Problem> problems_;
    std::size_t ignored_ = 0;
};

}  // namespace ptofix::config
