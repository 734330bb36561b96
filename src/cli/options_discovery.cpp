#include "cli/options_discovery.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include "cli/option_kinds.h"

namespace ptofix::cli {

namespace {

/// "2/8": the second of eight parts.
std::optional<Shard> shard_of(std::string_view text) {
    Shard shard;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto read = [](std::string_view digits, std::uint32_t& number) {
        const char* const begin = digits.data();
        const char* const end = begin + digits.size();
        const auto [stop, error] = std::from_chars(begin, end, number);
        return error == std::errc{} && stop == end && number > 0;
    };
    if (!read(text.substr(0, slash), shard.number) || !read(text.substr(slash + 1), shard.of)) return std::nullopt;
    return shard.number > shard.of ? std::nullopt : std::optional(shard);
}

}  // namespace

void add_discovery_options(CLI::App& app, RawFileChoice& raw) {
    add_flag(app, "--no-respect-gitignore", raw.no_respect_gitignore);
    add_option(app, "--files-from", raw.files_from);
    add_flag(app, "--null", raw.null);
    add_option(app, "--since", raw.since);
    add_flag(app, "--staged", raw.staged);
    add_option(app, "--shard", raw.shard);
}

std::optional<OptionFault> read_discovery_options(const RawFileChoice& raw, FileChoice& choice) {
    choice.respect_gitignore = !raw.no_respect_gitignore;
    if (!raw.files_from.empty()) choice.files_from = raw.files_from.back();
    choice.null_ends_paths = raw.null;
    if (raw.null && choice.files_from.empty()) return OptionFault{"cli.null_alone"};
    if (!raw.since.empty()) choice.since = raw.since.back();
    choice.staged = raw.staged;
    if (raw.staged && !raw.since.empty()) return OptionFault{"cli.since_and_staged"};
    if (!raw.shard.empty()) {
        const auto shard = shard_of(raw.shard.back());
        if (!shard) return OptionFault{"cli.bad_shard", rules::Data().set("value", raw.shard.back())};
        choice.shard = *shard;
    }
    return std::nullopt;
}

std::string_view given_discovery_option(const RawFileChoice& raw) {
    const std::pair<std::string_view, bool> options[] = {
        {"--no-respect-gitignore", raw.no_respect_gitignore},
        {"--files-from", !raw.files_from.empty()},
        {"--null", raw.null},
    };
    for (const auto& [name, given] : options) {
        if (given) return name;
    }
    return given_part_option(raw);
}

std::string_view given_part_option(const RawFileChoice& raw) {
    if (!raw.since.empty()) return "--since";
    if (raw.staged) return "--staged";
    return raw.shard.empty() ? "" : "--shard";
}

}  // namespace ptofix::cli
