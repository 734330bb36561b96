// What a kernel does, as PyPTO's record mode would see it: operations in order, each with its operands' shapes and
// dtypes, the loops and branches around it and the tile shapes in force. Written by the tracer, read by detectors and
// rewriters; nothing here knows who reads it. One Trace for each analysed file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/dtype.h"
#include "trace/site.h"
#include "trace/symbols.h"
#include "trace/value.h"

namespace ptofix::trace {

using OpId = std::uint32_t;
using LoopId = std::uint32_t;
using TileId = std::uint32_t;
using FrameId = std::uint32_t;
using BranchId = std::uint32_t;
using KernelId = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Index into the operation table (trace/operations.h).
using OpCode = std::uint16_t;

struct TensorType {
    std::vector<SymInt> shape;  // empty and !rank_known: nothing known
    bool rank_known = false;
    hardware::DType dtype = hardware::DType::unknown;
    bool nz = false;

    bool shape_known() const {
        if (!rank_known) return false;
        for (const SymInt& d : shape) {
            if (!d.known()) return false;
        }
        return true;
    }
    bool operator==(const TensorType&) const = default;
};

enum class TensorSource : std::uint8_t {
    parameter,  // an argument of the kernel
    operation,  // the result of an operation
    buffer,     // pypto.tensor(...) / pypto.Tensor(...) inside a kernel
    host,       // a torch tensor of host code
    unknown,
};

struct Tensor {
    TensorType type;
    TensorSource source = TensorSource::unknown;
    std::string_view name;            // the parameter's name, or the first variable it was bound to; may be empty
    Site site;                        // declaration, or the expression that made it
    std::uint32_t parameter = kNone;  // parameter: index in KernelTrace::parameters
    OpId producer = kNone;            // operation: its op
    TensorId base = kNoTensor;        // view, slice, inplace reshape: the tensor whose memory this is
    std::vector<SymInt> offsets;      // view: offsets in base, by axis
    hardware::DType declared = hardware::DType::unknown;
    bool joined = false;   // lives on in a value that holds for several ways: may be read where no operand shows it
    bool carried = false;  // an iteration of a device loop leaves it for the next one
};

/// A set_vec_tile_shapes or set_cube_tile_shapes call as it was evaluated once.
struct TileSetting {
    enum class Engine : std::uint8_t { vec, cube } engine = Engine::vec;
    Site call;
    std::vector<Value> vec;  // one value an axis, each with its origin
    Value m[2], k[3], n[2];  // cube; k[2] repeats k[1] when two were given
    std::uint8_t m_count = 0, k_count = 0, n_count = 0;
    Value m_list, k_list, n_list;  // the list values themselves (origin: the display)
    Value split_k;
    bool known = false;       // every value is a known integer
    KernelId kernel = kNone;  // that it was set in; none: in host code
    OpId first_op = 0;        // the operations that come after it have this number or a larger one

    /// Set differently on two ways that meet: no call's own values.
    bool is_joined() const { return vec.empty() && m_count == 0 && k_count == 0 && n_count == 0; }
};

enum class LoopKind : std::uint8_t {
    python_range,      // for over range(...)
    python_iteration,  // for over a list, tuple, zip, enumerate ...
    python_while,
    comprehension,
    device_loop,    // pypto.loop
    device_unroll,  // pypto.loop_unroll
};

inline bool is_device(LoopKind k) {
    return k == LoopKind::device_loop || k == LoopKind::device_unroll;
}

/// What pypto.loop(...) / loop_unroll(...) was given.
struct LoopSpec {
    bool unroll = false;  // loop_unroll
    Site call;
    Value start, stop, step;  // as evaluated; start none when not given
    Value name, idx_name;
    Value unroll_list;               // unknown() with file/node when given but not resolved
    bool unroll_given = false;       // the keyword is there and not None
    bool has_open_keywords = false;  // ** of something unknown: a list may be given
    Value parallel, submit_before_loop;
};

struct Loop {
    LoopKind kind = LoopKind::python_range;
    Site site;  // the for/while statement or the comprehension
    LoopId parent = kNone;
    FrameId frame = kNone;
    KernelId kernel = kNone;
    AtomId index = kNoAtom;  // the symbolic index (python_range, device loops)
    SymInt start, stop, step, trips;
    bool per_item = false;             // the body was traced once for each item: the operations are already copies
    const LoopSpec* spec = nullptr;    // device loops
    std::vector<std::int64_t> unroll;  // sorted descending, unique, with the implicit 1; empty: no list or unknown
    bool unroll_known = false;         // the list (or its absence) is known
    std::uint32_t first_op = 0, end_op = 0;    // operations of the kernel recorded inside, [first, end)
    bool executed_twice = false;               // loop-carried values were widened
    std::vector<std::uint32_t> factor_starts;  // loop_unroll traced factor by factor: the first operation of each
};

/// How the body of a Python loop uses things that a device loop cannot give it. Facts for the legality of a conversion.
struct LoopUse {
    enum class Kind : std::uint8_t {
        list_append,         // a Python list, dict or set older than the loop is changed
        list_index,          // a Python list or dict is indexed with the loop's index
        carried_value,       // a variable is read that an earlier iteration wrote; detail: its name
        index_in_shape,      // the index decides a shape
        index_in_tile,       // the index decides a tile shape
        index_in_condition,  // a Python `if`, `while`, conditional expression or `and`/`or` depends on the index
        index_in_text,       // f-string, str(), % formatting
        index_as_key,        // dict key or set member
        index_escapes,       // passed to a call the tracer cannot follow
        index_after_loop,    // the loop variable or a value of the body is read after the loop
        breaks,              // break, continue or return
        index_divided,       // by // or %, where Python rounds down and the device toward zero
    } kind;
    LoopId loop;
    Site site;
    std::string detail;
};

/// A call that was followed: which function, from where, inside what.
struct Frame {
    FrameId parent = kNone;
    const Function* function = nullptr;
    Site call;
};

/// One arm of a condition that could not be decided.
struct Branch {
    BranchId parent = kNone;
    Site site;  // the if statement or conditional expression
    int arm = 0;
    bool device = false;  // pypto.cond, is_loop_begin, a symbolic condition: both arms are compiled
};

enum class Engine : std::uint8_t {
    vector,    // runs on the vector core under the vec tile
    cube,      // runs on the cube core under the cube tile
    movement,  // moves data between memories: assemble, slice assignment, move, transpose on the way
    view,      // no data moves: view, slice read, inplace reshape
    create,    // full, zeros, pypto.tensor
    control,   // set_*_tile_shapes, options, print
    scalar,    // symbolic scalars: min, max, ceildiv, t[i] read as a number
};

struct Operation {
    OpCode code = 0;
    Engine engine = Engine::vector;
    Site site;  // the call, operator, subscript or assignment that makes it
    KernelId kernel = kNone;
    LoopId loop = kNone;  // innermost loop around it
    BranchId branch = kNone;
    FrameId frame = kNone;                           // the function whose text holds the site
    std::uint32_t first_input = 0, input_count = 0;  // tensor operands: Trace::operands
    TensorId output = kNoTensor;                 // the result; for assemble and slice assignment the tensor written to
    TileId vec_tile = kNone, cube_tile = kNone;  // the settings in force
    bool in_place = false;
    // What some operations say beyond their tensors:
    std::int32_t axis = INT32_MAX;          // reductions, sort, concat: normalised when the rank is known
    bool a_trans = false, b_trans = false;  // matmul
    bool keepdim = false;
    std::vector<SymInt> offsets;  // view, assemble, slices: by axis
    std::vector<SymInt> extent;   // slice assignment, view: shape of the part
    std::vector<SymInt> valid_shape;
    std::vector<std::pair<std::string_view, Value>> arguments;  // every argument by parameter name, tensors too
};

struct KernelParameter {
    std::string_view name;
    Value declared;  // annotation as evaluated: tensor_spec, unknown
    Value value;     // what it was bound to in this context
    syntax::NodeId node = syntax::kNoNode;
};

/// A kernel traced in one context: from its declaration alone, or as one call site calls it.
struct KernelTrace {
    const Function* function = nullptr;  // null: a helper traced without a kernel is `helper`
    std::string_view name;
    Site site;                     // function_definition
    Site call;                     // the call site of this context; unknown: traced from its declaration
    bool is_helper = false;        // no kernel: a function with PyPTO operations that nothing here calls
    bool legacy_frontend = false;  // new_ir=False
    std::vector<KernelParameter> parameters;
    std::uint32_t first_op = 0, end_op = 0;
    std::uint32_t first_loop = 0, end_loop = 0;
    BranchId call_branch = kNone;  // the undecided condition of host code around the call, where the call tells shapes
    std::uint32_t first_tensor = 0;  // Trace::tensors made from here on
    std::uint32_t context = 0;       // 0 for the first context of this function, then 1, 2 ...
    bool complete = true;            // false: the work bound cut it short
    std::vector<OpId> unfollowed;  // ahead of these operations code was called that is not known: it may have set tiles
};

/// A call of a kernel from host code.
struct KernelCall {
    const Function* kernel = nullptr;
    Site call;
    const Function* caller = nullptr;  // the host function that holds it; null: module level
    struct Argument {
        std::string_view parameter;
        Value value;
        Site site;   // the argument's expression; for *list the element of the list display
        Site splat;  // the * or ** argument it came through; unknown when written in place
    };
    std::vector<Argument> arguments;
    bool complete = false;  // every parameter that has an argument is known
};

/// Something that could not be followed, for --explain-unknown.
struct Unknown {
    UnknownReason::Why why;
    Site site;
    std::string detail;
    KernelId kernel = kNone;
};

struct SourceFile;  // trace/project.h

struct Trace {
    FileId main = 0;                       // the analysed file
    std::vector<const SourceFile*> files;  // by FileId
    Symbols symbols;
    std::vector<Tensor> tensors;
    std::vector<TensorId> operands;
    std::vector<Operation> operations;
    std::vector<Loop> loops;
    std::vector<LoopUse> loop_uses;
    std::vector<TileSetting> tiles;
    std::vector<Branch> branches;
    std::vector<Frame> frames;
    std::vector<KernelTrace> kernels;
    std::vector<KernelCall> kernel_calls;
    std::vector<Unknown> unknowns;
    bool cut_short = false;      // the work bound left something out: a kernel, a part of one, or code around them
    std::shared_ptr<void> heap;  // keeps the values alive

    std::span<const TensorId> inputs(const Operation& op) const {
        return std::span(operands).subspan(op.first_input, op.input_count);
    }
    /// How often the compiler copies this operation because of Python loops around it inside the kernel: the product of
    /// the known trips of python loops (per_item loops count 1). nullopt when a trip count is unknown.
    std::optional<std::int64_t> python_copies(const Operation& op) const;
};

}  // namespace ptofix::trace
