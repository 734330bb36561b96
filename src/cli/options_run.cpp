#include "cli/options_run.h"

#include <cstdlib>
#include <string_view>

#include "cache/store.h"
#include "cli/option_kinds.h"

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
    add_flag(app, "--no-cache", raw.no_cache);
    add_flag(app, "--timing", raw.timing);
    add_flag(app, "--no-progress", raw.no_progress);
    add_option(app, "--cache-dir", raw.cache_folder);
}

RunOptions read_run_options(const RawRunOptions& raw) {
    return {.cache_folder = cache_folder(raw), .timing = raw.timing, .progress = !raw.no_progress};
}

}  // namespace ptofix::cli
