// The grammar's scanner of indentation looks behind every comment for the statement that follows it, so a run of
// comment lines costs the square of its length. While a text is parsed between these two calls, what was found behind a
// run is remembered for the comments in it; the trees are the same. For each thread by itself.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void pto_comment_runs_begin(void);  // nothing is remembered of other texts
void pto_comment_runs_end(void);

#ifdef __cplusplus
}
#endif
