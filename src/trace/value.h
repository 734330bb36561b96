// Values of the traced Python program. A Value is 16 bytes: a tag, the place where it was written, and a payload that is a
// number or points into the Heap of the trace. Used by the tracer and, read only, by detectors and rewriters.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hardware/dtype.h"
#include "trace/site.h"
#include "trace/symbols.h"

namespace ptofix::trace {

using TensorId = std::uint32_t;
inline constexpr TensorId kNoTensor = UINT32_MAX;

struct List;
struct Dict;
struct Slice;
struct Range;
struct Function;
struct BoundMethod;
struct Class;
struct Instance;
struct Module;
struct TensorSpec;
struct LoopSpec;
struct LazyImport;
struct UnknownReason;

enum class Tag : std::uint8_t {
    unknown,      // payload reason (may be null)
    none,
    boolean,
    integer,      // payload i
    symbol,       // payload i: SymInt expression
    real,         // payload f
    string,       // payload text, interned
    dtype,        // payload dtype
    ellipsis,
    marker,       // payload text: a PyPTO constant that is no dtype: "DYNAMIC", "TILEOP_NZ", "CAST_RINT"
    list,         // payload list
    tuple,        // payload list
    set,          // payload list, duplicates removed
    dict,         // payload dict
    slice,        // payload slice
    range,        // payload range: Python's range object
    tensor,       // payload tensor: index into Trace::tensors
    tensor_spec,  // payload spec: pypto.Tensor([...], dtype) as an annotation or a declaration
    loop_spec,    // payload loop: what pypto.loop(...) returns
    function,     // payload function: def or lambda of the project, also a kernel
    bound_method, // payload method
    klass,        // payload klass
    instance,     // payload instance
    module,       // payload module: a file of the project
    external,     // payload text: dotted name outside the project, "pypto.frontend", "torch.float32", "pypto.matmul"
    lazy_import,  // payload lazy: resolved when the name is first read
};

struct Value {
    Tag tag = Tag::unknown;
    FileId file = kNoFile;                     // where the value was written: a literal, a display, a call
    syntax::NodeId node = syntax::kNoNode;
    union Payload {
        std::int64_t i = 0;
        double f;
        bool b;
        hardware::DType dtype;
        TensorId tensor;
        const std::string* text;
        const UnknownReason* reason;
        List* list;
        Dict* dict;
        const Slice* slice;
        const Range* range;
        const TensorSpec* spec;
        const LoopSpec* loop;
        Function* function;
        const BoundMethod* method;
        Class* klass;
        Instance* instance;
        Module* module;
        const LazyImport* lazy;
    } as;

    Site origin() const { return {file, node}; }
    Value at(Site site) const {
        Value v = *this;
        v.file = site.file;
        v.node = site.node;
        return v;
    }
    bool is(Tag t) const { return tag == t; }
    bool is_int() const { return tag == Tag::integer || tag == Tag::boolean; }
    /// Integers and booleans as numbers, symbols as expressions, everything else unknown.
    SymInt sym() const {
        if (tag == Tag::integer) return SymInt::of(as.i);
        if (tag == Tag::boolean) return SymInt::of(as.b ? 1 : 0);
        if (tag == Tag::symbol) return SymInt::expression(as.i);
        return {};
    }
    bool is_sequence() const { return tag == Tag::list || tag == Tag::tuple || tag == Tag::set; }

    static Value none() { return with(Tag::none); }
    static Value boolean(bool b) {
        Value v = with(Tag::boolean);
        v.as.b = b;
        return v;
    }
    static Value integer(std::int64_t i) {
        Value v = with(Tag::integer);
        v.as.i = i;
        return v;
    }
    static Value of(SymInt s) {
        if (s.unknown()) return {};
        Value v = with(s.known() ? Tag::integer : Tag::symbol);
        v.as.i = s.value;
        return v;
    }
    static Value real(double f) {
        Value v = with(Tag::real);
        v.as.f = f;
        return v;
    }
    static Value of(hardware::DType d) {
        Value v = with(Tag::dtype);
        v.as.dtype = d;
        return v;
    }
    static Value tensor(TensorId t) {
        Value v = with(Tag::tensor);
        v.as.tensor = t;
        return v;
    }
    static Value with(Tag tag) {
        Value v;
        v.tag = tag;
        return v;
    }
};
static_assert(sizeof(Value) == 16);

/// Why something could not be followed; for --explain-unknown.
struct UnknownReason {
    enum class Why : std::uint8_t {
        not_given,         // an argument that no call site tells
        external_call,     // a call into a library
        unsupported,       // a construct the tracer does not follow
        joined,            // two branches or iterations disagree
        undefined_name,
        budget,            // the work bound was reached
        runtime_value,     // read from a tensor's data, the environment, a file
        error,             // Python would raise here
        recursion,
    };
    Why why;
    Site site;
    std::string detail;  // the name or construct, as written
};

struct List {
    std::vector<Value> items;
    bool open = false;          // more items may be in it than are known: length unknown
    std::uint32_t birth = 0;    // order of creation: a loop knows which objects are older than itself
};

struct Dict {
    std::vector<std::pair<Value, Value>> items;  // insertion order; keys are strings, integers, tuples ...
    bool open = false;                           // keys may be in it that are not known
    std::uint32_t birth = 0;
};

struct Slice {
    Value start, stop, step;  // Tag::none where absent
};

struct Range {
    SymInt start, stop, step;
    Site call;
};

/// The declared type of a kernel parameter or buffer.
struct TensorSpec {
    std::vector<Value> dims;  // integer, symbol, marker (DYNAMIC, STATIC), ellipsis, unknown
    bool rank_known = false;
    hardware::DType dtype = hardware::DType::unknown;
    bool nz = false;          // TILEOP_NZ layout
    Site site;                // the call or subscript that declares it
    Site dtype_site;          // the expression of the dtype
};

struct Scope;

struct Parameter {
    std::string_view name;
    enum class Kind : std::uint8_t { plain, positional_only, keyword_only, star, double_star } kind = Kind::plain;
    syntax::NodeId node = syntax::kNoNode;        // the parameter node
    syntax::NodeId annotation = syntax::kNoNode;  // expression inside the type node
    Value default_value;                          // evaluated at definition
    Value annotation_value;
    bool has_default = false;
};

struct Function {
    std::string_view name;  // "<lambda>" for lambdas
    Site site;              // function_definition or lambda node
    Scope* closure = nullptr;
    std::vector<Parameter> parameters;
    syntax::NodeId body = syntax::kNoNode;  // block, or the expression of a lambda
    bool is_lambda = false;
    bool is_async_or_generator = false;
    std::vector<Value> decorators;  // unknown ones too, outermost first
    // A kernel: compiled by PyPTO when it is called.
    bool is_kernel = false;
    bool is_frontend_function = false;  // @pypto.frontend.function: inlined by the framework
    Site jit_site;                      // the decorator's expression, or the call jit(f)
    std::vector<std::pair<std::string_view, Value>> jit_options;  // keyword arguments of jit, ** expanded where known
    bool jit_options_open = false;                                // ** of something unknown
    bool is_static_method = false, is_class_method = false, is_property = false;
    std::uint32_t birth = 0;
};

struct BoundMethod {
    Value self;      // instance, list, dict, string, tensor ...
    Value function;  // Tag::function, or unknown for built-in methods named by `name`
    std::string_view name;
};

struct Class {
    std::string_view name;
    Site site;
    Scope* members = nullptr;
    std::vector<Value> bases;
    bool is_dataclass = false;
    bool is_named_tuple = false;
    bool is_enum = false;
    bool unknown_base = false;  // a base outside the project: attributes may come from there
    struct FieldInfo {
        std::string_view name;
        Value default_value;
        bool has_default = false;
        Value factory;  // field(default_factory=...)
        bool has_factory = false;
        Site site;
    };
    std::vector<FieldInfo> fields;  // dataclass and NamedTuple fields, bases first
};

struct Instance {
    Class* klass = nullptr;  // null: types.SimpleNamespace and its like
    std::vector<std::pair<std::string_view, Value>> attributes;
    bool open = false;  // unknown attributes may exist
    std::uint32_t birth = 0;
};

struct Module {
    FileId file = kNoFile;
    std::string name;  // dotted, as imported
    Scope* globals = nullptr;
    bool executed = false;
    bool executing = false;
};

struct LazyImport {
    std::string module;  // dotted, absolute or with leading dots
    std::string name;    // empty: the module itself
    Site site;
};

}  // namespace ptofix::trace
