// Where a name is read: in its own scope, in the functions nested there, and in the traced files that import it. By
// Python's rules of scope, on the syntax alone. Used to follow a literal through the program.
#pragma once

#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace ptofix::rewrites {

/// A scope: a function, a lambda, a class or a whole file.
trace::Site scope_of(const trace::Trace& trace, trace::Site node);

/// The scope in which an assignment to `name` at `node` binds it: `global` and `nonlocal` are honoured.
trace::Site binding_scope(const trace::Trace& trace, trace::Site node, std::string_view name);

/// Expressions that read the name bound in `scope`: identifiers, and `module.name` in files that import the module.
std::vector<trace::Site> reads_of(const trace::Trace& trace, trace::Site scope, std::string_view name);

/// Every `object.name` that is read in the traced files, whatever the object.
std::vector<trace::Site> attribute_reads(const trace::Trace& trace, std::string_view name);

/// Functions and classes of the traced files that a callee may mean; empty: it is none of the project's.
std::vector<trace::Site> definitions_of(const trace::Trace& trace, trace::Site callee);

}  // namespace ptofix::rewrites
