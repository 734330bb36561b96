#include "trace/operations.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace {

using ptofix::trace::bind;
using ptofix::trace::BoundCall;
using ptofix::trace::code_of;
using ptofix::trace::DTypeRule;
using ptofix::trace::Engine;
using ptofix::trace::find_operation;
using ptofix::trace::find_tensor_method;
using ptofix::trace::info;
using ptofix::trace::List;
using ptofix::trace::Op;
using ptofix::trace::OpCode;
using ptofix::trace::operation_table;
using ptofix::trace::OperationInfo;
using ptofix::trace::ParameterInfo;
using ptofix::trace::ShapeRule;
using ptofix::trace::Tag;
using ptofix::trace::Value;

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

const Value kOne = Value::integer(1), kX = Value::tensor(0), kY = Value::tensor(1);

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
    const BoundCall c = call(Op::matmul, {kX, kY}, {{"out_dtype", kOne}, {"b_trans", Value::boolean(true)}});
    CHECK(names_of(c) == Strings{"input", "mat2", "out_dtype", "b_trans"});
    CHECK(c.find("b_trans")->as.b);
    CHECK(c.find("a_trans") == nullptr);
    CHECK(c.surplus == 0);
    CHECK_FALSE(c.unknown_keyword);
}

TEST_CASE("what the signature has no place for is counted or kept apart") {
    CHECK(call(Op::view, {kX, kOne, kOne, kOne}).surplus == 1);  // valid_shape is given by keyword only
    CHECK(call(Op::add, {kX, kY, kOne}).surplus == 1);
    const BoundCall c = call(Op::topk, {kX, kOne}, {{"sorted", Value::boolean(true)}});
    CHECK(c.unknown_keyword);
    CHECK(c.find("sorted") != nullptr);
}

TEST_CASE("a variadic parameter takes the rest") {
    CHECK(names_of(call(Op::zeros, {kOne, kOne}, {{"dtype", kOne}})) == Strings{"size", "size", "dtype"});
    CHECK(names_of(call(Op::set_vec_tile_shapes, {kOne, kOne, kOne})) == Strings{"shapes", "shapes", "shapes"});
}

TEST_CASE("a lone argument of a range is its end") {
    CHECK(names_of(call(Op::arange, {kOne})) == Strings{"end"});
    CHECK(names_of(call(Op::arange, {kOne, kOne})) == Strings{"start", "end"});
    CHECK(names_of(call(Op::loop, {kOne}, {{"name", kOne}})) == Strings{"stop", "name"});
    CHECK(names_of(call(Op::loop_unroll, {kOne, kOne, kOne})) == Strings{"start", "stop", "step"});
}

TEST_CASE("the three forms of assemble bind to the same names") {
    List offsets, pairs;
    Value offset_list = Value::with(Tag::list), pair_list = Value::with(Tag::list);
    offset_list.as.list = &offsets;
    pair_list.as.list = &pairs;
    const BoundCall function = call(Op::assemble, {kX, offset_list, kY});
    CHECK(names_of(function) == Strings{"input", "offsets", "out"});
    CHECK(function.find("out")->as.tensor == 1);
    const BoundCall method = call(Op::assemble, {kY, kX, offset_list});
    CHECK(method.find("input")->as.tensor == 0);
    CHECK(method.find("out")->as.tensor == 1);
    CHECK(method.find("offsets")->as.list == &offsets);
    const BoundCall keyword = call(Op::assemble, {kY, kX}, {{"offsets", offset_list}});
    CHECK(keyword.find("out")->as.tensor == 1);
    CHECK(keyword.find("offsets")->as.list == &offsets);
    const BoundCall list = call(Op::assemble, {pair_list, kY}, {{"parallel", kOne}});
    CHECK(list.find("input")->as.list == &pairs);
    CHECK(list.find("out")->as.tensor == 1);
    const BoundCall old = call(Op::assemble, {}, {{"src", kX}, {"offsets", offset_list}, {"dst", kY}});
    CHECK(names_of(old) == Strings{"input", "offsets", "out"});
    CHECK(call(Op::assemble, {kX, offset_list, kY, kOne}).surplus == 1);
}

TEST_CASE("keywords of methods and of the documentation mean the function's parameters") {
    CHECK(names_of(call(Op::permute, {kX}, {{"perm", kOne}})) == Strings{"input_tensor", "dims"});
    CHECK(names_of(call(Op::pad, {kX}, {{"pad", kOne}})) == Strings{"x", "padding"});
    CHECK(names_of(call(Op::abs, {}, {{"input", kX}})) == Strings{"a"});
    CHECK(call(Op::full, {}, {{"input", kX}}).unknown_keyword);
}
