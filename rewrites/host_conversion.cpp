#include "rewrites/host_conversion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rewrites/comments.h"
#include "rewrites/device_code.h"
#include "rewrites/hidden_uses.h"
#include "rewrites/imports.h"
#include "rewrites/kernel_users.h"
#include "rewrites/lines.h"
#include "rewrites/variables.h"
#include "text/display_width.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::KernelTrace;
using trace::Site;

const trace::SourceFile& file_of(const trace::Trace& trace, Site site) {
    return *trace.files[site.file];
}

NodeId name_node(const trace::SourceFile& file, NodeId definition) {
    return file.tree.child(definition, Field::name);
}

/// The function that the node stands in, or the module.
NodeId scope_of(const syntax::Tree& tree, NodeId node) {
    const NodeId function = tree.enclosing(node, Kind::function_definition);
    return function == kNoNode ? tree.root() : function;
}

/// The kernels that the tracer knows in the file.
std::vector<NodeId> kernels_in(const trace::Trace& trace, trace::FileId file) {
    std::vector<NodeId> kernels;
    for (const KernelTrace& kernel : trace.kernels) {
        // A helper may be a function of the host.
        if (!kernel.is_helper && kernel.site.known() && kernel.site.file == file) kernels.push_back(kernel.site.node);
    }
    return kernels;
}

/// Where the kernel's name is used, its definition aside. One that a function makes is known in there only.
std::vector<NodeId> uses_of_kernel(const trace::SourceFile& file, const KernelTrace& kernel) {
    const NodeId own = name_node(file, kernel.site.node);
    const NodeId scope = scope_of(file.tree, file.tree.parent(kernel.site.node));
    std::vector<NodeId> uses = variable_uses(file, scope, kernel.name);
    std::erase(uses, own);
    return uses;
}

/// `__all__` names it: other files are meant to import it.
bool is_exported(const trace::SourceFile& file, std::string_view name) {
    for (const NodeId use : variable_uses(file, file.tree.root(), "__all__")) {
        const NodeId statement = file.tree.statement_of(use);
        const auto nodes = file.tree.nodes();
        for (NodeId id = statement; id < nodes[statement].subtree_end; ++id) {
            if (nodes[id].kind == Kind::string_content && file.text(id) == name) return true;
        }
    }
    return false;
}

/// The display that has the node for an element of its own: not a comprehension, which has it for all of them.
NodeId display_of(const syntax::Tree& tree, NodeId element) {
    NodeId at = tree.parent(element);
    if (tree.kind(at) == Kind::pair || tree.kind(at) == Kind::keyword_argument) at = tree.parent(at);
    if (tree.kind(at) == Kind::argument_list) at = tree.parent(at);  // dict(x=x, w=w)
    switch (tree.kind(at)) {
        case Kind::list:
        case Kind::tuple:
        case Kind::dictionary:
        case Kind::call:
            return at;
        default:
            return kNoNode;
    }
}

/// For *inputs: the list is made for this call and nothing else looks at it.
bool serves_only_this_call(const trace::SourceFile& file, NodeId splat, NodeId element) {
    const syntax::Tree& tree = file.tree;
    const NodeId inner = tree.named_child(splat, 0);
    if (inner == kNoNode) return false;
    const NodeId display = display_of(tree, element);
    if (display == kNoNode) return false;
    if (tree.is_inside(element, splat)) return display == inner;
    if (tree.kind(splat) != Kind::list_splat || tree.kind(inner) != Kind::identifier) return false;
    const NodeId scope = scope_of(tree, splat);
    if (scope_of(tree, element) != scope) return false;
    const NodeId statement = tree.statement_of(element);
    const NodeId assignment = tree.parent(display);
    if (tree.kind(assignment) != Kind::assignment || tree.child(assignment, Field::right) != display ||
        tree.parent(assignment) != statement) {
        return false;  // a = b = [...]: the list has another name
    }
    std::size_t bindings = 0;
    for (const NodeId use : variable_uses(file, scope, file.text(inner))) {
        if (binds(tree, use)) {
            ++bindings;
            if (tree.statement_of(use) != statement) return false;
        } else if (use != inner) {
            return false;
        }
    }
    return bindings == 1;
}

bool is_primary(Kind kind) {
    return kind == Kind::identifier || kind == Kind::attribute || kind == Kind::subscript || kind == Kind::call ||
           kind == Kind::parenthesized_expression;
}

/// The parameter list without annotations, and how a call passes every parameter on.
struct Signature {
    std::vector<std::string> parameters;
    std::vector<std::string> arguments;
};

Signature signature_of(const trace::SourceFile& file, const KernelTrace& traced, const Conversion& conversion) {
    const trace::Function& kernel = *traced.function;
    const std::string_view converted = traced.parameters[conversion.parameter].name;
    const std::string_view dropped =
        conversion.dropped ? traced.parameters[*conversion.dropped].name : std::string_view();
    const syntax::Tree& tree = file.tree;
    Signature signature;
    bool keyword_only = false;
    const NodeId list = tree.child(kernel.site.node, Field::parameters);
    for (const NodeId child : tree.children(list)) {
        const Kind kind = tree.kind(child);
        if (!tree[child].named || kind == Kind::comment) continue;
        if (kind == Kind::keyword_separator || kind == Kind::positional_separator) {
            signature.parameters.emplace_back(file.text(child));
            keyword_only = keyword_only || kind == Kind::keyword_separator;
            continue;
        }
        NodeId name = kind == Kind::identifier ? child : tree.child(child, Field::name);
        if (name == kNoNode) name = tree.named_child(child, 0);  // w: type, *args, *args: type
        const std::string_view text = file.text(name);
        if (text.starts_with('*')) {
            signature.parameters.emplace_back(text);
            signature.arguments.emplace_back(text);
            keyword_only = true;
            continue;
        }
        const NodeId value = tree.child(child, Field::value);
        signature.parameters.push_back(value == kNoNode ? std::string(text)
                                                        : fmt::format("{}={}", text, file.text(value)));
        const bool is_converted = text == converted;
        if (text == dropped) continue;
        std::string argument(text);
        if (is_converted) argument = conversion.before + argument + conversion.steps;
        const std::string_view keyword = is_converted ? std::string_view(conversion.name) : text;
        signature.arguments.push_back(keyword_only ? fmt::format("{}={}", keyword, argument) : argument);
    }
    return signature;
}

std::vector<std::string> private_names(std::string_view name) {
    std::vector<std::string> names;
    if (!name.starts_with('_')) names.push_back(fmt::format("_{}", name));
    names.push_back(fmt::format("{}_kernel", name));
    names.push_back(fmt::format("{}_jit", name));
    return names;
}

/// The decorated definition, when the kernel has exactly one decorator and it is the jit.
NodeId decorated(const trace::SourceFile& file, const KernelTrace& kernel) {
    const syntax::Tree& tree = file.tree;
    const NodeId parent = tree.parent(kernel.site.node);
    if (parent == kNoNode || tree.kind(parent) != Kind::decorated_definition) return kNoNode;
    NodeId decorator = kNoNode;
    for (const NodeId child : tree.children(parent)) {
        if (tree.kind(child) != Kind::decorator) continue;
        if (decorator != kNoNode) return kNoNode;
        decorator = child;
    }
    const Site jit = kernel.function->jit_site;
    const bool is_jit = jit.file == kernel.site.file && decorator != kNoNode && tree.is_inside(jit.node, decorator);
    return is_jit ? parent : kNoNode;
}

/// The expression of the dtype in `pypto.Tensor([...], dtype)` or `pypto.Tensor[[...], dtype]`.
NodeId dtype_expression(const trace::SourceFile& file, NodeId declaration) {
    const syntax::Tree& tree = file.tree;
    if (tree.kind(declaration) == Kind::call) {
        const NodeId arguments = tree.child(declaration, Field::arguments);
        if (arguments == kNoNode) return kNoNode;
        std::size_t position = 0;
        for (const NodeId child : tree.children(arguments)) {
            const Kind kind = tree.kind(child);
            if (!tree[child].named || kind == Kind::comment) continue;
            if (kind == Kind::list_splat || kind == Kind::dictionary_splat) return kNoNode;
            if (kind == Kind::keyword_argument) {
                if (file.text(tree.child(child, Field::name)) == "dtype") return tree.child(child, Field::value);
            } else if (position++ == 1) {
                return child;
            }
        }
        return kNoNode;
    }
    if (tree.kind(declaration) != Kind::subscript) return kNoNode;
    std::vector<NodeId> keys;
    for (const NodeId child : tree.children(declaration)) {
        if (tree[child].field == Field::subscript) keys.push_back(child);
    }
    if (keys.size() == 1 && tree.kind(keys[0]) == Kind::tuple) return tree.named_child(keys[0], 1);
    return keys.size() > 1 ? keys[1] : kNoNode;
}

bool starts_line(const trace::SourceFile& file, NodeId node) {
    const std::uint32_t line = file.lines.line_start(file.lines.line_of(file.tree[node].start));
    return line + indentation(file, node).size() == file.tree[node].start;
}

/// The argument where it has a line of its own, else the statement it stands in.
std::optional<NodeId> node_below_comments(const trace::SourceFile& file, const OnlyCall& call) {
    NodeId node = call.argument.node;
    if (file.tree.kind(file.tree.parent(node)) == Kind::keyword_argument) node = file.tree.parent(node);
    if (starts_line(file, node)) return node;
    node = file.tree.statement_of(node);
    if (starts_line(file, node)) return node;
    return std::nullopt;
}

/// Does the call stand in a function that others call in the kernel's place? A script's own calls and tests leave the
/// kernel to whoever imports it.
bool is_in_wrapper(const trace::SourceFile& file, NodeId call) {
    for (NodeId at = file.tree.parent(call); at != kNoNode; at = file.tree.parent(at)) {
        if (file.tree.kind(at) == Kind::lambda) return true;
        if (file.tree.kind(at) != Kind::function_definition) continue;
        const std::string_view name = file.text(name_node(file, at));
        return name != "main" && !name.starts_with("test");
    }
    return false;
}

/// A call or a parameter list in one line, or in as many as its items when that line is too long.
std::string call_text(std::string_view begin, const std::vector<std::string>& items, std::string_view end,
                      std::string_view indent, std::string_view unit) {
    std::string line = fmt::format("{}{}{}{}", indent, begin, fmt::join(items, ", "), end);
    if (text::display_width(line) <= kLongestLine) return line;
    line = fmt::format("{}{}\n", indent, begin);
    for (const std::string& item : items) line += fmt::format("{}{}{},\n", indent, unit, item);
    return line + fmt::format("{}{}", indent, end);
}

}  // namespace

std::optional<OnlyCall> only_call(const trace::Trace& trace, trace::KernelId id, std::uint32_t parameter) {
    const KernelTrace& kernel = trace.kernels[id];
    const trace::SourceFile& file = file_of(trace, kernel.site);
    if (is_decorated_twice(trace, id)) return std::nullopt;
    const trace::KernelCall* only = nullptr;
    for (const trace::KernelCall& call : trace.kernel_calls) {
        if (call.kernel->site != kernel.site) continue;
        if (only != nullptr && only->call != call.call) return std::nullopt;
        only = &call;
    }
    if (only == nullptr || !only->complete || only->call.file != kernel.site.file) return std::nullopt;
    if (!is_in_wrapper(file, only->call.node)) return std::nullopt;
    const auto uses = uses_of_kernel(file, kernel);
    const NodeId callee = file.tree.child(only->call.node, Field::function);
    if (runs_on_device(file, only->call.node, kernels_in(trace, kernel.site.file))) return std::nullopt;
    if (uses.size() != 1 || uses[0] != callee || is_exported(file, kernel.name)) return std::nullopt;
    if (hidden_use(file, {std::string(kernel.name)}, true) != kNoNode) return std::nullopt;
    const std::string_view name = kernel.parameters[parameter].name;
    for (const trace::KernelCall::Argument& argument : only->arguments) {
        if (argument.parameter != name) continue;
        if (!argument.site.known() || argument.site.file != kernel.site.file) return std::nullopt;
        if (may_change_in_call(file, only->call.node, argument.site.node)) return std::nullopt;
        if (argument.splat.known() && !serves_only_this_call(file, argument.splat.node, argument.site.node)) {
            return std::nullopt;
        }
        return OnlyCall{only->call, argument.site};
    }
    return std::nullopt;
}

bool may_change_in_call(const trace::SourceFile& file, NodeId call, NodeId argument) {
    const syntax::Tree& tree = file.tree;
    const auto is_of_argument = [&](NodeId name) {
        for (NodeId n = argument; n < tree[argument].subtree_end; ++n) {
            if (tree.kind(n) == Kind::identifier && tree[n].field != Field::attribute &&
                file.text(n) == file.text(name)) {
                return true;
            }
        }
        return false;
    };
    const auto is_harmless_call = [&](NodeId inner) {
        const NodeId callee = tree.child(inner, Field::function);
        const std::string_view name = callee == kNoNode ? std::string_view() : file.text(callee);
        const bool is_torch = name.starts_with("torch.") && !name.ends_with('_');
        return is_torch && file.text(inner).find("out") == std::string_view::npos;
    };
    // One that a list holds is evaluated ahead of the call.
    for (NodeId n = std::max(tree[argument].subtree_end, call); n < tree[call].subtree_end; ++n) {
        if (tree.kind(n) == Kind::named_expression) return true;
        if (tree.kind(n) != Kind::identifier || tree[n].field == Field::attribute || !is_of_argument(n)) continue;
        const NodeId parent = tree.parent(n);
        if (tree.kind(parent) == Kind::keyword_argument && tree[n].field == Field::name) continue;
        if (tree.kind(parent) == Kind::attribute) {
            // w.zero_() changes it, w.shape and w.size(0) do not.
            const NodeId attribute = tree.child(parent, Field::attribute);
            if (attribute == kNoNode || !file.text(attribute).ends_with('_')) continue;
            return true;
        }
        const NodeId inner = tree.enclosing(parent, Kind::call);
        if (inner != kNoNode && inner != call && !is_harmless_call(inner)) return true;
    }
    return false;
}

bool is_decorated_twice(const trace::Trace& trace, trace::KernelId id) {
    const KernelTrace& kernel = trace.kernels[id];
    const syntax::Tree& tree = file_of(trace, kernel.site).tree;
    const NodeId parent = tree.parent(kernel.site.node);
    if (parent == kNoNode || tree.kind(parent) != Kind::decorated_definition) return false;
    const Site jit = kernel.function->jit_site;
    for (const NodeId child : tree.children(parent)) {
        const bool is_jit = jit.file == kernel.site.file && tree.is_inside(jit.node, child);
        if (tree.kind(child) == Kind::decorator && !is_jit) return true;
    }
    return false;
}

bool can_be_imported(const trace::Trace& trace, trace::KernelId id) {
    const Site kernel = trace.kernels[id].site;
    const syntax::Tree& tree = file_of(trace, kernel).tree;
    return tree.enclosing(tree.parent(kernel.node), Kind::function_definition) == kNoNode;
}

std::vector<rules::FileEdit> convert_argument(const trace::Trace& trace, const OnlyCall& call, trace::KernelId id,
                                              const Conversion& conversion) {
    const trace::SourceFile& file = file_of(trace, call.argument);
    std::vector<rules::FileEdit> edits;
    if (const auto node = node_below_comments(file, call); node && !conversion.comments.empty()) {
        const std::string_view indent = indentation(file, *node);
        std::string text;
        for (const std::string& comment : conversion.comments) text += fmt::format("{}{}\n", indent, comment);
        edits.push_back(insertion(call.argument.file, file.lines.line_start(file.lines.line_of(file.tree[*node].start)),
                                  std::move(text)));
    }
    const std::string_view old_name = trace.kernels[id].parameters[conversion.parameter].name;
    auto converted = convert_argument(file, call.argument.file, call.argument.node, old_name, conversion);
    std::ranges::move(converted, std::back_inserter(edits));
    return edits;
}

std::vector<rules::FileEdit> convert_argument(const trace::SourceFile& file, trace::FileId id, NodeId argument,
                                              std::string_view old_name, const Conversion& conversion) {
    const text::Range range = file.tree.range(argument);
    std::vector<rules::FileEdit> edits;
    const bool closed = is_primary(file.tree.kind(argument));
    const std::string before = conversion.before + (closed ? "" : "("), behind = (closed ? "" : ")") + conversion.steps;
    if (!before.empty()) edits.push_back(insertion(id, range.start, before));
    if (!behind.empty()) edits.push_back(insertion(id, range.end, behind));
    const NodeId parent = file.tree.parent(argument);
    if (old_name != conversion.name && file.tree.kind(parent) == Kind::keyword_argument) {
        const NodeId keyword = file.tree.child(parent, Field::name);
        edits.push_back(replacement(id, file.tree.range(keyword), conversion.name));
    }
    return edits;
}

bool takes_comments(const trace::Trace& trace, const OnlyCall& call) {
    return node_below_comments(file_of(trace, call.argument), call).has_value();
}

std::optional<rules::Blocked> wrapper_obstacle(const trace::Trace& trace, trace::KernelId id, OtherFiles* others) {
    const KernelTrace& kernel = trace.kernels[id];
    const trace::SourceFile& file = file_of(trace, kernel.site);
    const auto blocked = [&](std::string_view reason, NodeId node) {
        rules::Blocked result{{reason, {}}, rules::Location{kernel.site.file, file.tree.range(node)}};
        result.reason.data.set("kernel", std::string(kernel.name));
        return result;
    };
    const NodeId definition = decorated(file, kernel);
    if (definition == kNoNode) return blocked("PTO207.blocked.decorators", kernel.site.node);
    const NodeId block = file.tree.parent(definition);
    if (block != kNoNode && file.tree.parent(block) != kNoNode &&
        file.tree.kind(file.tree.parent(block)) == Kind::class_definition) {
        return blocked("PTO207.blocked.method", kernel.site.node);
    }
    for (const NodeId use : uses_of_kernel(file, kernel)) {
        const NodeId parent = file.tree.parent(use);
        if (binds(file.tree, use)) return blocked("PTO207.blocked.rebound", use);
        if (file.tree.kind(parent) == Kind::attribute) return blocked("PTO207.blocked.attribute", parent);
        const bool is_call = file.tree.kind(parent) == Kind::call && file.tree.child(parent, Field::function) == use;
        if (is_call && runs_on_device(file, parent, kernels_in(trace, kernel.site.file))) {
            return blocked("PTO207.blocked.device_call", parent);
        }
    }
    return can_be_imported(trace, id) ? user_obstacle(trace, id, others) : std::nullopt;
}

std::vector<rules::FileEdit> add_wrapper(const trace::Trace& trace, trace::KernelId id, const Conversion& conversion) {
    const KernelTrace& kernel = trace.kernels[id];
    const trace::SourceFile& file = file_of(trace, kernel.site);
    const NodeId definition = decorated(file, kernel);
    const std::string inner = free_name(file, private_names(kernel.name));
    const Signature signature = signature_of(file, kernel, conversion);
    const std::string indent(indentation(file, definition));
    const std::string unit = indentation_unit(file);
    std::string text = indent.empty() ? "\n\n" : "\n";
    text += call_text(fmt::format("def {}(", kernel.name), signature.parameters, "):", indent, unit) + "\n";
    for (const std::string& comment : conversion.comments) text += fmt::format("{}{}{}\n", indent, unit, comment);
    text += call_text(fmt::format("return {}(", inner), signature.arguments, ")", indent + unit, unit) + "\n";
    const std::uint32_t at = end_of_lines(file, definition);
    if (file.lines.newline_of(file.lines.line_of(at)) == text::Newline::none && at == file.text().size() &&
        !file.text().ends_with('\n') && !file.text().ends_with('\r')) {
        text = fmt::format("\n{}", std::string_view(text).substr(0, text.size() - 1));
    }
    return {replacement(kernel.site.file, file.tree.range(name_node(file, kernel.site.node)), inner),
            insertion(kernel.site.file, at, std::move(text))};
}

std::optional<std::vector<rules::FileEdit>> declare_dtype(const trace::Trace& trace, trace::KernelId id,
                                                          std::uint32_t parameter, hardware::DType dtype) {
    const KernelTrace& kernel = trace.kernels[id];
    const trace::KernelParameter& about = kernel.parameters[parameter];
    if (about.declared.tag != trace::Tag::tensor_spec) return std::vector<rules::FileEdit>{};
    const trace::TensorSpec& spec = *about.declared.as.spec;
    if (spec.dtype == hardware::DType::unknown) return std::vector<rules::FileEdit>{};

    const trace::SourceFile& file = file_of(trace, kernel.site);
    const auto own = std::ranges::find_if(kernel.function->parameters,
                                          [&](const trace::Parameter& p) { return p.name == about.name; });
    if (own == kernel.function->parameters.end() || own->annotation == kNoNode) return std::nullopt;
    std::vector<rules::FileEdit> edits;
    const auto spelled = [&](NodeId old) {
        const std::string_view name = hardware::pypto_name(dtype);
        if (old != kNoNode && file.tree.kind(old) == Kind::attribute &&
            file.text(file.tree.child(old, Field::attribute)).starts_with("DT_")) {
            return fmt::format("{}.{}", file.text(file.tree.child(old, Field::object)), name);
        }
        const bool bare =
            old != kNoNode && file.tree.kind(old) == Kind::identifier && file.text(old).starts_with("DT_");
        if ((bare || module_alias(file, "pypto").empty()) && imports_name(file, "pypto", name))
            return std::string(name);
        return fmt::format("{}.{}", require_module(kernel.site.file, file, "pypto", edits), name);
    };
    const bool is_declaration = spec.site == trace::Site{kernel.site.file, own->annotation};
    const NodeId expression = is_declaration ? dtype_expression(file, own->annotation) : kNoNode;
    if (expression != kNoNode) {
        std::string text = spelled(expression);
        edits.push_back(replacement(kernel.site.file, file.tree.range(expression), std::move(text)));
        return edits;
    }
    // The annotation is the name of a declaration that others may share: write this one out.
    if (spec.site.file != kernel.site.file || file.tree.is_inside(spec.site.node, own->annotation)) return std::nullopt;
    const NodeId declared = dtype_expression(file, spec.site.node);
    if (declared == kNoNode || scope_of(file.tree, spec.site.node) != file.tree.root()) return std::nullopt;
    std::string text(file.text(spec.site.node));
    const std::uint32_t start = file.tree[spec.site.node].start;
    const text::Range old = file.tree.range(declared);
    text.replace(old.start - start, old.size(), spelled(declared));
    edits.push_back(replacement(kernel.site.file, file.tree.range(own->annotation), std::move(text)));
    return edits;
}

}  // namespace ptofix::rewrites
