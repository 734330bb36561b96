// The one symbol of the Python grammar. The npm package ships parser.c without a header for it; src/syntax is the
// only library that includes this.
#pragma once

#include <tree_sitter/api.h>

#ifdef __cplusplus
extern "C" {
#endif

const TSLanguage* tree_sitter_python(void);

#ifdef __cplusplus
}
#endif
