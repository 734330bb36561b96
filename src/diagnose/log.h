// What a log says, as plain values: the messages that were read, each with its line, and where the compiler was last
// seen. Made by read_log.h, read by everything that concludes something from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ptofix::diagnose {

/// A buffer as the compiler prints it: <128x512xDT_FP32 / sym_..> %16@17#(0)MEM_UB
struct PrintedTensor {
    std::vector<std::int64_t> shape;
    std::string dtype;  // "DT_FP32"
    bool operator==(const PrintedTensor&) const = default;
};

/// "op: CAST[10010] | inputs: { ... } | outputs: {...}": what makes the buffer that is too large, or is too large
/// itself.
struct PrintedOperation {
    std::string name;
    std::vector<PrintedTensor> inputs, outputs;
    bool operator==(const PrintedOperation&) const = default;
};

/// F40005: a buffer, or the buffers of one operation together, that are more than their memory.
struct PoolOverflow {
    std::string pool;  // "UB", "L0A" ...: without MEM_
    std::optional<std::int64_t> size, limit;
    std::string operation;  // "CAST"; empty: one buffer by itself
    std::optional<std::int64_t> id;
    std::vector<PrintedOperation> operations;  // of the lines below it
    bool operator==(const PoolOverflow& o) const {
        return pool == o.pool && size == o.size && limit == o.limit && operation == o.operation;
    }
};

/// FC4000, FC4001, F0000C, F00002: numbers of a cube tile that PyPTO refuses, in its own words.
struct CubeTileRefused {
    std::string said;     // empty: the log has the code alone
    bool is_cut = false;  // the sentence goes on
    bool operator==(const CubeTileRefused&) const = default;
};

/// FC1001, FC1000, F4FFFF, FC0000: what is wrong with a vec tile.
struct VecTileRefused {
    enum class Fault : std::uint8_t { rank, missing, multiple, bytes, numbers } fault = Fault::rank;
    std::string operation;                               // "ADD"; empty: not said
    std::optional<std::int64_t> tile_axes, tensor_axes;  // rank
    std::optional<std::int64_t> axis, multiple, got;     // multiple, numbers
    std::string function;                                // "kernel_PATH0_hiddenfunc"; empty: not said
    bool operator==(const VecTileRefused& o) const {
        return fault == o.fault && operation == o.operation && tile_axes == o.tile_axes &&
               tensor_axes == o.tensor_axes && axis == o.axis && multiple == o.multiple && got == o.got;
    }
};

/// F00002, F00007, F0000A, F0000B, F0FFFF, F2FFFF, FC0002: an operation, a loop or an option that is refused for what
/// it was given.
struct CallRefused {
    enum class Fault : std::uint8_t {
        rank,         // a tensor of more axes than the operation takes
        inner_axis,   // a matmul operand whose last axis is too long for ND
        split_type,   // split K with a result that is not added up in device memory
        dynamic_dim,  // an operation on a tensor whose size is known only at run time
        unroll,       // an unroll factor that is not above zero
        division,     // a division by zero, as loop_unroll of the older frontend makes of such a factor
        option,       // an option out of its range
    } fault = Fault::rank;
    std::string operation = {}, tensor = {};  // "ADDS", "x"; empty: not said
    std::string option = {};                  // "stitch_function_max_num"
    std::optional<std::int64_t> axis = {}, got = {}, least = {}, most = {};
    bool operator==(const CallRefused&) const = default;
};

/// A function that the backend compiles: TENSOR_<loop>_Unroll<n>_PATH<k>_...
struct FunctionName {
    std::string whole;
    std::string loop;  // the name of the loop, or of the kernel; empty: not told
    std::optional<std::int64_t> unroll;
    bool operator==(const FunctionName&) const = default;
};

/// F0F619, F63001: the compiler of the generated code failed, or was killed.
struct CodeFailed {
    FunctionName function;                           // `whole` empty: not said
    bool killed = false;                             // Terminated, or ret 15
    std::optional<std::int64_t> frame, frame_limit;  // stack frame size exceeds
    bool operator==(const CodeFailed&) const = default;
};

/// [Compiler Monitor]: a stage that took, or has been taking, so long.
struct StageTime {
    std::string stage;  // "Pass", "CodeGen", "HostMachine", "Prepare"
    double seconds = 0;
    bool warned = false;  // over its threshold, in the monitor's opinion
    FunctionName function;
    bool operator==(const StageTime& o) const {
        return stage == o.stage && function == o.function && warned == o.warned && seconds == o.seconds;
    }
};

/// exit 124, Terminated, timed out.
struct Stopped {
    std::optional<std::int64_t> code;
    bool operator==(const Stopped&) const = default;
};

/// RuntimeError: NPU out of memory. Tried to allocate 24.00 GiB
struct OutOfMemory {
    std::optional<std::int64_t> bytes;
    bool operator==(const OutOfMemory&) const = default;
};

/// F7A007: more operations in one loop function than the machine takes.
struct TooManyOperations {
    FunctionName function;
    std::optional<std::int64_t> size, limit;
    bool operator==(const TooManyOperations&) const = default;
};

/// Any other message with a code, which a person has to read.
struct OtherError {
    std::string said;
    bool operator==(const OtherError&) const = default;
};

using What = std::variant<PoolOverflow, CubeTileRefused, VecTileRefused, CallRefused, CodeFailed, StageTime, Stopped,
                          OutOfMemory, TooManyOperations, OtherError>;

/// The pass that was last heard of.
struct LastPass {
    std::uint64_t line = 0;
    std::string process;
    std::string name;           // "OoOSchedule"
    std::optional<int> number;  // of Pass_31
    bool failed = false;        // the log says that it did
    FunctionName function;
};

struct Event {
    std::uint64_t line = 0;  // the first time
    std::uint64_t count = 1;
    std::string process;
    std::string code;  // "F40005"; empty: the message has none
    std::string text;  // the line as it is shown
    What what;
    std::optional<LastPass> pass;  // of its process, as it was when the message was printed
};

struct PythonFrame {
    std::string file;
    std::int64_t line = 0;
    std::string function;
    std::uint64_t at = 0;  // line of the log
    bool operator==(const PythonFrame& o) const { return file == o.file && line == o.line; }
};

struct Log {
    std::vector<Event> events;         // by line
    std::uint64_t left_out = 0;        // more events than are kept
    std::vector<LastPass> passes;      // one for each process, by line
    std::vector<PythonFrame> frames;   // of the last traceback, outermost first, without the framework's own files
    std::vector<std::string> kernels;  // that failed to compile, by name
    bool is_pypto = false;             // something in it is PyPTO's
    bool finished = false;             // the monitor says that compiling came to its end
    std::uint64_t lines = 0, bytes = 0;
};

}  // namespace ptofix::diagnose
