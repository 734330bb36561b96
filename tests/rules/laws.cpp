#include "laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <iterator>
#include <set>

#include "fixing/editable_files.h"
#include "fixing/given_files.h"
#include "fixing/shared_edits.h"
#include "report/view.h"
#include "text/diff.h"
#include "text/edit.h"

namespace rule_tests {

using ptofix::fixing::Analysis;
using ptofix::fixing::Diagnosis;
using ptofix::fixing::FixOptions;
using ptofix::fixing::FixResult;
using ptofix::fixing::Pipeline;
using ptofix::text::Newline;
using ptofix::text::Source;

namespace {

using Texts = std::map<std::string, std::string>;

std::vector<Analysis> analyse_all(const Fixture& fixture, const Pipeline& pipeline) {
    ptofix::trace::Project project;
    ptofix::fixing::EditableFiles editable;
    const auto given = std::make_shared<ptofix::fixing::GivenFiles>();
    for (const auto& input : fixture.inputs) {
        editable.add(input->path());
        given->add(input);
    }
    ptofix::fixing::Config config = fixture.config;
    config.given = given;
    std::vector<Analysis> analyses;
    for (const auto& input : fixture.inputs) {
        analyses.push_back(ptofix::fixing::analyse(project, input, config, pipeline));
        ptofix::fixing::hold_back_fixes_outside(analyses.back(), editable);
        // Their files may leave the project before the analysis does.
        analyses.back().trace.reset();
        analyses.back().file.reset();
    }
    ptofix::fixing::hold_back_fixes_that_others_read(analyses);
    ptofix::fixing::drop_repeated_findings(analyses);
    return analyses;
}

std::string word_of_fix(const ptofix::rules::Rewrite& rewrite) {
    return rewrite.fix ? std::string(ptofix::report::to_string(rewrite.fix->applicability)) : "none";
}

std::vector<Expected> findings_of(const Fixture& fixture, const std::vector<Analysis>& analyses) {
    std::vector<Expected> found;
    for (const Analysis& analysis : analyses) {
        for (const Diagnosis& diagnosis : analysis.findings) {
            const auto& place = diagnosis.finding.location;
            const Source& source = *analysis.sources[place.file];
            Expected one;
            one.file = fixture.file_name(source.path());
            one.line = source.lines().line_of(place.range.start);
            one.rule = diagnosis.finding.rule;
            one.severity = ptofix::report::to_string(diagnosis.finding.severity);
            one.fix = word_of_fix(diagnosis.rewrite);
            if (diagnosis.rewrite.blocked) one.blocked = diagnosis.rewrite.blocked->reason.id;
            found.push_back(std::move(one));
        }
    }
    std::ranges::sort(found);
    return found;
}

Texts changed(const FixResult& result) {
    Texts texts;
    for (const auto& file : result.files) texts[file.path] = file.text;
    return texts;
}

Texts fix(const Sources& inputs, const Fixture& fixture, const FixOptions& options, const Pipeline& pipeline) {
    ptofix::trace::Project project;
    for (const auto& input : inputs) project.set_overlay(input->path(), input);
    return changed(ptofix::fixing::fix_all(project, inputs, fixture.config, options, pipeline));
}

/// The file as it is after the fixes: in its own encoding again, as the next run would read it.
std::shared_ptr<const Source> with_text(const std::shared_ptr<const Source>& input, const std::string& text) {
    auto after = Source::from_bytes(input->path(), input->encode(text).value_or(text));
    return after ? std::make_shared<const Source>(std::move(*after)) : input;
}

std::string difference(const Fixture& fixture, const Texts& wanted, const Texts& got) {
    std::string out;
    for (const auto& input : fixture.inputs) {
        const auto text_in = [&](const Texts& texts) {
            const auto at = texts.find(input->path());
            return at == texts.end() ? std::string(input->text()) : at->second;
        };
        const std::string name = input->path();
        const std::string a = text_in(wanted), b = text_in(got);
        if (a != b) out += ptofix::text::unified_diff(name, name, a, b);
    }
    return out;
}

// -- the laws ---------------------------------------------------------------------------------------------------------
using Broken = std::function<void(std::string)>;

void findings_are_as_expected(const Fixture& fixture, const Outcome& outcome, const Broken& broken) {
    std::vector<Expected> missing, surplus;
    std::ranges::set_difference(fixture.expect, outcome.found, std::back_inserter(missing));
    std::ranges::set_difference(outcome.found, fixture.expect, std::back_inserter(surplus));
    for (const Expected& one : missing) broken("expected " + show(one));
    for (const Expected& one : surplus) broken("found    " + show(one));
}

void fixed_text_is_as_expected(const Fixture& fixture, const Outcome& outcome, const Broken& broken) {
    const std::string diff = difference(fixture, fixture.fixed, outcome.fixed);
    if (!diff.empty()) broken("expected (-) and got (+)\n" + diff);
}

void engine_is_content(const Outcome& outcome, const Broken& broken) {
    if (outcome.result.stop != ptofix::fixing::StopReason::no_more_fixes) {
        broken(fmt::format("stopped with {}", name_of(outcome.result.stop)));
    }
    for (const auto& error : outcome.result.errors) broken(fmt::format("{}: {}", error.rule, error.detail));
}

void fixing_twice_is_fixing_once(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline,
                                 const Broken& broken) {
    if (outcome.fixed.empty()) return;
    Fixture again = fixture;
    for (auto& input : again.inputs) {
        const auto at = outcome.fixed.find(input->path());
        if (at != outcome.fixed.end()) {
            input = with_text(input, at->second);
        }
    }
    const Texts twice = fix(again.inputs, again, fixture.options, pipeline);
    if (!twice.empty()) broken("the second run changes\n" + difference(again, {}, twice));
}

void fixed_findings_are_gone(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline,
                             const Broken& broken) {
    for (const Analysis& analysis : outcome.result.remaining) {
        for (const Diagnosis& diagnosis : analysis.findings) {
            if (!is_wanted(diagnosis, fixture.config, fixture.options.threshold, pipeline)) continue;
            const auto& source = *analysis.sources[diagnosis.finding.location.file];
            broken(fmt::format("{} is still there at {}:{}", diagnosis.finding.rule, source.path(),
                               source.lines().line_of(diagnosis.finding.location.range.start)));
        }
    }
}

void no_finding_is_new(const Fixture& fixture, const Outcome& outcome, const Broken& broken) {
    // Lines move, so findings are counted: of no rule are there more that are as severe as this or severer.
    constexpr std::string_view kSeverities[] = {"error", "warning", "info"};
    std::map<std::string, int> balance;
    for (const std::string_view severity : kSeverities) {
        for (const Expected& one : outcome.found) balance[one.rule] += one.severity == severity ? 1 : 0;
        for (const Expected& one : findings_of(fixture, outcome.result.remaining)) {
            if (one.severity == severity && --balance[one.rule] < 0) broken("new: " + show(one));
        }
    }
}

/// Kinds of line break in a text.
std::set<Newline> line_breaks(std::string_view text) {
    const ptofix::text::LineIndex lines(text);
    std::set<Newline> kinds;
    for (std::uint32_t line = 1; line <= lines.line_count(); ++line) kinds.insert(lines.newline_of(line));
    kinds.erase(Newline::none);
    return kinds;
}

/// How many lines end in a blank.
std::size_t trailing_blanks(std::string_view text) {
    const ptofix::text::LineIndex lines(text);
    std::size_t count = 0;
    for (std::uint32_t line = 1; line <= lines.line_count(); ++line) {
        const std::string_view content = lines.line_text(line);
        count += !content.empty() && (content.back() == ' ' || content.back() == '\t');
    }
    return count;
}

void text_keeps_its_manners(const Fixture& fixture, const Outcome& outcome, const Broken& broken) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    for (const auto& input : fixture.inputs) {
        const auto at = outcome.fixed.find(input->path());
        if (at == outcome.fixed.end()) continue;
        const std::string_view before = input->text(), after = at->second;
        const auto old_breaks = line_breaks(before), new_breaks = line_breaks(after);
        if (!std::ranges::includes(old_breaks, new_breaks))
            broken("a line break of a kind that the file does not have");
        const auto marks = [&](std::string_view text) {
            std::size_t count = 0;
            for (auto p = text.find(kMark); p != text.npos; p = text.find(kMark, p + 1)) ++count;
            return std::pair(text.starts_with(kMark), count);
        };
        if (marks(before) != marks(after)) broken("the byte order mark moved");
        const auto ends_line = [](std::string_view text) { return text.ends_with('\n') || text.ends_with('\r'); };
        if (ends_line(before) != ends_line(after)) broken("the last line's break changed");
        if (trailing_blanks(after) > trailing_blanks(before)) broken("a line ends in a blank now");
    }
}

/// The text with `end` for every line break.
std::string with_breaks(std::string_view text, std::string_view end) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (pair) ++i;
        if (text[i] == '\n' || text[i] == '\r') {
            out += end;
        } else {
            out += text[i];
        }
    }
    return out;
}

/// The kind of line break decides nothing: the file with other breaks is fixed to the same text with these breaks.
void line_breaks_decide_nothing(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline,
                                const Broken& broken) {
    if (outcome.fixed.empty()) return;
    for (const auto& [end, name] : {std::pair("\r\n", "\\r\\n"), std::pair("\r", "\\r")}) {
        Sources inputs = fixture.inputs;
        for (auto& input : inputs) input = with_text(input, with_breaks(input->text(), end));
        Fixture other = fixture;
        other.inputs = inputs;
        Texts wanted;
        for (const auto& [path, text] : outcome.fixed) wanted[path] = with_breaks(text, end);
        const std::string diff = difference(other, wanted, fix(inputs, other, fixture.options, pipeline));
        if (!diff.empty()) broken(std::string("with ") + name + ": expected (-) and got (+)\n" + diff);
    }
}

/// Findings that were repaired take their edits from the first analysis when one round was enough: nothing else may
/// have changed.
void untouched_bytes_stay(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline,
                          const Broken& broken) {
    if (outcome.result.rounds != 1) return;
    // What a later phase wanted may be gone by then.
    const auto phase_of = [&](const Diagnosis& diagnosis) {
        const auto* rule = pipeline.find(diagnosis.finding.rule);
        return rule != nullptr ? rule->phase : 0;
    };
    int first = INT_MAX;
    const auto wanted = [&](const Diagnosis& diagnosis) {
        return is_wanted(diagnosis, fixture.config, fixture.options.threshold, pipeline);
    };
    for (const Analysis& analysis : outcome.before) {
        for (const Diagnosis& diagnosis : analysis.findings) {
            if (wanted(diagnosis)) first = std::min(first, phase_of(diagnosis));
        }
    }
    std::map<std::string, std::set<ptofix::text::Edit>> edits;
    for (const Analysis& analysis : outcome.before) {
        for (const Diagnosis& diagnosis : analysis.findings) {
            if (!wanted(diagnosis) || phase_of(diagnosis) != first) continue;
            for (const auto& edit : diagnosis.rewrite.fix->edits) {
                edits[analysis.sources[edit.file]->path()].insert({edit.range, edit.text});
            }
        }
    }
    for (const auto& input : fixture.inputs) {
        const auto at = outcome.fixed.find(input->path());
        const auto& own = edits[input->path()];
        const auto applied = ptofix::text::Edits::make({own.begin(), own.end()}, input->text().size());
        if (!applied || at == outcome.fixed.end()) continue;
        if (applied->apply(input->text()) != at->second) broken("bytes outside the edits changed in " + input->path());
    }
}

/// One fix a round, the next one of the first phase chosen from the front or from the back. A rule that reads other
/// findings (PTO205 asks for the company it is in) goes before them: what it asks about would be gone.
Texts fix_one_at_a_time(const Fixture& fixture, const Pipeline& pipeline, bool from_front) {
    FixOptions options = fixture.options;
    Sources inputs = fixture.inputs;
    Texts all;
    for (int guard = 0; guard < 200; ++guard) {
        Fixture now = fixture;
        now.inputs = inputs;
        struct Place {
            int phase;
            bool waits_for_readers;
            std::string path;
            ptofix::text::Range range;
            std::string rule;
            auto operator<=>(const Place&) const = default;
        };
        std::vector<Place> places;
        const auto place_of = [&](const Diagnosis& d, const Analysis& a) {
            const auto* rule = pipeline.find(d.finding.rule);
            return Place{rule != nullptr ? rule->phase : 0, rule == nullptr || !rule->reads_other_findings,
                         a.sources[d.finding.location.file]->path(), d.finding.location.range,
                         std::string(d.finding.rule)};
        };
        ptofix::trace::Project project;
        for (const auto& input : inputs) project.set_overlay(input->path(), input);
        FixOptions look = options;
        look.choose = [&](const Diagnosis& d, const Analysis& a) -> std::optional<std::size_t> {
            if (is_wanted(d, fixture.config, fixture.options.threshold, pipeline)) places.push_back(place_of(d, a));
            return std::nullopt;
        };
        ptofix::fixing::fix_all(project, inputs, fixture.config, look, pipeline);
        if (places.empty()) break;
        std::ranges::sort(places);
        const auto turn = [](const Place& p) { return std::pair(p.phase, p.waits_for_readers); };
        std::erase_if(places, [&, first = turn(places.front())](const Place& p) { return turn(p) != first; });
        const Place chosen = from_front ? places.front() : places.back();
        bool done = false;
        FixOptions take = options;
        take.choose = [&](const Diagnosis& d, const Analysis& a) -> std::optional<std::size_t> {
            if (done || place_of(d, a) != chosen) return std::nullopt;
            done = true;
            return 0;
        };
        const Texts step = changed(ptofix::fixing::fix_all(project, inputs, fixture.config, take, pipeline));
        if (step.empty()) break;
        for (auto& input : inputs) {
            const auto at = step.find(input->path());
            if (at == step.end()) continue;
            input = with_text(input, at->second);
            all[at->first] = at->second;
        }
    }
    return all;
}

void order_does_not_matter(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline,
                           const Broken& broken) {
    std::size_t wanted = 0;
    for (const Analysis& analysis : outcome.before) {
        for (const Diagnosis& diagnosis : analysis.findings) {
            wanted += is_wanted(diagnosis, fixture.config, fixture.options.threshold, pipeline);
        }
    }
    if (wanted < 2) return;
    const auto compare = [&](const Texts& texts, std::string_view how) {
        const std::string diff = difference(fixture, outcome.fixed, texts);
        if (!diff.empty()) broken(fmt::format("{}: all at once (-), so (+)\n{}", how, diff));
    };
    Pipeline backwards = pipeline;
    std::ranges::reverse(backwards.rules);
    compare(fix(fixture.inputs, fixture, fixture.options, backwards), "with the rules in reverse order");
    compare(fix_one_at_a_time(fixture, pipeline, true), "one fix at a time from the front");
    compare(fix_one_at_a_time(fixture, pipeline, false), "one fix at a time from the back");
}

}  // namespace

Outcome run(const Fixture& fixture, const Pipeline& pipeline) {
    Outcome outcome;
    outcome.before = analyse_all(fixture, pipeline);
    outcome.found = findings_of(fixture, outcome.before);
    ptofix::trace::Project project;
    outcome.result = ptofix::fixing::fix_all(project, fixture.inputs, fixture.config, fixture.options, pipeline);
    ptofix::fixing::drop_repeated_findings(outcome.result.remaining);
    outcome.fixed = changed(outcome.result);
    return outcome;
}

std::vector<Failure> check_laws(const Fixture& fixture, const Outcome& outcome, const Pipeline& pipeline) {
    std::vector<Failure> failures;
    const auto law = [&](std::string_view name) {
        return [&failures, &fixture, name](std::string what) {
            if (fixture.skipped_law != name) failures.push_back({std::string(name), std::move(what)});
        };
    };
    findings_are_as_expected(fixture, outcome, law("findings"));
    fixed_text_is_as_expected(fixture, outcome, law("text"));
    engine_is_content(outcome, law("engine"));
    fixing_twice_is_fixing_once(fixture, outcome, pipeline, law("twice"));
    fixed_findings_are_gone(fixture, outcome, pipeline, law("gone"));
    no_finding_is_new(fixture, outcome, law("new"));
    text_keeps_its_manners(fixture, outcome, law("manners"));
    line_breaks_decide_nothing(fixture, outcome, pipeline, law("line breaks"));
    untouched_bytes_stay(fixture, outcome, pipeline, law("untouched"));
    order_does_not_matter(fixture, outcome, pipeline, law("order"));
    return failures;
}

}  // namespace rule_tests
