// PTO206, where the operands are parameters and the result goes where weights go: the caller computes what is the same
// in every call, and the kernel takes the result in place of the parameter. A cast is taken as host_precompute takes
// it; a sum, difference or product goes behind the argument in the kernel's only call, or into a wrapper of the
// kernel's name and parameters. Of a chain of such operations the first goes first, and a tile waits for all that leave
// it: the result is one in any order. Everything else gets a larger tile.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "rewrites/call_arguments.h"
#include "rewrites/cast_removal.h"
#include "rewrites/host_conversion.h"
#include "rewrites/operands.h"
#include "rewrites/outer_calls.h"
#include "rewrites/parameter_casts.h"
#include "rewrites/rewrites.h"
#include "rewrites/tensor_writes.h"
#include "rewrites/unroll_users.h"
#include "rewrites/variables.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/tile_estimate.h"

namespace ptofix::rewrites {

namespace {

using hardware::DType;
using rules::Fix;
using rules::Rewrite;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;
using trace::KernelTrace;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::Site;
using trace::TensorId;
using trace::Trace;

constexpr std::string_view kEverywhere = "PTO206.fix.host_everywhere";

/// The sign between the operands: what torch does with two tensors of one type, PyPTO does to the same bits.
std::string_view sign_of(const Operation& op) {
    if (trace::is(op, Op::add)) return "+";
    if (trace::is(op, Op::sub)) return "-";
    return trace::is(op, Op::mul) ? "*" : "";
}

bool is_elementwise(const Operation& op) {
    return trace::is(op, Op::cast) || !sign_of(op).empty();
}

/// Does the tensor end as the right operand of matmuls and nowhere else, as weights do?
bool is_weight(const Trace& trace, const KernelTrace& kernel, TensorId tensor, int depth = 0) {
    constexpr int kMostSteps = 8;
    if (depth > kMostSteps) return false;
    bool read = false;
    for (OpId id = kernel.first_op; id < kernel.end_op; ++id) {
        const Operation& op = trace.operations[id];
        const auto inputs = trace.inputs(op);
        const auto at = std::ranges::find(inputs, tensor);
        if (at == inputs.end()) continue;
        read = true;
        if (op.engine == trace::Engine::cube) {
            if (at - inputs.begin() != 1) return false;
        } else if (op.engine != trace::Engine::view && !is_elementwise(op)) {
            return false;
        } else if (op.output == trace::kNoTensor || !is_weight(trace, kernel, op.output, depth + 1)) {
            return false;
        }
    }
    return read;
}

struct Operand {
    std::string_view name;  // "input", "other"
    NodeId node = kNoNode;  // in the kernel's text
    std::optional<std::uint32_t> parameter;
    std::string number;  // its text
};

class Elementwise {
  public:
    Elementwise(const Trace& trace, OpId operation, const Settings& settings)
        : trace_(trace),
          others_(settings.others),
          edits_callers_(settings.edit_callers),
          operation_(operation),
          op_(trace.operations[operation]),
          kernel_(trace.kernels[op_.kernel]),
          file_(*trace.files[kernel_.site.file]),
          tree_(file_.tree) {}

    /// The fix, and the wrapper in its stead where the calls of all files would be edited.
    Rewrite rewrite() {
        Rewrite answer;
        answer.fix = fix();
        if (!answer.fix || answer.fix->description.id != kEverywhere) return answer;
        answer.blocked = rules::Blocked{{kUnseenCallers, {}}, std::nullopt};
        if (wrapper_obstacle(trace_, op_.kernel, others_)) return answer;
        answer.alternatives.push_back(write(std::nullopt, other_.number, std::nullopt));
        return answer;
    }

  private:
    std::optional<Fix> fix() {
        if (sign_of(op_).empty() || !stands_in_kernel() || !read_operands()) return std::nullopt;
        if (!same_type() || !is_only_reader()) return std::nullopt;
        auto call = only_call(trace_, op_.kernel, *kept_.parameter);
        std::string other = other_.number;
        std::optional<Site> dropped;
        auto outer = outer_calls(trace_, op_.kernel, others_);
        if (outer) call.reset();  // one call among others
        if (outer) require_argument(*outer, kernel_, *kept_.parameter);
        // What a call computes with a number it can compute anywhere.
        const bool can_edit_all = edits_callers_ && outer && !outer->obstacle && outer->in_wrapper &&
                                  !other_.parameter && !is_decorated_twice(trace_, op_.kernel);
        if (can_edit_all) return write_everywhere(*outer);
        if (other_.parameter) {
            other = std::string(kernel_.parameters[*other_.parameter].name);
            const auto its_call = call ? only_call(trace_, op_.kernel, *other_.parameter) : std::nullopt;
            if (call && !its_call) return std::nullopt;
            if (its_call) {
                const trace::SourceFile& host = *trace_.files[its_call->argument.file];
                other = host.text(its_call->argument.node);
                if (!is_plain(host, its_call->argument.node)) return std::nullopt;
                dropped = its_call->argument;
            }
        }
        if (!call && wrapper_obstacle(trace_, op_.kernel, others_)) return std::nullopt;
        return write(call, other, dropped);
    }

    /// Written once, in the kernel itself, on the way that is always taken.
    bool stands_in_kernel() const {
        if (op_.branch != trace::kNone || op_.site.file != kernel_.site.file || kernel_.site.file != trace_.main)
            return false;
        if (!tree_.is_inside(op_.site.node, kernel_.function->body)) return false;
        for (NodeId at = tree_.parent(op_.site.node); at != kernel_.function->body; at = tree_.parent(at)) {
            const Kind kind = tree_.kind(at);
            if (kind == Kind::if_statement || kind == Kind::conditional_expression || kind == Kind::match_statement ||
                kind == Kind::try_statement || kind == Kind::function_definition || kind == Kind::lambda) {
                return false;
            }
        }
        return true;
    }

    std::optional<std::uint32_t> parameter_at(NodeId node) const {
        if (tree_.kind(node) != Kind::identifier) return std::nullopt;
        for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
            const trace::KernelParameter& parameter = kernel_.parameters[i];
            if (parameter.name != file_.text(node) || parameter.value.tag != trace::Tag::tensor) continue;
            const auto uses = variable_uses(file_, kernel_.function->body, parameter.name);
            const bool bound = std::ranges::any_of(uses, [&](NodeId use) { return binds(tree_, use); });
            return bound ? std::nullopt : std::optional(i);
        }
        return std::nullopt;
    }

    std::optional<Operand> operand(std::size_t index) const {
        const auto& parameters = trace::info(op_.code).parameters;
        if (index >= parameters.size()) return std::nullopt;
        Operand found{parameters[index].name, operand_node(trace_, op_, parameters[index].name), std::nullopt, {}};
        if (found.node == kNoNode) return std::nullopt;
        found.parameter = parameter_at(found.node);
        const Kind kind = tree_.kind(found.node);
        // A fraction makes FP32 of an integer tensor in torch.
        const bool whole = trace_.tensors[op_.output].type.dtype == DType::int32;
        if (!found.parameter && kind != Kind::integer && (whole || kind != Kind::float_)) return std::nullopt;
        if (!found.parameter) found.number = std::string(file_.text(found.node));
        return found;
    }

    bool has_shape_of_result(const Operand& operand) const {
        if (!operand.parameter) return false;
        const TensorId tensor = kernel_.parameters[*operand.parameter].value.as.tensor;
        return trace_.tensors[tensor].type.shape == trace_.tensors[op_.output].type.shape;
    }

    /// The parameter that becomes the result must have its shape.
    bool read_operands() {
        const auto left = operand(0), right = operand(1);
        if (!left || !right || op_.arguments.size() > 2) return false;
        left_is_kept_ = has_shape_of_result(*left);
        if (!left_is_kept_ && !has_shape_of_result(*right)) return false;
        kept_ = left_is_kept_ ? *left : *right;
        other_ = left_is_kept_ ? *right : *left;
        return kept_.parameter != other_.parameter;
    }

    DType type_of(std::uint32_t parameter) const {
        return trace_.tensors[kernel_.parameters[parameter].value.as.tensor].type.dtype;
    }

    /// Laid out in blocks that torch does not compute on.
    bool is_nz(std::uint32_t parameter) const {
        return trace_.tensors[kernel_.parameters[parameter].value.as.tensor].type.nz;
    }

    bool same_type() const {
        const DType type = trace_.tensors[op_.output].type.dtype;
        const bool exact = type == DType::fp32 || type == DType::int32;
        if (!exact || type_of(*kept_.parameter) != type || is_nz(*kept_.parameter)) return false;
        if (other_.parameter && is_nz(*other_.parameter)) return false;
        return !other_.parameter || type_of(*other_.parameter) == type;
    }

    /// Nothing else in the trace and in the text reads the parameter that goes, nothing writes to it or to the result,
    /// and no operation of another kernel stands at this place.
    bool is_only_reader() const {
        const TensorId tensor = kernel_.parameters[*kept_.parameter].value.as.tensor;
        for (OpId id = 0; id < trace_.operations.size(); ++id) {
            const Operation& op = trace_.operations[id];
            const bool ours = id >= kernel_.first_op && id < kernel_.end_op;
            if (op.site == op_.site && !ours && trace_.kernels[op.kernel].site != kernel_.site) return false;
            if (!ours) continue;
            const auto inputs = trace_.inputs(op);
            const bool reads = std::ranges::find(inputs, tensor) != inputs.end();
            if (reads && op.site != op_.site) return false;
            if (op.site == op_.site && write_to(trace_, op.output, kernel_.first_op, kernel_.end_op)) return false;
        }
        if (write_to(trace_, tensor, kernel_.first_op, kernel_.end_op)) return false;
        return uses(*kept_.parameter) == 1;
    }

    std::size_t uses(std::uint32_t parameter) const {
        return variable_uses(file_, kernel_.function->body, kernel_.parameters[parameter].name).size();
    }

    /// Safe to compute with in another place, and without parentheses.
    static bool is_plain(const trace::SourceFile& host, NodeId node) {
        const Kind kind = host.tree.kind(node);
        return kind == Kind::identifier || kind == Kind::attribute;
    }

    /// The kernel without the operation, which is the conversion of what it is handed. With room for comments it hands
    /// those on.
    Conversion leave_kernel(const std::string& other, bool room, Fix& fix) const {
        ParameterCasts casts;
        casts.operand = kept_.name;
        casts.steps.push_back({type_of(*kept_.parameter), type_of(*kept_.parameter), operation_});
        casts.sites.push_back(op_.site);
        CastRemoval removal = remove_casts(trace_, op_.kernel, *kept_.parameter, casts, room);
        Conversion conversion;
        conversion.parameter = *kept_.parameter;
        conversion.name = removal.parameter;
        conversion.comments = std::move(removal.comments);
        conversion.steps = fmt::format(" {} {}", sign_of(op_), other);
        if (!left_is_kept_) conversion.before = fmt::format("{} {} ", other, sign_of(op_));
        if (!left_is_kept_) conversion.steps.clear();
        fix.edits = std::move(removal.edits);
        return conversion;
    }

    void describe(Fix& fix, std::string_view id) const {
        fix.description.id = id;
        fix.description.data.set("kernel", std::string(kernel_.name));
        fix.isolation = fmt::format("kernel {}:{}", kernel_.site.file, tree_[kernel_.site.node].start);
    }

    /// Every call computes it, in all files or in none.
    Fix write_everywhere(const OuterCalls& outer) const {
        Fix fix;
        const Conversion conversion = leave_kernel(other_.number, false, fix);
        std::set<trace::FileId> files;
        for (const OuterCall& call : outer.calls) {
            files.insert(call.id);
            const NodeId argument = argument_of(call, kernel_, *kept_.parameter);
            const std::string_view name = kernel_.parameters[*kept_.parameter].name;
            auto edits = convert_argument(*call.file, call.id, argument, name, conversion);
            std::ranges::move(edits, std::back_inserter(fix.edits));
        }
        describe(fix, kEverywhere);
        fix.description.data.set("calls", static_cast<std::int64_t>(outer.calls.size()));
        fix.description.data.set("files", static_cast<std::int64_t>(files.size()));
        fix.read_as = std::string(kernel_.name);
        fix.applicability = rules::Applicability::unsafe;  // others may call, too
        return fix;
    }

    Fix write(const std::optional<OnlyCall>& call, const std::string& other, std::optional<Site> dropped) const {
        Fix fix;
        Conversion conversion = leave_kernel(other, !call || takes_comments(trace_, *call), fix);
        if (other_.parameter && uses(*other_.parameter) == 1) drop(*other_.parameter, dropped, conversion, fix);
        auto host = call ? convert_argument(trace_, *call, op_.kernel, conversion)
                         : add_wrapper(trace_, op_.kernel, conversion);
        fix.edits.insert(fix.edits.end(), std::make_move_iterator(host.begin()), std::make_move_iterator(host.end()));
        describe(fix, call ? "PTO206.fix.host" : "PTO206.fix.host_wrapper");
        if (call && can_be_imported(trace_, op_.kernel)) fix.read_as = std::string(kernel_.name);
        return fix;
    }

    /// The other operand is needed no more: it leaves the kernel's parameters and the call's arguments.
    void drop(std::uint32_t parameter, std::optional<Site> argument, Conversion& conversion, Fix& fix) const {
        const Site declared{kernel_.site.file, kernel_.parameters[parameter].node};
        auto of_kernel = without_argument(trace_, declared);
        if (!of_kernel) return;
        if (argument) {
            Site whole = *argument;
            const NodeId parent = trace_.files[whole.file]->tree.parent(whole.node);
            if (trace_.files[whole.file]->tree.kind(parent) == Kind::keyword_argument) whole.node = parent;
            auto of_call = without_argument(trace_, whole);
            if (!of_call) return;
            fix.edits.push_back(std::move(*of_call));
        }
        fix.edits.push_back(std::move(*of_kernel));
        conversion.dropped = parameter;
    }

    const Trace& trace_;
    OtherFiles* others_;
    bool edits_callers_;
    OpId operation_;
    const Operation& op_;
    const KernelTrace& kernel_;
    const trace::SourceFile& file_;
    const syntax::Tree& tree_;
    Operand kept_, other_;
    bool left_is_kept_ = true;
};

/// A cast of a parameter, as PTO207 takes it to the host.
Rewrite cast_on_host(const rules::Finding& finding, OpId operation, const Trace& trace, const Settings& settings) {
    const Operation& op = trace.operations[operation];
    const trace::Tensor& operand = trace.tensors[trace.inputs(op)[0]];
    if (operand.source != trace::TensorSource::parameter) return {};
    rules::WeightCastEvidence cast;
    cast.kernel = op.kernel;
    cast.loop = trace::kNone;
    cast.chain = {operation};
    cast.parameter = operand.parameter;
    rules::Finding as_cast = finding;
    as_cast.evidence = std::move(cast);
    return host_precompute(as_cast, trace, settings);
}

/// The first step of what computes this from parameters alone, elementwise.
OpId first_step(const Trace& trace, OpId id) {
    while (true) {
        const auto inputs = trace.inputs(trace.operations[id]);
        const auto made = std::ranges::find_if(inputs, [&](TensorId tensor) {
            const trace::Tensor& each = trace.tensors[tensor];
            return each.source == trace::TensorSource::operation && each.producer != trace::kNone &&
                   each.producer < id && is_elementwise(trace.operations[each.producer]);
        });
        if (made == inputs.end()) return id;
        id = trace.tensors[*made].producer;
    }
}

/// The fix that takes the first step of this operation to the host. Its alternatives are of the same kind: for those
/// who know the kernel as it is.
Rewrite on_host(const rules::Finding& finding, OpId id, const Trace& trace, const Settings& settings) {
    if (!is_elementwise(trace.operations[id])) return {};
    const OpId first = first_step(trace, id);
    const bool is_cast = trace::is(trace.operations[first], Op::cast);
    Rewrite answer =
        is_cast ? cast_on_host(finding, first, trace, settings) : Elementwise(trace, first, settings).rewrite();
    const bool is_for_callers = answer.blocked && answer.blocked->reason.id == kUnseenCallers;
    if (!answer.fix || (answer.fix->applicability != rules::Applicability::safe && !is_for_callers)) return {};
    std::erase_if(answer.alternatives, [&](const Fix& other) {
        return answer.fix->read_as.empty() || !other.read_as.empty() || other.isolation != answer.fix->isolation;
    });
    return answer;
}

bool is_weight(const Trace& trace, OpId id) {
    const Operation& op = trace.operations[id];
    return op.output != trace::kNoTensor && is_weight(trace, trace.kernels[op.kernel], op.output);
}

/// Another operation under the same tile call that leaves it for the host.
std::optional<OpId> leaves_first(const rules::Finding& finding, OpId id, const Trace& trace, const Settings& settings) {
    const Site call = trace.tiles[trace.operations[id].vec_tile].call;
    std::optional<Site> seen;
    for (OpId other = 0; other < trace.operations.size(); ++other) {
        const Operation& op = trace.operations[other];
        if (other == id || op.vec_tile == trace::kNone || trace.tiles[op.vec_tile].call != call) continue;
        if (op.site == trace.operations[id].site || op.site == seen || trace.kernels[op.kernel].is_helper) continue;
        const auto count = trace::count_tiles(trace, op);
        if (!count || count->product() <= rules::kMostTileOperations) continue;
        seen = op.site;
        if (is_elementwise(op) && is_weight(trace, other) && on_host(finding, other, trace, settings).fix) {
            return other;
        }
    }
    return std::nullopt;
}

}  // namespace

Rewrite host_elementwise(const rules::Finding& finding, const Trace& trace, const Settings& settings) {
    const OpId id = std::get<rules::TileCountEvidence>(finding.evidence).operation;
    Rewrite host = on_host(finding, id, trace, settings);
    if (host.fix && is_weight(trace, id)) {
        Rewrite rewrite = std::move(host);
        if (rewrite.fix->applicability == rules::Applicability::safe) rewrite.blocked.reset();
        if (Rewrite tile = larger_tile(finding, trace, settings); tile.fix) {
            rewrite.alternatives.push_back(std::move(*tile.fix));
        }
        return rewrite;
    }
    Rewrite rewrite = larger_tile(finding, trace, settings);
    if (!rewrite.fix) return rewrite;
    if (const auto other = leaves_first(finding, id, trace, settings)) {
        const Site site = trace.operations[*other].site;
        rewrite.fix.reset();
        rewrite.blocked = rules::Blocked{{"PTO206.blocked.host_first", {}}, location_of_node(trace, site)};
    } else if (host.fix) {
        rewrite.alternatives.push_back(std::move(*host.fix));
    }
    return rewrite;
}

}  // namespace ptofix::rewrites
