#include "trace/trail.h"

#include <algorithm>
#include <cassert>

namespace ptofix::trace {

namespace {

/// Null for names and tile shapes.
Shared* shared_of(const Place& place) {
    switch (place.kind) {
        case Place::Kind::list:
            return static_cast<List*>(place.object);
        case Place::Kind::dict:
            return static_cast<Dict*>(place.object);
        case Place::Kind::instance:
            return static_cast<Instance*>(place.object);
        case Place::Kind::iterator:
            return static_cast<Iterator*>(place.object);
        default:
            return nullptr;
    }
}

/// Content goes back; what the object is to others stays as it is.
template <class T>
void write(T* object, const T& content) {
    const Shared now = static_cast<const Shared&>(*object);
    *object = content;
    static_cast<Shared&>(*object) = now;
}

}  // namespace

Content Trail::read(const Place& place) {
    assert(place.object != nullptr);
    switch (place.kind) {
        case Place::Kind::name: {
            const Scope::Entry& e = static_cast<const Scope*>(place.object)->entries[place.index];
            return NameContent{e.value, e.bound, e.partial, e.written};
        }
        case Place::Kind::list:
            return *static_cast<const List*>(place.object);
        case Place::Kind::dict:
            return *static_cast<const Dict*>(place.object);
        case Place::Kind::instance:
            return *static_cast<const Instance*>(place.object);
        case Place::Kind::iterator:
            return std::make_shared<const Iterator>(*static_cast<const Iterator*>(place.object));
        case Place::Kind::tiles:
            return *static_cast<const TileState*>(place.object);
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
            e.partial = old.partial;
            e.written = old.written;
            break;
        }
        case Place::Kind::list:
            write(static_cast<List*>(place.object), std::get<List>(content));
            break;
        case Place::Kind::dict:
            write(static_cast<Dict*>(place.object), std::get<Dict>(content));
            break;
        case Place::Kind::instance:
            write(static_cast<Instance*>(place.object), std::get<Instance>(content));
            break;
        case Place::Kind::iterator:
            write(static_cast<Iterator*>(place.object), *std::get<std::shared_ptr<const Iterator>>(content));
            break;
        case Place::Kind::tiles:
            *static_cast<TileState*>(place.object) = std::get<TileState>(content);
            break;
    }
}

void Trail::save(Place place) {
    const std::uint32_t serial = levels_.back().serial;
    std::uint32_t* saved = nullptr;
    if (place.kind == Place::Kind::name) {
        saved = &static_cast<Scope*>(place.object)->entries[place.index].saved;
    } else if (Shared* object = shared_of(place); object != nullptr) {
        saved = &object->saved;
    }
    if (saved != nullptr) {
        if (*saved == serial) return;
        *saved = serial;
    }
    entries_.push_back({place, read(place)});
}

std::vector<Trail::Changed> Trail::changed(Mark mark, std::uint32_t born_by) const {
    std::vector<Changed> order;
    order.reserve(entries_.size() - mark);
    for (std::size_t i = mark; i < entries_.size(); ++i) {
        const Place& place = entries_[i].place;
        if (place.kind == Place::Kind::name && static_cast<const Scope*>(place.object)->ended) continue;
        if (born_by != UINT32_MAX && birth(place) > born_by) continue;
        order.push_back({place, i});
    }
    // Of several entries of one place the first has what was there at the mark.
    std::ranges::sort(order);
    const auto repeated = std::ranges::unique(order, {}, &Changed::place);
    order.erase(repeated.begin(), repeated.end());
    return order;
}

std::vector<Change> Trail::changes(Mark mark, std::uint32_t born_by) const {
    const std::vector<Changed> places = changed(mark, born_by);
    std::vector<Change> out;
    out.reserve(places.size());
    for (const Changed& c : places) out.push_back({c.place, read(c.place), entries_[c.first].old});
    return out;
}

std::vector<Place> Trail::changed_places(Mark mark, std::uint32_t born_by) const {
    std::vector<Place> out;
    for (const Changed& c : changed(mark, born_by)) out.push_back(c.place);
    return out;
}

void Trail::rollback(Mark mark) {
    ++writes_;
    if (levels_.empty()) return;
    Level& level = levels_.back();
    while (entries_.size() > mark) {
        const Entry& e = entries_.back();
        if (birth(e.place) <= level.born) restore(e.place, e.old);
        entries_.pop_back();
    }
    level.serial = ++last_serial_;  // nothing is saved in it any more
}

void Trail::overwrite(const Place& place, const Content& content) {
    ++writes_;
    for (Entry& e : entries_) {
        if (e.place == place) e.old = content;
    }
    restore(place, content);
}

void Trail::put(const Place& place, const Content& content) {
    before(place);
    restore(place, content);
}

}  // namespace ptofix::trace
