#include "cli/options_apply.h"

#include <array>

#include "cli/option_kinds.h"

namespace ptofix::cli {

namespace {

struct Flag {
    const char* name;
    bool given;
};

template <std::size_t N>
std::optional<std::string_view> first_given(const std::array<Flag, N>& flags) {
    for (const Flag& flag : flags) {
        if (flag.given) return flag.name;
    }
    return std::nullopt;
}

}  // namespace

void add_apply_options(CLI::App& app, RawApply& raw) {
    add_flag(app, "--allow-dirty", raw.apply.allow_dirty);
    add_flag(app, "--no-journal", raw.apply.no_journal);
    add_flag(app, "--review", raw.apply.review);
    add_flag(app, "--list", raw.list);
    add_flag(app, "--skip-changed", raw.skip_changed);
}

std::optional<std::string_view> apply_option_given(const RawApply& raw) {
    return first_given(std::array<Flag, 3>{{{"--allow-dirty", raw.apply.allow_dirty},
                                            {"--no-journal", raw.apply.no_journal},
                                            {"--review", raw.apply.review}}});
}

std::optional<std::string_view> undo_option_given(const RawApply& raw) {
    return first_given(std::array<Flag, 2>{{{"--list", raw.list}, {"--skip-changed", raw.skip_changed}}});
}

}  // namespace ptofix::cli
