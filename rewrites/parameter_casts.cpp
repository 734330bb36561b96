#include "rewrites/parameter_casts.h"

#include <algorithm>
#include <string>

#include "rewrites/dtype_reads.h"
#include "rewrites/names.h"
#include "rewrites/operands.h"
#include "rewrites/tensor_writes.h"
#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using hardware::DType;
using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::Engine;
using trace::kNone;
using trace::kNoTensor;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::TensorId;

rules::Location place(const trace::Trace& trace, Site site) {
    return {site.file, trace.files[site.file]->tree.range(site.node)};
}

class Collector {
  public:
    Collector(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter)
        : trace_(trace), kernel_(trace.kernels[kernel]), parameter_(kernel_.parameters[parameter]) {}

    ParameterCasts run() {
        if (parameter_.value.tag != trace::Tag::tensor) {
            block("blocked.not_followed", {kernel_.site.file, parameter_.node}, "what");
            return std::move(casts_);
        }
        const TensorId tensor = parameter_.value.as.tensor;
        if (trace_.tensors[tensor].type.nz) {
            block("PTO207.blocked.format", {kernel_.site.file, parameter_.node});
        } else if (const auto write = write_to(trace_, tensor, kernel_.first_op, kernel_.end_op)) {
            block("PTO207.blocked.parameter_written", trace_.operations[*write].site);
        }
        if (!casts_.blocked) follow(tensor);
        if (!casts_.blocked) read_writes();
        if (!casts_.blocked) share_sites();
        if (casts_.blocked) return std::move(casts_);
        read_conditions();
        read_types();
        read_text();
        return std::move(casts_);
    }

  private:
    void block(std::string_view id, Site site, std::string_view key = "parameter") {
        if (!casts_.blocked) casts_.blocked = reason(id, site, key);
    }
    void doubt(std::string_view id, Site site, std::string_view key = "parameter") {
        if (!casts_.doubt) casts_.doubt = reason(id, site, key);
    }
    rules::Blocked reason(std::string_view id, Site site, std::string_view key) const {
        rules::Blocked blocked{{id, {}}, std::nullopt};
        blocked.reason.data.set(std::string(key), std::string(parameter_.name));
        if (site.known()) blocked.location = place(trace_, site);
        return blocked;
    }

    /// Every operation on the parameter or a view of it: a cast begins a chain, a view goes on, all else needs it raw.
    void follow(TensorId parameter) {
        raw_.push_back(parameter);
        for (OpId id = kernel_.first_op; id < kernel_.end_op; ++id) {
            const Operation& op = trace_.operations[id];
            if (!std::ranges::any_of(trace_.inputs(op), [&](TensorId t) { return is_raw(t); })) continue;
            if (trace::is(op, Op::cast)) {
                follow_chain(id);
            } else if (op.engine == Engine::view && op.output != kNoTensor) {
                const auto* dtype = argument(op, "dtype");
                if (dtype != nullptr && dtype->tag != trace::Tag::none) {  // the bytes read as another type
                    block("PTO207.blocked.parameter_used_raw", op.site);
                }
                raw_.push_back(op.output);
            } else {
                block("PTO207.blocked.parameter_used_raw", op.site);
            }
            if (casts_.blocked) return;
        }
    }

    bool is_raw(TensorId tensor) const { return std::ranges::find(raw_, tensor) != raw_.end(); }

    /// A result that is written to is a tensor of its own in every trip: the parameter cannot be it.
    void read_writes() {
        for (const OpId id : members_) {
            const auto write = write_to(trace_, trace_.operations[id].output, kernel_.first_op, kernel_.end_op);
            if (write) return block("PTO207.blocked.result_written", trace_.operations[*write].site);
        }
    }

    static const trace::Value* argument(const Operation& op, std::string_view name) {
        for (const auto& [n, v] : op.arguments) {
            if (n == name) return &v;
        }
        return nullptr;
    }

    void follow_chain(OpId first) {
        std::vector<CastStep> steps;
        OpId at = first;
        while (true) {
            const Operation& op = trace_.operations[at];
            if (op.branch != kNone) return block("PTO207.blocked.chain_conditional", op.site);
            const DType from = trace_.tensors[trace_.inputs(op)[0]].type.dtype;
            const DType to = trace_.tensors[op.output].type.dtype;
            if (from == DType::unknown || to == DType::unknown) return block("blocked.dtype_unknown", op.site, "name");
            steps.push_back({from, to, at});
            members_.push_back(at);
            if (!casts_.steps.empty() && steps.size() == casts_.steps.size()) break;
            const auto next = only_reader(at);
            if (!next || !trace::is(trace_.operations[*next], Op::cast)) break;
            at = *next;
        }
        if (casts_.steps.empty()) {
            casts_.steps = std::move(steps);
            return;
        }
        const bool same = std::ranges::equal(
            steps, casts_.steps, [](const CastStep& a, const CastStep& b) { return a.from == b.from && a.to == b.to; });
        if (!same) block("PTO207.blocked.parameter_used_raw", trace_.operations[first].site);
    }

    std::optional<OpId> only_reader(OpId producer) const {
        std::optional<OpId> found;
        for (OpId id = producer + 1; id < kernel_.end_op; ++id) {
            const auto inputs = trace_.inputs(trace_.operations[id]);
            if (std::ranges::find(inputs, trace_.operations[producer].output) == inputs.end()) continue;
            if (found) return std::nullopt;
            found = id;
        }
        return found;
    }

    /// A cast that also serves other tensors stays: on a tensor that has the type already it is nothing.
    void share_sites() {
        for (const OpId id : members_) {
            const Site site = trace_.operations[id].site;
            if (std::ranges::find(casts_.sites, site) != casts_.sites.end()) continue;
            if (is_only_ours(site)) {
                casts_.sites.push_back(site);
            } else if (casts_.steps.size() > 1 || is_explicit(trace_.operations[id])) {
                return block("PTO207.blocked.shared_cast", site);
            }
        }
        std::ranges::sort(casts_.sites, {}, [](Site s) { return std::pair(s.file, s.node); });
    }

    bool is_only_ours(Site site) const {
        if (site.file != trace_.main) return false;  // who else calls it is not known
        for (OpId id = 0; id < trace_.operations.size(); ++id) {
            const Operation& op = trace_.operations[id];
            if (op.site != site || op.kernel == kNone) continue;
            const trace::KernelTrace& kernel = trace_.kernels[op.kernel];
            if (kernel.is_helper) continue;
            if (kernel.site != kernel_.site) return false;
            const bool ours = id >= kernel_.first_op && id < kernel_.end_op;
            if (ours && std::ranges::find(members_, id) == members_.end()) return false;
        }
        return true;
    }

    /// An arm that is taken today, by a constant: the other one takes the parameter as it is.
    void read_conditions() {
        for (const Site site : casts_.sites) {
            const syntax::Tree& tree = trace_.files[site.file]->tree;
            for (NodeId at = tree.parent(site.node); at != kNoNode; at = tree.parent(at)) {
                const Kind kind = tree.kind(at);
                if (kind == Kind::function_definition || kind == Kind::lambda) break;
                if (kind == Kind::if_statement || kind == Kind::conditional_expression ||
                    kind == Kind::match_statement || kind == Kind::try_statement) {
                    return doubt("PTO207.blocked.chain_conditional", site);
                }
            }
        }
    }

    /// A type that whoever makes or calls the kernel chooses may be another one the next time.
    void read_types() {
        for (const OpId id : members_) {
            const Operation& op = trace_.operations[id];
            const NodeId type = operand_node(trace_, op, "dtype");
            if (type == kNoNode || op.site.file != kernel_.site.file) continue;
            const trace::SourceFile& file = *trace_.files[op.site.file];
            for (NodeId n = type; n < file.tree[type].subtree_end; ++n) {
                if (file.tree.kind(n) == Kind::identifier && is_chosen(file, n))
                    return doubt("PTO207.blocked.type_chosen", {op.site.file, type});
            }
        }
    }

    /// Does the name come from a function around the kernel, or is it a parameter of the kernel that is no tensor?
    bool is_chosen(const trace::SourceFile& file, NodeId identifier) const {
        const std::string_view name = file.text(identifier);
        if (!file.tree.is_inside(identifier, kernel_.site.node)) return false;
        for (const trace::KernelParameter& p : kernel_.parameters) {
            if (p.name == name) return p.value.tag != trace::Tag::tensor;
        }
        const auto binds_in = [&](NodeId scope) {
            return std::ranges::any_of(variable_uses(file, scope, name),
                                       [&](NodeId use) { return binds(file.tree, use); });
        };
        if (binds_in(kernel_.function->body)) return false;
        const NodeId around = file.tree.enclosing(file.tree.parent(kernel_.site.node), Kind::function_definition);
        return around != kNoNode && binds_in(around);
    }

    static bool is_explicit(const Operation& cast) { return argument(cast, "mode") || argument(cast, "satmode"); }

    /// The text of the kernel may ask for the parameter's type, or hand it or what it becomes to something that the
    /// trace does not show.
    void read_text() {
        const trace::SourceFile& file = *trace_.files[kernel_.site.file];
        for (const NodeId use : variable_uses(file, kernel_.site.node, parameter_.name)) {
            if (use < kernel_.function->body || binds(file.tree, use)) continue;
            if (is_passed_on(use)) return doubt("PTO207.blocked.passed_on", {kernel_.site.file, use});
        }
        for (const OpId id : members_) {
            const Site cast = trace_.operations[id].site;
            if (cast.file != kernel_.site.file || !file.tree.is_inside(cast.node, kernel_.site.node)) continue;
            if (is_passed_on(cast.node)) return doubt("PTO207.blocked.passed_on", cast);
            const NodeId assignment = file.tree.parent(cast.node);
            if (file.tree.kind(assignment) != Kind::assignment) continue;
            const NodeId target = file.tree.child(assignment, Field::left);
            if (file.tree.kind(target) != Kind::identifier) continue;
            for (const NodeId use : variable_uses(file, kernel_.function->body, file.text(target))) {
                if (is_passed_on(use)) return doubt("PTO207.blocked.passed_on", {kernel_.site.file, use});
            }
        }
        DTypeReads reads(trace_, kernel_, parameter_.name, raw_);
        if (const Site read = reads.find(); read.known()) doubt("PTO207.blocked.dtype_read", read);
    }

    bool is_passed_on(NodeId use) const {
        const NodeId call = call_that_takes(trace_.files[kernel_.site.file]->tree, use);
        return call != kNoNode && !is_followed(call);
    }

    static NodeId call_that_takes(const syntax::Tree& tree, NodeId use) {
        NodeId at = tree.parent(use);
        if (tree.kind(at) == Kind::keyword_argument) at = tree.parent(at);
        return tree.kind(at) == Kind::argument_list ? tree.parent(at) : kNoNode;
    }

    /// Is the call an operation of the trace, or of a function whose body the trace went through?
    bool is_followed(NodeId call) const {
        const Site site{kernel_.site.file, call};
        const auto operations =
            std::span(trace_.operations).subspan(kernel_.first_op, kernel_.end_op - kernel_.first_op);
        return std::ranges::any_of(operations, [&](const Operation& op) { return op.site == site; }) ||
               std::ranges::any_of(trace_.frames, [&](const trace::Frame& f) { return f.call == site; }) ||
               gives_itself_back(call);
    }

    /// len(w.shape) and the like never reach here; a cast to the type a tensor has leaves no operation.
    bool gives_itself_back(NodeId call) const {
        const trace::SourceFile& file = *trace_.files[kernel_.site.file];
        const NodeId callee = file.tree.child(call, Field::function);
        const std::string_view name = callee == kNoNode ? std::string_view{} : file.text(callee);
        if (name == "len" || name == "isinstance" || name == "print") return true;
        const auto operation = FrameworkNames(file).function(callee);  // one that prints or sets something
        const auto code = operation ? trace::find_operation(*operation) : std::nullopt;
        return code && trace::info(*code).engine == Engine::control;
    }

    const trace::Trace& trace_;
    const trace::KernelTrace& kernel_;
    const trace::KernelParameter& parameter_;
    std::vector<TensorId> raw_;  // the parameter, and views of it
    std::vector<OpId> members_;
    ParameterCasts casts_;
};

}  // namespace

ParameterCasts casts_of_parameter(const trace::Trace& trace, trace::KernelId kernel, std::uint32_t parameter) {
    return Collector(trace, kernel, parameter).run();
}

}  // namespace ptofix::rewrites
