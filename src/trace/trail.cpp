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
    std::vector<std::size_t> order;
    order.reserve(entries_.size() - mark);
    for (std::size_t i = mark; i < entries_.size(); ++i) order.push_back(i);
    // Stable: of several entries of one place the first has what was there at the mark.
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return entries_[i].place; });
    std::vector<Change> out;
    for (std::size_t i : order) {
        const Entry& e = entries_[i];
        if (!out.empty() && out.back().place == e.place) continue;
        out.push_back({e.place, read(e.place), e.old});
    }
    return out;
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
