// Modules by the name that a file gives them, and the import of one that it does not have yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"
#include "trace/project.h"
#include "trace/site.h"

namespace ptofix::rewrites {

/// The name under which the whole file sees a module ("torch", "pl"); empty when it does not import it at its top
/// level.
std::string module_alias(const trace::SourceFile& file, std::string_view module);
/// Does a function around the node give the name another meaning, or the module itself too late or not always? With no
/// module, any that the name stands for will do.
bool is_shadowed(const trace::SourceFile& file, syntax::NodeId node, std::string_view name, std::string_view module);
/// Does the file take this name from the module at its top level, by itself or with `*`?
bool imports_name(const trace::SourceFile& file, std::string_view module, std::string_view name);
/// Can code at the node use the module, by an import that is there or one that require_module() adds? Not where the
/// name stands for something else, or would be given its meaning too late: behind the node, even where that is in a
/// function.
bool can_use_module(const trace::SourceFile& file, syntax::NodeId node, std::string_view module);
/// Does the file run anything between the definition of a function and the import of the module?
bool is_used_too_early(const trace::SourceFile& file, syntax::NodeId definition, std::string_view module);
/// The name of the module in this file; when it has none, an edit that imports it is appended.
std::string require_module(trace::FileId id, const trace::SourceFile& file, std::string_view module,
                           std::vector<rules::FileEdit>& edits);

}  // namespace ptofix::rewrites
