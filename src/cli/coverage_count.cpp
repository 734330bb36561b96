#include "cli/coverage_count.h"

#include <algorithm>

#include "cli/shown.h"
#include "config/file_config.h"
#include "text/cell_place.h"
#include "trace/coverage.h"
#include "trace/project.h"

namespace ptofix::cli {

namespace {

std::string_view kind_name(trace::SettingKind kind) {
    switch (kind) {
        case trace::SettingKind::vec_tile:
            return "vec_tile";
        case trace::SettingKind::cube_tile:
            return "cube_tile";
        case trace::SettingKind::unroll_list:
            break;
    }
    return "unroll_list";
}

std::string_view resolution_name(trace::Resolution resolution) {
    using trace::Resolution;
    switch (resolution) {
        case Resolution::full:
            return "full";
        case Resolution::in_part:
            return "in_part";
        case Resolution::run_time:
            return "run_time";
        case Resolution::unknown:
            return "unknown";
        case Resolution::unreached:
            break;
    }
    return "unreached";
}

}  // namespace

void CoverageCount::add(const trace::Trace& trace, const std::string& path) {
    bool any = false;
    for (trace::SettingSite& site : trace::setting_sites(trace)) {
        const trace::SourceFile& file = *trace.files[site.call.file];
        const bool own = site.call.file == trace.main;
        any = any || own;
        const std::uint32_t start = file.tree[site.call.node].start;
        const text::CellLine at = text::line_in(*file.source, start);
        Site& found = sites_[{config::absolute_path(file.path()), start, static_cast<std::uint8_t>(site.kind)}];
        report::SettingView& view = found.view;
        if (view.place.path.empty() || own) {
            view.place = {own ? path : shown_path(file.path(), current_folder_), at.line, at.column, at.cell};
        }
        view.kind = kind_name(site.kind);
        view.evaluations += site.evaluations;
        view.full += site.full;
        for (std::string& value : site.values) {
            if (std::ranges::find(view.values, value) == view.values.end()) view.values.push_back(std::move(value));
        }
        found.best = std::max(found.best, static_cast<std::uint8_t>(site.best));
        found.counted = found.counted || own;
    }
    files_ += any;
}

report::CoverageReport CoverageCount::take() {
    report::CoverageReport out;
    out.files = files_;
    for (auto& [key, site] : sites_) {
        if (!site.counted) continue;
        const auto resolution = static_cast<trace::Resolution>(site.best);
        site.view.resolution = resolution_name(resolution);
        const auto kind = static_cast<trace::SettingKind>(key.kind);
        report::CoverageCounts& counts = kind == trace::SettingKind::vec_tile    ? out.vec_tiles
                                         : kind == trace::SettingKind::cube_tile ? out.cube_tiles
                                                                                 : out.unroll_lists;
        ++counts.sites;
        counts.full += resolution == trace::Resolution::full;
        counts.full_everywhere += resolution == trace::Resolution::full && site.view.full == site.view.evaluations;
        counts.in_part += resolution == trace::Resolution::in_part;
        counts.run_time += resolution == trace::Resolution::run_time;
        counts.unknown += resolution == trace::Resolution::unknown;
        counts.unreached += resolution == trace::Resolution::unreached;
        out.sites.push_back(std::move(site.view));
    }
    return out;
}

}  // namespace ptofix::cli
