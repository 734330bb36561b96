// What holds for two states at once: the join behind undecided branches and loops. And what happens to objects that two
// names may or may not share: a join of two lists is a third one, linked to both; a change of one is felt by the
// others.
#include <algorithm>

#include "trace/interpreter.h"
#include "trace/some_number.h"

namespace ptofix::trace {

void Interpreter::mark_joined(const Value& value, bool carried) {
    if (value.tag == Tag::tensor) {
        Tensor& tensor = trace_.tensors[value.as.tensor];
        tensor.joined = true;
        tensor.carried = tensor.carried || carried;
    }
    if (!value.is_sequence() || depth_ >= kMaxDepth / 2) return;
    ++depth_;
    for (const Value& item : value.as.list->items) mark_joined(item, carried);
    --depth_;
}

void Interpreter::mark_joined(const Content& content, bool carried) {
    if (const auto* name = std::get_if<NameContent>(&content)) {
        if (name->bound) mark_joined(name->value, carried);
    } else if (const auto* list = std::get_if<List>(&content)) {
        for (const Value& item : list->items) mark_joined(item, carried);
    } else if (const auto* dict = std::get_if<Dict>(&content)) {
        for (const auto& [key, value] : dict->items) mark_joined(value, carried);
    } else if (const auto* instance = std::get_if<Instance>(&content)) {
        for (const auto& [name, value] : instance->attributes) mark_joined(value, carried);
    }
}

Value Interpreter::join(const Value& a, const Value& b, NodeId node) {
    if (same(a, b)) {  // two tensors alike: the first one stands for both
        if (a.tag != Tag::tensor || a.as.tensor != b.as.tensor) mark_joined(b);
        Value v = a;
        if (v.tag == Tag::unknown && a.as.reason != b.as.reason) v.as.reason = nullptr;  // it is neither of the two
        if (v.origin() != b.origin()) v = v.at({});
        return v;
    }
    mark_joined(a);
    mark_joined(b);
    const bool objects = a.tag != Tag::tensor && a.tag != Tag::tuple;
    if (a.tag == b.tag && !(merging_ && objects) && deeper()) {
        std::optional<Value> v;
        switch (a.tag) {
            case Tag::tensor:
                v = join_tensors(a, b, node);
                break;
            case Tag::list:
            case Tag::tuple:
            case Tag::set:
                v = make_list(a.tag, {}, node).at({});
                *v->as.list = join_lists(a.tag, *a.as.list, *b.as.list, node);
                v->as.list->birth = ++sequence_;
                break;
            case Tag::dict:
                v = make_dict(node).at({});
                *v->as.dict = join_dicts(*a.as.dict, *b.as.dict, node);
                v->as.dict->birth = ++sequence_;
                break;
            case Tag::instance:
                if (a.as.instance->klass != b.as.instance->klass || is_enum_member(a)) break;
                v = Value::with(Tag::instance);
                v->as.instance = heap_.make<Instance>(join_instances(*a.as.instance, *b.as.instance, node));
                v->as.instance->birth = ++sequence_;
                break;
            default:
                break;
        }
        --depth_;
        if (v) {
            link(*v, a);
            link(*v, b);
            return *v;
        }
    }
    if (is_numeric(a) && is_numeric(b)) return as_some_number(unknown(UnknownReason::Why::joined, node));
    lose(a);
    lose(b);
    return unknown(UnknownReason::Why::joined, node);
}

Value Interpreter::join_tensors(const Value& a, const Value& b, NodeId node) {
    const Tensor& x = trace_.tensors[a.as.tensor];
    const Tensor& y = trace_.tensors[b.as.tensor];
    Tensor t;
    t.source = x.source == y.source && x.source == TensorSource::host ? TensorSource::host : TensorSource::unknown;
    t.site = here(node);
    t.name = x.name == y.name ? x.name : std::string_view{};
    t.type.dtype = x.type.dtype == y.type.dtype ? x.type.dtype : hardware::DType::unknown;
    t.type.rank_known = x.type.rank_known && y.type.rank_known && x.type.shape.size() == y.type.shape.size();
    if (t.type.rank_known) {
        for (std::size_t i = 0; i < x.type.shape.size(); ++i) {
            t.type.shape.push_back(x.type.shape[i] == y.type.shape[i] ? x.type.shape[i] : SymInt{});
        }
    }
    return Value::tensor(new_tensor(std::move(t))).at(here(node));
}

List Interpreter::join_lists(Tag tag, const List& x, const List& y, NodeId node) {
    List out;
    charge(x.items.size() + y.items.size());
    out.open = x.open || y.open || x.items.size() != y.items.size();
    if (tag == Tag::set) {
        for (const Value& member : x.items) {
            if (find(y, member) == Found::yes) {
                out.items.push_back(member);
            } else {
                out.open = true;
            }
        }
        return out;
    }
    const std::size_t shared = std::min(x.items.size(), y.items.size());
    for (std::size_t i = 0; i < shared; ++i) out.items.push_back(join(x.items[i], y.items[i], node));
    for (const List* longer : {&x, &y}) {
        for (std::size_t i = shared; i < longer->items.size(); ++i) lose(longer->items[i]);
    }
    return out;
}

Dict Interpreter::join_dicts(const Dict& x, const Dict& y, NodeId node) {
    Dict out;
    out.open = x.open || y.open || x.items.size() != y.items.size();
    for (std::size_t i = 0; i < x.items.size(); ++i) {
        const auto& [k, v] = x.items[i];
        const Entry at = find(y, k);
        if (at.found != Found::yes) {
            out.open = true;
            lose(v);
            continue;
        }
        out.open = out.open || at.index != i;  // in another order
        out.items.emplace_back(k, join(v, y.items[at.index].second, node));
    }
    for (const auto& [k, v] : y.items) {
        if (find(x, k).found != Found::yes) lose(v);
    }
    return out;
}

Instance Interpreter::join_instances(const Instance& x, const Instance& y, NodeId node) {
    Instance out;
    out.klass = x.klass;
    out.open = x.open || y.open;
    const auto find_in = [](const Instance& i, std::string_view name) {
        return std::ranges::find_if(i.attributes, [&](const auto& p) { return p.first == name; });
    };
    for (const auto& [n, v] : x.attributes) {
        const auto it = find_in(y, n);
        if (it == y.attributes.end()) {
            out.open = true;  // set in one way only: there, or that of its class, or none
            lose(v);
            continue;
        }
        out.attributes.emplace_back(n, join(v, it->second, node));
    }
    for (const auto& [n, v] : y.attributes) {
        if (find_in(x, n) == x.attributes.end()) {
            out.open = true;
            lose(v);
        }
    }
    return out;
}

Content Interpreter::join(const Content& a, const Content& b, NodeId node) {
    if (a.index() != b.index()) return a;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        // Bound in one arm only: Python would raise on the other way, so what is read later is this arm's value.
        if (!x->bound || !y.bound) {
            NameContent one = x->bound ? *x : y;
            one.partial = one.bound;
            return one;
        }
        return NameContent{join(x->value, y.value, node), true, x->partial || y.partial,
                           std::max(x->written, y.written)};
    }
    if (const auto* x = std::get_if<List>(&a)) {
        return join_lists(x->unordered ? Tag::set : Tag::list, *x, std::get<List>(b), node);
    }
    if (const auto* x = std::get_if<Dict>(&a)) return join_dicts(*x, std::get<Dict>(b), node);
    if (const auto* x = std::get_if<Instance>(&a)) return join_instances(*x, std::get<Instance>(b), node);
    if (const auto* x = std::get_if<std::shared_ptr<const Iterator>>(&a)) {
        const auto& y = std::get<std::shared_ptr<const Iterator>>(b);
        if ((*x)->same_position(*y)) return a;
        auto out = std::make_shared<Iterator>();
        lose_sources(**x);
        lose_sources(*y);
        return std::shared_ptr<const Iterator>(std::move(out));
    }
    const auto& x = std::get<TileState>(a);
    const auto& y = std::get<TileState>(b);
    const auto either = [&](TileId p, TileId q, TileSetting::Engine engine) {
        if (p == q) return p;
        TileSetting t;  // set differently on two ways: a setting of unknown values
        t.engine = engine;
        t.call = here(node);
        trace_.tiles.push_back(std::move(t));
        return static_cast<TileId>(trace_.tiles.size() - 1);
    };
    return TileState{either(x.vec, y.vec, TileSetting::Engine::vec), either(x.cube, y.cube, TileSetting::Engine::cube)};
}

Content Interpreter::top(const Content& content, NodeId node) {
    if (const auto* x = std::get_if<NameContent>(&content)) {
        lose(x->value);
        return NameContent{unknown(UnknownReason::Why::joined, node), x->bound, x->partial, x->written};
    }
    if (const auto* x = std::get_if<List>(&content)) {
        for (const Value& v : x->items) lose(v);
        List out;
        out.open = true;
        out.unordered = x->unordered;
        return out;
    }
    if (const auto* x = std::get_if<Dict>(&content)) {
        for (const auto& [k, v] : x->items) lose(v);
        Dict out;
        out.open = true;
        return out;
    }
    if (const auto* x = std::get_if<Instance>(&content)) {
        Instance out = *x;
        out.open = true;
        for (auto& [n, v] : out.attributes) {
            lose(v);
            v = unknown(UnknownReason::Why::joined, node);
        }
        return out;
    }
    if (const auto* x = std::get_if<std::shared_ptr<const Iterator>>(&content)) {
        lose_sources(**x);
        return std::make_shared<const Iterator>();
    }
    TileSetting vec;
    vec.call = here(node);
    TileSetting cube = vec;
    cube.engine = TileSetting::Engine::cube;
    trace_.tiles.push_back(std::move(vec));
    trace_.tiles.push_back(std::move(cube));
    return TileState{static_cast<TileId>(trace_.tiles.size() - 2), static_cast<TileId>(trace_.tiles.size() - 1)};
}

Value Interpreter::copy(const Value& v, int depth) {
    std::vector<std::pair<const void*, Value>> made;
    return copy(v, depth, made);
}

Value Interpreter::copy(const Value& v, int depth, std::vector<std::pair<const void*, Value>>& made) {
    const bool object = v.is_sequence() || v.tag == Tag::dict || v.tag == Tag::instance;
    if (depth <= 0 || !object) return v;
    const void* original = v.as.list;
    for (const auto& [from, to] : made) {
        if (from == original) return to;
    }
    if (v.tag == Tag::instance && is_enum_member(v)) return v;
    if (made.size() >= 512 || !deeper()) {
        lose(v);
        return unknown(UnknownReason::Why::budget, v.node);
    }
    Value out = v;
    if (v.tag == Tag::dict) {
        out.as.dict = heap_.make<Dict>(*v.as.dict);
        static_cast<Shared&>(*out.as.dict) = fresh();
        made.emplace_back(original, out);
        charge(out.as.dict->items.size());
        for (auto& [k, item] : out.as.dict->items) item = copy(item, depth - 1, made);
    } else if (v.tag == Tag::instance) {
        out.as.instance = heap_.make<Instance>(*v.as.instance);
        static_cast<Shared&>(*out.as.instance) = fresh();
        made.emplace_back(original, out);
        for (auto& [n, item] : out.as.instance->attributes) item = copy(item, depth - 1, made);
    } else {
        out.as.list = heap_.make<List>(*v.as.list);
        static_cast<Shared&>(*out.as.list) = fresh();
        made.emplace_back(original, out);
        charge(out.as.list->items.size());
        for (Value& item : out.as.list->items) item = copy(item, depth - 1, made);
    }
    --depth_;
    return out;
}

}  // namespace ptofix::trace
