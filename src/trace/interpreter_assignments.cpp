// Assignment in every form: chained, unpacked, augmented, to elements, slices and attributes; and del.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

void Interpreter::exec_assignment(NodeId node) {
    // a = b = value: the right side is evaluated once, targets are assigned from the left.
    std::vector<NodeId> targets;
    NodeId at = node;
    NodeId right = kNoNode;
    while (true) {
        targets.push_back(tree_->child(at, Field::left));
        right = tree_->child(at, Field::right);
        if (right == kNoNode || kind(right) != Kind::assignment) break;
        at = right;
    }
    if (right == kNoNode) return;  // annotation only
    const Value v = kind(right) == Kind::augmented_assignment ? (exec_augmented(right), Value{}) : eval(right);
    for (NodeId t : targets) {
        if (t == kNoNode || raising_) continue;
        // b, s, h = x.shape: x has three dims, or Python would not go on.
        if (v.is_sequence() && v.as.list->open && kind(t) == Kind::pattern_list) {
            if (const Value shape = unpacked_shape(right, t); shape.tag != Tag::none) {
                assign(t, shape);
                continue;
            }
        }
        assign(t, v);
    }
}

Value Interpreter::unpacked_shape(NodeId right, NodeId targets) {
    const NodeId source = kind(right) == Kind::call ? tree_->child(right, Field::function) : right;
    if (source == kNoNode || kind(source) != Kind::attribute) return Value::none();
    const std::string_view name = text(tree_->child(source, Field::attribute));
    if (name != (kind(right) == Kind::call ? "size" : "shape")) return Value::none();
    if (kind(right) == Kind::call && tree_->named_child_count(tree_->child(right, Field::arguments)) != 0) {
        return Value::none();
    }
    if (tree_->child_of_kind(targets, Kind::list_splat_pattern) != kNoNode) return Value::none();
    if (!is_certain()) return Value::none();
    const Value owner = eval(tree_->child(source, Field::object));
    if (owner.tag != Tag::tensor) return Value::none();
    learn_rank(owner.as.tensor, tree_->named_child_count(targets));
    return shape_value(owner.as.tensor, right);
}

namespace {

Kind operator_of_assignment(Kind k) {
    switch (k) {
        case Kind::plus_assign:
            return Kind::plus;
        case Kind::minus_assign:
            return Kind::minus;
        case Kind::star_assign:
            return Kind::star;
        case Kind::slash_assign:
            return Kind::slash;
        case Kind::floor_slash_assign:
            return Kind::floor_slash;
        case Kind::percent_assign:
            return Kind::percent;
        case Kind::power_assign:
            return Kind::power;
        case Kind::at_assign:
            return Kind::at;
        case Kind::shift_left_assign:
            return Kind::shift_left;
        case Kind::shift_right_assign:
            return Kind::shift_right;
        case Kind::ampersand_assign:
            return Kind::ampersand;
        case Kind::bar_assign:
            return Kind::bar;
        case Kind::caret_assign:
            return Kind::caret;
        default:
            return Kind::other;
    }
}

}  // namespace

void Interpreter::exec_augmented(NodeId node) {
    const NodeId target = tree_->child(node, Field::left);
    const NodeId right = tree_->child(node, Field::right);
    const NodeId op_node = tree_->child(node, Field::operator_);
    if (target == kNoNode || right == kNoNode || op_node == kNoNode) return;
    const Kind op = operator_of_assignment(kind(op_node));
    // The target's own expressions are evaluated once: x[f()] += 1.
    if (kind(target) == Kind::subscript) {
        const Value object = eval(tree_->child(target, Field::value));
        const Value key = eval_key(target);
        if (raising_) return;
        const Value before = index(object, key, target);
        const Value operand = eval(right);
        if (raising_) return;
        store_element(object, key, augment(op, before, operand, node), target);
        return;
    }
    if (kind(target) == Kind::attribute) {
        const Value object = eval(tree_->child(target, Field::object));
        const std::string_view name = text(tree_->child(target, Field::attribute));
        if (raising_) return;
        const Value before = attribute(object, name, target);
        const Value operand = eval(right);
        if (raising_) return;
        assign_attribute(object, name, augment(op, before, operand, node), target);
        return;
    }
    const Value before = eval(target);
    const Value operand = eval(right);
    if (raising_) return;
    const Value after = augment(op, before, operand, node);
    if (!raising_) assign(target, after);
}

Value Interpreter::augment(Kind op, const Value& before, const Value& operand, NodeId node) {
    switch (before.tag) {
        case Tag::list:
            if (op == Kind::plus) {
                change(*before.as.list, node);
                extend(*before.as.list, operand);
                return before;
            }
            if (op == Kind::star) {
                const Value after = binary(op, before, operand, node);
                change(*before.as.list, node);
                if (after.tag == Tag::list) {
                    before.as.list->items = after.as.list->items;
                    before.as.list->open = after.as.list->open;
                } else {
                    before.as.list->open = true;
                }
                return before;
            }
            break;
        case Tag::set: {
            if (operand.tag != Tag::set) break;
            const auto after = combine_sets(op, before, operand, node);
            if (!after) break;
            if (before.as.list->frozen) return *after;
            change(*before.as.list, node);
            before.as.list->items = after->as.list->items;
            before.as.list->open = after->as.list->open;
            return before;
        }
        case Tag::dict:
            if (op == Kind::bar) {
                change(*before.as.dict, node);
                if (operand.tag == Tag::dict) {
                    put_all(*before.as.dict, operand, node);
                } else {
                    put_pairs(*before.as.dict, operand, node);
                }
                return before;
            }
            break;
        case Tag::instance:
            if (auto v = call_special_augmented(op, before, operand, node)) return *v;
            break;
        case Tag::unknown:
            // It may be a list, a set or a dict that is known under another name.
            mutate_unknown(node);
            break;
        default:
            break;
    }
    return binary(op, before, operand, node);
}

void Interpreter::exec_delete(NodeId node) {
    std::vector<NodeId> open;
    for (NodeId n : tree_->children(node)) {
        if ((*tree_)[n].named) open.push_back(n);
    }
    for (std::size_t i = 0; i < open.size() && !raising_; ++i) {
        const NodeId n = open[i];
        switch (kind(n)) {
            case Kind::identifier:
                unbind_name(text(n));
                break;
            case Kind::subscript: {
                const Value object = eval(tree_->child(n, Field::value));
                const Value key = eval_key(n);
                if (!raising_) delete_element(object, key, n);
                break;
            }
            case Kind::attribute: {
                const Value object = eval(tree_->child(n, Field::object));
                if (!raising_) delete_attribute(object, text(tree_->child(n, Field::attribute)), n);
                break;
            }
            case Kind::expression_list:
            case Kind::parenthesized_expression:
            case Kind::tuple:
            case Kind::list: {
                std::vector<NodeId> inner;
                for (NodeId c : tree_->children(n)) {
                    if ((*tree_)[c].named && kind(c) != Kind::comment) inner.push_back(c);
                }
                open.insert(open.begin() + static_cast<std::ptrdiff_t>(i) + 1, inner.begin(), inner.end());
                break;
            }
            default:
                break;
        }
    }
}

void Interpreter::delete_element(const Value& object, const Value& key, NodeId node) {
    if (object.tag == Tag::dict) {
        Dict& dict = *object.as.dict;
        if (find(dict, key).found == Found::no) {
            definite_error("KeyError", node);
            return;
        }
        change(dict, node);
        erase(dict, key);
        return;
    }
    if (object.tag == Tag::list) {
        List& list = *object.as.list;
        const auto size = static_cast<std::int64_t>(list.items.size());
        std::vector<std::int64_t> gone;
        if (key.is_int() && (key.sym().value >= 0 || !list.open)) {
            const std::int64_t i = key.sym().value < 0 ? key.sym().value + size : key.sym().value;
            if (!list.open && (i < 0 || i >= size)) {
                definite_error("IndexError", node);
                return;
            }
            if (i < size) gone.push_back(i);
        } else if (key.tag == Tag::slice && !list.open) {
            const auto positions = slice_positions(*key.as.slice, size);
            if (positions && positions->empty()) return;
            if (positions) gone = *positions;
        }
        change(list, node);
        note_use(LoopUse::Kind::list_index, key, node);
        if (gone.empty()) {
            for (const Value& v : list.items) lose(v);
            list.items.clear();
            list.open = true;
        }
        std::ranges::sort(gone, std::greater{});
        for (const std::int64_t i : gone) list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
    if (object.tag == Tag::instance) {
        if (call_special(object, "__delitem__", {key}, node)) return;
    }
    if (object.tag == Tag::unknown) mutate_unknown(node);
}

void Interpreter::assign(NodeId target, Value value) {
    if (raising_) return;
    switch (kind(target)) {
        case Kind::identifier:
            bind_name(text(target), value);
            break;
        case Kind::tuple_pattern:
            if (const NodeId inner = alone_in_parentheses(target); inner != kNoNode) {
                assign(inner, value);
                break;
            }
            [[fallthrough]];
        case Kind::pattern_list:
        case Kind::list_pattern:
        case Kind::tuple:
        case Kind::list:
        case Kind::expression_list:
            assign_sequence(target, value);
            break;
        case Kind::subscript: {
            const Value object = eval(tree_->child(target, Field::value));
            const Value key = eval_key(target);
            if (!raising_) store_element(object, key, value, target);
            break;
        }
        case Kind::attribute: {
            const Value object = eval(tree_->child(target, Field::object));
            if (!raising_) assign_attribute(object, text(tree_->child(target, Field::attribute)), value, target);
            break;
        }
        case Kind::list_splat_pattern:
        case Kind::list_splat:
        case Kind::parenthesized_expression:
        case Kind::as_pattern_target:
            if (const NodeId inner = tree_->named_child(target, 0); inner != kNoNode) assign(inner, value);
            break;
        default:
            break;
    }
}

/// The target of `for (h) in ...`, which is h itself and no tuple; none of `(h,)` and `(a, b)`.
NodeId Interpreter::alone_in_parentheses(NodeId target) const {
    if (kind(target) != Kind::tuple_pattern || tree_->has_token(target, Kind::comma)) return kNoNode;
    return tree_->named_child(target, 0);
}

void Interpreter::assign_sequence(NodeId target, Value value) {
    if (!deeper()) return;
    std::vector<NodeId> targets;
    std::size_t star = SIZE_MAX;
    for (NodeId t : tree_->children(target)) {
        if (!(*tree_)[t].named || kind(t) == Kind::comment) continue;
        if (kind(t) == Kind::list_splat_pattern || kind(t) == Kind::list_splat) star = targets.size();
        targets.push_back(t);
    }
    auto items = iterate(value);
    const bool fits =
        items && (star == SIZE_MAX ? items->size() == targets.size() : items->size() + 1 >= targets.size());
    if (items && !fits) definite_error("ValueError", target);
    if (!fits) {
        // What is known of an open list's beginning is known here as well.
        std::vector<Value> first;
        if (!items && (value.tag == Tag::list || value.tag == Tag::tuple)) first = value.as.list->items;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const bool known = i < first.size() && (star == SIZE_MAX || i < star);
            if (!known && i < first.size()) lose(first[i]);
            Value v = known ? first[i] : unknown(UnknownReason::Why::joined, target);
            if (i == star) {
                v = make_list(Tag::list, {}, target);
                v.as.list->open = true;
            }
            assign(targets[i], v);
        }
        for (std::size_t i = targets.size(); i < first.size(); ++i) lose(first[i]);
        --depth_;
        return;
    }
    const std::size_t extra = star == SIZE_MAX ? 0 : items->size() + 1 - targets.size();
    std::size_t at = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (i == star) {
            std::vector<Value> rest(items->begin() + static_cast<std::ptrdiff_t>(at),
                                    items->begin() + static_cast<std::ptrdiff_t>(at + extra));
            assign(targets[i], make_list(Tag::list, std::move(rest), target));
            at += extra;
        } else {
            assign(targets[i], (*items)[at++]);
        }
    }
    --depth_;
}

void Interpreter::store_element(const Value& object, const Value& given_key, const Value& value, NodeId target) {
    const Value key = plain(given_key);
    switch (object.tag) {
        case Tag::tensor:
            tensor_store(object, key, value, target);
            break;
        case Tag::list:
            store_in_list(*object.as.list, key, value, target);
            break;
        case Tag::dict:
            note_use(LoopUse::Kind::index_as_key, key, target);
            change(*object.as.dict, target);
            put(*object.as.dict, key, value, target);
            break;
        case Tag::instance:
            if (!call_special(object, "__setitem__", {key, value}, target)) lose(value);
            break;
        case Tag::unknown:
            lose(value);
            mutate_unknown(target);
            break;
        default:
            lose(value);
            break;
    }
}

void Interpreter::store_in_list(List& list, const Value& key, const Value& value, NodeId target) {
    change(list, target);
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (key.is_int() && (key.sym().value >= 0 || !list.open)) {
        const std::int64_t i = key.sym().value < 0 ? key.sym().value + size : key.sym().value;
        if (i >= 0 && i < size) {
            list.items[static_cast<std::size_t>(i)] = value;
            return;
        }
        if (!list.open) {
            definite_error("IndexError", target);
            return;
        }
        lose(value);  // behind what is known
        return;
    }
    note_use(LoopUse::Kind::list_index, key, target);
    if (key.tag == Tag::slice) {
        store_slice(list, *key.as.slice, value);
        return;
    }
    for (Value& item : list.items) item = join(item, value, target);
    if (list.open) lose(value);
}

void Interpreter::store_slice(List& list, const Slice& slice, const Value& value) {
    const auto items = iterate(value);
    const auto size = static_cast<std::int64_t>(list.items.size());
    const auto positions = list.open ? std::nullopt : slice_positions(slice, size);
    const bool simple = slice.step.tag == Tag::none || (slice.step.is_int() && slice.step.sym().value == 1);
    if (!items || !positions || (!simple && positions->size() != items->size())) {
        for (const Value& v : list.items) lose(v);
        lose(value);
        if (items) {
            for (const Value& v : *items) lose(v);
        }
        list.items.clear();
        list.open = true;
        return;
    }
    if (!simple) {
        for (std::size_t i = 0; i < items->size(); ++i) {
            list.items[static_cast<std::size_t>((*positions)[i])] = (*items)[i];
        }
        return;
    }
    // The part may grow or shrink; an empty one is where its start is.
    const std::int64_t raw = slice.start.tag == Tag::none ? 0 : slice.start.sym().value;
    const std::int64_t start = std::clamp<std::int64_t>(raw < 0 ? raw + size : raw, 0, size);
    const auto first = list.items.begin() + static_cast<std::ptrdiff_t>(start);
    const auto at = list.items.erase(first, first + static_cast<std::ptrdiff_t>(positions->size()));
    charge(list.items.size() + items->size());
    list.items.insert(at, items->begin(), items->end());
}

}  // namespace ptofix::trace
