#include "cache/pack.h"

#include <cstdint>
#include <cstring>
#include <unordered_set>

namespace ptofix::cache {

namespace {

struct Head {
    Digest key;
    std::uint64_t size;
};

void add(std::string& bytes, const Digest& key, std::string_view record) {
    const Head head{key, record.size()};
    bytes.append(reinterpret_cast<const char*>(&head), sizeof head);
    bytes += record;
}

}  // namespace

void Pack::read(std::string bytes) {
    bytes_ = std::move(bytes);
    Digest digest;
    if (bytes_.size() < sizeof digest) return;
    const std::string_view body = std::string_view(bytes_).substr(0, bytes_.size() - sizeof digest);
    std::memcpy(&digest, bytes_.data() + body.size(), sizeof digest);
    if (digest_of(body) != digest) return;
    for (std::size_t at = 0; body.size() - at >= sizeof(Head);) {
        Head head;
        std::memcpy(&head, body.data() + at, sizeof head);
        at += sizeof head;
        if (head.size > body.size() - at) return;
        places_.try_emplace(head.key, at, static_cast<std::size_t>(head.size));
        at += head.size;
    }
}

std::optional<std::string_view> Pack::find(const Digest& key) const {
    const auto at = places_.find(key);
    if (at == places_.end()) return std::nullopt;
    if (!at->second.found.exchange(true)) ++found_;
    return std::string_view(bytes_).substr(at->second.begin, at->second.size);
}

std::string Pack::with(const std::vector<KeyedRecord>& records) const {
    std::string bytes;
    std::unordered_set<Digest, Hash> added;
    for (auto record = records.rbegin(); record != records.rend(); ++record) {  // the last one of a key counts
        if (added.insert(record->first).second) add(bytes, record->first, record->second);
    }
    for (const auto& [key, place] : places_) {
        if (!place.found || added.contains(key)) continue;
        add(bytes, key, std::string_view(bytes_).substr(place.begin, place.size));
    }
    const Digest digest = digest_of(bytes);
    bytes.append(reinterpret_cast<const char*>(&digest), sizeof digest);
    return bytes;
}

}  // namespace ptofix::cache
