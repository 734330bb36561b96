#include "trace/trail.h"

#include <algorithm>

namespace ptofix::trace {

Content Trail::read(const Place& place) {
    switch (place.kind) {
        case Place::Kind::name: {
            const Scope::Entry& e = static_cast<const Scope*>(place.object)->entries[place.index];
            return NameContent{e.value, e.bound, e.written};
        }
        case Place::Kind::list: return *static_cast<const List*>(place.object);
        case Place::Kind::dict: return *static_cast<const Dict*>(place.object);
        case Place::Kind::instance: return *static_cast<const Instance*>(place.object);
        case Place::Kind::tiles: return *static_cast<const TileState*>(place.object);
    }
    return TileState{};
}

void Trail::restore(const Place& place, const Content& content) {
    switch (place.kind) {
        case Place::Kind::name: {
            Scope::Entry& e = static_cast<Scope*>(place.object)->entries[place.index];
            const auto& old = std::get<NameContent>(content);
            e.value = old.value;
            e.bound = old.bound;
            e.written = old.written;
            break;
        }
        case Place::Kind::list: *static_cast<List*>(place.object) = std::get<List>(content); break;
        case Place::Kind::dict: *static_cast<Dict*>(place.object) = std::get<Dict>(content); break;
        case Place::Kind::instance: *static_cast<Instance*>(place.object) = std::get<Instance>(content); break;
        case Place::Kind::tiles: *static_cast<TileState*>(place.object) = std::get<TileState>(content); break;
    }
}

void Trail::save(Place place) { entries_.push_back({place, read(place)}); }

std::vector<Change> Trail::changes(Mark mark) const {
    std::vector<Place> places;
    places.reserve(entries_.size() - mark);
    for (std::size_t i = mark; i < entries_.size(); ++i) places.push_back(entries_[i].place);
    const auto key = [](const Place& p) { return std::tuple(p.kind, p.object, p.index); };
    std::ranges::sort(places, {}, key);
    places.erase(std::ranges::unique(places).begin(), places.end());
    std::vector<Change> out;
    out.reserve(places.size());
    for (const Place& p : places) out.push_back({p, read(p)});
    return out;
}

Content Trail::content_at(Mark mark, const Place& place) const {
    for (std::size_t i = mark; i < entries_.size(); ++i) {
        if (entries_[i].place == place) return entries_[i].old;
    }
    return read(place);
}

void Trail::rollback(Mark mark) {
    while (entries_.size() > mark) {
        restore(entries_.back().place, entries_.back().old);
        entries_.pop_back();
    }
}

void Trail::put(const Place& place, const Content& content) {
    before(place);
    restore(place, content);
}

}  // namespace ptofix::trace
