#pragma once

// The files of one run, each once: two paths that lead to the same file (spelled differently, through a link, or hard
// linked) count as the first of them, so that no file is fixed twice or by two threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/source.h"

namespace ptofix::text {

/// Device and inode.
using FileKey = std::pair<std::uint64_t, std::uint64_t>;

struct FileKeyHash {
    std::size_t operator()(const FileKey& file) const {
        return std::hash<std::uint64_t>()(file.first * 31 + file.second);
    }
};

class FileSet {
  public:
    /// False when the file is there already under this or another name. A path that leads nowhere is kept, once for
    /// each spelling, so that its error is reported.
    bool insert(const std::string& path) { return place(path).second; }
    /// The same for a file that was read: the system is not asked.
    bool insert(const std::string& path, const FileIdentity& identity);
    /// The first, with the index in paths() that the file has.
    std::pair<std::size_t, bool> place(const std::string& path);

    /// In the order of insertion, each as it was first spelled.
    const std::vector<std::string>& paths() const { return paths_; }

  private:
    std::pair<std::size_t, bool> place(const std::string& path, const FileKey& key);

    std::vector<std::string> paths_;
    std::unordered_map<FileKey, std::size_t, FileKeyHash> seen_;
    std::map<std::string, std::size_t> missing_;
};

}  // namespace ptofix::text
