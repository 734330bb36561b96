#include "trace/vector_buffers.h"

#include <algorithm>
#include <string>

#include "hardware/soc.h"
#include "judged_kernels.h"
#include "rewrites_support.h"

using namespace ptofix;

namespace {

/// The largest need of the kernel's operations.
trace::BufferBytes largest(const trace::Trace& trace) {
    trace::BufferBytes all;
    for (const trace::Operation& op : trace.operations) {
        if (const auto bytes = trace::vector_buffers(trace, op)) {
            all.least = std::max(all.least, bytes->least);
            all.most = std::max(all.most, bytes->most);
        }
    }
    return all;
}

trace::BufferBytes of(const std::string& parameters, const std::string& body) {
    const test::Traced traced("import pypto\n\n\n@pypto.frontend.jit\ndef kernel(" + parameters + "):\n" + body);
    return largest(*traced.trace);
}

const std::string kTwo =
    "x: pypto.Tensor([64, 512], pypto.DT_FP32), y: pypto.Tensor([64, 512], pypto.DT_FP32), "
    "out: pypto.Tensor([64, 512], pypto.DT_FP32)";
const std::string kTile = "    pypto.set_vec_tile_shapes(64, 512)\n";
constexpr std::int64_t kOne = 64 * 512 * 4;

}  // namespace

TEST_CASE("the buffers of vector operations overflow UB in exactly the measured kernels that the compiler refused") {
    const std::int64_t ub = hardware::pools(hardware::Soc::a2a3).ub;
    int seen = 0;
    for (const test::JudgedKernel& kernel : test::judged_kernels()) {
        if (!kernel.kind.starts_with("vec") && kernel.kind != "heads") continue;
        ++seen;
        INFO(kernel.message << "\n" << kernel.source);
        const test::Traced traced(kernel.source);
        const trace::BufferBytes need = largest(*traced.trace);
        CHECK((need.least > ub) == kernel.overflows("MEM_UB"));
        if (need.most <= ub) CHECK_FALSE(kernel.overflows("MEM_UB"));
        CHECK(need.least <= need.most);
    }
    CHECK(seen > 80);
}

TEST_CASE("a sum lies where an operand lay that nothing else needs") {
    CHECK(of(kTwo, kTile + "    out[:] = x + y\n").least == 2 * kOne);
    CHECK(of(kTwo, kTile + "    out[:] = x + y\n").most == 2 * kOne);
    const trace::BufferBytes kept = of(kTwo, kTile + "    z = x + y\n    out[:] = x + z + y\n");
    CHECK(kept.least == 2 * kOne);
    CHECK(kept.most == 3 * kOne);
}

TEST_CASE("one tensor read twice is one buffer") {
    CHECK(of(kTwo, kTile + "    out[:] = x * x\n").most == kOne);
}

TEST_CASE("casts to FP32 stand around arithmetic that has no 16-bit instruction") {
    const std::string half = "x: pypto.Tensor([64, 512], pypto.DT_FP16), out: pypto.Tensor([64, 512], pypto.DT_FP16)";
    CHECK(of(half, kTile + "    out[:] = pypto.mul(x, 2.0)\n").least == kOne / 2 + kOne);
    CHECK(of(half, kTile + "    out[:] = pypto.exp(x)\n").least == kOne / 2);
    const std::string brain = "x: pypto.Tensor([64, 512], pypto.DT_BF16), out: pypto.Tensor([64, 512], pypto.DT_BF16)";
    CHECK(of(brain, kTile + "    out[:] = pypto.exp(x)\n").least == kOne / 2 + kOne);
}

TEST_CASE("a reduction keeps its operand, its result, and perhaps work space") {
    const std::string one = "x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)";
    const trace::BufferBytes sum = of(one, kTile + "    out[:] = pypto.sum(x, -1, True)\n");
    CHECK(sum.least == kOne + 64 * 32);
    CHECK(sum.most == 2 * sum.least);
    CHECK(of(one, kTile + "    out[:] = pypto.reshape(pypto.sum(x, -1), [64, 1])\n").least > kOne);
}

TEST_CASE("a transpose turns its tile") {
    const std::string turned = "x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([512, 64], pypto.DT_FP32)";
    const std::string tile = "    pypto.set_vec_tile_shapes(8, 128)\n";
    CHECK(of(turned, tile + "    out[:] = pypto.transpose(x, 0, 1)\n").least == 8 * 128 * 4);
    CHECK(of(turned, tile + "    out[:] = pypto.permute(x, [1, 0])\n").least == 8 * 128 * 4);
}

TEST_CASE("what is not known has no size") {
    CHECK(of("x: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_FP32), out: pypto.Tensor([64, 512], pypto.DT_FP32)",
             kTile + "    out[:] = x * x\n")
              .most == 0);
    CHECK(of(kTwo, "    out[:] = x * y\n").most == 0);
    CHECK(of(kTwo, "    pypto.set_vec_tile_shapes(64)\n    out[:] = x * y\n").most == 0);
}
