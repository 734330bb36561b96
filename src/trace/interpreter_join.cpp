// What holds for two states at once: the join behind undecided branches and loops; and copies of values.
#include <algorithm>

#include "trace/interpreter.h"

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
        if (v.origin() != b.origin()) v = v.at({});
        return v;
    }
    mark_joined(a);
    mark_joined(b);
    if (a.tag == Tag::tensor && b.tag == Tag::tensor) {
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
    if (a.is_sequence() && a.tag == b.tag && !a.as.list->open && !b.as.list->open &&
        a.as.list->items.size() == b.as.list->items.size() && depth_ < kMaxDepth / 2) {
        std::vector<Value> items;
        ++depth_;
        for (std::size_t i = 0; i < a.as.list->items.size(); ++i) {
            items.push_back(join(a.as.list->items[i], b.as.list->items[i], node));
        }
        --depth_;
        return make_list(a.tag, std::move(items), node).at({});
    }
    return unknown(UnknownReason::Why::joined, node);
}

Content Interpreter::join(const Content& a, const Content& b, NodeId node) {
    if (a.index() != b.index()) return a;
    if (const auto* x = std::get_if<NameContent>(&a)) {
        const auto& y = std::get<NameContent>(b);
        // Bound in one arm only: Python would raise on the other way, so what is read later is this arm's value.
        if (!x->bound) return y;
        if (!y.bound) return *x;
        return NameContent{join(x->value, y.value, node), true, std::max(x->written, y.written)};
    }
    if (const auto* x = std::get_if<List>(&a)) {
        const auto& y = std::get<List>(b);
        List out = *x;
        if (x->items.size() != y.items.size() || x->open || y.open) {
            for (const Value& item : x->items) mark_joined(item);
            for (const Value& item : y.items) mark_joined(item);
            out.items.clear();
            out.open = true;
        } else {
            for (std::size_t i = 0; i < out.items.size(); ++i) out.items[i] = join(x->items[i], y.items[i], node);
        }
        return out;
    }
    if (const auto* x = std::get_if<Dict>(&a)) {
        const auto& y = std::get<Dict>(b);
        Dict out = *x;
        out.items.clear();
        out.open = x->open || y.open || x->items.size() != y.items.size();
        for (const auto& [k, v] : x->items) {
            const auto it = std::ranges::find_if(y.items, [&](const auto& p) { return equal(p.first, k) == true; });
            if (it == y.items.end()) {
                mark_joined(v);
                out.open = true;
            } else {
                out.items.emplace_back(k, join(v, it->second, node));
            }
        }
        return out;
    }
    if (const auto* x = std::get_if<Instance>(&a)) {
        const auto& y = std::get<Instance>(b);
        Instance out = *x;
        for (auto& [n, v] : out.attributes) {
            const auto it = std::ranges::find_if(y.attributes, [&](const auto& p) { return p.first == n; });
            if (it == y.attributes.end()) mark_joined(v);
            v = it == y.attributes.end() ? Value{} : join(v, it->second, node);
        }
        return out;
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

Value Interpreter::copy(const Value& v, int depth) {
    if (depth <= 0) return v;
    if (v.tag == Tag::list || v.tag == Tag::set || v.tag == Tag::tuple) {
        std::vector<Value> items;
        for (const Value& i : v.as.list->items) items.push_back(copy(i, depth - 1));
        Value out = make_list(v.tag, std::move(items), v.node);
        out.as.list->open = v.as.list->open;
        return out.at(v.origin());
    }
    if (v.tag == Tag::dict) {
        Value out = v;
        out.as.dict = heap_.make<Dict>(*v.as.dict);
        out.as.dict->birth = ++sequence_;
        for (auto& [k, item] : out.as.dict->items) item = copy(item, depth - 1);
        return out;
    }
    if (v.tag == Tag::instance) {
        Value out = v;
        out.as.instance = heap_.make<Instance>(*v.as.instance);
        out.as.instance->birth = ++sequence_;
        for (auto& [n, item] : out.as.instance->attributes) item = copy(item, depth - 1);
        return out;
    }
    return v;
}

}  // namespace ptofix::trace
