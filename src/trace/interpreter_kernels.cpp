// Entry points: the module, its host functions, and each kernel in the contexts in which host code calls it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/interpreter.h"
#include "trace/name_filter.h"

namespace ptofix::trace {

void Interpreter::run(std::shared_ptr<const SourceFile> file) {
    trace_.main = add_file(std::move(file));
    Module* main = module_of(trace_.main, "__main__");
    execute_module(main);
    scope_ = main->globals;
    enter_file(trace_.main);
    if (trace_.cut_short) trace_.unknowns.push_back({UnknownReason::Why::budget, here(tree_->root()), {}, kNone});
    const std::size_t of_module = kernels_found_.size();
    budget_.grant(options_.step_budget);
    forget_earlier_calls();
    const std::vector<Function*> helpers = run_host_functions();
    run_remaining_kernels(of_module);
    for (Function* f : helpers) {
        if (!ran_in_kernel_.contains(f->site.node)) run_entry(f, true);
    }
    run_handed_on();
}

std::vector<Function*> Interpreter::run_host_functions() {
    // Functions that nothing else in the file names come first: they are the ones that call the others, with arguments.
    struct Entry {
        Function* function;
        bool referenced;
    };
    std::vector<Entry> entries;
    const auto consider = [&](const Value& v) {
        if (v.tag != Tag::function || v.as.function->is_kernel || v.as.function->is_lambda) return;
        if (v.as.function->site.file != trace_.main) return;
        entries.push_back({v.as.function, false});
    };
    for (std::size_t i = 0; i < scope_->entries.size(); ++i) {
        const Value v = scope_->entries[i].value;
        consider(v);
        if (v.tag == Tag::klass && v.as.klass->site.file == trace_.main) {
            for (const Scope::Entry& e : v.as.klass->members->entries) consider(e.value);
        }
    }
    NameFilter filter;
    std::unordered_map<std::string_view, int> mentions;  // of their names
    for (const Entry& e : entries) {
        filter.add(e.function->name);
        mentions.emplace(e.function->name, 0);
    }
    for (const syntax::Node& n : tree_->nodes()) {
        if (n.kind != Kind::identifier) continue;
        const std::string_view name = source_->text().substr(n.start, n.end - n.start);
        if (!filter.may_have(name)) continue;
        if (const auto it = mentions.find(name); it != mentions.end()) ++it->second;
    }
    for (Entry& e : entries) e.referenced = mentions[e.function->name] > 1;
    for (Function* f : wrapped_) {
        if (!f->is_kernel && !f->is_property) entries.push_back({f, true});
    }
    std::ranges::stable_sort(entries, {}, [](const Entry& e) { return e.referenced; });
    std::vector<Function*> with_operations;
    for (const Entry& e : entries) {
        if (executed_.contains(e.function->site.node)) continue;
        if (!options_.keep_unknowns && is_inert(e.function)) continue;  // who asks for all is shown all
        host_saw_operation_ = false;
        run_entry(e.function, false);
        if (host_saw_operation_) with_operations.push_back(e.function);
    }
    return with_operations;
}

void Interpreter::run_entry(Function* f, bool as_helper) {
    // Nothing is given: parameters without annotation are unknown, so are those with a default (callers may override).
    const KernelId id = as_helper ? begin_kernel(f, {}, true) : kNone;
    first_atom_ = trace_.symbols.atom_count();
    first_tensor_ = static_cast<TensorId>(trace_.tensors.size());
    Arguments given;
    given.open = given.open_positions = given.open_keywords = true;
    for (const Parameter& p : f->parameters) {
        if (p.kind == Parameter::Kind::star || p.kind == Parameter::Kind::double_star) continue;
        const FileId saved = file_;
        enter_file(f->site.file);
        Value v = not_given(p.node, p.name);
        enter_file(saved);
        given.keyword.emplace_back(p.name, v);
        given.keyword_sites.push_back({});
        given.keyword_splats.push_back({});
        if (as_helper) trace_.kernels[id].parameters.push_back({p.name, p.annotation_value, v, p.node});
    }
    Scope* scope = scope_;
    // Helpers are traced as kernels are. That host code is not followed to its end is nothing to tell.
    const WorkBudget::Share share(budget_, as_helper ? kernels_left_ : hosts_left_,
                                  as_helper ? options_.step_budget : options_.host_steps);
    // Each starts from what the module has set up; what it changes of that is its own affair.
    const std::uint32_t start = sequence_;
    const Trail::Mark mark = trail_.open(sequence_);
    call_function(f, nullptr, given, f->site.node);
    raising_ = false;
    if (budget_.is_spent() && !as_helper) {
        trace_.unknowns.push_back({UnknownReason::Why::budget, f->site, std::string(f->name), kNone});
    }
    for (const Change& c : trail_.changes(mark, start)) trail_.put(c.place, c.before);
    trail_.close();
    scope_ = scope;
    if (as_helper) end_kernel(id);
}

KernelId Interpreter::begin_kernel(Function* f, Site call, bool helper) {
    KernelTrace k;
    k.function = f;
    k.name = f->name;
    k.site = f->site;
    k.call = call;
    k.is_helper = helper;
    k.legacy_frontend = options_.legacy_frontend;
    for (const auto& [name, v] : f->jit_options) {
        if (name == "new_ir" && v.tag == Tag::boolean) k.legacy_frontend = !v.as.b;
    }
    k.first_op = static_cast<std::uint32_t>(trace_.operations.size());
    k.first_loop = static_cast<std::uint32_t>(trace_.loops.size());
    k.first_tensor = static_cast<std::uint32_t>(trace_.tensors.size());
    k.context = context_count_[f]++;
    const auto id = static_cast<KernelId>(trace_.kernels.size());
    trace_.kernels.push_back(std::move(k));
    kernel_ = id;
    tiles_ = {};
    branch_ = kNone;
    return id;
}

void Interpreter::end_kernel(KernelId id) {
    trace_.kernels[id].end_op = static_cast<std::uint32_t>(trace_.operations.size());
    trace_.kernels[id].end_loop = static_cast<std::uint32_t>(trace_.loops.size());
    trace_.kernels[id].complete = !budget_.is_spent();
    trace_.cut_short = trace_.cut_short || budget_.is_spent();
    kernel_ = kNone;
}

Value Interpreter::call_kernel(Function* f, Arguments& args, NodeId node) {
    if (trying_) {  // a loop that is run to see how: the kernel waits for the run that counts
        held_back_ = true;
        return unknown(UnknownReason::Why::library_value, node, f->name);
    }
    // Record who calls with what, then trace the kernel in this context if it is a new one.
    KernelCall record;
    record.kernel = f;
    record.call = here(node);
    for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
        if (!it->function->is_lambda) {
            record.caller = it->function;
            break;
        }
    }
    record.complete = !args.open;
    const Arguments placed = settled(*f, false, args);
    std::vector<std::pair<std::string_view, Value>> bound;
    std::size_t at = 0;
    for (const Parameter& p : f->parameters) {
        if (p.kind == Parameter::Kind::star || p.kind == Parameter::Kind::double_star) continue;
        KernelCall::Argument a;
        a.parameter = p.name;
        bool given = false;
        if (at < placed.positional.size() && p.kind != Parameter::Kind::keyword_only) {
            a.value = placed.positional[at];
            if (at < placed.positional_sites.size()) a.site = placed.positional_sites[at];
            if (at < placed.splat_sites.size()) a.splat = placed.splat_sites[at];
            ++at;
            given = a.site.known() || a.value.tag != Tag::unknown;
        } else {
            for (std::size_t i = 0; i < placed.keyword.size(); ++i) {
                if (placed.keyword[i].first != p.name) continue;
                a.value = placed.keyword[i].second;
                a.site = placed.keyword_sites[i];
                a.splat = placed.keyword_splats[i];
                given = true;
            }
        }
        if (given) {
            a.value = narrowed(a.value);
            bound.emplace_back(p.name, a.value);
            record.arguments.push_back(std::move(a));
        } else if (!placed.open && p.has_default) {
            bound.emplace_back(p.name, p.default_value);
        }
    }
    if (kernel_calls_.emplace(record.call, f->site).second) trace_.kernel_calls.push_back(std::move(record));
    trace_kernel(f, bound, here(node));
    // What its code changes outside of it, it may change each time it is compiled.
    for (const Place& p : kernel_effects_[f]) trail_.put(p, top(Trail::read(p), node));
    lose(args);
    return unknown(UnknownReason::Why::library_value, node, f->name);
}

void Interpreter::trace_kernel(Function* f, const std::vector<std::pair<std::string_view, Value>>& arguments,
                               Site call) {
    if (budget_.is_spent()) return;
    // The key of a context: which closure, and what of the arguments makes a difference to the compiler.
    const FileId file = file_;
    enter_file(f->site.file);
    const std::string root = fmt::format("{}:{}:{}", f->site.file, f->site.node, static_cast<const void*>(f->closure));
    std::string key = root;
    const auto first_tensor = static_cast<std::uint32_t>(trace_.tensors.size());
    const std::size_t first_atom = trace_.symbols.atom_count();
    HostDims dims;
    std::vector<Value> values;
    for (const Parameter& p : f->parameters) {
        const auto given = std::ranges::find_if(arguments, [&](const auto& a) { return a.first == p.name; });
        const bool single = p.kind != Parameter::Kind::star && p.kind != Parameter::Kind::double_star;
        const Value argument = given == arguments.end() ? Value{} : given->second;
        values.push_back(single ? context_value(p, argument, dims, key) : Value{});
    }
    enter_file(file);
    if (const auto known = contexts_.find(key); known != contexts_.end()) {
        if (branch_ == kNone) trace_.kernels[known->second].call_branch = kNone;
        return;
    }
    std::size_t& of_this_kernel = contexts_of_[f->site];
    if (of_this_kernel >= kMaxContexts) return;
    // The declaration alone is traced where the kernel stands.
    const bool is_own = f->site.file == trace_.main;
    if (!is_own && key == root && f->closure->parent == nullptr) return;

    // A kernel is compiled by itself: nothing of the host's loops, branches and frames is around it.
    const Aside aside(*this);
    const BranchId branch = branch_;
    first_atom_ = first_atom;
    first_tensor_ = first_tensor;
    const std::uint32_t start = sequence_;
    const Trail::Mark mark = trail_.open(sequence_);
    const int depth = std::exchange(depth_, 0);
    // The kernel has its own share of the work, whatever the host function that calls it has left.
    const WorkBudget::Share share(budget_, kernels_left_, options_.step_budget);
    enter_file(f->site.file);
    const KernelId id = begin_kernel(f, call, false);
    if (key != root) trace_.kernels[id].call_branch = branch;
    trace_.kernels[id].first_tensor = first_tensor;
    contexts_.emplace(std::move(key), id);
    ++of_this_kernel;
    Scope* inner = new_scope(f->closure);
    scope_ = inner;
    for (std::size_t i = 0; i < f->parameters.size(); ++i) {
        const Parameter& p = f->parameters[i];
        if (p.kind == Parameter::Kind::star || p.kind == Parameter::Kind::double_star) {
            Value rest = p.kind == Parameter::Kind::star ? make_list(Tag::tuple, {}, p.node) : make_dict(p.node).at({});
            (p.kind == Parameter::Kind::star ? rest.as.list->open : rest.as.dict->open) = true;
            bind(inner, p.name, rest);
            continue;
        }
        const Value v = values[i];
        if (v.tag == Tag::tensor && trace_.tensors[v.as.tensor].source == TensorSource::parameter) {
            trace_.tensors[v.as.tensor].parameter = static_cast<std::uint32_t>(trace_.kernels[id].parameters.size());
        }
        trace_.kernels[id].parameters.push_back({p.name, p.annotation_value, v, p.node});
        bind(inner, p.name, v.node == kNoNode ? v.at(here(p.node)) : v);
    }
    const auto frame = static_cast<FrameId>(trace_.frames.size());
    trace_.frames.push_back({kNone, f, call});
    CallFrame own;
    own.function = f;
    own.id = frame;
    own.scope = inner;
    own.mark = mark;
    frames_.push_back(std::move(own));
    if (f->body != kNoNode) leave_function(exec_block(f->body), f->site.node);
    raising_ = false;
    end_kernel(id);
    std::vector<Place>& known = kernel_effects_[f];
    for (const Place& place : trail_.changed_places(mark, start)) {
        const bool is_new = place.kind != Place::Kind::tiles && std::ranges::find(known, place) == known.end();
        if (is_new) known.push_back(place);
    }
    trail_.close();
    depth_ = depth;
}

void Interpreter::run_remaining_kernels(std::size_t of_module) {
    std::size_t seen = 0;  // kernels of the trace that are in the sets
    std::unordered_set<const Function*> functions;
    std::set<Site> sites;
    for (std::size_t i = 0; i < kernels_found_.size(); ++i) {
        Function* f = kernels_found_[i];
        // What a factory made while the module was executed is a kernel of its own, with what the factory was given. A
        // host function that was run without arguments makes the same one again, knowing less.
        for (; seen < trace_.kernels.size(); ++seen) {
            const KernelTrace& k = trace_.kernels[seen];
            if (k.is_helper) continue;
            functions.insert(k.function);
            sites.insert(k.site);
        }
        if (i < of_module ? functions.contains(f) : sites.contains(f->site)) continue;
        trace_kernel(f, {}, {});
    }
}

namespace {

/// Does the code name the framework? Files of its other dialect (pypto_pro) and those that speak of it in comments do
/// not.
bool names_framework(const SourceFile& file) {
    const std::string_view text = file.text();
    for (const syntax::Node& n : file.tree.nodes()) {
        if (n.kind == Kind::identifier && n.end - n.start == 5 && text.substr(n.start, 5) == "pypto") return true;
    }
    return false;
}

}  // namespace

std::unique_ptr<Trace> trace_file(Project& project, std::shared_ptr<const SourceFile> file,
                                  const TraceOptions& options) {
    auto trace = std::make_unique<Trace>();
    auto heap = std::make_shared<Heap>();
    if (names_framework(*file)) {
        Interpreter interpreter(project, *trace, *heap, options);
        interpreter.run(std::move(file));
    } else {
        trace->files.push_back(file.get());
        heap->keep(std::move(file));
    }
    trace->heap = heap;
    return trace;
}

std::optional<std::int64_t> Trace::python_copies(const Operation& op) const {
    std::int64_t copies = 1;
    for (LoopId id = op.loop; id != kNone; id = loops[id].parent) {
        const Loop& loop = loops[id];
        if (is_device(loop.kind) || loop.per_item) continue;
        if (!loop.trips.known() || __builtin_mul_overflow(copies, loop.trips.value, &copies)) return std::nullopt;
    }
    return copies;
}

}  // namespace ptofix::trace
