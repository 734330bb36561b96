#include "rewrites/dtype_reads.h"

#include <algorithm>
#include <optional>

#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::kNone;
using trace::Site;

namespace {

constexpr int kMostSteps = 16;  // names of names

/// The next `.dtype` from `from` on inside the node.
NodeId next_read(const trace::SourceFile& file, NodeId node, NodeId from) {
    for (NodeId id = from; id < file.tree[node].subtree_end; ++id) {
        if (file.tree.kind(id) == Kind::attribute && file.text(file.tree.child(id, Field::attribute)) == "dtype")
            return id;
    }
    return kNoNode;
}

}  // namespace

Site DTypeReads::find() const {
    const Site own = in_kernel();
    return own.known() ? own : in_helpers();
}

Site DTypeReads::in_kernel() const {
    const trace::SourceFile& file = *trace_.files[kernel_.site.file];
    const NodeId body = kernel_.function->body;
    for (NodeId read = next_read(file, body, body); read != kNoNode; read = next_read(file, body, read + 1)) {
        if (may_be_parameter(file.tree.child(read, Field::object))) return {kernel_.site.file, read};
    }
    return {};
}

/// A function that asks for a dtype and that the kernel gives the parameter, itself or by way of another one.
Site DTypeReads::in_helpers() const {
    const trace::SourceFile& file = *trace_.files[kernel_.site.file];
    for (const trace::Frame& frame : trace_.frames) {
        if (frame.function == nullptr || frame.function == kernel_.function) continue;
        const trace::Frame* outermost = &frame;
        while (outermost->parent != kNone && trace_.frames[outermost->parent].function != kernel_.function) {
            outermost = &trace_.frames[outermost->parent];
        }
        if (outermost->parent == kNone) continue;  // not called by the kernel
        const Site helper = frame.function->site;
        const NodeId read = next_read(*trace_.files[helper.file], helper.node, helper.node);
        if (read == kNoNode) continue;
        const Site call = outermost->call;
        const bool in_text = call.file == kernel_.site.file && file.tree.kind(call.node) == Kind::call;
        if (!in_text || may_be_parameter(file.tree.child(call.node, Field::arguments))) return {helper.file, read};
    }
    return {};
}

/// Expressions are taken for what they hold, unless the trace says which tensor they are.
bool DTypeReads::may_be_parameter(NodeId expression, int depth) const {
    if (expression == kNoNode) return false;
    if (depth > kMostSteps) return true;
    const trace::SourceFile& file = *trace_.files[kernel_.site.file];
    if (file.tree.kind(expression) == Kind::identifier) return name_may_be_parameter(expression, depth);
    if (file.tree.kind(expression) == Kind::attribute &&
        file.text(file.tree.child(expression, Field::attribute)) == "shape") {
        return false;
    }
    bool is_operation = false;
    for (trace::OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
        const trace::Operation& op = trace_.operations[id];
        if (op.site != Site{kernel_.site.file, expression}) continue;
        if (std::ranges::find(raw_, op.output) != raw_.end()) return true;
        is_operation = true;
    }
    if (is_operation) return false;
    for (const NodeId child : file.tree.children(expression)) {
        const bool is_word =
            file.tree[child].field == Field::attribute ||
            (file.tree.kind(expression) == Kind::keyword_argument && file.tree[child].field == Field::name);
        if (file.tree[child].named && !is_word && may_be_parameter(child, depth + 1)) return true;
    }
    return false;
}

bool DTypeReads::name_may_be_parameter(NodeId identifier, int depth) const {
    const trace::SourceFile& file = *trace_.files[kernel_.site.file];
    const std::string_view name = file.text(identifier);
    if (name == parameter_) return true;
    for (const NodeId use : variable_uses(file, kernel_.function->body, name)) {
        if (!binds(file.tree, use)) continue;
        const NodeId parent = file.tree.parent(use);
        const NodeId right = file.tree.child(parent, Field::right);
        if (right == kNoNode) return true;  // part of a pattern, or bound in another way
        if (may_be_parameter(right, depth + 1)) return true;
    }
    return false;
}

}  // namespace ptofix::rewrites
