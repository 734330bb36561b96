// 128-bit hashes (XXH3): enough to tell texts apart, no protection against somebody who makes two alike on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ptofix::cache {

struct Digest {
    std::uint64_t high = 0, low = 0;
    bool operator==(const Digest&) const = default;

    std::string hex() const;  // 32 digits
};

Digest digest_of(std::string_view bytes);

/// Of several texts, told apart from any other way to split the same bytes.
class DigestBuilder {
  public:
    DigestBuilder& add(std::string_view text);
    DigestBuilder& add(std::int64_t number);
    DigestBuilder& add(Digest digest);
    Digest finish() const { return digest_of(bytes_); }

  private:
    std::string bytes_;
};

}  // namespace ptofix::cache
