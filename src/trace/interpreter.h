// The interpreter inside the tracer: executes statements and expressions of the flat syntax tree on symbolic values.
// One object traces one file. Private to src/trace; its methods are spread over interpreter_*.cpp, each file one
// concern.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/heap.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/trace.h"
#include "trace/tracer.h"
#include "trace/trail.h"

namespace ptofix::trace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

/// How a statement ended.
enum class Flow : std::uint8_t { normal, broke, continued, returned, raised };

struct Arguments {
    std::vector<Value> positional;
    std::vector<Site> positional_sites;  // the expression of each; for * the element's origin
    std::vector<Site> splat_sites;       // the * or ** argument it came through, unknown otherwise; as positional
    std::vector<std::pair<std::string_view, Value>> keyword;
    std::vector<Site> keyword_sites;
    std::vector<Site> keyword_splats;
    bool open = false;  // * or ** of something unknown: there may be more

    const Value* find(std::string_view name) const {
        for (const auto& [n, v] : keyword) {
            if (n == name) return &v;
        }
        return nullptr;
    }
    /// Keyword, else position, else null.
    const Value* get(std::size_t position, std::string_view name) const {
        if (position < positional.size()) return &positional[position];
        return find(name);
    }
};

class Interpreter {
  public:
    Interpreter(Project& project, Trace& trace, Heap& heap, const TraceOptions& options);

    /// Executes the module, then its host functions, then every kernel not reached by them.
    void run(std::shared_ptr<const SourceFile> file);

  private:
    // ---- interpreter.cpp: files, names, bookkeeping
    FileId add_file(std::shared_ptr<const SourceFile> file);
    void enter_file(FileId file);
    std::string_view text(NodeId n) const { return source_->text(n); }
    Kind kind(NodeId n) const { return tree_->kind(n); }
    Site here(NodeId n) const { return {file_, n}; }
    bool out_of_budget();
    Value unknown(UnknownReason::Why why, NodeId node, std::string_view detail = {});
    Value string_value(std::string_view s, NodeId node);
    Value make_list(Tag tag, std::vector<Value> items, NodeId node);
    Scope* new_scope(Scope* parent);
    void bind(Scope* scope, std::string_view name, Value value);
    void bind_name(std::string_view name, Value value);  // honours global and nonlocal
    Value load(std::string_view name, NodeId node);
    Value lookup_builtin(std::string_view name, NodeId node);
    Value resolve(Value v);  // lazy imports
    Value resolve_lazy(Value v);
    std::optional<Value> module_name(Module* module, std::string_view name);
    static Scope::Entry* entry_of(Scope* scope, std::string_view name);

    // ---- interpreter_statements.cpp
    Flow exec_block(NodeId block);
    Flow exec(NodeId statement);
    Flow exec_try(NodeId statement);
    Flow exec_with(NodeId statement);
    Flow exec_return(NodeId statement);
    Flow exec_expression(NodeId statement);
    void exec_assert(NodeId node);

    // ---- interpreter_assignments.cpp
    void exec_assignment(NodeId node);
    void exec_augmented(NodeId node);
    void exec_delete(NodeId node);
    void assign(NodeId target, Value value);
    void assign_sequence(NodeId target, Value value);
    void assign_subscript(NodeId target, Value value);
    void assign_attribute(Value object, std::string_view name, Value value);
    void havoc_assigned_names(NodeId subtree);

    // ---- interpreter_branches.cpp
    Flow exec_if(NodeId statement);
    Flow exec_match(NodeId statement);
    struct Arm {
        NodeId body;  // block or expression; kNoNode: nothing
        int number;
        std::optional<std::pair<std::string_view, Value>> binding;
    };
    /// Runs each arm from the same state and joins the states of those that go on.
    Flow run_arms(NodeId statement, const std::vector<Arm>& arms, bool device);
    bool device_condition(const Value& condition) const;

    // ---- interpreter_loops.cpp
    Flow exec_for(NodeId statement);
    Flow exec_while(NodeId statement);
    Flow run_range_loop(NodeId statement, const Range& range, NodeId target, NodeId body);
    Flow run_device_loop(NodeId statement, const LoopSpec& spec, NodeId target, NodeId body);
    Flow run_items(NodeId statement, const std::vector<Value>& items, NodeId target, NodeId body, LoopKind kind);
    /// The body once, with loop-carried values widened until they hold for every iteration.
    Flow run_symbolic(LoopId loop, NodeId target, const Value& index, NodeId body);
    /// How far the trace had come, to take back what a trial run recorded.
    struct TraceMark {
        std::size_t operations, operands, loops, tiles, branches, frames, returns;
    };
    TraceMark mark_trace() const;
    void rewind_trace(const TraceMark& mark);
    LoopId begin_loop(LoopKind kind, NodeId statement);
    void end_loop(LoopId loop);
    void end_comprehension(LoopId loop, bool complete, std::size_t items);
    void note_carried(LoopId loop, Trail::Mark mark);
    void note_use(LoopUse::Kind kind, const Value& value, NodeId node, std::string_view detail = {});
    void note_use(LoopUse::Kind kind, SymInt value, NodeId node, std::string_view detail = {});
    /// A condition that the bounds of the index decide: Python runs it all the same.
    void note_decided(const Value& value, NodeId node);
    void note_loop_use(LoopUse::Kind kind, LoopId loop, NodeId node, std::string_view detail = {});
    void note_mutation(std::uint32_t birth, NodeId node);
    std::optional<std::vector<Value>> iterate(const Value& v);  // items, when they are known

    // ---- interpreter_expressions.cpp
    Value eval(NodeId node);
    Value eval_known_kind(NodeId node);
    Value eval_unary(NodeId node);
    Value eval_binary_chain(NodeId node);
    Value eval_boolean(NodeId node);
    Value eval_comparison(NodeId node);
    Value eval_conditional(NodeId node);
    Value eval_lambda(NodeId node);

    // ---- interpreter_literals.cpp
    Value eval_string(NodeId node);
    Value eval_number(NodeId node);
    Value eval_sequence(NodeId node, Tag tag);
    Value eval_dict(NodeId node);
    std::optional<std::string> to_text(const Value& v) const;

    // ---- interpreter_comprehensions.cpp
    Value eval_comprehension(NodeId node, Tag tag);
    bool run_comprehension(const std::vector<NodeId>& clauses, std::size_t at, NodeId body, std::vector<Value>& out,
                           Dict* dict);

    // ---- interpreter_operators.cpp
    Value binary(Kind op, Value a, Value b, NodeId node);
    Value combine(Kind op, const Value& a, const Value& b, NodeId node);
    Value compare(Kind op, const Value& a, const Value& b, NodeId node);
    Value relate(Kind op, const Value& a, const Value& b, NodeId node);

    // ---- interpreter_attributes.cpp
    Value eval_attribute(NodeId node);
    Value attribute(Value object, std::string_view name, NodeId node);
    Value instance_attribute(const Value& object, std::string_view name, NodeId node);
    Value class_attribute(Class* klass, std::string_view name, const Value& self, NodeId node);

    // ---- interpreter_subscripts.cpp
    Value eval_subscript(NodeId node);
    Value eval_slice(NodeId node);
    Value index(Value object, Value key, NodeId node);
    Value index_sequence(const Value& object, const Value& key, NodeId node);

    // ---- interpreter_equality.cpp
    std::optional<bool> truth(const Value& v) const;
    std::optional<bool> equal(const Value& a, const Value& b) const;
    bool same(const Value& a, const Value& b) const;
    bool same(const Content& a, const Content& b) const;

    // ---- interpreter_join.cpp
    Value join(const Value& a, const Value& b, NodeId node);
    /// Tensors in a value that goes into a join, or that the next iteration of a device loop reads (`carried`).
    void mark_joined(const Value& value, bool carried = false);
    void mark_joined(const Content& content, bool carried);
    Content join(const Content& a, const Content& b, NodeId node);
    Value copy(const Value& v, int depth);

    // ---- interpreter_calls.cpp
    Arguments eval_arguments(NodeId argument_list);
    Value eval_call(NodeId node);
    Value call(Value callee, Arguments& args, NodeId node);
    Value call_function(Function* f, const Value* self, Arguments& args, NodeId node);
    /// Binds arguments to parameters in `scope`; false when Python would raise.
    bool bind_arguments(const Function& f, const Value* self, const Arguments& args, Scope* scope, NodeId node);
    Value call_class(Class* klass, Arguments& args, NodeId node);
    Value call_method(const BoundMethod& m, Arguments& args, NodeId node);

    // ---- interpreter_methods.cpp
    Value list_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value dict_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value set_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value string_method(const Value& self, std::string_view name, Arguments& args, NodeId node);

    // ---- interpreter_definitions.cpp
    Value define_function(NodeId definition, const std::vector<Value>& decorators, const std::vector<NodeId>& nodes);
    Value define_class(NodeId definition, const std::vector<Value>& decorators);
    Flow exec_decorated(NodeId node);
    std::vector<Parameter> read_parameters(NodeId parameters, bool annotations);
    void decorate(Function* f, const Value& decorator, NodeId node);
    void exec_import(NodeId node);
    void exec_import_from(NodeId node);
    Module* load_module(std::string_view name, Site site);
    Module* module_of(FileId file, std::string_view name);
    void execute_module(Module* module);

    // ---- interpreter_builtins.cpp: Python's own functions; interpreter_library.cpp: the standard library and torch
    Value call_external(const std::string& name, Arguments& args, NodeId node);
    Value call_builtin(std::string_view name, Arguments& args, NodeId node);
    Value min_max(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> call_library(std::string_view name, Arguments& args, NodeId node);
    Value external_attribute(const std::string& owner, std::string_view name, NodeId node);

    // ---- interpreter_pypto.cpp: the framework
    Value call_pypto(std::string_view name, Arguments& args, NodeId node);
    Value call_operation(OpCode code, Arguments& args, NodeId node, const Value* self = nullptr);
    Value record(OpCode code, BoundCall&& call, NodeId node);
    Value operator_on_tensor(std::string_view operation, Value a, Value b, NodeId node);
    Value make_loop_spec(bool unroll, Arguments& args, NodeId node);
    Value make_tensor_spec(Arguments& args, NodeId node);
    void set_vec_tile(Arguments& args, NodeId node);
    void set_cube_tile(Arguments& args, NodeId node);

    // ---- interpreter_tensors.cpp
    Value tensor_attribute(const Value& tensor, std::string_view name, NodeId node);
    Value tensor_method(const Value& tensor, std::string_view name, Arguments& args, NodeId node);
    Value tensor_index(const Value& tensor, const Value& key, NodeId node);
    void tensor_store(const Value& tensor, const Value& key, Value value, NodeId node);
    Value shape_value(TensorId id, NodeId node);
    TensorId new_tensor(Tensor t);
    TensorId tensor_from_spec(const TensorSpec& spec, std::string_view name, TensorSource source, Site site);
    void name_tensor(const Value& v, std::string_view name);
    bool read_subscript(const Value& key, const TensorType& type, std::vector<SymInt>& offsets,
                        std::vector<SymInt>& extent, std::vector<bool>& dropped, bool& whole);

    // ---- interpreter_torch.cpp, interpreter_host_tensors.cpp: the tensors of host code
    std::optional<Value> call_torch(std::string_view name, Arguments& args, NodeId node);
    Value host_tensor(TensorType type, NodeId node);
    /// Null for what is no tensor of host code.
    const TensorType* host_type(const Value* v) const;
    /// (2, 3) or 2, 3; nullopt when it is not known how many there are.
    std::optional<std::vector<SymInt>> size_argument(std::span<const Value> values) const;
    static std::optional<std::vector<SymInt>> size_argument_items(std::span<const Value> values);
    TensorType type_of_data(const Value& data, bool is_numpy) const;
    static std::optional<std::size_t> host_axis(const Value* v, std::size_t rank);
    TensorType host_reshaped(const TensorType& type, std::span<const Value> sizes);
    Value host_method(const Value& tensor, std::string_view name, Arguments& args, NodeId node);
    Value host_attribute(const Value& tensor, std::string_view name, NodeId node);
    Value host_operator(std::string_view operation, const Value& a, const Value& b, NodeId node);
    Value host_binary(const Value& a, const Value& b, NodeId node);
    Value host_matmul(const Value& a, const Value& b, NodeId node);
    Value host_index(const Value& tensor, const Value& key, NodeId node);

    // ---- interpreter_kernels.cpp: entry points
    void run_host_functions();
    /// Kernels that nothing called. The first `of_module` were made while the module was executed.
    void run_remaining_kernels(std::size_t of_module);
    Value call_kernel(Function* f, Arguments& args, NodeId node);
    void trace_kernel(Function* f, const std::vector<std::pair<std::string_view, Value>>& arguments, Site call);
    // ---- interpreter_contexts.cpp: a kernel's parameters as one call gives them
    using HostDims =
        std::vector<std::pair<SymInt, SymInt>>;  // a symbol of the host, and what stands for it in the kernel
    SymInt context_dim(SymInt host, std::string name, HostDims& dims);
    TensorType context_type(const TensorSpec* spec, const TensorType* host, std::string_view name, HostDims& dims,
                            std::string& key);
    static SymInt nz_aligned(SymInt dim, std::size_t from_end, hardware::DType dtype);
    /// `key` gets what tells this context from others.
    Value context_value(const Parameter& p, const Value& argument, HostDims& dims, std::string& key);
    static std::string argument_key(std::string_view name, const Value& v);
    void run_entry(Function* f, bool as_helper);
    KernelId begin_kernel(Function* f, Site call, bool helper);
    void end_kernel(KernelId id);

    struct ActiveLoop {
        LoopId id;
        std::uint32_t start;       // sequence number at its beginning
        bool wants_items = false;  // the body does things that only concrete indices make clear
    };
    struct CallFrame {
        const Function* function;
        FrameId id;
        Scope* scope;
        std::vector<Value> returns;
        bool yields = false;
        std::size_t loop_base = 0;  // loops_ below belong to callers
    };
    struct State {  // what a new kernel or module starts from and gives back
        FileId file;
        Scope* scope;
    };

    Project& project_;
    Trace& trace_;
    Heap& heap_;
    const TraceOptions& options_;

    FileId file_ = kNoFile;
    const SourceFile* source_ = nullptr;
    const syntax::Tree* tree_ = nullptr;
    Scope* scope_ = nullptr;

    Trail trail_;
    TileState tiles_;
    std::vector<ActiveLoop> loops_;
    std::vector<CallFrame> frames_;
    BranchId branch_ = kNone;
    KernelId kernel_ = kNone;
    std::uint32_t sequence_ = 1;
    std::uint32_t steps_ = 0;
    std::uint32_t limit_ = 0;  // of steps_: the whole file's, or what a host function has left
    int depth_ = 0;
    int resolving_ = 0;
    bool exhausted_ = false;
    bool host_saw_operation_ = false;

    std::unordered_map<std::string, Module*> modules_;              // by path
    std::vector<Function*> kernels_found_;                          // kernels in order of definition
    std::unordered_map<NodeId, int> executed_;                      // function nodes of the main file that ran
    std::vector<std::pair<std::string, KernelId>> contexts_;        // key of each traced kernel context
    std::unordered_map<const void*, std::uint32_t> context_count_;  // unused functions stay absent

    static constexpr int kMaxDepth = 600;  // nesting of eval and exec; bounds the C++ stack
    /// A wrapper or test calls its kernel within a few hundred steps; what goes on for longer prepares data.
    static constexpr std::uint32_t kHostEntrySteps = 4000;
    static constexpr std::size_t kMaxFrames = 30;
    static constexpr std::size_t kMaxItems = 64;    // items that a loop is traced for one by one
    static constexpr std::size_t kMaxContexts = 8;  // call contexts kept of one kernel
};

}  // namespace ptofix::trace
