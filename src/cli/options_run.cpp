#include "cli/options_run.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string_view>

#include "cache/store.h"

namespace ptofix::cli {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : value;
}

std::string cache_folder(const RawRunOptions& raw) {
    if (raw.no_cache) return {};
    if (!raw.cache_folder.empty()) return raw.cache_folder.back();
    if (!environment("PTO_FIX_NO_CACHE").empty()) return {};
    if (const auto folder = environment("PTO_FIX_CACHE_DIR"); !folder.empty()) return std::string(folder);
    return cache::default_folder();
}

}  // namespace

void add_run_options(CLI::App& app, RawRunOptions& raw) {
    const auto flag = [&](const char* name, bool& value) {
        app.add_flag(name, value)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    };
    flag("--no-cache", raw.no_cache);
    flag("--timing", raw.timing);
    flag("--no-progress", raw.no_progress);
    app.add_option("--cache-dir", raw.cache_folder)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

RunOptions read_run_options(const RawRunOptions& raw) {
    return {.cache_folder = cache_folder(raw), .timing = raw.timing, .progress = !raw.no_progress};
}

}  // namespace ptofix::cli
