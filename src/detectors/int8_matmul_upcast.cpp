// PTO105: both operands of a matmul are INT8 tensors that were cast to FP32 first, directly or by way of FP16.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "detectors/detectors.h"
#include "detectors/int8_casts.h"
#include "detectors/places.h"
#include "hardware/dtype.h"
#include "trace/matmul.h"
#include "trace/operations.h"

namespace ptofix::detectors {

namespace {

using hardware::DType;
using trace::kNone;
using trace::kNoTensor;
using trace::Op;
using trace::Operation;
using trace::OpId;
using trace::TensorId;
using trace::Trace;

/// The casts that made this FP32 tensor of an INT8 one, in order; nullopt: it is no such tensor.
std::optional<std::vector<std::uint32_t>> casts_from_int8(const Trace& trace, TensorId tensor) {
    std::vector<std::uint32_t> casts;
    if (tensor == kNoTensor || trace.tensors[tensor].type.dtype != DType::fp32) return std::nullopt;
    while (trace.tensors[tensor].type.dtype != DType::int8) {
        const trace::Tensor& t = trace.tensors[tensor];
        if (t.source != trace::TensorSource::operation || t.producer == kNone) return std::nullopt;
        const Operation& op = trace.operations[t.producer];
        const auto inputs = trace.inputs(op);
        if (!trace::is(op, Op::cast) || inputs.empty()) return std::nullopt;
        casts.push_back(t.producer);
        tensor = inputs[0];
        const DType dtype = trace.tensors[tensor].type.dtype;
        // INT8 goes through FP16 and FP32 without loss, and through nothing else.
        if (dtype != DType::int8 && dtype != DType::fp16 && dtype != DType::fp32) return std::nullopt;
    }
    std::ranges::reverse(casts);
    return casts;
}

TensorId operand(const Operation& op, std::string_view name) {
    for (const auto& [n, v] : op.arguments) {
        if (n == name && v.is(trace::Tag::tensor)) return v.as.tensor;
    }
    return kNoTensor;
}

}  // namespace

std::optional<Int8Casts> int8_casts(const Trace& trace, const Operation& op) {
    if (!trace::is(op, Op::matmul)) return std::nullopt;
    auto a = casts_from_int8(trace, operand(op, "input"));
    if (!a) return std::nullopt;
    auto b = casts_from_int8(trace, operand(op, "mat2"));
    if (!b) return std::nullopt;
    return Int8Casts{*std::move(a), *std::move(b)};
}

void int8_matmul_upcast(const Trace& trace, const Settings&, std::vector<rules::Finding>& out) {
    for (OpId id = 0; id < trace.operations.size(); ++id) {
        const Operation& op = trace.operations[id];
        auto casts = int8_casts(trace, op);
        if (!casts) continue;
        const auto matmul = trace::matmul_of(trace, id);
        rules::Finding finding;
        finding.rule = "PTO105";
        finding.severity = rules::Severity::warning;
        finding.location = location_of(trace, op.site);
        finding.message.id = "PTO105.found";
        rules::Data& data = finding.message.data;
        if (matmul && matmul->extent.k) data.set("k_extent", *matmul->extent.k);
        data.set("factor", std::int64_t{hardware::size_of(DType::fp32) / hardware::size_of(DType::int8)});
        for (const auto* chain : {&casts->a, &casts->b}) {
            finding.related.push_back(
                {location_of(trace, trace.operations[chain->back()].site), {"PTO105.related.cast", {}}});
        }
        rules::Int8MatmulEvidence evidence;
        evidence.kernel = op.kernel;
        evidence.matmul = id;
        evidence.a_casts = std::move(casts->a);
        evidence.b_casts = std::move(casts->b);
        if (matmul) evidence.k = matmul->extent.k;
        finding.evidence = std::move(evidence);
        out.push_back(std::move(finding));
    }
}

}  // namespace ptofix::detectors
