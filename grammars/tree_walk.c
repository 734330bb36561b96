#include "tree_walk.h"

#include <stdlib.h>

#include "language.h"
#include "tree.h"

typedef struct {
    Subtree parent;
    uint32_t next;        // index of the child to visit
    uint32_t structural;  // the same, extras (comments) not counted: what aliases and fields go by
    uint32_t position;    // where the last visited child ended
    bool visible;         // the parent is a node of its own, not a hidden rule
    TSFieldId field;      // of a hidden parent: its children are in that field if in none of their own
    const TSSymbol* aliases;
    const TSFieldMapEntry *fields, *fields_end;
} Frame;

typedef struct {
    Frame* frames;
    size_t size, capacity;
} Stack;

static bool push(Stack* stack, const TSLanguage* language, Subtree parent, uint32_t start, bool visible,
                 TSFieldId field) {
    if (stack->size == stack->capacity) {
        const size_t capacity = stack->capacity == 0 ? 64 : stack->capacity * 2;
        Frame* frames = realloc(stack->frames, capacity * sizeof(Frame));
        if (frames == NULL) return false;
        stack->frames = frames;
        stack->capacity = capacity;
    }
    Frame* frame = &stack->frames[stack->size++];
    *frame = (Frame){.parent = parent, .position = start, .visible = visible, .field = field};
    const uint16_t production = parent.ptr->production_id;
    frame->aliases = ts_language_alias_sequence(language, production);
    ts_language_field_map(language, production, &frame->fields, &frame->fields_end);
    return true;
}

static TSFieldId field_of(const Frame* frame) {
    for (const TSFieldMapEntry* map = frame->fields; map < frame->fields_end; ++map) {
        if (!map->inherited && map->child_index == frame->structural) return map->field_id;
    }
    return frame->visible ? 0 : frame->field;
}

bool pto_tree_walk(const TSTree* tree, const PtoTreeVisitor* visitor) {
    const TSLanguage* language = tree->language;
    Stack stack = {NULL, 0, 0};
    const Subtree root = tree->root;
    const uint32_t start = ts_subtree_padding(root).bytes;
    const PtoTreeNode top = {ts_language_public_symbol(language, ts_subtree_symbol(root)),
                             0,
                             ts_subtree_named(root),
                             ts_subtree_missing(root),
                             ts_subtree_error_cost(root) > 0,
                             start,
                             start + ts_subtree_size(root).bytes};
    visitor->enter(visitor->payload, &top);
    if (ts_subtree_child_count(root) == 0) {
        visitor->leave(visitor->payload);
    } else if (!push(&stack, language, root, start, true, 0)) {
        return false;
    }
    while (stack.size > 0) {
        Frame* frame = &stack.frames[stack.size - 1];
        if (frame->next == frame->parent.ptr->child_count) {
            if (frame->visible) visitor->leave(visitor->payload);
            --stack.size;
            continue;
        }
        const Subtree child = ts_subtree_children(frame->parent)[frame->next];
        if (frame->next++ > 0) frame->position += ts_subtree_padding(child).bytes;
        const uint32_t from = frame->position;
        frame->position += ts_subtree_size(child).bytes;
        TSSymbol alias = 0;
        TSFieldId field = 0;
        if (!ts_subtree_extra(child)) {
            if (frame->aliases != NULL) alias = frame->aliases[frame->structural];
            field = field_of(frame);
            ++frame->structural;
        }
        const bool visible = alias != 0 || ts_subtree_visible(child);
        const bool inner = visible ? ts_subtree_child_count(child) > 0 : ts_subtree_visible_child_count(child) > 0;
        if (visible) {
            const PtoTreeNode node = {
                ts_language_public_symbol(language, alias != 0 ? alias : ts_subtree_symbol(child)),
                field,
                alias != 0 ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(child),
                ts_subtree_missing(child),
                ts_subtree_error_cost(child) > 0,
                from,
                from + ts_subtree_size(child).bytes};
            visitor->enter(visitor->payload, &node);
            if (!inner) visitor->leave(visitor->payload);
        }
        if (inner && !push(&stack, language, child, from, visible, field)) {
            free(stack.frames);
            return false;
        }
    }
    free(stack.frames);
    return true;
}
