// The records of one run in one file: the next run opens this instead of one file for each of a thousand.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cache/digest.h"

namespace ptofix::cache {

using KeyedRecord = std::pair<Digest, std::string>;

class Pack {
  public:
    /// Nothing is in it if the bytes are damaged.
    void read(std::string bytes);

    /// By several threads at once. Nothing: it is not there.
    std::optional<std::string_view> find(const Digest& key) const;
    /// The bytes of a pack of these, and of what was found in this one and is not among them.
    std::string with(const std::vector<KeyedRecord>& records) const;
    std::size_t found() const { return found_; }

  private:
    struct Place {
        Place(std::size_t first, std::size_t count) : begin(first), size(count) {}
        std::size_t begin, size;
        mutable std::atomic<bool> found = false;
    };
    struct Hash {
        std::size_t operator()(const Digest& digest) const { return digest.low; }
    };
    std::string bytes_;
    std::unordered_map<Digest, Place, Hash> places_;
    mutable std::atomic<std::size_t> found_ = 0;
};

}  // namespace ptofix::cache
