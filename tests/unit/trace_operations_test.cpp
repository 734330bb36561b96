#include "trace/operations.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace ptofix::trace;

namespace {

using Strings = std::vector<std::string>;

Strings parameters_of(std::string_view operation) {
    Strings out;
    for (const ParameterInfo& p : info(*find_operation(operation)).parameters) {
        out.push_back(std::string(p.variadic ? "*" : p.keyword_only ? "|" : "") + std::string(p.name));
    }
    return out;
}

Strings names_of(const BoundCall& call) {
    Strings out;
    for (const auto& [name, value] : call.arguments) out.emplace_back(name);
    return out;
}

BoundCall call(Op op, const std::vector<Value>& positional,
               const std::vector<std::pair<std::string_view, Value>>& keywords = {}) {
    return bind(code_of(op), positional, keywords);
}

const Value one = Value::integer(1), x = Value::tensor(0), y = Value::tensor(1);

}  // namespace

TEST_CASE("every operation has one entry that is consistent in itself") {
    std::set<std::string_view> names, methods;
    OpCode code = 0;
    for (const OperationInfo& about : operation_table()) {
        INFO(about.name);
        CHECK(names.insert(about.name).second);
        CHECK(find_operation(about.name) == code);
        CHECK(&info(code) == &about);
        if (!about.method.empty()) {
            CHECK(methods.insert(about.method).second);
            CHECK(find_tensor_method(about.method) == code);
            CHECK(std::ranges::any_of(about.parameters, &ParameterInfo::tensor));
        }
        std::set<std::string_view> parameters;
        bool keyword_only = false, written = false;
        for (const ParameterInfo& p : about.parameters) {
            CHECK_FALSE(p.name.empty());
            CHECK(parameters.insert(p.name).second);
            CHECK((p.keyword_only || !keyword_only));
            keyword_only = p.keyword_only;
            if (p.written) {
                CHECK_FALSE(written);
                CHECK(about.written == p.name);
                written = true;
            }
        }
        CHECK(written == !about.written.empty());
        CHECK((!about.in_place || about.parameters[0].written));
        // What returns tensors says how they look, what returns none does not.
        CHECK((about.results == 0) == (about.shape == ShapeRule::none));
        CHECK((about.shape == ShapeRule::none) == (about.dtype == DTypeRule::none));
        if (about.engine == Engine::control || about.engine == Engine::scalar) CHECK(about.results == 0);
        if (about.engine == Engine::cube || about.engine == Engine::vector) {
            CHECK((about.results > 0));
            CHECK(about.parameters[0].tensor);
        }
        ++code;
    }
    CHECK(code > 200);
}

TEST_CASE("operations are found by name, by alias and by method") {
    CHECK(find_operation("matmul") == code_of(Op::matmul));
    CHECK(find_operation("experimental.gather_in_ub") == code_of(Op::gather_in_ub));
    CHECK(find_operation("Tensor") == code_of(Op::tensor));
    CHECK(find_operation("Element") == code_of(Op::element));
    CHECK(find_tensor_method("axpy_") == code_of(Op::axpy_));
    CHECK(find_tensor_method("move") == code_of(Op::move));
    CHECK_FALSE(find_operation(""));
    CHECK_FALSE(find_operation("relu6"));
    CHECK_FALSE(find_tensor_method("concat"));
    CHECK(info(Op::amax).name == "amax");
}

TEST_CASE("signatures are the framework's") {
    CHECK(parameters_of("cast") == Strings{"input", "dtype", "mode", "satmode"});
    CHECK(parameters_of("view") == Strings{"input", "shape", "offsets", "|valid_shape", "|dtype"});
    CHECK(parameters_of("matmul") ==
          Strings{"input", "mat2", "out_dtype", "|a_trans", "|b_trans", "|c_matrix_nz", "|extend_params"});
    CHECK(parameters_of("zeros") == Strings{"*size", "|dtype"});
    CHECK(parameters_of("reset_options").empty());
    CHECK(parameters_of("experimental.set_operation_options") == Strings{"|combine_axis"});
}

TEST_CASE("an operation says what it writes to") {
    CHECK(info(Op::index_add_).in_place);
    CHECK(info(Op::axpy_).written == "y");
    CHECK(info(Op::assemble).written == "out");
    CHECK_FALSE(info(Op::assemble).in_place);
    CHECK(info(Op::atomic_add).written == "dst");
    CHECK(info(Op::add).written.empty());
}

TEST_CASE("arguments bind by position and by keyword") {
    const BoundCall c = call(Op::matmul, {x, y}, {{"out_dtype", one}, {"b_trans", Value::boolean(true)}});
    CHECK(names_of(c) == Strings{"input", "mat2", "out_dtype", "b_trans"});
    CHECK(c.find("b_trans")->as.b);
    CHECK(c.find("a_trans") == nullptr);
    CHECK(c.surplus == 0);
    CHECK_FALSE(c.unknown_keyword);
}

TEST_CASE("what the signature has no place for is counted or kept apart") {
    CHECK(call(Op::view, {x, one, one, one}).surplus == 1);  // valid_shape is given by keyword only
    CHECK(call(Op::add, {x, y, one}).surplus == 1);
    const BoundCall c = call(Op::topk, {x, one}, {{"sorted", Value::boolean(true)}});
    CHECK(c.unknown_keyword);
    CHECK(c.find("sorted") != nullptr);
}

TEST_CASE("a variadic parameter takes the rest") {
    CHECK(names_of(call(Op::zeros, {one, one}, {{"dtype", one}})) == Strings{"size", "size", "dtype"});
    CHECK(names_of(call(Op::set_vec_tile_shapes, {one, one, one})) == Strings{"shapes", "shapes", "shapes"});
}

TEST_CASE("a lone argument of a range is its end") {
    CHECK(names_of(call(Op::arange, {one})) == Strings{"end"});
    CHECK(names_of(call(Op::arange, {one, one})) == Strings{"start", "end"});
    CHECK(names_of(call(Op::loop, {one}, {{"name", one}})) == Strings{"stop", "name"});
    CHECK(names_of(call(Op::loop_unroll, {one, one, one})) == Strings{"start", "stop", "step"});
}

TEST_CASE("the three forms of assemble bind to the same names") {
    List offsets, pairs;
    Value offset_list = Value::with(Tag::list), pair_list = Value::with(Tag::list);
    offset_list.as.list = &offsets;
    pair_list.as.list = &pairs;
    const BoundCall function = call(Op::assemble, {x, offset_list, y});
    CHECK(names_of(function) == Strings{"input", "offsets", "out"});
    CHECK(function.find("out")->as.tensor == 1);
    const BoundCall method = call(Op::assemble, {y, x, offset_list});
    CHECK(method.find("input")->as.tensor == 0);
    CHECK(method.find("out")->as.tensor == 1);
    CHECK(method.find("offsets")->as.list == &offsets);
    const BoundCall keyword = call(Op::assemble, {y, x}, {{"offsets", offset_list}});
    CHECK(keyword.find("out")->as.tensor == 1);
    CHECK(keyword.find("offsets")->as.list == &offsets);
    const BoundCall list = call(Op::assemble, {pair_list, y}, {{"parallel", one}});
    CHECK(list.find("input")->as.list == &pairs);
    CHECK(list.find("out")->as.tensor == 1);
    const BoundCall old = call(Op::assemble, {}, {{"src", x}, {"offsets", offset_list}, {"dst", y}});
    CHECK(names_of(old) == Strings{"input", "offsets", "out"});
    CHECK(call(Op::assemble, {x, offset_list, y, one}).surplus == 1);
}

TEST_CASE("keywords of methods and of the documentation mean the function's parameters") {
    CHECK(names_of(call(Op::permute, {x}, {{"perm", one}})) == Strings{"input_tensor", "dims"});
    CHECK(names_of(call(Op::pad, {x}, {{"pad", one}})) == Strings{"x", "padding"});
    CHECK(names_of(call(Op::abs, {}, {{"input", x}})) == Strings{"a"});
    CHECK(call(Op::full, {}, {{"input", x}}).unknown_keyword);
}
