#include <string>

#include "judged_kernels.h"
#include "rewrites_support.h"

using namespace ptofix;

TEST_CASE("PTO104 reports exactly the measured kernels over heads that the compiler refused, and its fix clears them") {
    int refused = 0;
    for (const test::JudgedKernel& kernel : test::judged_kernels()) {
        if (kernel.kind != "heads") continue;
        INFO(kernel.message << "\n" << kernel.source);
        const test::Traced traced(kernel.source);
        const auto found = traced.find(detectors::matmul_result_exceeds_ub);
        REQUIRE(found.size() == (kernel.overflows("MEM_UB") ? 1 : 0));
        if (found.empty()) continue;
        ++refused;
        CHECK(found[0].severity == rules::Severity::error);
        const rules::Rewrite rewrite = rewrites::head_grouping(found[0], *traced.trace, {});
        REQUIRE(rewrite.fix);
        CHECK(rewrite.fix->applicability == rules::Applicability::safe);
        const test::Traced fixed(traced.apply(*rewrite.fix));
        CHECK(fixed.find(detectors::matmul_result_exceeds_ub).empty());
        for (const rules::Fix& other : rewrite.alternatives) {
            const test::Traced tiled(traced.apply(other));
            CHECK(tiled.find(detectors::matmul_result_exceeds_ub).empty());
        }
    }
    CHECK(refused == 4);
}

TEST_CASE("PTO104 says nothing of the measured kernels that have no heads") {
    for (const test::JudgedKernel& kernel : test::judged_kernels()) {
        if (kernel.kind == "heads") continue;
        const test::Traced traced(kernel.source);
        CHECK(traced.find(detectors::matmul_result_exceeds_ub).empty());
    }
}
