// The stages that an analysis runs: how a file is traced, and for each rule what finds it and what rewrites it. The
// program's own is default_pipeline(); tests put together theirs. Read by analysis.cpp, by options that name rules and
// by suppression comments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/detectors.h"
#include "rewrites/rewrites.h"
#include "rules/finding.h"
#include "trace/tracer.h"

namespace ptofix::fixing {

using Detector = std::function<void(const trace::Trace&, const detectors::Settings&, std::vector<rules::Finding>& out)>;
using Rewriter = std::function<rules::Rewrite(const rules::Finding&, const trace::Trace&, const rewrites::Settings&)>;
using Tracer = std::function<std::unique_ptr<trace::Trace>(trace::Project&, std::shared_ptr<const trace::SourceFile>,
                                                           const trace::TraceOptions&)>;

struct RuleEntry {
    std::string_view id;                // "PTO201"
    std::string_view name;              // "python-loop-in-kernel"
    Detector detector = {};             // none: the rule is found elsewhere (from a compile log, by the suppressions)
    bool reads_other_findings = false;  // its detector runs after the others
    std::vector<Rewriter> rewriters = {};  // tried in order
    int priority = 0;                      // the fix of a lower number is taken first where two overlap
    int phase = 0;                         // fixes wait for those of a lower number: theirs rest on what these leave
};

struct Pipeline {
    Tracer trace;
    /// Can this text hold anything for these rules? None: every text that mentions pypto.
    std::function<bool(std::string_view text)> worth_parsing = {};
    std::vector<RuleEntry> rules;
    /// Takes out of what the detectors found in a text what a run is not about. None: all of it stays.
    std::function<void(const trace::Trace&, std::vector<rules::Finding>& found)> narrow = {};

    const RuleEntry* find(std::string_view id_or_name) const;
};

const Pipeline& default_pipeline();

/// Does a selector (an id, a name, or the beginning of an id such as "PTO2"; case ignored) mean this rule?
bool selects(std::string_view selector, const RuleEntry& rule);
/// An id or a name in full, not a prefix.
bool names(std::string_view selector, const RuleEntry& rule);
/// False for a selector that means no rule at all: a typing error of the user.
bool is_known_selector(std::string_view selector, const Pipeline& pipeline);

}  // namespace ptofix::fixing
