#include "fixing/fix_all.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>
#include <unordered_map>

#include "fixing/editable_files.h"
#include "fixing/fixpoint.h"
#include "fixing/given_files.h"
#include "fixing/selected_part.h"
#include "text/parallel.h"

namespace ptofix::fixing {

namespace {

/// Inputs whose traces have a file in common that may be edited belong together. Groups in the order of their first
/// input.
std::vector<std::vector<std::size_t>> group(const std::vector<Analysis>& analyses, const EditableFiles& editable) {
    std::vector<std::size_t> leader(analyses.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
        while (leader[i] != i) i = leader[i] = leader[leader[i]];
        return i;
    };
    std::unordered_map<std::string, std::string> keys;  // by path; empty for a file that may not be edited
    std::unordered_map<std::string, std::size_t> first_user;
    for (std::size_t i = 0; i < analyses.size(); ++i) {
        for (const auto& source : analyses[i].sources) {
            const auto [key, unknown] = keys.try_emplace(source->path());
            if (unknown && editable.contains(source->path())) key->second = path_key(source->path());
            if (key->second.empty()) continue;
            const auto [at, fresh] = first_user.try_emplace(key->second, i);
            const std::size_t a = find(at->second), b = find(i);
            leader[std::max(a, b)] = std::min(a, b);
        }
    }
    std::vector<std::vector<std::size_t>> groups;
    std::vector<std::size_t> group_of(analyses.size(), SIZE_MAX);
    for (std::size_t i = 0; i < analyses.size(); ++i) {
        std::size_t& slot = group_of[find(i)];
        if (slot == SIZE_MAX) {
            slot = groups.size();
            groups.emplace_back();
        }
        groups[slot].push_back(i);
    }
    return groups;
}

void add(FixResult& total, FixResult&& part) {
    std::ranges::move(part.files, std::back_inserter(total.files));
    if (total.stop == StopReason::no_more_fixes) total.stop = part.stop;
    total.stop_rules.insert(total.stop_rules.end(), part.stop_rules.begin(), part.stop_rules.end());
    std::ranges::sort(total.stop_rules);
    const auto repeated = std::ranges::unique(total.stop_rules);
    total.stop_rules.erase(repeated.begin(), repeated.end());
    total.rounds = std::max(total.rounds, part.rounds);
    for (const auto& [rule, count] : part.applied) total.applied[rule] += count;
    std::ranges::move(part.groups, std::back_inserter(total.groups));
    std::ranges::move(part.errors, std::back_inserter(total.errors));
}

bool is_fixable(const Analysis& analysis) {
    return std::ranges::any_of(analysis.findings, [](const Diagnosis& diagnosis) {
        return diagnosis.rewrite.fix || !diagnosis.rewrite.alternatives.empty();
    });
}

FixResult fix_group(const FixContext& context, std::vector<Analysis> members, std::vector<const Config*> configs) {
    const FixOptions& options = context.options;
    const bool asks = options.choose || options.reviewer != nullptr;
    const bool leaves_out = !asks && std::ranges::any_of(configs, [&](const Config* config) {
        return leaves_out_earlier_phases(*config, context.pipeline);
    });
    if (leaves_out) return fix_selected(context, std::move(members), std::move(configs));
    Fixpoint fixpoint(context, std::move(members), std::move(configs));
    fixpoint.run();
    return std::move(fixpoint).result();
}

/// The project of the run for its own thread, one beside it for any other.
class ThreadProject {
  public:
    ThreadProject(trace::Project& shared, std::thread::id owner) : shared_(shared) {
        if (std::this_thread::get_id() != owner) own_ = std::make_unique<trace::Project>(shared.parsed_files());
    }
    trace::Project& get() { return own_ ? *own_ : shared_; }

  private:
    trace::Project& shared_;
    std::unique_ptr<trace::Project> own_;
};

}  // namespace

std::string_view name_of(StopReason reason) {
    switch (reason) {
        case StopReason::no_more_fixes:
            return "no_more_fixes";
        case StopReason::cycle:
            return "cycle";
        case StopReason::growth:
            return "growth";
        case StopReason::round_limit:
            return "round_limit";
    }
    return {};
}

bool is_wanted(const Diagnosis& diagnosis, const Config& config, rules::Applicability threshold,
               const Pipeline& pipeline) {
    const auto& fix = diagnosis.rewrite.fix;
    if (!fix || fix->applicability < threshold || fix->applicability == rules::Applicability::suggestion) return false;
    if (!rules::waits_for_name(diagnosis.finding)) return true;
    const RuleEntry* rule = pipeline.find(diagnosis.finding.rule);
    return rule != nullptr &&
           std::ranges::any_of(config.selected, [&](const std::string& s) { return names(s, *rule); });
}

FixResult fix_all(trace::Project& project, std::span<const std::shared_ptr<const text::Source>> inputs,
                  const Config& config, const FixOptions& options, const Pipeline& pipeline) {
    std::vector<FixInput> all;
    for (const auto& source : inputs) all.push_back({source, &config});
    return fix_all(project, all, options, pipeline);
}

FixResult fix_all(trace::Project& project, std::span<const FixInput> inputs, const FixOptions& options,
                  const Pipeline& pipeline) {
    EditableFiles editable;
    for (const std::string& path : options.also_editable) editable.add(path);
    for (const FixInput& input : inputs) editable.add(input.source->path());

    const auto given = std::make_shared<GivenFiles>();
    for (const std::string& path : options.also_editable) given->add(path);
    for (const FixInput& input : inputs) given->add(input.source);
    std::map<const Config*, Config> with_given;  // each configuration, and what the run was given
    for (const FixInput& input : inputs) {
        const auto [config, fresh] = with_given.try_emplace(input.config, *input.config);
        if (!fresh) continue;
        config->second.given = given;
        config->second.edit_callers = options.edit_callers && options.threshold != rules::Applicability::safe;
    }

    const std::thread::id owner = std::this_thread::get_id();
    std::vector<FixInput> own;
    std::set<std::string> seen;  // one file by two paths is one input
    for (const FixInput& input : inputs) {
        if (!seen.insert(path_key(input.source->path())).second) continue;
        own.push_back({input.source, &with_given.at(input.config)});
    }
    std::vector<Analysis> analyses(own.size());
    text::in_parallel(own.size(), options.jobs, [&] {
        return [&, mine = ThreadProject(project, owner)](std::size_t i) mutable {
            const auto& [source, config] = own[i];
            analyses[i] = options.look ? options.look(mine.get(), source, *config)
                                       : analyse(mine.get(), source, *config, pipeline);
            hold_back_fixes_outside(analyses[i], editable);
            // Of a large run most files need no fix: what was needed to find that out goes at once.
            analyses[i].trace.reset();
            if (!is_fixable(analyses[i])) analyses[i].file.reset();
        };
    });
    if (std::ranges::none_of(analyses, is_fixable)) {
        FixResult nothing;
        for (const Analysis& analysis : analyses)
            std::ranges::copy(analysis.errors, std::back_inserter(nothing.errors));
        nothing.remaining = std::move(analyses);
        return nothing;
    }

    const std::vector<std::vector<std::size_t>> groups = group(analyses, editable);
    std::vector<FixResult> parts(groups.size());
    text::in_parallel(groups.size(), options.choose || options.reviewer != nullptr ? 1 : options.jobs, [&] {
        return [&, mine = ThreadProject(project, owner)](std::size_t g) mutable {
            std::vector<Analysis> members;
            std::vector<const Config*> configs;
            for (const std::size_t i : groups[g]) {
                members.push_back(std::move(analyses[i]));
                configs.push_back(own[i].config);
            }
            parts[g] = fix_group({mine.get(), options, pipeline, editable}, std::move(members), std::move(configs));
        };
    });
    FixResult total;
    std::vector<Analysis> remaining(analyses.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t i = 0; i < groups[g].size(); ++i) remaining[groups[g][i]] = std::move(parts[g].remaining[i]);
        add(total, std::move(parts[g]));
    }
    const auto rank = [&](const FixedFile& file) {
        const auto at = std::ranges::find(inputs, file.path, [](const auto& input) { return input.source->path(); });
        return std::pair(at - inputs.begin(), file.path);
    };
    std::ranges::sort(total.files, {}, rank);
    total.remaining = std::move(remaining);
    return total;
}

}  // namespace ptofix::fixing
