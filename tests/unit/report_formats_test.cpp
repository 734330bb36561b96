#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "report/json.h"
#include "report/text.h"

using namespace ptofix;
using namespace ptofix::rules;

namespace {

constexpr std::string_view kKernel =
    "HEADS = 128\n"
    "@pypto.frontend.jit\n"
    "def kernel(q, out):\n"
    "    acc = []\n"
    "    for h in range(HEADS):\n"
    "        acc.append(q[h])  # 每个 head\n"
    "        out[h] = pypto.matmul(q[h], q[h], pypto.DT_FP32)\n";

text::Range range_of(std::string_view text, std::string_view part) {
    const auto at = static_cast<std::uint32_t>(text.find(part));
    return {at, at + static_cast<std::uint32_t>(part.size())};
}

Finding loop_finding() {
    Finding finding;
    finding.rule = "PTO201";
    finding.location = {0, range_of(kKernel, "for h in range(HEADS)")};
    finding.message = {"PTO201.found", Data()
                                           .set("kernel", std::string("kernel"))
                                           .set("trips", std::int64_t{128})
                                           .set("copies", std::int64_t{128})
                                           .set("nodes", std::int64_t{1408})
                                           .set("matmuls", std::int64_t{1})};
    finding.related.push_back({{0, range_of(kKernel, "128")}, {"PTO205.related.number", {}}});
    return finding;
}

report::FileReport report_of(std::string_view text, const Finding& finding, const Rewrite& rewrite,
                             Language language = Language::en) {
    report::FileReport report;
    report.path = "kernel.py";
    report.files.push_back(*text::Source::from_bytes("/abs/kernel.py", std::string(text)));
    report.paths.push_back("kernel.py");
    report.findings.push_back(report::view_of(finding, rewrite, language));
    return report;
}

Rewrite blocked_rewrite() {
    Rewrite rewrite;
    rewrite.blocked = Blocked{{"PTO201.blocked.list_append", Data().set("name", std::string("acc"))},
                              Location{0, range_of(kKernel, "acc.append(q[h])")}};
    return rewrite;
}

Rewrite loop_rewrite(Applicability applicability = Applicability::safe) {
    Rewrite rewrite;
    Fix fix;
    fix.applicability = applicability;
    fix.description = {"PTO201.fix.pypto_loop", {}};
    fix.edits = {{0, range_of(kKernel, "range(HEADS)"), "pypto.loop(HEADS, name=\"HEAD\", idx_name=\"h\")"}};
    rewrite.fix = fix;
    return rewrite;
}

}  // namespace

TEST_CASE("the text report: place, message, frame, reason, numbers, what is in the way") {
    CHECK(
        text_of(report_of(kKernel, loop_finding(), blocked_rewrite()), {}) ==
        R"(kernel.py:5:5: warning PTO201 python-loop-in-kernel: This Python loop puts 128 copies of its body into the graph of kernel: 1,408 nodes (10 for each matmul, 1 for any other operation).
  |
1 | HEADS = 128
  |         --- the number is written here
...
5 |     for h in range(HEADS):
  |     ^^^^^^^^^^^^^^^^^^^^^ 128 trips
6 |         acc.append(q[h])  # 每个 head
  |         ---------------- in the way of a fix
  |
  = why: PyPTO runs Python loops while it records, so every trip is compiled by itself. Pass_31
    (OoOSchedule) then schedules all copies together, which takes minutes or ends in a timeout (exit
    124) without an error code.
  = numbers: matmuls 1
  = no safe fix because of line 6: `acc` is changed by every trip; the body of a device loop is
    recorded once, so this would happen once only.

)");
}

TEST_CASE("the text report shows a fix as a small diff, in Chinese as well") {
    const std::string text =
        text_of(report_of(kKernel, loop_finding(), loop_rewrite(), Language::zh), {false, Language::zh});
    CHECK(text.find("kernel.py:5:5: 警告 PTO201 python-loop-in-kernel: 这个 Python 循环把循环体复制 128 份") == 0);
    CHECK(text.find("  = 修复：改为 pypto.loop，循环体只编译一次\n"
                    "    @@ -4,3 +4,3 @@\n"
                    "         acc = []\n"
                    "    -    for h in range(HEADS):\n"
                    "    +    for h in pypto.loop(HEADS, name=\"HEAD\", idx_name=\"h\"):\n"
                    "             acc.append(q[h])  # 每个 head\n") != std::string::npos);
}

TEST_CASE("colour marks roles and nothing else") {
    const auto report = report_of(kKernel, loop_finding(), loop_rewrite());
    const std::string plain = text_of(report, {});
    std::string coloured = text_of(report, {true, Language::en});
    CHECK(coloured.find("\x1b[1;33mwarning\x1b[0m") != std::string::npos);
    for (auto at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
    }
    CHECK(coloured == plain);
    CHECK(plain.find('\x1b') == std::string::npos);
}

TEST_CASE("an unsafe fix and a suggestion say so, alternatives follow") {
    Rewrite rewrite = loop_rewrite(Applicability::unsafe);
    Fix other;
    other.applicability = Applicability::suggestion;
    other.description = {"PTO202.fix.no_list", {}};
    rewrite.alternatives.push_back(other);
    const std::string text = text_of(report_of(kKernel, loop_finding(), rewrite), {});
    CHECK(text.find("= fix, unsafe (written with --unsafe): Make it a pypto.loop") != std::string::npos);
    CHECK(text.find("= or: Remove the list") != std::string::npos);
}

TEST_CASE("places in another file get a frame of their own") {
    Finding finding = loop_finding();
    finding.related.push_back({{1, {0, 5}}, {"PTO205.related.number", {}}});
    auto report = report_of(kKernel, finding, {});
    report.files.push_back(*text::Source::from_bytes("/abs/config.py", "HEADS = 128\n"));
    report.paths.push_back("lib/config.py");
    const std::string text = text_of(report, {});
    CHECK(text.find(" --> lib/config.py:1:1\n"
                    "  |\n"
                    "1 | HEADS = 128\n"
                    "  | ----- the number is written here\n") != std::string::npos);
}

TEST_CASE("a long diff is cut and says how much is missing") {
    Rewrite rewrite = loop_rewrite();
    std::string lines;
    for (int i = 0; i < 100; ++i) lines += "x\n";
    rewrite.fix->edits = {{0, {0, 0}, lines}};
    const std::string text = text_of(report_of(kKernel, loop_finding(), rewrite), {});
    CHECK(text.find("more lines; --diff shows all\n") != std::string::npos);
    CHECK(text.size() < 3000);
}

TEST_CASE("JSON holds what the contract promises, offsets in bytes of the file, columns in code points") {
    const std::string gbk_like = "# 中文\nx = range(HEADS)\n";
    Finding finding = loop_finding();
    finding.related.clear();
    finding.location = {0, range_of(gbk_like, "range(HEADS)")};
    Rewrite rewrite = blocked_rewrite();
    rewrite.blocked->location = Location{0, range_of(gbk_like, "文")};
    Fix fix;
    fix.description = {"PTO201.fix.pypto_loop", {}};
    fix.edits = {{0, range_of(gbk_like, "range"), "pypto.loop"}};
    rewrite.fix = fix;
    rewrite.alternatives.push_back(fix);
    const report::JsonFragment fragment = report::json_of(report_of(gbk_like, finding, rewrite));
    const auto document = nlohmann::json::parse(report::json_document("1.2.3", std::span(&fragment, 1), nullptr));
    CHECK(document["version"] == "1.2.3");
    CHECK(document["files"][0]["path"] == "kernel.py");
    CHECK(document["files"][0]["findings"] == 1);
    CHECK_FALSE(document.contains("fixing"));
    const auto& one = document["findings"][0];
    CHECK(one["rule"] == "PTO201");
    CHECK(one["name"] == "python-loop-in-kernel");
    CHECK(one["severity"] == "warning");
    CHECK(one["path"] == "kernel.py");
    CHECK(one["line"] == 2);
    CHECK(one["column"] == 5);
    CHECK(one["endLine"] == 2);
    CHECK(one["endColumn"] == 17);
    CHECK(one["data"]["nodes"] == 1408);
    CHECK(one["data"]["kernel"] == "kernel");
    CHECK(one["fix"]["applicability"] == "safe");
    CHECK(one["fix"]["edits"][0]["start"] == 13);
    CHECK(one["fix"]["edits"][0]["end"] == 18);
    CHECK(one["fix"]["edits"][0]["text"] == "pypto.loop");
    CHECK_FALSE(one["fix"]["edits"][0].contains("path"));
    CHECK(one["blocked"].get<std::string>().starts_with("`acc` is changed"));
    CHECK(one["blockedId"] == "PTO201.blocked.list_append");
    CHECK(one["blockedAt"]["column"] == 4);
    CHECK(one["alternatives"].size() == 1);
}

TEST_CASE("JSON without a fix says null, and an edit of another file names it") {
    Finding finding = loop_finding();
    auto bare = report_of(kKernel, finding, {});
    report::JsonFragment fragment = report::json_of(bare);
    auto one = nlohmann::json::parse(fragment.findings);
    CHECK(one["fix"].is_null());
    CHECK(one["blocked"].is_null());

    Rewrite rewrite = loop_rewrite();
    rewrite.fix->edits.push_back({1, {0, 5}, "H"});
    auto report = report_of(kKernel, finding, rewrite);
    report.files.push_back(*text::Source::from_bytes("/abs/config.py", "HEADS = 128\n"));
    report.paths.push_back("lib/config.py");
    fragment = report::json_of(report);
    one = nlohmann::json::parse(fragment.findings);
    CHECK(one["fix"]["edits"][1]["path"] == "lib/config.py");
}

TEST_CASE("a JSON document of several files, problems and the fixing's summary is well formed") {
    const report::JsonFragment fragments[] = {
        report::json_of(report_of(kKernel, loop_finding(), {})),
        report::json_of(report::Problem{"bad\xFF.py", "not-found", "bad: no such file"}),
        report::json_of(report_of(kKernel, loop_finding(), {})),
    };
    const report::FixingView fixing{"no_more_fixes", 2, {{"PTO201", 3}}, {}, {"PTO202"}};
    const auto document = nlohmann::json::parse(report::json_document("1", fragments, &fixing));
    CHECK(document["files"].size() == 3);
    CHECK(document["files"][1]["error"]["kind"] == "not-found");
    CHECK(document["findings"].size() == 2);
    CHECK(document["fixing"]["applied"]["PTO201"] == 3);
    CHECK(document["fixing"]["stop"] == "no_more_fixes");
    CHECK(nlohmann::json::parse(report::json_document("1", {}, nullptr))["findings"].empty());
}
