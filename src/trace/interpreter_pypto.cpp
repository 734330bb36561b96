// The framework: loops, tile shapes, declarations, and operations recorded into the trace.
#include <algorithm>

#include "trace/interpreter.h"
#include "trace/some_number.h"

namespace ptofix::trace {

TensorId Interpreter::new_tensor(Tensor t) {
    trace_.tensors.push_back(std::move(t));
    return static_cast<TensorId>(trace_.tensors.size() - 1);
}

void Interpreter::name_tensor(const Value& v, std::string_view name) {
    if (v.tag == Tag::tensor && trace_.tensors[v.as.tensor].name.empty()) trace_.tensors[v.as.tensor].name = name;
}

TensorId Interpreter::tensor_from_spec(const TensorSpec& spec, std::string_view name, TensorSource source, Site site) {
    Tensor t;
    t.source = source;
    t.name = name;
    t.site = site;
    t.type.dtype = spec.dtype;
    t.declared = spec.dtype;
    t.type.nz = spec.nz;
    t.type.rank_known = spec.rank_known;
    if (spec.rank_known) {
        for (std::size_t i = 0; i < spec.dims.size(); ++i) {
            const Value& d = spec.dims[i];
            SymInt dim = d.sym();
            if (dim.known() && dim.value < 0) dim = {};
            if (!dim.known()) {
                if (const auto said = assumed_dim(name, static_cast<std::int64_t>(i), spec.dims.size())) {
                    if (dim.symbolic()) give_number(dim, *said);
                    dim = SymInt::of(*said);
                }
            }
            if (dim.unknown()) {
                const bool run_time = d.tag == Tag::marker && (*d.as.text == "DYNAMIC" || *d.as.text == "DYN");
                Atom atom{run_time ? AtomKind::dynamic_dim : AtomKind::parameter,
                          std::string(name) + ".shape[" + std::to_string(i) + "]",
                          {0, std::nullopt},
                          UINT32_MAX,
                          OpaqueOp::none,
                          {},
                          {}};
                dim = trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)));
            }
            t.type.shape.push_back(dim);
        }
    }
    return new_tensor(std::move(t));
}

Value Interpreter::make_tensor_spec(Arguments& args, NodeId node) {
    TensorSpec spec;
    spec.site = here(node);
    const Value* shape = args.get(0, "shape");
    const Value* dtype = args.get(1, "dtype");
    const Value* format = args.find("format");
    if (shape != nullptr && shape->tag == Tag::dtype) std::swap(shape, dtype);  // pypto.Tensor(dtype)
    if (shape != nullptr && (shape->tag == Tag::list || shape->tag == Tag::tuple) && !shape->as.list->open) {
        spec.dims = shape->as.list->items;
        // An empty list is any shape.
        spec.rank_known = !spec.dims.empty() &&
                          std::ranges::none_of(spec.dims, [](const Value& v) { return v.tag == Tag::ellipsis; });
    }
    if (dtype != nullptr && dtype->tag == Tag::dtype) {
        spec.dtype = dtype->as.dtype;
        spec.dtype_site = dtype->origin();
    }
    for (const Value& v : args.positional) {
        if (v.tag == Tag::marker && *v.as.text == "TILEOP_NZ") spec.nz = true;
    }
    if (format != nullptr && format->tag == Tag::marker && *format->as.text == "TILEOP_NZ") spec.nz = true;
    if (dtype != nullptr && dtype->tag == Tag::dtype && !args.positional_sites.empty()) {
        const auto at = static_cast<std::size_t>(dtype - args.positional.data());
        if (at < args.positional_sites.size()) spec.dtype_site = args.positional_sites[at];
    }
    Value v = Value::with(Tag::tensor_spec);
    v.as.spec = heap_.make<TensorSpec>(std::move(spec));
    return v.at(here(node));
}

Value Interpreter::make_loop_spec(bool unroll, Arguments& args, NodeId node) {
    LoopSpec spec;
    spec.unroll = unroll;
    spec.call = here(node);
    spec.start = spec.step = Value::none();
    const auto keyword = [&](std::string_view name) {
        const Value* v = args.find(name);
        return v != nullptr ? *v : Value::none();
    };
    const auto& p = args.positional;
    if (p.size() == 1) {
        spec.stop = p[0];
    } else if (p.size() >= 2) {
        spec.start = p[0];
        spec.stop = p[1];
        if (p.size() > 2) spec.step = p[2];
    }
    if (args.open_positions && p.size() < 3) {  // (stop), (start, stop) or (start, stop, step)
        spec.step = Value{};
        if (p.size() < 2) spec.start = spec.stop = Value{};
    }
    if (args.find("start") != nullptr) spec.start = keyword("start");
    if (args.find("stop") != nullptr) spec.stop = keyword("stop");
    if (args.find("step") != nullptr) spec.step = keyword("step");
    spec.name = keyword("name");
    spec.idx_name = keyword("idx_name");
    spec.parallel = keyword("parallel");
    spec.submit_before_loop = keyword("submit_before_loop");
    spec.unroll_list = keyword("unroll_list");
    spec.unroll_given = args.find("unroll_list") != nullptr && spec.unroll_list.tag != Tag::none;
    spec.has_open_keywords = args.open;
    note_use(LoopUse::Kind::index_in_text, spec.name, node);
    Value v = Value::with(Tag::loop_spec);
    v.as.loop = heap_.make<LoopSpec>(spec);
    return v.at(here(node));
}

void Interpreter::set_vec_tile(Arguments& args, NodeId node) {
    TileSetting t;
    t.engine = TileSetting::Engine::vec;
    t.call = here(node);
    t.kernel = kernel_;
    t.vec = args.positional;
    if (t.vec.size() == 1 && (t.vec[0].tag == Tag::list || t.vec[0].tag == Tag::tuple)) t.vec = t.vec[0].as.list->items;
    for (Value& v : t.vec) v = plain(v);
    t.known = !args.open && !t.vec.empty() &&
              std::ranges::all_of(t.vec, [](const Value& v) { return v.tag == Tag::integer; });
    if (args.open) t.vec.clear();
    for (const Value& v : t.vec) note_use(LoopUse::Kind::index_in_tile, v, node);
    t.first_op = static_cast<OpId>(trace_.operations.size());
    trail_.before({Place::Kind::tiles, &tiles_});
    tiles_.vec = static_cast<TileId>(trace_.tiles.size());
    trace_.tiles.push_back(std::move(t));
}

void Interpreter::set_cube_tile(Arguments& args, NodeId node) {
    TileSetting t;
    t.engine = TileSetting::Engine::cube;
    t.call = here(node);
    t.kernel = kernel_;
    const auto part = [&](std::size_t position, std::string_view name, Value* out, std::uint8_t& count,
                          std::size_t most) {
        const Value* v = args.get(position, name);
        if (v == nullptr || !v->is_sequence() || v->as.list->open) return v != nullptr ? *v : Value{};
        const auto& items = v->as.list->items;
        count = static_cast<std::uint8_t>(std::min<std::size_t>(items.size(), 255));
        for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
            out[i] = plain(items[i]);
            note_use(LoopUse::Kind::index_in_tile, items[i], node);
        }
        return *v;
    };
    t.m_list = part(0, "m", t.m, t.m_count, 2);
    t.k_list = part(1, "k", t.k, t.k_count, 3);
    t.n_list = part(2, "n", t.n, t.n_count, 2);
    if (t.k_count == 2) t.k[2] = t.k[1];
    if (const Value* s = args.get(3, "enable_split_k"); s != nullptr) t.split_k = *s;
    const auto known = [](const Value& v) { return v.tag == Tag::integer; };
    if (args.positional.size() > 4) t.m_count = t.k_count = t.n_count = 0;  // an older signature, of another meaning
    t.known = !args.open && t.m_count == 2 && t.n_count == 2 && (t.k_count == 2 || t.k_count == 3) &&
              std::ranges::all_of(t.m, known) && std::ranges::all_of(t.k, known) && std::ranges::all_of(t.n, known);
    t.first_op = static_cast<OpId>(trace_.operations.size());
    trail_.before({Place::Kind::tiles, &tiles_});
    tiles_.cube = static_cast<TileId>(trace_.tiles.size());
    trace_.tiles.push_back(std::move(t));
}

Value Interpreter::set_options(std::string_view name, Arguments& args, NodeId node) {
    const Value* vec = args.find("vec_tile_shapes");
    const Value* cube = args.find("cube_tile_shapes");
    const auto given = [](const Value* v) { return v != nullptr && v->tag != Tag::none; };
    if (given(vec) || given(cube) || args.open) {
        if (name == "set_options" && given(vec) && vec->is_sequence() && !given(cube) && !args.open) {
            Arguments shapes;
            shapes.positional = {*vec};
            set_vec_tile(shapes, node);
        } else {  // in force within a `with` or a decorated function
            note_unfollowed();
            if (kernel_ == kNone) {  // a kernel called within may inherit it
                TileSetting inherited;
                inherited.call = here(node);
                inherited.vec = {Value{}};
                trace_.tiles.push_back(std::move(inherited));
            }
        }
    }
    return unknown(UnknownReason::Why::unsupported, node, name);
}

Value Interpreter::call_pypto(std::string_view name, Arguments& args, NodeId node) {
    if (name == "loop") return make_loop_spec(false, args, node);
    if (name == "loop_unroll") return make_loop_spec(true, args, node);
    if (name == "set_vec_tile_shapes") {
        set_vec_tile(args, node);
        return Value::none();
    }
    if (name == "set_cube_tile_shapes") {
        set_cube_tile(args, node);
        return Value::none();
    }
    if (name == "set_options" || name == "options") return set_options(name, args, node);
    if (name == "Tensor" || name == "tensor" || name == "frontend.Tensor") {
        Value spec = make_tensor_spec(args, node);
        if (kernel_ == kNone) return spec;  // an annotation, or a declaration outside of a kernel
        for (const Value& d : spec.as.spec->dims) note_use(LoopUse::Kind::index_in_shape, d, node);
        std::string_view given;
        if (const Value* n = args.get(2, "name"); n != nullptr && n->tag == Tag::string) given = *n->as.text;
        return Value::tensor(tensor_from_spec(*spec.as.spec, given, TensorSource::buffer, here(node))).at(here(node));
    }
    if (name == "frontend.jit" || name == "jit") {
        if (const Value* f = args.get(0, "func"); f != nullptr && f->tag == Tag::function) {  // jit(f, **options)
            Arguments options;
            options.keyword = args.keyword;
            options.open = args.open;
            const Value decorator = call_pypto(name, options, node);
            decorate(f->as.function, decorator, node);
            return *f;
        }
        Value options = Value::with(Tag::dict);
        options.as.dict = heap_.make<Dict>();
        options.as.dict->open = args.open;
        for (const auto& [k, v] : args.keyword) options.as.dict->items.emplace_back(string_value(k, node), v);
        Value v = Value::with(Tag::bound_method);
        v.as.method = heap_.make<BoundMethod>(BoundMethod{options, {}, "jit"});
        return v.at(here(node));
    }
    if (name == "frontend.function") {
        if (const Value* f = args.get(0, "func"); f != nullptr && f->tag == Tag::function) return *f;
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern("pypto.frontend.function");
        return v;
    }
    if (name == "frontend.dynamic" || name == "symbolic_scalar" || name == "SymbolicScalar") {
        const Value* n = args.get(0, "name");
        if (n != nullptr && n->is_int()) return *n;
        if (n != nullptr && n->tag == Tag::string) {
            if (const auto said = assumed(*n->as.text)) return Value::of(SymInt::of(*said)).at(here(node));
        }
        Atom atom{AtomKind::dynamic_dim,
                  n != nullptr && n->tag == Tag::string ? *n->as.text : "symbol",
                  {0, std::nullopt},
                  UINT32_MAX,
                  OpaqueOp::none,
                  {},
                  {}};
        return Value::of(trace_.symbols.of_atom(trace_.symbols.new_atom(std::move(atom)))).at(here(node));
    }
    if (name == "cond") {
        const Value* c = args.get(0, "cond");
        return c != nullptr ? *c : Value{};
    }
    if (name == "is_loop_begin" || name == "is_loop_end") {
        const Value* i = args.get(0, "idx");
        const SymInt of = i != nullptr ? i->sym() : SymInt{};
        return Value::of(trace_.symbols.undecided(of, SymInt::of(name == "is_loop_begin" ? 0 : 1)));
    }
    if (name == "min" || name == "max") return min_max(name, args, node);
    if (name == "ceildiv" || name == "ceil_div") {
        const Value* a = args.get(0, "a");
        const Value* b = args.get(1, "b");
        if (a != nullptr && b != nullptr && a->tag != Tag::tensor)
            return Value::of(trace_.symbols.ceil_div(a->sym(), b->sym()));
    }
    if (name == "Element") {
        Value v = Value::with(Tag::external);
        v.as.text = heap_.intern("pypto.Element()");
        return v.at(here(node));
    }
    if (name == "from_torch" && kernel_ == kNone) {  // the same tensor, as the framework sees it
        host_saw_operation_ = true;
        if (const Value* t = args.get(0, "tensor"); host_type(t) != nullptr) return *t;
    }
    if (const auto code = find_operation(name)) return call_operation(*code, args, node);
    if (name.empty()) return unknown(UnknownReason::Why::library_value, node, "pypto");
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos) {
        if (const auto code = find_operation(name.substr(dot + 1))) return call_operation(*code, args, node);
    }
    return unknown(UnknownReason::Why::library_value, node, name);
}

Value Interpreter::call_operation(OpCode code, Arguments& args, NodeId node, const Value* self) {
    std::vector<Value> positional;
    if (self != nullptr) positional.push_back(*self);
    positional.insert(positional.end(), args.positional.begin(), args.positional.end());
    BoundCall call = trace::bind(code, positional, args.keyword);
    if (args.open) {
        // What a * or ** that is not known may give has no value that could be relied on, its default least of all.
        const bool by_position = args.open_positions || !args.open_keywords;
        const bool by_name = args.open_keywords || !args.open_positions;
        for (const ParameterInfo& p : info(code).parameters) {
            const bool may_come = by_name || (by_position && !p.keyword_only);
            if (may_come && call.find(p.name) == nullptr)
                call.arguments.emplace_back(p.name, unknown(UnknownReason::Why::joined, node, p.name));
        }
    }
    return record(code, std::move(call), node);
}

Value Interpreter::operator_on_tensor(std::string_view operation, Value a, Value b, NodeId node) {
    if (kernel_ == kNone && (host_type(&a) != nullptr || host_type(&b) != nullptr))
        return host_operator(operation, a, b, node);
    const auto code = find_operation(operation);
    if (!code) return unknown(UnknownReason::Why::unsupported, node, operation);
    std::vector<Value> operands{a};
    if (b.tag != Tag::none) operands.push_back(b);
    BoundCall call = trace::bind(*code, operands, {});
    if (operation == "matmul" && a.tag == Tag::tensor) {  // `@` keeps the operands' dtype
        call.arguments.emplace_back("out_dtype", Value::of(trace_.tensors[a.as.tensor].type.dtype));
    }
    return record(*code, std::move(call), node);
}

namespace {

std::vector<SymInt> to_dims(const Value& v) {
    std::vector<SymInt> out;
    if (v.is_sequence() && !v.as.list->open) {
        for (const Value& d : v.as.list->items) out.push_back(d.sym());
    }
    return out;
}

bool is_shape_argument(std::string_view name) {
    return name == "shape" || name == "size" || name == "dims_shape";
}

}  // namespace

Value Interpreter::record(OpCode code, BoundCall&& call, NodeId node) {
    const OperationInfo& about = info(code);
    if (about.engine == Engine::control) return unknown(UnknownReason::Why::unsupported, node, about.name);
    if (kernel_ == kNone) {
        // Host code: nothing is compiled here. A function that does this and belongs to no kernel is traced as a
        // helper.
        host_saw_operation_ = host_saw_operation_ || about.engine != Engine::scalar;
        return unknown(UnknownReason::Why::library_value, node, about.name);
    }
    Operation op;
    op.code = code;
    op.engine = about.engine;
    op.site = here(node);
    op.kernel = kernel_;
    op.loop = loops_.empty() ? kNone : loops_.back().id;
    op.branch = branch_;
    op.frame = frames_.empty() ? kNone : frames_.back().id;
    op.vec_tile = tiles_.vec;
    op.cube_tile = tiles_.cube;
    op.in_place = about.in_place;
    op.first_input = static_cast<std::uint32_t>(trace_.operands.size());
    TensorId written = kNoTensor;
    for (const auto& [name, v] : call.arguments) {
        if (is_shape_argument(name)) note_use(LoopUse::Kind::index_in_shape, v, node);
        if (v.tag == Tag::tensor) {
            if (name == about.written && written == kNoTensor) {
                written = v.as.tensor;
                if (about.engine == Engine::movement && about.results == 0) continue;  // written only, not read
            }
            trace_.operands.push_back(v.as.tensor);
        } else if (v.is_sequence()) {
            for (const Value& item : v.as.list->items) {
                if (item.tag == Tag::tensor) trace_.operands.push_back(item.as.tensor);
                if (item.tag == Tag::tuple && !item.as.list->items.empty() &&
                    item.as.list->items[0].tag == Tag::tensor) {
                    trace_.operands.push_back(item.as.list->items[0].as.tensor);
                }
            }
        } else if (v.tag == Tag::unknown && !is_some_number(v) && about.engine != Engine::scalar) {
            // An operand we know nothing of still is one.
            const auto parameter = std::ranges::find(about.parameters, name, &ParameterInfo::name);
            if (parameter != about.parameters.end() && parameter->tensor) {
                Tensor t;
                t.site = v.origin();
                trace_.operands.push_back(new_tensor(std::move(t)));
            }
        }
    }
    op.input_count = static_cast<std::uint32_t>(trace_.operands.size()) - op.first_input;
    if (const Value* v = call.find("offsets"); v != nullptr) op.offsets = to_dims(*v);
    if (const Value* v = call.find("shape"); v != nullptr) op.extent = to_dims(*v);
    if (const Value* v = call.find("valid_shape"); v != nullptr) op.valid_shape = to_dims(*v);
    if (const Value* v = call.find("a_trans"); v != nullptr) op.a_trans = truth(*v) == true;
    if (const Value* v = call.find("b_trans"); v != nullptr) op.b_trans = truth(*v) == true;
    if (const Value* v = call.find("keepdim"); v != nullptr) op.keepdim = truth(*v) == true;
    if (const Value* v = call.find("dim"); v != nullptr && v->tag == Tag::integer) {
        std::int64_t axis = v->as.i;
        if (axis < 0 && op.input_count > 0) {
            const TensorType& t = trace_.tensors[trace_.operands[op.first_input]].type;
            if (t.rank_known) axis += static_cast<std::int64_t>(t.shape.size());
        }
        op.axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(axis, INT32_MIN, INT32_MAX - 1));
    }
    op.arguments = call.arguments;
    const auto id = static_cast<OpId>(trace_.operations.size());

    Value result = Value::none();
    if (written != kNoTensor) {
        op.output = written;
        if (code == code_of(Op::assemble) && op.input_count == 1) {
            op.extent = trace_.tensors[trace_.operands[op.first_input]].type.shape;
        }
        if (about.results > 0) result = Value::tensor(written).at(here(node));
    } else if (about.results > 0) {
        const std::vector<TensorType> types = infer_results(code, call, trace_);
        std::vector<Value> values;
        for (const TensorType& type : types) {
            Tensor t;
            t.type = type;
            t.source = TensorSource::operation;
            t.site = here(node);
            t.producer = id;
            if (about.engine == Engine::view && op.input_count > 0) {
                t.base = trace_.operands[op.first_input];
                t.offsets = op.offsets;
            }
            values.push_back(Value::tensor(new_tensor(std::move(t))).at(here(node)));
        }
        if (!values.empty()) op.output = values[0].as.tensor;
        result = values.size() == 1 ? values[0] : make_list(Tag::tuple, std::move(values), node);
    }
    trace_.operations.push_back(std::move(op));
    return result;
}

}  // namespace ptofix::trace
