#include "fixing/fixpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "fixing/blocked.h"
#include "fixing/review.h"
#include "fixing/shared_edits.h"
#include "fixing/suppression_findings.h"

namespace ptofix::fixing {

namespace {

// Rounds beyond twice the number of findings: what one fix uncovers for another, nested ones, isolation groups.
constexpr std::size_t kSpareRounds = 100;
// A text that grows by half this often in a row is taken for one that grows for ever.
constexpr double kGrowthFactor = 1.5;
constexpr int kGrowthRounds = 10;
// So is one that would become this many times as long as it was and by so many bytes more: that is not even tried.
constexpr std::size_t kMaxGrowth = 32;
constexpr std::size_t kSpareBytes = 256U << 10U;

void mix(std::size_t& hash, std::size_t value) {
    hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
}

}  // namespace

Fixpoint::Fixpoint(const FixContext& context, std::vector<Analysis> inputs, std::vector<const Config*> configs)
    : context_(context), analyses_(std::move(inputs)), configs_(std::move(configs)) {
    for (const Analysis& analysis : analyses_) {
        const auto index = static_cast<FileIndex>(entries_.size());
        by_key_.emplace(key_of(analysis.source->path()), index);
        entries_.push_back({analysis.source->path(), analysis.source, analysis.source, {}, 0, 0, {}, {}});
        note_errors(analysis);
    }
}

const std::string& Fixpoint::key_of(const std::string& path) {
    const auto [at, fresh] = keys_.try_emplace(path);
    if (fresh) at->second = path_key(path);
    return at->second;
}

/// The entry of a file of a trace; none when it may not be edited or the trace is of another text than the present one.
std::optional<FileIndex> Fixpoint::entry_for(const std::shared_ptr<const text::Source>& source) {
    const std::string& key = key_of(source->path());
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) {
        const Entry& entry = entries_[found->second];
        const bool current = entry.now == source || entry.now->text() == source->text();
        return current ? std::optional(found->second) : std::nullopt;
    }
    if (!context_.editable.contains(source->path())) return std::nullopt;
    const auto index = static_cast<FileIndex>(entries_.size());
    by_key_.emplace(key, index);
    entries_.push_back({source->path(), source, source, {}, 0, 0, {}, {}});
    return index;
}

bool Fixpoint::parse_entry(FileIndex index) {
    Entry& entry = entries_[index];
    if (entry.parsed) return true;
    const bool is_input = index < analyses_.size();
    std::shared_ptr<const trace::SourceFile> file = is_input ? analyses_[index].file : nullptr;
    if (!file || file->source != entry.now) {
        auto parsed = context_.project.parse(entry.now, true);
        if (!parsed) return false;
        file = *std::move(parsed);
    }
    entry.parsed = CheckedFile::of(std::move(file));
    return true;
}

/// Files that import this one see its present text from here on.
void Fixpoint::show(Entry& entry) {
    if (!entry.overlay_before) entry.overlay_before = context_.project.overlay(entry.path);
    context_.project.set_overlay(entry.path, entry.now);
}

bool Fixpoint::is_quarantined(const rules::Finding& finding, const Analysis& analysis) {
    if (excluded_.contains(finding.rule)) return true;
    if (quarantined_.empty()) return false;
    const std::string& key = key_of(analysis.path(finding.location.file));
    return std::ranges::any_of(quarantined_, [&](const Quarantined& q) {
        return q.rule == finding.rule && q.range == finding.location.range && q.key == key;
    });
}

bool Fixpoint::add_candidate(const Chosen& chosen) {
    const Analysis& analysis = analyses_[chosen.analysis];
    const rules::Finding& finding = chosen.diagnosis->finding;
    const RuleEntry* rule = context_.pipeline.find(finding.rule);
    Candidate candidate;
    candidate.rule = finding.rule;
    candidate.priority = rule == nullptr ? 0 : rule->priority;
    candidate.phase = rule == nullptr ? 0 : rule->phase;
    if (candidate.phase < context_.options.first_phase || candidate.phase > context_.options.last_phase) return false;
    candidate.isolation = chosen.fix->isolation;
    candidate.origin = chosen_.size();
    for (const rules::FileEdit& edit : chosen.fix->edits) {
        const auto index = entry_for(analysis.sources[edit.file]);
        if (!index || !parse_entry(*index)) return false;
        candidate.edits.push_back({*index, {edit.range, edit.text}});
    }
    // Insertions at one point keep the order in which the rewriter gave them.
    std::stable_sort(candidate.edits.begin(), candidate.edits.end(), [](const PlacedEdit& a, const PlacedEdit& b) {
        return std::pair(a.file, a.edit.range) < std::pair(b.file, b.edit.range);
    });
    candidates_.push_back(std::move(candidate));
    chosen_.push_back(chosen);
    return true;
}

void Fixpoint::collect() {
    hold_back_fixes_that_others_read(analyses_);
    gather();
    if (context_.options.reviewer != nullptr) let_the_reviewer_decide();
}

void Fixpoint::gather() {
    candidates_.clear();
    chosen_.clear();
    for (std::size_t a = 0; a < analyses_.size(); ++a) {
        const Analysis& analysis = analyses_[a];
        for (const Diagnosis& diagnosis : analysis.findings) {
            const rules::Rewrite& rewrite = diagnosis.rewrite;
            std::optional<std::size_t> choice;
            if (context_.options.choose) {
                choice = context_.options.choose(diagnosis, analysis);
            } else if (is_wanted(diagnosis, *configs_[a], context_.options.threshold, context_.pipeline) &&
                       (!context_.options.in_scope || context_.options.in_scope(diagnosis, analysis))) {
                choice = 0;
            }
            if (!choice) continue;
            const rules::Fix* fix = nullptr;
            if (*choice == 0 && rewrite.fix) fix = &*rewrite.fix;
            if (*choice > 0 && *choice <= rewrite.alternatives.size()) fix = &rewrite.alternatives[*choice - 1];
            if (fix == nullptr || fix->applicability == rules::Applicability::suggestion || fix->edits.empty())
                continue;
            if (is_declined(diagnosis.finding, analysis)) continue;
            if (!is_quarantined(diagnosis.finding, analysis)) add_candidate({a, &diagnosis, fix});
        }
    }
    leave_kernels_to_their_own_files();
    let_the_first_phase_go();
}

/// A kernel's interface changes in one way. Its own file's analysis is the one that asks for all callers.
void Fixpoint::leave_kernels_to_their_own_files() {
    const auto place_of = [&](const Candidate& candidate) {
        const Chosen& chosen = chosen_[candidate.origin];
        const rules::Finding& finding = chosen.diagnosis->finding;
        return std::tuple(candidate.rule, key_of(analyses_[chosen.analysis].path(finding.location.file)),
                          finding.location.range, finding.subject);
    };
    const auto is_own = [&](const Candidate& candidate) {
        const Chosen& chosen = chosen_[candidate.origin];
        const Analysis& analysis = analyses_[chosen.analysis];
        return analysis.sources[chosen.diagnosis->finding.location.file] == analysis.source;
    };
    const auto is_about_kernel = [](const Candidate& candidate) { return candidate.isolation.starts_with("kernel "); };
    std::set<std::tuple<std::string_view, std::string, text::Range, std::uint32_t>> own;
    for (const Candidate& candidate : candidates_) {
        if (is_about_kernel(candidate) && is_own(candidate)) own.insert(place_of(candidate));
    }
    std::erase_if(candidates_, [&](const Candidate& candidate) {
        return is_about_kernel(candidate) && !is_own(candidate) && own.contains(place_of(candidate));
    });
}

/// The others are worked out again on what it leaves.
void Fixpoint::let_the_first_phase_go() {
    if (candidates_.empty()) return;
    const int first = std::ranges::min(candidates_, {}, &Candidate::phase).phase;
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.phase > first; });
}

/// Leaves the one fix that is accepted, if there is any. Those of the next phase are offered when all of the first are
/// decided on.
void Fixpoint::let_the_reviewer_decide() {
    edited_.reset();
    while (!candidates_.empty()) {
        std::vector<Offer> offers;
        std::vector<Chosen> chosen;
        std::set<std::tuple<std::string_view, std::string, text::Range, std::uint32_t>> seen;  // by two analyses
        for (const Candidate& candidate : candidates_) {
            const Chosen& one = chosen_[candidate.origin];
            const rules::Finding& finding = one.diagnosis->finding;
            const std::string& key = key_of(analyses_[one.analysis].path(finding.location.file));
            if (!seen.emplace(finding.rule, key, finding.location.range, finding.subject).second) continue;
            offers.push_back({one.diagnosis, &analyses_[one.analysis], one.fix});
            chosen.push_back(one);
        }
        Decision decision = context_.options.reviewer->decide(offers);
        for (const std::size_t index : decision.declined) {
            const rules::Finding& finding = chosen[index].diagnosis->finding;
            declined_.push_back({finding.rule, key_of(analyses_[chosen[index].analysis].path(finding.location.file)),
                                 finding.location.range, finding.subject});
        }
        candidates_.clear();
        chosen_.clear();
        if (decision.accepted) {
            Chosen accepted = chosen[*decision.accepted];
            edited_ = std::move(decision.edited);
            if (edited_) accepted.fix = &*edited_;
            add_candidate(accepted);
            return;
        }
        if (decision.declined.empty()) return;
        gather();
    }
}

bool Fixpoint::is_declined(const rules::Finding& finding, const Analysis& analysis) {
    if (declined_.empty()) return false;
    const std::string& key = key_of(analysis.path(finding.location.file));
    return std::ranges::any_of(declined_, [&](const Declined& d) {
        return d.rule == finding.rule && d.range == finding.location.range && d.subject == finding.subject &&
               d.key == key;
    });
}

Fixpoint::RoundEnd Fixpoint::round() {
    collect();
    if (candidates_.empty()) return RoundEnd::nothing_left;
    round_limit_ = std::max(round_limit_, rounds_.empty() ? 2 * candidates_.size() + kSpareRounds : 0);

    std::vector<std::string_view> texts;
    std::vector<CheckedFile> files(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        texts.push_back(entries_[i].now->text());
        if (entries_[i].parsed) files[i] = *entries_[i].parsed;
    }
    std::vector<AcceptedFix> accepted;
    for (const std::size_t index : merge(candidates_, texts).accepted) {
        const rules::Fix& fix = *chosen_[candidates_[index].origin].fix;
        accepted.push_back({index, fix.applicability != rules::Applicability::safe || fix.removes_comments,
                            candidates_[index].rule == kInvalidSuppression});
    }
    if (const auto rules = rules_that_flood(accepted); !rules.empty()) {
        exclude(StopReason::growth, rules);
        start_over();
        return RoundEnd::started_over;
    }
    const auto apply_accepted = [&] {
        const Timed timed(configs_.front()->timings, Stage::apply);
        return apply(context_.project.parser(), files, candidates_, accepted);
    };
    const Applied applied = apply_accepted();
    take(applied);
    if (!applied.candidates.empty()) return RoundEnd::applied;
    return applied.guilty.empty() ? RoundEnd::nothing_left : RoundEnd::refused;
}

/// The rules that would make a file too large to go on with; none if all stay within bounds.
std::set<std::string_view> Fixpoint::rules_that_flood(std::span<const AcceptedFix> accepted) const {
    std::map<FileIndex, std::map<std::string_view, std::int64_t>> growth;
    for (const AcceptedFix& fix : accepted) {
        const Candidate& candidate = candidates_[fix.candidate];
        for (const PlacedEdit& placed : candidate.edits) {
            growth[placed.file][candidate.rule] +=
                static_cast<std::int64_t>(placed.edit.text.size()) - placed.edit.range.size();
        }
    }
    std::set<std::string_view> rules;
    for (const auto& [file, by_rule] : growth) {
        std::int64_t total = 0;
        for (const auto& [rule, bytes] : by_rule) total += bytes;
        const Entry& entry = entries_[file];
        const auto limit = static_cast<std::int64_t>(kMaxGrowth * entry.original->text().size() + kSpareBytes);
        if (static_cast<std::int64_t>(entry.now->text().size()) + total <= limit) continue;
        for (const auto& [rule, bytes] : by_rule) {
            if (bytes * static_cast<std::int64_t>(by_rule.size()) >= total)
                rules.insert(rule);  // an even share or more
        }
    }
    return rules;
}

void Fixpoint::take(const Applied& applied) {
    // Places of earlier rounds first: the new ones are of the old text and move with it too.
    for (const GuiltyFix& guilty : applied.guilty) {
        if (context_.options.reviewer != nullptr) context_.options.reviewer->refused(guilty.what);
        if (edited_) continue;  // what a person wrote is no fault of the rule, and they are asked again
        const Chosen& chosen = chosen_[candidates_[guilty.candidate].origin];
        const rules::Location& place = chosen.diagnosis->finding.location;
        quarantined_.push_back({chosen.diagnosis->finding.rule, key_of(analyses_[chosen.analysis].path(place.file)),
                                place.range, guilty.what});
    }
    for (Quarantined& q : quarantined_) {
        const auto entry = by_key_.find(q.key);
        const auto edits = entry == by_key_.end() ? applied.edits.end() : applied.edits.find(entry->second);
        if (edits != applied.edits.end()) q.range = edits->second.map_range(q.range);
    }
    for (Declined& d : declined_) {
        const auto entry = by_key_.find(d.key);
        const auto edits = entry == by_key_.end() ? applied.edits.end() : applied.edits.find(entry->second);
        if (edits != applied.edits.end()) d.range = edits->second.map_range(d.range);
    }
    if (applied.candidates.empty()) return;
    quarantine_is_stale_ = !quarantined_.empty();

    Round round;
    std::set<std::tuple<std::string_view, std::string, text::Range>> counted;  // two analyses may see one finding
    for (const std::size_t index : applied.candidates) {
        const Chosen& chosen = chosen_[candidates_[index].origin];
        const rules::Finding& finding = chosen.diagnosis->finding;
        const std::string& key = key_of(analyses_[chosen.analysis].path(finding.location.file));
        std::set<FileIndex> files;
        for (const PlacedEdit& placed : candidates_[index].edits) files.insert(placed.file);
        if (files.size() > 1) by_one_fix_.insert(std::move(files));
        if (!counted.emplace(finding.rule, key, finding.location.range).second) continue;
        ++round.applied[finding.rule];
        for (const PlacedEdit& placed : candidates_[index].edits) {
            round.growth[{finding.rule, placed.file}] +=
                static_cast<std::int64_t>(placed.edit.text.size()) - placed.edit.range.size();
        }
    }
    rounds_.push_back(std::move(round));

    std::set<std::string> changed;
    for (const auto& [index, file] : applied.files) {
        Entry& entry = entries_[index];
        const auto old_size = static_cast<double>(entry.now->text().size());
        // Back at the first text is back at the first state: comes_back() has to see it.
        entry.now = file.file->text() == entry.original->text() ? entry.original : file.file->source;
        entry.parsed = file;
        entry.hash = std::hash<std::string_view>{}(entry.now->text());
        const bool grew = static_cast<double>(entry.now->text().size()) >= kGrowthFactor * old_size;
        entry.growth_streak = grew ? entry.growth_streak + 1 : 0;
        const auto step = applied.edits.find(index);
        if (step != applied.edits.end()) entry.steps.push_back(step->second);
        show(entry);
        changed.insert(key_of(entry.path));
    }
    analyse_changed(changed);
}

void Fixpoint::analyse_changed(const std::set<std::string>& changed) {
    for (std::size_t i = 0; i < analyses_.size(); ++i) {
        Analysis& analysis = analyses_[i];
        const bool dirty = std::ranges::any_of(
            analysis.sources, [&](const auto& source) { return changed.contains(key_of(source->path())); });
        if (!dirty) continue;
        const Entry& entry = entries_[i];
        if (entry.parsed && mentions_pypto(entry.now->text())) {
            analysis = analyse(context_.project, entry.parsed->file, *configs_[i], context_.pipeline);
        } else {
            analysis = analyse(context_.project, entry.now, *configs_[i], context_.pipeline);
        }
        hold_back_fixes_outside(analysis, context_.editable);
        note_errors(analysis);
    }
}

void Fixpoint::note_error(InternalError error) {
    const bool known = std::ranges::any_of(result_.errors, [&](const InternalError& e) {
        return e.rule == error.rule && e.path == error.path && e.detail == error.detail;
    });
    if (!known) result_.errors.push_back(std::move(error));
}

void Fixpoint::note_errors(const Analysis& analysis) {
    for (const InternalError& error : analysis.errors) note_error(error);
}

std::size_t Fixpoint::state_hash() const {
    std::size_t hash = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        // A text that is the original counts for nothing, so that an entry that joins late does not change the state.
        if (entries_[i].now == entries_[i].original) continue;
        mix(hash, i);
        mix(hash, entries_[i].hash);
    }
    return hash;
}

/// Has this state been there before? Then the rules applied since undo each other: they are left out from here on,
/// where the text is that of the first state of the cycle.
bool Fixpoint::comes_back() {
    const auto [at, fresh] = seen_.try_emplace(state_hash(), rounds_.size());
    if (fresh) return false;
    std::set<std::string_view> rules;
    for (std::size_t i = at->second; i < rounds_.size(); ++i) {
        for (const auto& [rule, count] : rounds_[i].applied) rules.insert(rule);
    }
    rounds_.resize(at->second);  // what the cycle did is undone by itself
    steps_are_whole_ = false;
    exclude(StopReason::cycle, rules);
    seen_.emplace(state_hash(), rounds_.size());
    return true;
}

/// Does the text grow, or the work go on, without end? Then the rules that drive it are left out and all is done over.
bool Fixpoint::runs_away() {
    const auto last = std::span(rounds_).last(std::min<std::size_t>(rounds_.size(), kGrowthRounds));
    std::set<std::string_view> rules;
    const auto growing =
        std::ranges::find_if(entries_, [](const Entry& e) { return e.growth_streak >= kGrowthRounds; });
    if (growing != entries_.end()) {
        const auto file = static_cast<FileIndex>(growing - entries_.begin());
        for (const auto& [where, bytes] : last.back().growth) {
            const bool always = std::ranges::all_of(last, [&](const Round& round) {
                const auto at = round.growth.find(where);
                return at != round.growth.end() && at->second > 0;
            });
            if (where.second == file && bytes > 0 && always) rules.insert(where.first);
        }
    } else if (rounds_.size() < round_limit_) {
        return false;
    }
    if (rules.empty()) {
        for (const auto& [rule, count] : last.back().applied) {
            if (std::ranges::all_of(last, [&](const Round& round) { return round.applied.contains(rule); })) {
                rules.insert(rule);
            }
        }
    }
    if (rules.empty()) {
        for (const auto& [rule, count] : last.back().applied) rules.insert(rule);
    }
    exclude(growing != entries_.end() ? StopReason::growth : StopReason::round_limit, rules);
    start_over();
    return true;
}

void Fixpoint::exclude(StopReason reason, const std::set<std::string_view>& rules) {
    if (result_.stop == StopReason::no_more_fixes) result_.stop = reason;
    for (const std::string_view rule : rules) {
        if (excluded_.insert(rule).second) result_.stop_rules.push_back(rule);
    }
    std::ranges::sort(result_.stop_rules);
    seen_.clear();
}

void Fixpoint::start_over() {
    std::set<std::string> changed;
    for (Entry& entry : entries_) {
        if (entry.now == entry.original) continue;
        entry.now = entry.original;
        entry.parsed.reset();
        entry.hash = 0;
        entry.growth_streak = 0;
        entry.steps.clear();
        show(entry);
        changed.insert(key_of(entry.path));
    }
    rounds_.clear();
    by_one_fix_.clear();
    declined_.clear();  // of a text that is no more
    quarantined_.clear();
    quarantine_is_stale_ = false;
    round_limit_ = 0;
    analyse_changed(changed);
    seen_.emplace(state_hash(), 0);
}

void Fixpoint::run() {
    seen_.emplace(state_hash(), 0);
    while (true) {
        const RoundEnd end = round();
        if (end == RoundEnd::nothing_left) {
            // In another text a fix may be sound that was not: a second run would try it, so this one does.
            if (!quarantine_is_stale_) break;
            quarantined_.clear();
            quarantine_is_stale_ = false;
        } else if (end == RoundEnd::applied && !comes_back()) {
            runs_away();
        }
    }
    check_final_texts();
}

/// The rounds re-parsed what changed. The texts that leave are parsed once as a whole; they must be as sound.
void Fixpoint::check_final_texts() {
    for (const Entry& entry : entries_) {
        if (entry.now == entry.original) continue;
        const auto before = context_.project.parser().parse(entry.original->text());
        const auto now = context_.project.parser().parse(entry.now->text());
        if (before && now && !worse(examine(entry.original->text(), *before), examine(entry.now->text(), *now)))
            continue;
        std::set<std::string_view> rules;
        for (const Round& round : rounds_) {
            for (const auto& [rule, count] : round.applied) rules.insert(rule);
        }
        for (const std::string_view rule : rules) {
            note_error({rule, entry.path, {}, "the file as a whole does not parse as well as before"});
        }
        start_over();
        return;
    }
}

/// In a file that Python refuses as it is, a refusal says nothing about the fix: how the grammar recovers from an error
/// depends on text far from it, and what a fix carries along may be what was faulty. It is held back and no fault of
/// its rule.
bool Fixpoint::hold_back_in_broken_file(const Quarantined& refused) {
    const auto entry = by_key_.find(refused.key);
    if (entry == by_key_.end() || !entries_[entry->second].parsed) return false;
    const CheckedFile& file = *entries_[entry->second].parsed;
    if (file.file->tree.error_count() == 0 && !file.health.any()) return false;
    for (Analysis& analysis : analyses_) {
        for (Diagnosis& diagnosis : analysis.findings) {
            const rules::Finding& finding = diagnosis.finding;
            if (!diagnosis.rewrite.fix || finding.rule != refused.rule || finding.location.range != refused.range ||
                key_of(analysis.path(finding.location.file)) != refused.key) {
                continue;
            }
            diagnosis.rewrite.fix->applicability = rules::Applicability::suggestion;
            diagnosis.rewrite.blocked = rules::Blocked{{kBlockedByBrokenCode, {}}, std::nullopt};
        }
    }
    return true;
}

FixResult Fixpoint::result() && {
    result_.rounds = static_cast<std::uint32_t>(rounds_.size());
    for (const Round& round : rounds_) {
        for (const auto& [rule, count] : round.applied) result_.applied[rule] += count;
    }
    for (const Quarantined& q : quarantined_) {
        if (hold_back_in_broken_file(q)) continue;
        const auto entry = by_key_.find(q.key);
        const std::string& path = entry == by_key_.end() ? q.key : entries_[entry->second].path;
        note_error({q.rule, path, q.range, "its fix would leave " + q.what});
    }
    for (const Entry& entry : entries_) {
        if (entry.overlay_before) context_.project.set_overlay(entry.path, *entry.overlay_before);
        if (entry.now == entry.original) continue;
        if (result_.groups.empty()) result_.groups.push_back({{}, result_.applied, {}});
        result_.groups.front().paths.push_back(entry.path);
        result_.files.push_back({entry.path, entry.original, std::string(entry.now->text()),
                                 steps_are_whole_ ? entry.steps : std::vector<text::Edits>()});
    }
    for (const std::set<FileIndex>& files : by_one_fix_) {
        if (result_.groups.empty()) break;
        std::vector<std::string>& paths = result_.groups.front().by_one_fix.emplace_back();
        for (const FileIndex file : files) paths.push_back(entries_[file].path);
    }
    // Their files may be gone from the project, and a tree with its parse state is large.
    for (Analysis& analysis : analyses_) {
        analysis.trace.reset();
        analysis.file.reset();
    }
    result_.remaining = std::move(analyses_);
    return std::move(result_);
}

}  // namespace ptofix::fixing
