#include "cli/baseline.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/repository_paths.h"
#include "report/former.h"
#include "rules/messages.h"
#include "text/disk_file.h"

namespace ptofix::cli {

namespace {

/// Of a million findings; larger files are no report.
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

}  // namespace

std::expected<std::vector<report::AbsentView>, std::string> load_baseline(const std::string& path,
                                                                          rules::Language language) {
    const auto fault = [&](std::string_view id, rules::Data data = {}) {
        data.set("path", path);
        return std::unexpected(fmt::format("pto-fix: {}\n", rules::render({id, std::move(data)}, language)));
    };
    const text::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    std::string bytes;
    const int error = file.is_open() ? text::read_all(file.get(), kMostBytes, bytes) : errno;
    if (error != 0) {
        const std::string detail = rules::in_language(text::error_text(error), language);
        return fault("cli.baseline_unreadable", rules::Data().set("detail", detail));
    }
    const RepositoryPaths paths;
    auto former = report::read_former(bytes, [&](const std::string& at) { return paths.from_here(at); });
    if (former) return std::move(*former);
    const bool is_report = former.error() == report::FormerFault::no_fingerprints;
    return fault(is_report ? "cli.baseline_no_fingerprints" : "cli.baseline_no_report");
}

BaselineCounts count_by_baseline(std::span<const report::FileReport> reports) {
    BaselineCounts counts;
    for (const report::FileReport& report : reports) {
        for (const report::FindingView& finding : report.findings) {
            counts.fresh += finding.baseline == report::Baseline::fresh;
            counts.unchanged += finding.baseline == report::Baseline::unchanged;
        }
    }
    return counts;
}

}  // namespace ptofix::cli
