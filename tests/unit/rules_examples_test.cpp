#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "cli/options.h"
#include "diagnose/diagnose.h"
#include "diagnose/read_log.h"
#include "fixing/fix_all.h"
#include "report/code_page.h"
#include "report/rule_page.h"
#include "rules/catalogue.h"
#include "temporary_directory.h"

using namespace ptofix;

namespace {

bool is_running(const rules::Rule& rule) {
    const fixing::RuleEntry* entry = fixing::default_pipeline().find(rule.id);
    return entry != nullptr && (entry->detector || rule.id == "PTO001");
}

cli::CheckCommand command_of(const rules::Example& example) {
    std::vector<std::string> words{"--apply", "example.py"};
    std::istringstream in{std::string(example.arguments)};
    for (std::string word; in >> word;) words.push_back(word);
    return std::get<cli::CheckCommand>(cli::parse_command_line(words, "C"));
}

fixing::Config config_of(const rules::Example& example) {
    fixing::Config config;
    config.selected = command_of(example).selected;
    return config;
}

}  // namespace

TEST_CASE("every rule that runs has an example, and the example behaves as its page says") {
    for (const rules::Rule& rule : rules::catalogue()) {
        if (!is_running(rule)) continue;
        CAPTURE(rule.id);
        CHECK_FALSE(rule.examples.empty());
        for (const rules::Example& example : rule.examples) {
            const auto source = std::make_shared<const text::Source>(
                *text::Source::from_bytes("example.py", std::string(example.before)));
            trace::Project project;
            const fixing::Config config = config_of(example);
            const fixing::Analysis before = fixing::analyse(project, source, config);
            CHECK(std::ranges::any_of(before.findings, [&](const auto& d) { return d.finding.rule == rule.id; }));
            fixing::FixOptions options;
            if (command_of(example).unsafe_fixes) options.threshold = rules::Applicability::unsafe;
            const auto result = fixing::fix_all(project, std::span(&source, 1), config, options);
            CHECK((result.files.empty() ? std::string{} : result.files.front().text) == example.after);
            if (example.after.empty()) continue;
            CHECK(std::ranges::none_of(result.remaining.front().findings,
                                       [&](const auto& d) { return d.finding.rule == rule.id; }));
        }
    }
}

TEST_CASE("the example of a rule that is found from a log behaves as its page says") {
    for (const rules::Rule& rule : rules::catalogue()) {
        for (const rules::Example& example : rule.examples) {
            if (example.log.empty()) continue;
            CAPTURE(rule.id);
            const TemporaryDirectory folder;
            const auto read = diagnose::read_log(folder.write("build.log", example.log));
            REQUIRE(read);
            const auto source = std::make_shared<const text::Source>(
                *text::Source::from_bytes("example.py", std::string(example.before)));
            trace::Project project;
            const fixing::Config config;
            std::vector<fixing::Analysis> analyses;
            analyses.push_back(fixing::analyse(project, source, config, diagnose::pipeline_for(read->log)));
            const auto verdicts = diagnose::diagnose(diagnose::Case{read->log, analyses});
            const auto pipeline = diagnose::pipeline_for(read->log, verdicts, hardware::Soc::a2a3);
            const auto result = fixing::fix_all(project, std::span(&source, 1), config, {}, pipeline);
            REQUIRE(result.files.size() == 1);
            CHECK(result.applied.contains(rule.id));
            CHECK(result.files.front().text == example.after);
        }
    }
}

namespace {

void check_docs(const std::string& folder, const std::vector<report::DocsFile>& files) {
    std::set<std::string> expected;
    for (const report::DocsFile& file : files) {
        CAPTURE(file.name);
        std::ifstream in(folder + file.name, std::ios::binary);
        CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == file.text);
        expected.insert(file.name);
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        CHECK(expected.contains(entry.path().filename().string()));
    }
}

}  // namespace

TEST_CASE("docs/rules and docs/codes are what tools/gen-docs writes") {
    check_docs("docs/rules/", report::rule_docs());
    check_docs("docs/codes/", report::code_docs());
}
