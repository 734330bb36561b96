// Names in a piece of source: where a variable is read and where it is bound, and which names are free. By text within
// a subtree: a rewriter asks this of a function whose scopes it has looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/project.h"

namespace ptofix::rewrites {

/// In a pattern of `match` the grammar makes a dotted name of every name; else one is of an import.
bool is_name_of_pattern(const syntax::Tree& tree, syntax::NodeId dotted);

/// The name behind `as` of a pattern of `match`; that of `with` and `except` is a target.
bool is_name_of_whole_pattern(const syntax::Tree& tree, syntax::NodeId identifier);

/// Identifiers of that text below `scope` that stand for a variable: no attribute, keyword of a call or name of an
/// import.
std::vector<syntax::NodeId> variable_uses(const trace::SourceFile& file, syntax::NodeId scope, std::string_view name);
/// Does this identifier give the variable a value, or its name a new meaning?
bool binds(const syntax::Tree& tree, syntax::NodeId identifier);
/// Is the name of an identifier anywhere in the file, in whatever role?
bool is_mentioned(const trace::SourceFile& file, std::string_view name);
/// The first of the candidates that the file does not mention; the last one with a number behind it if it mentions all:
/// "d2", "w_bf16_2".
std::string free_name(const trace::SourceFile& file, const std::vector<std::string>& candidates);

}  // namespace ptofix::rewrites
