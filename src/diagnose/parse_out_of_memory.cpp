// "RuntimeError: NPU out of memory. Tried to allocate 24.00 GiB (NPU 0; 60.97 GiB total capacity; ...)"
#include <array>
#include <charconv>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr std::array kUnits{Unit{"TiB", 0x1p40}, Unit{"GiB", 0x1p30}, Unit{"MiB", 0x1p20}, Unit{"KiB", 0x1p10},
                            Unit{"bytes", 1}};

}  // namespace

std::optional<OutOfMemory> parse_out_of_memory(std::string_view line) {
    const std::size_t at = line.find("NPU out of memory");
    if (at == std::string_view::npos) return std::nullopt;
    OutOfMemory found;
    const std::string_view amount = behind(line.substr(at), "Tried to allocate ");
    double number = 0;
    const auto [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), number);
    if (error != std::errc{} || !(number >= 0)) return found;
    std::string_view rest = amount.substr(static_cast<std::size_t>(end - amount.data()));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    for (const Unit& unit : kUnits) {
        constexpr double kMost = 0x1p62;
        if (rest.starts_with(unit.name) && number * unit.bytes < kMost) {
            found.bytes = static_cast<std::int64_t>(number * unit.bytes);
        }
    }
    return found;
}

}  // namespace ptofix::diagnose
