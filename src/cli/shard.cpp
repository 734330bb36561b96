#include "cli/shard.h"

#include "config/file_config.h"
#include "git/repository.h"

namespace ptofix::cli {

namespace {

/// FNV-1a, its bits mixed as MurmurHash3 ends: the low ones alone are poor.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    constexpr unsigned kHalf = 33;
    hash = (hash ^ (hash >> kHalf)) * 0xff51afd7ed558ccdU;
    hash = (hash ^ (hash >> kHalf)) * 0xc4ceb9fe1a85ec53U;
    return hash ^ (hash >> kHalf);
}

}  // namespace

std::string ShardFilter::path_in_project(const std::string& path) {
    const std::string real = git::real_path(config::absolute_path(path));
    const std::string folder = real.substr(0, real.rfind('/'));
    const auto [at, fresh] = projects_.try_emplace(folder);
    if (fresh) at->second = git::find_work_tree(folder).value_or(git::real_path("."));
    const std::string& project = at->second;
    return real.starts_with(project + '/') ? real.substr(project.size() + 1) : real;
}

bool ShardFilter::holds(const std::string& path) {
    if (shard_.of == 1) return true;
    std::string counted = path_in_project(path);
    if (whole_folders_) counted.resize(counted.find('/') == std::string::npos ? 0 : counted.rfind('/'));
    return hash_of(counted) % shard_.of == shard_.number - 1;
}

}  // namespace ptofix::cli
