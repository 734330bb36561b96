// What a call hands over, as far as it is known: values by position and by name, and where each was written.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/site.h"
#include "trace/value.h"

namespace ptofix::trace {

struct Arguments {
    std::vector<Value> positional;
    std::vector<Site> positional_sites;  // the expression of each; for * the element's origin
    std::vector<Site> splat_sites;       // the * or ** argument it came through, unknown otherwise; as positional
    std::vector<std::pair<std::string_view, Value>> keyword;
    std::vector<Site> keyword_sites;
    std::vector<Site> keyword_splats;
    bool open = false;            // * or ** of something unknown: there may be more
    bool open_positions = false;  // ... by position, after those that are known
    bool open_keywords = false;   // ... by name
    std::vector<Value> trailing;  // the last ones by position, after those that are not known; settle() may place them
    std::vector<Site> trailing_sites;

    void reserve(std::size_t by_position, std::size_t by_name) {
        positional.reserve(by_position);
        positional_sites.reserve(by_position);
        splat_sites.reserve(by_position);
        keyword.reserve(by_name);
        keyword_sites.reserve(by_name);
        keyword_splats.reserve(by_name);
    }
    void push(const Value& v, Site site, Site splat) {
        positional.push_back(v);
        positional_sites.push_back(site);
        splat_sites.push_back(splat);
    }
    const Value* find(std::string_view name) const {
        for (const auto& [n, v] : keyword) {
            if (n == name) return &v;
        }
        return nullptr;
    }
    /// Keyword, else position, else null.
    const Value* get(std::size_t position, std::string_view name) const {
        if (position < positional.size()) return &positional[position];
        return find(name);
    }
};

}  // namespace ptofix::trace
