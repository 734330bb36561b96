#include "rewrites/head_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::KernelParameter;
using trace::KernelTrace;
using trace::kNone;
using trace::LoopId;
using trace::SymInt;
using trace::Tag;
using trace::TensorId;
using trace::Trace;
using trace::Value;

namespace {

NodeId bound_number(const std::map<std::string_view, NodeId>& numbers, std::string_view name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? kNoNode : found->second;
}

}  // namespace

HeadText::HeadText(const Trace& trace, LoopId loop, const std::map<std::string_view, NodeId>& numbers)
    : trace_(trace),
      loop_(trace.loops[loop]),
      file_(*trace.files[loop_.site.file]),
      tree_(file_.tree),
      target_(file_.text(tree_.child(loop_.site.node, Field::left))),
      numbers_(numbers),
      bound_(bound_names(file_, loop_.site.node)) {}

bool HeadText::is_bound_in_body(std::string_view name) const {
    return std::ranges::any_of(bound_, [&](const Binding& b) { return b.name == name; });
}
bool HeadText::mentions_body(NodeId node) const {
    for (NodeId n = node; n < tree_[node].subtree_end; ++n) {
        if (tree_.kind(n) == Kind::identifier && is_bound_in_body(file_.text(n)) && tree_[n].field != Field::attribute)
            return true;
    }
    return false;
}

NodeId HeadText::cut_from(NodeId node) const {
    if (tree_.kind(node) == Kind::subscript) return tree_.child(node, Field::value);
    if (tree_.kind(node) != Kind::call) return kNoNode;
    const NodeId callee = tree_.child(node, Field::function);
    if (!names_.function(callee)) {
        return tree_.kind(callee) == Kind::attribute ? tree_.child(callee, Field::object) : kNoNode;
    }
    const NodeId arguments = tree_.child(node, Field::arguments);
    for (NodeId a : tree_.children(arguments)) {
        if (!tree_[a].named || tree_.kind(a) == Kind::comment) continue;
        if (tree_.kind(a) != Kind::keyword_argument) return a;
        if (file_.text(tree_.child(a, Field::name)) == "input") return tree_.child(a, Field::value);
    }
    return kNoNode;
}

bool HeadText::calls(NodeId call, std::string_view function) const {
    return names_.function(tree_.child(call, Field::function)) == function;
}

std::string HeadText::reshape_name() const {
    for (NodeId n = 0; n < tree_.nodes().size(); ++n) {
        if (tree_.kind(n) != Kind::call) continue;
        const NodeId callee = tree_.child(n, Field::function);
        const bool bare = tree_.kind(callee) == Kind::identifier;
        if (bare && names_.function(callee) == "reshape") return std::string(file_.text(callee));
    }
    return framework_module(file_, loop_.site.file, loop_.site.node).text + ".reshape";
}

std::vector<std::string> HeadText::declared_dims(TensorId t) const {
    const std::uint32_t parameter = trace_.tensors[t].parameter;
    const KernelTrace& kernel = trace_.kernels[loop_.kernel];
    std::vector<std::string> dims;
    for (SymInt d : trace_.tensors[t].type.shape) dims.push_back(std::to_string(d.value));
    if (parameter == kNone || parameter >= kernel.parameters.size()) return dims;
    const Value& declared = kernel.parameters[parameter].declared;
    if (declared.tag != Tag::tensor_spec || declared.as.spec->site.file != loop_.site.file) return dims;
    const NodeId shape = shape_display(declared.as.spec->site.node);
    if (shape == kNoNode || tree_.named_child_count(shape) != dims.size()) return dims;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const NodeId item = tree_.named_child(shape, i);
        if (is_visible(item)) dims[i] = std::string(file_.text(item));
    }
    return dims;
}
NodeId HeadText::shape_display(NodeId spec) const {
    for (NodeId n = spec; n < tree_[spec].subtree_end; ++n) {
        if (tree_.kind(n) == Kind::list || tree_.kind(n) == Kind::tuple) return n;
    }
    return kNoNode;
}
bool HeadText::is_visible(NodeId expression) const {
    const NodeId function = tree_.enclosing(loop_.site.node, Kind::function_definition);
    const auto bound = bound_names(file_, tree_.child(function, Field::body));
    for (NodeId n = expression; n < tree_[expression].subtree_end; ++n) {
        const Kind kind = tree_.kind(n);
        if (kind == Kind::call || kind == Kind::string || kind == Kind::list_splat) return false;
        if (kind != Kind::identifier || tree_[n].field == Field::attribute) continue;
        const std::string_view name = file_.text(n);
        if (std::ranges::any_of(bound, [&](const Binding& b) { return b.name == name; })) return false;
        const KernelTrace& kernel = trace_.kernels[loop_.kernel];
        if (std::ranges::any_of(kernel.parameters, [&](const KernelParameter& p) { return p.name == name; }))
            return false;
    }
    return true;
}

std::string HeadText::heads_text() const {
    const NodeId arguments = tree_.child(tree_.child(loop_.site.node, Field::right), Field::arguments);
    const std::size_t count = tree_.named_child_count(arguments);
    const NodeId stop = tree_.named_child(arguments, count == 1 ? 0 : 1);
    return is_simple(stop) ? std::string(file_.text(stop)) : std::to_string(loop_.trips.value);
}

bool HeadText::is_simple(NodeId node) const {
    const Kind kind = tree_.kind(node);
    return kind == Kind::identifier || kind == Kind::attribute || kind == Kind::integer;
}
std::string HeadText::shape_item(NodeId node, std::size_t from_end) const {
    if (tree_.kind(node) != Kind::call) return {};
    for (NodeId a : tree_.children(tree_.child(node, Field::arguments))) {
        NodeId shape = a;
        if (tree_.kind(a) == Kind::keyword_argument) {
            if (file_.text(tree_.child(a, Field::name)) != "shape") continue;
            shape = tree_.child(a, Field::value);
        }
        if (tree_.kind(shape) != Kind::list && tree_.kind(shape) != Kind::tuple) continue;
        const std::size_t count = tree_.named_child_count(shape);
        if (count <= from_end) return {};
        const NodeId item = tree_.named_child(shape, count - 1 - from_end);
        return is_simple(item) && !mentions_body(item) ? std::string(file_.text(item)) : std::string{};
    }
    return {};
}

std::string HeadText::rows_text(NodeId expression, NodeId cut, const HeadValue& head) const {
    if (std::string item = shape_item(expression, 1); !item.empty()) return item;
    NodeId start = kNoNode;
    if (tree_.kind(cut) == Kind::subscript) {
        NodeId key = tree_.child(cut, Field::subscript);
        if (key != kNoNode && tree_.kind(key) == Kind::slice) start = tree_.named_child(key, 0);
    }
    if (start != kNoNode && tree_.kind(start) == Kind::identifier) start = bound_number(numbers_, file_.text(start));
    if (start != kNoNode && tree_.kind(start) == Kind::binary_operator && tree_.has_token(start, Kind::star)) {
        const NodeId left = tree_.child(start, Field::left);
        const NodeId right = tree_.child(start, Field::right);
        const auto is_target = [&](NodeId n) { return tree_.kind(n) == Kind::identifier && file_.text(n) == target_; };
        const NodeId other = is_target(left) ? right : is_target(right) ? left : kNoNode;
        if (other != kNoNode && is_simple(other) && !mentions_body(other)) return std::string(file_.text(other));
    }
    return std::to_string(head.rows);
}
std::optional<std::string> HeadText::slice_text(NodeId expression, NodeId cut, const HeadValue& head) const {
    const NodeId source = cut_from(cut);
    if (source == kNoNode || mentions_body(source)) return std::nullopt;
    std::string text(file_.text(source));
    if (head.whole) return text;
    const std::vector<std::string> dims = declared_dims(head.source);
    std::string columns = shape_item(expression, 0);
    if (columns.empty()) {
        const bool same = trace_.tensors[head.source].type.shape.back().is(head.columns);
        columns = same ? dims.back() : std::to_string(head.columns);
    }
    return fmt::format("{}({}, [{}, {}, {}])", reshape_name(), text, heads_text(), rows_text(expression, cut, head),
                       columns);
}

}  // namespace ptofix::rewrites
