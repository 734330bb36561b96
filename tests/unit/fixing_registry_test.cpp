#include "fixing/registry.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

#include "rules/catalogue.h"

using namespace ptofix;
using namespace ptofix::fixing;

TEST_CASE("the table holds every rule of the catalogue in its order, found by id and by name") {
    const Pipeline& pipeline = default_pipeline();
    REQUIRE(pipeline.rules.size() == rules::catalogue().size());
    for (std::size_t i = 0; i < pipeline.rules.size(); ++i) {
        CHECK(pipeline.rules[i].id == rules::catalogue()[i].id);
        CHECK(pipeline.find(pipeline.rules[i].id) == &pipeline.rules[i]);
        CHECK(pipeline.find(pipeline.rules[i].name) == &pipeline.rules[i]);
    }
    CHECK(pipeline.find("PTO2") == nullptr);
    CHECK(pipeline.find("") == nullptr);
    CHECK(pipeline.trace);
}

TEST_CASE("what is found has a rewriter, and the rule that asks what others found runs last") {
    for (const RuleEntry& rule : default_pipeline().rules) {
        INFO(rule.id);
        // PTO209 weighs a kernel as a whole: the rules that own its parts change them.
        CHECK(static_cast<bool>(rule.detector) == (!rule.rewriters.empty() || rule.id == "PTO209"));
        CHECK(rule.reads_other_findings ==
              (rule.id == "PTO101" || rule.id == "PTO205" || rule.id == "PTO208" || rule.id == "PTO302"));
    }
    for (const std::string_view id : {"PTO104", "PTO201", "PTO202", "PTO205", "PTO207"}) {
        INFO(id);
        const RuleEntry* rule = default_pipeline().find(id);
        REQUIRE(rule != nullptr);
        CHECK(rule->detector);
    }
    CHECK(default_pipeline().find("PTO201")->rewriters.size() == 2);
}
