// What the tests of the tracer share: a kernel's body as text, and what the tracer writes down of it, in words.
#pragma once

#include <string>
#include <vector>

#include "rewrites_support.h"
#include "trace/operations.h"
#include "trace/trace_text.h"

namespace ptofix::test {

inline std::string indented(std::string_view code, int levels = 1) {
    std::string out;
    while (!code.empty()) {
        const std::size_t end = code.find('\n');
        out.append(4 * static_cast<std::size_t>(levels), ' ').append(code.substr(0, end)).append("\n");
        code.remove_prefix(end == std::string_view::npos ? code.size() : end + 1);
    }
    return out;
}

/// A kernel over x [64, 128] FP32, y [32, 64] FP16 and s [n, 64] FP32.
inline std::string kernel_of(std::string_view body, std::string_view decorator = "@pypto.frontend.jit",
                             std::string_view before = "") {
    return "import pypto\n" + std::string(before) + std::string(decorator) +
           "\ndef kernel(x: pypto.Tensor([64, 128], pypto.DT_FP32), y: pypto.Tensor([32, 64], pypto.DT_FP16),\n"
           "           s: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):\n" +
           indented(body);
}

/// The values of the vector tiles that the file sets, in order: "16, 64".
inline std::vector<std::string> tiles_of(const trace::Trace& trace) {
    std::vector<std::string> out;
    for (const trace::TileSetting& t : trace.tiles) {
        if (t.engine != trace::TileSetting::Engine::vec || t.vec.empty()) continue;
        std::string text;
        for (const trace::Value& v : t.vec) text += (text.empty() ? "" : ", ") + trace::value_text(trace, v);
        out.push_back(text);
    }
    return out;
}

/// The operations of the first kernel, "exp [64, 128] DT_FP32", each with its result and, on request, the tile in
/// force.
inline std::vector<std::string> operations_of(const trace::Trace& trace, bool with_tiles = false) {
    std::vector<std::string> out;
    if (trace.kernels.empty()) return out;
    const trace::KernelTrace& k = trace.kernels.front();
    for (trace::OpId id = k.first_op; id < k.end_op; ++id) {
        const trace::Operation& op = trace.operations[id];
        if (op.engine == trace::Engine::control) continue;
        std::string text(trace::info(op.code).name);
        if (op.output != trace::kNoTensor) text += " " + trace::type_text(trace, trace.tensors[op.output].type);
        if (with_tiles) {
            text += " |";
            if (op.vec_tile != trace::kNone) {
                for (const trace::Value& v : trace.tiles[op.vec_tile].vec) text += " " + trace::value_text(trace, v);
                if (trace.tiles[op.vec_tile].vec.empty()) text += " ?";
            }
        }
        out.push_back(text);
    }
    return out;
}

}  // namespace ptofix::test
