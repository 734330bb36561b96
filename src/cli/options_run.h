// How a run works, whatever it looks for: what is kept between runs, and what it tells of itself.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ptofix::cli {

struct RunOptions {
    std::string cache_folder = {};  // empty: nothing is kept between runs
    bool timing = false;            // print where the time went
    bool progress = true;           // on a terminal
};

/// As written.
struct RawRunOptions {
    bool no_cache = false, timing = false, no_progress = false;
    std::vector<std::string> cache_folder;  // the last one counts
};

void add_run_options(CLI::App& app, RawRunOptions& raw);

/// The cache's folder is that of the command line, of the environment (PTO_FIX_CACHE_DIR) or the user's own; none where
/// the environment says PTO_FIX_NO_CACHE.
RunOptions read_run_options(const RawRunOptions& raw);

}  // namespace ptofix::cli
