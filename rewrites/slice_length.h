// Whether PyPTO itself can see that a slice by a device loop's index has a fixed length. It takes stop - start apart by
// patterns and refuses a slice where no number comes out, also where arithmetic would say that one must.
#pragma once

#include "trace/project.h"

namespace ptofix::rewrites {

/// x[a:a + n], x[i * n:(i + 1) * n], with the same in front of both, and through names that are bound once.
bool has_plain_length(const trace::SourceFile& file, syntax::NodeId slice);

}  // namespace ptofix::rewrites
