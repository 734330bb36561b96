#include "cli/merge_shards.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>

namespace ptofix::cli {

namespace {

using rules::Data;

/// "2, 5-7": those of 1 to `of` that are not there, of which there may be many.
std::string missing(const std::map<std::uint32_t, std::size_t>& present, std::uint32_t of) {
    std::string out;
    std::uint64_t next = 1;
    const auto add_up_to = [&](std::uint64_t end) {
        if (next >= end) return;
        out += out.empty() ? "" : ", ";
        out += end - next == 1 ? fmt::format("{}", next) : fmt::format("{}-{}", next, end - 1);
    };
    for (const auto& [number, where] : present) {
        add_up_to(number);
        next = std::uint64_t{number} + 1;
    }
    add_up_to(std::uint64_t{of} + 1);
    return out;
}

}  // namespace

std::optional<ShardFault> fault_of_shards(std::span<const std::optional<report::ShardOfRun>> shards,
                                          std::span<const std::string> paths) {
    std::map<std::uint32_t, std::size_t> present;  // where, by number
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        if (!shards[i]) continue;
        if (!first) first = i;
        if (shards[i]->of != shards[*first]->of) {
            Data data = Data().set("path", paths[i]).set("of", std::int64_t{shards[i]->of});
            data.set("other", paths[*first]).set("of_other", std::int64_t{shards[*first]->of});
            return ShardFault{"cli.merge_other_split", std::move(data)};
        }
        const auto [same, fresh] = present.emplace(shards[i]->number, i);
        if (!fresh) {
            Data data = Data().set("path", paths[i]).set("other", paths[same->second]);
            data.set("number", std::int64_t{shards[i]->number}).set("of", std::int64_t{shards[i]->of});
            return ShardFault{"cli.merge_twice", std::move(data)};
        }
    }
    if (!first) return std::nullopt;
    const std::uint32_t of = shards[*first]->of;
    std::string numbers = missing(present, of);
    if (numbers.empty()) return std::nullopt;
    return ShardFault{"cli.merge_missing", Data().set("of", std::int64_t{of}).set("numbers", std::move(numbers)), true};
}

}  // namespace ptofix::cli
