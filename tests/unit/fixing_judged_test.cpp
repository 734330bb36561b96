#include <algorithm>
#include <memory>
#include <string>

#include "fixing/fix_all.h"
#include "judged_kernels.h"

#include <catch2/catch.hpp>

using namespace ptofix;

namespace {

std::vector<fixing::Diagnosis> errors_in(const fixing::Analysis& analysis) {
    std::vector<fixing::Diagnosis> errors;
    std::ranges::copy_if(analysis.findings, std::back_inserter(errors),
                         [](const auto& d) { return d.finding.severity == rules::Severity::error; });
    return errors;
}

std::string text_of(const rules::Finding& finding, std::string_view key) {
    const auto* value = finding.message.data.find(key);
    return value != nullptr ? std::get<std::string>(*value) : std::string();
}

/// "262144" of "Alloc tensor [19] size [262144] exceeds MEM_UB size [196608]".
std::string first_size(const std::string& text) {
    const auto at = text.find("size [");
    return at == std::string::npos ? "" : text.substr(at + 6, text.find(']', at) - at - 6);
}

}  // namespace

TEST_CASE("an error is reported for exactly the measured kernels that the compiler refused, and one fix clears it") {
    int refused = 0;
    for (const test::JudgedKernel& kernel : test::judged_kernels()) {
        INFO(kernel.message << "\n" << kernel.source);
        const auto source =
            std::make_shared<const text::Source>(*text::Source::from_bytes("kernel.py", std::string(kernel.source)));
        trace::Project project;
        const auto errors = errors_in(fixing::analyse(project, source, {}));
        REQUIRE(errors.size() == (kernel.refused ? 1 : 0));
        if (!kernel.refused) continue;
        ++refused;
        const rules::Finding& finding = errors[0].finding;
        CHECK(finding.rule.starts_with("PTO1"));
        if (finding.rule != "PTO104") {  // it speaks of heads
            const std::string said = text_of(finding, "compiler");
            CHECK(first_size(said) == first_size(kernel.message));
            if (kernel.message.find("MEM_") != std::string::npos) {
                const auto pool = kernel.message.substr(kernel.message.find("MEM_"));
                CHECK(said.find(pool) != std::string::npos);
            }
        }
        REQUIRE(errors[0].rewrite.fix);
        CHECK(errors[0].rewrite.fix->applicability == rules::Applicability::safe);
        const auto result = fixing::fix_all(project, std::span(&source, 1), {}, {});
        CHECK(result.files.size() == 1);
        CHECK(errors_in(result.remaining.front()).empty());
    }
    CHECK(refused == 40);
}
