#include "rewrites/tensor_writes.h"

#include "rewrites_support.h"
#include "trace/operations.h"

namespace {

using namespace ptofix;
using ptofix::test::Traced;

constexpr std::string_view kHead =
    "import pypto\n"
    "def fill(t):\n"
    "    pypto.assemble(pypto.full([8, 64], 0.0, pypto.DT_FP32), [0, 0], t)\n"
    "@pypto.frontend.jit\n"
    "def kernel(q: pypto.Tensor([16, 64], pypto.DT_BF16), f: pypto.Tensor([16, 64], pypto.DT_FP32),\n"
    "           flag: int, out: pypto.Tensor([16, 64], pypto.DT_FP32)):\n"
    "    pypto.set_vec_tile_shapes(16, 64)\n";

trace::OpId first_of(const trace::Trace& trace, trace::Op code) {
    for (trace::OpId id = 0; id < trace.operations.size(); ++id) {
        if (trace::is(trace.operations[id], code)) return id;
    }
    FAIL("no such operation");
    return 0;
}

/// Does the kernel write to what its first cast gives?
bool is_written(const std::string& body) {
    const Traced t(std::string(kHead) + body);
    const trace::OpId cast = first_of(*t.trace, trace::Op::cast);
    const trace::KernelTrace& kernel = t.trace->kernels[t.trace->operations[cast].kernel];
    return rewrites::write_to(*t.trace, t.trace->operations[cast].output, kernel.first_op, kernel.end_op).has_value();
}

/// Is the cast's operand another one where the exponential is taken?
bool changes(const std::string& body) {
    const Traced t(std::string(kHead) + body);
    const trace::OpId cast = first_of(*t.trace, trace::Op::cast);
    const trace::OpId reader = first_of(*t.trace, trace::Op::exp);
    const trace::TensorId operand = t.trace->inputs(t.trace->operations[cast])[0];
    return rewrites::write_between(*t.trace, operand, cast, reader).has_value();
}

}  // namespace

TEST_CASE("a tensor is written to by itself, through views and under other names", "[rewrites]") {
    const std::string cast = "    a = pypto.cast(q, pypto.DT_FP32)\n";
    CHECK(is_written(cast + "    a[0:8, 0:64] = pypto.view(f, [8, 64], [0, 0])\n"));
    CHECK(is_written(cast + "    a[:] = f\n"));
    CHECK(is_written(cast + "    pypto.assemble(f, [0, 0], a)\n"));
    CHECK(is_written(cast + "    a.move(f)\n"));
    CHECK(is_written(cast + "    pypto.axpy_(a, f, 2.0)\n"));
    CHECK(is_written(cast + "    b = a\n    b[:] = f\n"));
    CHECK(is_written(cast + "    top = pypto.view(a, [8, 64], [8, 0])\n    fill(top)\n"));
    CHECK(is_written(cast + "    fill(pypto.reshape(pypto.view(a, [8, 64], [8, 0]), [8, 64]))\n"));
}

TEST_CASE("reading a tensor and writing others is no write to it", "[rewrites]") {
    const std::string cast = "    a = pypto.cast(q, pypto.DT_FP32)\n";
    CHECK_FALSE(is_written(cast + "    out[:] = a\n"));
    CHECK_FALSE(is_written(cast + "    b = pypto.exp(a)\n    b[:] = f\n"));
    CHECK_FALSE(is_written(cast + "    a = f\n    a[:] = out\n"));
    CHECK_FALSE(is_written(cast + "    fill(pypto.clone(a))\n    out[:] = a\n"));
}

TEST_CASE("a write counts from the operation to its reader, round a loop that holds the reader alone", "[rewrites]") {
    const std::string loop = "    for i in pypto.loop(4, name=\"L\", idx_name=\"i\"):\n";
    const std::string cast = "a = pypto.cast(q, pypto.DT_FP32)\n", reader = "out[:] = pypto.exp(a)\n",
                      write = "q[:] = pypto.cast(f, pypto.DT_BF16)\n", one = "    ", two = "        ";
    CHECK(changes(one + cast + one + write + one + reader));
    CHECK_FALSE(changes(one + cast + one + reader + one + write));
    CHECK(changes(one + cast + loop + two + reader + two + write));
    CHECK_FALSE(changes(loop + two + cast + two + reader + two + write));
    CHECK_FALSE(changes(one + cast + loop + two + reader + one + write));
}
