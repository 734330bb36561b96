// Which names a piece of a function binds and whether their values are read later: what a rewriter must know before it
// changes when, or whether, Python statements run. On the syntax alone, and on the safe side: a read that may happen
// counts as one that does.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/tree.h"
#include "trace/project.h"

namespace ptofix::rewrites {

struct Binding {
    std::string_view name;
    syntax::NodeId node;  // where it is bound first
};

/// The names bound below `node` in the scope around it, each once. What nested functions, lambdas and comprehensions
/// bind is their own.
std::vector<Binding> bound_names(const trace::SourceFile& file, syntax::NodeId node);

/// A place below `node` that reads the name, or kNoNode. What is bound by an inner scope of that name is another thing.
syntax::NodeId find_read(const trace::SourceFile& file, syntax::NodeId node, std::string_view name);

/// A place that may read the value that the name has after this statement (in later statements of the function, and in
/// the next round of a loop around it), or kNoNode.
syntax::NodeId read_after(const trace::SourceFile& file, syntax::NodeId statement, std::string_view name);

/// A place in the block that may read the name before the block has bound it, or kNoNode.
syntax::NodeId read_before_binding(const trace::SourceFile& file, syntax::NodeId block, std::string_view name);

}  // namespace ptofix::rewrites
