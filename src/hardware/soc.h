// On-chip memory of the Ascend SoCs that PyPTO compiles for, in bytes. Source: the framework's
// framework/src/platform/parser/simulation_platform/platform_config/*.ini (UB of 950: 256 KB less an 8 KB reserve).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ptofix::hardware {

enum class Soc : std::uint8_t { a2a3, ascend950, kirin_x90, kirin_9030 };

struct Pools {
    std::string_view name;  // as given to --soc
    std::int64_t ub, l1, l0a, l0b, l0c;
    std::int64_t bt;  // bias table
    std::int64_t fb;  // fixpipe buffer of the quantisation scales (fb0_size)
};

const Pools& pools(Soc soc);
std::span<const Pools> all_pools();
/// "a2a3", "a2", "a3", "910b", "910c", "950", "950pr", "950dt", "kirinx90", "kirin9030" ..., case, '-' and '_' ignored,
/// "ascend" in front ignored.
std::optional<Soc> soc_of_name(std::string_view name);

}  // namespace ptofix::hardware
