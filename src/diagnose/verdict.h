// What a log comes to, message by message: which memory or stage, what makes it, what will help and what will not.
// Plain values; words by the ids of the message catalogue. Made by diagnose.h, shown by the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diagnose/log.h"
#include "rules/finding.h"
#include "trace/tracer.h"

namespace ptofix::diagnose {

/// A function that takes longer than this in one stage is what the experience notes call too slow.
inline constexpr double kSlowSeconds = 300;

/// In the order of causes: what goes wrong first is mended first, and may take the rest with it.
enum class Kind : std::uint8_t {
    cube_tile,            // numbers of a cube tile that the frontend refuses
    vec_tile,             // a vec tile that an operation refuses
    call,                 // an operation, a loop or an option that is refused for what it was given
    memory,               // F40005
    compile_time,         // a stage that does not come to an end
    too_many_operations,  // F7A007
    workspace,            // NPU out of memory
    other,                // a code that a person has to read about
};
std::string_view name_of(Kind kind);

/// Seed's question: does one operation need too much by itself, or do several together?
enum class Together : std::uint8_t { not_asked, single, several, unknown };
enum class Confidence : std::uint8_t { possible, likely, certain };

/// A traced operation that makes exactly what the log names.
struct OperationMatch {
    std::size_t analysis = 0;  // of Case::analyses
    trace::OpId op = trace::kNone;
    trace::TileId tile = trace::kNone;
    std::string kernel, operation, step;
    std::vector<std::int64_t> shape;  // of the buffer, or of the largest one where their sum is too much
    std::string dtype;
    rules::Location place;
    std::optional<rules::Location> tile_place;
    std::vector<std::int64_t> tile_numbers;
    std::optional<trace::Assumption> with;  // the size of an open dim that makes it so
};

/// A shape that has as many bytes.
struct ShapeGuess {
    std::string dtype;
    std::int64_t elements = 0;
    std::vector<std::int64_t> shape;
    bool printed = false;  // the log itself says so
};

/// Which findings a verdict is about. It is asked again of each new text, so it knows no positions.
struct Selector {
    std::vector<std::string_view> rules;
    std::variant<std::monostate, PoolOverflow, CubeTileRefused, VecTileRefused, FunctionName> about;
    std::vector<std::string> kernels;  // by name; empty: any
    bool nothing = false;              // what the log names is not in the given text, or cannot be told
    bool loop_is_given = false;        // the function's loop is in one of the given kernels: the others are none of it
};

/// The unrolled loop whose copies are too large together, as the text that the log is about has it.
struct UnrolledLoop {
    std::string kernel, loop;
    std::optional<std::int64_t> level;
};

struct Verdict {
    Kind kind = Kind::other;
    std::vector<std::size_t> events;  // Log::events, the one it is about first
    std::string code, pool, stage, pass, function;
    std::uint64_t line = 0;  // of the log
    Together together = Together::not_asked;
    Confidence confidence = Confidence::possible;
    rules::Text headline;
    std::vector<rules::Text> reasons;
    std::vector<rules::Text> no_use;  // what will not help, and why
    std::vector<rules::Text> advice;  // what is left to a person
    std::vector<ShapeGuess> shapes;
    std::vector<OperationMatch> matches;
    std::optional<UnrolledLoop> unrolled;
    Selector selector;  // without rules: nothing is tied to source
};

}  // namespace ptofix::diagnose
