// PTO207: converts a weight once on the host instead of in every trip of a device loop. The kernel's parameter is
// declared with the dtype that the cast chain ends in, the chain leaves the kernel, and torch takes the same steps
// outside.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rewrites/cast_removal.h"
#include "rewrites/hoist_cast.h"
#include "rewrites/host_conversion.h"
#include "rewrites/imports.h"
#include "rewrites/outer_calls.h"
#include "rewrites/parameter_casts.h"
#include "rewrites/rewrites.h"
#include "rewrites/star_imports.h"
#include "text/words.h"
#include "trace/operations.h"
#include "trace/project.h"

namespace ptofix::rewrites {

namespace {

using hardware::DType;
using rules::Applicability;
using rules::Blocked;

enum class Agreement : std::uint8_t {
    exact,     // every value has its equal in the new type
    rounding,  // both round to nearest, ties to even, where the cast names no other mode
    open,      // the two may differ
};

/// Mantissa bits, the hidden one included, and the largest power of two.
struct FloatFormat {
    int bits;
    int exponent;
};
std::optional<FloatFormat> float_format(DType dtype) {
    switch (dtype) {
        case DType::fp16:
            return FloatFormat{11, 15};
        case DType::bf16:
            return FloatFormat{8, 127};
        case DType::fp32:
            return FloatFormat{24, 127};
        case DType::fp64:
            return FloatFormat{53, 1023};
        case DType::fp8e4m3:
            return FloatFormat{4, 8};
        case DType::fp8e5m2:
            return FloatFormat{3, 15};
        default:
            return std::nullopt;
    }
}

Agreement agreement(DType from, DType to) {
    const auto target = float_format(to);
    if (hardware::is_integer(from) && from != DType::boolean && target) {
        const int magnitude = hardware::bits_of(from);  // the sign bit counts for -128, a power of two
        if (magnitude <= target->bits) return Agreement::exact;
        if (from == DType::int32 && to == DType::fp16) return Agreement::open;  // scaled by the hardware's deqscale
        return to == DType::fp32 || to == DType::fp16 ? Agreement::rounding : Agreement::open;
    }
    const auto source = float_format(from);
    if (source && target) {
        if (source->bits <= target->bits && source->exponent <= target->exponent) return Agreement::exact;
        const bool narrow = to == DType::fp16 || to == DType::bf16;
        return narrow && from == DType::fp32 ? Agreement::rounding : Agreement::open;
    }
    if (hardware::is_integer(from) && hardware::is_integer(to) && from != DType::boolean) {
        const bool same_sign =
            hardware::pypto_name(from).starts_with("DT_U") == hardware::pypto_name(to).starts_with("DT_U");
        if (same_sign && hardware::bits_of(from) < hardware::bits_of(to)) return Agreement::exact;
    }
    return Agreement::open;
}

/// "CAST_RINT", or what is written when that is not known; empty when the cast names none.
std::string mode_of(const trace::Trace& trace, const trace::Operation& cast, std::string_view parameter) {
    for (const auto& [name, value] : cast.arguments) {
        if (name != parameter || value.tag == trace::Tag::none) continue;
        if (value.tag == trace::Tag::marker || value.tag == trace::Tag::external) {
            const std::string& text = *value.as.text;
            return text.substr(text.rfind('.') + 1);
        }
        if (value.origin().known()) return std::string(trace.files[value.file]->text(value.node));
        return "?";
    }
    return {};
}

class Precompute {
  public:
    Precompute(const trace::Trace& trace, const rules::WeightCastEvidence& evidence, const Settings& settings)
        : trace_(trace),
          others_(settings.others),
          edits_callers_(settings.edit_callers),
          evidence_(evidence),
          kernel_(trace.kernels[evidence.kernel]),
          parameter_(kernel_.parameters[evidence.parameter].name),
          casts_(casts_of_parameter(trace, evidence.kernel, evidence.parameter)) {}

    rules::Rewrite run() {
        rules::Rewrite answer = on_host();
        std::optional<rules::Fix> hoisted;
        if (evidence_.loop != trace::kNone && !casts_nz()) hoisted = hoist_cast(trace_, evidence_);
        if (!hoisted) return answer;
        // Whoever wants unsafe fixes wants the callers edited; any other doubt is a reason to stay in the kernel.
        const bool is_for_callers = answer.blocked && answer.blocked->reason.id == kUnseenCallers;
        if (answer.fix && (answer.fix->applicability == Applicability::safe || is_for_callers)) {
            answer.alternatives.push_back(*std::move(hoisted));
            return answer;
        }
        if (answer.fix) answer.alternatives.insert(answer.alternatives.begin(), *std::move(answer.fix));
        answer.fix = std::move(hoisted);
        answer.blocked.reset();
        return answer;
    }

  private:
    const trace::SourceFile& kernel_file() const { return *trace_.files[kernel_.site.file]; }
    /// How the kernel's file calls torch, or will.
    std::string torch_name() const {
        const std::string alias = module_alias(kernel_file(), "torch");
        return alias.empty() ? "torch" : alias;
    }

    /// No cast takes the NZ format: wherever it stands, the kernel is not right, and moving it would say that it was.
    bool casts_nz() const {
        const trace::Value& value = kernel_.parameters[evidence_.parameter].value;
        return value.tag == trace::Tag::tensor && trace_.tensors[value.as.tensor].type.nz;
    }

    rules::Rewrite on_host() {
        if (casts_.blocked) return {{}, {}, std::move(casts_.blocked)};
        if (auto blocked = check_steps()) return {{}, {}, std::move(blocked)};
        auto call = only_call(trace_, evidence_.kernel, evidence_.parameter);
        if (call && !can_use_module(*trace_.files[call->argument.file], call->argument.node, "torch")) call.reset();
        if (call && may_clash_with_star(*trace_.files[call->argument.file], "torch", others_)) call.reset();
        std::optional<OuterCalls> outer = calls_everywhere();
        // Where nothing but tests calls it, it is there for somebody else.
        const bool can_edit_all = edits_callers_ && outer && !outer->obstacle && outer->in_wrapper &&
                                  !is_decorated_twice(trace_, evidence_.kernel);
        if (outer) call.reset();  // one call among others
        if (!call && !can_edit_all) {
            if (auto blocked = wrapper_obstacle(trace_, evidence_.kernel, others_)) {
                return {{}, {}, std::move(outer && outer->obstacle ? outer->obstacle : blocked)};
            }
            if (is_shadowed_in_wrapper()) {
                Blocked taken = because("PTO207.blocked.name_taken", {kernel_.site.file, kernel_.site.node});
                taken.reason.data.set("name", torch_name());
                return {{}, {}, std::move(taken)};
            }
        }
        if (const auto place = find_from_torch()) doubt(because("PTO207.blocked.from_torch", *place));
        auto declaration = declare_dtype(trace_, evidence_.kernel, evidence_.parameter, casts_.steps.back().to);
        if (!declaration || has_default()) {
            return {{}, {}, because("PTO207.blocked.declaration", {kernel_.site.file, parameter_node()})};
        }
        if (can_edit_all) doubt(because(kUnseenCallers, {}));
        rules::Rewrite answer;
        answer.fix = can_edit_all ? fix(*outer, *declaration) : fix(call, *declaration);
        if (can_edit_all || (call && can_be_imported(trace_, evidence_.kernel))) {
            // Another file that calls the kernel needs it as it was.
            answer.fix->read_as = std::string(kernel_.name);
            if (!wrapper_obstacle(trace_, evidence_.kernel, others_) && !is_shadowed_in_wrapper()) {
                answer.alternatives.push_back(fix(std::nullopt, *std::move(declaration)));
            }
        }
        if (doubt_) answer.blocked = std::move(doubt_);
        return answer;
    }

    /// The wrapper stands where the kernel does: has it another torch there, or none yet?
    bool is_shadowed_in_wrapper() const {
        return is_shadowed(kernel_file(), kernel_.function->body, torch_name(), "torch") ||
               may_clash_with_star(kernel_file(), "torch", others_) ||
               is_used_too_early(kernel_file(), kernel_.site.node, "torch");
    }

    /// The kernel's calls in all files of the run, when others than its own know it.
    std::optional<OuterCalls> calls_everywhere() {
        auto outer = outer_calls(trace_, evidence_.kernel, others_);
        if (!outer) return std::nullopt;
        require_argument(*outer, kernel_, evidence_.parameter);
        for (const OuterCall& call : outer->calls) {
            if (outer->obstacle) break;
            const std::string alias = module_alias(*call.file, "torch");
            const std::string torch = alias.empty() ? "torch" : alias;
            if (!can_use_module(*call.file, call.call, "torch") || may_clash_with_star(*call.file, "torch", others_)) {
                outer->obstacle = because("PTO207.blocked.name_taken", {});
                outer->obstacle->reason.data.set("name", torch);
                outer->obstacle->location = rules::Location{call.id, call.file->tree.range(call.call)};
            }
            if (text::has_word(call.file->text(), "from_torch")) doubt(because("PTO207.blocked.from_torch", {}));
        }
        return outer;
    }

    syntax::NodeId parameter_node() const { return kernel_.parameters[evidence_.parameter].node; }

    /// A parameter that a call may leave out: there may be nothing to convert.
    bool has_default() const {
        return std::ranges::any_of(kernel_.function->parameters,
                                   [&](const trace::Parameter& p) { return p.name == parameter_ && p.has_default; });
    }

    /// The host may hand over the framework's own tensors, which have no .to().
    std::optional<trace::Site> find_from_torch() const {
        const trace::SourceFile& file = *trace_.files[kernel_.site.file];
        for (syntax::NodeId id = 0; id < file.tree.nodes().size(); ++id) {
            if (file.tree.kind(id) == syntax::Kind::identifier && file.text(id) == "from_torch") {
                return trace::Site{kernel_.site.file, id};
            }
        }
        return std::nullopt;
    }

    Blocked because(std::string_view id, trace::Site site) const {
        Blocked blocked{{id, {}}, std::nullopt};
        blocked.reason.data.set("parameter", std::string(parameter_));
        if (site.known()) blocked.location = rules::Location{site.file, trace_.files[site.file]->tree.range(site.node)};
        return blocked;
    }

    void doubt(Blocked why) {
        if (!doubt_) doubt_ = std::move(why);
    }

    /// Can torch take these steps, and are its results the same?
    std::optional<Blocked> check_steps() {
        if (casts_.doubt) doubt(*casts_.doubt);
        for (const CastStep& step : casts_.steps) {
            const trace::Operation& cast = trace_.operations[step.op];
            if (hardware::torch_name(step.to).empty() || hardware::torch_name(step.from).empty()) {
                const DType missing = hardware::torch_name(step.to).empty() ? step.to : step.from;
                Blocked blocked = because("PTO207.blocked.no_torch_type", cast.site);
                blocked.reason.data.set("to", std::string(hardware::pypto_name(missing)));
                return blocked;
            }
            const Agreement agree = agreement(step.from, step.to);
            if (agree == Agreement::exact) continue;
            const std::string mode = mode_of(trace_, cast, "mode");
            if (!mode.empty() && mode != "CAST_NONE" && mode != "CAST_RINT") {
                Blocked blocked = because("PTO207.blocked.rounding_mode", cast.site);
                blocked.reason.data.set("mode", mode);
                return blocked;
            }
            const std::string saturation = mode_of(trace_, cast, "satmode");
            if (!saturation.empty() && saturation != "OFF") return because("PTO207.blocked.saturation", cast.site);
            if (agree == Agreement::open) {
                Blocked why = because("PTO207.blocked.conversion_differs", cast.site);
                why.reason.data.set("from", std::string(hardware::pypto_name(step.from)));
                why.reason.data.set("to", std::string(hardware::pypto_name(step.to)));
                doubt(std::move(why));
            }
        }
        return std::nullopt;
    }

    rules::Fix fix(const std::optional<OnlyCall>& call, std::vector<rules::FileEdit> declaration) {
        rules::Fix fix;
        fix.edits = std::move(declaration);
        const trace::FileId host = call ? call->argument.file : kernel_.site.file;
        const std::string torch = require_module(host, *trace_.files[host], "torch", fix.edits);
        Conversion conversion;
        conversion.parameter = evidence_.parameter;
        conversion.steps = steps_in(torch);
        const bool room = !call || takes_comments(trace_, *call);
        CastRemoval removal = remove_casts(trace_, evidence_.kernel, evidence_.parameter, casts_, room);
        conversion.name = removal.parameter;
        conversion.comments = std::move(removal.comments);
        std::vector<rules::FileEdit> host_edits = call ? convert_argument(trace_, *call, evidence_.kernel, conversion)
                                                       : add_wrapper(trace_, evidence_.kernel, conversion);
        for (auto* part : {&removal.edits, &host_edits}) {
            fix.edits.insert(fix.edits.end(), std::make_move_iterator(part->begin()),
                             std::make_move_iterator(part->end()));
        }
        describe(fix, call ? "PTO207.fix.host_precompute" : "PTO207.fix.host_wrapper", conversion.steps);
        return fix;
    }

    /// Every call converts what it hands over, in all files or in none.
    rules::Fix fix(const OuterCalls& outer, std::vector<rules::FileEdit> declaration) {
        rules::Fix fix;
        fix.edits = std::move(declaration);
        CastRemoval removal = remove_casts(trace_, evidence_.kernel, evidence_.parameter, casts_, false);
        std::ranges::move(removal.edits, std::back_inserter(fix.edits));
        Conversion conversion;
        conversion.parameter = evidence_.parameter;
        conversion.name = removal.parameter;
        std::map<trace::FileId, std::string> torch;  // how each file calls it
        for (const OuterCall& call : outer.calls) {
            const auto [name, fresh] = torch.try_emplace(call.id);
            if (fresh) name->second = require_module(call.id, *call.file, "torch", fix.edits);
            conversion.steps = steps_in(name->second);
            const syntax::NodeId argument = argument_of(call, kernel_, evidence_.parameter);
            auto edits = convert_argument(*call.file, call.id, argument, parameter_, conversion);
            std::ranges::move(edits, std::back_inserter(fix.edits));
        }
        describe(fix, "PTO207.fix.host_everywhere", conversion.steps);
        fix.description.data.set("calls", static_cast<std::int64_t>(outer.calls.size()));
        fix.description.data.set("files", static_cast<std::int64_t>(torch.size()));
        return fix;
    }

    std::string steps_in(std::string_view torch) const {
        std::string steps;
        for (const CastStep& step : casts_.steps) {
            steps += fmt::format(".to({}.{})", torch, hardware::torch_name(step.to));
        }
        return steps;
    }

    void describe(rules::Fix& fix, std::string_view id, const std::string& steps) const {
        fix.applicability = doubt_ ? Applicability::unsafe : Applicability::safe;
        fix.description.id = id;
        auto& data = fix.description.data;
        data.set("parameter", std::string(parameter_));
        data.set("steps", steps);
        data.set("to", std::string(hardware::pypto_name(casts_.steps.back().to)));
        data.set("kernel", std::string(kernel_.name));
        data.set("from_bytes", std::int64_t{hardware::size_of(casts_.steps.front().from)});
        data.set("to_bytes", std::int64_t{hardware::size_of(casts_.steps.back().to)});
        fix.isolation = fmt::format("kernel {}:{}", kernel_.site.file,
                                    trace_.files[kernel_.site.file]->tree[kernel_.site.node].start);
    }

    const trace::Trace& trace_;
    OtherFiles* others_;
    bool edits_callers_;
    const rules::WeightCastEvidence& evidence_;
    const trace::KernelTrace& kernel_;
    std::string_view parameter_;
    ParameterCasts casts_;
    std::optional<Blocked> doubt_;
};

}  // namespace

rules::Rewrite host_precompute(const rules::Finding& finding, const trace::Trace& trace, const Settings& settings) {
    const auto* evidence = std::get_if<rules::WeightCastEvidence>(&finding.evidence);
    if (evidence == nullptr) return {};
    return Precompute(trace, *evidence, settings).run();
}

}  // namespace ptofix::rewrites
