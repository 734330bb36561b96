// The undo log of the tracer. Arms of an undecided condition and trial runs of loop bodies change names, lists, dicts,
// instances and the tile state; the trail takes those changes back, tells which places changed, and puts joined values there.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "trace/heap.h"

namespace ptofix::trace {

struct TileState {
    TileId vec = kNone, cube = kNone;
    bool operator==(const TileState&) const = default;
};

/// A place that holds mutable state.
struct Place {
    enum class Kind : std::uint8_t { name, list, dict, instance, tiles } kind;
    void* object;             // Scope, List, Dict, Instance, TileState
    std::uint32_t index = 0;  // name: entry of the scope
    auto operator<=>(const Place&) const = default;
};

using Attributes = std::vector<std::pair<std::string_view, Value>>;
struct NameContent {
    Value value;
    bool bound;
    std::uint32_t written;
};
using Content = std::variant<NameContent, List, Dict, Instance, TileState>;

struct Change {
    Place place;
    Content content;  // what is there now
    Content before;   // what was there at the mark
};

class Trail {
  public:
    using Mark = std::size_t;

    /// While any mark is open, changes are logged.
    Mark open() {
        ++open_;
        return entries_.size();
    }
    void close() {
        if (--open_ == 0) entries_.clear();
    }

    /// Call before the change.
    void before(Place place) {
        if (open_ != 0) save(place);
    }
    /// The places changed since the mark, each once, in the order of Place.
    std::vector<Change> changes(Mark mark) const;
    void rollback(Mark mark);
    /// Writes content into a place, logged like any change.
    void put(const Place& place, const Content& content);

    static Content read(const Place& place);

  private:
    void save(Place place);
    static void restore(const Place& place, const Content& content);
    struct Entry {
        Place place;
        Content old;
    };
    std::vector<Entry> entries_;
    int open_ = 0;
};

}  // namespace ptofix::trace
