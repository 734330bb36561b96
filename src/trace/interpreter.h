// The interpreter inside the tracer: executes statements and expressions of the flat syntax tree on symbolic values.
// One object traces one file. Private to src/trace; its methods are spread over interpreter_*.cpp, each file one
// concern.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/arguments.h"
#include "trace/heap.h"
#include "trace/interpreter_state.h"
#include "trace/operations.h"
#include "trace/project.h"
#include "trace/trace.h"
#include "trace/tracer.h"
#include "trace/trail.h"
#include "trace/work_budget.h"

namespace ptofix::trace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeId;

/// How a statement ended.
enum class Flow : std::uint8_t { normal, broke, continued, returned, raised };

class Interpreter {
  public:
    Interpreter(Project& project, Trace& trace, Heap& heap, const TraceOptions& options);

    /// Executes the module, then its host functions, then every kernel not reached by them.
    void run(std::shared_ptr<const SourceFile> file);

  private:
    /// Is something in a container? Of one that is open, or of what is not known, it may be.
    enum class Found : std::uint8_t { no, yes, maybe };
    enum class Order : std::uint8_t { python, any };  // does it matter in which order items come?
    struct Entry {
        Found found;
        std::size_t index;  // in Dict::items
    };
    struct Step {
        enum class Kind : std::uint8_t { item, done, unknown } kind;
        Value value;
    };
    struct Looked {
        Found found;
        Value value;
    };
    struct ClassEntry {
        Found found = Found::no;
        Value value;
        bool library = false;  // maybe: in a base of a library
    };
    struct Way {  // through a construct
        Flow flow;
        Exit here;  // since the mark where the ways part
    };
    struct Outcome {
        bool completes;  // the state is one in which the loop has run to its end
        Flow flow;       // else: how the body left it for sure
    };
    struct ExitCounts {
        std::size_t returned, broke, continued, raised, moments;
    };
    struct Comprehension {
        Tag tag;
        NodeId body;
        std::vector<NodeId> clauses;
        Value result;
        std::size_t items = 0;
    };
    /// part_method: a method of an attribute or element of it is called.
    enum class Mention : std::uint8_t { read, part_given, given, called, method, part_method, changed, rebound };
    struct Use {
        Mention how;
        std::string_view member;  // the first attribute behind the name
        auto operator<=>(const Use&) const = default;
    };
    struct Effects {                                  // of the code of a function on what is around it
        std::vector<std::string_view> declared, own;  // names: global or nonlocal; bound by it
        std::vector<std::pair<std::string_view, Use>> uses;
        // Where the uses are found in the module whose names they are: entries are only ever added, so an index stays,
        // and what was not there is to be looked for only among those added since.
        const Scope* module = nullptr;
        std::vector<std::size_t> entries;  // kNowhere: none of the first `looked`
        std::vector<std::size_t> looked;
        std::uint32_t round = 0;              // in which it was last forgotten ...
        std::vector<const Scope*> forgotten;  // ... in these closures
    };
    using Bindings = std::vector<std::pair<std::string_view, Value>>;

    // ---- interpreter.cpp: files, names, bookkeeping
    FileId add_file(std::shared_ptr<const SourceFile> file);
    void enter_file(FileId file);
    std::string_view text(NodeId n) const { return source_->text(n); }
    Kind kind(NodeId n) const { return tree_->kind(n); }
    Site here(NodeId n) const { return {file_, n}; }
    bool out_of_budget();
    void charge(std::size_t items);
    /// One level more, to be taken back with --depth_; false: too many.
    bool deeper();
    Value unknown(UnknownReason::Why why, NodeId node, std::string_view detail = {});
    Value string_value(std::string_view s, NodeId node);
    Value make_list(Tag tag, std::vector<Value> items, NodeId node);
    Value make_dict(NodeId node);
    Scope* new_scope(Scope* parent);
    void keep_scopes();
    static void end_scope(Scope* scope) { scope->ended = !scope->kept; }
    void bind(Scope* scope, std::string_view name, Value value);
    void unbind(Scope* scope, std::string_view name);
    void bind_name(std::string_view name, Value value);  // honours global and nonlocal
    void bind_around_comprehension(std::string_view name, Value value);
    void unbind_name(std::string_view name);
    void unbind_target(NodeId target);
    static Scope* scope_of_binding(Scope* from, std::string_view name);
    Value load(std::string_view name, NodeId node);
    Value lookup_builtin(std::string_view name, NodeId node);
    static bool is_builtin(std::string_view name);
    bool is_unbound_local(std::string_view name, const Scope* found);
    static Scope::Entry* entry_of(Scope* scope, std::string_view name, Scope** found);

    // ---- interpreter_statements.cpp
    Flow exec_block(NodeId block);
    Flow exec(NodeId statement);
    Flow exec_return(NodeId statement);
    Flow exec_expression(NodeId statement);
    void exec_assert(NodeId node);
    void define(NodeId definition, const Value& value);
    bool in_loop() const;
    bool is_broken_here(NodeId statement) const;

    // ---- interpreter_exceptions.cpp
    Flow exec_raise(NodeId statement);
    Flow exec_try(NodeId statement);
    Flow exec_with(NodeId statement);
    Flow with_items(NodeId statement, const std::vector<NodeId>& items, std::size_t at);
    Flow with_item(NodeId statement, const std::vector<NodeId>& items, std::size_t at);
    /// Python raises here for sure: inside a try it does; outside nothing comes of it but a value that is not known.
    Value definite_error(std::string_view type, NodeId node);
    /// Python may raise here.
    void risk();
    std::vector<Exit> leave_try(Flow& flow, NodeId statement);
    std::optional<bool> catches(const Value& type, const Value& error);
    Flow run_handlers(NodeId statement, Trail::Mark mark, Flow flow, std::vector<Exit> raised,
                      const std::vector<NodeId>& handlers);
    Flow run_finally(NodeId block, Flow flow, const ExitCounts& outside);
    void run_finally_for(NodeId block, Trail::Mark mark, const std::vector<Exit>& exits);
    ExitCounts count_exits() const;
    /// What left the construct before gets to know that `changed` is run on its way out as well.
    void tell_exits(const std::vector<Change>& changed, const ExitCounts& outside, NodeId node);

    // ---- interpreter_flow.cpp
    Exit exit_since(Trail::Mark mark);
    void record_exit(Flow flow);
    void keep_exit(Way& way);
    Way end_way(Trail::Mark mark, Flow flow);
    /// The state becomes what holds on all ways that go on; the others are recorded where they went.
    Flow settle(Trail::Mark mark, std::vector<Way>& ways, NodeId node);
    void merge(Trail::Mark mark, bool with_current, const std::vector<Exit>& exits, NodeId node);
    void merge_places(std::span<const Place> places, const std::vector<Change>& current, bool with_current,
                      const std::vector<Exit>& exits, NodeId node);
    /// An expression that may or may not be evaluated.
    Value eval_maybe(NodeId node);

    // ---- interpreter_assignments.cpp
    void exec_assignment(NodeId node);
    void exec_augmented(NodeId node);
    Value augment(Kind op, const Value& before, const Value& operand, NodeId node);
    /// The shape that `b, s = x.shape` takes apart, its rank learnt; none when it is something else.
    Value unpacked_shape(NodeId right, NodeId targets);
    void exec_delete(NodeId node);
    void delete_element(const Value& object, const Value& key, NodeId node);
    void assign(NodeId target, Value value);
    NodeId alone_in_parentheses(NodeId target) const;
    void assign_sequence(NodeId target, Value value);
    void store_element(const Value& object, const Value& key, const Value& value, NodeId target);
    void store_in_list(List& list, const Value& key, const Value& value, NodeId target);
    void store_slice(List& list, const Slice& slice, const Value& value);

    // ---- interpreter_branches.cpp
    Flow exec_if(NodeId statement);
    struct Arm {
        NodeId body;  // block or expression; kNoNode: nothing
        int number;
    };
    /// Runs each arm from the same state and joins the states of those that go on.
    /// `flows`: how each arm ended.
    Flow run_arms(NodeId statement, const std::vector<Arm>& arms, bool device, std::vector<Flow>* flows = nullptr);
    bool device_condition(const Value& condition) const;

    // ---- interpreter_match.cpp
    Flow exec_match(NodeId statement);
    void enter_arm(BranchId outer, NodeId statement, int number);
    Value eval_subject(NodeId statement);
    std::optional<bool> match_patterns(NodeId clause, const Value& subject, Bindings& bindings);
    std::optional<bool> match(NodeId pattern, const Value& subject, Bindings& bindings);
    std::optional<bool> match_alternatives(NodeId pattern, const Value& subject, Bindings& bindings);
    std::optional<bool> match_atom(NodeId n, bool negative, const Value& subject, Bindings& bindings);
    std::optional<bool> match_items(const std::vector<NodeId>& patterns, const Value& subject, Bindings& bindings);
    std::optional<bool> match_dict(NodeId n, const Value& subject, Bindings& bindings);
    std::optional<bool> match_class(NodeId n, const Value& subject, Bindings& bindings);
    std::optional<Value> matched_position(const Value& subject, const Value& type, std::size_t position, NodeId node);
    void bind_unknown(NodeId pattern, Bindings& bindings);
    Value eval_dotted(NodeId name);

    // ---- interpreter_loops.cpp
    Flow exec_for(NodeId statement);
    Flow exec_while(NodeId statement);
    Flow run_range_loop(NodeId statement, const Range& range, NodeId target, NodeId body);
    Value range_index(LoopId id, const Range& range, SymInt trips, NodeId target);
    Outcome run_items(LoopId id, const Value& over, NodeId target, NodeId body);
    std::optional<Value> item_at_some_place(LoopId id, const Iterator& it, std::size_t items, const Value& over,
                                            NodeId target);
    /// Iterations that may have been the last one are no use to follow one by one for long.
    bool left_often() const;
    /// The body for all iterations at once, with loop-carried values widened until they hold for every iteration.
    Outcome run_symbolic(LoopId loop, bool may_skip, const std::function<Flow()>& iteration, NodeId body);
    /// What an iteration leaves to the next: continue joins it.
    Flow end_of_iteration(Flow flow, NodeId body);
    Flow leave_loop(NodeId statement, LoopId loop, Outcome outcome);
    /// How far the trace had come, to take back what a trial run recorded.
    struct TraceMark {
        std::size_t operations, operands, loops, tiles, branches, frames, returns, exits, raised;
    };
    TraceMark mark_trace() const;
    void rewind_trace(const TraceMark& mark);
    LoopId begin_loop(LoopKind kind, NodeId statement);
    void end_loop(LoopId loop);
    void drop_idle_loop(LoopId loop);
    void note_stale(Scope* scope, Scope::Entry& entry);
    void note_carried(LoopId loop, Trail::Mark mark);

    // ---- interpreter_device_loops.cpp
    Flow run_device_loop(NodeId statement, const LoopSpec& spec, NodeId target, NodeId body);
    void read_unroll_list(const LoopSpec& spec, Loop& loop);
    bool legacy_frontend() const;

    // ---- interpreter_loop_uses.cpp
    void note_use(LoopUse::Kind kind, const Value& value, NodeId node, std::string_view detail = {});
    void note_use(LoopUse::Kind kind, SymInt value, NodeId node, std::string_view detail = {});
    /// A condition that the bounds of the index decide: Python runs it all the same.
    void note_decided(const Value& value, NodeId node);
    void note_loop_use(LoopUse::Kind kind, LoopId loop, NodeId node, std::string_view detail = {});
    void note_mutation(std::uint32_t birth, NodeId node);

    // ---- interpreter_iterators.cpp
    Value make_iterator(Iterator it, NodeId node);
    Value unknown_iterator(NodeId node);
    Value iterator_over(const Value& v, NodeId node);
    std::optional<std::size_t> items_left(const Iterator& it) const;
    void exhaust(Iterator& it, NodeId node);
    void lose_track(Iterator& it, NodeId node);
    Step advance(Iterator& it, NodeId node);
    Value view_item(const Dict& dict, View::Kind view, std::size_t at, NodeId node);
    Value call_with(const Value& function, std::vector<Value> values, NodeId node);
    /// All items, when they are known; an iterator is used up.
    std::optional<std::vector<Value>> iterate(const Value& v, Order order = Order::python);

    // ---- interpreter_expressions.cpp
    Value eval(NodeId node);
    Value eval_test(NodeId node);
    Value eval_known_kind(NodeId node);
    Value eval_unary(NodeId node);
    Value negated(const Value& v, NodeId node);
    Value eval_binary_chain(NodeId node);
    Value eval_boolean(NodeId node, bool truth_only);
    Value eval_comparison(NodeId node);
    Value eval_conditional(NodeId node);
    Value eval_lambda(NodeId node);

    // ---- interpreter_literals.cpp
    Value eval_string(NodeId node);
    bool append_interpolation(std::string& out, NodeId part, NodeId string);
    Value eval_number(NodeId node);
    bool is_splat(NodeId item) const;
    Value eval_sequence(NodeId node, Tag tag);
    Value eval_dict(NodeId node);

    // ---- interpreter_text.cpp
    Value made_string(std::string_view s, NodeId node);
    Value repeat_string(std::string_view s, std::int64_t times, NodeId node);
    Value text_length(std::string_view s, NodeId node);
    std::optional<std::string> to_text(const Value& v) const;
    Value string_index(const Value& string, const Value& key, NodeId node);
    Value string_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value split_text(std::string_view s, std::string_view separator, NodeId node);

    // ---- interpreter_comprehensions.cpp
    Value eval_comprehension(NodeId node, Tag tag);
    Value eval_generator_expression(NodeId node);
    Value fill_comprehension(Comprehension& c, const Value& first, NodeId node);
    bool run_comprehension(Comprehension& c, std::size_t at, const Value* first);
    bool make_item(Comprehension& c);
    std::optional<std::vector<Value>> run_generator_expression(Iterator& it);
    Step advance_comprehension(Iterator& it, NodeId node);
    std::vector<NodeId> clauses_of(NodeId comprehension) const;
    Scope* comprehension_scope();

    // ---- interpreter_operators.cpp
    static std::string_view tensor_operation(Kind op);
    Value binary(Kind op, Value a, Value b, NodeId node);
    Value combine(Kind op, const Value& a, const Value& b, NodeId node);
    Value combine_integers(Kind op, const Value& a, const Value& b, NodeId node);
    Value combine_containers(Kind op, const Value& a, const Value& b, NodeId node);
    std::optional<Value> combine_sets(Kind op, const Value& a, const Value& b, NodeId node);

    // ---- interpreter_comparisons.cpp
    Value compare(Kind op, const Value& a, const Value& b, NodeId node);
    Value relate(Kind op, const Value& a, const Value& b, NodeId node);
    Value relate_symbols(Kind op, const Value& a, const Value& b, NodeId node);
    std::optional<bool> relate_sets(Kind op, const List& a, const List& b);
    std::optional<int> order(const Value& a, const Value& b);
    std::optional<bool> contains(const Value& container, const Value& item, NodeId node);

    // ---- interpreter_containers.cpp
    static std::optional<bool> decided(Found found);
    Found find(const List& list, const Value& item);
    Entry find(const Dict& dict, const Value& key);
    void put(Dict& dict, const Value& key, const Value& value, NodeId node);
    void put_all(Dict& dict, const Value& other, NodeId node);
    void put_unknown(Dict& dict, NodeId node);
    void put_pairs(Dict& dict, const Value& pairs, NodeId node);
    void lose_values(const Dict& dict);
    void erase(Dict& dict, const Value& key);
    void add(List& set, const Value& item);
    void add_all(List& set, const Value& other);
    void discard(List& set, const Value& item);
    void extend(List& list, const Value& other);
    void repeat(List& into, const List& list, std::int64_t times);

    // ---- interpreter_attributes.cpp
    Value eval_attribute(NodeId node);
    Value attribute(Value object, std::string_view name, NodeId node);
    Looked look_up(const Value& object, std::string_view name, NodeId node);
    Value instance_attribute(const Value& object, std::string_view name, NodeId node);
    Value class_attribute(Class* klass, std::string_view name, const Value& self, NodeId node);
    Value method_attribute(const Value& object, std::string_view name, NodeId node);
    Value read_property(const Value& object, const ClassEntry& entry, std::string_view name, NodeId node);
    Value bind_member(const ClassEntry& entry, Class* klass, const Value& self, std::string_view name, NodeId node);
    void assign_attribute(Value object, std::string_view name, Value value, NodeId node);
    void set_attribute(const Value& object, std::string_view name, const Value& value, NodeId node);
    /// False when the class has taken care of it, or forbids it.
    bool set_specially(const Value& object, Class* klass, std::string_view name, const Value& value, NodeId node);
    void delete_attribute(const Value& object, std::string_view name, NodeId node);

    // ---- interpreter_subscripts.cpp
    Value eval_subscript(NodeId node);
    Value eval_key(NodeId subscript);
    Value eval_slice(NodeId node);
    Value index(Value object, Value key, NodeId node);
    Value index_sequence(const Value& object, const Value& key, NodeId node);
    Value index_range(const Range& range, const Value& key, NodeId node);
    Value range_length(const Range& range);
    Value one_of(const std::vector<Value>& values, NodeId node);
    std::optional<std::vector<std::int64_t>> slice_positions(const Slice& slice, std::int64_t size);

    // ---- interpreter_equality.cpp
    std::optional<bool> truth(const Value& v) const;
    std::optional<bool> equal(const Value& a, const Value& b);
    /// As containers compare: the same object equals itself.
    std::optional<bool> equal_item(const Value& a, const Value& b);
    std::optional<bool> equal_lists(const List& x, const List& y);
    std::optional<bool> equal_sets(const List& x, const List& y);
    std::optional<bool> equal_dicts(const Dict& x, const Dict& y);
    std::optional<bool> equal_instances(const Instance& x, const Instance& y);
    bool compares_as_object(const Instance& instance);
    std::optional<bool> identical(const Value& a, const Value& b);
    bool same(const Value& a, const Value& b);
    bool same(const Content& a, const Content& b);
    /// Does what is known of `a` hold for `b` as well?
    bool covers(const Value& a, const Value& b);
    bool covers(const Content& a, const Content& b);
    bool covers_items(const List& a, const List& b);

    // ---- interpreter_join.cpp
    Value join(const Value& a, const Value& b, NodeId node);
    /// Tensors in a value that goes into a join, or that the next iteration of a device loop reads (`carried`).
    void mark_joined(const Value& value, bool carried = false);
    void mark_joined(const Content& content, bool carried);
    Value join_tensors(const Value& a, const Value& b, NodeId node);
    List join_lists(Tag tag, const List& x, const List& y, NodeId node);
    Dict join_dicts(const Dict& x, const Dict& y, NodeId node);
    Instance join_instances(const Instance& x, const Instance& y, NodeId node);
    Content join(const Content& a, const Content& b, NodeId node);
    /// Nothing is known of it any more.
    Content top(const Content& content, NodeId node);
    Value copy(const Value& v, int depth);
    Value copy(const Value& v, int depth, std::vector<std::pair<const void*, Value>>& made);

    // ---- interpreter_sharing.cpp
    Shared fresh();
    /// Call before an object is changed.
    void change(List& list, NodeId node);
    void change(Dict& dict, NodeId node);
    void change(Instance& instance, NodeId node);
    void change(Iterator& iterator, NodeId node);
    void changing(const Place& place, const Shared& object, NodeId node);
    void link(const Value& joined, const Value& source);
    void forget_linked(const std::vector<Place>& changed, NodeId node);
    /// Something unknown may be this object from now on.
    void lose(const Value& v);
    void lose(const Arguments& args);
    void lose_sources(const Iterator& iterator);
    /// Where a state known before stands for this one as well: what is unknown in it may be what is here.
    void lose_covered(const Value& known, const Value& v);
    void lose_covered(const Content& known, const Content& content);
    /// Those that were made after a time only.
    void forget_lost_since(std::uint32_t time, NodeId node);
    /// Code that is not seen may have changed it, and all it holds.
    void forget(const Value& v, NodeId node);
    void forget_lost(NodeId node);
    void touch_lost(const Value& object, std::string_view method, NodeId node);
    void mutate_unknown(NodeId node);
    void escape(const Arguments& args, NodeId node);
    /// Code was called that is not known: it may have set tile shapes.
    void note_unfollowed();

    // ---- interpreter_effects.cpp
    Use use_of(const syntax::Tree& tree, std::string_view source, NodeId name) const;
    void forget_earlier_calls();
    void forget_skipped(NodeId code);
    void forget_effects(Function* f, NodeId node);
    void begin_forget_round();
    void forget_effects(Site body, Scope* closure, NodeId node);
    Effects& effects_of(Site body);
    static Scope::Entry* entry_of_use(Effects& effects, std::size_t use, Scope* closure, Scope** found);
    bool binds_name(NodeId code, std::string_view name) const;
    void forget_used(const Value& v, const Use& use, bool direct, NodeId node);
    std::vector<Value> parts_of(const Value& v) const;

    // ---- interpreter_calls.cpp
    Arguments eval_arguments(NodeId argument_list);
    Value eval_call(NodeId node);
    Value call(Value callee, Arguments& args, NodeId node);
    Value call_function(Function* f, const Value* self, Arguments& args, NodeId node);
    Value run_function(Function* f, const Value* self, Arguments& args, NodeId node);
    Value leave_function(Flow flow, NodeId node);
    bool may_recurse(const Function* f, const Arguments& args) const;
    bool is_generator(Function* f);
    std::optional<Value> remembered(Function* f, const Arguments& args, NodeId node);
    /// Binds arguments to parameters in `scope`; false when Python would raise.
    /// Arguments after a `*` of unknown length, put where the function's parameters leave them one place only.
    static Arguments settled(const Function& f, bool is_method, const Arguments& args);
    bool bind_arguments(const Function& f, const Value* self, const Arguments& args, Scope* scope, NodeId node);
    Value call_method(const BoundMethod& m, Arguments& args, NodeId node);
    Value call_partial(const List& parts, Arguments& args, NodeId node);

    // ---- interpreter_methods.cpp
    Value list_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value dict_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value set_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value instance_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    Value class_method(const Value& self, std::string_view name, Arguments& args, NodeId node);
    bool sort_items(std::vector<Value>& items, const Arguments& args, NodeId node);

    // ---- interpreter_definitions.cpp
    Value define_function(NodeId definition, const std::vector<Value>& decorators, const std::vector<NodeId>& nodes);
    Flow exec_decorated(NodeId node);
    std::vector<Parameter> read_parameters(NodeId parameters, bool annotations);
    bool decorate(Function* f, const Value& decorator, NodeId node);
    Value apply_decorator(const Value& v, const Value& decorator, NodeId node);

    // ---- interpreter_class_bodies.cpp
    Value define_class(NodeId definition, const std::vector<Value>& decorators);
    void read_bases(Class& k);
    std::string_view annotation_head(NodeId type);
    void define_field(Class& k, NodeId assignment);
    Value decorate_class(const Value& v, const Value& decorator, NodeId node);
    void make_dataclass(Class& k, const Dict* options, NodeId node);
    void read_field_options(Class& k, Class::FieldInfo& f, NodeId node);
    std::optional<Value> make_named_tuple(Arguments& args, NodeId node);

    // ---- interpreter_classes.cpp
    Class* exception_class(std::string_view name);
    Class* unknown_class(const Value& base);
    void set_bases(Class& k);
    bool knows_all_bases(const Class& k) const;
    ClassEntry class_entry(const Class* k, std::string_view name);
    ClassEntry entry_from(const Class& k, std::size_t from, std::string_view name);
    std::optional<bool> is_subclass(const Class* k, const Class* of) const;
    Value special_method(const Value& object, std::string_view name, NodeId node);
    std::optional<Value> call_special(const Value& object, std::string_view name, std::vector<Value> values,
                                      NodeId node);
    std::optional<Value> call_special_operator(Kind op, const Value& a, const Value& b, NodeId node);
    std::optional<Value> call_special_augmented(Kind op, const Value& a, const Value& b, NodeId node);
    std::optional<bool> truth_of(const Value& v, NodeId node);
    bool is_super(const Value& callee, const Arguments& args) const;
    Value make_super(NodeId node);
    Value call_class(Class* klass, Arguments& args, NodeId node);
    /// Sets the fields of a new object; gives back what is only for __post_init__.
    std::vector<Value> fill_fields(const Value& object, const Class& k, Arguments& args, NodeId node);
    void call_post_init(const Value& object, std::vector<Value> init_only, NodeId node);
    Value replace_fields(const Value& object, Arguments& args, NodeId node);
    Value index_instance(const Value& object, const Value& key, NodeId node);
    std::optional<std::vector<Value>> iterate_instance(const Value& v);
    Value text_of_instance(const Value& v, NodeId node);

    // ---- interpreter_enums.cpp
    static bool is_enum_member(const Value& v);
    /// A member of an IntEnum as the integer that it is; other values as they are.
    Value plain(const Value& v);
    void make_members(Class& k, const std::vector<std::string_view>& names);
    void init_member(const Value& member, Class& k, const Value& value);
    std::optional<std::vector<Value>> enum_members(const Class& k) const;
    Value enum_member_of(Class& k, Arguments& args, NodeId node);

    // ---- interpreter_imports.cpp
    void exec_import(NodeId node);
    void exec_import_from(NodeId node);
    Value module_value(Module* m, NodeId node);
    Value imported_module(std::string_view dotted, NodeId node);
    Value imported_name(std::string_view from, Module* m, std::string_view name, NodeId node);
    void import_all(std::string_view from, Module* m, NodeId node);
    Module* load_module(std::string_view name, Site site);
    Module* load_file(std::string_view name, Site site);
    Module* module_of(FileId file, std::string_view name);
    void execute_module(Module* module);
    void exec_module_body();
    std::optional<Value> module_name(Module* module, std::string_view name, NodeId node);
    Value module_name_value(NodeId node);

    // ---- interpreter_builtins.cpp
    Value call_builtin(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> builtin_on_numbers(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> builtin_container(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> builtin_iteration(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> builtin_on_objects(std::string_view name, Arguments& args, NodeId node);
    Value min_max(std::string_view name, Arguments& args, NodeId node);
    Value length_of(const Value& v, NodeId node);
    Value wrap_member(std::string_view name, const Arguments& args, NodeId node);
    std::optional<bool> is_instance(const Value& v, const Value& type);

    // ---- interpreter_library.cpp: the standard library and torch
    static bool is_library(std::string_view name);
    static bool is_library_value(const Value& v);
    static bool is_always_there(std::string_view module);
    Value external_attribute(const std::string& owner, std::string_view name, NodeId node);
    Value external_value(std::string_view name, NodeId node);
    Value call_external(const std::string& name, Arguments& args, NodeId node);
    void forget_called(const Value& v, NodeId node);
    std::optional<Value> call_library(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> call_math(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> call_functools(std::string_view name, Arguments& args, NodeId node);
    std::optional<Value> call_on_objects(std::string_view name, Arguments& args, NodeId node);
    Value fields_of(const Value& v, bool as_dict, NodeId node);

    // ---- interpreter_pypto.cpp: the framework
    Value call_pypto(std::string_view name, Arguments& args, NodeId node);
    Value call_operation(OpCode code, Arguments& args, NodeId node, const Value* self = nullptr);
    Value record(OpCode code, BoundCall&& call, NodeId node);
    Value operator_on_tensor(std::string_view operation, Value a, Value b, NodeId node);
    Value make_loop_spec(bool unroll, Arguments& args, NodeId node);
    Value make_tensor_spec(Arguments& args, NodeId node);
    void set_vec_tile(Arguments& args, NodeId node);
    /// pypto.set_options(...), pypto.options(...): what they say of tiles.
    Value set_options(std::string_view name, Arguments& args, NodeId node);
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

    // ---- interpreter_facts.cpp: what asserts and the configuration tell
    /// An argument that no call tells, with an identity: what is learnt of it holds wherever it went.
    Value not_given(NodeId node, std::string_view name);
    Value narrowed(Value v) const;
    /// Is what is executed here executed whenever the code behind it is?
    bool is_certain() const { return certain_within().has_value(); }
    /// The frame, by its place in frames_, as long as which this holds: some ways have left it before; kAlways: none
    /// has.
    std::optional<std::size_t> certain_within() const;
    /// Of facts that hold within this frame or one that it has called.
    void unlearn(std::size_t frame);
    void note_type(TensorId id);
    /// What has a shape is a tensor: an argument that nothing is known of becomes one.
    Value as_host_tensor(const Value& v);
    /// A dim of a tensor whose rank may not be known yet.
    SymInt dim_of(TensorId id, std::int64_t axis);
    void learn_rank(TensorId id, std::size_t rank);
    void learn_symbol(SymInt e, std::int64_t value);
    void learn_type(TensorId id, const TensorType& fact);
    /// What the user says of the name or the dim; see tracer.h.
    std::optional<std::int64_t> assumed(std::string_view name) const;
    std::optional<std::int64_t> assumed_dim(std::string_view tensor, std::int64_t axis,
                                            std::optional<std::size_t> rank) const;
    /// The value that the name gets: where it is open, what the user says of it.
    Value with_assumption(std::string_view name, Value value);
    /// The symbol is this number, in all that was made of it.
    bool give_number(SymInt e, std::int64_t value);
    /// The condition holds, or does not, from here on.
    void assume(NodeId condition, bool holds);
    bool is_repeatable(NodeId expression) const;
    void assume_comparison(NodeId comparison, bool holds);
    void assume_equal(NodeId node, const Value& value);
    void assume_name(NodeId name, const Value& value);
    void assume_attribute(const Value& owner, std::string_view name, const Value& value, NodeId node);
    void assume_result(NodeId call, const Value& value);
    void assume_call(NodeId call);

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

    // ---- interpreter_handed_on.cpp
    void run_handed_on();
    void forget_around(const Function& f);
    /// No object that may change.
    bool stays(const Value& v) const;
    bool is_bound_once(NodeId definition, std::string_view name) const;

    // ---- interpreter_inert.cpp
    struct HostCode {                            // of a function, by the names in it
        bool is_hosts = false;                   // none is of the framework, or of code that is not a function
        std::vector<const Function*> functions;  // of the project, that are named
    };
    bool is_of_host(const Value& v, int depth, std::vector<const Function*>& functions) const;
    const HostCode& host_code(const Function* f);
    /// Can nothing of a kernel come of running it, with arguments that are not known, and of what that runs?
    bool is_inert(const Function* f);

    // ---- interpreter_kernels.cpp: entry points
    /// Those that have PyPTO operations and that no kernel was seen to call.
    std::vector<Function*> run_host_functions();

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
    /// With what is known of single dims of a tensor of unknown rank.
    TensorType host_type_of_rank(TensorId id, std::size_t rank) const;
    static SymInt nz_aligned(SymInt dim, std::size_t from_end, hardware::DType dtype);
    /// `key` gets what tells this context from others.
    Value context_value(const Parameter& p, const Value& argument, HostDims& dims, std::string& key);
    static std::string argument_key(std::string_view name, const Value& v);
    void run_entry(Function* f, bool as_helper);
    KernelId begin_kernel(Function* f, Site call, bool helper);
    void end_kernel(KernelId id);

    /// While it lives, nothing of what is around is around the code that is executed: a module when it is first
    /// imported, a kernel, which is compiled by itself.
    class Aside {
      public:
        explicit Aside(Interpreter& interpreter);
        Aside(const Aside&) = delete;
        Aside& operator=(const Aside&) = delete;
        ~Aside();

      private:
        Interpreter& of_;
        FileId file_;
        Scope* scope_;
        std::vector<ActiveLoop> loops_;
        std::vector<CallFrame> frames_;
        std::vector<Fact> facts_;
        std::vector<TryFrame> tries_;
        std::vector<Value> handled_;
        KernelId kernel_;
        BranchId branch_;
        TileState tiles_;
        bool trying_;
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
    std::vector<TryFrame> tries_;
    std::vector<Value> handled_;  // errors whose handlers are running
    std::vector<Value> lost_;     // objects and functions that something unknown may be
    std::map<Site, Effects> effects_;
    std::unordered_map<const Function*, HostCode> host_code_;
    // While effects are forgotten nothing is learnt: those of one code in one closure once in a round is enough.
    std::uint32_t forget_round_ = 0;
    bool in_forget_round_ = false;
    struct Links {
        std::vector<Place> sources, results;
    };
    std::unordered_map<const void*, Links> links_;
    std::unordered_map<std::string_view, Class*> exceptions_, unknown_classes_;
    std::unordered_map<const Function*, std::vector<Place>> kernel_effects_;
    BranchId branch_ = kNone;
    KernelId kernel_ = kNone;
    std::uint32_t sequence_ = 1;
    WorkBudget budget_;
    WorkBudget::Steps imports_left_, kernels_left_, hosts_left_;  // for all of them together
    int depth_ = 0;
    int resolving_ = 0;
    bool host_saw_operation_ = false;
    bool raising_ = false;  // an exception is on its way to a handler
    bool forgetting_ = false;
    struct Spare {
        std::vector<Value> open;
        std::vector<const void*> seen;
    };
    Spare spare_;  // of forget()
    std::vector<Place> changed_linked_;  // meanwhile
    std::uint64_t unknown_changes_ = 0;  // how often what is lost may have been changed
    bool merging_ = false;               // contents are joined whose objects are not all in place yet
    bool trying_ = false;                // a loop of host code runs to see how it is to be run: kernels wait
    bool held_back_ = false;             // ... and one did
    Value error_;                        // what is raised

    std::vector<PartialDim> partial_dims_;
    std::unordered_map<const UnknownReason*, Value> narrowed_;
    static constexpr std::size_t kAlways = SIZE_MAX;
    std::vector<Fact> facts_;     // that do not hold for ever, in the order in which they were learnt
    std::size_t first_atom_ = 0;  // of this kernel
    TensorId first_tensor_ = 0;
    std::unordered_map<std::string, Module*> modules_;    // by path
    std::vector<Function*> kernels_found_;                // kernels in order of definition
    std::vector<Function*> wrapped_;                      // functions of the main file that decorators replaced
    std::unordered_map<NodeId, int> executed_;            // function nodes of the main file that ran
    std::unordered_set<NodeId> ran_in_kernel_;            // of these, those that a kernel called
    std::set<std::pair<Site, Site>> kernel_calls_;        // of Trace::kernel_calls: the call and the kernel
    std::unordered_map<std::string, KernelId> contexts_;  // by the key of each traced kernel context
    std::map<Site, std::size_t> contexts_of_;             // ... and how many a kernel has
    std::unordered_map<const void*, std::uint32_t> context_count_;  // unused functions stay absent

    static constexpr int kMaxDepth = 600;  // nesting of eval and exec; bounds the C++ stack
    static constexpr std::size_t kMaxFrames = 30;
    static constexpr std::size_t kMaxItems = 64;    // items that a loop is traced for one by one
    static constexpr std::size_t kMaxLeft = 6;      // ... of which each may be the last
    static constexpr std::size_t kMaxContexts = 8;  // call contexts kept of one kernel
};

}  // namespace ptofix::trace
