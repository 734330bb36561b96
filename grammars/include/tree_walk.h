// One walk over a whole syntax tree, in reading order. tree-sitter's public cursor finds its place anew at every step
// (its child's index, position in lines, field); for a walk over everything that costs a third of what parsing does.
// This one keeps its place on a stack of its own. It reads the core's private headers, so it belongs to the pinned
// version; a test holds it against the cursor on every fixture.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tree_sitter/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    TSSymbol symbol;
    TSFieldId field;  // 0: none
    bool named;
    bool missing;
    bool has_error;  // it or something below it is an error
    uint32_t start_byte, end_byte;
} PtoTreeNode;

typedef struct {
    void* payload;
    void (*enter)(void* payload, const PtoTreeNode* node);
    void (*leave)(void* payload);  // once for each enter, after everything below it
} PtoTreeVisitor;

/// False when memory ran out; the visitor has then seen a part.
bool pto_tree_walk(const TSTree* tree, const PtoTreeVisitor* visitor);

#ifdef __cplusplus
}
#endif
