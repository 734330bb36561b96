// Rules made for a test: a pattern that is a finding wherever it stands in the text, and what its fix writes there. The
// tracer beside them records nothing but the file and what its "import name" lines name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fixing/fix_all.h"

namespace fixing_test {

using namespace ptofix;

std::shared_ptr<const text::Source> source(std::string path, std::string bytes);
/// A parsed file of its own, with parse state.
std::shared_ptr<const trace::SourceFile> parsed(std::string path, std::string bytes);

/// The finding's edits, given the text and the place of the pattern in it.
using MakeFix = std::function<rules::Fix(std::string_view text, text::Range place)>;

MakeFix replacing(std::string replacement, rules::Applicability applicability = rules::Applicability::safe);
rules::Fix edits(std::vector<std::pair<text::Range, std::string>> items);

struct Rule {
    std::string_view id;
    std::string pattern;
    MakeFix make;
    rules::Severity severity = rules::Severity::warning;
    int priority = 0;
    std::string_view name = {};
};

fixing::Pipeline pipeline(const std::vector<Rule>& rules);
fixing::Tracer file_tracer();

struct Run {
    fixing::FixResult result;
    std::map<std::string, std::string> texts;  // by path, of all inputs
    const std::string& text() const { return texts.begin()->second; }
};

inline const std::string kPath = "kernel.py";

/// Texts that do not name pypto get a comment that does in front, which is taken off again.
Run fix(const std::vector<Rule>& rules, std::string text, const fixing::Config& config = {},
        const fixing::FixOptions& options = {});
Run fix_files(const fixing::Pipeline& pipeline, const std::vector<std::pair<std::string, std::string>>& files,
              const fixing::Config& config = {}, const fixing::FixOptions& options = {});

}  // namespace fixing_test
