#include "dense_language.h"

#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "tree_sitter_python.h"

const TSLanguage* pto_dense_language(const TSLanguage* sparse) {
    TSLanguage* dense = malloc(sizeof(TSLanguage));
    uint16_t* table = calloc((size_t)sparse->state_count * sparse->symbol_count, sizeof(uint16_t));
    if (dense == NULL || table == NULL) {
        free(dense);
        free(table);
        return sparse;
    }
    memcpy(table, sparse->parse_table, (size_t)sparse->large_state_count * sparse->symbol_count * sizeof(uint16_t));
    for (uint32_t state = sparse->large_state_count; state < sparse->state_count; ++state) {
        uint16_t* row = table + (size_t)state * sparse->symbol_count;
        const uint16_t* data =
            &sparse->small_parse_table[sparse->small_parse_table_map[state - sparse->large_state_count]];
        for (uint16_t groups = *data++; groups > 0; --groups) {
            const uint16_t value = *data++;
            for (uint16_t symbols = *data++; symbols > 0; --symbols) row[*data++] = value;
        }
    }
    *dense = *sparse;
    dense->parse_table = table;
    dense->large_state_count = sparse->state_count;
    return dense;
}
