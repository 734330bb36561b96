// The framework's own packages, in a checkout of it: what a kernel imports from there is known by name, and how it is
// made inside is of no use to anyone.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <unordered_map>

namespace ptofix::trace {

class FrameworkPackage {
  public:
    explicit FrameworkPackage(std::function<bool(const std::string& path)> is_file) : is_file_(std::move(is_file)) {}

    /// Of a path from the root.
    bool holds(const std::filesystem::path& file);
    void forget() { known_.clear(); }

  private:
    bool is_inside(const std::filesystem::path& folder);
    bool is_package(const std::filesystem::path& folder) const;

    std::function<bool(const std::string& path)> is_file_;
    std::unordered_map<std::string, bool> known_;  // folders
};

}  // namespace ptofix::trace
