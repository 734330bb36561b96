#include "config/file_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <span>

#include "config/config_bytes.h"
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

constexpr std::string_view kKeys[] = {"extend",
                                      "soc",
                                      "frontend",
                                      "select",
                                      "ignore",
                                      "exclude",
                                      "extend-exclude",
                                      "per-file-ignores",
                                      "respect-gitignore",
                                      "severity",
                                      "assume"};
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
    Reader(const std::string& path, Language language, std::vector<std::string> chain)
        : path_(path), folder_(folder_of(path)), language_(language), chain_(std::move(chain)) {}

    std::expected<FileConfig, ConfigError> read(const toml::table& table) {
        // What it extends comes first, wherever it stands: everything else is said on top of that.
        if (const toml::node* base = table.get("extend"); base != nullptr && !read_base(*base)) {
            return std::unexpected(std::move(*error_));
        }
        config_.path = path_;
        for (const auto& [key, node] : table) {
            if (key.str() != "extend" && !read(key.str(), node)) return std::unexpected(std::move(*error_));
        }
        std::ranges::move(excludes_, std::back_inserter(config_.exclude));
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
    static std::string folder_of(const std::string& path) {
        return std::filesystem::path(absolute_path(path)).parent_path().string();
    }

    bool read_base(const toml::node& node) {
        const auto* text = node.as_string();
        if (text == nullptr) return wrong_type("extend", node, "text");
        const std::string base = absolute_path((std::filesystem::path(folder_) / text->get()).string());
        std::vector<std::string> chain = chain_;
        chain.push_back(absolute_path(path_));
        if (const auto again = std::ranges::find(chain, base); again != chain.end()) {
            chain.push_back(base);
            chain.erase(chain.begin(), std::ranges::find(chain, base));
            return fail(node, "config.extend_cycle", Data().set("chain", fmt::format("{}", fmt::join(chain, " -> "))));
        }
        int error = 0;
        const auto bytes = read_config_bytes(base, error);
        if (!bytes) {
            const std::string detail = in_language(text::error_text(error), language_);
            return fail(node, "config.extend_unreadable", Data().set("base", base).set("detail", detail));
        }
        ConfigResult read = parse_config(base, *bytes, is_project_file(base), language_, std::move(chain));
        if (!read) {
            error_ = std::move(read.error());
            return false;
        }
        if (*read == nullptr) return fail(node, "config.extend_nothing", Data().set("base", base));
        config_ = **read;
        return true;
    }

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
            config_.selected.clear();
            if (!read_rules(key, node, config_.selected)) return false;
            // An empty list would mean none or all, depending on whom one asks.
            return !config_.selected.empty() || fail(node, "config.selects_nothing", {});
        }
        if (key == "ignore") {
            config_.ignored.clear();
            return read_rules(key, node, config_.ignored);
        }
        if (key == "exclude") {
            config_.exclude.clear();
            return read_excludes(key, node);
        }
        if (key == "extend-exclude") return read_excludes(key, node);
        if (key == "per-file-ignores") return read_per_file_ignores(node);
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

    bool read_excludes(std::string_view key, const toml::node& node) {
        return read_strings(key, node, [&](const toml::node& item, const std::string& glob) {
            if (glob.starts_with('!')) {
                return fail(item, "config.exclude_but", Data().set("key", std::string(key)).set("pattern", glob));
            }
            excludes_.push_back({folder_, glob});
            return true;
        });
    }

    bool read_per_file_ignores(const toml::node& node) {
        const toml::table* table = node.as_table();
        if (table == nullptr) return wrong_type("per-file-ignores", node, "table");
        for (const auto& [key, item] : *table) {
            const std::string_view glob = key.str();
            const bool others = glob.starts_with('!');
            FileConfig::PerFile ignores{{folder_, std::string(glob.substr(others ? 1 : 0))}, {}, others};
            if (!read_rules(fmt::format("per-file-ignores.{}", key.str()), item, ignores.ignored)) return false;
            config_.per_file_ignores.push_back(std::move(ignores));
        }
        return true;
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
            std::erase_if(config_.assume, [&](const trace::Assumption& other) {
                return other.name == assumption->name && other.axis == assumption->axis;
            });
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
    std::string folder_;
    Language language_;
    std::vector<std::string> chain_;  // of the files that extend this one, the first of all first
    FileConfig config_;
    std::vector<Pattern> excludes_;  // this file's own
    std::optional<ConfigError> error_;
};

}  // namespace

std::string absolute_path(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

std::string absolute_path(const std::string& path, const std::string& here) {
    // Most paths are as they should be: found in a folder that was.
    const bool is_plain = !path.empty() && !path.starts_with('.') && path.find("//") == std::string::npos &&
                          path.find("/.") == std::string::npos;
    if (!is_plain) return (std::filesystem::path(here) / path).lexically_normal().string();
    if (path.starts_with('/')) return path;
    return here.ends_with('/') ? here + path : here + '/' + path;
}

bool FileConfig::excludes(const std::string& absolute) const {
    return std::ranges::any_of(exclude, [&](const Pattern& pattern) { return pattern.matches(absolute); });
}

ConfigResult parse_config(const std::string& path, std::string_view text, bool is_pyproject, Language language,
                          std::vector<std::string> chain) {
    Reader reader(path, language, std::move(chain));
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

}  // namespace ptofix::config
