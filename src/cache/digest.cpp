#include "cache/digest.h"

#include <fmt/format.h>

// Compiled in: nothing to be found when the program starts.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ptofix::cache {

std::string Digest::hex() const {
    return fmt::format("{:016x}{:016x}", high, low);
}

Digest digest_of(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

DigestBuilder& DigestBuilder::add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
    return *this;
}

DigestBuilder& DigestBuilder::add(std::int64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
}

DigestBuilder& DigestBuilder::add(Digest digest) {
    return add(static_cast<std::int64_t>(digest.high)).add(static_cast<std::int64_t>(digest.low));
}

}  // namespace ptofix::cache
