#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/merge.h"

using namespace ptofix;
using namespace ptofix::report;
using nlohmann::json;

namespace {

json finding(const std::string& path, int line, const std::string& severity) {
    return {{"rule", "PTO101"},     {"name", "vec-tile-exceeds-ub"},
            {"severity", severity}, {"path", path},
            {"line", line},         {"column", 1},
            {"endLine", line},      {"endColumn", 9},
            {"message", "m"},       {"data", json::object()},
            {"fix", nullptr},       {"blocked", nullptr}};
}

std::string document(const std::vector<json>& files, const std::vector<json>& findings,
                     const std::string& version = "1.0.0") {
    return json({{"version", version}, {"files", files}, {"findings", findings}}).dump();
}

json file(const std::string& path, std::size_t findings) {
    return {{"path", path}, {"findings", findings}};
}

std::expected<Merged, MergeError> merge(const std::vector<std::string>& texts) {
    std::vector<MergeInput> inputs;
    for (const std::string& text : texts) inputs.push_back({"part" + std::to_string(inputs.size()), text});
    return merge_json(inputs);
}

}  // namespace

TEST_CASE("files of several parts stand in the order of their paths") {
    const auto merged = merge(
        {document({file("b.py", 1), file("d.py", 0)}, {finding("b.py", 3, "warning")}),
         document({file("a.py", 1), file("c.py", 1)}, {finding("a.py", 1, "info"), finding("c.py", 2, "error")})});
    REQUIRE(merged);
    const json whole = json::parse(merged->text);
    std::string order;
    for (const json& each : whole["files"]) order += each["path"].get<std::string>() + " ";
    for (const json& each : whole["findings"]) order += each["path"].get<std::string>() + " ";
    CHECK(order == "a.py b.py c.py d.py a.py b.py c.py ");
    CHECK(merged->worst == static_cast<std::int64_t>(rules::Severity::error));
    CHECK_FALSE(merged->has_problem);
}

TEST_CASE("a finding that several parts have is kept once") {
    const json shared = finding("lib.py", 7, "warning");
    const auto merged =
        merge({document({file("a.py", 1)}, {shared}), document({file("b.py", 0), file("lib.py", 1)}, {shared})});
    REQUIRE(merged);
    CHECK(json::parse(merged->text)["findings"].size() == 1);
}

TEST_CASE("nothing found is nothing to end with") {
    const auto merged = merge({document({file("a.py", 0)}, {})});
    REQUIRE(merged);
    CHECK(merged->worst == -1);
    json broken = file("a.py", 0);
    broken["error"] = "it cannot be read";
    const auto with_problem = merge({document({broken}, {})});
    REQUIRE(with_problem);
    CHECK(with_problem->has_problem);
}

TEST_CASE("what is no report of ours is named, with its kind") {
    const std::string sound = document({file("a.py", 0)}, {});
    const auto kind_of = [&](const std::string& text) {
        const auto merged = merge({sound, text});
        REQUIRE_FALSE(merged);
        CHECK(merged.error().path == "part1");
        return merged.error().kind;
    };
    CHECK(kind_of("{") == MergeError::Kind::not_json);
    CHECK(kind_of("") == MergeError::Kind::not_json);
    CHECK(kind_of("[]") == MergeError::Kind::not_a_report);
    CHECK(kind_of("{\"version\": 1}") == MergeError::Kind::not_a_report);
    CHECK(kind_of(document({file("a.py", 0)}, {}, "0.0.1")) == MergeError::Kind::other_version);
}
