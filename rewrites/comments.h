// The comments that stand with a statement, above it or behind it: when the statement goes somewhere else, so do they.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/project.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// The full lines of a statement that nothing but a comment behind it shares with it.
std::optional<text::Range> lines_with_comment(const trace::SourceFile& file, syntax::NodeId statement);
/// The comment on the line on which the statement ends, or nothing.
std::optional<std::string_view> comment_behind(const trace::SourceFile& file, syntax::NodeId statement);

/// The lines of comments directly above a statement, indented as it is; empty when there are none, or when one of them
/// is for a tool, which may mean a place rather than the statement.
text::Range comments_above(const trace::SourceFile& file, syntax::NodeId statement);
/// The comments on these lines, one by one, without what stands around them.
std::vector<std::string> comments_on(const trace::SourceFile& file, text::Range lines);

/// "# noqa", "# type: ...", "# fmt: off": not for a reader.
bool is_for_a_tool(std::string_view comment);
/// Does the text hold one of the words, whatever their case?
bool mentions(std::string_view text, const std::vector<std::string>& words);

/// Does a comment speak of a chain of casts: of its types, of one of the names, of converting?
bool tells_of_cast(std::string_view comment, const trace::Trace& trace, const std::vector<trace::OpId>& chain,
                   const std::vector<std::string_view>& names);

/// Does a paragraph of statements end with these lines: is the next one blank, a comment, indented otherwise, or none?
bool ends_paragraph(const trace::SourceFile& file, text::Range lines, std::string_view indentation);
/// Lines to be taken out, with the blank ones behind them where there are others in front.
text::Range with_blank_lines(const trace::SourceFile& file, text::Range lines);

}  // namespace ptofix::rewrites
