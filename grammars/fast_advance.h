// What the grammar's lexer asks of the core at each character, without the core's way through four functions and
// three pointers, where the character and the next are ASCII and lie in the piece of text at hand. All else, and a
// lexer that logs, goes the core's way. Included before the grammar's generated lexer, which then calls these.
#pragma once

#include "tree_sitter/api.h"
#include "tree_sitter/parser.h"

#include "lexer.h"

// The first range is the only one when none was asked for.
static inline bool pto_is_in_first_range(const Lexer* lexer) {
    return lexer->current_included_range_index == 0;
}

// False: nothing was done.
static inline bool pto_advanced(TSLexer* data, bool skip) {
    Lexer* lexer = (Lexer*)data;
    const uint32_t next = lexer->current_position.bytes + 1;
    const uint32_t at = next - lexer->chunk_start;
    if (lexer->chunk == NULL || lexer->lookahead_size != 1 || at >= lexer->chunk_size ||
        (unsigned char)lexer->chunk[at] >= 0x80 || !pto_is_in_first_range(lexer) ||
        next >= lexer->included_ranges[0].end_byte || lexer->logger.log != NULL) {
        return false;
    }
    lexer->current_position.bytes = next;
    if (data->lookahead == '\n') {
        ++lexer->current_position.extent.row;
        lexer->current_position.extent.column = 0;
        lexer->column_data.value = 0;
        lexer->column_data.valid = true;
    } else {
        ++lexer->current_position.extent.column;
        if (lexer->column_data.valid) ++lexer->column_data.value;
    }
    if (skip) lexer->token_start_position = lexer->current_position;
    data->lookahead = lexer->chunk[at];
    return true;
}

static inline void pto_mark_end(TSLexer* data) {
    Lexer* lexer = (Lexer*)data;
    if (pto_is_in_first_range(lexer)) {
        lexer->token_end_position = lexer->current_position;
    } else {
        data->mark_end(data);
    }
}

// The sets are sorted and hold most of Unicode; what a program is written in stands at their beginnings.
static inline bool pto_set_contains(const TSCharacterRange* ranges, uint32_t size, int32_t c) {
    if (c >= 0x80) return set_contains(ranges, size, c);
    for (uint32_t i = 0; i < size && ranges[i].start <= c; ++i) {
        if (c <= ranges[i].end) return true;
    }
    return false;
}

#ifdef PTO_GENERATED_LEXER
#undef START_LEXER
#define START_LEXER()                                            \
    bool result = false;                                         \
    bool skip = false;                                           \
    bool eof = false;                                            \
    int32_t lookahead;                                           \
    goto start;                                                  \
    next_state:                                                  \
    if (!pto_advanced(lexer, skip)) lexer->advance(lexer, skip); \
    start:                                                       \
    skip = false;                                                \
    lookahead = lexer->lookahead;

#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value)       \
    result = true;                       \
    lexer->result_symbol = symbol_value; \
    pto_mark_end(lexer);

// The generated code asks `lexer->eof(lexer)`; the end reads as 0.
#define eof(lexer) lookahead == 0 && (lexer)->eof(lexer)
#define set_contains pto_set_contains
#endif
