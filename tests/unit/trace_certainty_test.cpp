#include "trace/certainty.h"

#include <string>

#include "rewrites_support.h"

using namespace ptofix;

namespace {

/// Of each kernel in the order of the trace: is every operation of it certain?
std::vector<bool> certain_kernels(const std::string& text) {
    const test::Traced traced("import pypto\nimport torch\n" + text);
    std::vector<bool> out;
    for (const trace::KernelTrace& kernel : traced.trace->kernels) {
        bool all = true;
        for (auto id = kernel.first_op; id < kernel.end_op; ++id) {
            all = all && trace::is_certain(*traced.trace, traced.trace->operations[id]);
        }
        out.push_back(all);
    }
    return out;
}

const std::string kKernel =
    "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor([pypto.STATIC, 8], pypto.DT_FP32), flag):\n"
    "    pypto.set_vec_tile_shapes(8, 8)\n";
const std::string kCall = "kernel(torch.zeros([64, 8], dtype=torch.float32), True)\n";

}  // namespace

TEST_CASE("what stands under no condition is certain") {
    CHECK(certain_kernels(kKernel + "    y = pypto.exp(x)\n\n\n" + kCall) == std::vector{true});
}

TEST_CASE("a condition that cannot be decided makes an operation uncertain, one that can does not") {
    const std::string text = kKernel + "    if flag:\n        y = pypto.exp(x)\n";
    CHECK(certain_kernels(text) == std::vector{false});
    CHECK(certain_kernels(text + "\n\n" + kCall) == std::vector{true});
    // The arms of a device condition are compiled, all of them.
    CHECK(certain_kernels(kKernel + "    for i in pypto.loop(4, name=\"L\", idx_name=\"i\"):\n        if i == 2:\n"
                                    "            y = pypto.exp(x)\n") == std::vector{true});
}

TEST_CASE("shapes from a call under a condition of host code are uncertain, unless another call gives them too") {
    const std::string body = kKernel + "    y = pypto.exp(x)\n\n\ndef run(large):\n    if large:\n        " + kCall;
    CHECK(certain_kernels(body) == std::vector{false});
    CHECK(certain_kernels(body + "    " + kCall) == std::vector{true});
    // What the declaration alone says holds whoever calls.
    CHECK(certain_kernels(
              "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor([64, 8], pypto.DT_FP32)):\n"
              "    pypto.set_vec_tile_shapes(8, 8)\n    y = pypto.exp(x)\n\n\ndef run(large):\n    if large:\n"
              "        kernel(torch.zeros([64, 8], dtype=torch.float32))\n") == std::vector{true});
}
