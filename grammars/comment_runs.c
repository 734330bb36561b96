#include "comment_runs.h"

#include <stddef.h>

#include "fast_advance.h"
#include "unicode.h"

// The grammar's own scanner, which CMake has given this name.
bool pto_upstream_python_scan(void* payload, TSLexer* lexer, const bool* valid_symbols);
bool tree_sitter_python_external_scanner_scan(void* payload, TSLexer* lexer, const bool* valid_symbols);

enum { MOST_BEHIND = 256 };

// What the scanner saw behind a run of comment lines. All that it goes by, once it has come to a comment at the start
// of a line, is what stands from the end of the last comment on.
typedef struct {
    bool is_on, is_known;
    uint32_t first, last;      // where the first and the last comment of the run begin
    char behind[MOST_BEHIND];  // blanks and line ends between the last comment and what follows
    size_t behind_size;
    int32_t next;  // the character that follows
    bool at_end;   // or the text ends there
    Length stop;   // how far the scanner looked
} Run;

static _Thread_local Run run;

void pto_comment_runs_begin(void) {
    run.is_on = true;
    run.is_known = false;
}

void pto_comment_runs_end(void) {
    run.is_on = false;
}

// Stands between the scanner and the core's lexer: takes down what is skipped, and once a comment of the known run is
// reached, shows what is behind the run in its stead.
typedef struct {
    TSLexer data;  // first: the scanner has its address
    Lexer* lexer;
    Run seen;
    bool any, in_comment, after_backslash, useless;
    bool replays;
    size_t replayed;
} Proxy;

static void note(Proxy* proxy, char c) {
    if (!proxy->any) return;
    if (proxy->seen.behind_size == MOST_BEHIND) {
        proxy->useless = true;
    } else {
        proxy->seen.behind[proxy->seen.behind_size++] = c;
    }
}

static void show_replayed(Proxy* proxy) {
    const bool more = proxy->replayed < run.behind_size;
    proxy->data.lookahead = more ? run.behind[proxy->replayed] : run.next;
}

static bool is_at_end(const TSLexer* data) {
    const Proxy* proxy = (const Proxy*)data;
    if (proxy->replays) return run.at_end && proxy->replayed == run.behind_size;
    return proxy->lexer->data.eof(&proxy->lexer->data);
}

// True: a comment of the known run begins here.
static bool see_skipped(Proxy* proxy, int32_t c) {
    const uint32_t at = proxy->lexer->current_position.bytes;
    const bool joins = proxy->after_backslash;
    proxy->after_backslash = c == '\\' || (c == '\r' && joins);
    if (proxy->in_comment) {
        if (c == '\n' || c == 0) {
            proxy->useless = proxy->useless || (c == 0 && !is_at_end(&proxy->data));
            proxy->in_comment = proxy->after_backslash = false;
            proxy->seen.behind_size = 0;
            if (c == '\n') note(proxy, '\n');
        }
    } else if (c == '#') {
        if (run.is_known && run.first <= at && at <= run.last) return true;
        if (!proxy->any) proxy->seen.first = at;
        proxy->seen.last = at;
        proxy->any = proxy->in_comment = true;
    } else {
        if (c == '\n' && !joins) proxy->seen.behind_size = 0;  // the indentation is counted anew
        if (c > 0) note(proxy, (char)c);
    }
    return false;
}

static void advance(TSLexer* data, bool skip) {
    Proxy* proxy = (Proxy*)data;
    if (proxy->replays) {
        if (proxy->replayed < run.behind_size) ++proxy->replayed;
        show_replayed(proxy);
        return;
    }
    if (!skip) {
        proxy->useless = true;
    } else if (see_skipped(proxy, data->lookahead)) {
        proxy->replays = true;
        show_replayed(proxy);
        return;
    }
    TSLexer* behind = &proxy->lexer->data;
    if (!pto_advanced(behind, skip)) behind->advance(behind, skip);
    data->lookahead = behind->lookahead;
}

static void mark_end(TSLexer* data) {
    Lexer* lexer = ((Proxy*)data)->lexer;
    lexer->data.mark_end(&lexer->data);
}

static uint32_t get_column(TSLexer* data) {
    Lexer* lexer = ((Proxy*)data)->lexer;
    return lexer->data.get_column(&lexer->data);
}

static bool is_at_included_range_start(const TSLexer* data) {
    const Lexer* lexer = ((const Proxy*)data)->lexer;
    return lexer->data.is_at_included_range_start(&lexer->data);
}

static void log_nothing(const TSLexer* data, const char* format, ...) {
    (void)data;
    (void)format;
}

// Looked for in the text itself: most lines have no comment behind them, and the proxy is a detour. True where it is
// not sure.
static bool may_come_to_comment(const Lexer* lexer) {
    const uint32_t end = lexer->chunk_size;
    for (uint32_t at = lexer->current_position.bytes - lexer->chunk_start; at < end; ++at) {
        switch (lexer->chunk[at]) {
            case ' ':
            case '\t':
            case '\n':
            case '\f':
            case '\r':
                break;
            case '#':
            case '\\':
                return true;
            default:
                return false;
        }
    }
    return true;
}

static _Thread_local void (*core_advance)(TSLexer*, bool);

static void advance_fast(TSLexer* lexer, bool skip) {
    if (!pto_advanced(lexer, skip)) core_advance(lexer, skip);
}

bool tree_sitter_python_external_scanner_scan(void* payload, TSLexer* lexer, const bool* valid_symbols) {
    // Behind a comment its line ends.
    const bool may = run.is_on && lexer->lookahead == '\n' && may_come_to_comment((const Lexer*)lexer);
    if (!may) {
        core_advance = lexer->advance;
        lexer->advance = advance_fast;
        const bool found = pto_upstream_python_scan(payload, lexer, valid_symbols);
        lexer->advance = core_advance;
        return found;
    }
    Proxy proxy;
    proxy.data = (TSLexer){.lookahead = lexer->lookahead,
                           .result_symbol = lexer->result_symbol,
                           .advance = advance,
                           .mark_end = mark_end,
                           .get_column = get_column,
                           .is_at_included_range_start = is_at_included_range_start,
                           .eof = is_at_end,
                           .log = log_nothing};
    proxy.lexer = (Lexer*)lexer;
    proxy.seen.behind_size = 0;
    proxy.any = proxy.in_comment = proxy.after_backslash = proxy.useless = proxy.replays = false;
    proxy.replayed = 0;
    const bool found = pto_upstream_python_scan(payload, &proxy.data, valid_symbols);
    lexer->result_symbol = proxy.data.result_symbol;
    if (proxy.replays) {
        ts_lexer_reset(proxy.lexer, run.stop);  // a change up to there concerns this token
        return found;
    }
    const int32_t next = lexer->lookahead;
    if (!proxy.any || proxy.in_comment || proxy.useless || next == TS_DECODE_ERROR) return found;
    proxy.seen.is_on = proxy.seen.is_known = true;
    proxy.seen.next = next;
    proxy.seen.at_end = lexer->eof(lexer);
    proxy.seen.stop = proxy.lexer->current_position;
    run = proxy.seen;
    return found;
}
