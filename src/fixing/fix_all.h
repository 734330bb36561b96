// Applies fixes until nothing is left to fix: what --apply writes, --diff prints and an editor's fix-all makes. Nothing
// is written to disk here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fixing/analysis.h"
#include "text/edit.h"

namespace ptofix::fixing {

class Reviewer;  // fixing/review.h

/// Which of a finding's rewrites to apply: 0 the fix, 1 the first alternative ...; nullopt: none. Asked in every round.
using Chooser = std::function<std::optional<std::size_t>(const Diagnosis&, const Analysis&)>;

/// How a file is looked at before anything is changed: analyse(), or what answers in its place. Asked by several
/// threads.
using Look = std::function<Analysis(trace::Project&, const std::shared_ptr<const text::Source>&, const Config&)>;

struct FixOptions {
    rules::Applicability threshold = rules::Applicability::safe;
    /// May unsafe fixes edit the callers of a kernel in other files? Not where some of the run's files are out of
    /// sight.
    bool edit_callers = true;
    /// Asked in place of the usual choice (see is_wanted).
    Chooser choose = {};
    /// Beside the usual choice: is this a finding whose fix the run may write? None: each is. Asked in every round.
    std::function<bool(const Diagnosis&, const Analysis&)> in_scope = {};
    /// Decides on each of the fixes that are chosen, round by round.
    Reviewer* reviewer = nullptr;
    /// Files that may be edited beside the inputs, by path. A fix that has to edit any other file is not applied.
    std::vector<std::string> also_editable = {};
    /// Only fixes of rules of these phases (RuleEntry::phase).
    int first_phase = 0;
    int last_phase = std::numeric_limits<int>::max();
    Look look = {};     // none: analyse()
    unsigned jobs = 1;  // threads; each beyond the first sees what is on disk, not the overlays of the project
};

enum class StopReason : std::uint8_t {
    no_more_fixes,
    cycle,        // rules undo each other: stop_rules
    growth,       // a rule makes the text longer for ever: stop_rules
    round_limit,  // a rule finds something new for ever: stop_rules
};
std::string_view name_of(StopReason reason);

struct FixedFile {
    std::string path;
    std::shared_ptr<const text::Source> original;
    std::string text;  // UTF-8; differs from original->text()
    /// The edits that led there, one set a round; none where it took more than rounds that each went on from the last.
    std::vector<text::Edits> steps = {};
};

/// What was applied to files that belong together: all of them are written, or none.
struct AppliedTogether {
    std::vector<std::string> paths;                     // of the changed ones
    std::map<std::string_view, std::uint32_t> applied;  // fixes by rule id
    std::vector<std::vector<std::string>> by_one_fix;   // where one fix changed several: none goes without the others
};

struct FixResult {
    std::vector<FixedFile> files;  // only the changed ones, in the order of the inputs, then by path
    StopReason stop = StopReason::no_more_fixes;
    std::vector<std::string_view> stop_rules;
    std::uint32_t rounds = 0;                           // in which something was applied
    std::map<std::string_view, std::uint32_t> applied;  // fixes by rule id
    std::vector<AppliedTogether> groups;                // the same, for each group of files that was changed
    std::vector<InternalError> errors;                  // fixes that broke something; all others were applied
    /// Of the final texts, one for each input (a file given by two paths is one), without trace and file.
    std::vector<Analysis> remaining;
};

/// Is the fix of this finding applied when nobody asks for this one? Safe enough, and of a finding that need not be
/// selected by the id or name of its rule (rules::waits_for_name), or was.
bool is_wanted(const Diagnosis& diagnosis, const Config& config, rules::Applicability threshold,
               const Pipeline& pipeline = default_pipeline());

/// A file to fix, with what its configuration says.
struct FixInput {
    std::shared_ptr<const text::Source> source;
    const Config* config;
};

FixResult fix_all(trace::Project& project, std::span<const FixInput> inputs, const FixOptions& options = {},
                  const Pipeline& pipeline = default_pipeline());

/// The same for files of one configuration.
FixResult fix_all(trace::Project& project, std::span<const std::shared_ptr<const text::Source>> inputs,
                  const Config& config, const FixOptions& options = {}, const Pipeline& pipeline = default_pipeline());

}  // namespace ptofix::fixing
