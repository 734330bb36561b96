#include "trace/axis_flow.h"

#include <string>
#include <vector>

#include "rewrites_support.h"
#include "trace/operations.h"

using namespace ptofix;

namespace {

/// "mul 0>0", "assemble 1!": the operations that the heads of the first matmul reach, with the axis in and out; !
/// stores.
std::vector<std::string> flow(const std::string& body) {
    const test::Traced traced(
        "import pypto\n\n\n@pypto.frontend.jit\ndef kernel(q: pypto.Tensor([16, 4, 64], pypto.DT_FP32), "
        "w: pypto.Tensor([16, 64, 32], pypto.DT_FP32), out: pypto.Tensor([16, 4, 32], pypto.DT_FP32)):\n"
        "    pypto.set_vec_tile_shapes(16, 4, 32)\n    pypto.set_cube_tile_shapes([16, 16], [64, 64], [32, 32])\n"
        "    r = pypto.matmul(q, w, pypto.DT_FP32)\n" +
        body);
    const trace::Trace& trace = *traced.trace;
    std::vector<std::string> steps;
    for (trace::OpId id = 0; id < trace.operations.size(); ++id) {
        if (!trace::is(trace.operations[id], trace::Op::matmul)) continue;
        for (const trace::AxisUse& use : trace::follow_axis(trace, id, 0)) {
            std::string step(trace::info(trace.operations[use.op].code).name);
            step += " " + std::to_string(use.axis);
            if (use.is_store) {
                step += "!";
            } else {
                step += use.result_axis == trace::kAxisGone ? ">gone" : ">" + std::to_string(use.result_axis);
            }
            steps.push_back(step);
        }
        break;
    }
    return steps;
}

using Steps = std::vector<std::string>;

}  // namespace

TEST_CASE("arithmetic and casts leave an axis where it is") {
    CHECK(flow("    out[:] = pypto.cast(pypto.cast(r * 2.0, pypto.DT_FP16), pypto.DT_FP32)\n") ==
          Steps{"mul 0>0", "cast 0>0", "cast 0>0", "move 0!"});
}

TEST_CASE("transpose, permute and reshape move an axis") {
    CHECK(flow("    t = pypto.transpose(r, 0, 1)\n    u = pypto.permute(t, [1, 2, 0])\n    v = pypto.exp(u)\n") ==
          Steps{"transpose 0>1", "permute 1>0", "exp 0>0"});
    CHECK(
        flow("    t = pypto.reshape(r, [16, 128])\n    u = pypto.reshape(t, [1, 16, 4, 32])\n    v = pypto.exp(u)\n") ==
        Steps{"reshape 0>0", "reshape 0>1", "exp 1>1"});
}

TEST_CASE("what is stored to a name that is bound nowhere ends the flow") {
    CHECK(flow("    pypto.assemble(r, [0, 0, 0], nowhere)\n") == Steps{"assemble 0>gone"});
}

TEST_CASE("an axis that is merged or cut is gone") {
    CHECK(flow("    t = pypto.reshape(r, [64, 32])\n    u = pypto.exp(t)\n") == Steps{"reshape 0>gone"});
    CHECK(flow("    t = r[0:8, :, :]\n    u = pypto.exp(t)\n") == Steps{"view 0>gone"});
    CHECK(flow("    t = r[:, 0:2, :]\n    u = pypto.exp(t)\n") == Steps{"view 0>0", "exp 0>0"});
}

TEST_CASE("a reduction ends its own axis and may move the others") {
    CHECK(flow("    t = pypto.sum(r, 0, True)\n    u = pypto.exp(t)\n") == Steps{"sum 0>gone"});
    CHECK(flow("    t = pypto.transpose(r, 0, 1)\n    u = pypto.sum(t, 0)\n    v = pypto.exp(u)\n") ==
          Steps{"transpose 0>1", "sum 1>0", "exp 0>0"});
    CHECK(flow("    t = pypto.sum(r, -1, True)\n    u = pypto.exp(t)\n") == Steps{"sum 0>0", "exp 0>0"});
}

TEST_CASE("softmax and rms_norm keep the axes they do not work along") {
    CHECK(flow("    t = pypto.softmax(r, -1)\n") == Steps{"softmax 0>0"});
    CHECK(flow("    t = pypto.softmax(r, 0)\n") == Steps{"softmax 0>gone"});
    CHECK(flow("    t = pypto.cumsum(r, 0)\n") == Steps{"cumsum 0>gone"});
}

TEST_CASE("an axis goes on from a buffer of the kernel, not from its output") {
    CHECK(flow("    b = pypto.tensor([16, 4, 32], pypto.DT_FP32)\n    b[:] = r\n    out[:] = pypto.exp(b)\n") ==
          Steps{"move 0!", "exp 0>0", "move 0!"});
    CHECK(flow("    out[:] = r\n    u = pypto.exp(out)\n") == Steps{"move 0!"});
}
