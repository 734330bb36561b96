// Statements as lines of text: which lines are a statement's own, how they are indented, where a new one can go. New
// text breaks its lines with "\n"; the fixing engine puts in the file's own line break.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/finding.h"
#include "trace/project.h"
#include "trace/site.h"

namespace ptofix::rewrites {

/// The framework's own code keeps to this many columns.
inline constexpr std::size_t kLongestLine = 120;

/// The white space in front of the line on which the node starts.
std::string_view indentation(const trace::SourceFile& file, syntax::NodeId node);
/// Nothing but white space is in front of the node on its line, and that line does not go on from the one before.
bool begins_its_line(const trace::SourceFile& file, syntax::NodeId node);
/// What one level of indentation is in this file: its first indented block decides.
std::string indentation_unit(const trace::SourceFile& file);

/// The full lines of a statement, with the line break behind them, when nothing else stands on them, comments included.
std::optional<text::Range> own_lines(const trace::SourceFile& file, syntax::NodeId statement);
/// Would its block be empty without these many of its statements?
bool is_whole_block(const trace::SourceFile& file, syntax::NodeId statement, std::size_t count);

/// The place behind a statement, its last line and the comments that are indented deeper than it is and follow it.
std::uint32_t end_of_lines(const trace::SourceFile& file, syntax::NodeId statement);

rules::FileEdit replacement(trace::FileId file, text::Range range, std::string text);
rules::FileEdit insertion(trace::FileId file, std::uint32_t at, std::string text);

}  // namespace ptofix::rewrites
