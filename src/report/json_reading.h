// Values of a JSON document that somebody else may have written: what is not there, or of another kind, reads as empty.
// Only for this folder.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace ptofix::report {

/// The value at a path of keys; null: there is none.
template <class Json>
const Json* value_at(const Json& value, std::initializer_list<const char*> keys) {
    const Json* at = &value;
    for (const char* key : keys) {
        if (!at->is_object()) return nullptr;
        const auto found = at->find(key);
        if (found == at->end()) return nullptr;
        at = &*found;
    }
    return at;
}

template <class Json>
std::string text_at(const Json& value, std::initializer_list<const char*> keys) {
    const Json* found = value_at(value, keys);
    return found != nullptr && found->is_string() ? found->template get<std::string>() : std::string();
}

template <class Json>
std::int64_t number_at(const Json& value, std::initializer_list<const char*> keys, std::int64_t otherwise = 0) {
    const Json* found = value_at(value, keys);
    return found != nullptr && found->is_number_integer() ? found->template get<std::int64_t>() : otherwise;
}

}  // namespace ptofix::report
