// What happens when the parser gets no memory. Left to itself it ends the process with a signal.
#pragma once

namespace ptofix::syntax {

/// `handler` must not return; it is called on any thread and must not allocate. Call once, before the first parser is
/// made.
void on_out_of_memory(void (*handler)());

}  // namespace ptofix::syntax
