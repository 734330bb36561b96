// What code says of its own values where it goes on: asserts, conditions whose other way raises, a shape taken apart
// into as many names as it has dims. And what the user assumes. A fact holds from there on, for every name of the
// value.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

Value Interpreter::not_given(NodeId node, std::string_view name) {
    Value v = unknown(UnknownReason::Why::not_given, node, name);
    UnknownReason* reason =
        heap_.make<UnknownReason>(UnknownReason{UnknownReason::Why::not_given, here(node), std::string(name)});
    reason->is_one_value = true;
    v.as.reason = reason;
    return v;
}

Value Interpreter::narrowed(Value v) const {
    if (v.tag == Tag::unknown && v.as.reason != nullptr && v.as.reason->is_one_value) {
        const auto at = narrowed_.find(v.as.reason);
        return at == narrowed_.end() ? v : at->second;
    }
    if (v.tag == Tag::symbol && trace_.symbols.has_fixed()) {
        const SymInt s = trace_.symbols.resolved(v.sym());
        if (s != v.sym() && !s.unknown()) return Value::of(s).at(v.origin());
    }
    return v;
}

std::optional<std::size_t> Interpreter::certain_within() const {
    if (branch_ != kNone || !tries_.empty()) return std::nullopt;
    // The body of a loop may not run at all.
    const bool in_all = std::ranges::all_of(loops_, [&](const ActiveLoop& active) {
        if (!active.breaks.empty() || !active.continues.empty()) return false;
        const Loop& loop = trace_.loops[active.id];
        return loop.per_item || is_device(loop.kind) || (loop.trips.known() && loop.trips.value > 0);
    });
    if (!in_all) return std::nullopt;
    // Some ways have left a function before they came here, and are joined with this one behind its call.
    std::size_t within = frames_.size();
    while (within > 0 && frames_[within - 1].exits.empty()) --within;
    if (within == 0) return kAlways;
    // The operations of a kernel hold what they are of: those before the fact must not learn it.
    const bool begins = within == 1 && kernel_ != kNone && trace_.kernels[kernel_].first_op == trace_.operations.size();
    if (kernel_ != kNone && !begins) return std::nullopt;
    return within - 1;
}

void Interpreter::note_type(TensorId id) {
    const auto within = certain_within();
    if (within && *within != kAlways && (kernel_ == kNone || id < first_tensor_))
        facts_.push_back({*within, {}, nullptr, id, trace_.tensors[id].type});
}

void Interpreter::unlearn(std::size_t frame) {
    for (; !facts_.empty() && facts_.back().frame >= frame; facts_.pop_back()) {
        const Fact& fact = facts_.back();
        if (fact.symbol) trace_.symbols.unfix(*fact.symbol);
        if (fact.narrowed != nullptr) narrowed_.erase(fact.narrowed);
        if (fact.tensor != kNoTensor) trace_.tensors[fact.tensor].type = fact.type;
    }
}

Value Interpreter::as_host_tensor(const Value& v) {
    if (kernel_ != kNone || v.tag != Tag::unknown || v.as.reason == nullptr || !v.as.reason->is_one_value) return v;
    const auto known = narrowed_.find(v.as.reason);
    if (known != narrowed_.end()) return known->second;
    Tensor t;
    t.source = TensorSource::host;
    t.site = v.as.reason->site;
    t.name = v.as.reason->detail;
    const Value made = Value::tensor(new_tensor(std::move(t))).at(v.origin());
    narrowed_.emplace(v.as.reason, made);
    return made;
}

SymInt Interpreter::dim_of(TensorId id, std::int64_t axis) {
    const Tensor& t = trace_.tensors[id];
    const auto rank = static_cast<std::int64_t>(t.type.shape.size());
    if (t.type.rank_known) {
        const std::int64_t at = axis < 0 ? axis + rank : axis;
        return at >= 0 && at < rank ? t.type.shape[static_cast<std::size_t>(at)] : SymInt{};
    }
    for (const auto& dim : partial_dims_) {
        if (dim.tensor == id && dim.axis == axis) return trace_.symbols.resolved(dim.value);
    }
    if (const auto said = assumed_dim(t.name, axis, std::nullopt)) return SymInt::of(*said);
    Atom atom{AtomKind::parameter,
              std::string(t.name) + ".shape[" + std::to_string(axis) + "]",
              {0, std::nullopt},
              UINT32_MAX,
              OpaqueOp::none,
              {},
              {}};
    const SymInt made = trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)));
    partial_dims_.push_back({id, axis, made});
    return made;
}

void Interpreter::learn_rank(TensorId id, std::size_t rank) {
    const TensorSource source = trace_.tensors[id].source;
    if (trace_.tensors[id].type.rank_known || (source != TensorSource::host && source != TensorSource::parameter))
        return;
    std::vector<SymInt> shape;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        const std::int64_t from_end = axis - static_cast<std::int64_t>(rank);
        const auto named_from_end = std::ranges::any_of(
            partial_dims_, [&](const PartialDim& d) { return d.tensor == id && d.axis == from_end; });
        shape.push_back(dim_of(id, named_from_end ? from_end : axis));
    }
    note_type(id);
    TensorType& type = trace_.tensors[id].type;
    type.shape = std::move(shape);
    type.rank_known = true;
}

void Interpreter::learn_symbol(SymInt e, std::int64_t value) {
    const auto within = certain_within();
    const Symbols::Fixing before = trace_.symbols.before_fix(e);
    if (!within || before.atom == kNoAtom) return;
    // An integer of the host is what it was when the kernel is over.
    const bool of_host = kernel_ != kNone && before.atom < first_atom_;
    const bool for_now = kernel_ == kNone ? *within != kAlways : of_host;
    if (for_now && !of_host) {
        const auto depends = [&](SymInt d) { return trace_.symbols.depends_on(d, before.atom); };
        for (std::size_t i = 0; i < trace_.tensors.size(); ++i) {
            const Tensor& t = trace_.tensors[i];
            if (t.source == TensorSource::host && std::ranges::any_of(t.type.shape, depends))
                note_type(static_cast<TensorId>(i));
        }
    }
    if (give_number(e, value) && for_now) facts_.push_back({of_host ? 0 : *within, before, nullptr, kNoTensor, {}});
}

bool Interpreter::give_number(SymInt e, std::int64_t value) {
    if (!trace_.symbols.fix(e, value)) return false;
    // What has been made of it meanwhile in this context.
    const std::size_t first = kernel_ == kNone ? 0 : trace_.kernels[kernel_].first_tensor;
    for (std::size_t i = first; i < trace_.tensors.size(); ++i) {
        Tensor& t = trace_.tensors[i];
        if (kernel_ == kNone && t.source != TensorSource::host) continue;
        for (SymInt& d : t.type.shape) d = trace_.symbols.resolved(d);
    }
    return true;
}

void Interpreter::learn_type(TensorId id, const TensorType& fact) {
    if (!is_certain()) return;
    if (trace_.tensors[id].type.dtype == hardware::DType::unknown && fact.dtype != hardware::DType::unknown) {
        note_type(id);
        trace_.tensors[id].type.dtype = fact.dtype;
    }
    if (!fact.rank_known) return;
    learn_rank(id, fact.shape.size());
    if (trace_.tensors[id].type.shape.size() != fact.shape.size()) return;
    for (std::size_t i = 0; i < fact.shape.size(); ++i) {
        const SymInt dim = trace_.tensors[id].type.shape[i];
        if (!fact.shape[i].known()) continue;
        if (dim.unknown()) {
            note_type(id);
            trace_.tensors[id].type.shape[i] = fact.shape[i];
        } else if (dim.symbolic()) {
            learn_symbol(dim, fact.shape[i].value);
        }
    }
}

void Interpreter::assume(NodeId condition, bool holds) {
    switch (kind(condition)) {
        case Kind::parenthesized_expression:
            if (const NodeId inner = tree_->named_child(condition, 0); inner != kNoNode) assume(inner, holds);
            break;
        case Kind::not_operator:
            if (const NodeId inner = tree_->child(condition, Field::argument); inner != kNoNode) assume(inner, !holds);
            break;
        case Kind::boolean_operator: {
            // a and b holds: both do; a or b does not: neither does.
            const NodeId op = tree_->child(condition, Field::operator_);
            if (op == kNoNode || (kind(op) == Kind::and_) != holds) break;
            for (const Field side : {Field::left, Field::right}) {
                if (const NodeId part = tree_->child(condition, side); part != kNoNode) assume(part, holds);
            }
            break;
        }
        case Kind::comparison_operator:
            assume_comparison(condition, holds);
            break;
        case Kind::call:
            if (holds && is_repeatable(condition)) assume_call(condition);
            break;
        default:
            break;
    }
}

bool Interpreter::is_repeatable(NodeId expression) const {
    // Evaluated once more: nothing that does something, or takes long.
    static constexpr std::string_view kCalls[] = {"len", "size", "dim", "tuple",     "list",
                                                  "min", "max",  "int", "isinstance"};
    for (NodeId n = expression; n < (*tree_)[expression].subtree_end; ++n) {
        if (kind(n) == Kind::named_expression || kind(n) == Kind::lambda) return false;
        if (kind(n) != Kind::call) continue;
        NodeId callee = tree_->child(n, Field::function);
        if (callee != kNoNode && kind(callee) == Kind::attribute) callee = tree_->child(callee, Field::attribute);
        if (callee == kNoNode || std::ranges::find(kCalls, text(callee)) == std::end(kCalls)) return false;
    }
    return true;
}

void Interpreter::assume_comparison(NodeId comparison, bool holds) {
    std::vector<NodeId> operands;
    std::vector<Kind> operators;
    for (const NodeId c : tree_->children(comparison)) {
        if ((*tree_)[c].field == Field::operators) {
            operators.push_back(kind(c));
        } else if ((*tree_)[c].named && kind(c) != Kind::comment) {
            operands.push_back(c);
        }
    }
    if (operands.size() != operators.size() + 1) return;
    if (!holds && operators.size() != 1) return;  // a == b == c fails somewhere
    if (!std::ranges::all_of(operands, [&](NodeId n) { return is_repeatable(n); })) return;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const bool equal = operators[i] == (holds ? Kind::equal : Kind::not_equal);
        const bool member = operators[i] == (holds ? Kind::in : Kind::not_in);
        if (equal) {
            assume_equal(operands[i], eval(operands[i + 1]));
            assume_equal(operands[i + 1], eval(operands[i]));
        } else if (member) {
            const auto items = iterate(eval(operands[i + 1]));
            if (items && items->size() == 1) assume_equal(operands[i], items->front());
        }
    }
}

namespace {

bool is_fact(const Value& v) {
    switch (v.tag) {
        case Tag::integer:
        case Tag::boolean:
        case Tag::real:
        case Tag::string:
        case Tag::dtype:
        case Tag::list:
        case Tag::tuple:
            return true;
        default:
            return false;
    }
}

}  // namespace

void Interpreter::assume_equal(NodeId node, const Value& value) {
    if (!is_fact(value)) return;
    switch (kind(node)) {
        case Kind::parenthesized_expression:
            if (const NodeId inner = tree_->named_child(node, 0); inner != kNoNode) assume_equal(inner, value);
            break;
        case Kind::identifier:
            assume_name(node, value);
            break;
        case Kind::attribute: {
            const NodeId owner = tree_->child(node, Field::object);
            const NodeId name = tree_->child(node, Field::attribute);
            if (owner != kNoNode && name != kNoNode) assume_attribute(eval(owner), text(name), value, node);
            break;
        }
        case Kind::subscript:
        case Kind::binary_operator: {
            const Value now = eval(node);
            if (now.tag == Tag::symbol && value.tag == Tag::integer) learn_symbol(now.sym(), value.as.i);
            break;
        }
        case Kind::call:
            assume_result(node, value);
            break;
        default:
            break;
    }
}

void Interpreter::assume_name(NodeId name, const Value& value) {
    const Value now = eval(name);
    if (now.tag == Tag::symbol && value.tag == Tag::integer) {
        learn_symbol(now.sym(), value.as.i);
        // In an arm the other names of the value know nothing; this one does.
        if (!is_certain() && kernel_ == kNone) bind_name(text(name), value);
    } else if (now.tag == Tag::unknown) {
        const auto within = certain_within();
        if (within && now.as.reason != nullptr && now.as.reason->is_one_value) {
            const bool is_new = narrowed_.emplace(now.as.reason, value.at(here(name))).second;
            if (is_new && (kernel_ != kNone || *within != kAlways))
                facts_.push_back({kernel_ != kNone ? 0 : *within, {}, now.as.reason, kNoTensor, {}});
        }
        Scope* scope = nullptr;
        if (entry_of(scope_, text(name), &scope) != nullptr && scope == scope_) {
            bind_name(text(name), value.at(here(name)));
        }
    }
}

void Interpreter::assume_attribute(const Value& owner_value, std::string_view name, const Value& value, NodeId node) {
    const bool of_tensor = name == "shape" || name == "dtype" || name == "ndim";
    const Value owner = of_tensor ? as_host_tensor(owner_value) : owner_value;
    if (owner.tag == Tag::tensor) {
        TensorType fact;
        if (name == "dtype" && value.tag == Tag::dtype) fact.dtype = value.as.dtype;
        if (name == "ndim" && value.tag == Tag::integer && value.as.i > 0 && is_certain()) {
            learn_rank(owner.as.tensor, static_cast<std::size_t>(value.as.i));
            return;
        }
        if (name == "shape" && value.is_sequence() && !value.as.list->open) {
            fact.rank_known = true;
            for (const Value& v : value.as.list->items) fact.shape.push_back(v.sym());
        }
        learn_type(owner.as.tensor, fact);
    } else if (owner.tag == Tag::instance) {
        const Value now = attribute(owner, name, node);
        if (now.tag == Tag::symbol && value.tag == Tag::integer) learn_symbol(now.sym(), value.as.i);
        if (now.tag == Tag::unknown) assign_attribute(owner, name, value, node);
    }
}

void Interpreter::assume_result(NodeId call, const Value& value) {
    const NodeId callee = tree_->child(call, Field::function);
    const NodeId arguments = tree_->child(call, Field::arguments);
    if (callee == kNoNode || arguments == kNoNode) return;
    const std::size_t count = tree_->named_child_count(arguments);
    const NodeId first = count > 0 ? tree_->named_child(arguments, 0) : kNoNode;
    if (kind(callee) == Kind::identifier) {
        // len(x.shape) == 3, tuple(x.shape) == (2, 3)
        const std::string_view name = text(callee);
        if (count != 1 || kind(first) != Kind::attribute) return;
        const NodeId owner_node = tree_->child(first, Field::object);
        const NodeId attribute_node = tree_->child(first, Field::attribute);
        if (owner_node == kNoNode || attribute_node == kNoNode || text(attribute_node) != "shape") return;
        if (name == "len" && value.tag == Tag::integer) assume_attribute(eval(owner_node), "ndim", value, call);
        if (name == "tuple" || name == "list") assume_attribute(eval(owner_node), "shape", value, call);
        return;
    }
    if (kind(callee) != Kind::attribute) return;
    const NodeId owner_node = tree_->child(callee, Field::object);
    const NodeId name_node = tree_->child(callee, Field::attribute);
    if (owner_node == kNoNode || name_node == kNoNode) return;
    const std::string_view name = text(name_node);
    if (name == "dim" && count == 0) {
        assume_attribute(eval(owner_node), "ndim", value, call);
    } else if (name == "size" && count == 0) {
        assume_attribute(eval(owner_node), "shape", value, call);
    } else if (name == "size" && count == 1) {
        const Value owner = as_host_tensor(eval(owner_node));
        const Value axis = eval(first);
        if (owner.tag != Tag::tensor || axis.tag != Tag::integer || value.tag != Tag::integer) return;
        const SymInt dim = dim_of(owner.as.tensor, axis.as.i);
        if (dim.symbolic()) learn_symbol(dim, value.as.i);
    }
}

void Interpreter::assume_call(NodeId call) {
    // isinstance(x, torch.Tensor)
    const NodeId callee = tree_->child(call, Field::function);
    const NodeId arguments = tree_->child(call, Field::arguments);
    if (callee == kNoNode || arguments == kNoNode || tree_->named_child_count(arguments) != 2) return;
    if (kind(callee) != Kind::identifier || text(callee) != "isinstance") return;
    const Value type = eval(tree_->named_child(arguments, 1));
    if (type.tag == Tag::external && *type.as.text == "torch.Tensor")
        as_host_tensor(eval(tree_->named_child(arguments, 0)));
}

}  // namespace ptofix::trace
