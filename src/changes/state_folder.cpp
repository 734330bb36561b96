#include "changes/state_folder.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
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

std::string_view absolute_in(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? value : std::string_view();
}

}  // namespace

std::optional<std::string> state_folder() {
    if (const std::string_view state = absolute_in("XDG_STATE_HOME"); !state.empty()) {
        return fmt::format("{}/pto-fix", state);
    }
    if (const std::string_view home = absolute_in("HOME"); !home.empty()) {
        return fmt::format("{}/.local/state/pto-fix", home);
    }
    return std::nullopt;
}

std::string project_root(const std::string& folder) {
    std::string tree = git::work_tree_of(folder);
    if (!tree.empty()) return tree;
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    return error ? folder : real.string();
}

std::string journal_folder(const std::string& state, const std::string& root) {
    constexpr std::size_t kLongestName = 100;
    const std::string name = fs::path(root).filename().string().substr(0, kLongestName);
    return fmt::format("{}/journal/{}-{:016x}", state, name.empty() ? "root" : name, number_of(root));
}

}  // namespace ptofix::changes
