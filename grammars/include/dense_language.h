// The same language with its parse table laid out for speed. A generated grammar lists the symbols of most of its
// states one after the other, and the core searches that list at each step: a tenth of what parsing costs. Here each
// state has a row with a place for each symbol, 1.5 MB for Python. It reads the core's private headers, so it belongs
// to the pinned version.
#pragma once

#include <tree_sitter/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Never freed: make it once. The language itself when memory ran out.
const TSLanguage* pto_dense_language(const TSLanguage* language);

#ifdef __cplusplus
}
#endif
