// How this program's memory comes from the system: a run over a repository allocates tens of megabytes once, and the
// first touch of each small page costs more than what is done with it.
#pragma once

#include <memory>

namespace ptofix::text {

/// Once, before a run that will allocate much: what is freed stays with the process, which ends soon.
void keep_freed_memory();

/// The program's code is at hand from now on, instead of a few pages with the first call of each.
void map_code();

/// What this thread allocates from now on lies in pages of 2 MB, as far as the system has some. A wish: nothing fails.
void prefer_large_pages();

/// For what the process would free just before it ends: the system takes it all back at once. Not under a sanitizer,
/// which would miss it.
template <class Thing>
void leave_to_the_system([[maybe_unused]] std::unique_ptr<Thing> thing) {
#if !defined(__SANITIZE_ADDRESS__)
    static_cast<void>(thing.release());
#endif
}

}  // namespace ptofix::text
