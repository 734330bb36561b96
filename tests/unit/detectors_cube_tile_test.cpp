#include <string>

#include "judged_kernels.h"
#include "rewrites_support.h"

using namespace ptofix;

namespace {

std::string text_of(const rules::Finding& finding, std::string_view key) {
    const auto* value = finding.message.data.find(key);
    REQUIRE(value != nullptr);
    return std::get<std::string>(*value);
}

}  // namespace

TEST_CASE("PTO103 reports exactly the measured kernels whose cube tile the compiler refused, in its words") {
    int refused = 0;
    for (const test::JudgedKernel& kernel : test::judged_kernels()) {
        INFO(kernel.message << "\n" << kernel.source);
        const test::Traced traced(kernel.source);
        const auto found = traced.find(detectors::cube_tile_relation);
        REQUIRE(found.size() == (kernel.code == "F0000C" ? 1 : 0));
        if (found.empty()) continue;
        ++refused;
        CHECK(found[0].severity == rules::Severity::error);
        CHECK(text_of(found[0], "compiler") == kernel.message);
        const rules::Rewrite rewrite = rewrites::cube_tile_shapes(found[0], *traced.trace, {});
        REQUIRE(rewrite.fix);
        CHECK(rewrite.fix->applicability == rules::Applicability::safe);
        const test::Traced fixed(traced.apply(*rewrite.fix));
        CHECK(fixed.find(detectors::cube_tile_relation).empty());
    }
    CHECK(refused == 9);
}
