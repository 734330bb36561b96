// Rounds of analysing, merging and applying over files that belong together (one imports the other), until nothing is
// left to fix or the rules turn out not to come to rest. fix_all.cpp starts one for each such group of files.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fixing/apply.h"
#include "fixing/editable_files.h"
#include "fixing/fix_all.h"

namespace ptofix::fixing {

/// What all groups of a run share.
struct FixContext {
    trace::Project& project;
    const FixOptions& options;
    const Pipeline& pipeline;
    const EditableFiles& editable;
};

class Fixpoint {
  public:
    /// `inputs`: analyses of the files of the group before anything is changed, each with its configuration.
    Fixpoint(const FixContext& context, std::vector<Analysis> inputs, std::vector<const Config*> configs);

    void run();

    /// FixResult of this group alone; remaining in the order of the inputs.
    FixResult result() &&;

  private:
    struct Entry {
        std::string path;
        std::shared_ptr<const text::Source> original;
        std::shared_ptr<const text::Source> now;
        std::optional<CheckedFile> parsed;  // of `now`, once it is edited
        std::size_t hash = 0;
        int growth_streak = 0;
        std::vector<text::Edits> steps = {};  // from the original to the present text
        /// What stood for the path in the project before the first edit, to be put back at the end.
        std::optional<std::shared_ptr<const text::Source>> overlay_before;
    };
    /// A fix that broke something is not tried again at its place.
    struct Quarantined {
        std::string_view rule;
        std::string key;    // of the finding's file
        text::Range range;  // in that file's present text
        std::string what;
    };
    /// What a reviewer has declined, and where it is by now.
    struct Declined {
        std::string_view rule;
        std::string key;  // of the finding's file
        text::Range range;
        std::uint32_t subject;
    };
    struct Chosen {
        std::size_t analysis;
        const Diagnosis* diagnosis;
        const rules::Fix* fix;
    };
    /// What one round did, for naming the rules that do not come to rest.
    struct Round {
        std::map<std::string_view, std::uint32_t> applied;
        std::map<std::pair<std::string_view, FileIndex>, std::int64_t> growth;  // bytes
    };

    enum class RoundEnd : std::uint8_t {
        nothing_left,  // no fix that could be applied
        applied,
        refused,  // each one would have broken something, and is in quarantine
        started_over,
    };

    std::optional<FileIndex> entry_for(const std::shared_ptr<const text::Source>& source);
    bool parse_entry(FileIndex index);
    void show(Entry& entry);
    void collect();
    void gather();
    void leave_kernels_to_their_own_files();
    void let_the_first_phase_go();
    void let_the_reviewer_decide();
    bool is_declined(const rules::Finding& finding, const Analysis& analysis);
    bool add_candidate(const Chosen& chosen);
    bool is_quarantined(const rules::Finding& finding, const Analysis& analysis);
    bool hold_back_in_broken_file(const Quarantined& refused);
    RoundEnd round();
    std::set<std::string_view> rules_that_flood(std::span<const AcceptedFix> accepted) const;
    void take(const Applied& applied);
    void analyse_changed(const std::set<std::string>& changed);
    void note_error(InternalError error);
    void note_errors(const Analysis& analysis);
    std::size_t state_hash() const;
    bool comes_back();
    bool runs_away();
    void exclude(StopReason reason, const std::set<std::string_view>& rules);
    void start_over();
    void check_final_texts();
    const std::string& key_of(const std::string& path);

    const FixContext& context_;
    std::vector<Analysis> analyses_;
    std::vector<const Config*> configs_;  // of the analyses
    std::vector<Entry> entries_;
    std::unordered_map<std::string, FileIndex> by_key_;
    std::unordered_map<std::string, std::string> keys_;  // path -> key
    std::vector<Candidate> candidates_;
    std::vector<Chosen> chosen_;
    std::vector<Quarantined> quarantined_;
    std::vector<Declined> declined_;
    std::optional<rules::Fix> edited_;  // what a reviewer made of the fix that is tried now
    bool quarantine_is_stale_ = false;  // the text has changed since
    std::set<std::string_view> excluded_;
    std::vector<Round> rounds_;
    std::set<std::set<FileIndex>> by_one_fix_;           // where one fix changed several files
    std::unordered_map<std::size_t, std::size_t> seen_;  // state -> how many rounds led to it
    std::size_t round_limit_ = 0;
    bool steps_are_whole_ = true;  // no round was taken back
    FixResult result_;
};

}  // namespace ptofix::fixing
