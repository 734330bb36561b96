#include "rewrites/operands.h"

#include "rewrites/names.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

namespace {

NodeId argument_of_call(const trace::SourceFile& file, NodeId call, const trace::OperationInfo& about,
                        std::string_view parameter) {
    const syntax::Tree& tree = file.tree;
    const NodeId callee = tree.child(call, Field::function);
    const NodeId arguments = tree.child(call, Field::arguments);
    if (callee == kNoNode || arguments == kNoNode) return kNoNode;
    std::size_t wanted = 0;
    while (wanted < about.parameters.size() && about.parameters[wanted].name != parameter) ++wanted;
    if (wanted == about.parameters.size()) return kNoNode;
    std::size_t position = 0;
    if (tree.kind(callee) == Kind::attribute && !framework_function(file, callee)) {
        // x.matmul(w): x comes first; out.assemble(x, offsets): out is what is written to
        const bool object_is_written = about.results == 0 && !about.written.empty();
        if (object_is_written ? parameter == about.written : wanted == 0) return tree.child(callee, Field::object);
        if (!object_is_written) position = 1;
    }
    for (const NodeId child : tree.children(arguments)) {
        const Kind kind = tree.kind(child);
        if (!tree[child].named || kind == Kind::comment) continue;
        if (kind == Kind::list_splat || kind == Kind::dictionary_splat) return kNoNode;
        if (kind == Kind::keyword_argument) {
            if (file.text(tree.child(child, Field::name)) == parameter) return tree.child(child, Field::value);
        } else if (position++ == wanted) {
            return about.parameters[wanted].keyword_only ? kNoNode : child;
        }
    }
    return kNoNode;
}

}  // namespace

NodeId operand_node(const trace::Trace& trace, const trace::Operation& op, std::string_view parameter) {
    const trace::SourceFile& file = *trace.files[op.site.file];
    const trace::OperationInfo& about = trace::info(op.code);
    switch (file.tree.kind(op.site.node)) {
        case Kind::call:
            return argument_of_call(file, op.site.node, about, parameter);
        case Kind::binary_operator:
            if (about.parameters.empty()) return kNoNode;
            return file.tree.child(op.site.node, about.parameters[0].name == parameter ? Field::left : Field::right);
        default:
            return kNoNode;
    }
}

bool is_primary(Kind kind) {
    return kind == Kind::identifier || kind == Kind::attribute || kind == Kind::subscript || kind == Kind::call ||
           kind == Kind::parenthesized_expression || kind == Kind::integer;
}

}  // namespace ptofix::rewrites
