#include "rules/finding.h"

#include <algorithm>

namespace ptofix::rules {

Data& Data::set(std::string key, DataValue value) {
    const auto at = std::ranges::find(items_, key, &std::pair<std::string, DataValue>::first);
    if (at != items_.end()) {
        at->second = std::move(value);
    } else {
        items_.emplace_back(std::move(key), std::move(value));
    }
    return *this;
}

const DataValue* Data::find(std::string_view key) const {
    const auto at = std::ranges::find(items_, key, &std::pair<std::string, DataValue>::first);
    return at == items_.end() ? nullptr : &at->second;
}

}  // namespace ptofix::rules
