#include "changes/state_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace ptofix::changes {

namespace {

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

std::string journal_folder(const std::string& state) {
    return state + "/journal";
}

}  // namespace ptofix::changes
