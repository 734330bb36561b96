// Trip counts and unroll lists of loops, and which of them are traced item by item.
#include "trace_support.h"

using namespace ptofix;

namespace {

const trace::Loop& first_loop(const trace::Trace& trace) {
    REQUIRE(!trace.loops.empty());
    return trace.loops.front();
}

/// Trips of the first loop of a kernel, in words.
std::string trips(const std::string& over, const std::string& before = "") {
    const test::Traced traced(test::kernel_of(before + "for i in " + over + ":\n    z = pypto.exp(x)"));
    const trace::SymInt count = first_loop(*traced.trace).trips;
    return count.unknown() ? "?" : traced.trace->symbols.text(count);
}

std::vector<std::int64_t> unroll(const std::string& loop, const std::string& before = "") {
    const test::Traced traced(
        test::kernel_of("for i in " + loop + ":\n    z = pypto.exp(x)", "@pypto.frontend.jit", before));
    const trace::Loop& found = first_loop(*traced.trace);
    return found.unroll_known ? found.unroll : std::vector<std::int64_t>{-1};
}

std::size_t operations(const std::string& body) {
    return test::operations_of(*test::Traced(test::kernel_of(body)).trace).size();
}

}  // namespace

TEST_CASE("trips of loops over ranges and items") {
    CHECK(trips("range(7)") == "7");
    CHECK(trips("range(2, 9, 3)") == "3");
    CHECK(trips("range(9, 2, -2)") == "4");
    CHECK(trips("range(9, 2)") == "0");
    CHECK(trips("range(x.shape[0] // 16)") == "4");
    CHECK(trips("range(s.shape[0])") == "s.shape[0]");
    CHECK(trips("range(0, s.shape[0], 16)") == "(s.shape[0] + 15) // 16");
    CHECK(trips("[1, 2, 3]") == "3");
    CHECK(trips("zip([1, 2, 3], [4, 5])") == "2");
    CHECK(trips("enumerate('abcd')") == "4");
    CHECK(trips("things", "from elsewhere import things\n") == "?");
}

TEST_CASE("trips of device loops") {
    CHECK(trips("pypto.loop(8)") == "8");
    CHECK(trips("pypto.loop(2, 10)") == "8");
    CHECK(trips("pypto.loop(2, 10, 3)") == "3");
    CHECK(trips("pypto.loop(10, 2)") == "0");
    CHECK(trips("pypto.loop(8, name='L', idx_name='i')") == "8");
    CHECK(trips("pypto.loop(0, 8, 1, name='L', idx_name='i')") == "8");
    CHECK(trips("pypto.loop(s.shape[0])") == "s.shape[0]");
    CHECK(trips("pypto.loop((s.shape[0] + 15) // 16)") == "(s.shape[0] + 15) // 16");
    CHECK(trips("pypto.loop(n)", "n = min(x.shape[0], 16) // 4\n") == "4");
}

TEST_CASE("while loops and breaks") {
    const auto while_trips = [](const std::string& body) {
        const test::Traced traced(test::kernel_of(body));
        const trace::SymInt count = first_loop(*traced.trace).trips;
        return count.known() ? count.value : -1;
    };
    CHECK(while_trips("n = 0\nwhile n < 5:\n    n += 1\n    z = pypto.exp(x)") == 5);
    CHECK(while_trips("n = 0\nwhile True:\n    n += 1\n    z = pypto.exp(x)\n    if n == 3: break") == 3);
    CHECK(while_trips("from elsewhere import more\nwhile more():\n    z = pypto.exp(x)") == -1);
}

TEST_CASE("a body is traced once, or item by item where it needs concrete indices") {
    CHECK(operations("for i in range(8): z = pypto.exp(x)") == 1);
    CHECK(operations("for i in pypto.loop(8): z = pypto.exp(x)") == 1);
    CHECK(operations("for v in (x, y, s): z = pypto.exp(v)") == 3);
    CHECK(operations("for i in range(4):\n    if i % 2 == 0: z = pypto.exp(x)") == 2);
    CHECK(operations("for i in range(3):\n    for j in range(i): z = pypto.exp(x)") == 1);
    CHECK(operations("done = []\nfor i in range(4): done.append(pypto.exp(x))\nz = pypto.concat(done, 0)") == 5);
}

TEST_CASE("loops inside each other know what they are in") {
    const test::Traced traced(
        test::kernel_of("for a in pypto.loop(4):\n    for b in range(3):\n        for c in pypto.loop(2):\n            "
                        "z = pypto.exp(x)"));
    const trace::Trace& t = *traced.trace;
    REQUIRE(t.loops.size() == 3);
    CHECK(t.loops[0].kind == trace::LoopKind::device_loop);
    CHECK(t.loops[1].kind == trace::LoopKind::python_range);
    CHECK(t.loops[2].kind == trace::LoopKind::device_loop);
    CHECK(t.loops[1].parent == 0);
    CHECK(t.loops[2].parent == 1);
    REQUIRE(t.operations.size() == 1);
    CHECK(t.operations[0].loop == 2);
    CHECK(t.python_copies(t.operations[0]) == 3);
}

TEST_CASE("unroll lists are read wherever they are written") {
    using List = std::vector<std::int64_t>;
    CHECK(unroll("pypto.loop(64)").empty());
    CHECK(unroll("pypto.loop(64, unroll_list=[4, 8, 2])") == List{8, 4, 2, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=(8, 8, 1))") == List{8, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=None)").empty());
    CHECK(unroll("pypto.loop(64, unroll_list=FACTORS)", "FACTORS = [16, 4]\n") == List{16, 4, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=list(range(1, 4)))") == List{3, 2, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=[2 ** i for i in range(4)])") == List{8, 4, 2, 1});
    CHECK(unroll("pypto.loop(64, **OPTIONS)", "OPTIONS = {'unroll_list': {2, 4}}\n") == List{4, 2, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=C.factors)", "class C: factors = [4]\n") == List{4, 1});
    CHECK(unroll("pypto.loop(64, unroll_list=factors())", "from elsewhere import factors\n") == List{-1});
    CHECK(unroll("pypto.loop(64, **options)", "from elsewhere import options\n") == List{-1});
    const test::Traced traced(
        test::kernel_of("for i, f in pypto.loop_unroll(64, unroll_list=[4, 2]):\n    z = pypto.exp(x)"));
    CHECK(first_loop(*traced.trace).unroll == List{4, 2, 1});
    CHECK(traced.trace->operations.size() == 3);
}
