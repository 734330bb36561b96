#include "cli/engine.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "cli/problems.h"
#include "cli/shown.h"
#include "config/settings.h"
#include "fixing/analysis.h"
#include "fixing/editable_files.h"
#include "fixing/fix_all.h"
#include "fixing/given_files.h"
#include "fixing/shared_edits.h"
#include "rules/messages.h"
#include "text/cell_place.h"
#include "text/parallel.h"

namespace ptofix::cli {

namespace {

using fixing::Analysis;
using report::FileReport;
using report::Problem;
using rules::Data;

const fixing::Pipeline& pipeline_of(const EngineOptions& options) {
    return options.pipeline == nullptr ? fixing::default_pipeline() : *options.pipeline;
}

std::vector<report::Label> unknowns_of(const trace::Trace& trace, rules::Language language) {
    std::vector<report::Label> labels;
    for (const trace::Unknown& unknown : trace.unknowns) {
        if (!unknown.site.known()) continue;
        const text::Range range = trace.files[unknown.site.file]->tree.range(unknown.site.node);
        labels.push_back({unknown.site.file, range, reason_text(unknown.why, unknown.detail, language)});
    }
    std::ranges::stable_sort(labels, [](const report::Label& a, const report::Label& b) {
        return std::tie(a.file, a.range.start) < std::tie(b.file, b.range.start);
    });
    const auto same = [](const report::Label& a, const report::Label& b) {
        return a.file == b.file && a.range == b.range && a.words == b.words;
    };
    labels.erase(std::unique(labels.begin(), labels.end(), same), labels.end());
    return labels;
}

Problem problem_of_fault(const fixing::InternalError& fault, const Analysis& analysis, rules::Language language) {
    text::CellLine at;
    for (const auto& source : analysis.sources) {
        if (source->path() == fault.path) at = text::line_in(*source, fault.range.start);
    }
    Data data;
    data.set("rule", std::string(fault.rule)).set("path", fault.path).set("line", at.line_text());
    data.set("detail", fault.detail);
    return {fault.path, "internal-error", rules::render({"cli.internal_error", std::move(data)}, language)};
}

fixing::Look look_of(const EngineOptions& options) {
    // The cache knows the program's own rules, and nothing of traces.
    cache::CachedAnalysis* cache = options.pipeline == nullptr && !options.look ? options.cache : nullptr;
    return [cache, progress = options.progress, &pipeline = pipeline_of(options)](
               trace::Project& project, const auto& source, const fixing::Config& config) {
        Analysis analysis =
            cache != nullptr ? (*cache)(project, source, config) : fixing::analyse(project, source, config, pipeline);
        if (progress != nullptr) progress->file_done(analysis.findings.size());
        return analysis;
    };
}

/// What is shown of an analysis. Its trace may be gone by then: what is told of it is taken before.
struct Kept {
    Analysis analysis;
    std::vector<report::Label> unknowns;
};

Kept keep(Analysis analysis, const EngineOptions& options) {
    Kept kept;
    if (analysis.trace && options.explain_unknown) kept.unknowns = unknowns_of(*analysis.trace, options.language);
    analysis.trace.reset();
    analysis.file.reset();
    // Every report counts lines: here, where threads share the work.
    for (const fixing::Diagnosis& diagnosis : analysis.findings) {
        static_cast<void>(analysis.sources[diagnosis.finding.location.file]->lines());
    }
    kept.analysis = std::move(analysis);
    return kept;
}

FileReport report_of(const Kept& kept, const std::string& path, const EngineOptions& options,
                     const std::string& folder) {
    const rules::Language language = options.language;
    FileReport report;
    report.path = path;
    for (const auto& source : kept.analysis.sources) {
        report.main = source == kept.analysis.source ? static_cast<std::uint16_t>(report.files.size()) : report.main;
        report.files.push_back(*source);
        report.paths.push_back(source == kept.analysis.source ? path : shown_path(source->path(), folder));
    }
    if (report.files.empty()) {
        report.files.push_back(*kept.analysis.source);
        report.paths.push_back(path);
    }
    for (const fixing::Diagnosis& diagnosis : kept.analysis.findings) {
        report::FindingView view = report::view_of(diagnosis.finding, diagnosis.rewrite, language);
        view.function = diagnosis.function;
        view.contexts = diagnosis.contexts;
        report.findings.push_back(std::move(view));
    }
    for (const fixing::Diagnosis& diagnosis : kept.analysis.suppressed) {
        if (!options.show_suppressed) break;
        report::FindingView view = report::view_of(diagnosis.finding, diagnosis.rewrite, language);
        view.function = diagnosis.function;
        view.contexts = diagnosis.contexts;
        view.silenced.emplace();
        if (diagnosis.suppression) {
            view.silenced->reason = diagnosis.suppression->reason;
            view.silenced->comment = {diagnosis.finding.location.file, diagnosis.suppression->comment, {}};
        }
        report.silenced.push_back(std::move(view));
    }
    report.unknowns = kept.unknowns;
    report.syntax_error = kept.analysis.syntax_error;
    report.missing_block = kept.analysis.missing_block;
    report.cut_short = kept.analysis.cut_short;
    return report;
}

/// One that several files import is silenced in the analysis of each.
void drop_repeated_suppressed(std::vector<Analysis>& analyses) {
    std::set<std::tuple<std::string_view, std::string, text::Range>> seen;
    for (Analysis& analysis : analyses) {
        std::erase_if(analysis.suppressed, [&](const fixing::Diagnosis& diagnosis) {
            const rules::Finding& finding = diagnosis.finding;
            return !seen.emplace(finding.rule, analysis.path(finding.location.file), finding.location.range).second;
        });
    }
}

void add(Answer& answer, const Kept& kept, const std::string& path, const EngineOptions& options,
         const std::string& folder) {
    const Analysis& analysis = kept.analysis;
    answer.reports.push_back(report_of(kept, path, options, folder));
    if (options.both_languages) {
        EngineOptions other = options;
        const bool zh = options.language == rules::Language::zh;
        other.language = zh ? rules::Language::en : rules::Language::zh;
        answer.translated.push_back(report_of(kept, path, other, folder));
    }
    if (analysis.refusal) answer.problems.push_back(problem_of(path, *analysis.refusal, options.language));
    for (const fixing::InternalError& fault : analysis.errors) {
        answer.problems.push_back(problem_of_fault(fault, analysis, options.language));
    }
}

}  // namespace

fixing::Config config_of(const config::FileConfig& file, const EngineOptions& options) {
    fixing::Config settings = config::settings(file, {options.soc, options.selected, options.ignored});
    settings.assume.insert(settings.assume.end(), options.assume.begin(), options.assume.end());
    settings.keep_unknowns = options.explain_unknown;
    settings.timings = options.timings;
    if (options.pipeline != nullptr) {  // what is looked for is not the configuration's to say
        settings.selected = options.selected;
        settings.ignored.clear();
        settings.severities.clear();
    }
    return settings;
}

Answer check(std::span<const Input> inputs, const EngineOptions& options) {
    fixing::EditableFiles editable;
    for (const Input& input : inputs) editable.add(input.path);
    for (const std::string& path : options.also_editable) editable.add(path);
    const auto given = std::make_shared<fixing::GivenFiles>();
    for (const Input& input : inputs) given->add(input.source);
    for (const std::string& path : options.also_editable) given->add(path);
    const fixing::Look look = look_of(options);
    std::vector<Kept> results(inputs.size());
    const auto files = std::make_shared<trace::ParsedFiles>();
    text::in_parallel(inputs.size(), options.jobs, [&] {
        return [&, project = std::make_shared<trace::Project>(files)](std::size_t i) {
            fixing::Config config = config_of(*inputs[i].config, options);
            config.given = given;
            config.edit_callers = options.unsafe_fixes && options.sees_all_files;
            Analysis analysis = look(*project, inputs[i].source, config);
            if (options.look) options.look(analysis);
            fixing::hold_back_fixes_outside(analysis, editable);
            results[i] = keep(std::move(analysis), options);
        };
    });

    std::vector<Analysis> analyses;
    analyses.reserve(results.size());
    for (Kept& kept : results) analyses.push_back(std::move(kept.analysis));
    fixing::hold_back_fixes_that_others_read(analyses);
    fixing::drop_repeated_findings(analyses);
    drop_repeated_suppressed(analyses);
    Answer answer;
    const std::string folder = current_folder();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        results[i].analysis = std::move(analyses[i]);
        add(answer, results[i], inputs[i].path, options, folder);
    }
    return answer;
}

FixAnswer fix(std::span<const Input> inputs, const EngineOptions& options) {
    FixAnswer answer;
    const std::string folder = current_folder();
    fixing::FixOptions fix_options;
    fix_options.also_editable = options.also_editable;
    fix_options.reviewer = options.reviewer;
    fix_options.look = look_of(options);
    fix_options.jobs = options.jobs;
    fix_options.in_scope = options.in_scope;
    fix_options.edit_callers = options.sees_all_files;
    fix_options.threshold = options.unsafe_fixes ? rules::Applicability::unsafe : rules::Applicability::safe;
    std::map<const config::FileConfig*, fixing::Config> configs;
    std::vector<fixing::FixInput> sources;
    for (const Input& input : inputs) {
        const auto [config, fresh] = configs.try_emplace(input.config.get());
        if (fresh) config->second = config_of(*input.config, options);
        sources.push_back({input.source, &config->second});
    }
    trace::Project project;
    fixing::FixResult result = fixing::fix_all(project, sources, fix_options, pipeline_of(options));
    fixing::drop_repeated_findings(result.remaining);
    drop_repeated_suppressed(result.remaining);
    for (Analysis& analysis : result.remaining) {
        const std::string path = analysis.source->path();
        add(answer, keep(std::move(analysis), options), path, options, folder);
    }
    for (fixing::FixedFile& file : result.files) {
        answer.changed.push_back({file.path, std::move(file.original), std::move(file.text)});
    }
    answer.groups = std::move(result.groups);
    answer.fixing.stop = fixing::name_of(result.stop);
    answer.fixing.rounds = result.rounds;
    answer.fixing.applied = {result.applied.begin(), result.applied.end()};
    answer.fixing.stop_rules = std::move(result.stop_rules);
    for (const fixing::InternalError& fault : result.errors) {
        answer.fixing.quarantined.push_back(fault.rule);
        answer.problems.push_back(problem_of_fault(fault, Analysis{}, options.language));
    }
    const auto by_path = [](const auto& file) { return file.path; };
    std::ranges::stable_sort(answer.reports, {}, by_path);
    std::ranges::stable_sort(answer.translated, {}, by_path);
    std::ranges::stable_sort(answer.changed, {}, by_path);
    return answer;
}

}  // namespace ptofix::cli
