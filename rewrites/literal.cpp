#include "rewrites/literal.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <tuple>

#include "rewrites/loop_checks.h"
#include "rewrites/name_uses.h"
#include "syntax/integer_literal.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

using Path = std::vector<std::string>;

// A literal that goes further than this is not one that a tool should change.
constexpr std::size_t kMaxSteps = 2000;

/// The text of a plain string, or of several in a row that Python puts together, without quotes; nullopt for everything
/// else.
std::optional<std::string> string_text(const SourceFile& file, NodeId node) {
    std::string out;
    if (file.tree.kind(node) == Kind::concatenated_string) {
        for (const NodeId part : file.tree.children(node)) {
            if (file.tree.kind(part) == Kind::comment || file.tree.kind(part) == Kind::line_continuation) continue;
            if (file.tree.kind(part) != Kind::string) return std::nullopt;
            const auto text = string_text(file, part);
            if (!text) return std::nullopt;
            out += *text;
        }
        return out;
    }
    if (file.tree.kind(node) != Kind::string) return std::nullopt;
    for (const NodeId c : file.tree.children(node)) {
        if (file.tree.kind(c) == Kind::interpolation) return std::nullopt;
        if (file.tree.kind(c) == Kind::string_content) out += file.text(c);
    }
    return out;
}

/// The key of a subscript or pair: a string's text, "#3" for a number.
std::optional<std::string> key_of(const SourceFile& file, NodeId node) {
    if (node == kNoNode) return std::nullopt;
    if (file.tree.kind(node) == Kind::integer) {
        const auto index = syntax::integer_literal(file.text(node));
        return index ? std::optional("#" + std::to_string(*index)) : std::nullopt;
    }
    return string_text(file, node);
}

/// The number in "#3".
std::optional<std::size_t> index_in(std::string_view key) {
    std::size_t index = 0;
    if (!key.starts_with('#')) return std::nullopt;
    const auto [end, error] = std::from_chars(key.data() + 1, key.data() + key.size(), index);
    if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
    return index;
}

Path deeper(std::string key, const Path& path) {
    Path out{std::move(key)};
    out.insert(out.end(), path.begin(), path.end());
    return out;
}

Path rest(const Path& path) {
    return {path.begin() + 1, path.end()};
}

class Follower {
  public:
    explicit Follower(const Trace& trace) : trace_(trace) {}

    std::vector<LiteralUse> follow(Site literal) {
        push(literal, {});
        std::size_t steps = 0;
        while (!pending_.empty()) {
            const State state = std::move(pending_.back());
            pending_.pop_back();
            if (++steps > kMaxSteps) {
                lose(state.at);
                break;
            }
            step(state);
        }
        return std::move(uses_);
    }

  private:
    /// The value of the expression `at` holds the literal under the keys of `path`.
    struct State {
        Site at;
        Path path;
        auto key() const { return std::tie(at, path); }
        bool operator<(const State& other) const { return key() < other.key(); }
    };

    const SourceFile& file(Site site) const { return *trace_.files[site.file]; }
    static Site with(Site site, NodeId node) { return {site.file, node}; }

    void push(Site at, Path path) {
        State state{at, std::move(path)};
        if (seen_.insert(state).second) pending_.push_back(std::move(state));
    }
    void lose(Site at) { uses_.push_back({at, {}, {}, 0, {}}); }

    void to_name(Site scope, std::string_view name, const Path& path) {
        for (const Site read : reads_of(trace_, scope, name)) push(read, path);
    }
    void to_field(std::string_view name, const Path& path) {
        for (const Site read : attribute_reads(trace_, name)) push(read, path);
    }

    void step(const State& state) {
        const auto& [at, path] = state;
        const SourceFile& source = file(at);
        const syntax::Tree& tree = source.tree;
        const NodeId parent = tree.parent(at.node);
        if (parent == kNoNode) return lose(at);
        const Site up = with(at, parent);
        const Field field = tree[at.node].field;
        switch (tree.kind(parent)) {
            case Kind::parenthesized_expression:
            case Kind::boolean_operator:
                return push(up, path);
            case Kind::conditional_expression:
                return tree.named_child(parent, 1) == at.node ? lose(at) : push(up, path);
            case Kind::named_expression:
                to_name(binding_scope(trace_, at, source.text(tree.child(parent, Field::name))),
                        source.text(tree.child(parent, Field::name)), path);
                return push(up, path);
            case Kind::assignment:
                return assigned(state, parent);
            case Kind::expression_statement:
            case Kind::type:
                return;
            case Kind::pair:
                return in_pair(state, parent);
            case Kind::dictionary_splat:
                if (tree.kind(tree.parent(parent)) == Kind::dictionary)
                    return push(with(at, tree.parent(parent)), path);
                return spread(state, parent);
            case Kind::list_splat:
                return unpacked(state, parent);
            case Kind::list:
            case Kind::tuple:
            case Kind::expression_list:
                return in_sequence(state, parent);
            case Kind::default_parameter:
            case Kind::typed_default_parameter: {
                const NodeId function = tree.parent(tree.parent(parent));
                const NodeId name = tree.child(parent, Field::name);
                if (field != Field::value || name == kNoNode || function == kNoNode) return lose(at);
                return to_name(with(at, function), source.text(name), path);
            }
            case Kind::lambda:
                return returned(with(at, parent), at, path);
            case Kind::return_statement:
                return returned(with(at, scope_of(trace_, at).node), at, path);
            case Kind::keyword_argument: {
                const NodeId call = tree.parent(tree.parent(parent));
                if (call == kNoNode || tree.kind(call) != Kind::call) return lose(at);
                return argument(with(at, call), std::string(source.text(tree.child(parent, Field::name))), 0, path, at);
            }
            case Kind::argument_list: {
                const NodeId call = tree.parent(parent);
                if (call == kNoNode || tree.kind(call) != Kind::call) return lose(at);
                std::size_t position = 0;
                for (const NodeId c : tree.children(parent)) {
                    if (c == at.node) break;
                    if (tree.kind(c) == Kind::list_splat) return lose(at);
                    position += tree[c].named && tree.kind(c) != Kind::comment;
                }
                return argument(with(at, call), {}, position, path, at);
            }
            case Kind::subscript: {
                if (field != Field::value) return lose(at);
                const auto key = key_of(source, tree.child(parent, Field::subscript));
                if (path.empty() || !key) return lose(at);
                if (*key == path.front()) push(up, rest(path));
                return;
            }
            case Kind::attribute:
                return attribute(state, parent);
            default:
                return lose(at);
        }
    }

    void assigned(const State& state, NodeId assignment) {
        const auto& [at, path] = state;
        const SourceFile& source = file(at);
        const syntax::Tree& tree = source.tree;
        if (tree[at.node].field == Field::type) return;
        if (tree[at.node].field == Field::left) return;  // a = b = value: reached through the inner assignment
        // a = b = value nests to the right: every assignment above has the value too.
        for (NodeId up = assignment; up != kNoNode && tree.kind(up) == Kind::assignment; up = tree.parent(up)) {
            bind(tree.child(up, Field::left), state);
        }
    }

    void bind(NodeId target, const State& state) {
        const auto& [at, path] = state;
        const SourceFile& source = file(at);
        const syntax::Tree& tree = source.tree;
        if (target == kNoNode) return lose(at);
        switch (tree.kind(target)) {
            case Kind::identifier: {
                const std::string_view name = source.text(target);
                const Site scope = binding_scope(trace_, with(at, target), name);
                if (tree.kind(scope.node) == Kind::class_definition) to_field(name, path);
                return to_name(scope, name, path);
            }
            case Kind::attribute:
                return to_field(source.text(tree.child(target, Field::attribute)), path);
            case Kind::subscript: {
                const auto key = key_of(source, tree.child(target, Field::subscript));
                const NodeId object = tree.child(target, Field::value);
                if (!key || object == kNoNode || tree.kind(object) != Kind::identifier) return lose(at);
                const std::string_view name = source.text(object);
                return to_name(binding_scope(trace_, with(at, target), name), name, deeper(*key, path));
            }
            case Kind::pattern_list:
            case Kind::tuple_pattern: {
                // One of `a, b = first, second`.
                if (path.empty() || !path.front().starts_with('#')) return lose(at);
                std::size_t left = 0;
                for (const NodeId c : tree.children(target)) {
                    if (!tree[c].named || tree.kind(c) == Kind::comment) continue;
                    if (tree.kind(c) == Kind::list_splat_pattern) return lose(at);
                    if ("#" + std::to_string(left++) == path.front()) return bind(c, {at, rest(path)});
                }
                return lose(at);
            }
            default:
                return lose(at);
        }
    }

    void in_pair(const State& state, NodeId pair) {
        const auto& [at, path] = state;
        const syntax::Tree& tree = file(at).tree;
        const NodeId dictionary = tree.parent(pair);
        const auto key = key_of(file(at), tree.child(pair, Field::key));
        if (tree[at.node].field != Field::value || !key || tree.kind(dictionary) != Kind::dictionary) return lose(at);
        push(with(at, dictionary), deeper(*key, path));
    }

    void in_sequence(const State& state, NodeId sequence) {
        const auto& [at, path] = state;
        const syntax::Tree& tree = file(at).tree;
        std::size_t index = 0;
        for (const NodeId c : tree.children(sequence)) {
            if (c == at.node) break;
            if (tree.kind(c) == Kind::list_splat) return lose(at);
            index += tree[c].named && tree.kind(c) != Kind::comment;
        }
        push(with(at, sequence), deeper("#" + std::to_string(index), path));
    }

    /// f(**options): each key is a keyword.
    void spread(const State& state, NodeId splat) {
        const auto& [at, path] = state;
        const syntax::Tree& tree = file(at).tree;
        const NodeId call = tree.parent(tree.parent(splat));
        if (path.empty() || call == kNoNode || tree.kind(call) != Kind::call) return lose(at);
        argument(with(at, call), path.front(), 0, rest(path), with(at, splat));
    }

    /// f(first, *numbers): each item is an argument.
    void unpacked(const State& state, NodeId splat) {
        const auto& [at, path] = state;
        const syntax::Tree& tree = file(at).tree;
        const NodeId arguments = tree.parent(splat);
        const NodeId call = arguments == kNoNode ? kNoNode : tree.parent(arguments);
        const bool spreads =
            call != kNoNode && tree.kind(arguments) == Kind::argument_list && tree.kind(call) == Kind::call;
        const auto index = path.empty() ? std::nullopt : index_in(path.front());
        if (!spreads || !index) return lose(at);
        std::size_t position = *index;
        for (const NodeId c : tree.children(arguments)) {
            if (c == splat) break;
            if (tree.kind(c) == Kind::list_splat) return lose(at);
            position += tree[c].named && tree.kind(c) != Kind::comment;
        }
        argument(with(at, call), {}, position, rest(path), with(at, splat));
    }

    void attribute(const State& state, NodeId node) {
        const auto& [at, path] = state;
        const SourceFile& source = file(at);
        const syntax::Tree& tree = source.tree;
        const std::string_view name = source.text(tree.child(node, Field::attribute));
        const NodeId call = tree.parent(node);
        const bool is_call = call != kNoNode && tree.kind(call) == Kind::call && tree[node].field == Field::function;
        if (!is_call) return path.empty() ? lose(at) : void();  // another attribute of the object that holds it
        if (name == "copy") return push(with(at, call), path);
        if (path.empty()) return lose(at);
        if (name == "update" || name == "setdefault") return;  // other keys, or another value of this one
        if (name != "get" && name != "pop") return lose(at);
        const auto key = key_of(source, tree.named_child(tree.child(call, Field::arguments), 0));
        if (!key) return lose(at);
        if (*key == path.front()) push(with(at, call), rest(path));
    }

    /// The value is what this function gives back.
    void returned(Site function, Site from, const Path& path) {
        const SourceFile& source = file(function);
        const syntax::Tree& tree = source.tree;
        if (tree.kind(function.node) == Kind::lambda) return as_function(function, from, path);
        if (tree.kind(function.node) != Kind::function_definition) return lose(from);
        const NodeId name = tree.child(function.node, Field::name);
        if (name == kNoNode) return lose(from);
        const Site scope = scope_of(trace_, function);
        const bool method = tree.kind(scope.node) == Kind::class_definition;
        const auto reads =
            method ? attribute_reads(trace_, source.text(name)) : reads_of(trace_, scope, source.text(name));
        for (const Site read : reads) as_function(read, read, path);
    }

    /// The expression is a function that gives the value back: followed where it is called, and as a default_factory.
    void as_function(Site function, Site from, const Path& path) {
        const SourceFile& source = file(function);
        const syntax::Tree& tree = source.tree;
        const NodeId parent = tree.parent(function.node);
        const Kind kind = tree.kind(parent);
        if (kind == Kind::call && tree[function.node].field == Field::function)
            return push(with(function, parent), path);
        if (kind == Kind::parenthesized_expression) return as_function(with(function, parent), from, path);
        if (kind == Kind::keyword_argument && source.text(tree.child(parent, Field::name)) == "default_factory") {
            const NodeId call = tree.parent(tree.parent(parent));
            return argument(with(function, call), "default_factory", 0, path, from);
        }
        if (kind == Kind::assignment && tree[function.node].field == Field::right) {
            const NodeId left = tree.child(parent, Field::left);
            if (left != kNoNode && tree.kind(left) == Kind::identifier) {
                const std::string_view name = source.text(left);
                for (const Site read : reads_of(trace_, binding_scope(trace_, with(function, left), name), name)) {
                    if (read != function) as_function(read, read, path);
                }
                return;
            }
        }
        lose(from);
    }

    void argument(Site call, const std::string& keyword, std::size_t position, const Path& path, Site from) {
        const SourceFile& source = file(call);
        const syntax::Tree& tree = source.tree;
        const NodeId callee = tree.child(call.node, Field::function);
        if (callee == kNoNode) return lose(from);
        const std::string_view text = source.text(callee);
        const std::string_view name = text.substr(text.rfind('.') + 1);
        if (name == "dict") {
            return push(call, keyword.empty() ? path : deeper(keyword, path));
        }
        static constexpr std::string_view kCopies[] = {"list", "tuple", "set", "frozenset", "sorted"};
        if (path.empty() && keyword.empty() && std::ranges::find(kCopies, text) != std::end(kCopies))
            return push(call, path);
        if (name == "deepcopy" || (name == "copy" && keyword.empty())) return push(call, path);
        if (name == "field" && (keyword == "default" || keyword == "default_factory")) {
            const NodeId assignment = tree.parent(call.node);
            const NodeId left =
                tree.kind(assignment) == Kind::assignment ? tree.child(assignment, Field::left) : kNoNode;
            return left == kNoNode ? lose(from) : to_field(source.text(left), path);
        }
        if (name == "replace" || name == "_replace" || name == "SimpleNamespace") {
            if (keyword.empty()) return lose(from);
            return to_field(keyword, path);
        }
        const std::vector<Site> definitions = definitions_of(trace_, with(call, callee));
        if (definitions.empty()) {
            uses_.push_back({from, call, keyword, position, path});
            return;
        }
        for (const Site definition : definitions) into(definition, keyword, position, path, from);
    }

    void into(Site definition, const std::string& keyword, std::size_t position, const Path& path, Site from) {
        const SourceFile& source = file(definition);
        const syntax::Tree& tree = source.tree;
        if (tree.kind(definition.node) == Kind::class_definition)
            return into_class(definition, keyword, position, path, from);
        const NodeId parameters = tree.child(definition.node, Field::parameters);
        if (parameters == kNoNode) return lose(from);
        const bool method =
            tree.kind(scope_of(trace_, definition).node) == Kind::class_definition && !is_static(definition);
        std::size_t index = method ? position + 1 : position;
        std::string_view rest_name;
        for (const NodeId c : tree.children(parameters)) {
            if (!tree[c].named || tree.kind(c) == Kind::comment) continue;
            NodeId name = c;
            switch (tree.kind(c)) {
                case Kind::default_parameter:
                case Kind::typed_default_parameter:
                    name = tree.child(c, Field::name);
                    break;
                case Kind::typed_parameter:
                    name = tree.named_child(c, 0);
                    break;
                case Kind::keyword_separator:
                case Kind::positional_separator:
                    continue;
                default:
                    break;
            }
            if (name == kNoNode) continue;
            const bool splat = tree.kind(name) == Kind::list_splat_pattern;
            if (tree.kind(name) == Kind::dictionary_splat_pattern) {
                if (const NodeId own = tree.named_child(name, 0); own != kNoNode) rest_name = source.text(own);
                continue;
            }
            if (splat) {
                if (keyword.empty()) return lose(from);
                continue;
            }
            if (keyword.empty() ? index == 0 : source.text(name) == keyword) {
                return to_name(definition, source.text(name), path);
            }
            if (keyword.empty()) --index;
        }
        if (keyword.empty() || rest_name.empty()) return lose(from);
        to_name(definition, rest_name, deeper(keyword, path));
    }

    bool is_static(Site function) const {
        const syntax::Tree& tree = file(function).tree;
        const NodeId decorated = tree.parent(function.node);
        if (decorated == kNoNode || tree.kind(decorated) != Kind::decorated_definition) return false;
        for (const NodeId c : tree.children(decorated)) {
            if (tree.kind(c) == Kind::decorator &&
                file(function).text(c).find("staticmethod") != std::string_view::npos) {
                return true;
            }
        }
        return false;
    }

    /// Config(...): the argument becomes a field, or goes to __init__.
    void into_class(Site definition, const std::string& keyword, std::size_t position, const Path& path, Site from) {
        const SourceFile& source = file(definition);
        const syntax::Tree& tree = source.tree;
        const NodeId body = tree.child(definition.node, Field::body);
        if (body == kNoNode) return lose(from);
        std::size_t index = 0;
        bool own_fields = true;
        for (const NodeId statement : tree.children(body)) {
            NodeId inner = statement;
            if (tree.kind(inner) == Kind::decorated_definition) inner = tree.child(inner, Field::definition);
            if (inner != kNoNode && tree.kind(inner) == Kind::function_definition &&
                source.text(tree.child(inner, Field::name)) == "__init__") {
                return into(with(definition, inner), keyword, position, path, from);
            }
            if (tree.kind(statement) != Kind::expression_statement) continue;
            const NodeId assignment = tree.named_child(statement, 0);
            if (assignment == kNoNode || tree.kind(assignment) != Kind::assignment) continue;
            const NodeId left = tree.child(assignment, Field::left);
            if (left == kNoNode || tree.child(assignment, Field::type) == kNoNode) continue;
            if (keyword.empty() ? index == position : source.text(left) == keyword) {
                return to_field(source.text(left), path);
            }
            ++index;
        }
        own_fields = tree.child(definition.node, Field::superclasses) == kNoNode;
        if (!keyword.empty() && !own_fields) return to_field(keyword, path);
        lose(from);
    }

    const Trace& trace_;
    std::vector<State> pending_;
    std::set<State> seen_;
    std::vector<LiteralUse> uses_;
};

}  // namespace

std::vector<LiteralUse> uses_of_literal(const Trace& trace, Site literal) {
    return Follower(trace).follow(literal);
}

std::string name_of_literal(const Trace& trace, Site literal) {
    const SourceFile& file = *trace.files[literal.file];
    const syntax::Tree& tree = file.tree;
    for (NodeId at = literal.node; at != kNoNode; at = tree.parent(at)) {
        NodeId name = kNoNode;
        switch (tree.kind(at)) {
            case Kind::assignment:
                name = tree.child(at, Field::left);
                break;
            case Kind::keyword_argument:
                name = tree.child(at, Field::name);
                // field(default_factory=lambda: [...]): the field has the name.
                if (file.text(name).starts_with("default")) continue;
                break;
            case Kind::default_parameter:
            case Kind::typed_default_parameter:
                name = tree.child(at, Field::name);
                break;
            case Kind::pair:
                name = tree.child(at, Field::key);
                break;
            case Kind::expression_statement:
            case Kind::block:
            case Kind::module_:
                return std::string(file.text(literal.node));
            default:
                continue;
        }
        if (name == kNoNode) break;
        std::string text(file.text(name));
        std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
        return text;
    }
    return std::string(file.text(literal.node));
}

std::string shared_name_of_literal(const Trace& trace, Site literal) {
    const SourceFile& file = *trace.files[literal.file];
    const syntax::Tree& tree = file.tree;
    Site scope = scope_of(trace, literal);
    while (tree.kind(scope.node) == Kind::lambda) scope = scope_of(trace, scope);
    if (tree.kind(scope.node) != Kind::function_definition) return name_of_literal(trace, literal);
    const NodeId statement = tree.enclosing(literal.node, Kind::return_statement);
    if (statement == kNoNode || !tree.is_inside(statement, scope.node)) return {};
    return std::string(file.text(tree.child(scope.node, Field::name)));
}

rules::Blocked used_elsewhere(const Trace& trace, Site literal, Site use, std::size_t uses) {
    rules::Blocked blocked;
    blocked.location = rules::Location{use.file, trace.files[use.file]->tree.range(use.node)};
    if (uses == 1) {  // nobody else has it: its one way is what is not understood
        blocked.reason.id = "blocked.not_followed";
        blocked.reason.data.set("what", shown(trace, use));
        return blocked;
    }
    blocked.reason.id = "blocked.literal_used_elsewhere";
    blocked.reason.data.set("name", name_of_literal(trace, literal)).set("count", static_cast<std::int64_t>(uses));
    return blocked;
}

}  // namespace ptofix::rewrites
