// Between the command line and the fixing engine: analyses the inputs of a run, or fixes them, and turns the answers
// into what reports show. Knows nothing of options, files on disk or streams.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cache/cached_analysis.h"
#include "cli/progress.h"
#include "config/file_config.h"
#include "fixing/fix_all.h"
#include "report/json.h"
#include "report/view.h"
#include "rules/catalogue.h"
#include "text/source.h"

namespace ptofix::cli {

struct Input {
    std::string path;  // as it is shown
    std::shared_ptr<const text::Source> source;
    std::shared_ptr<const config::FileConfig> config;
};

/// What the command line adds to each file's configuration.
struct EngineOptions {
    rules::Language language = rules::Language::en;
    std::string soc;                    // empty: the configuration's
    std::vector<std::string> selected;  // instead of the configuration's, when there are any
    std::vector<std::string> ignored;   // beside the configuration's
    bool unsafe_fixes = false;
    bool sees_all_files = true;  // no: a shard, whose other files may call what it changes
    bool explain_unknown = false;
    bool show_suppressed = false;  // fill FileReport::silenced
    bool both_languages = false;   // fill Answer::translated
    unsigned jobs = 1;
    std::vector<std::string> also_editable;  // files of the run that are no inputs
    /// Instead of every rule as the configuration has it: what a compile log is about. The configuration's choice of
    /// rules and severities does not count then.
    const fixing::Pipeline* pipeline = nullptr;
    std::vector<trace::Assumption> assume;   // beside the configuration's
    cache::CachedAnalysis* cache = nullptr;  // none: every file is analysed
    Progress* progress = nullptr;            // is told of each file
    fixing::Timings* timings = nullptr;      // of --timing
    /// Of fix(): see fixing::FixOptions.
    std::function<bool(const fixing::Diagnosis&, const fixing::Analysis&)> in_scope = {};
    fixing::Reviewer* reviewer = nullptr;  // decides on each fix
    /// Is shown every analysis of check() while its trace lives, by several threads.
    std::function<void(const fixing::Analysis&)> look = {};
};

/// What one file is analysed with.
fixing::Config config_of(const config::FileConfig& file, const EngineOptions& options);

struct Answer {
    std::vector<report::FileReport> reports;     // one an input, in their order, then further changed files
    std::vector<report::FileReport> translated;  // the reports in the other language
    std::vector<report::Problem> problems;       // refused inputs, faults of rules
};

Answer check(std::span<const Input> inputs, const EngineOptions& options);

/// A file whose text the fixes change.
struct ChangedFile {
    std::string path;
    std::shared_ptr<const text::Source> original;
    std::string text;  // UTF-8
};

struct FixAnswer : Answer {  // its reports are about the changed texts
    std::vector<ChangedFile> changed;
    std::vector<fixing::AppliedTogether> groups;  // of the changed files
    report::FixingView fixing;
};

FixAnswer fix(std::span<const Input> inputs, const EngineOptions& options);

}  // namespace ptofix::cli
