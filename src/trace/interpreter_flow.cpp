// Ways through a construct: what ended where, in which state, and what holds when they meet again.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

const Change* find_change(const std::vector<Change>& state, const Place& place) {
    const auto it = std::ranges::lower_bound(state, place, {}, &Change::place);
    return it != state.end() && it->place == place ? &*it : nullptr;
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
    std::ranges::stable_partition(places, [](const Place& p) { return p.kind != Place::Kind::name; });
    for (const Place& place : places) {
        merging_ = place.kind != Place::Kind::name;
        const Change* own = find_change(current, place);
        const Content now = own != nullptr ? own->content : Trail::read(place);
        std::optional<Content> before;
        if (own != nullptr) before = own->before;
        for (const Exit& e : exits) {
            if (before) break;
            if (const Change* c = find_change(e.state, place)) before = c->before;
        }
        std::optional<Content> joined;
        if (with_current) joined = now;
        const std::uint32_t birth = Trail::birth(place);
        for (const Exit& e : exits) {
            const Change* c = find_change(e.state, place);
            if (c == nullptr && birth > e.time) continue;  // on that way it did not exist
            const Content& content = c != nullptr ? c->content : *before;
            joined = joined ? join(*joined, content, node) : content;
        }
        if (!joined || same(*joined, now)) continue;
        trail_.put(place, *joined);
        if (place.kind == Place::Kind::name) {
            Scope::Entry& e = static_cast<Scope*>(place.object)->entries[place.index];
            // What was there before may still be there: for a loop around it has been read.
            note_stale(static_cast<Scope*>(place.object), e);
            e.written = ++sequence_;
        }
    }
    merging_ = false;
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
