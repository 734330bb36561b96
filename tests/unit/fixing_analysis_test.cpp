#include "fixing/analysis.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fixing/editable_files.h"
#include "fixing_support.h"
#include "rules/messages.h"

using namespace ptofix;
using namespace ptofix::fixing;
using fixing_test::replacing;
using rules::Applicability;
using rules::Severity;

namespace {

Analysis analysed(const Pipeline& pipeline, std::string text, const Config& config = {}) {
    trace::Project project;
    return analyse(project, fixing_test::source("kernel.py", "# pypto\n" + std::move(text)), config, pipeline);
}

std::vector<std::string> found(const Analysis& analysis) {
    std::vector<std::string> result;
    for (const Diagnosis& diagnosis : analysis.findings) {
        const text::Range range = diagnosis.finding.location.range;
        const auto line = analysis.source->lines().line_of(range.start);
        result.push_back(std::string(diagnosis.finding.rule) + ":" + std::to_string(line));
    }
    return result;
}

/// A rule that reports one place as often as there are numbers, each a context with the text that its fix writes.
struct Context {
    Severity severity = Severity::warning;
    std::string written;  // empty: no fix
    Applicability applicability = Applicability::safe;
};

Pipeline in_contexts(const std::vector<Context>& contexts) {
    Pipeline pipeline = fixing_test::pipeline({{"T100", "", {}}});
    RuleEntry& rule = pipeline.rules[1];
    rule.detector = [contexts](const trace::Trace& trace, const detectors::Settings&,
                               std::vector<rules::Finding>& out) {
        const auto at = static_cast<std::uint32_t>(trace.files[0]->text().find("old"));
        for (std::size_t i = 0; i < contexts.size(); ++i) {
            rules::Finding finding;
            finding.rule = "T100";
            finding.severity = contexts[i].severity;
            finding.location = {0, {at, at + 3}};
            finding.message.data.set("context", static_cast<std::int64_t>(i));
            finding.related.push_back({{0, {0, static_cast<std::uint32_t>(i % 2)}}, {"label", {}}});
            out.push_back(std::move(finding));
        }
    };
    rule.rewriters = {[contexts](const rules::Finding& finding, const trace::Trace&, const rewrites::Settings&) {
        const auto i = static_cast<std::size_t>(std::get<std::int64_t>(*finding.message.data.find("context")));
        rules::Rewrite rewrite;
        if (contexts[i].written.empty()) {
            rewrite.blocked = rules::Blocked{{"why", {}}, std::nullopt};
        } else {
            rewrite.fix = fixing_test::edits({{finding.location.range, contexts[i].written}});
            rewrite.fix->applicability = contexts[i].applicability;
        }
        return rewrite;
    }};
    return pipeline;
}

}  // namespace

TEST_CASE("a file that never names pypto is not parsed") {
    trace::Project project;
    const auto pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    const Analysis analysis = analyse(project, fixing_test::source("a.py", "x = (((old\n"), {}, pipeline);
    CHECK(analysis.outcome == Analysis::Outcome::not_pypto);
    CHECK(analysis.file == nullptr);
    CHECK(analysis.findings.empty());
    CHECK(analysis.path(0) == "a.py");
}

TEST_CASE("a file that is refused before parsing says so") {
    std::string text = "# pypto\n";
    for (int i = 0; i < 120; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
    trace::Project project;
    const Analysis analysis = analyse(project, fixing_test::source("a.py", text), {}, fixing_test::pipeline({}));
    CHECK(analysis.outcome == Analysis::Outcome::refused);
    CHECK(analysis.refusal == syntax::ParseRefusal::too_deeply_indented);
}

TEST_CASE("findings come by place, then by rule") {
    const auto pipeline = fixing_test::pipeline({{"T300", "b", {}}, {"T200", "a", {}}, {"T100", "b", {}}});
    CHECK(found(analysed(pipeline, "b\na\nb\n")) ==
          std::vector<std::string>{"T100:2", "T300:2", "T200:3", "T100:4", "T300:4"});
}

TEST_CASE("rules are selected and ignored by id, by beginning of an id and by name; ignoring wins") {
    const auto pipeline =
        fixing_test::pipeline({{"T101", "a", {}, Severity::warning, 0, "one"}, {"T102", "a", {}}, {"T201", "a", {}}});
    const auto with = [&](std::vector<std::string> selected, std::vector<std::string> ignored) {
        Config config;
        config.selected = std::move(selected);
        config.ignored = std::move(ignored);
        std::vector<std::string> rules;
        for (const Diagnosis& d : analysed(pipeline, "a\n", config).findings) rules.emplace_back(d.finding.rule);
        return rules;
    };
    CHECK(with({}, {}) == std::vector<std::string>{"T101", "T102", "T201"});
    CHECK(with({"T1"}, {}) == std::vector<std::string>{"T101", "T102"});
    CHECK(with({"one", "t201"}, {}) == std::vector<std::string>{"T101", "T201"});
    CHECK(with({"T1"}, {"one"}) == std::vector<std::string>{"T102"});
    CHECK(with({}, {"T"}).empty());
    CHECK(is_known_selector("T2", pipeline));
    CHECK(is_known_selector("ONE", pipeline));
    CHECK_FALSE(is_known_selector("T3", pipeline));
    CHECK_FALSE(is_known_selector("", pipeline));
}

TEST_CASE("severities are overridden, the last word counts, off is off") {
    const auto pipeline = fixing_test::pipeline({{"T100", "a", {}}});
    Config config;
    config.severities = {{"T1", Severity::error}};
    CHECK(analysed(pipeline, "a\n", config).findings.at(0).finding.severity == Severity::error);
    config.severities = {{"T1", Severity::error}, {"T100", Severity::info}};
    CHECK(analysed(pipeline, "a\n", config).findings.at(0).finding.severity == Severity::info);
    config.severities = {{"T1", std::nullopt}};
    CHECK(analysed(pipeline, "a\n", config).findings.empty());
    config.severities = {{"T1", std::nullopt}, {"T100", Severity::info}};
    CHECK(analysed(pipeline, "a\n", config).findings.size() == 1);
}

TEST_CASE("a place found in several contexts is one finding, the most severe") {
    const Analysis analysis =
        analysed(in_contexts({{Severity::info, "n"}, {Severity::error, "n"}, {Severity::warning, "n"}}), "x = old\n");
    REQUIRE(analysis.findings.size() == 1);
    const Diagnosis& diagnosis = analysis.findings[0];
    CHECK(diagnosis.finding.severity == Severity::error);
    CHECK(diagnosis.contexts == 3);
    CHECK(diagnosis.finding.related.size() == 2);
    CHECK(diagnosis.rewrite.fix->applicability == Applicability::safe);
}

TEST_CASE("a fix that only some contexts want is a suggestion and says so") {
    const Analysis differ = analysed(in_contexts({{Severity::warning, "n"}, {Severity::warning, "m"}}), "x = old\n");
    CHECK(differ.findings.at(0).rewrite.fix->applicability == Applicability::suggestion);
    CHECK(differ.findings.at(0).rewrite.blocked->reason.id == "blocked.contexts_disagree");
    const Analysis none = analysed(in_contexts({{Severity::warning, "n"}, {Severity::warning, ""}}), "x = old\n");
    CHECK(none.findings.at(0).rewrite.fix->applicability == Applicability::suggestion);
    CHECK(none.findings.at(0).rewrite.blocked->reason.id == "why");
    const Analysis weaker =
        analysed(in_contexts({{Severity::warning, "n"}, {Severity::warning, "n", Applicability::unsafe}}), "x = old\n");
    CHECK(weaker.findings.at(0).rewrite.fix->applicability == Applicability::unsafe);
}

TEST_CASE("of a rule's rewriters a safe fix wins, then the first; the rest are alternatives") {
    Pipeline pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    const auto rewriter = [](std::string written, Applicability applicability) {
        return [=](const rules::Finding& finding, const trace::Trace&, const rewrites::Settings&) {
            rules::Rewrite rewrite;
            if (written.empty()) {
                rewrite.blocked = rules::Blocked{{"no", {}}, std::nullopt};
                return rewrite;
            }
            rewrite.fix = fixing_test::edits({{finding.location.range, written}});
            rewrite.fix->applicability = applicability;
            if (applicability != Applicability::safe) rewrite.blocked = rules::Blocked{{"unsafe", {}}, std::nullopt};
            return rewrite;
        };
    };
    const auto outcome = [&](std::vector<Rewriter> rewriters) {
        pipeline.rules[1].rewriters = std::move(rewriters);
        return analysed(pipeline, "x = old\n").findings.at(0).rewrite;
    };
    const auto second = outcome({rewriter("a", Applicability::unsafe), rewriter("b", Applicability::safe)});
    CHECK(second.fix->edits[0].text == "b");
    CHECK_FALSE(second.blocked);
    CHECK(second.alternatives.at(0).edits[0].text == "a");
    const auto first = outcome({rewriter("a", Applicability::unsafe), rewriter("b", Applicability::unsafe)});
    CHECK(first.fix->edits[0].text == "a");
    CHECK(first.blocked->reason.id == "unsafe");
    const auto later = outcome({rewriter("", Applicability::safe), rewriter("b", Applicability::unsafe)});
    CHECK(later.fix->edits[0].text == "b");
    CHECK(later.blocked->reason.id == "unsafe");
    const auto none = outcome({rewriter("", Applicability::safe), rewriter("", Applicability::safe)});
    CHECK_FALSE(none.fix);
    CHECK(none.blocked->reason.id == "no");
}

TEST_CASE("a rule that reads other findings runs last") {
    Pipeline pipeline = fixing_test::pipeline({{"T100", "a", {}}, {"T200", "b", {}}});
    RuleEntry& reader = pipeline.rules[1];
    reader.reads_other_findings = true;
    std::size_t seen = 0;
    reader.detector = [&](const trace::Trace&, const detectors::Settings&, std::vector<rules::Finding>& out) {
        seen = out.size();
    };
    analysed(pipeline, "b\nb\n");
    CHECK(seen == 2);
}

TEST_CASE("nothing is found in broken code, and what surrounds it keeps its findings") {
    const auto pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    CHECK(found(analysed(pipeline, "x = old old\ny = old\n")) == std::vector<std::string>{"T100:3"});
    CHECK(found(analysed(pipeline, "for old in r:\n    x = a b\ny = old\n")) == std::vector<std::string>{"T100:4"});
    CHECK(found(analysed(pipeline, "def old(a):\n    x = a b\n    y = old\n")) ==
          std::vector<std::string>{"T100:2", "T100:4"});
    const Analysis analysis = analysed(pipeline, "x = a b\n");
    REQUIRE(analysis.syntax_error);
    CHECK(analysis.source->lines().line_of(analysis.syntax_error->start) == 2);
}

TEST_CASE("a finding that is no place of the text is a fault of its rule") {
    Pipeline pipeline = fixing_test::pipeline({{"T100", "", {}}});
    pipeline.rules[1].detector = [](const trace::Trace&, const detectors::Settings&, std::vector<rules::Finding>& out) {
        rules::Finding finding;
        finding.rule = "T100";
        finding.location = {0, {5, 500}};
        out.push_back(finding);
        finding.location = {3, {0, 1}};
        out.push_back(finding);
    };
    const Analysis analysis = analysed(pipeline, "x = 1\n");
    CHECK(analysis.findings.empty());
    CHECK(analysis.errors.size() == 2);
}

TEST_CASE("the definitions around a finding are named") {
    const auto pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    const Analysis analysis = analysed(
        pipeline, "old\nclass Model:\n    def forward(self):\n        @jit\n        def kernel(a):\n            old\n");
    REQUIRE(analysis.findings.size() == 2);
    CHECK(analysis.findings[0].function.empty());
    CHECK(analysis.findings[1].function == "Model.forward.kernel");
}

TEST_CASE("suppressed findings are kept apart with their directive and without a rewrite") {
    const auto pipeline = fixing_test::pipeline({{"T100", "old", replacing("new")}});
    const Analysis analysis = analysed(pipeline, "x = old  # pto-fix: ignore[T100] known\ny = old\n");
    CHECK(found(analysis) == std::vector<std::string>{"T100:3"});
    REQUIRE(analysis.suppressed.size() == 1);
    CHECK(analysis.suppressed[0].suppression->reason == "known");
    CHECK_FALSE(analysis.suppressed[0].rewrite.fix);
}

TEST_CASE("suppressions that cannot be read or do nothing are findings, with text for each") {
    const auto pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    const auto message = [&](std::string comment) {
        const Analysis analysis = analysed(pipeline, "x = 1  # pto-fix: " + comment + "\n");
        if (analysis.findings.empty()) return std::string("none");
        CHECK(analysis.findings[0].finding.rule == "PTO001");
        const std::string said = rules::render(analysis.findings[0].finding.message, rules::Language::en);
        CHECK(said.find('{') == std::string::npos);
        return std::string(analysis.findings[0].finding.message.id);
    };
    CHECK(message("ignore") == "PTO001.found.no_rules");
    CHECK(message("ignore[]") == "PTO001.found.no_rules");
    CHECK(message("ignore[T100") == "PTO001.found.malformed");
    CHECK(message("off[T100]") == "PTO001.found.malformed");
    CHECK(message("ignore[nonsense-of-a-name]") == "PTO001.found.unknown_rule");
    CHECK(message("ignore[PTO2O1]") == "PTO001.found.unknown_rule_near");
    CHECK(message("ignore[T100]") == "PTO001.found.unused");
    CHECK(message("ignore[PTO001]") == "none");
}

TEST_CASE("a suppression is not called idle where its rule did not run") {
    const auto pipeline = fixing_test::pipeline({{"T100", "old", {}}});
    Config config;
    config.ignored = {"T100"};
    CHECK(analysed(pipeline, "x = 1  # pto-fix: ignore[T100]\n", config).findings.empty());
    config.ignored.clear();
    config.severities = {{"T100", std::nullopt}};
    CHECK(analysed(pipeline, "x = 1  # pto-fix: ignore[T100]\n", config).findings.empty());
    CHECK(analysed(pipeline, "x = 1  # pto-fix: ignore[T100]\ny = a b\n").findings.empty());
}

TEST_CASE("a finding in an imported file is reported once in a run") {
    Pipeline pipeline = fixing_test::pipeline({{"T100", "", {}}});
    pipeline.rules[1].detector = [](const trace::Trace& trace, const detectors::Settings&,
                                    std::vector<rules::Finding>& out) {
        for (trace::FileId f = 0; f < static_cast<trace::FileId>(trace.files.size()); ++f) {
            const auto at = static_cast<std::uint32_t>(trace.files[f]->text().find("old"));
            if (at > trace.files[f]->text().size()) continue;
            rules::Finding finding;
            finding.rule = "T100";
            // The importer knows more about the imported file than it does itself.
            finding.severity = f == trace.main ? Severity::info : Severity::warning;
            finding.location = {f, {at, at + 3}};
            out.push_back(std::move(finding));
        }
    };
    trace::Project project;
    const auto shared = fixing_test::source("shared.py", "# pypto\nx = old\n");
    project.set_overlay("shared.py", shared);
    std::vector<Analysis> analyses;
    analyses.push_back(analyse(project, shared, {}, pipeline));
    for (const char* path : {"a.py", "b.py"}) {
        analyses.push_back(analyse(project, fixing_test::source(path, "# pypto\nimport shared\n"), {}, pipeline));
        REQUIRE(analyses.back().findings.size() == 1);
    }
    drop_repeated_findings(analyses);
    CHECK(analyses[0].findings.empty());
    REQUIRE(analyses[1].findings.size() == 1);
    CHECK(analyses[1].findings[0].finding.severity == Severity::warning);
    CHECK(analyses[2].findings.empty());
}

TEST_CASE("a path is one however it is spelled") {
    CHECK(path_key("a/../b.py") == path_key("./b.py"));
    CHECK(path_key("a.py") != path_key("A.py"));
    CHECK_FALSE(path_key("untitled:1").empty());
}
