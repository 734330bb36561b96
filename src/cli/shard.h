// --shard K/N: which of a run's files are the K-th part of N. The same on every machine, and adding a file moves no
// other one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ptofix::cli {

struct Shard {
    std::uint32_t number = 1;
    std::uint32_t of = 1;  // 1: everything
};

class ShardFilter {
  public:
    /// `whole_folders`: what is in one folder stays together, because its files are often fixed together.
    ShardFilter(Shard shard, bool whole_folders) : shard_(shard), whole_folders_(whole_folders) {}

    /// Counted from the work tree that the file is in; without one, from the current folder.
    bool holds(const std::string& path);

  private:
    std::string path_in_project(const std::string& path);

    Shard shard_;
    bool whole_folders_;
    std::map<std::string, std::string> projects_;  // by folder
};

}  // namespace ptofix::cli
