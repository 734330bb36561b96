#include <string>

#include "rewrites_support.h"
#include "trace/tile_estimate.h"

namespace {

using namespace ptofix;
using ptofix::test::Traced;

/// A kernel over x [rows, 64] with these statements.
std::string kernel(const std::string& body, const std::string& above = {}) {
    return "import pypto\n" + above +
           "@pypto.frontend.jit\n"
           "def kernel(x: pypto.Tensor([4096, 64], pypto.DT_FP32), out: pypto.Tensor([4096, 64], pypto.DT_FP32),\n"
           "           t: pypto.Tensor([1, 512], pypto.DT_INT32)):\n"
           "    pypto.set_vec_tile_shapes(4, 64)\n" +
           body;
}

/// `count` operations on four rows, with view and assemble count + 2 nodes.
std::string work(int count, const std::string& row, const std::string& indent) {
    std::string text = indent + "y = pypto.view(x, [4, 64], [" + row + ", 0])\n";
    for (int i = 0; i < count; ++i) text += indent + "y = pypto.exp(y)\n";
    return text + indent + "pypto.assemble(y, [" + row + ", 0], out)\n";
}

struct Found {
    std::uint32_t line;
    std::int64_t trips, copies, nodes;
    bool operator==(const Found&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Found& f) {
        return out << "line " << f.line << " trips " << f.trips << " copies " << f.copies << " nodes " << f.nodes;
    }
};

std::vector<Found> find(const std::string& text) {
    const Traced t(text);
    std::vector<Found> found;
    for (const rules::Finding& f : t.find(detectors::python_loop_in_kernel)) {
        const auto& e = std::get<rules::PythonLoopEvidence>(f.evidence);
        found.push_back({t.line(f.location), e.trips, e.copies, e.nodes});
    }
    return found;
}

std::int64_t tile_operations_of(const std::string& text) {
    const Traced t(text);
    std::int64_t sum = 0;
    for (const trace::Operation& op : t.trace->operations) {
        const auto cost = trace::tile_operations(*t.trace, op);
        REQUIRE(cost);
        sum += *cost * t.trace->python_copies(op).value_or(0);
    }
    return sum;
}

}  // namespace

TEST_CASE("a Python loop is heavy from a thousand nodes on", "[detectors]") {
    CHECK(find(kernel("    for i in range(100):\n" + work(8, "i * 4", "        "))) ==
          std::vector<Found>{{6, 100, 100, 1000}});
    CHECK(find(kernel("    for i in range(100):\n" + work(7, "i * 4", "        "))).empty());
    CHECK(find(kernel("    for i in pypto.loop(100):\n" + work(8, "i * 4", "        "))).empty());
}

TEST_CASE("nested Python loops multiply and are one finding, at the outermost that matters", "[detectors]") {
    const std::string body = work(8, "(a * 16 + b) * 4", "            ");
    CHECK(find(kernel("    for a in range(8):\n        for b in range(16):\n" + body)) ==
          std::vector<Found>{{6, 8, 8, 1280}});
    CHECK(find(kernel("    for a in range(2):\n        for b in range(64):\n" + body)) ==
          std::vector<Found>{{7, 64, 128, 1280}});
    CHECK(find(kernel("    for a in (0, 1):\n        for b in range(64):\n" + body)) ==
          std::vector<Found>{{7, 64, 128, 1280}});
    CHECK(find(kernel("    for a in pypto.loop(4):\n        for b in range(200):\n" + body)) ==
          std::vector<Found>{{7, 200, 200, 2000}});
}

TEST_CASE("what is not known to run often is no finding", "[detectors]") {
    const std::string above = "import os\nN = int(os.environ['N'])\n";
    CHECK(find(kernel("    for i in range(N):\n" + work(50, "i * 4", "        "), above)).empty());
    CHECK(
        find(kernel("    for i in range(8):\n        for j in range(N):\n" + work(50, "i * 4", "            "), above))
            .empty());
    // The loop inside is heavy whatever the outer one does.
    CHECK(find(kernel("    for i in range(N):\n        for j in range(100):\n" + work(8, "j * 4", "            "),
                      above)) == std::vector<Found>{{9, 100, 100, 1000}});
}

TEST_CASE("of the arms of an open condition the heaviest counts", "[detectors]") {
    const std::string above = "import os\nMODE = os.environ['MODE']\n";
    const std::string arms = "        if MODE == 'a':\n" + work(5, "i * 4", "            ") + "        else:\n" +
                             work(7, "i * 4", "            ");
    CHECK(find(kernel("    for i in range(100):\n" + arms, above)).empty());
    CHECK(find(kernel("    for i in range(112):\n" + arms, above)) == std::vector<Found>{{8, 112, 112, 1008}});
}

TEST_CASE("gathering blocks of a cache stays a Python loop, copying in order does not", "[detectors]") {
    const std::string gather =
        "    for i in range(512):\n        b = t[0, i]\n        out[i * 4:i * 4 + 4, 0:] = pypto.view(x, [4, 64], [b * "
        "4, 0])\n";
    CHECK(find(kernel(gather)).empty());
    const std::string copy =
        "    for i in range(512):\n        out[i * 4:i * 4 + 4, 0:] = pypto.view(x, [4, 64], [i * 4, 0])\n";
    CHECK(find(kernel(copy)) == std::vector<Found>{{6, 512, 512, 1024}});
}

TEST_CASE("a loop in a helper is found once, however often the kernel calls it", "[detectors]") {
    const std::string above =
        "def rows(x, out, first):\n    for i in range(60):\n" + work(8, "(first + i) * 4", "        ");
    CHECK(find(kernel("    rows(x, out, 0)\n    rows(x, out, 60)\n", above)) == std::vector<Found>{{3, 60, 120, 1200}});
}

TEST_CASE("few nodes in very small tiles are heavy too", "[detectors]") {
    const auto tiny = [](const std::string& tile) {
        return kernel("    pypto.set_vec_tile_shapes(" + tile + ")\n    for i in range(64):\n" +
                      work(1, "i * 64", "        "));
    };
    std::string text = tiny("1, 64");
    for (std::size_t at = 0; (at = text.find("[4, 64], [i", at)) != std::string::npos; ++at)
        text.replace(at, 7, "[64, 64]");
    CHECK(find(text) == std::vector<Found>{{7, 64, 64, 192}});
    CHECK(find(tiny("4, 64")).empty());
}

// Counted by the framework's own compiler, head of August 2026.
TEST_CASE("tile operations are estimated as the compiler counts them", "[detectors]") {
    const auto matmul = [](const std::string& k, const std::string& n, int rows, int inner) {
        return tile_operations_of("import pypto\n@pypto.frontend.jit\ndef kernel(a: pypto.Tensor([16, " +
                                  std::to_string(inner) + "], pypto.DT_BF16), b: pypto.Tensor([" +
                                  std::to_string(inner) + ", " + std::to_string(rows) +
                                  "], pypto.DT_BF16), out: pypto.Tensor([16, " + std::to_string(rows) +
                                  "], pypto.DT_FP32)):\n    pypto.set_cube_tile_shapes([16, 16], " + k + ", " + n +
                                  ")\n    out[:] = pypto.matmul(a, b, pypto.DT_FP32)\n");
    };
    const auto about = [](double measured) { return Approx(measured).epsilon(0.01); };
    CHECK(static_cast<double>(matmul("[256, 256]", "[128, 128]", 1024, 7168)) == about(1131));
    CHECK(static_cast<double>(matmul("[256, 1024]", "[128, 128]", 1024, 7168)) == about(795));
    CHECK(static_cast<double>(matmul("[128, 1792]", "[128, 128]", 1024, 7168)) == about(1419));
    CHECK(static_cast<double>(matmul("[16, 256]", "[128, 128]", 1024, 7168)) == about(11211));
    CHECK(static_cast<double>(matmul("[256, 1024]", "[16, 16]", 1024, 2048)) == about(1859));
    CHECK(static_cast<double>(matmul("[256, 2048]", "[16, 16]", 1024, 2048)) == about(1731));

    const auto heads = [](int count, const std::string& tile) {
        return tile_operations_of(
            "import pypto\nH, M, K, N = " + std::to_string(count) +
            ", 4, 128, 256\n@pypto.frontend.jit\n"
            "def kernel(q: pypto.Tensor([H, M, K], pypto.DT_BF16), w: pypto.Tensor([H, K, N], pypto.DT_BF16), "
            "out: pypto.Tensor([H, M, N], pypto.DT_FP32)):\n"
            "    pypto.set_vec_tile_shapes(" +
            tile +
            ")\n"
            "    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])\n"
            "    for h in range(H):\n"
            "        a = pypto.reshape(pypto.view(q, [1, M, K], [h, 0, 0]), [M, K])\n"
            "        b = pypto.reshape(pypto.view(w, [1, K, N], [h, 0, 0]), [K, N])\n"
            "        r = pypto.mul(pypto.matmul(a, b, pypto.DT_FP32), 0.125)\n"
            "        pypto.assemble(pypto.reshape(r, [1, M, N]), [h, 0, 0], out)\n");
    };
    CHECK(static_cast<double>(heads(16, "1, 4, 256")) == about(12561));
}
