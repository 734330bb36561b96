#include "fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "config/file_config.h"
#include "hardware/soc.h"

namespace rule_tests {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using ptofix::text::Source;

namespace {

constexpr std::string_view kFixedSuffix = ".fixed.py";

bool is_case_file(const fs::path& path) {
    return path.extension() == ".py" && !path.string().ends_with(kFixedSuffix);
}

std::string read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& path, std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string word(const ordered_json& object, const char* key, std::string_view otherwise) {
    const auto at = object.find(key);
    return at == object.end() || at->is_null() ? std::string(otherwise) : at->get<std::string>();
}

std::expected<void, std::string> read_arguments(const ordered_json& sidecar, Fixture& fixture) {
    std::vector<std::string> arguments = sidecar.value("args", std::vector<std::string>{});
    arguments.insert(arguments.end(), {"--apply", "fixture.py"});
    const ptofix::cli::Command command = ptofix::cli::parse_command_line(arguments, "C");
    const auto* check = std::get_if<ptofix::cli::CheckCommand>(&command);
    if (check == nullptr) return std::unexpected("the program refuses the args of the sidecar");
    fixture.config.selected = check->selected;
    fixture.config.ignored = check->ignored;
    fixture.config.edit_callers = check->unsafe_fixes;
    if (!check->soc.empty()) {
        const auto soc = ptofix::hardware::soc_of_name(check->soc);
        if (!soc) return std::unexpected("no such SoC: " + check->soc);
        fixture.config.soc = *soc;
    }
    fixture.options.threshold =
        check->unsafe_fixes ? ptofix::rules::Applicability::unsafe : ptofix::rules::Applicability::safe;
    return {};
}

/// {"x.shape[0]": 16} as the table of the configuration.
std::expected<void, std::string> read_assumptions(const ordered_json& sidecar, Fixture& fixture) {
    std::string table = "[assume]\n";
    const ordered_json sizes = sidecar.value("assume", ordered_json::object());
    for (const auto& [name, value] : sizes.items()) {
        table += fmt::format("\"{}\" = {}\n", name, value.dump());
    }
    const auto config = ptofix::config::parse_config("assume", table, false, ptofix::rules::Language::en);
    if (!config) return std::unexpected(config.error().message);
    fixture.config.assume = (*config)->assume;
    return {};
}

std::expected<void, std::string> read_sidecar(const ordered_json& sidecar, Fixture& fixture) {
    static constexpr std::string_view kKnown[] = {"args", "assume", "expect", "inputs", "equivalence", "entry",
                                                  "dims", "values", "seeds",  "allow",  "skip_law",    "note"};
    for (const auto& [key, value] : sidecar.items()) {
        if (std::ranges::find(kKnown, key) == std::end(kKnown))
            return std::unexpected("unknown key in the sidecar: " + key);
    }
    if (const auto skip = sidecar.find("skip_law"); skip != sidecar.end()) {
        fixture.skipped_law = skip->at("law").get<std::string>();
        if (skip->at("why").get<std::string>().empty()) return std::unexpected("skip_law needs a reason");
    }
    for (const ordered_json& one : sidecar.value("expect", ordered_json::array())) {
        Expected expected;
        expected.file = word(one, "file", "");
        expected.line = one.at("line").get<std::uint32_t>();
        expected.rule = one.at("rule").get<std::string>();
        expected.severity = one.at("severity").get<std::string>();
        expected.fix = word(one, "fix", "none");
        expected.blocked = word(one, "blocked", "");
        fixture.expect.push_back(std::move(expected));
    }
    std::ranges::sort(fixture.expect);
    if (auto read = read_assumptions(sidecar, fixture); !read) return read;
    return read_arguments(sidecar, fixture);
}

std::expected<void, std::string> read_input(const fs::path& path, Fixture& fixture) {
    auto source = Source::load(path.string());
    if (!source) {
        return std::unexpected(fmt::format("{}: {}", path.string(), ptofix::text::to_string(source.error().kind)));
    }
    fixture.inputs.push_back(std::make_shared<const Source>(std::move(*source)));
    const fs::path fixed = fixture.fixed_path(path.string());
    if (!fs::exists(fixed)) return {};
    auto after = Source::from_bytes(path.string(), read_bytes(fixed));
    if (!after) {
        return std::unexpected(fmt::format("{}: {}", fixed.string(), ptofix::text::to_string(after.error().kind)));
    }
    fixture.fixed[path.string()] = std::string(after->text());
    if (after->text() == fixture.inputs.back()->text()) return std::unexpected(fixed.string() + " changes nothing");
    return {};
}

std::string as_json(std::string_view text) {
    return ordered_json(text).dump();
}

std::string line_of(const Expected& finding) {
    std::string out = "    {";
    if (!finding.file.empty()) out += fmt::format("\"file\": {}, ", as_json(finding.file));
    out += fmt::format(R"("rule": {}, "line": {}, "severity": {}, "fix": {})", as_json(finding.rule), finding.line,
                       as_json(finding.severity), as_json(finding.fix));
    if (!finding.blocked.empty()) out += fmt::format(", \"blocked\": {}", as_json(finding.blocked));
    return out + "}";
}

/// {"args": ["--unsafe"], ...} with the layout that people write: a key a line, a finding a line.
std::string layout(const ordered_json& others, const std::vector<Expected>& findings) {
    std::vector<std::string> parts;
    const auto add_findings = [&] {
        std::vector<std::string> lines;
        for (const Expected& finding : findings) lines.push_back(line_of(finding));
        parts.push_back(lines.empty() ? "  \"expect\": []"
                                      : fmt::format("  \"expect\": [\n{}\n  ]", fmt::join(lines, ",\n")));
    };
    bool added = false;
    for (const auto& [key, value] : others.items()) {
        if (key == "expect") {
            add_findings();
            added = true;
        } else {
            std::string text = value.dump(-1, ' ', false);
            // One space after a comma or colon that stands outside a text.
            std::string spaced;
            bool inside = false;
            for (std::size_t i = 0; i < text.size(); ++i) {
                if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) inside = !inside;
                spaced += text[i];
                if (!inside && (text[i] == ',' || text[i] == ':')) spaced += ' ';
            }
            parts.push_back(fmt::format("  {}: {}", as_json(key), spaced));
        }
    }
    if (!added) add_findings();
    return fmt::format("{{\n{}\n}}\n", fmt::join(parts, ",\n"));
}

}  // namespace

bool Fixture::is_folder() const {
    return sidecar.filename() == "case.json";
}

std::string Fixture::file_name(const std::string& path) const {
    if (!is_folder()) return {};
    return fs::path(path).lexically_relative(folder).string();
}

fs::path Fixture::fixed_path(const std::string& input) const {
    if (is_folder()) return folder / "fixed" / fs::path(input).lexically_relative(folder);
    return fs::path(input).replace_extension().string() + std::string(kFixedSuffix);
}

std::vector<fs::path> find_fixtures(const fs::path& root) {
    std::vector<fs::path> found;
    std::vector<fs::path> folders{root};
    while (!folders.empty()) {
        const fs::path folder = std::move(folders.back());
        folders.pop_back();
        if (fs::exists(folder / "case.json")) {
            found.push_back(folder);
            continue;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            const fs::path name = entry.path().filename();
            const bool other = name == "__pycache__" || name == "logs";  // logs/: of tests/cli/logs_test.py
            if (entry.is_directory() && !other) folders.push_back(entry.path());
            if (entry.is_regular_file() && is_case_file(entry.path())) found.push_back(entry.path());
        }
    }
    std::ranges::sort(found);
    return found;
}

std::expected<Fixture, std::string> read_fixture(const fs::path& path, const fs::path& root) {
    Fixture fixture;
    const bool folder = fs::is_directory(path);
    fixture.folder = folder ? path : path.parent_path();
    fixture.sidecar = folder ? path / "case.json" : fs::path(path).replace_extension(".json");
    fixture.name = fs::path(path).replace_extension().lexically_relative(root).string();

    ordered_json sidecar = ordered_json::object();
    if (fs::exists(fixture.sidecar)) {
        sidecar = ordered_json::parse(read_bytes(fixture.sidecar), nullptr, false);
        if (sidecar.is_discarded()) return std::unexpected(fixture.sidecar.string() + " is not JSON");
    }
    try {
        if (auto read = read_sidecar(sidecar, fixture); !read) return std::unexpected(read.error());
        std::vector<fs::path> files;
        if (!folder) {
            files.push_back(path);
        } else if (sidecar.contains("inputs")) {
            for (const std::string& name : sidecar["inputs"].get<std::vector<std::string>>())
                files.push_back(path / name);
        } else {
            for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
                const fs::path inside = entry.path().lexically_relative(path);
                const bool ours = *inside.begin() != "fixed" && *inside.begin() != "__pycache__";
                if (entry.is_regular_file() && ours && is_case_file(entry.path())) files.push_back(entry.path());
            }
            std::ranges::sort(files);
        }
        for (const fs::path& file : files) {
            if (auto read = read_input(file, fixture); !read) return std::unexpected(read.error());
        }
    } catch (const nlohmann::json::exception& error) {
        return std::unexpected(fmt::format("{}: {}", fixture.sidecar.string(), error.what()));
    }
    return fixture;
}

void accept(const Fixture& fixture, const std::vector<Expected>& found,
            const std::map<std::string, std::string>& fixed) {
    for (const auto& input : fixture.inputs) {
        const fs::path path = fixture.fixed_path(input->path());
        const auto after = fixed.find(input->path());
        if (after == fixed.end()) {
            fs::remove(path);
        } else if (const auto bytes = input->encode(after->second)) {
            write_bytes(path, *bytes);
        }
    }
    ordered_json sidecar = ordered_json::object();
    if (fs::exists(fixture.sidecar)) sidecar = ordered_json::parse(read_bytes(fixture.sidecar), nullptr, false);
    if (found.empty() && !fs::exists(fixture.sidecar)) return;
    const std::string text = layout(sidecar, found);
    if (text != read_bytes(fixture.sidecar)) write_bytes(fixture.sidecar, text);
}

std::string show(const Expected& finding) {
    return fmt::format("{}{}{}: {} {}, fix {}{}", finding.file, finding.file.empty() ? "line " : ":", finding.line,
                       finding.rule, finding.severity, finding.fix,
                       finding.blocked.empty() ? "" : ", blocked " + finding.blocked);
}

}  // namespace rule_tests
