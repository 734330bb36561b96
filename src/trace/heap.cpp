#include "trace/heap.h"

#include "trace/trace.h"

namespace ptofix::trace {

const std::string* Heap::intern(std::string_view text) {
    const auto found = strings_.find(text);
    if (found != strings_.end()) return &*found;
    return &*strings_.emplace(text).first;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define PTOFIX_POOL(type, member)          \
    template <>                            \
    std::deque<type>& Heap::pool<type>() { \
        return member;                     \
    }
PTOFIX_POOL(List, lists_)
PTOFIX_POOL(Dict, dicts_)
PTOFIX_POOL(Slice, slices_)
PTOFIX_POOL(Range, ranges_)
PTOFIX_POOL(Iterator, iterators_)
PTOFIX_POOL(View, views_)
PTOFIX_POOL(Function, functions_)
PTOFIX_POOL(BoundMethod, methods_)
PTOFIX_POOL(Class, classes_)
PTOFIX_POOL(Instance, instances_)
PTOFIX_POOL(Module, modules_)
PTOFIX_POOL(TensorSpec, specs_)
PTOFIX_POOL(LoopSpec, loops_)
PTOFIX_POOL(UnknownReason, reasons_)
PTOFIX_POOL(Scope, scopes_)
#undef PTOFIX_POOL
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace ptofix::trace
