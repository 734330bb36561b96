// One parser for each kind of message, each in a file of its own. A parser gets a cleaned line and says what it holds,
// or that it holds nothing of its kind.
#pragma once

#include <optional>
#include <string_view>

#include "diagnose/log.h"

namespace ptofix::diagnose {

std::optional<PoolOverflow> parse_pool_overflow(std::string_view line);
/// "op: CAST[10010] | inputs: { ... } | outputs: { ... }"
std::optional<PrintedOperation> parse_printed_operation(std::string_view line);
std::optional<CubeTileRefused> parse_cube_tile(std::string_view line);
std::optional<VecTileRefused> parse_vec_tile(std::string_view line);
/// make's lines, the compiler's frame size, and the framework's own account of it.
std::optional<CallRefused> parse_call(std::string_view line);
/// "its value doesn't within the value range. Range: [1, 1024]": of the option that is named in it, or a line above.
std::optional<CallRefused> parse_option_range(std::string_view line);
/// "runtime.stitch_function_max_num: 0"
std::optional<CallRefused> parse_option(std::string_view line);
std::optional<CodeFailed> parse_code_failed(std::string_view line);
std::optional<StageTime> parse_stage_time(std::string_view line);
std::optional<LastPass> parse_pass(std::string_view line);
std::optional<Stopped> parse_stopped(std::string_view line);
std::optional<OutOfMemory> parse_out_of_memory(std::string_view line);
std::optional<TooManyOperations> parse_too_many_operations(std::string_view line);
std::optional<PythonFrame> parse_python_frame(std::string_view line);

/// The first name of a generated function in the text: "TENSOR_M_Unroll16_PATH0_hiddenfunc0" -> loop "M", 16.
FunctionName function_in(std::string_view text);
/// What a function's full name says: "LOOP_Unroll4_PATH0_hiddenfunc_6", "kernel_PATH0_hiddenfunc".
FunctionName function_named(std::string_view whole);

}  // namespace ptofix::diagnose
