#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <string>

#include "trace/operations.h"

namespace {

using ptofix::hardware::DType;
using ptofix::trace::AtomKind;
using ptofix::trace::bind;
using ptofix::trace::Bounds;
using ptofix::trace::code_of;
using ptofix::trace::infer_result;
using ptofix::trace::infer_results;
using ptofix::trace::info;
using ptofix::trace::List;
using ptofix::trace::Op;
using ptofix::trace::OpaqueOp;
using ptofix::trace::OpCode;
using ptofix::trace::operation_table;
using ptofix::trace::SymInt;
using ptofix::trace::Tag;
using ptofix::trace::Tensor;
using ptofix::trace::TensorId;
using ptofix::trace::TensorType;
using ptofix::trace::Trace;
using ptofix::trace::Value;

using Keywords = std::vector<std::pair<std::string_view, Value>>;

SymInt n(std::int64_t v) {
    return SymInt::of(v);
}
Value num(std::int64_t v) {
    return Value::integer(v);
}
Value dt(DType d) {
    return Value::of(d);
}

/// A number, a symbol, or unknown.
struct Dim {
    SymInt value;
    Dim() = default;
    Dim(std::int64_t v) : value(SymInt::of(v)) {}
    Dim(SymInt v) : value(v) {}
};
using Dims = std::vector<Dim>;

struct Fixture {
    Trace trace;
    std::deque<List> lists;

    Value tensor(const Dims& shape, DType dtype = DType::fp32, bool rank_known = true) {
        Tensor t;
        for (const Dim& d : shape) t.type.shape.push_back(d.value);
        t.type.rank_known = rank_known;
        t.type.dtype = dtype;
        trace.tensors.push_back(t);
        return Value::tensor(static_cast<TensorId>(trace.tensors.size() - 1));
    }
    Value blank() { return tensor(Dims(), DType::unknown, false); }
    Value list(std::vector<Value> items) {
        Value v = Value::with(Tag::list);
        v.as.list = &lists.emplace_back();
        v.as.list->items = std::move(items);
        return v;
    }
    Value sizes(const Dims& values) {
        std::vector<Value> items;
        for (const Dim& d : values) items.push_back(Value::of(d.value));
        return list(std::move(items));
    }
    SymInt symbol(std::string name, Bounds bounds = {}) {
        return trace.symbols.of_atom(trace.symbols.new_atom(
            {AtomKind::dynamic_dim, std::move(name), bounds, UINT32_MAX, OpaqueOp::none, {}, {}}));
    }
    TensorType infer(Op op, const std::vector<Value>& positional, const Keywords& keywords = {}) {
        return infer_result(code_of(op), bind(code_of(op), positional, keywords), trace);
    }
    std::vector<TensorType> infer_all(Op op, const std::vector<Value>& positional, const Keywords& keywords = {}) {
        return infer_results(code_of(op), bind(code_of(op), positional, keywords), trace);
    }
};

bool is(const TensorType& t, const Dims& shape) {
    return t.rank_known && std::ranges::equal(t.shape, shape, {}, {}, &Dim::value);
}
bool nothing(const TensorType& t) {
    return !t.rank_known && t.shape.empty();
}

}  // namespace

TEST_CASE_METHOD(Fixture, "every operation survives no arguments, unknown ones and surplus ones") {
    for (OpCode code = 0; code < operation_table().size(); ++code) {
        INFO(info(code).name);
        CHECK(infer_results(code, {}, trace).size() == info(code).results);
        for (const Value& v : {Value{}, blank(), tensor({4, 8}), list({}), num(-1), Value::none()}) {
            const std::vector<Value> many(12, v);
            CHECK(infer_results(code, bind(code, many, {}), trace).size() == info(code).results);
        }
    }
}

TEST_CASE_METHOD(Fixture, "elementwise operations broadcast known dims") {
    CHECK(is(infer(Op::add, {tensor({16, 1}), tensor({16, 128})}), {16, 128}));
    CHECK(is(infer(Op::add, {tensor({128}), tensor({16, 128})}), {16, 128}));
    CHECK(is(infer(Op::mul, {tensor({8, 1, 4}), tensor({1, 6, 1})}), {8, 6, 4}));
    CHECK(is(infer(Op::mul, {tensor({8, 4}), Value::real(0.5)}), {8, 4}));
    CHECK(is(infer(Op::maximum, {num(0), tensor({8, 4})}), {8, 4}));
    CHECK(nothing(infer(Op::add, {tensor({16, 64}), tensor({16, 128})})));
    CHECK(nothing(infer(Op::add, {tensor({16, 64}), Value{}})));
    CHECK(nothing(infer(Op::add, {tensor({16, 64}), blank()})));
    CHECK(nothing(infer(Op::add, {tensor({16, 64}), tensor(Dims())})));  // Tensor([]): any shape
}

TEST_CASE_METHOD(Fixture, "symbolic dims broadcast only when it is sure") {
    const SymInt b = symbol("b", {0, std::nullopt}), c = symbol("c", {0, std::nullopt}), wide = symbol("w", {2, 64});
    CHECK(is(infer(Op::add, {tensor({b, n(4)}), tensor({b, n(4)})}), {b, n(4)}));
    CHECK(is(infer(Op::add, {tensor({b, n(4)}), tensor({1, 4})}), {b, n(4)}));
    CHECK(is(infer(Op::add, {tensor({b, n(4)}), tensor({c, n(4)})}), {SymInt{}, n(4)}));
    CHECK(is(infer(Op::add, {tensor({b, n(4)}), tensor({16, 4})}), {16, 4}));
    CHECK(is(infer(Op::add, {tensor({wide, n(4)}), tensor({c, n(4)})}), {wide, n(4)}));
    CHECK(is(infer(Op::add, {tensor({SymInt{}, n(4)}), tensor({SymInt{}, n(4)})}), {SymInt{}, n(4)}));
}

TEST_CASE_METHOD(Fixture, "operands must agree in type and numbers take the tensor's") {
    const Value half = tensor({4}, DType::bf16), full = tensor({4}), integers = tensor({4}, DType::int32);
    CHECK(infer(Op::add, {half, half}).dtype == DType::bf16);
    CHECK(infer(Op::add, {half, Value::real(1.5)}).dtype == DType::bf16);
    CHECK(infer(Op::add, {half, full}).dtype == DType::unknown);
    CHECK(infer(Op::add, {half, blank()}).dtype == DType::bf16);
    CHECK(infer(Op::div, {integers, integers}).dtype == DType::fp32);
    CHECK(infer(Op::div, {half, num(3)}).dtype == DType::bf16);
    CHECK(infer(Op::exp2, {integers}).dtype == DType::fp32);
    CHECK(infer(Op::gt, {half, num(0)}).dtype == DType::boolean);
    CHECK(infer(Op::cumsum, {integers, num(0)}).dtype == DType::int64);
    CHECK(infer(Op::cast, {half, dt(DType::fp32)}).dtype == DType::fp32);
    CHECK(infer(Op::cast, {half, Value{}}).dtype == DType::unknown);
    CHECK(infer(Op::pow, {half, num(2)}).dtype == DType::bf16);
    CHECK(infer(Op::pow, {integers, Value::real(0.5)}).dtype == DType::fp32);
    CHECK(infer(Op::pow, {half, tensor({4}, DType::fp16)}).dtype == DType::fp32);
    CHECK(infer(Op::where, {tensor({4}, DType::boolean), half, Value{}}).dtype == DType::bf16);
    CHECK(infer(Op::where, {tensor({4}, DType::boolean), num(1), Value::real(0)}).dtype == DType::fp32);
    CHECK(infer(Op::where, {tensor({4}, DType::boolean), Value{}, Value::real(0)}).dtype == DType::unknown);
}

TEST_CASE_METHOD(Fixture, "a reduction drops its axis or leaves 1") {
    const Value t = tensor({2, 3, 4}, DType::bf16);
    CHECK(is(infer(Op::amax, {t, num(-1)}), {2, 3}));
    CHECK(is(infer(Op::amax, {t, num(1), Value::boolean(true)}), {2, 1, 4}));
    CHECK(is(infer(Op::sum, {t, num(0)}, {{"keepdim", Value::boolean(true)}}), {1, 3, 4}));
    CHECK(is(infer(Op::sum, {tensor({7}), num(0)}), {1}));
    CHECK(is(infer(Op::argmax, {t}), {2, 3}));
    CHECK(infer(Op::argmax, {t}).dtype == DType::int32);
    CHECK(is(infer(Op::var, {t, sizes({0, -1})}), {3}));
    CHECK(is(infer(Op::var, {t}), {1}));
    CHECK(nothing(infer(Op::amax, {t, num(3)})));
    CHECK(nothing(infer(Op::amax, {t, num(1), Value{}})));
    CHECK(is(infer(Op::amax, {t, Value{}}), {SymInt{}, SymInt{}}));
}

TEST_CASE_METHOD(Fixture, "a product has the rows of one operand and the columns of the other") {
    const Value a = tensor({16, 64}, DType::bf16), b = tensor({64, 32}, DType::bf16);
    const TensorType c = infer(Op::matmul, {a, b, dt(DType::fp32)});
    CHECK(is(c, {16, 32}));
    CHECK(c.dtype == DType::fp32);
    CHECK(is(infer(Op::matmul, {a, tensor({32, 64}), dt(DType::fp32)}, {{"b_trans", Value::boolean(true)}}), {16, 32}));
    CHECK(is(infer(Op::matmul, {tensor({64, 16}), b, dt(DType::fp32)}, {{"a_trans", Value::boolean(true)}}), {16, 32}));
    CHECK(is(infer(Op::matmul, {tensor({8, 16, 64}), tensor({1, 64, 32})}), {8, 16, 32}));
    CHECK(is(infer(Op::matmul, {tensor({2, 8, 16, 64}), tensor({2, 8, 64, 32})}), {2, 8, 16, 32}));
    CHECK(is(infer(Op::matmul, {a, b}, {{"b_trans", Value{}}}), {n(16), SymInt{}}));
    CHECK(nothing(infer(Op::matmul, {a, tensor({32, 64})})));
    CHECK(nothing(infer(Op::matmul, {a, tensor({1, 64, 32})})));
    CHECK(nothing(infer(Op::matmul, {tensor({2, 16, 64}), tensor({3, 64, 32})})));
    CHECK(infer(Op::matmul, {a, b}).dtype == DType::bf16);  // a @ b
    CHECK(infer(Op::matmul, {a, tensor({64, 32}, DType::int8)}).dtype == DType::int32);
    CHECK(is(infer(Op::scaled_mm, {a, b, dt(DType::bf16)}), {16, 32}));
    CHECK(
        is(infer(Op::transposed_batchmatmul, {tensor({5, 8, 64}), tensor({8, 64, 32}), dt(DType::bf16)}), {5, 8, 32}));
    const SymInt rows = symbol("rows");
    CHECK(is(infer(Op::matmul, {tensor({rows, n(64)}), b}), {rows, n(32)}));
}

TEST_CASE_METHOD(Fixture, "axes are moved, added and removed") {
    const Value t = tensor({2, 3, 4});
    CHECK(is(infer(Op::transpose, {t, num(-1), num(0)}), {4, 3, 2}));
    CHECK(nothing(infer(Op::transpose, {t, num(3), num(0)})));
    CHECK(is(infer(Op::transpose, {t, Value{}, num(0)}), Dims(3)));
    CHECK(is(infer(Op::permute, {t, sizes({2, 0, -2})}), {4, 2, 3}));
    CHECK(nothing(infer(Op::permute, {t, sizes({0, 0, 1})})));
    CHECK(nothing(infer(Op::permute, {t, sizes({0, 1})})));
    CHECK(is(infer(Op::unsqueeze, {t, num(-1)}), {2, 3, 4, 1}));
    CHECK(is(infer(Op::unsqueeze, {t, num(0)}), {1, 2, 3, 4}));
    CHECK(nothing(infer(Op::unsqueeze, {t, num(4)})));
    CHECK(is(infer(Op::squeeze, {tensor({1, 3, 1})}), {3}));
    CHECK(is(infer(Op::squeeze, {tensor({1, 3, 1}), num(-1)}), {1, 3}));
    CHECK(nothing(infer(Op::squeeze, {tensor({SymInt{}, n(3)})})));
    CHECK(is(infer(Op::expand_clone, {tensor({1, 4}), sizes({8, 4})}), {8, 4}));
    CHECK(nothing(infer(Op::expand_clone, {tensor({2, 4}), sizes({8, 4})})));
}

TEST_CASE_METHOD(Fixture, "a reshape keeps the number of elements") {
    const Value t = tensor({4, 6}, DType::bf16);
    CHECK(is(infer(Op::reshape, {t, sizes({2, 12})}), {2, 12}));
    CHECK(is(infer(Op::reshape, {t, sizes({3, -1})}), {3, 8}));
    CHECK(is(infer(Op::reshape, {t, sizes({-1})}), {24}));
    CHECK(nothing(infer(Op::reshape, {t, sizes({5, 5})})));
    CHECK(nothing(infer(Op::reshape, {t, sizes({5, -1})})));
    CHECK(nothing(infer(Op::reshape, {t, sizes({-1, -1})})));
    CHECK(infer(Op::reshape, {t, sizes({24})}).dtype == DType::bf16);
    const SymInt b = symbol("b");
    CHECK(is(infer(Op::reshape, {tensor({b, n(6), n(4)}), sizes({-1, 24})}), {b, n(24)}));
    CHECK(is(infer(Op::reshape, {tensor({b, n(6)}), sizes({2, -1})}), {n(2), trace.symbols.multiply(b, n(3))}));
    CHECK(is(infer(Op::reshape, {tensor({b, n(6)}), list({Value{}, num(3)})}), {SymInt{}, n(3)}));
    CHECK(is(infer(Op::reshape, {blank(), sizes({-1, 3})}), {SymInt{}, n(3)}));
}

TEST_CASE_METHOD(Fixture, "a view has the shape it is given, or the bytes of another type") {
    const Value t = tensor({64, 512}, DType::bf16);
    trace.tensors[t.as.tensor].type.nz = true;
    const SymInt i = symbol("i");
    const TensorType v = infer(Op::view, {t, sizes({16, 512}), sizes({i, n(0)})});
    CHECK(is(v, {16, 512}));
    CHECK(v.dtype == DType::bf16);
    CHECK(v.nz);
    CHECK(is(infer(Op::view, {t}, {{"dtype", dt(DType::int8)}}), {64, 1024}));
    CHECK(is(infer(Op::view, {t}, {{"dtype", dt(DType::fp32)}}), {64, 256}));
    CHECK(is(infer(Op::view, {t}, {{"dtype", Value{}}}), {n(64), SymInt{}}));
    CHECK(is(infer(Op::view, {tensor({3}, DType::int8)}, {{"dtype", dt(DType::fp32)}}), {SymInt{}}));
    CHECK(nothing(infer(Op::view, {t, Value{}, sizes({0, 0})})));
}

TEST_CASE_METHOD(Fixture, "new tensors have the size they are given") {
    CHECK(is(infer(Op::zeros, {num(2), num(3)}), {2, 3}));
    CHECK(is(infer(Op::ones, {sizes({2, 3})}, {{"dtype", dt(DType::bf16)}}), {2, 3}));
    CHECK(infer(Op::zeros, {num(2)}).dtype == DType::fp32);
    CHECK(infer(Op::ones, {num(2)}, {{"dtype", dt(DType::int8)}}).dtype == DType::int8);
    const TensorType full = infer(Op::full, {sizes({4, 4}), num(0), dt(DType::fp16)});
    CHECK(is(full, {4, 4}));
    CHECK(full.dtype == DType::fp16);
    CHECK(is(infer(Op::tensor, {sizes({4}), dt(DType::int32)}), {4}));
    CHECK(nothing(infer(Op::zeros, {Value{}})));
    CHECK(is(infer(Op::arange, {num(10)}), {10}));
    CHECK(is(infer(Op::arange, {num(1), num(10), num(4)}), {3}));
    CHECK(is(infer(Op::arange, {num(10), num(0), num(-3)}), {4}));
    CHECK(infer(Op::arange, {num(10)}).dtype == DType::int32);
    const SymInt rows = symbol("rows");
    CHECK(infer(Op::arange, {Value::of(rows)}).dtype == DType::int32);
    CHECK(is(infer(Op::arange, {Value::of(rows)}), {rows}));
    CHECK(infer(Op::arange, {num(1), Value::of(rows)}).dtype == DType::unknown);
    CHECK(infer(Op::arange, {Value::real(2.5)}).dtype == DType::fp32);
    CHECK(is(infer(Op::uniform, {sizes({2, 5}), sizes({1}), sizes({0, 0}), sizes({1}), dt(DType::bf16)}), {2, 5}));
}

TEST_CASE_METHOD(Fixture, "a tensor from torch keeps its shape but for its dynamic axes") {
    const Value host = tensor({8, 64}, DType::bf16);
    CHECK(is(infer(Op::from_torch, {host}), {8, 64}));
    CHECK(infer(Op::from_torch, {host}).dtype == DType::bf16);
    CHECK(is(infer(Op::from_torch, {host}, {{"dynamic_axis", sizes({0})}}), {SymInt{}, 64}));
    CHECK(infer(Op::from_torch, {host}, {{"dtype", dt(DType::int8)}}).dtype == DType::int8);
}

TEST_CASE_METHOD(Fixture, "a convolution slides its window over the padded input") {
    const Value in = tensor({1, 3, 9, 8}), weight = tensor({16, 3, 3, 2}), half = dt(DType::fp16);
    CHECK(is(infer(Op::conv, {in, weight, half, sizes({2, 1}), sizes({1, 1, 0, 0}), sizes({1, 2})}), {1, 16, 5, 6}));
    CHECK(is(infer(Op::conv, {tensor({1, 16, 32}), tensor({16, 8, 3}), half, sizes({1}), sizes({1, 1}), sizes({1})}),
             {1, 16, 32}));
    CHECK(is(infer(Op::conv, {in, weight, half}), {1, 16, SymInt{}, SymInt{}}));
    CHECK(nothing(infer(Op::conv, {in, tensor({16, 3, 3}), half})));
}

TEST_CASE_METHOD(Fixture, "a concatenation adds up its axis and the others agree") {
    const SymInt b = symbol("b");
    CHECK(is(infer(Op::concat, {list({tensor({2, 3}), tensor({5, 3})})}), {7, 3}));
    CHECK(is(infer(Op::concat, {list({tensor({2, 3}), tensor({2, 4})}), num(-1)}), {2, 7}));
    CHECK(is(infer(Op::concat, {list({tensor({b, n(4)}), tensor({8, 4})}), num(1)}), {8, 8}));
    CHECK(is(infer(Op::concat, {list({tensor({b, n(4)}), tensor({8, 4})})}), {trace.symbols.add(b, n(8)), n(4)}));
    CHECK(nothing(infer(Op::concat, {list({tensor({2, 3}), tensor({5, 4})})})));
    CHECK(nothing(infer(Op::concat, {list({tensor({2, 3}), Value{}})})));
    CHECK(infer(Op::concat, {list({tensor({2}, DType::int8), tensor({2}, DType::int8)})}).dtype == DType::int8);
}

TEST_CASE_METHOD(Fixture, "indexing takes the shape of the index") {
    const Value t = tensor({8, 64}, DType::fp16), index = tensor({1, 5}, DType::int32);
    CHECK(is(infer(Op::gather, {t, num(1), index}), {1, 5}));
    CHECK(infer(Op::gather, {t, num(1), index}).dtype == DType::fp16);
    CHECK(is(infer(Op::index_select, {t, num(0), index}), {1, 5, 64}));
    CHECK(is(infer(Op::index_select, {t, num(-1), tensor({3})}), {8, 3}));
    CHECK(is(infer(Op::gather_in_ub, {t, index, tensor({1, 9}), num(16), num(-2)}), {5, 64}));
    CHECK(is(infer(Op::gather_in_l1, {t, index, tensor({1, 9}), num(16), num(32)}), {5, 32}));
    CHECK(is(infer(Op::gathermask, {t, num(2)}), {8, 32}));
    CHECK(is(infer(Op::gathermask, {t, num(5)}), {8, 16}));
    CHECK(is(infer(Op::gathermask, {t, num(7)}), {8, 64}));
    CHECK(is(infer(Op::one_hot, {tensor({3}), num(10)}), {3, 10}));
    CHECK(is(infer(Op::scatter_, {t, num(0), index, Value::real(1)}), {8, 64}));
}

TEST_CASE_METHOD(Fixture, "operations with several results describe each") {
    const Value t = tensor({8, 256}, DType::bf16);
    const auto top = infer_all(Op::topk, {t, num(16)});
    REQUIRE(top.size() == 2);
    CHECK(is(top[0], {8, 16}));
    CHECK(top[0].dtype == DType::bf16);
    CHECK(is(top[1], {8, 16}));
    CHECK(top[1].dtype == DType::int32);
    const auto mx = infer_all(Op::quant_mx, {t});
    REQUIRE(mx.size() == 2);
    CHECK(is(mx[0], {8, 256}));
    CHECK(mx[0].dtype == DType::fp8e4m3);
    CHECK(is(mx[1], {8, 4, 2}));
    CHECK(mx[1].dtype == DType::fp8e8m0);
    const auto online = infer_all(Op::online_softmax, {tensor({64, 16}), Value::real(0.1)});
    REQUIRE(online.size() == 3);
    CHECK(is(online[0], {64, 16}));
    CHECK(online[0].dtype == DType::bf16);
    CHECK(is(online[2], {1, 16}));
    const auto parts = infer_all(Op::deinterleave, {t});
    REQUIRE(parts.size() == 2);
    CHECK(is(parts[1], {8, 128}));
    CHECK(infer_all(Op::interleave, {t, t}).size() == 2);
    CHECK(infer_all(Op::assemble, {t, sizes({0, 0}), t}).empty());
}

TEST_CASE_METHOD(Fixture, "packing counts bytes and padding adds to the last axes") {
    CHECK(is(infer(Op::pack, {tensor({2, 3}, DType::fp32)}), {24}));
    CHECK(infer(Op::pack, {tensor({2, 3})}).dtype == DType::uint8);
    CHECK(is(infer(Op::unpack, {tensor({24}, DType::uint8), dt(DType::fp32)}), {6}));
    CHECK(is(infer(Op::pad, {tensor({2, 3}), sizes({0, 5, 0, 1})}), {3, 8}));
    CHECK(is(infer(Op::pad, {tensor({2, 3}), sizes({0, 5})}), {2, 8}));
    CHECK(is(infer(Op::sort32, {tensor({2, 32})}), {2, 64}));
}
