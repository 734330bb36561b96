#include "changes/reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "git/uncommitted.h"

namespace ptofix::changes {

namespace {

namespace fs = std::filesystem;

/// FNV-1a: the same number on every machine and in every version.
std::uint64_t number_of(std::string_view text) {
    constexpr std::uint64_t kBasis = 0xcbf29ce484222325U, kPrime = 0x100000001b3U;
    std::uint64_t hash = kBasis;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
    return hash;
}

bool is_within(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) &&
           (path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/');
}

}  // namespace

std::string project_root(const std::string& folder) {
    std::string tree = git::work_tree_of(folder);
    if (!tree.empty()) return tree;
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    return error ? folder : real.string();
}

std::string common_folder(std::span<const JournalEntry> entries) {
    if (entries.empty()) return {};
    fs::path common = fs::path(entries.front().path).parent_path();
    for (const JournalEntry& entry : entries) {
        while (!is_within(entry.path, common.string()) && common.has_relative_path()) common = common.parent_path();
    }
    return common.string();
}

std::string project_id(const std::string& project) {
    constexpr std::size_t kLongestName = 100;
    const std::string name = fs::path(project).filename().string().substr(0, kLongestName);
    return fmt::format("{}-{:016x}", name.empty() ? "root" : name, number_of(project));
}

Reach::Reach(std::span<const std::string> paths) {
    for (const std::string& path : paths) {
        std::error_code error;
        fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
        if (real.has_relative_path() && !real.has_filename()) real = real.parent_path();  // it ends with a slash
        paths_.push_back(error ? path : real.string());
    }
}

bool Reach::holds(const JournalEntry& entry) const {
    return std::ranges::any_of(paths_, [&](const std::string& folder) {
        return is_within(entry.path, folder) || (!entry.alias.empty() && is_within(entry.alias, folder));
    });
}

bool Reach::holds_some(const Run& run) const {
    return std::ranges::any_of(run.entries, [&](const JournalEntry& entry) { return holds(entry); });
}

}  // namespace ptofix::changes
