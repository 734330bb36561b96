// Tile operations as the framework's own compiler counted them: tests/data/measured/counts.json (kernels with settings)
// and judged.jsonl (generated kernels).
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ptofix::test {

struct MeasuredCount {
    std::string name, source;
    std::int64_t tile_operations = 0;
    std::optional<double> seconds;
};

/// A kernel's text with its settings written in place of `E('NAME', default)` and `os.environ.get('ORACLE_NAME',
/// 'default')`.
inline std::string with_settings(std::string text, const nlohmann::json& settings) {
    static const std::regex kSetting(R"((os\.environ\.get|E)\('(?:ORACLE_)?(\w+)',\s*('[^']*'|\w+)\))");
    std::string out;
    for (auto it = text.cbegin();;) {
        std::smatch match;
        if (!std::regex_search(it, text.cend(), match, kSetting)) {
            out.append(it, text.cend());
            return out;
        }
        out.append(it, match[0].first);
        const std::string quoted = match[3];
        const bool text_value = quoted.starts_with('\'');
        if (const auto value = settings.find(match[2].str()); value != settings.end()) {
            out += text_value ? "'" + value->get<std::string>() + "'" : value->get<std::string>();
        } else {
            out += quoted;
        }
        it = match[0].second;
    }
}

inline std::vector<MeasuredCount> measured_counts() {
    const std::string folder = "tests/data/measured/";
    std::ifstream table(folder + "counts.json");
    std::vector<MeasuredCount> rows;
    for (const auto& row : nlohmann::json::parse(table)) {
        const std::string kernel = row["kernel"];
        std::ifstream file(folder + kernel);
        std::stringstream text;
        text << file.rdbuf();
        const nlohmann::json settings =
            row.contains("set") ? row["set"] : nlohmann::json(nlohmann::json::value_t::object);
        std::string source = with_settings(text.str(), settings);
        std::string name = kernel;
        for (auto it = settings.begin(); it != settings.end(); ++it)
            name += " " + it.key() + "=" + std::string(it.value());
        if (row.contains("replace")) {
            for (const auto& change : row["replace"]) {
                const std::string from = change[0], to = change[1];
                const auto at = source.find(from);
                if (at != std::string::npos) source.replace(at, from.size(), to);
                name += " " + to;
            }
        }
        MeasuredCount count{name, source, row["tile_operations"], {}};
        if (row.contains("seconds")) count.seconds = row["seconds"].get<double>();
        rows.push_back(std::move(count));
    }
    std::ifstream judged(folder + "judged.jsonl");
    for (std::string line; std::getline(judged, line);) {
        const auto row = nlohmann::json::parse(line);
        if (row["status"] != "OK") continue;
        rows.push_back({"judged " + row["kind"].get<std::string>() + " " + row["id"].dump(), row["source"],
                        row["tile_ops"], row["cpu_s"].get<double>()});
    }
    return rows;
}

}  // namespace ptofix::test
