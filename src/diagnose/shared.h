// What the conclusions about different messages share: which findings a selector takes in the given kernels, and the
// words for where something stands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/case.h"

namespace ptofix::diagnose {

struct TakenFinding {
    std::size_t analysis = 0;
    const fixing::Diagnosis* diagnosis = nullptr;
    bool is_suppressed = false;
};

/// In the order of the analyses.
std::vector<TakenFinding> findings_of(const Case& all, const Selector& selector);
bool has_rule(const std::vector<TakenFinding>& findings, std::string_view rule);
/// Leaves in the selector the rules that found something, and says what is silenced by a comment.
std::vector<TakenFinding> settle(const Case& all, Verdict& verdict);

/// Findings in several kernels, and a log that does not say which of them it is about: none is fixed for it. Names
/// them, unties the verdict, and is true.
bool untie_if_ambiguous(const Case& all, const std::vector<TakenFinding>& findings, Verdict& verdict);

rules::Location location_of(const trace::Trace& trace, trace::Site site);
/// "kernel.py:12"
std::string place_text(const fixing::Analysis& analysis, const rules::Location& location);
std::int64_t line_text(const fixing::Analysis& analysis, const rules::Location& location);
/// The numbers of a tile that are known: of a cube tile m, k and n behind each other.
std::vector<std::int64_t> numbers_of(const trace::TileSetting& tile);
/// "(128, 512)", "[128, 512]", "128 x 512"
std::string tuple_text(const std::vector<std::int64_t>& numbers);
std::string list_text(const std::vector<std::int64_t>& numbers);
std::string product_text(const std::vector<std::int64_t>& numbers);

/// Kernels of the given files with their places, "first (kernel.py:5)": none is fixed, and the verdict is untied.
void untie(const std::vector<std::string>& kernels, Verdict& verdict);
/// "first (kernel.py:5)"
std::string kernel_text(const fixing::Analysis& analysis, trace::KernelId kernel);
/// Does the last traceback of the log lead to this place of the file?
bool is_in_traceback(const Log& log, const fixing::Analysis& analysis, const rules::Location& place);

/// The pass that the process was last seen in; null: none.
const LastPass* last_pass(const Log& log, const std::string& process);
/// The function that the message is about, if it says so, or else the one that the pass before it was working on.
FunctionName function_of(const Event& event);

/// Which of the given kernels a message is about, by the kernels that failed, the function and the traceback.
struct Meant {
    std::vector<std::string> kernels;    // by name; empty: any may be it
    std::optional<rules::Text> nothing;  // why it is none of them
};
Meant meant_by(const Case& all, const FunctionName& function);
/// Puts it into the verdict.
void narrow(const Case& all, const FunctionName& function, Verdict& verdict);

/// A verdict about the event of that index, with what every verdict has.
Verdict verdict_of(const Case& all, std::size_t index, Kind kind);

/// Bytes of the pool that the compiler calls so; 0: what it has is not known.
std::int64_t pool_size(const hardware::Pools& pools, std::string_view pool);

/// The direction of the experience notes that a rule stands for, in words.
rules::Text direction_of(std::string_view rule);

}  // namespace ptofix::diagnose
