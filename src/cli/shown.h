// How things are shown whatever the format: paths, colour, and the reasons why something could not be followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/options.h"
#include "cli/output.h"
#include "report/trace_view.h"
#include "rules/catalogue.h"
#include "trace/trace.h"

namespace ptofix::cli {

/// Relative to the folder where that is shorter to read: a file that was reached by import has a path from the root.
std::string shown_path(const std::string& path, const std::string& current_folder);
/// As seen from the current folder; null when the file is not below it.
std::optional<std::string> path_inside(const std::string& path);
/// The absolute path without its first slash.
std::string path_from_root(const std::string& path);
/// Ends with a slash.
std::string current_folder();

/// Where the site is; a file that was reached by import is shown as shown_path() has it, the analysed one as `path`.
report::Place place_of(const trace::Trace& trace, trace::Site site, const std::string& path,
                       const std::string& current_folder);

/// The numbers of a tile setting, each as `number_of(value)` shows it; where it is set is left out.
template <typename NumberOf>
report::TileView tile_view(const trace::TileSetting& tile, const NumberOf& number_of) {
    report::TileView view;
    view.is_cube = tile.engine == trace::TileSetting::Engine::cube;
    for (const trace::Value& v : tile.vec) view.vec.push_back(number_of(v));
    if (!view.is_cube) return view;
    for (const trace::Value& v : tile.m) view.m.push_back(number_of(v));
    for (std::size_t i = 0; i < (tile.k_count == 3 ? 3U : 2U); ++i) view.k.push_back(number_of(tile.k[i]));
    for (const trace::Value& v : tile.n) view.n.push_back(number_of(v));
    return view;
}
/// Is it set by a call in the text, and not where two ways meet?
bool is_set_by_call(const trace::Trace& trace, const trace::TileSetting& tile);

/// By default on a terminal, unless the environment speaks against it.
bool use_colour(Colour wanted, const Output& out);

/// Cells for a table: the terminal's, else what COLUMNS says, else 120; never fewer than 60.
std::uint32_t table_width(const Output& out);

/// Why something could not be followed.
std::string reason_text(trace::UnknownReason::Why why, const std::string& detail, rules::Language language);

}  // namespace ptofix::cli
