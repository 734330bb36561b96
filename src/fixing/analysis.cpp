#include "fixing/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "fixing/admission.h"
#include "fixing/assumed_sizes.h"
#include "fixing/blocked.h"
#include "fixing/broken_code.h"
#include "fixing/given_files.h"
#include "fixing/suppression_findings.h"
#include "syntax/missing_block.h"
#include "text/words.h"

namespace ptofix::fixing {

namespace {

using rules::Finding;
using rules::Rewrite;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

constexpr std::string_view kWord = "pypto";  // what every file with a kernel says somewhere
// A place that is reached in more ways than this has its fix worked out for the first ones only.
constexpr std::size_t kMaxContexts = 16;

/// "Outer.kernel" for a place inside `def kernel` of `class Outer`, or at its own header.
std::string function_around(const trace::SourceFile& file, text::Range place) {
    std::string name;
    if (file.tree.empty()) return name;
    NodeId node = file.tree.node_at({place.start, std::min(place.end, place.start + 1)});
    for (; node != kNoNode; node = file.tree.parent(node)) {
        const Kind kind = file.tree.kind(node);
        if (kind != Kind::function_definition && kind != Kind::class_definition) continue;
        const NodeId own = file.tree.child(node, syntax::Field::name);
        if (own == kNoNode) continue;
        name = name.empty() ? std::string(file.text(own)) : fmt::format("{}.{}", file.text(own), name);
    }
    return name;
}

/// The rewriters of one rule asked in turn: a safe fix wins, then the first of the others; what is not taken is offered
/// as an alternative. The reason for not fixing is that of the last rewriter asked, the most general one.
Rewrite ask_rewriters(const RuleEntry& rule, const Finding& finding, const trace::Trace& trace,
                      const rewrites::Settings& settings) {
    Rewrite best;
    for (const Rewriter& rewriter : rule.rewriters) {
        Rewrite answer = rewriter(finding, trace, settings);
        const bool better = answer.fix && (!best.fix || answer.fix->applicability > best.fix->applicability);
        if (better) std::swap(best, answer);
        if (!best.fix) best.blocked = std::move(answer.blocked);
        if (answer.fix) best.alternatives.push_back(*std::move(answer.fix));
        std::move(answer.alternatives.begin(), answer.alternatives.end(), std::back_inserter(best.alternatives));
        if (best.fix && best.fix->applicability == rules::Applicability::safe) break;
    }
    return best;
}

std::optional<text::Range> first_syntax_error(const syntax::Tree& tree) {
    if (tree.error_count() == 0) return std::nullopt;
    for (NodeId id = 0; id < tree.nodes().size(); ++id) {
        if (tree.kind(id) == Kind::error || tree.kind(id) == Kind::missing) return tree.range(id);
    }
    return std::nullopt;
}

class Run {
  public:
    Run(trace::Project& project, const Config& config, const Pipeline& pipeline, Analysis& analysis)
        : config_(config), pipeline_(pipeline), analysis_(analysis) {
        if (config.given != nullptr) others_.emplace(project, config.given, analysis, files_);
        trace::TraceOptions options;
        options.keep_unknowns = config.keep_unknowns;
        options.legacy_frontend = config.legacy_frontend;
        options.assume = config.assume;
        {
            const Timed timed(config.timings, Stage::trace);
            analysis.trace = pipeline.trace(project, analysis.file, options);
        }
        analysis.cut_short = analysis.trace->cut_short;
        for (const trace::SourceFile* file : analysis.trace->files) {
            files_.emplace_back(file);
            analysis.sources.push_back(file->source);
        }
        suppressions_.resize(files_.size());
    }

    void run() {
        std::vector<Finding> found = detect();
        std::erase_if(found, [&](Finding& finding) { return !keep(finding); });
        std::ranges::stable_sort(found, [&](const Finding& a, const Finding& b) { return less(a, b); });
        for (std::size_t first = 0; first < found.size();) {
            std::size_t end = first + 1;
            while (end < found.size() && found[end].rule == found[first].rule &&
                   found[end].location == found[first].location && found[end].subject == found[first].subject) {
                ++end;
            }
            report(std::span(found).subspan(first, end - first));
            first = end;
        }
        check_suppressions();
        const auto by_place = [&](const Diagnosis& a, const Diagnosis& b) { return less(a.finding, b.finding); };
        std::ranges::stable_sort(analysis_.findings, by_place);
        std::ranges::stable_sort(analysis_.suppressed, by_place);
    }

  private:
    std::vector<Finding> detect() {
        std::vector<Finding> found;
        const detectors::Settings settings{config_.soc};
        for (const bool second : {false, true}) {
            for (const RuleEntry& rule : pipeline_.rules) {
                if (rule.detector && rule.reads_other_findings == second) {
                    const Timed timed(config_.timings, Stage::detect, rule.id);
                    rule.detector(*analysis_.trace, settings, found);
                }
            }
        }
        if (pipeline_.narrow) pipeline_.narrow(*analysis_.trace, found);
        return found;
    }

    const Suppressions& suppressions(std::uint16_t file) {
        std::optional<Suppressions>& slot = suppressions_[file];
        if (!slot) slot.emplace(files_[file].file->text(), files_[file].file->tree, pipeline_);
        return *slot;
    }

    /// Those of the analysed file; another file's are checked when it is analysed itself.
    void check_suppressions() {
        const Timed timed(config_.timings, Stage::suppress);
        const std::uint16_t main = analysis_.trace->main;
        const trace::SourceFile& file = *files_[main].file;
        const auto is_unused = [&](const Suppression& item, std::string_view id) {
            const RuleEntry* rule = pipeline_.find(id);
            const bool ran = rule != nullptr && rule->detector && is_enabled(*rule);
            return ran && file.tree.error_count() == 0 && !used_.contains({item.range, id});
        };
        for (SuppressionProblem& problem : suppression_problems(suppressions(main), file.text(), main, is_unused)) {
            if (!keep(problem.finding)) continue;
            Diagnosis diagnosis;
            diagnosis.function = function_around(file, problem.finding.location.range);
            diagnosis.finding = std::move(problem.finding);
            diagnosis.rewrite = std::move(problem.rewrite);
            file_away(std::move(diagnosis));
        }
    }

    /// To the findings, with an admitted rewrite, or to the suppressed.
    void file_away(Diagnosis diagnosis) {
        const Finding& finding = diagnosis.finding;
        const std::uint16_t where = finding.location.file;
        const trace::SourceFile& file = *files_[where].file;
        const Suppression* silenced =
            suppressions(where).find(finding.rule, finding.location.range, file.tree, file.lines);
        if (silenced == nullptr) {
            if (const auto admitted = admit(diagnosis.rewrite, files_, finding.rule); !admitted) {
                fault(finding, admitted.error());
            }
            analysis_.findings.push_back(std::move(diagnosis));
            return;
        }
        if (where == analysis_.trace->main) used_.emplace(silenced->range, finding.rule);
        diagnosis.suppression = *silenced;
        diagnosis.rewrite = {};
        analysis_.suppressed.push_back(std::move(diagnosis));
    }

    bool is_enabled(const RuleEntry& rule) const {
        const auto selects_rule = [&](const std::string& selector) { return selects(selector, rule); };
        if (!config_.selected.empty() && std::ranges::none_of(config_.selected, selects_rule)) return false;
        if (std::ranges::any_of(config_.ignored, selects_rule)) return false;
        const auto& all = config_.severities;
        const auto last =
            std::find_if(all.rbegin(), all.rend(), [&](const auto& item) { return selects(item.rule, rule); });
        return last == all.rend() || last->severity.has_value();
    }

    bool keep(Finding& finding) {
        const RuleEntry* rule = pipeline_.find(finding.rule);
        if (rule == nullptr) return false;
        if (!is_enabled(*rule)) return false;
        for (const SeverityOverride& item : config_.severities) {
            if (item.severity && selects(item.rule, *rule)) finding.severity = *item.severity;
        }
        finding.rule = rule->id;
        const std::uint16_t file = finding.location.file;
        const text::Range range = finding.location.range;
        if (file >= files_.size() || range.end < range.start || range.end > files_[file].file->text().size()) {
            fault(finding, fmt::format("a finding at [{}, {}) of file {}", range.start, range.end, file));
            return false;
        }
        return !is_unreliable(files_[file].file->tree, files_[file].broken, range);
    }

    bool less(const Finding& a, const Finding& b) const {
        const auto key = [&](const Finding& f) {
            return std::tuple(f.location.file != analysis_.trace->main, f.location.file, f.location.range, f.rule,
                              f.subject);
        };
        return key(a) < key(b);
    }

    /// One finding out of those of one rule at one place, found in several contexts.
    void report(std::span<Finding> same) {
        const auto worst = std::ranges::max_element(same, {}, &Finding::severity);
        const auto chosen = static_cast<std::size_t>(worst - same.begin());
        const rules::Location place = same[chosen].location;
        const trace::SourceFile& file = *files_[place.file].file;

        Diagnosis diagnosis;
        diagnosis.contexts = static_cast<std::uint32_t>(same.size());
        diagnosis.function = function_around(file, place.range);
        // A rewriter may be slow: what is suppressed is not rewritten.
        if (suppressions(place.file).find(same[chosen].rule, place.range, file.tree, file.lines) == nullptr) {
            diagnosis.rewrite = rewrite(same, chosen);
        }
        diagnosis.finding = std::move(same[chosen]);
        for (std::size_t i = 0; i < same.size(); ++i) {
            if (i != chosen) add_related(diagnosis.finding, same[i]);
        }
        file_away(std::move(diagnosis));
    }

    static void add_related(Finding& finding, Finding& other) {
        for (rules::Related& related : other.related) {
            const bool known = std::ranges::any_of(finding.related, [&](const rules::Related& r) {
                return r.location == related.location && r.text.id == related.text.id;
            });
            if (!known) finding.related.push_back(std::move(related));
        }
    }

    /// The fix for the chosen context, held back where another context would need a different one.
    Rewrite rewrite(std::span<const Finding> same, std::size_t chosen) {
        Rewrite result = rewrite_one(same[chosen]);
        for (std::size_t i = 0; i < std::min(same.size(), kMaxContexts) && result.fix; ++i) {
            if (i == chosen) continue;
            Rewrite other = rewrite_one(same[i]);
            if (!other.fix || other.fix->edits != result.fix->edits) {
                result.fix->applicability = rules::Applicability::suggestion;
                if (other.fix || !other.blocked) {
                    rules::Data data;
                    data.set("count", static_cast<std::int64_t>(same.size()));
                    other.blocked = rules::Blocked{{kBlockedByContexts, std::move(data)}, std::nullopt};
                }
                result.blocked = std::move(other.blocked);
                break;
            }
            if (other.fix->applicability < result.fix->applicability) {
                result.fix->applicability = other.fix->applicability;
                result.blocked = std::move(other.blocked);
            }
        }
        return result;
    }

    Rewrite rewrite_one(const Finding& finding) {
        const RuleEntry* rule = pipeline_.find(finding.rule);
        const Timed timed(config_.timings, Stage::rewrite, rule->id);
        return ask_rewriters(*rule, finding, *analysis_.trace,
                             rewrites::Settings{config_.soc, others_ ? &*others_ : nullptr, config_.edit_callers});
    }

    void fault(const Finding& finding, std::string detail) {
        const std::uint16_t file =
            finding.location.file < files_.size() ? finding.location.file : analysis_.trace->main;
        InternalError error{finding.rule, analysis_.path(file), finding.location.range, std::move(detail)};
        if (std::ranges::find(analysis_.errors, error) == analysis_.errors.end()) {
            analysis_.errors.push_back(std::move(error));
        }
    }

    const Config& config_;
    const Pipeline& pipeline_;
    Analysis& analysis_;
    std::vector<AdmittedFile> files_;
    std::optional<ReachableFiles> others_;
    std::vector<std::optional<Suppressions>> suppressions_;
    std::set<std::pair<text::Range, std::string_view>> used_;  // directive and rule that silenced something here
};

}  // namespace

Analysis analyse(trace::Project& project, std::shared_ptr<const trace::SourceFile> file, const Config& config,
                 const Pipeline& pipeline) {
    Analysis analysis;
    analysis.source = file->source;
    analysis.outcome = Analysis::Outcome::analysed;
    analysis.file = std::move(file);
    const syntax::Tree& tree = analysis.file->tree;
    analysis.syntax_error = first_syntax_error(tree);
    if (!analysis.syntax_error && tree.error_count() == 0) {
        analysis.syntax_error = syntax::missing_block(tree);
        analysis.missing_block = analysis.syntax_error.has_value();
    }
    Run(project, config, pipeline, analysis).run();
    if (!config.assume.empty() && may_rest_on_assumptions(analysis)) {
        Config plain = config;
        plain.assume.clear();
        hold_back_assumed(analysis, analyse(project, analysis.file, plain, pipeline));
    }
    return analysis;
}

bool mentions_pypto(std::string_view text) {
    return text::has_part(text, kWord);
}

bool is_worth_parsing(std::string_view text, const Pipeline& pipeline) {
    return mentions_pypto(text) && (!pipeline.worth_parsing || pipeline.worth_parsing(text));
}

Analysis analysis_of_idle(std::shared_ptr<const text::Source> source) {
    Analysis analysis;
    analysis.sources.push_back(source);
    // What could not have been parsed is still said: it costs a pass over the lines.
    if (mentions_pypto(source->text()) && syntax::too_deeply_indented(source->text())) {
        analysis.outcome = Analysis::Outcome::refused;
        analysis.refusal = syntax::ParseRefusal::too_deeply_indented;
    }
    analysis.source = std::move(source);
    return analysis;
}

Analysis analyse(trace::Project& project, std::shared_ptr<const text::Source> source, const Config& config,
                 const Pipeline& pipeline) {
    if (!is_worth_parsing(source->text(), pipeline)) return analysis_of_idle(std::move(source));
    Analysis analysis;
    analysis.source = source;
    analysis.sources.push_back(source);
    const auto parse = [&] {
        const Timed timed(config.timings, Stage::parse);
        return project.parse(std::move(source));
    };
    auto file = parse();
    if (!file) {
        analysis.outcome = Analysis::Outcome::refused;
        analysis.refusal = file.error();
        return analysis;
    }
    return analyse(project, *std::move(file), config, pipeline);
}

void drop_repeated_findings(std::vector<Analysis>& analyses) {
    struct Holder {
        std::size_t analysis;
        std::size_t finding;
        std::pair<rules::Severity, bool> worth;  // severity, own file
    };
    std::map<std::tuple<std::string_view, std::string, text::Range, std::uint32_t>, Holder> kept;
    std::vector<std::vector<bool>> repeated(analyses.size());
    for (std::size_t a = 0; a < analyses.size(); ++a) {
        const Analysis& analysis = analyses[a];
        repeated[a].resize(analysis.findings.size());
        for (std::size_t f = 0; f < analysis.findings.size(); ++f) {
            const Finding& finding = analysis.findings[f].finding;
            const std::string& path = analysis.path(finding.location.file);
            Holder holder{a, f, {finding.severity, path == analysis.source->path()}};
            const auto [at, fresh] =
                kept.try_emplace({finding.rule, path, finding.location.range, finding.subject}, holder);
            if (fresh) continue;
            Holder& best = at->second;
            if (holder.worth > best.worth) std::swap(best, holder);
            repeated[holder.analysis][holder.finding] = true;
        }
    }
    for (std::size_t a = 0; a < analyses.size(); ++a) {
        std::size_t next = 0;
        std::erase_if(analyses[a].findings, [&](const Diagnosis&) { return repeated[a][next++]; });
    }
}

}  // namespace ptofix::fixing
