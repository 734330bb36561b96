#include "trace/vector_buffers.h"

#include <algorithm>
#include <string>

#include "hardware/soc.h"
#include "judged_kernels.h"
#include "rewrites_support.h"
#include "trace/vector_steps.h"

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

TEST_CASE("a reduction keeps its operand, its result and a work space, and three tiles where its axis is cut") {
    const std::string one = "x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)";
    // Measured: OP ROWMAX_SINGLE in/output total size [196864]. A result of one column a row may take a block a row.
    const trace::BufferBytes most = of(one, kTile + "    out[:] = pypto.amax(x, -1, True)\n");
    CHECK(most.least == kOne + 64 * 4 + 64 * 256 * 4);
    CHECK(most.most == kOne + 64 * 32 + 64 * 256 * 4);
    CHECK(of(one, kTile + "    out[:] = pypto.sum(x, -1, True)\n").least == most.least);
    // Up to 256 bytes a row the work space is one block, up to 512 one round a row.
    CHECK(of("x: pypto.Tensor([64, 64], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)",
             kTile + "    out[:] = pypto.amax(x, -1, True)\n")
              .least == 64 * 64 * 4 + 64 * 4 + 32);
    CHECK(of("x: pypto.Tensor([64, 128], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)",
             kTile + "    out[:] = pypto.amax(x, -1, True)\n")
              .least == 64 * 128 * 4 + 64 * 4 + 64 * 256);
    CHECK(of("x: pypto.Tensor([64, 1024], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)",
             kTile + "    out[:] = pypto.amax(x, -1, True)\n")
              .least == 3 * kOne);
    CHECK(of("x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([1, 512], pypto.DT_FP32)",
             kTile + "    out[:] = pypto.sum(x, 0, True)\n")
              .least == kOne + 512 * 4 + 32 * 512 * 4);
}

TEST_CASE("operations of several steps need what their largest step needs") {
    const std::string one = "x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([64, 512], pypto.DT_FP32)";
    CHECK(of(one, kTile + "    out[:] = pypto.rsqrt(x)\n").least == 2 * kOne);    // ones / sqrt(x)
    CHECK(of(one, kTile + "    out[:] = pypto.sigmoid(x)\n").least == 2 * kOne);  // ones / (exp(-x) + 1)
    CHECK(of(one, kTile + "    out[:] = 1.0 / x\n").least == 2 * kOne);           // a reciprocal reuses nothing
    CHECK(of(one, kTile + "    out[:] = pypto.log10(x)\n").least == 2 * kOne);    // and so does a division by a number
    CHECK(of(one, kTile + "    out[:] = pypto.softmax(x, -1)\n").least == kOne + 64 * 4 + 64 * 256 * 4);
    CHECK(of(one, kTile + "    out[:] = pypto.neg(x)\n").least == kOne);
}

TEST_CASE("what 16-bit arithmetic is cast for depends on the machine") {
    const std::string brain = "x: pypto.Tensor([64, 512], pypto.DT_BF16), out: pypto.Tensor([64, 512], pypto.DT_BF16)";
    const test::Traced traced("import pypto\n\n\n@pypto.frontend.jit\ndef kernel(" + brain + "):\n" + kTile +
                              "    out[:] = pypto.maximum(x, 2.0)\n");
    const auto largest_on = [&](hardware::Soc soc) {
        std::int64_t most = 0;
        for (const trace::Operation& op : traced.trace->operations) {
            if (const auto bytes = trace::vector_buffers(*traced.trace, op, soc)) most = std::max(most, bytes->least);
        }
        return most;
    };
    CHECK(largest_on(hardware::Soc::a2a3) == kOne / 2 + kOne);
    CHECK(largest_on(hardware::Soc::ascend950) == kOne / 2);
}

TEST_CASE("surplus axes of a tile count from the front, for the casts around an operation from the back") {
    const std::string brain = "x: pypto.Tensor([64, 512], pypto.DT_BF16), out: pypto.Tensor([64, 512], pypto.DT_BF16)";
    const trace::BufferBytes bytes =
        of(brain, "    pypto.set_vec_tile_shapes(1, 64, 512)\n    out[:] = pypto.mul(x, 2.0)\n");
    CHECK(bytes.least == kOne / 2 + kOne);
}

TEST_CASE("a result that nothing reads is no operation") {
    CHECK(of(kTwo, kTile + "    z = x + y\n").least == 0);
}

TEST_CASE("a tensor with an axis of 0 or fewer elements, of which a slice past the end is one, has no buffers") {
    for (const char* const call : {"x + y", "x * y", "x / y", "x + 1.0", "1.0 / x", "pypto.maximum(x, y)",
                                   "pypto.exp(x)", "pypto.sum(x, -1, True)", "pypto.amax(x, 0, True)",
                                   "pypto.cast(x, pypto.DT_BF16)", "pypto.rsqrt(x)", "pypto.softmax(x, -1)"}) {
        const test::Traced traced("import pypto\n\n\n@pypto.frontend.jit\ndef kernel(" + kTwo + "):\n" + kTile +
                                  "    out[:] = " + call + "\n");
        const trace::Trace& trace = *traced.trace;
        const trace::TensorReaders readers = trace::tensor_readers(trace, hardware::Soc::a2a3);
        bool any = false;
        for (const trace::Operation& op : trace.operations) {
            if (op.engine != trace::Engine::vector) continue;
            any = true;
            for (const std::vector<std::int64_t>& shape :
                 std::vector<std::vector<std::int64_t>>{{0, 512}, {-440, 512}, {64, 0}, {64, -1}, {1, INT64_MIN}}) {
                CAPTURE(call, shape[0], shape[1]);
                const trace::ShapeOf shape_of = [&](trace::TensorId) { return std::optional(shape); };
                const trace::StepContext context{shape_of, readers, hardware::Soc::a2a3};
                CHECK_FALSE(trace::vector_steps(trace, op, std::vector<std::int64_t>{64, 512}, context));
            }
        }
        CHECK(any);
    }
}

TEST_CASE("a tile with a number of 0 or less cuts nothing: there are no buffers to speak of") {
    const std::string one = "x: pypto.Tensor([64, 512], pypto.DT_FP32), out: pypto.Tensor([64, 1], pypto.DT_FP32)";
    const test::Traced traced("import pypto\n\n\n@pypto.frontend.jit\ndef kernel(" + one + "):\n" + kTile +
                              "    out[:] = pypto.sum(x, -1, True)\n");
    const trace::Trace& trace = *traced.trace;
    const auto sum = std::ranges::find_if(
        trace.operations, [](const trace::Operation& op) { return op.engine == trace::Engine::vector; });
    REQUIRE(sum != trace.operations.end());
    const trace::ShapeOf shape_of = [&](trace::TensorId id) { return trace::known_shape(trace, id); };
    const trace::TensorReaders readers = trace::tensor_readers(trace, hardware::Soc::a2a3);
    const trace::StepContext context{shape_of, readers, hardware::Soc::a2a3};
    for (const std::vector<std::int64_t>& tile :
         std::vector<std::vector<std::int64_t>>{{0, 512}, {64, 0}, {-1, 512}, {64, INT64_MIN}}) {
        CHECK_FALSE(trace::vector_steps(trace, *sum, tile, context));
    }
    CHECK(trace::vector_steps(trace, *sum, std::vector<std::int64_t>{1, 1}, context));
}
