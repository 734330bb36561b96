#include "rewrites/runtime_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rewrites/call_arguments.h"
#include "rewrites/lines.h"
#include "rewrites/literal.h"
#include "rewrites/names.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using rules::Blocked;
using rules::FileEdit;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::KernelTrace;
using trace::Site;
using trace::SourceFile;
using trace::Trace;

constexpr std::string_view kArgument = "runtime_options";

bool is_item(const syntax::Tree& tree, NodeId node) {
    return tree[node].named && tree.kind(node) != Kind::comment && tree.kind(node) != Kind::line_continuation;
}

/// Behind the last item of a dict or of arguments, on a line of its own where that item has one.
FileEdit appended(const SourceFile& file, Site list, std::string text) {
    const syntax::Tree& tree = file.tree;
    NodeId last = kNoNode;
    for (const NodeId c : tree.children(list.node)) {
        if (is_item(tree, c)) last = c;
    }
    if (last == kNoNode) return insertion(list.file, tree[list.node].start + 1, std::move(text));
    const std::uint32_t start = tree[last].start;
    const std::uint32_t line = file.lines.line_start(file.lines.line_of(start));
    const std::string_view before = file.text().substr(line, start - line);
    const bool own_line = before.find_first_not_of(" \t") == std::string_view::npos;
    const std::string separator = own_line ? ",\n" + std::string(before) : ", ";
    return insertion(list.file, tree[last].end, separator + text);
}

Blocked because(const Trace& trace, std::string_view id, Site site) {
    return {{id, {}}, rules::Location{site.file, trace.files[site.file]->tree.range(site.node)}};
}

/// jit(options)(function): the call with the options.
Site call_with_options(const Trace& trace, Site site) {
    const syntax::Tree& tree = trace.files[site.file]->tree;
    const NodeId callee = tree.kind(site.node) == Kind::call ? tree.child(site.node, Field::function) : kNoNode;
    return callee != kNoNode && tree.kind(callee) == Kind::call ? Site{site.file, callee} : site;
}

}  // namespace

bool makes_kernel(const Trace& trace, const KernelTrace& kernel, Site call) {
    if (kernel.function == nullptr || !call.known()) return false;
    const Site site = kernel.function->jit_site;
    if (site == call) return true;
    return site.file == call.file && trace.files[site.file]->tree.child(site.node, Field::function) == call.node;
}

std::expected<FileEdit, Blocked> add_runtime_option(const Trace& trace, const KernelTrace& kernel, std::string_view key,
                                                    std::int64_t value) {
    if (kernel.function == nullptr) return std::unexpected(Blocked{{"blocked.literal_unknown", {}}, std::nullopt});
    const Site site = call_with_options(trace, kernel.function->jit_site);
    const SourceFile& file = *trace.files[site.file];
    const syntax::Tree& tree = file.tree;
    if (kernel.function->jit_options_open) return std::unexpected(because(trace, "blocked.literal_unknown", site));
    const char quote = usual_quote(file);
    const std::string entry = fmt::format("{0}{1}{0}: {2}", quote, key, value);
    const std::string argument = fmt::format("{}={{{}}}", kArgument, entry);
    const auto& given = kernel.function->jit_options;
    const auto runtime = std::ranges::find(given, kArgument, [](const auto& option) { return option.first; });
    if (runtime == given.end()) {
        if (tree.kind(site.node) == Kind::call) {
            const NodeId arguments = tree.child(site.node, Field::arguments);
            if (arguments == kNoNode) return std::unexpected(because(trace, "blocked.literal_unknown", site));
            return appended(file, {site.file, arguments}, argument);
        }
        return insertion(site.file, tree[site.node].end, "(" + argument + ")");
    }
    const Site dict = runtime->second.origin();
    if (!dict.known()) return std::unexpected(because(trace, "blocked.literal_unknown", site));
    const SourceFile& owner = *trace.files[dict.file];
    if (owner.tree.kind(dict.node) != Kind::dictionary) {
        return std::unexpected(because(trace, "blocked.literal_computed", dict));
    }
    const auto uses = uses_of_literal(trace, dict);
    for (const LiteralUse& use : uses) {
        const bool is_option = use.keyword == kArgument && use.path.empty();
        if (!is_option || !makes_kernel(trace, kernel, use.call)) {
            return std::unexpected(used_elsewhere(trace, dict, use.site, uses.size()));
        }
    }
    return appended(owner, dict, entry);
}

}  // namespace ptofix::rewrites
