// match: patterns against a value that is known, in part or not at all.
#include <algorithm>

#include "trace/interpreter.h"

namespace ptofix::trace {

namespace {

/// One more condition that must hold.
std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
    if (a == false || b == false) return false;
    return a && b ? std::optional(true) : std::nullopt;
}

}  // namespace

Flow Interpreter::exec_match(NodeId statement) {
    const NodeId subject_node = tree_->child(statement, Field::subject);
    const NodeId body = tree_->child(statement, Field::body);
    if (subject_node == kNoNode || body == kNoNode) return Flow::normal;
    const Value subject = eval_subject(statement);
    if (raising_) return Flow::raised;
    note_use(LoopUse::Kind::index_in_condition, subject, subject_node);
    const Trail::Mark mark = trail_.open(sequence_);
    const BranchId outer = branch_;
    std::vector<Way> ways;
    int number = 0;
    std::optional<Flow> last;  // how the case ended behind which no other is tried
    for (NodeId c : tree_->children(body)) {
        if (kind(c) != Kind::case_clause) continue;
        const NodeId block = tree_->child(c, Field::consequence);
        const NodeId guard_clause = tree_->child(c, Field::guard);
        const NodeId guard = guard_clause == kNoNode ? kNoNode : tree_->named_child(guard_clause, 0);
        Bindings bindings;
        std::optional<bool> matches = match_patterns(c, subject, bindings);
        if (matches == false) continue;
        const bool sure = matches == true;
        const Trail::Mark inner = trail_.open(sequence_);
        for (const auto& [name, value] : bindings) bind_name(name, value);
        if (guard != kNoNode) {
            const Value holds = eval(guard);
            matches = raising_ ? std::nullopt : both(matches, truth_of(holds, guard));
        }
        if (matches == false || raising_) {
            // What the guard did and what the pattern bound stays, if it came so far.
            if (raising_) {
                ways.push_back(end_way(mark, Flow::raised));
                if (sure) last = Flow::raised;
            }
            if (!sure) {
                Exit tried = exit_since(inner);
                trail_.rollback(inner);
                merge(inner, true, {std::move(tried)}, c);
            }
            trail_.close();
            if (last) break;
            continue;
        }
        if (matches == true) {
            if (!ways.empty()) enter_arm(outer, statement, number);
            const Flow flow = block == kNoNode ? Flow::normal : exec_block(block);
            last = flow;
            if (!ways.empty()) ways.push_back(end_way(mark, flow));
            trail_.close();
            break;
        }
        Exit tried = exit_since(inner);
        enter_arm(outer, statement, number++);
        ways.push_back(end_way(mark, block == kNoNode ? Flow::normal : exec_block(block)));
        trail_.rollback(inner);
        if (guard != kNoNode) merge(inner, !sure, {std::move(tried)}, c);
        trail_.close();
        branch_ = outer;
    }
    Flow flow = last.value_or(Flow::normal);
    if (!ways.empty()) {
        if (!last) ways.push_back(end_way(mark, Flow::normal));
        branch_ = outer;
        trail_.rollback(mark);
        flow = settle(mark, ways, statement);
    }
    trail_.close();
    return flow;
}

void Interpreter::enter_arm(BranchId outer, NodeId statement, int number) {
    branch_ = static_cast<BranchId>(trace_.branches.size());
    trace_.branches.push_back({outer, here(statement), number, false});
}

Value Interpreter::eval_subject(NodeId statement) {
    // match a, b: a tuple without parentheses
    std::vector<Value> subjects;
    for (NodeId c : tree_->children(statement)) {
        if ((*tree_)[c].field == Field::subject) subjects.push_back(eval(c));
    }
    if (subjects.size() == 1) return subjects[0];
    return make_list(Tag::tuple, std::move(subjects), statement);
}

std::optional<bool> Interpreter::match_patterns(NodeId clause, const Value& subject, Bindings& bindings) {
    std::vector<NodeId> patterns;
    for (NodeId c : tree_->children(clause)) {
        if (kind(c) == Kind::case_pattern) patterns.push_back(c);
    }
    if (patterns.empty()) return std::nullopt;
    if (patterns.size() == 1 && !tree_->has_token(clause, Kind::comma)) return match(patterns[0], subject, bindings);
    return match_items(patterns, subject, bindings);
}

std::optional<bool> Interpreter::match(NodeId pattern, const Value& subject, Bindings& bindings) {
    if (!deeper()) {
        bind_unknown(pattern, bindings);
        return std::nullopt;
    }
    const std::optional<bool> r = match_alternatives(pattern, subject, bindings);
    --depth_;
    if (!r) bind_unknown(pattern, bindings);
    return r;
}

std::optional<bool> Interpreter::match_alternatives(NodeId pattern, const Value& subject, Bindings& bindings) {
    const Kind k = kind(pattern);
    if (k != Kind::case_pattern && k != Kind::union_pattern) return match_atom(pattern, false, subject, bindings);
    if (text(pattern) == "_") return true;
    bool negative = false;
    bool undecided = false;
    for (NodeId c : tree_->children(pattern)) {
        if (kind(c) == Kind::minus) negative = true;
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        const auto r = kind(c) == Kind::case_pattern || kind(c) == Kind::union_pattern
                           ? match(c, subject, bindings)
                           : match_atom(c, negative, subject, bindings);
        negative = false;
        if (r == true) return undecided ? std::nullopt : std::optional(true);
        undecided = undecided || !r;
    }
    if (!undecided && text(pattern).find('_') != std::string_view::npos && k == Kind::union_pattern) {
        // A wildcard among the alternatives is no named node.
        for (NodeId c : tree_->children(pattern)) {
            if (kind(c) == Kind::underscore) return true;
        }
    }
    return undecided ? std::nullopt : std::optional(false);
}

std::optional<bool> Interpreter::match_atom(NodeId n, bool negative, const Value& subject, Bindings& bindings) {
    switch (kind(n)) {
        case Kind::integer:
        case Kind::float_: {
            const Value v = eval_number(n);
            return equal(plain(subject), negative ? negated(v, n) : v);
        }
        case Kind::string:
        case Kind::concatenated_string:
            return equal(plain(subject), eval_string(n));
        case Kind::true_:
        case Kind::false_:
            return identical(subject, Value::boolean(kind(n) == Kind::true_));
        case Kind::none:
            return identical(subject, Value::none());
        case Kind::dotted_name: {
            if (tree_->named_child_count(n) == 1) {
                bindings.emplace_back(text(n), subject);
                return true;
            }
            return equal(subject, eval_dotted(n));
        }
        case Kind::identifier:
            bindings.emplace_back(text(n), subject);
            return true;
        case Kind::as_pattern: {
            const NodeId inner = tree_->named_child(n, 0);
            const NodeId name = tree_->named_child(n, 1);
            if (inner == kNoNode || name == kNoNode) return std::nullopt;
            const auto r = match(inner, subject, bindings);
            if (r != false) bindings.emplace_back(text(name), subject);
            return r;
        }
        case Kind::case_pattern:
        case Kind::union_pattern:
            return match(n, subject, bindings);
        case Kind::tuple_pattern:
        case Kind::list_pattern: {
            std::vector<NodeId> patterns;
            for (NodeId c : tree_->children(n)) {
                if ((*tree_)[c].named && kind(c) != Kind::comment) patterns.push_back(c);
            }
            if (kind(n) == Kind::tuple_pattern && patterns.size() == 1 && !tree_->has_token(n, Kind::comma)) {
                return match(patterns[0], subject, bindings);  // only parentheses
            }
            return match_items(patterns, subject, bindings);
        }
        case Kind::dict_pattern:
            return match_dict(n, subject, bindings);
        case Kind::class_pattern:
            return match_class(n, subject, bindings);
        default:
            return std::nullopt;
    }
}

std::optional<bool> Interpreter::match_items(const std::vector<NodeId>& patterns, const Value& subject,
                                             Bindings& bindings) {
    const auto splat_of = [&](NodeId p) {
        if (kind(p) == Kind::splat_pattern) return p;
        return tree_->child_of_kind(p, Kind::splat_pattern);
    };
    switch (subject.tag) {
        case Tag::list:
        case Tag::tuple:
            if (!subject.as.list->open) break;
            [[fallthrough]];
        case Tag::unknown:
        case Tag::external:
        case Tag::instance:
        case Tag::range:
            for (const NodeId p : patterns) bind_unknown(p, bindings);
            return std::nullopt;
        default:
            return false;
    }
    const std::vector<Value> items = subject.as.list->items;
    const auto star = std::ranges::find_if(patterns, [&](NodeId p) { return splat_of(p) != kNoNode; });
    const std::size_t fixed = patterns.size() - (star != patterns.end() ? 1 : 0);
    if (star == patterns.end() ? items.size() != fixed : items.size() < fixed) return false;
    const std::size_t extra = items.size() - fixed;
    std::optional<bool> all = true;
    std::size_t at = 0;
    for (auto it = patterns.begin(); it != patterns.end() && all != false; ++it) {
        if (it == star) {
            const auto first = items.begin() + static_cast<std::ptrdiff_t>(at);
            const NodeId splat = splat_of(*it);
            const NodeId name = tree_->named_child(splat, 0);
            std::vector<Value> rest(first, first + static_cast<std::ptrdiff_t>(extra));
            if (name != kNoNode) bindings.emplace_back(text(name), make_list(Tag::list, std::move(rest), *it));
            at += extra;
        } else {
            all = both(all, match(*it, items[at++], bindings));
        }
    }
    if (!all) {
        for (const NodeId p : patterns) bind_unknown(p, bindings);
    }
    return all;
}

std::optional<bool> Interpreter::match_dict(NodeId n, const Value& subject, Bindings& bindings) {
    if (subject.tag != Tag::dict) {
        const bool may = subject.tag == Tag::unknown || subject.tag == Tag::external || subject.tag == Tag::instance;
        if (may) bind_unknown(n, bindings);
        return may ? std::nullopt : std::optional(false);
    }
    Value rest = copy(subject, 1);
    std::optional<bool> all = true;
    Value key;
    for (NodeId c : tree_->children(n)) {
        if (!(*tree_)[c].named || kind(c) == Kind::comment) continue;
        if (kind(c) == Kind::splat_pattern) {
            if (const NodeId name = tree_->named_child(c, 0); name != kNoNode) bindings.emplace_back(text(name), rest);
        } else if ((*tree_)[c].field == Field::value) {
            const Entry at = find(*subject.as.dict, key);
            if (at.found == Found::no) return false;
            if (at.found == Found::yes) {
                all = both(all, match(c, subject.as.dict->items[at.index].second, bindings));
                erase(*rest.as.dict, key);
            } else {
                all = both(all, std::nullopt);
            }
            if (all == false) return false;
        } else {
            key = kind(c) == Kind::dotted_name ? eval_dotted(c) : eval(c);
        }
    }
    if (!all) bind_unknown(n, bindings);
    return all;
}

std::optional<bool> Interpreter::match_class(NodeId n, const Value& subject, Bindings& bindings) {
    const NodeId name = tree_->named_child(n, 0);
    if (name == kNoNode) return std::nullopt;
    const Value type = eval_dotted(name);
    std::optional<bool> all = is_instance(subject, type);
    if (all == false) return false;
    std::size_t position = 0;
    for (NodeId c : tree_->children(n)) {
        if (kind(c) != Kind::case_pattern || c == name) continue;
        const NodeId keyword = tree_->child_of_kind(c, Kind::keyword_pattern);
        if (keyword == kNoNode) {
            // int(x) is x itself; a class says by __match_args__ which attribute it is.
            const auto part = matched_position(subject, type, position++, n);
            all = both(all, part ? match(c, *part, bindings) : std::nullopt);
        } else {
            const NodeId attribute_name = tree_->named_child(keyword, 0);
            if (subject.tag != Tag::instance || attribute_name == kNoNode) return std::nullopt;
            const Value v = attribute(subject, text(attribute_name), n);
            bool negative = tree_->has_token(keyword, Kind::minus);
            bool first = true;
            std::optional<bool> r;
            for (NodeId p : tree_->children(keyword)) {
                if (!(*tree_)[p].named || kind(p) == Kind::comment) continue;
                if (!first) r = match_atom(p, negative, v, bindings);
                first = false;
            }
            if (tree_->has_token(keyword, Kind::underscore)) r = true;
            all = both(all, r);
        }
        if (all == false) return false;
    }
    if (!all) bind_unknown(n, bindings);
    return all;
}

std::optional<Value> Interpreter::matched_position(const Value& subject, const Value& type, std::size_t position,
                                                   NodeId node) {
    if (type.tag == Tag::external) return position == 0 ? std::optional(subject) : std::nullopt;
    if (type.tag != Tag::klass || subject.tag != Tag::instance) return std::nullopt;
    const Class& k = *type.as.klass;
    std::string_view name;
    if (k.is_dataclass || k.is_named_tuple) {
        if (position >= k.fields.size()) return std::nullopt;
        name = k.fields[position].name;
    } else {
        const Value names = class_attribute(type.as.klass, "__match_args__", Value::none(), node);
        if (names.tag != Tag::tuple || names.as.list->open || position >= names.as.list->items.size())
            return std::nullopt;
        const Value& v = names.as.list->items[position];
        if (v.tag != Tag::string) return std::nullopt;
        name = *v.as.text;
    }
    return attribute(subject, name, node);
}

void Interpreter::bind_unknown(NodeId pattern, Bindings& bindings) {
    for (NodeId n = pattern; n < (*tree_)[pattern].subtree_end; ++n) {
        const NodeId parent = tree_->parent(n);
        const bool capture =
            (kind(n) == Kind::dotted_name && tree_->named_child_count(n) == 1 && kind(parent) != Kind::class_pattern) ||
            (kind(n) == Kind::identifier && (kind(parent) == Kind::splat_pattern || kind(parent) == Kind::as_pattern));
        if (capture) bindings.emplace_back(text(n), unknown(UnknownReason::Why::joined, n));
    }
}

Value Interpreter::eval_dotted(NodeId name) {
    Value v;
    bool first = true;
    for (NodeId c : tree_->children(name)) {
        if (kind(c) != Kind::identifier) continue;
        v = first ? load(text(c), c) : attribute(v, text(c), c);
        first = false;
    }
    return v;
}

}  // namespace ptofix::trace
