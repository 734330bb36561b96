#include "hardware/soc.h"

#include <string>
#include <utility>

namespace ptofix::hardware {
namespace {

constexpr Pools kPools[] = {
    // A2A3.ini, 910PR_9363.ini
    {.name = "a2a3", .ub = 196608, .l1 = 524288, .l0a = 65536, .l0b = 65536, .l0c = 131072, .bt = 1024, .fb = 2048},
    // 950PR_957x.ini, 950PR_958x.ini, 950DT_957x.ini, 950DT_958x.ini, 950DT_9581.ini, 950DT_9581x.ini
    {.name = "950", .ub = 253952, .l1 = 524288, .l0a = 65536, .l0b = 65536, .l0c = 262144, .bt = 4096, .fb = 4096},
    // KirinX90.ini
    {.name = "kirinx90",
     .ub = 131072,
     .l1 = 1048576,
     .l0a = 65536,
     .l0b = 65536,
     .l0c = 131072,
     .bt = 1024,
     .fb = 2048},
    // Kirin9030.ini
    {.name = "kirin9030", .ub = 131072, .l1 = 524288, .l0a = 32768, .l0b = 32768, .l0c = 65536, .bt = 1024, .fb = 2048},
};

constexpr std::pair<std::string_view, Soc> kNames[] = {
    {"a2a3", Soc::a2a3},
    {"a2", Soc::a2a3},
    {"a3", Soc::a2a3},
    {"910b", Soc::a2a3},
    {"910b1", Soc::a2a3},
    {"910b2", Soc::a2a3},
    {"910b3", Soc::a2a3},
    {"910b4", Soc::a2a3},
    {"910c", Soc::a2a3},
    {"910c4", Soc::a2a3},
    {"dav2201", Soc::a2a3},
    {"950", Soc::ascend950},
    {"950pr", Soc::ascend950},
    {"950dt", Soc::ascend950},
    {"a5", Soc::ascend950},
    {"dav3510", Soc::ascend950},
    {"kirinx90", Soc::kirin_x90},
    {"x90", Soc::kirin_x90},
    {"kirin9030", Soc::kirin_9030},
    {"9030", Soc::kirin_9030},
};

}  // namespace

const Pools& pools(Soc soc) {
    return kPools[static_cast<std::size_t>(soc)];
}
std::span<const Pools> all_pools() {
    return kPools;
}

std::optional<Soc> soc_of_name(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (c == '-' || c == '_' || c == ' ' || c == '/') continue;
        plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    constexpr std::string_view kVendor = "ascend";
    if (plain.starts_with(kVendor)) plain.erase(0, kVendor.size());
    for (const auto& [known, soc] : kNames) {
        if (known == plain) return soc;
    }
    return {};
}

}  // namespace ptofix::hardware
