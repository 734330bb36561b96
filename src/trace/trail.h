// The undo log of the tracer. Arms of an undecided condition and trial runs of loop bodies change names, lists, dicts,
// instances and the tile state; the trail takes those changes back, tells which places changed, and puts joined values
// there.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
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
    enum class Kind : std::uint8_t { name, list, dict, instance, iterator, tiles } kind;
    void* object;             // Scope, List, Dict, Instance, Iterator, TileState
    std::uint32_t index = 0;  // name: entry of the scope

    /// When the object was made, by the interpreter's count.
    std::uint32_t birth() const {
        switch (kind) {
            case Kind::name:
                return static_cast<const Scope*>(object)->birth;
            case Kind::list:
                return static_cast<const List*>(object)->birth;
            case Kind::dict:
                return static_cast<const Dict*>(object)->birth;
            case Kind::instance:
                return static_cast<const Instance*>(object)->birth;
            case Kind::iterator:
                return static_cast<const Iterator*>(object)->birth;
            case Kind::tiles:
                break;
        }
        return 0;
    }
    bool operator==(const Place&) const = default;
    /// By age: addresses differ from run to run.
    std::strong_ordering operator<=>(const Place& other) const {
        if (kind != other.kind) return kind <=> other.kind;
        if (object == other.object) return index <=> other.index;
        const auto order = birth() <=> other.birth();
        return order != 0 ? order : std::compare_three_way()(object, other.object);
    }
};

using Attributes = std::vector<std::pair<std::string_view, Value>>;
struct NameContent {
    Value value;
    bool bound;
    bool partial;  // bound on some of the ways only
    std::uint32_t written;
};
using Content = std::variant<NameContent, List, Dict, Instance, std::shared_ptr<const Iterator>, TileState>;

struct Change {
    Place place;
    Content content;  // what is there now
    Content before;   // what was there at the mark
};

/// A state in which control left a construct early, or went another way through it.
struct Exit {
    std::uint32_t time = 0;     // number of the latest object made
    std::vector<Change> state;  // since the construct's mark, in the order of Place
    Value error;                // what was raised
};

class Trail {
  public:
    using Mark = std::size_t;

    /// While a mark is open, every place is logged before its first change. `now`: the number of the latest object
    /// made.
    Mark open(std::uint32_t now) {
        levels_.push_back({entries_.size(), now, ++last_serial_});
        return entries_.size();
    }
    /// Closes the latest mark.
    void close() {
        levels_.pop_back();
        if (levels_.empty()) entries_.clear();
    }

    /// Call before the change.
    void before(Place place) {
        ++writes_;
        if (!levels_.empty()) save(place);
    }
    /// The places changed since the mark, each once, in the order of Place. Names that nothing can reach any more are
    /// left out: those of calls that are over; so is what was made after `born_by`.
    std::vector<Change> changes(Mark mark, std::uint32_t born_by = UINT32_MAX) const;
    /// Their places alone.
    std::vector<Place> changed_places(Mark mark, std::uint32_t born_by = UINT32_MAX) const;
    /// Back to the latest mark, which stays open. Objects made since then keep their content: from what is older they
    /// cannot be reached any more, and what was written down about them still holds.
    void rollback(Mark mark);
    /// Writes content into a place, logged like any change.
    void put(const Place& place, const Content& content);
    /// Writes content that also a rollback keeps.
    void overwrite(const Place& place, const Content& content);
    bool is_open() const { return !levels_.empty(); }
    /// Counts up with every change: equal numbers, equal states.
    std::uint64_t writes() const { return writes_; }

    static Content read(const Place& place);
    static std::uint32_t birth(const Place& place) { return place.birth(); }

  private:
    struct Changed {
        Place place;
        std::size_t first;  // entry
        auto operator<=>(const Changed&) const = default;
    };
    std::vector<Changed> changed(Mark mark, std::uint32_t born_by) const;
    void save(Place place);
    static void restore(const Place& place, const Content& content);
    struct Entry {
        Place place;
        Content old;
    };
    struct Level {
        std::size_t begin;
        std::uint32_t born;    // objects of higher numbers are new inside it
        std::uint32_t serial;  // marks what has an entry in it
    };
    std::vector<Entry> entries_;
    std::vector<Level> levels_;
    std::uint32_t last_serial_ = 0;
    std::uint64_t writes_ = 0;
};

}  // namespace ptofix::trace
