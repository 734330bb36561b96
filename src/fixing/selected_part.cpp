#include "fixing/selected_part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "fixing/blocked.h"
#include "fixing/health.h"
#include "fixing/shared_edits.h"
#include "text/edit.h"

namespace ptofix::fixing {

namespace {

// What a later phase uncovers for an earlier one; far more than rules that come to rest ever need.
constexpr int kTurns = 8;

bool is_selected(const RuleEntry& rule, const Config& config) {
    const auto selects_rule = [&](const std::string& selector) { return selects(selector, rule); };
    return (config.selected.empty() || std::ranges::any_of(config.selected, selects_rule)) &&
           std::ranges::none_of(config.ignored, selects_rule);
}

/// The place in the text before `step` of a range of the text after it; none where the step wrote any of it, or where
/// an insertion would stand beside what it wrote.
std::optional<text::Range> place_before(const text::Edits& step, text::Range range) {
    std::int64_t grown = 0;  // by the edits in front of the range
    for (const text::Edit& edit : step.items()) {
        const std::int64_t start = edit.range.start + grown;
        const std::int64_t end = start + static_cast<std::int64_t>(edit.text.size());
        if (start > range.end || (start == range.end && !range.empty())) break;
        const bool in_front = end < range.start || (end == range.start && !range.empty());
        if (!in_front) return std::nullopt;
        grown += static_cast<std::int64_t>(edit.text.size()) - edit.range.size();
    }
    return text::Range{static_cast<std::uint32_t>(range.start - grown), static_cast<std::uint32_t>(range.end - grown)};
}

class SelectedPart {
  public:
    SelectedPart(const FixContext& context, std::vector<Analysis> inputs, std::vector<const Config*> configs)
        : context_(context), analyses_(std::move(inputs)), configs_(std::move(configs)) {
        for (const Config* config : configs_) {
            Config all = *config;
            all.selected.clear();
            every_rule_.push_back(std::move(all));
        }
        for (const RuleEntry& rule : context_.pipeline.rules) phases_.insert(rule.phase);
    }

    FixResult run() {
        for (int turn = 0; turn < kTurns; ++turn) {
            bool changed = false;
            for (const int phase : phases_) changed = take(phase) || changed;
            if (!changed) break;
        }
        hold_back_fixes_that_others_read(analyses_);
        hold_back_what_others_take_away();
        return finish();
    }

  private:
    struct Written {
        std::shared_ptr<const text::Source> original;
        std::shared_ptr<const text::Source> now;
        std::optional<std::shared_ptr<const text::Source>> overlay_before;
    };
    using Texts = std::map<std::string, std::string>;  // by path

    bool has_work(int phase) const {
        for (std::size_t i = 0; i < analyses_.size(); ++i) {
            for (const Diagnosis& diagnosis : analyses_[i].findings) {
                const RuleEntry* rule = context_.pipeline.find(diagnosis.finding.rule);
                if (rule != nullptr && rule->phase == phase && wanted(i, diagnosis)) return true;
            }
        }
        return false;
    }
    bool wanted(std::size_t input, const Diagnosis& diagnosis) const {
        return is_wanted(diagnosis, *configs_[input], context_.options.threshold, context_.pipeline) &&
               (!context_.options.in_scope || context_.options.in_scope(diagnosis, analyses_[input]));
    }

    std::vector<Analysis> analyse_all(bool every_rule) const {
        std::vector<Analysis> fresh;
        for (std::size_t i = 0; i < analyses_.size(); ++i) {
            const std::string& path = analyses_[i].source->path();
            const auto shown = context_.project.overlay(path);
            const Config& config = every_rule ? every_rule_[i] : *configs_[i];
            fresh.push_back(analyse(context_.project, shown ? shown : analyses_[i].source, config, context_.pipeline));
            hold_back_fixes_outside(fresh.back(), context_.editable);
        }
        return fresh;
    }

    FixResult fix(bool every_rule, int first_phase, int last_phase) const {
        FixOptions options = context_.options;
        options.first_phase = first_phase;
        options.last_phase = last_phase;
        const FixContext context{context_.project, options, context_.pipeline, context_.editable};
        std::vector<const Config*> configs = configs_;
        if (every_rule) {
            for (std::size_t i = 0; i < configs.size(); ++i) configs[i] = &every_rule_[i];
        }
        Fixpoint fixpoint(context, analyse_all(every_rule), std::move(configs));
        fixpoint.run();
        return std::move(fixpoint).result();
    }

    /// One phase of the selected rules on the present texts. Did it change any?
    bool take(int phase) {
        if (!has_work(phase)) return false;
        if (phase == *phases_.begin()) return write(fix(false, phase, phase));
        FixResult ahead = fix(true, *phases_.begin(), phase - 1);
        if (ahead.files.empty()) return write(fix(false, phase, phase));
        for (const auto& [rule, count] : ahead.applied) others_.insert(rule);
        FixResult beyond = fix_beyond(ahead, phase);
        if (beyond.files.empty()) return false;
        const std::optional<Texts> texts = carried_over(ahead, beyond);
        if (!texts) return write(fix(false, phase, phase));
        for (FixedFile& file : beyond.files) file.text = texts->at(file.path);
        return write(std::move(beyond));
    }

    /// What the selected rules do in the texts that the others lead to.
    FixResult fix_beyond(const FixResult& ahead, int phase) const {
        std::vector<std::pair<std::string, std::shared_ptr<const text::Source>>> present;
        for (const FixedFile& file : ahead.files) {
            present.emplace_back(file.path, context_.project.overlay(file.path));
            context_.project.set_overlay(file.path, with_text(*file.original, file.text));
        }
        FixResult beyond = fix(false, phase, phase);
        for (auto& [path, source] : present) context_.project.set_overlay(path, std::move(source));
        return beyond;
    }

    static std::shared_ptr<const text::Source> with_text(const text::Source& like, std::string_view text) {
        auto bytes = like.encode(text);
        if (!bytes) return nullptr;
        auto source = text::Source::from_bytes(like.path(), *std::move(bytes));
        return source ? std::make_shared<const text::Source>(*std::move(source)) : nullptr;
    }

    /// The present texts with the edits of `beyond`; none if one of these lies in what `ahead` wrote.
    std::optional<Texts> carried_over(const FixResult& ahead, const FixResult& beyond) const {
        Texts texts;
        for (const FixedFile& file : beyond.files) {
            const auto before = std::ranges::find(ahead.files, file.path, &FixedFile::path);
            std::vector<const text::Edits*> steps;
            if (before != ahead.files.end()) {
                if (before->steps.empty()) return std::nullopt;
                for (const text::Edits& step : before->steps) steps.push_back(&step);
            }
            const text::Source& present = before != ahead.files.end() ? *before->original : *file.original;
            std::vector<text::Edit> edits;
            if (file.steps.empty()) return std::nullopt;
            for (const text::Edits& step : file.steps) {
                for (const text::Edit& edit : step.items()) {
                    std::optional<text::Range> place = edit.range;
                    for (std::size_t i = steps.size(); i-- > 0 && place;) place = place_before(*steps[i], *place);
                    if (!place) return std::nullopt;
                    edits.push_back({*place, edit.text});
                }
                steps.push_back(&step);
            }
            std::ranges::stable_sort(edits, {}, &text::Edit::range);
            const auto made = text::Edits::make(std::move(edits), present.text().size());
            if (!made) return std::nullopt;
            std::string text = made->apply(present.text());
            if (!is_sound(present.text(), text)) return std::nullopt;
            texts.emplace(file.path, std::move(text));
        }
        return texts;
    }

    bool is_sound(std::string_view before, std::string_view now) const {
        const auto old_tree = context_.project.parser().parse(before);
        const auto new_tree = context_.project.parser().parse(now);
        return old_tree && new_tree && !worse(examine(before, *old_tree), examine(now, *new_tree));
    }

    bool write(FixResult part) {
        if (total_.stop == StopReason::no_more_fixes) total_.stop = part.stop;
        for (const std::string_view rule : part.stop_rules) {
            if (std::ranges::find(total_.stop_rules, rule) == total_.stop_rules.end())
                total_.stop_rules.push_back(rule);
        }
        for (InternalError& error : part.errors) {
            if (std::ranges::find(total_.errors, error) == total_.errors.end())
                total_.errors.push_back(std::move(error));
        }
        for (AppliedTogether& group : part.groups) std::ranges::move(group.by_one_fix, std::back_inserter(by_one_fix_));
        if (part.files.empty()) return false;
        total_.rounds += part.rounds;
        for (const auto& [rule, count] : part.applied) total_.applied[rule] += count;
        for (const FixedFile& file : part.files) {
            Written& written = written_[file.path];
            if (!written.original) {
                const auto input =
                    std::ranges::find(analyses_, file.path, [](const Analysis& a) { return a.source->path(); });
                written.original = input != analyses_.end() ? input->source : file.original;
                written.overlay_before = context_.project.overlay(file.path);
            }
            written.now =
                file.text == written.original->text() ? written.original : with_text(*written.original, file.text);
            context_.project.set_overlay(file.path, written.now);
        }
        analyses_ = analyse_all(false);
        return true;
    }

    void hold_back_what_others_take_away() {
        if (others_.empty()) return;
        for (std::size_t i = 0; i < analyses_.size(); ++i) {
            for (Diagnosis& diagnosis : analyses_[i].findings) {
                const RuleEntry* rule = context_.pipeline.find(diagnosis.finding.rule);
                if (rule == nullptr || rule->phase == *phases_.begin() || !wanted(i, diagnosis)) continue;
                rules::Data data;
                data.set("rules", fmt::format("{}", fmt::join(others_, ", ")));
                diagnosis.rewrite.fix->applicability = rules::Applicability::suggestion;
                diagnosis.rewrite.blocked = rules::Blocked{{kBlockedByOtherRules, std::move(data)}, std::nullopt};
            }
        }
    }

    FixResult finish() {
        for (auto& [path, written] : written_) {
            context_.project.set_overlay(path, *written.overlay_before);
            if (written.now == written.original) continue;
            if (total_.groups.empty()) total_.groups.push_back({{}, total_.applied, by_one_fix_});
            total_.groups.front().paths.push_back(path);
            total_.files.push_back({path, written.original, std::string(written.now->text()), {}});
        }
        for (Analysis& analysis : analyses_) {
            for (const InternalError& error : analysis.errors) {
                if (std::ranges::find(total_.errors, error) == total_.errors.end()) total_.errors.push_back(error);
            }
            analysis.trace.reset();
            analysis.file.reset();
        }
        total_.remaining = std::move(analyses_);
        return std::move(total_);
    }

    const FixContext& context_;
    std::vector<Analysis> analyses_;  // of the present texts
    std::vector<const Config*> configs_;
    std::vector<Config> every_rule_;  // the same with nothing left out that was not ignored
    std::set<int> phases_;
    std::map<std::string, Written> written_;  // by path
    std::set<std::string_view> others_;       // rules that fix something in front of a selected one
    std::vector<std::vector<std::string>> by_one_fix_;
    FixResult total_;
};

}  // namespace

bool leaves_out_earlier_phases(const Config& config, const Pipeline& pipeline) {
    if (config.selected.empty()) return false;
    return std::ranges::any_of(pipeline.rules, [&](const RuleEntry& late) {
        return is_selected(late, config) && std::ranges::any_of(pipeline.rules, [&](const RuleEntry& early) {
                   return early.phase < late.phase && !is_selected(early, config);
               });
    });
}

FixResult fix_selected(const FixContext& context, std::vector<Analysis> inputs, std::vector<const Config*> configs) {
    return SelectedPart(context, std::move(inputs), std::move(configs)).run();
}

}  // namespace ptofix::fixing
