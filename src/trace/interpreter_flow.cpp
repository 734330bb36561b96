// Ways through a construct: what ended where, in which state, and what holds when they meet again.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// Walks the changes of one state in the order of Place.
class Cursor {
  public:
    explicit Cursor(const std::vector<Change>& state) : at_(state.data()), end_(state.data() + state.size()) {}
    /// That of the place, or null. Places are asked for in ascending order.
    const Change* find(const Place& place) {
        while (at_ != end_ && at_->place < place) ++at_;
        return at_ != end_ && at_->place == place ? at_ : nullptr;
    }

  private:
    const Change* at_;
    const Change* end_;
};

/// Nothing at all differs, not even where the value was written.
bool is_identical(const Content& a, const Content& b) {
    const auto* x = std::get_if<NameContent>(&a);
    const auto* y = std::get_if<NameContent>(&b);
    return x != nullptr && y != nullptr && x->bound == y->bound && x->partial == y->partial &&
           x->written == y->written && x->value.tag == y->value.tag && x->value.origin() == y->value.origin() &&
           x->value.as.i == y->value.as.i;
}

/// Tensors of one type are the same to the tracer; which of them is read later tells which operations are needed.
bool has_same_tensors(const Content& a, const Content& b) {
    const auto alike = [](const Value& p, const Value& q) {
        return p.tag != Tag::tensor || q.tag != Tag::tensor || p.as.tensor == q.as.tensor;
    };
    const auto alike_pairs = [&](const auto& p, const auto& q) { return alike(p.second, q.second); };
    if (const auto* x = std::get_if<NameContent>(&a)) return alike(x->value, std::get<NameContent>(b).value);
    if (const auto* x = std::get_if<List>(&a)) return std::ranges::equal(x->items, std::get<List>(b).items, alike);
    if (const auto* x = std::get_if<Dict>(&a))
        return std::ranges::equal(x->items, std::get<Dict>(b).items, alike_pairs);
    if (const auto* x = std::get_if<Instance>(&a)) {
        return std::ranges::equal(x->attributes, std::get<Instance>(b).attributes, alike_pairs);
    }
    return true;
}

}  // namespace

Exit Interpreter::exit_since(Trail::Mark mark) {
    Exit e{sequence_, trail_.changes(mark), error_};
    charge(e.state.size());
    return e;
}

void Interpreter::record_exit(Flow flow) {
    switch (flow) {
        case Flow::broke:
            if (!loops_.empty()) loops_.back().breaks.push_back(exit_since(loops_.back().mark));
            break;
        case Flow::continued:
            if (!loops_.empty()) loops_.back().continues.push_back(exit_since(loops_.back().mark));
            break;
        case Flow::returned:
            if (!frames_.empty()) frames_.back().exits.push_back(exit_since(frames_.back().mark));
            break;
        case Flow::raised:
            if (!tries_.empty()) tries_.back().raised.push_back(exit_since(tries_.back().mark));
            break;
        case Flow::normal:
            break;
    }
}

void Interpreter::merge(Trail::Mark mark, bool with_current, const std::vector<Exit>& exits, NodeId node) {
    if (exits.empty()) return;
    const std::vector<Change> current = trail_.changes(mark);
    std::vector<Place> places;
    for (const Change& c : current) places.push_back(c.place);
    for (const Exit& e : exits) {
        for (const Change& c : e.state) places.push_back(c.place);
    }
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    charge(places.size() * (exits.size() + 1));
    // Objects first: a name that stands for one of several takes what is known of all of them by then.
    static_assert(Place::Kind::name < Place::Kind::list);
    const auto objects = std::ranges::find_if(places, [](const Place& p) { return p.kind != Place::Kind::name; });
    merging_ = true;
    merge_places({objects, places.end()}, current, with_current, exits, node);
    merging_ = false;
    merge_places({places.begin(), objects}, current, with_current, exits, node);
}

void Interpreter::merge_places(std::span<const Place> places, const std::vector<Change>& current, bool with_current,
                               const std::vector<Exit>& exits, NodeId node) {
    Cursor own_changes(current);
    std::vector<Cursor> changes;
    for (const Exit& e : exits) changes.emplace_back(e.state);
    std::vector<const Change*> of_exit(exits.size());
    for (const Place& place : places) {
        const Change* own = own_changes.find(place);
        const Content* before = own != nullptr ? &own->before : nullptr;
        for (std::size_t i = 0; i < exits.size(); ++i) {
            of_exit[i] = changes[i].find(place);
            if (before == nullptr && of_exit[i] != nullptr) before = &of_exit[i]->before;
        }
        const Content now = own != nullptr ? own->content : Trail::read(place);
        std::optional<Content> joined;
        const Content* last = nullptr;  // the latest one that was joined
        const auto add = [&](const Content& content) {
            if (last != nullptr && is_identical(*last, content)) return;
            last = &content;
            if (!joined) {
                joined = content;
            } else {
                joined = join(*joined, content, node);
            }
        };
        if (with_current) add(now);
        const std::uint32_t birth = Trail::birth(place);
        for (std::size_t i = 0; i < exits.size(); ++i) {
            if (of_exit[i] == nullptr && birth > exits[i].time) continue;  // on that way it did not exist
            add(of_exit[i] != nullptr ? of_exit[i]->content : *before);
        }
        if (!joined || (same(*joined, now) && has_same_tensors(*joined, now))) continue;
        trail_.put(place, *joined);
        if (place.kind == Place::Kind::name) {
            Scope::Entry& e = static_cast<Scope*>(place.object)->entries[place.index];
            // What was there before may still be there: for a loop around it has been read.
            note_stale(static_cast<Scope*>(place.object), e);
            e.written = ++sequence_;
        }
    }
}

Flow Interpreter::settle(Trail::Mark mark, std::vector<Way>& ways, NodeId node) {
    // Control goes on where a way ends normally; if none does, as the first one ends. The others have left for good.
    const auto normal = std::ranges::find(ways, Flow::normal, &Way::flow);
    const Flow flow = normal != ways.end() ? Flow::normal : ways.front().flow;
    std::vector<Exit> live;
    for (Way& w : ways) {
        if (w.flow == flow) {
            live.push_back(std::move(w.here));
        } else {
            keep_exit(w);
        }
    }
    merge(mark, false, live, node);
    if (flow == Flow::raised) {
        raising_ = true;
        error_ = live.front().error;
        for (const Exit& e : live) {
            if (!same(error_, e.error)) error_ = {};
        }
    }
    return flow;
}

void Interpreter::keep_exit(Way& way) {
    // The state is back where the ways part: what changed before that is the same for all of them.
    const auto since = [&](Trail::Mark mark) {
        Exit e{way.here.time, trail_.changes(mark), way.here.error};
        charge(e.state.size());
        std::vector<Change> all;
        all.reserve(e.state.size() + way.here.state.size());
        auto earlier = e.state.begin();
        for (Change& c : way.here.state) {
            for (; earlier != e.state.end() && earlier->place < c.place; ++earlier) all.push_back(std::move(*earlier));
            if (earlier != e.state.end() && earlier->place == c.place) {
                c.before = std::move(earlier->before);
                ++earlier;
            }
            all.push_back(std::move(c));
        }
        std::move(earlier, e.state.end(), std::back_inserter(all));
        e.state = std::move(all);
        return e;
    };
    switch (way.flow) {
        case Flow::broke:
            loops_.back().breaks.push_back(since(loops_.back().mark));
            break;
        case Flow::continued:
            loops_.back().continues.push_back(since(loops_.back().mark));
            break;
        case Flow::returned:
            if (!frames_.empty()) frames_.back().exits.push_back(since(frames_.back().mark));
            break;
        case Flow::raised:
            if (!tries_.empty()) tries_.back().raised.push_back(since(tries_.back().mark));
            break;
        case Flow::normal:
            break;
    }
}

Interpreter::Way Interpreter::end_way(Trail::Mark mark, Flow flow) {
    if (raising_) flow = Flow::raised;
    raising_ = false;
    return {flow, exit_since(mark)};
}

Value Interpreter::eval_maybe(NodeId node) {
    const Trail::Mark mark = trail_.open(sequence_);
    const std::uint64_t writes = trail_.writes();
    Exit before{sequence_, {}, {}};
    Value v = eval(node);
    if (raising_) {  // on this way only
        record_exit(Flow::raised);
        raising_ = false;
        trail_.rollback(mark);
        v = unknown(UnknownReason::Why::error, node);
    } else if (trail_.writes() != writes) {
        merge(mark, true, {std::move(before)}, node);
    }
    trail_.close();
    return v;
}

}  // namespace ptofix::trace
