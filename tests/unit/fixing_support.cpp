#include "fixing_support.h"

#include <catch2/catch.hpp>

namespace fixing_test {

namespace {

const std::string kFront = "# pypto\n";

/// What keeps the files of a trace alive: the trace itself holds plain pointers.
struct Files {
    std::vector<std::shared_ptr<const trace::SourceFile>> files;
};

}  // namespace

std::shared_ptr<const text::Source> source(std::string path, std::string bytes) {
    auto made = text::Source::from_bytes(std::move(path), std::move(bytes));
    REQUIRE(made);
    return std::make_shared<const text::Source>(*std::move(made));
}

std::shared_ptr<const trace::SourceFile> parsed(std::string path, std::string bytes) {
    syntax::Parser parser;
    const auto shared = source(std::move(path), std::move(bytes));
    auto tree = parser.parse(shared->text(), true);
    REQUIRE(tree);
    return std::make_shared<const trace::SourceFile>(trace::SourceFile{shared, *std::move(tree), shared->lines()});
}

rules::Fix edits(std::vector<std::pair<text::Range, std::string>> items) {
    rules::Fix fix;
    for (auto& [range, text] : items) fix.edits.push_back({0, range, std::move(text)});
    return fix;
}

MakeFix replacing(std::string replacement, rules::Applicability applicability) {
    return [=](std::string_view, text::Range place) {
        rules::Fix fix = edits({{place, replacement}});
        fix.applicability = applicability;
        return fix;
    };
}

fixing::Tracer file_tracer() {
    return [](trace::Project& project, std::shared_ptr<const trace::SourceFile> file, const trace::TraceOptions&) {
        auto trace = std::make_unique<trace::Trace>();
        auto files = std::make_shared<Files>();
        files->files.push_back(file);
        const std::string_view text = file->text();
        constexpr std::string_view kImport = "import ";
        for (std::size_t at = text.find(kImport); at != std::string_view::npos; at = text.find(kImport, at + 1)) {
            const std::size_t start = at + kImport.size();
            const std::string_view name = text.substr(start, text.find_first_of("\r\n", start) - start);
            if (auto other = project.import(name, file->path())) files->files.push_back(std::move(other));
        }
        for (const auto& f : files->files) trace->files.push_back(f.get());
        trace->heap = files;
        return trace;
    };
}

fixing::Pipeline pipeline(const std::vector<Rule>& rules) {
    fixing::Pipeline result;
    result.trace = file_tracer();
    result.rules.push_back({"PTO001", "invalid-suppression"});
    for (const Rule& rule : rules) {
        fixing::RuleEntry entry{rule.id, rule.name};
        entry.priority = rule.priority;
        entry.detector = [rule](const trace::Trace& trace, const detectors::Settings&,
                                std::vector<rules::Finding>& out) {
            const std::string_view text = trace.files[trace.main]->text();
            for (std::size_t at = text.find(rule.pattern); at != std::string_view::npos;
                 at = text.find(rule.pattern, at + 1)) {
                rules::Finding finding;
                finding.rule = rule.id;
                finding.severity = rule.severity;
                const auto start = static_cast<std::uint32_t>(at);
                finding.location = {trace.main, {start, start + static_cast<std::uint32_t>(rule.pattern.size())}};
                out.push_back(std::move(finding));
            }
        };
        if (rule.make) {
            entry.rewriters.push_back(
                [rule](const rules::Finding& finding, const trace::Trace& trace, const rewrites::Settings&) {
                    rules::Rewrite rewrite;
                    rewrite.fix = rule.make(trace.files[trace.main]->text(), finding.location.range);
                    return rewrite;
                });
        }
        result.rules.push_back(std::move(entry));
    }
    return result;
}

Run fix_files(const fixing::Pipeline& pipeline, const std::vector<std::pair<std::string, std::string>>& files,
              const fixing::Config& config, const fixing::FixOptions& options) {
    trace::Project project;
    Run run;
    std::vector<std::shared_ptr<const text::Source>> sources;
    for (const auto& [path, text] : files) {
        sources.push_back(source(path, text));
        project.set_overlay(path, sources.back());
        run.texts[path] = text;
    }
    run.result = fixing::fix_all(project, sources, config, options, pipeline);
    for (const fixing::FixedFile& file : run.result.files) {
        CHECK(file.text != file.original->text());
        run.texts[file.path] = file.text;
    }
    return run;
}

Run fix(const std::vector<Rule>& rules, std::string text, const fixing::Config& config,
        const fixing::FixOptions& options) {
    const bool front = text.find("pypto") == std::string::npos;
    if (front) text = kFront + text;
    Run run = fix_files(pipeline(rules), {{kPath, text}}, config, options);
    std::string& out = run.texts[kPath];
    if (front) {
        REQUIRE(out.starts_with(kFront));
        out.erase(0, kFront.size());
    }
    return run;
}

}  // namespace fixing_test
