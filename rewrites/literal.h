// May this literal be edited? Follows a value from where it is written to everything that takes it: through names,
// function arguments and defaults, dataclass fields, dicts and what functions return, across the traced files. For
// rewriters that change a number or a list which is not written where it is used.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::rewrites {

/// An end of the literal's way.
struct LiteralUse {
    trace::Site site;  // the expression that has the value, or the ** argument that holds it
    /// The call of a function outside the project that takes it; unknown: it is used in another way, or lost sight of.
    trace::Site call;
    std::string keyword;       // of the argument; empty: by position
    std::size_t position = 0;  // of an argument without keyword; items that a splat in front spreads count
    std::vector<std::string>
        path;  // keys from the argument's value to the literal: empty, or a dict or list that holds it
};

/// Every use, in no particular order. Uses in other objects' attributes of the same name are among them: what a traced
/// call really took tells them apart.
std::vector<LiteralUse> uses_of_literal(const trace::Trace& trace, trace::Site literal);

/// What a reader calls the literal: the variable, field, parameter or key it is written for; its text if there is none.
std::string name_of_literal(const trace::Trace& trace, trace::Site literal);

/// The name by which another file may read it: that of its variable, field or function; empty where no other file can.
std::string shared_name_of_literal(const trace::Trace& trace, trace::Site literal);

/// "`name` is written once here but used in other ways": the blocked fix of a literal that one of its users wants kept.
/// Where there is but one use it is one that is not understood. `uses` counts kernels and loops that share one, too.
rules::Blocked used_elsewhere(const trace::Trace& trace, trace::Site literal, trace::Site use, std::size_t uses);

}  // namespace ptofix::rewrites
