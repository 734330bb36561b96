#include "config/file_config.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <functional>
#include <span>

#include "config/selectors.h"
#include "hardware/soc.h"
#include "rules/messages.h"
#include "rules/nearest.h"
#include "text/disk_file.h"
#include "text/display_width.h"
#include "text/line_index.h"
#include "text/utf8.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_UNRELEASED_FEATURES 0
#include <toml++/toml.h>

namespace ptofix::config {

namespace {

using rules::Data;
using rules::in_language;
using rules::Language;

constexpr std::string_view kFileName = "pto-fix.toml";
constexpr std::string_view kProjectFileName = "pyproject.toml";
constexpr std::size_t kMaxConfigBytes = 1U << 20U;

constexpr std::string_view kKeys[] = {"soc",     "frontend",          "select",   "ignore",
                                      "exclude", "respect-gitignore", "severity", "assume"};
constexpr std::string_view kFrontends[] = {"new-ir", "legacy", "new"};
constexpr std::string_view kSeverities[] = {"error", "warning", "info", "off"};

constexpr std::int64_t kLargestDim = INT32_MAX;

bool is_name(std::string_view word) {
    const auto fits = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0 || c < 0; };
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
           std::ranges::all_of(word, fits);
}

/// "M", "x.shape[0]", "x.shape[-1]"; nullopt for anything else.
std::optional<trace::Assumption> assumption_of(std::string_view name) {
    constexpr std::string_view kShape = ".shape[";
    constexpr std::int64_t kMostAxes = 16;
    if (is_name(name)) return trace::Assumption{std::string(name), std::nullopt, 0};
    const std::size_t at = name.find(kShape);
    if (at == std::string_view::npos || !name.ends_with(']') || !is_name(name.substr(0, at))) return std::nullopt;
    const std::string_view axis = name.substr(at + kShape.size(), name.size() - at - kShape.size() - 1);
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(axis.data(), axis.data() + axis.size(), number);
    if (fault != std::errc() || end != axis.data() + axis.size() || number < -kMostAxes || number >= kMostAxes) {
        return std::nullopt;
    }
    return trace::Assumption{std::string(name.substr(0, at)), number, 0};
}

class Reader {
  public:
    Reader(const std::string& path, Language language) : path_(path), language_(language) {}

    std::expected<FileConfig, ConfigError> read(const toml::table& table) {
        config_.path = path_;
        config_.folder = std::filesystem::path(absolute_path(path_)).parent_path().string();
        for (const auto& [key, node] : table) {
            if (!read(key.str(), node)) return std::unexpected(std::move(*error_));
        }
        return std::move(config_);
    }

    ConfigError error_at(const toml::source_region& where, std::string_view id, Data data = {}) const {
        data.set("path", path_)
            .set("line", std::int64_t{where.begin.line})
            .set("column", std::int64_t{where.begin.column});
        return {path_, rules::render({id, std::move(data)}, language_)};
    }

    /// The parser's words are English only: the line speaks for itself.
    ConfigError broken(const toml::parse_error& error, std::string_view text) const {
        // x.shape[0] = 16: a bracket needs quotes.
        const std::string line = excerpt(text, error.source().begin.line);
        if (const auto at = line.find(".shape["); at != std::string::npos && line.find_first_of("\"'") > at) {
            return error_at(error.source(), "config.assume_quotes", Data().set("name", line.substr(0, line.find('='))));
        }
        const bool twice = error.description().find("redefine") != std::string_view::npos;
        return error_at(error.source(), twice ? "config.defined_twice" : "config.broken",
                        Data().set("excerpt", excerpt(text, error.source().begin.line)));
    }

  private:
    /// A line of the file, for a message: not too long, and nothing in it that could disturb a terminal.
    static std::string excerpt(std::string_view text, std::uint32_t line) {
        constexpr std::size_t kLongest = 60;
        const text::LineIndex lines(text);
        std::string_view words = lines.line_text(std::clamp(line, 1U, lines.line_count()));
        while (words.starts_with(' ') || words.starts_with('\t')) words.remove_prefix(1);
        return text::TerminalLine(words.substr(0, text::floor_to_code_point(words, kLongest))).text();
    }

    bool fail(const toml::node& node, std::string_view id, Data data) {
        error_ = error_at(node.source(), id, std::move(data));
        return false;
    }

    bool read(std::string_view key, const toml::node& node) {
        if (key == "soc") return read_soc(node);
        if (key == "frontend") {
            std::string value;
            if (!read_word(key, node, kFrontends, value)) return false;
            config_.legacy_frontend = value == "legacy";
            return true;
        }
        if (key == "select") {
            if (!read_rules(key, node, config_.selected)) return false;
            // An empty list would mean none or all, depending on whom one asks.
            return !config_.selected.empty() || fail(node, "config.selects_nothing", {});
        }
        if (key == "ignore") return read_rules(key, node, config_.ignored);
        if (key == "exclude")
            return read_strings(key, node, [&](const toml::node&, const std::string& pattern) {
                config_.exclude.push_back(pattern);
                return true;
            });
        if (key == "respect-gitignore") return read_switch(key, node, config_.respect_gitignore);
        if (key == "severity") return read_severities(node);
        if (key == "assume") return read_assume(node);
        if (const auto near = rules::nearest(key, kKeys)) {
            return fail(node, "config.unknown_key_near",
                        Data().set("key", std::string(key)).set("near", std::string(*near)));
        }
        return fail(node, node.is_integer() ? "config.unknown_key_size" : "config.unknown_key",
                    Data().set("key", std::string(key)).set("known", fmt::format("{}", fmt::join(kKeys, ", "))));
    }

    bool wrong_type(std::string_view key, const toml::node& node, std::string_view wanted) {
        const std::string_view id = wanted == "text"     ? "config.wants_text"
                                    : wanted == "list"   ? "config.wants_list"
                                    : wanted == "switch" ? "config.wants_switch"
                                                         : "config.wants_table";
        return fail(node, id, Data().set("key", std::string(key)));
    }

    bool read_word(std::string_view key, const toml::node& node, std::span<const std::string_view> known,
                   std::string& out) {
        const auto* text = node.as_string();
        if (text == nullptr) return wrong_type(key, node, "text");
        out = text->get();
        if (std::ranges::find(known, out) != known.end()) return true;
        return fail(node, "config.bad_value",
                    Data()
                        .set("key", std::string(key))
                        .set("value", out)
                        .set("known", fmt::format("{}", fmt::join(known, ", "))));
    }

    bool read_switch(std::string_view key, const toml::node& node, bool& out) {
        const auto* value = node.as_boolean();
        if (value == nullptr) return wrong_type(key, node, "switch");
        out = value->get();
        return true;
    }

    bool read_soc(const toml::node& node) {
        const auto* text = node.as_string();
        if (text == nullptr) return wrong_type("soc", node, "text");
        config_.soc = text->get();
        if (hardware::soc_of_name(config_.soc)) return true;
        std::vector<std::string_view> known;
        for (const hardware::Pools& pools : hardware::all_pools()) known.push_back(pools.name);
        return fail(node, "config.bad_value",
                    Data()
                        .set("key", std::string("soc"))
                        .set("value", config_.soc)
                        .set("known", fmt::format("{}", fmt::join(known, ", "))));
    }

    template <typename Take>
    bool read_strings(std::string_view key, const toml::node& node, Take&& take) {
        const toml::array* list = node.as_array();
        if (list == nullptr) return wrong_type(key, node, "list");
        for (const toml::node& item : *list) {
            const auto* text = item.as_string();
            if (text == nullptr) return wrong_type(key, item, "list");
            if (!take(item, text->get())) return false;
        }
        return true;
    }

    bool read_rules(std::string_view key, const toml::node& node, std::vector<std::string>& out) {
        return read_strings(key, node, [&](const toml::node& item, const std::string& word) {
            out.push_back(canonical_selector(word));
            return !out.back().empty() || unknown_rule(item, word);
        });
    }

    bool unknown_rule(const toml::node& node, const std::string& rule) {
        if (const auto near = rules::nearest_rule(rule)) {
            return fail(node, "config.unknown_rule_near", Data().set("rule", rule).set("near", std::string(*near)));
        }
        return fail(node, "config.unknown_rule", Data().set("rule", rule));
    }

    bool read_assume(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) return wrong_type("assume", node, "table");
        for (const auto& [key, item] : *table) {
            auto assumption = assumption_of(key.str());
            if (!assumption) {
                const std::string_view id = item.is_table() ? "config.assume_quotes" : "config.assume_name";
                return fail(item, id, Data().set("name", std::string(key.str())));
            }
            const auto* number = item.as_integer();
            if (number == nullptr || number->get() < 1 || number->get() > kLargestDim) {
                return fail(item, item.is_table() ? "config.assume_quotes" : "config.assume_number",
                            Data().set("name", std::string(key.str())).set("most", kLargestDim));
            }
            assumption->value = number->get();
            config_.assume.push_back(std::move(*assumption));
        }
        return true;
    }

    bool read_severities(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) return wrong_type("severity", node, "table");
        for (const auto& [key, item] : *table) {
            FileConfig::Severity severity{canonical_selector(key.str()), std::nullopt};
            if (severity.rule.empty()) return unknown_rule(item, std::string(key.str()));
            std::string word;
            if (!read_word(fmt::format("severity.{}", key.str()), item, kSeverities, word)) return false;
            if (word == "error") severity.severity = rules::Severity::error;
            if (word == "warning") severity.severity = rules::Severity::warning;
            if (word == "info") severity.severity = rules::Severity::info;
            config_.severities.push_back(std::move(severity));
        }
        // What is said about one rule is stronger than what is said about a family.
        std::ranges::stable_sort(config_.severities, {}, [](const auto& s) { return s.rule.size(); });
        return true;
    }

    const std::string& path_;
    Language language_;
    FileConfig config_;
    std::optional<ConfigError> error_;
};

std::optional<std::string> read_file(const std::string& path, int& error) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        error = errno;
        return std::nullopt;
    }
    const text::FileDescriptor file(fd);
    std::string bytes;
    error = text::read_all(file.get(), kMaxConfigBytes + 1, bytes);
    if (error == 0 && bytes.size() > kMaxConfigBytes) error = EFBIG;  // half of it would be read as if it were all
    if (error != 0) return std::nullopt;
    return bytes;
}

}  // namespace

std::string absolute_path(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

bool FileConfig::excludes(const std::string& absolute) const {
    if (exclude.empty() || !absolute.starts_with(folder)) return false;
    std::string_view relative = std::string_view(absolute).substr(folder.size());
    while (relative.starts_with('/')) relative.remove_prefix(1);
    // A pattern that names a folder excludes what is in it; one without a slash may match at any depth.
    for (std::size_t end = relative.find('/');; end = relative.find('/', end + 1)) {
        const std::string part(relative.substr(0, end));
        const std::string name = part.substr(part.rfind('/') + 1);
        for (std::string pattern : exclude) {
            while (pattern.ends_with('/')) pattern.pop_back();
            const bool anywhere = pattern.find('/') == std::string::npos;
            if (::fnmatch(pattern.c_str(), anywhere ? name.c_str() : part.c_str(), 0) == 0) return true;
        }
        if (end == std::string_view::npos) return false;
    }
}

ConfigResult parse_config(const std::string& path, std::string_view text, bool is_pyproject, Language language) {
    Reader reader(path, language);
    const toml::parse_result parsed = toml::parse(text, path);
    if (!parsed) {
        return std::unexpected(reader.broken(parsed.error(), text));
    }
    const toml::table* table = &parsed.table();
    if (is_pyproject) {
        const auto tool = parsed.table()["tool"]["pto-fix"];
        if (!tool) return std::shared_ptr<const FileConfig>();
        table = tool.as_table();
        if (table == nullptr) {
            return std::unexpected(reader.error_at(tool.node()->source(), "config.wants_table",
                                                   Data().set("key", std::string("tool.pto-fix"))));
        }
    }
    auto config = reader.read(*table);
    if (!config) return std::unexpected(std::move(config.error()));
    return std::make_shared<const FileConfig>(std::move(*config));
}

ConfigResult ConfigFinder::read(const std::string& path) {
    int error = 0;
    const auto bytes = read_file(path, error);
    if (!bytes) {
        const Data data = Data().set("path", path).set("detail", in_language(text::error_text(error), language_));
        return std::unexpected(ConfigError{path, rules::render({"config.unreadable", data}, language_)});
    }
    const bool is_pyproject = std::filesystem::path(path).filename() == kProjectFileName;
    ConfigResult result = parse_config(path, *bytes, is_pyproject, language_);
    if (result && *result == nullptr) return std::make_shared<const FileConfig>();
    return result;
}

ConfigResult ConfigFinder::of_file(const std::string& absolute) {
    return of_folder(std::filesystem::path(absolute).parent_path().string());
}

ConfigResult ConfigFinder::of_folder(const std::string& folder) {
    // Upwards to the nearest folder that is known or has one, then down again to remember it.
    std::vector<std::string> passed;
    std::filesystem::path at(folder);
    ConfigResult found = std::make_shared<const FileConfig>();
    while (true) {
        if (const auto known = by_folder_.find(at.string()); known != by_folder_.end()) {
            found = known->second;
            break;
        }
        passed.push_back(at.string());
        const std::string own = (at / kFileName).string();
        const std::string project = (at / kProjectFileName).string();
        if (::access(own.c_str(), F_OK) == 0) {
            found = read(own);
            break;
        }
        int error = 0;
        if (const auto bytes = read_file(project, error)) {
            // A pyproject.toml that says nothing of pto-fix may be broken without our saying so.
            if (bytes->find("pto-fix") != std::string::npos) {
                ConfigResult result = parse_config(project, *bytes, true, language_);
                if (!result || *result != nullptr) {
                    found = std::move(result);
                    break;
                }
            }
        } else if (error != ENOENT && error != ENOTDIR && error != EISDIR) {
            // One that cannot be read may say what is wanted here: nobody is told by going on without it.
            found = read(project);
            break;
        }
        if (!at.has_relative_path()) break;
        at = at.parent_path();
    }
    for (std::string& path : passed) by_folder_.emplace(std::move(path), found);
    return found;
}

}  // namespace ptofix::config
