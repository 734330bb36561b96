// pto-parse-only: finds and reads the same files as pto-fix and parses them, nothing else. The measure that pto-fix's
// own speed is held against.
//
//   pto-parse-only [--all] PATH...      --all parses files that never mention pypto, too
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/inputs.h"
#include "cli/output.h"
#include "config/discovery.h"
#include "fixing/analysis.h"
#include "syntax/tree.h"
#include "text/source.h"

int main(int argc, char** argv) {
    ptofix::cli::Output out(STDOUT_FILENO);
    ptofix::cli::Output err(STDERR_FILENO);
    bool all = false;
    std::vector<std::string> paths;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--all") {
            all = true;
        } else {
            paths.emplace_back(argv[i]);
        }
    }
    if (paths.empty()) {
        err.write("usage: pto-parse-only [--all] PATH...\n");
        return ptofix::cli::kExitError;
    }
    ptofix::syntax::Parser parser;
    std::size_t files = 0;
    std::size_t bytes = 0;
    std::size_t failed = 0;
    for (const ptofix::config::InputPath& input : ptofix::config::discover(paths).files) {
        const auto source = ptofix::text::Source::load(input.path);
        if (!source) {
            ++failed;
            continue;
        }
        if (!all && !ptofix::fixing::mentions_pypto(source->text())) continue;
        ++files;
        bytes += source->text().size();
        failed += !parser.parse_only(source->text());
    }
    out.write(fmt::format("{} files, {} bytes parsed; {} could not be\n", files, bytes, failed));
    return 0;
}
