// Values of a JSON document that somebody else may have written: what is not there, or of another kind, reads as empty.
// Only for this folder.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "report/shard_of_run.h"

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

/// What is written of the shard, in an object that may hold it: false when that can't be.
template <class Json>
bool read_shard(const Json& value, std::optional<ShardOfRun>& shard) {
    const Json* found = value_at(value, {kShardKey});
    if (found == nullptr) return true;
    const std::int64_t number = number_at(*found, {"number"}), of = number_at(*found, {"of"});
    if (number < 1 || number > of || of > UINT32_MAX) return false;
    shard = ShardOfRun{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(of)};
    return true;
}

}  // namespace ptofix::report
