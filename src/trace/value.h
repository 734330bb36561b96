// Values of the traced Python program. A Value is 16 bytes: a tag, the place where it was written, and a payload that
// is a number or points into the Heap of the trace. Used by the tracer and, read only, by detectors and rewriters.
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
struct UnknownReason;
struct Iterator;
struct View;

enum class Tag : std::uint8_t {
    unknown,  // payload reason (may be null)
    none,
    boolean,
    integer,  // payload i
    symbol,   // payload i: SymInt expression
    real,     // payload f
    string,   // payload text, interned
    dtype,    // payload dtype
    ellipsis,
    marker,        // payload text: a PyPTO constant that is no dtype: "DYNAMIC", "TILEOP_NZ", "CAST_RINT"
    list,          // payload list
    tuple,         // payload list
    set,           // payload list, duplicates removed
    dict,          // payload dict
    slice,         // payload slice
    range,         // payload range: Python's range object
    iterator,      // payload iterator: iter(x), zip, map, a generator: used up as it is read
    view,          // payload view: keys, values or items of a dict, as they are when it is looked at
    tensor,        // payload tensor: index into Trace::tensors
    tensor_spec,   // payload spec: pypto.Tensor([...], dtype) as an annotation or a declaration
    loop_spec,     // payload loop: what pypto.loop(...) returns
    function,      // payload function: def or lambda of the project, also a kernel
    bound_method,  // payload method
    klass,         // payload klass
    instance,      // payload instance
    module,        // payload module: a file of the project
    external,      // payload text: dotted name outside the project, "pypto.frontend", "torch.float32", "pypto.matmul"
};

struct Value {
    Tag tag = Tag::unknown;
    FileId file = kNoFile;  // where the value was written: a literal, a display, a call
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
        Iterator* iterator;
        const View* view;
        const TensorSpec* spec;
        const LoopSpec* loop;
        Function* function;
        const BoundMethod* method;
        Class* klass;
        Instance* instance;
        Module* module;
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
        not_given,      // an argument that no call site tells
        external_call,  // a call into a library
        unsupported,    // a construct the tracer does not follow
        joined,         // two branches or iterations disagree
        undefined_name,
        budget,         // the work bound was reached
        runtime_value,  // read from a tensor's data, the environment, a file
        error,          // Python would raise here
        recursion,
        library_value,  // what a library that is known to leave its arguments alone made
    };
    Why why;
    Site site;
    std::string detail;  // the name or construct, as written
    /// Values with this very reason are one and the same, whatever it is: what is learnt of one holds for all.
    bool is_one_value = false;
};

/// What every object that can change keeps for the trail and for the question whether two names are of one object.
struct Shared {
    std::uint32_t birth = 0;  // order of creation: a loop knows which objects are older than itself
    std::uint32_t saved = 0;  // the trail's level that has a copy of it
    bool linked = false;      // stands for one of several objects, or is one of those: see Interpreter::link
    bool lost = false;        // something unknown may be this object
};

struct List : Shared {
    std::vector<Value> items;
    bool open = false;       // of a list: more may come after the items; of a set: it may have more members
    bool unordered = false;  // a set
    bool frozen = false;     // a frozenset
};

struct Dict : Shared {
    std::vector<std::pair<Value, Value>> items;  // insertion order, unless open; keys are strings, integers, tuples ...
    bool open = false;                           // keys may be in it that are not known
};

/// d.keys(), d.values(), d.items().
struct View {
    enum class Kind : std::uint8_t { keys, values, items } kind;
    Dict* dict;
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
    bool nz = false;  // TILEOP_NZ layout
    Site site;        // the call or subscript that declares it
    Site dtype_site;  // the expression of the dtype
};

struct Scope;

/// What is read item by item, once.
struct Iterator : Shared {
    enum class Kind : std::uint8_t {
        items,      // of `list`, which does not change
        live_list,  // of `list` as it is by then
        live_dict,  // of `dict`
        range,      // next, stop, step
        map,        // function on an item of each source
        filter,
        zip,
        enumerate,      // next is the number
        comprehension,  // a generator expression: `site` in `scope`, over sources[0]
        unknown,        // what comes is not known; `function`: the generator function that makes it, if any
    } kind = Kind::unknown;
    const List* list = nullptr;
    const Dict* dict = nullptr;
    View::Kind view = View::Kind::keys;
    std::size_t at = 0;  // items, live_list, live_dict: the next one
    std::int64_t next = 0, stop = 0, step = 1;
    Value function;
    std::vector<Value> sources;  // iterators
    Site site;
    Scope* scope = nullptr;

    bool same_position(const Iterator& o) const {
        return kind == o.kind && list == o.list && dict == o.dict && at == o.at && next == o.next;
    }
};

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
    bool is_async = false;
    enum class Generator : std::uint8_t { not_asked, no, yes } generator = Generator::not_asked;
    Class* owner = nullptr;         // the class whose body defines it
    std::vector<Value> decorators;  // unknown ones too, outermost first
    // A kernel: compiled by PyPTO when it is called.
    bool is_kernel = false;
    bool is_frontend_function = false;                            // @pypto.frontend.function: inlined by the framework
    Site jit_site;                                                // the decorator's expression, or the call jit(f)
    std::vector<std::pair<std::string_view, Value>> jit_options;  // keyword arguments of jit, ** expanded where known
    bool jit_options_open = false;                                // ** of something unknown
    bool is_static_method = false, is_class_method = false, is_property = false, is_cached_property = false;
    Value property_get, property_set;  // of property(get, set) and @x.setter
    bool opaque = false;  // wrapped by a decorator that is not known: it may run, what comes of it is not known
    bool cached = false;  // functools.cache
    struct Remembered {
        std::vector<Value> arguments;
        Value result;
    };
    std::vector<Remembered> memory;
    std::uint32_t birth = 0;
    bool lost = false;  // something unknown may call it
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
    std::vector<Class*> order;   // in which attributes are looked for: itself first
    bool is_unknown = false;     // a base from outside of the project: attributes may come from there
    bool is_library = false;     // ... of a library that is known to leave its arguments alone
    bool is_exception = false;   // a built-in exception or made of one
    bool has_metaclass = false;  // made or called in a way that is not followed
    bool is_dataclass = false;   // itself or a base
    bool makes_init = false;     // decorated as a dataclass that makes a constructor
    bool compares_fields = false;
    bool is_frozen = false;
    bool is_named_tuple = false;
    bool is_enum = false, is_int_enum = false, is_flag = false;
    bool is_mixed = false;  // an enumeration of texts and the like: members compare as those
    struct FieldInfo {
        std::string_view name;
        Value default_value;
        bool has_default = false;
        Value factory;  // field(default_factory=...)
        bool has_factory = false;
        bool init = true;  // taken by the constructor
        bool keyword_only = false;
        bool init_only = false;  // InitVar: handed to __post_init__, not kept
        bool class_variable = false;
        bool marks_keyword_only = false;  // `_: KW_ONLY`
        Site site;
    };
    std::vector<FieldInfo> declared;  // annotated names of the body
    std::vector<FieldInfo> fields;    // of the constructor of a dataclass or NamedTuple, bases first
    std::vector<Value> enum_members;  // in order, without other names of the same
    bool members_open = false;        // there may be more

    bool is_immutable() const { return is_named_tuple || (is_dataclass && is_frozen); }
};

struct Instance : Shared {
    Class* klass = nullptr;  // null: types.SimpleNamespace and its like
    std::vector<std::pair<std::string_view, Value>> attributes;
    bool open = false;  // it may have attributes that are not known, also instead of those of its class
};

struct Module {
    FileId file = kNoFile;
    std::string name;  // dotted, as imported
    Scope* globals = nullptr;
    bool executed = false;
    bool executing = false;
    bool broken = false;  // it raised: what comes after is not in it
};

}  // namespace ptofix::trace
