// Which tile an operation is compiled with: tile shapes are state, and the two frontends end it differently.
#include "trace_support.h"

using namespace ptofix;

namespace {

using Words = std::vector<std::string>;

Words with(const std::string& body, const std::string& decorator) {
    return test::operations_of(*test::Traced(test::kernel_of(body, decorator)).trace, true);
}
Words now(const std::string& body) {
    return with(body, "@pypto.frontend.jit");
}
Words legacy(const std::string& body) {
    return with(body, "@pypto.frontend.jit(new_ir=False)");
}

const std::string kExp = "exp [64, 128] DT_FP32 | ";

}  // namespace

TEST_CASE("a tile holds until the next one, across functions and Python's own control flow") {
    const std::string body =
        "def inner(v):\n    pypto.set_vec_tile_shapes(2, 128)\n    return pypto.exp(v)\n"
        "a = pypto.exp(x)\n"
        "pypto.set_vec_tile_shapes(16, 128)\na = pypto.exp(x)\n"
        "if x.shape[0] == 64: pypto.set_vec_tile_shapes(8, 128)\na = pypto.exp(x)\n"
        "a = inner(x)\na = pypto.exp(x)\n"
        "for i in range(2): pypto.set_vec_tile_shapes(4 + i, 128)\na = pypto.exp(x)";
    const Words expected{kExp.substr(0, kExp.size() - 1),
                         kExp + "16 128",
                         kExp + "8 128",
                         kExp + "2 128",
                         kExp + "2 128",
                         kExp + "5 128"};
    CHECK(now(body) == expected);
    CHECK(legacy(body) == expected);
}

TEST_CASE("a tile that a device loop sets ends with it, but not in the legacy frontend") {
    const std::string body =
        "pypto.set_vec_tile_shapes(16, 128)\n"
        "for i in pypto.loop(4):\n    a = pypto.exp(x)\n    pypto.set_vec_tile_shapes(8, 128)\n    a = pypto.exp(x)\n"
        "a = pypto.exp(x)";
    CHECK(now(body) == Words{kExp + "16 128", kExp + "8 128", kExp + "16 128"});
    const Words old = legacy(body);
    REQUIRE(old.size() == 3);
    CHECK(old[1] == kExp + "8 128");
    CHECK(old[2] == kExp + "8 128");
}

TEST_CASE("a tile that one arm of a device condition sets ends with it, but not in the legacy frontend") {
    const std::string body =
        "pypto.set_vec_tile_shapes(16, 128)\n"
        "for i in pypto.loop(4):\n"
        "    if pypto.cond(i == 2):\n        pypto.set_vec_tile_shapes(8, 128)\n        a = pypto.exp(x)\n"
        "    else:\n        b = pypto.exp(x)\n"
        "    c = pypto.exp(x)";
    CHECK(now(body) == Words{kExp + "8 128", kExp + "16 128", kExp + "16 128"});
    const Words old = legacy(body);
    REQUIRE(old.size() == 3);
    CHECK(old[2] == kExp + "?");
}

TEST_CASE("what is set differently on two ways is not known behind them") {
    const std::string body =
        "from elsewhere import flag\n"
        "if flag: pypto.set_vec_tile_shapes(16, 128)\nelse: pypto.set_vec_tile_shapes(8, 128)\n"
        "a = pypto.exp(x)\npypto.set_vec_tile_shapes(4, 128)\na = pypto.exp(x)";
    CHECK(now(body) == Words{kExp + "?", kExp + "4 128"});
    const std::string alike =
        "from elsewhere import flag\npypto.set_vec_tile_shapes(4, 128)\nif flag: a = pypto.exp(x)\nb = pypto.exp(x)";
    CHECK(now(alike) == Words{kExp + "4 128", kExp + "4 128"});
}

TEST_CASE("every kernel begins without a tile") {
    const test::Traced traced(
        "import pypto\npypto.set_vec_tile_shapes(16, 128)\n@pypto.frontend.jit\ndef first(x: pypto.Tensor([64, 128], "
        "pypto.DT_FP32)):\n"
        "    a = pypto.exp(x)\n    pypto.set_vec_tile_shapes(8, 128)\n@pypto.frontend.jit\ndef second(x: "
        "pypto.Tensor([64, 128], "
        "pypto.DT_FP32)):\n    a = pypto.exp(x)\n");
    for (const trace::Operation& op : traced.trace->operations) CHECK(op.vec_tile == trace::kNone);
}

TEST_CASE("cube tiles are state of their own") {
    const test::Traced traced(test::kernel_of(
        "pypto.set_cube_tile_shapes([32, 32], [64, 64], [128, 128])\npypto.set_vec_tile_shapes(16, 128)\n"
        "z = pypto.matmul(y, x, pypto.DT_FP32)\nz = pypto.exp(z)"));
    REQUIRE(traced.trace->operations.size() == 2);
    for (const trace::Operation& op : traced.trace->operations) {
        REQUIRE(op.cube_tile != trace::kNone);
        const trace::TileSetting& cube = traced.trace->tiles[op.cube_tile];
        CHECK(cube.known);
        CHECK(cube.m[0].as.i == 32);
        CHECK(cube.k[1].as.i == 64);
        CHECK(cube.n[1].as.i == 128);
        CHECK(traced.trace->tiles[op.vec_tile].known);
    }
}
