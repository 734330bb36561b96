#include "trace/workspace.h"

#include <algorithm>

#include "rewrites_support.h"
#include "trace/operations.h"

using namespace ptofix;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

trace::Workspace workspace_of(const std::string& body, const std::string& parameters) {
    const test::Traced traced("import pypto\n@pypto.frontend.jit\ndef kernel(" + parameters + "):\n" + body);
    REQUIRE(!traced.trace->kernels.empty());
    return trace::workspace(*traced.trace, traced.trace->kernels.front());
}

std::string tensor(const std::string& name, const std::string& shape, const std::string& type = "FP32") {
    return name + ": pypto.Tensor(" + shape + ", pypto.DT_" + type + "), ";
}

const std::string kOperands =
    tensor("q", "[4096, 128]", "BF16") + tensor("k", "[128, 1024]", "BF16") + tensor("out", "[4096, 1024]");
const std::string kTiles =
    "    pypto.set_cube_tile_shapes([128, 128], [128, 128], [128, 128])\n    pypto.set_vec_tile_shapes(8, 1024)\n";
const std::string kLoop = "    for b in pypto.loop(4, name=\"B\", idx_name=\"b\"):\n";
const std::string kScores =
    "        rows = pypto.view(q, [1024, 128], [b * 1024, 0])\n        s = pypto.matmul(rows, k, pypto.DT_FP32)\n";

}  // namespace

TEST_CASE("what goes from the cube to the vector units counts once for each function of a task") {
    const auto w = workspace_of(kTiles + kLoop + kScores + "        pypto.assemble(pypto.exp(s), [b * 1024, 0], out)\n",
                                kOperands);
    CHECK(w.inner == 4 * kMiB);  // 1024 x 1024 FP32
    CHECK(w.left == 0);
    CHECK(w.results == 0);
    CHECK(w.buffers == 0);
    CHECK(w.bytes(1, 1) == 4 * kMiB);
    CHECK(w.bytes(128, 1) == 512 * kMiB);
    CHECK(w.bytes(128, 4) == 2048 * kMiB);
}

TEST_CASE("what another change takes out of the kernel counts nothing") {
    const std::string weight = tensor("w", "[128, 1024]") + tensor("q", "[4096, 128]", "BF16");
    const test::Traced traced("import pypto\n@pypto.frontend.jit\ndef kernel(" + weight +
                              tensor("out", "[4096, 1024]") + "):\n" + kTiles + kLoop +
                              "        c = pypto.cast(w, pypto.DT_BF16)\n"
                              "        rows = pypto.view(q, [1024, 128], [b * 1024, 0])\n"
                              "        pypto.assemble(pypto.matmul(rows, c, pypto.DT_FP32), [b * 1024, 0], out)\n");
    const trace::Trace& trace = *traced.trace;
    CHECK(trace::workspace(trace, trace.kernels.front()).inner == 128 * 1024 * 2);
    const auto cast =
        std::ranges::find_if(trace.operations, [](const auto& op) { return trace::is(op, trace::Op::cast); });
    REQUIRE(cast != trace.operations.end());
    CHECK(trace::workspace(trace, trace.kernels.front(), std::span(&cast->site, 1)).inner == 0);
}

TEST_CASE("what stays in one unit takes no workspace") {
    const auto w =
        workspace_of(kTiles + kLoop +
                         "        x = pypto.view(out, [1024, 1024], [b * 1024, 0])\n        y = pypto.exp(x)\n"
                         "        pypto.assemble(pypto.exp(y), [b * 1024, 0], out)\n",
                     kOperands);
    CHECK(w.bytes(128, 1) == 0);
    const auto straight =
        workspace_of(kTiles + kLoop + kScores + "        pypto.assemble(s, [b * 1024, 0], out)\n", kOperands);
    CHECK(straight.bytes(128, 1) == 0);
}

TEST_CASE("memory of a result that has been read is used again") {
    // The second product is made after the first one has been read for the last time.
    const std::string again = "        t = pypto.exp(s)\n        u = pypto.matmul(rows, k, pypto.DT_FP32)\n";
    const auto one = workspace_of(
        kTiles + kLoop + kScores + again + "        pypto.assemble(pypto.add(t, u), [b * 1024, 0], out)\n", kOperands);
    CHECK(one.inner == 4 * kMiB);
    const std::string both = "        u = pypto.matmul(rows, k, pypto.DT_FP32)\n        t = pypto.add(s, u)\n";
    const auto two =
        workspace_of(kTiles + kLoop + kScores + both + "        pypto.assemble(t, [b * 1024, 0], out)\n", kOperands);
    CHECK(two.inner == 8 * kMiB);
}

TEST_CASE("a buffer that is filled in one loop and read in another has two blocks more") {
    const std::string buffer = "    between = pypto.tensor([4096, 1024], pypto.DT_FP32, name=\"between\")\n";
    const auto w = workspace_of(kTiles + buffer + kLoop +
                                    "        x = pypto.view(out, [1024, 1024], [b * 1024, 0])\n"
                                    "        pypto.assemble(pypto.exp(x), [b * 1024, 0], between)\n"
                                    "    for c in pypto.loop(4, name=\"C\", idx_name=\"c\"):\n"
                                    "        y = pypto.view(between, [1024, 1024], [c * 1024, 0])\n"
                                    "        pypto.assemble(pypto.add(y, 1.0), [c * 1024, 0], out)\n",
                                kOperands);
    CHECK(w.buffers == 1);
    CHECK(w.largest == 16 * kMiB);
    CHECK(w.bytes(1, 1) == 48 * kMiB);
    CHECK(w.bytes(8, 1) == 160 * kMiB);
}

TEST_CASE("a buffer that nothing else reads is no workspace between functions") {
    const std::string buffer = "    between = pypto.tensor([4096, 1024], pypto.DT_FP32, name=\"between\")\n";
    const auto w = workspace_of(kTiles + buffer + kLoop +
                                    "        x = pypto.view(out, [1024, 1024], [b * 1024, 0])\n"
                                    "        pypto.assemble(pypto.exp(x), [b * 1024, 0], between)\n",
                                kOperands);
    CHECK(w.bytes(128, 1) == 0);
}

TEST_CASE("a result that another function reads is left to it") {
    const auto w = workspace_of(kTiles + "    all = pypto.exp(out)\n" + kLoop +
                                    "        y = pypto.view(all, [1024, 1024], [b * 1024, 0])\n"
                                    "        pypto.assemble(pypto.add(y, 1.0), [b * 1024, 0], out)\n",
                                kOperands);
    CHECK(w.left == 16 * kMiB);
    CHECK(w.results == 1);
    CHECK(w.bytes(1, 1) == 48 * kMiB);  // of its own, and a block on either side
}

TEST_CASE("sizes are put on whole blocks, and what is not known counts nothing") {
    const std::string odd = tensor("q", "[4096, 64]") + tensor("k", "[64, 10]") + tensor("out", "[4096, 10]");
    const std::string body =
        "    pypto.set_cube_tile_shapes([16, 16], [64, 64], [16, 16])\n    pypto.set_vec_tile_shapes(16, 16)\n"
        "    s = pypto.matmul(pypto.view(q, [3, 64], [0, 0]), k, pypto.DT_FP32)\n    out[0:3, :] = pypto.exp(s)\n";
    const auto w = workspace_of(body, odd);
    CHECK(w.inner == 120);
    CHECK(w.bytes_of_function() == 512);
    CHECK(w.bytes(1, 1) == 32 * 1024);
    const std::string open =
        tensor("q", "[pypto.DYNAMIC, 64]") + tensor("k", "[64, 16]") + tensor("out", "[pypto.DYNAMIC, 16]");
    CHECK(workspace_of(
              "    pypto.set_cube_tile_shapes([16, 16], [64, 64], [16, 16])\n"
              "    pypto.set_vec_tile_shapes(16, 16)\n    out[:] = pypto.exp(pypto.matmul(q, k, pypto.DT_FP32))\n",
              open)
              .bytes(128, 1) == 0);
}
