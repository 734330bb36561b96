#include "cli/shown.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "config/file_config.h"
#include "rules/messages.h"
#include "text/cell_place.h"
#include "trace/project.h"

namespace ptofix::cli {

namespace {

std::string_view message_of(trace::UnknownReason::Why why) {
    using Why = trace::UnknownReason::Why;
    switch (why) {
        case Why::not_given:
            return "unknown.not_given";
        case Why::external_call:
        case Why::library_value:
            return "unknown.external_call";
        case Why::unsupported:
            return "unknown.unsupported";
        case Why::joined:
            return "unknown.joined";
        case Why::undefined_name:
            return "unknown.undefined_name";
        case Why::budget:
            return "unknown.budget";
        case Why::runtime_value:
            return "unknown.runtime_value";
        case Why::error:
            return "unknown.error";
        case Why::recursion:
            break;
    }
    return "unknown.recursion";
}

}  // namespace

bool use_colour(Colour wanted, const Output& out) {
    if (wanted != Colour::automatic) return wanted == Colour::always;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return out.is_terminal() && (no_colour == nullptr || *no_colour == '\0') &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::uint32_t table_width(const Output& out) {
    constexpr std::uint32_t kUsual = 120, kLeast = 60;
    if (const auto columns = out.columns()) return std::max(*columns, kLeast);
    std::uint32_t said = 0;
    if (const char* variable = std::getenv("COLUMNS")) {
        const std::string_view text = variable;
        std::from_chars(text.data(), text.data() + text.size(), said);
    }
    return said == 0 ? kUsual : std::max(said, kLeast);
}

std::string reason_text(trace::UnknownReason::Why why, const std::string& detail, rules::Language language) {
    return rules::render({message_of(why), rules::Data().set("detail", detail)}, language);
}

std::string shown_path(const std::string& path, const std::string& current_folder) {
    return path.starts_with(current_folder) ? path.substr(current_folder.size()) : path;
}

std::optional<std::string> path_inside(const std::string& path) {
    const std::string folder = current_folder();
    std::string whole = config::absolute_path(path);
    if (!whole.starts_with(folder)) return std::nullopt;
    return whole.substr(folder.size());
}

std::string path_from_root(const std::string& path) {
    const std::string whole = config::absolute_path(path);
    return whole.substr(whole.starts_with('/') ? 1 : 0);
}

report::Place place_of(const trace::Trace& trace, trace::Site site, const std::string& path,
                       const std::string& current_folder) {
    const trace::SourceFile& file = *trace.files[site.file];
    const text::CellLine at = text::line_in(*file.source, file.tree[site.node].start);
    return {site.file == trace.main ? path : shown_path(file.path(), current_folder), at.line, at.column, at.cell};
}

bool is_set_by_call(const trace::Trace& trace, const trace::TileSetting& tile) {
    return trace.files[tile.call.file]->tree.kind(tile.call.node) == syntax::Kind::call;
}

std::string current_folder() {
    std::error_code ignored;
    const std::string folder = std::filesystem::current_path(ignored).string();
    return folder.ends_with('/') ? folder : folder + '/';
}

}  // namespace ptofix::cli
