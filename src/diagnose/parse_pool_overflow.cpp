// F40005. "Alloc tensor [16] size [262144] exceeds MEM_UB size [196608]!", "OP CAST[10005] in/output total size
// [245760] exceeds MEM_UB size [196608]!", and as the experience notes quote it "tensor [16] size [1048576] exceeds
// MEM_L1 [524288]".
#include <algorithm>
#include <array>

#include "diagnose/parsers.h"
#include "diagnose/words.h"

namespace ptofix::diagnose {

namespace {

constexpr std::string_view kExceeds = " exceeds ";
constexpr std::string_view kMemory = "MEM_";
constexpr std::array<std::string_view, 9> kPools{"UB", "L1", "L0A", "L0B", "L0C", "BT", "FB", "FIX", "FIX_QUANT_PRE"};

/// "CAST" of "OP CAST[10005] in/output total size".
std::string_view operation_of(std::string_view before) {
    const std::size_t at = before.rfind("OP ");
    if (at == std::string_view::npos || (at > 0 && is_word(before[at - 1]))) return {};
    return word_at(before.substr(at + 3));
}

}  // namespace

std::optional<PoolOverflow> parse_pool_overflow(std::string_view line) {
    const std::size_t at = line.find(kExceeds);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = line.substr(0, at);
    std::string_view after = line.substr(at + kExceeds.size());
    if (!after.starts_with(kMemory)) return std::nullopt;
    after.remove_prefix(kMemory.size());
    PoolOverflow found;
    found.pool = word_at(after);
    if (std::ranges::find(kPools, found.pool) == kPools.end()) return std::nullopt;
    found.limit = number_between(after, "[", "]");
    const std::size_t size = before.rfind("size [");
    if (size != std::string_view::npos) found.size = number_between(before.substr(size), "[", "]");
    if (found.size && *found.size <= 0) found.size.reset();
    if (found.limit && *found.limit <= 0) found.limit.reset();
    if (before.find("total size") != std::string_view::npos) found.operation = operation_of(before);
    found.id = found.operation.empty() ? number_after(before, "ensor [") : number_after(before, found.operation + "[");
    return found;
}

}  // namespace ptofix::diagnose
