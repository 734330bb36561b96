// A few names among the many of a file: most of those are told from them without a look into a table.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>

#include "trace/heap.h"

namespace ptofix::trace {

class NameFilter {
  public:
    void add(std::string_view name) { places_.set(place(name)); }
    /// Never false for one that was added.
    bool may_have(std::string_view name) const { return places_.test(place(name)); }

  private:
    static constexpr unsigned kBits = 11;
    static std::size_t place(std::string_view name) {
        return static_cast<std::uint32_t>(Scope::key_of(name) * 2'654'435'761U) >> (32U - kBits);
    }
    std::bitset<1U << kBits> places_;
};

}  // namespace ptofix::trace
