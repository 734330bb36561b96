#include "cli/kernel_parts.h"

#include <set>

#include "trace/project.h"

namespace ptofix::cli {

namespace {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Frame;
using trace::Site;
using trace::Trace;

/// The statement of the module that holds the node.
NodeId top_statement(const syntax::Tree& tree, NodeId node) {
    NodeId at = node;
    while (tree.parent(at) != kNoNode && tree.parent(at) != tree.root()) at = tree.parent(at);
    return at;
}

bool rebinds_outer_names(const syntax::Tree& tree, NodeId definition) {
    for (NodeId n = definition; n < tree[definition].subtree_end; ++n) {
        if (tree.kind(n) == Kind::global_statement || tree.kind(n) == Kind::nonlocal_statement) return true;
    }
    return false;
}

/// The top-level statements of the main file whose functions code elsewhere calls. That host code calls a kernel makes
/// it a frame of its own, without a parent: nothing is known of what a kernel gives back.
std::set<NodeId> run_from_elsewhere(const Trace& trace) {
    const syntax::Tree& tree = trace.files[trace.main]->tree;
    const auto part = [&](const Frame& frame) {
        if (frame.function == nullptr || frame.function->site.file != trace.main) return kNoNode;
        return top_statement(tree, frame.function->site.node);
    };
    std::set<NodeId> out;
    for (const Frame& frame : trace.frames) {
        if (frame.parent == trace::kNone) continue;
        const NodeId own = part(frame);
        if (own != kNoNode && own != part(trace.frames[frame.parent])) out.insert(own);
    }
    return out;
}

}  // namespace

std::vector<KernelPart> kernel_parts(const Trace& trace) {
    std::vector<KernelPart> out;
    if (trace.cut_short) return out;  // one kernel's work is then another one's lack
    const syntax::Tree& tree = trace.files[trace.main]->tree;
    const std::set<NodeId> shared = run_from_elsewhere(trace);
    std::set<Site> seen;
    for (const trace::KernelTrace& kernel : trace.kernels) {
        const Site site = kernel.site;
        if (kernel.is_helper || site.file != trace.main || !seen.insert(site).second) continue;
        const NodeId top = top_statement(tree, site.node);
        // A kernel that a factory makes is as the factory's own code says.
        const bool is_top =
            top == site.node || (tree.kind(top) == Kind::decorated_definition && tree.parent(site.node) == top);
        if (!is_top || shared.contains(top) || rebinds_outer_names(tree, top)) continue;
        out.push_back({tree.range(top), site});
    }
    return out;
}

}  // namespace ptofix::cli
