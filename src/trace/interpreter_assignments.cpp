// Assignment in every form: chained, unpacked, augmented, to elements and attributes; and del.
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
        if (t != kNoNode) assign(t, v);
    }
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
    const NodeId op = tree_->child(node, Field::operator_);
    if (target == kNoNode || right == kNoNode || op == kNoNode) return;
    const Value before = eval(target);
    const Value operand = eval(right);
    if (before.tag == Tag::list && kind(op) == Kind::plus_assign) {  // in place: extend
        note_mutation(before.as.list->birth, node);
        trail_.before({Place::Kind::list, before.as.list});
        if (auto items = iterate(operand)) {
            before.as.list->items.insert(before.as.list->items.end(), items->begin(), items->end());
        } else {
            before.as.list->open = true;
        }
        return;
    }
    assign(target, binary(operator_of_assignment(kind(op)), before, operand, node));
}

void Interpreter::exec_delete(NodeId node) {
    for (NodeId n : tree_->children(node)) {
        if (kind(n) == Kind::identifier) {
            if (Scope::Entry* e = scope_->find(text(n)); e != nullptr) {
                trail_.before({Place::Kind::name, scope_, static_cast<std::uint32_t>(e - scope_->entries.data())});
                e->bound = false;
            }
        } else if (kind(n) == Kind::subscript) {
            const Value object = eval(tree_->child(n, Field::value));
            if (object.tag == Tag::dict) {
                trail_.before({Place::Kind::dict, object.as.dict});
                object.as.dict->open = true;
                object.as.dict->items.clear();
            } else if (object.tag == Tag::list) {
                trail_.before({Place::Kind::list, object.as.list});
                object.as.list->open = true;
            }
        }
    }
}

void Interpreter::assign(NodeId target, Value value) {
    switch (kind(target)) {
        case Kind::identifier:
            bind_name(text(target), value);
            break;
        case Kind::pattern_list:
        case Kind::tuple_pattern:
        case Kind::list_pattern:
        case Kind::tuple:
        case Kind::list:
        case Kind::expression_list:
            assign_sequence(target, value);
            break;
        case Kind::subscript:
            assign_subscript(target, value);
            break;
        case Kind::attribute: {
            const Value object = eval(tree_->child(target, Field::object));
            assign_attribute(object, text(tree_->child(target, Field::attribute)), value);
            break;
        }
        case Kind::list_splat_pattern:
        case Kind::parenthesized_expression:
        case Kind::as_pattern_target:
            if (const NodeId inner = tree_->named_child(target, 0); inner != kNoNode) assign(inner, value);
            break;
        default:
            break;
    }
}

void Interpreter::assign_sequence(NodeId target, Value value) {
    std::vector<NodeId> targets;
    std::size_t star = SIZE_MAX;
    for (NodeId t : tree_->children(target)) {
        if (!(*tree_)[t].named || kind(t) == Kind::comment) continue;
        if (kind(t) == Kind::list_splat_pattern) star = targets.size();
        targets.push_back(t);
    }
    auto items = iterate(value);
    const bool fits =
        items && (star == SIZE_MAX ? items->size() == targets.size() : items->size() + 1 >= targets.size());
    if (!fits) {
        for (NodeId t : targets) assign(t, unknown(UnknownReason::Why::joined, target));
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
}

void Interpreter::assign_subscript(NodeId target, Value value) {
    const Value object = eval(tree_->child(target, Field::value));
    std::vector<Value> keys;
    for (NodeId c : tree_->children(target)) {
        if ((*tree_)[c].field == Field::subscript) keys.push_back(eval(c));
    }
    const bool is_tuple = keys.size() != 1 || tree_->has_token(target, Kind::comma);
    const Value key = is_tuple ? make_list(Tag::tuple, std::move(keys), target) : keys.empty() ? Value{} : keys[0];
    switch (object.tag) {
        case Tag::tensor:
            tensor_store(object, key, value, target);
            break;
        case Tag::list: {
            List& list = *object.as.list;
            note_mutation(list.birth, target);
            trail_.before({Place::Kind::list, &list});
            if (key.tag == Tag::integer) {
                const std::int64_t i =
                    key.as.i < 0 ? key.as.i + static_cast<std::int64_t>(list.items.size()) : key.as.i;
                if (i >= 0 && i < static_cast<std::int64_t>(list.items.size())) {
                    list.items[static_cast<std::size_t>(i)] = value;
                    break;
                }
            }
            note_use(LoopUse::Kind::list_index, key, target);
            for (Value& item : list.items) item = join(item, value, target);
            break;
        }
        case Tag::dict: {
            Dict& dict = *object.as.dict;
            note_mutation(dict.birth, target);
            note_use(LoopUse::Kind::index_as_key, key, target);
            trail_.before({Place::Kind::dict, &dict});
            bool undecided = key.tag == Tag::unknown || key.tag == Tag::symbol;
            for (auto& [k, v] : dict.items) {
                const auto eq = equal(k, key);
                if (!eq) undecided = true;
                if (eq == true) {
                    v = value;
                    return;
                }
            }
            if (undecided) {
                for (auto& [k, v] : dict.items) v = join(v, value, target);
                dict.open = true;
            } else {
                dict.items.emplace_back(key, value);
            }
            break;
        }
        default:
            break;
    }
}

void Interpreter::assign_attribute(Value object, std::string_view name, Value value) {
    if (object.tag == Tag::instance) {
        Instance& instance = *object.as.instance;
        note_mutation(instance.birth, kNoNode);
        trail_.before({Place::Kind::instance, &instance});
        for (auto& [n, v] : instance.attributes) {
            if (n == name) {
                v = value;
                return;
            }
        }
        instance.attributes.emplace_back(name, value);
    } else if (object.tag == Tag::klass) {
        bind(object.as.klass->members, name, value);
    } else if (object.tag == Tag::module && object.as.module->globals != nullptr) {
        bind(object.as.module->globals, name, value);
    }
}

void Interpreter::havoc_assigned_names(NodeId subtree) {
    for (NodeId n = subtree; n < (*tree_)[subtree].subtree_end; ++n) {
        const Kind k = kind(n);
        if (k != Kind::assignment && k != Kind::augmented_assignment && k != Kind::named_expression) continue;
        const NodeId left = tree_->child(n, k == Kind::named_expression ? Field::name : Field::left);
        if (left != kNoNode && kind(left) == Kind::identifier) {
            bind_name(text(left), unknown(UnknownReason::Why::unsupported, n));
        }
    }
}

}  // namespace ptofix::trace
