#include "report/json_values.h"

#include <algorithm>

#include "text/cell_place.h"

namespace ptofix::report {

using nlohmann::ordered_json;

std::string escape_controls(std::string json) {
    if (json.find('\xC2') == std::string::npos) return json;
    std::string out;
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0U;
        if (static_cast<unsigned char>(json[i]) == 0xC2 && next >= 0x80 && next < 0xA0) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            out += "\\u00";
            out += kDigits[next >> 4U];
            out += kDigits[next & 15U];
            ++i;
        } else {
            out += json[i];
        }
    }
    return out;
}

std::string quoted(const std::string& text) {
    const auto stands_for_itself = [](char c) { return c >= ' ' && c < '\x7F' && c != '"' && c != '\\'; };
    return std::ranges::all_of(text, stands_for_itself) ? '"' + text + '"' : dump(ordered_json(text));
}

std::string dump(const ordered_json& value) {
    return escape_controls(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

ordered_json json_of(const Place& place) {
    return {{"path", place.path}, {"line", place.line}, {"column", place.column}};
}

std::string Place::line_text() const {
    return text::CellLine{cell, line, column}.line_text();
}

void put_place(ordered_json& out, const Place& place) {
    out["path"] = place.path;
    if (place.cell != 0) out["cell"] = place.cell;
    out["line"] = place.line;
    out["column"] = place.column;
}

ordered_json json_of(const Number& number) {
    if (number.value) return *number.value;
    return number.text == "?" ? ordered_json() : ordered_json(number.text);
}

ordered_json json_of(const std::vector<Number>& numbers) {
    ordered_json out = ordered_json::array();
    for (const Number& n : numbers) out.push_back(json_of(n));
    return out;
}

ordered_json json_of(const TileView& tile) {
    ordered_json out;
    if (tile.is_cube) {
        out["m"] = json_of(tile.m);
        out["k"] = json_of(tile.k);
        out["n"] = json_of(tile.n);
    } else {
        out["vec"] = json_of(tile.vec);
    }
    out["setAt"] = tile.set_at ? json_of(*tile.set_at) : ordered_json();
    return out;
}

ordered_json problem_json(const Problem& problem) {
    return {{"path", problem.path}, {"error", {{"kind", problem.kind}, {"message", problem.message}}}};
}

std::string document_of_files(std::string_view version, const std::vector<std::string>& files,
                              const std::vector<Problem>& problems) {
    std::string out = "{\"version\":" + dump(ordered_json(version)) + ",\n\"files\":[";
    bool first = true;
    const auto append = [&](const std::string& file) {
        out += first ? "\n" : ",\n";
        out += file;
        first = false;
    };
    for (const std::string& file : files) append(file);
    for (const Problem& problem : problems) append(dump(problem_json(problem)));
    return out + "]}\n";
}

}  // namespace ptofix::report
