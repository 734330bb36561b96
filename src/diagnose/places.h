// Small questions about findings and traces that verdicts and selectors share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/log.h"
#include "rules/finding.h"
#include "trace/trace.h"

namespace ptofix::diagnose {

/// Of the trace's kernel that the finding is in; kNone: it is in none, or not told.
trace::KernelId kernel_of(const rules::Finding& finding, const trace::Trace& trace);
/// The loop that the finding is about, or that stands around its operation; kNone: none.
trace::LoopId loop_of(const rules::Finding& finding, const trace::Trace& trace);
/// The device loops with the name that the compiler's function has; empty when there are none, or no name is given.
std::vector<trace::LoopId> loops_named(const trace::Trace& trace, const FunctionName& function);
/// Is one of them the loop, around it or in it?
bool is_near(const trace::Trace& trace, trace::LoopId loop, const std::vector<trace::LoopId>& loops);
/// The refusals of cube tiles, in the framework's words, with the call that each is about.
struct CubeRefusal {
    trace::Site call;
    trace::OpId matmul = trace::kNone;
    std::string said;
};
std::vector<CubeRefusal> cube_refusals(const trace::Trace& trace);
/// May the compiler mean this operation by the name that it prints ("ADDS")? An empty name is any operation's.
bool may_be_named(const trace::Trace& trace, trace::OpId op, std::string_view printed);
/// The sentence without what logs put around it: blanks, quotes, full stops at its end, the class in front.
std::string_view plain_sentence(std::string_view said);

}  // namespace ptofix::diagnose
