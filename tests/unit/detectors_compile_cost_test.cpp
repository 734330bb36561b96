#include <catch2/catch.hpp>
#include <string>

#include "detectors/detectors.h"
#include "rewrites_support.h"

using namespace ptofix;

namespace {

std::vector<rules::Finding> found(const std::string& calls) {
    const test::Traced traced(
        "import pypto\nimport torch\n\n\n@pypto.frontend.jit\ndef kernel(x: pypto.Tensor(), out: pypto.Tensor(), "
        "wide):\n"
        "    pypto.set_vec_tile_shapes(1, 16)\n"
        "    if wide:\n        out[:] = pypto.sqrt(pypto.exp(x))\n    else:\n        out[:] = pypto.exp(x)\n\n\n" +
        calls);
    std::vector<rules::Finding> findings;
    detectors::compile_cost(*traced.trace, {}, findings);
    return findings;
}

std::string call(int rows, const std::string& wide) {
    const std::string tensor = "torch.zeros(" + std::to_string(rows) + ", 64)";
    return "kernel(" + tensor + ", " + tensor + ", " + wide + ")\n";
}

std::int64_t total(const rules::Finding& finding) {
    return std::get<rules::CompileCostEvidence>(finding.evidence).total;
}

}  // namespace

TEST_CASE("a kernel that is called with several sizes is told of once, with the largest and its own parts") {
    const std::string small = call(3000, "True"), large = call(9000, "False");
    REQUIRE(found(small).size() == 1);
    REQUIRE(found(large).size() == 1);
    REQUIRE(found(small)[0].related.size() == 2);
    REQUIRE(found(large)[0].related.size() == 1);
    for (const std::string& calls : {small + large, large + small, call(10, "True") + large}) {
        INFO(calls);
        const auto findings = found(calls);
        REQUIRE(findings.size() == 1);
        CHECK(total(findings[0]) == total(found(large)[0]));
        CHECK(findings[0].related.size() == 1);
    }
    CHECK(found(call(10, "True")).empty());
}
