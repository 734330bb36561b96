"""Operations element by element. Each is computed in float64 and rounded once (through FP32 for 16-bit types), so the
same element gives the same bits wherever it stands in its tensor: a rewrite that only moves work compares bit for bit.
"""
import math

import torch

from ._common import elementwise, need_tensor, scalar_of, working
from ._dtypes import FLOATS, HALVES, DataType, PrecisionType
from ._rounding import wrap
from ._state import judge_vector, note
from ._tensor import Element, Tensor

__all__ = []


def _export(function):
    __all__.append(function.__name__)
    return function


def _named(name, function):
    function.__name__ = function.__qualname__ = name
    globals()[name] = _export(function)


def _unary(name, compute, floats_only=True):
    def operation(input, precision_type=PrecisionType.HIGH_PRECISION):
        need_tensor(input, name)
        if floats_only and input.dtype not in FLOATS:
            raise TypeError(f"{name}: {input.dtype.name} is not supported")
        return elementwise(name, compute, [input])

    _named(name, operation)


def _first_is_tensor(name, input):
    if not isinstance(input, Tensor):
        raise TypeError(f"{name}(): incompatible function arguments: the first must be a Tensor, "
                        f"not {type(input).__name__}")


def _binary(name, compute, floats=None, dtype=None):
    def operation(input, other, precision_type=PrecisionType.HIGH_PRECISION):
        _first_is_tensor(name, input)
        if isinstance(other, Element):
            raise TypeError(f"{name}(): takes a Python number, not an Element")
        if floats and input.dtype not in FLOATS:
            raise TypeError(f"{name}: {input.dtype.name} is not supported")
        return elementwise(name, compute, [input, other], dtype)

    _named(name, operation)


def _euclid(a, b):
    while bool((b != 0).any()):
        a, b = torch.where(b != 0, b, a), torch.where(b != 0, torch.remainder(a, torch.where(b != 0, b, 1)), b)
    return a.abs()


# -- arithmetic --------------------------------------------------------------------------------------------------------
_binary("add", lambda a, b: a + b)
_binary("sub", lambda a, b: a - b)
_binary("mul", lambda a, b: a * b)
_binary("div", lambda a, b: a / b, floats=True)
_binary("fmod", torch.fmod)
_binary("hypot", torch.hypot, floats=True)
_binary("atan2", torch.atan2, floats=True)
_binary("copysign", torch.copysign, floats=True)
_binary("ceil_div", lambda a, b: -torch.div(-a, b, rounding_mode="floor"))
_binary("floor_div", lambda a, b: torch.div(a, b, rounding_mode="floor"))
_binary("expand_exp_dif", lambda a, b: torch.exp((a - b).to(torch.float32).to(torch.float64)), floats=True)
_binary("gcd", lambda a, b: _euclid(*torch.broadcast_tensors(a, b)))


@_export
def remainder(input, other, precision_type=PrecisionType.HIGH_PRECISION):
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        raise TypeError(f"Unsupported operand types for remainder: {type(input)} and {type(other)}")
    return elementwise("remainder", torch.remainder, [input, other])


@_export
def pow(input, other, precision_type=PrecisionType.HIGH_PRECISION):
    need_tensor(input, "pow")
    if isinstance(other, float) and input.dtype not in FLOATS:
        raise TypeError("pow of an integer tensor takes an integer exponent")
    return elementwise("pow", torch.pow, [input, other])


@_export
def axpy_(y, x, alpha=1.0):
    """y += alpha * x, in FP32."""
    need_tensor(y, "axpy_"), need_tensor(x, "axpy_")
    judge_vector(y.dim, "axpy_")
    product = (working(x) * float(alpha)).to(torch.float32).to(torch.float64)
    y.move(Tensor.made((working(y) + product).to(torch.float32).to(y.data.dtype), y.dtype,
                       y.valid if y.is_partial else None))
    return y


# -- functions of one tensor -------------------------------------------------------------------------------------------
_unary("neg", lambda a: -a, floats_only=False)
_unary("abs", torch.abs, floats_only=False)
_unary("sign", torch.sign, floats_only=False)
_unary("relu", lambda a: torch.where(a > 0, a, torch.where(torch.isnan(a), a, torch.zeros_like(a)))
       if a.is_floating_point() else a.clamp(min=0), floats_only=False)
_unary("exp", torch.exp)
_unary("expm1", torch.expm1)
_unary("log", torch.log)
_unary("log2", torch.log2)
_unary("log10", torch.log10)
_unary("log1p", torch.log1p)
_unary("sqrt", torch.sqrt)
_unary("rsqrt", lambda a: 1.0 / torch.sqrt(a))
_unary("reciprocal", lambda a: 1.0 / a)
_unary("sin", torch.sin)
_unary("cos", torch.cos)
_unary("tan", torch.tan)
_unary("asin", torch.asin)
_unary("acos", torch.acos)
_unary("atan", torch.atan)
_unary("sinh", torch.sinh)
_unary("cosh", torch.cosh)
_unary("tanh", torch.tanh)
_unary("asinh", torch.asinh)
_unary("acosh", torch.acosh)
_unary("atanh", torch.atanh)
_unary("erf", torch.erf)
_unary("erfc", torch.erfc)
_unary("ceil", torch.ceil, floats_only=False)
_unary("floor", torch.floor, floats_only=False)
_unary("trunc", torch.trunc, floats_only=False)


@_export
def round(input, decimals=0):
    need_tensor(input, "round")
    scale = 10.0**decimals

    def compute(a):
        if not a.is_floating_point():
            return a
        # Scaled in FP32: 2.35 stands half way between 2.3 and 2.4 there.
        return torch.round((a * scale).to(torch.float32).to(torch.float64)) / scale

    return elementwise("round", compute, [input])


@_export
def exp2(input):
    from ._cast import cast

    need_tensor(input, "exp2")
    if input.dtype in (DataType.DT_INT8, DataType.DT_UINT8):
        input = cast(cast(input, DataType.DT_FP16), DataType.DT_FP32)
    elif input.dtype in (DataType.DT_INT16, DataType.DT_INT32):
        input = cast(input, DataType.DT_FP32)
    return elementwise("exp2", torch.exp2, [input])


@_export
def cbrt(self):
    return elementwise("cbrt", lambda a: torch.copysign(torch.pow(a.abs(), 1.0 / 3.0), a), [need_tensor(self, "cbrt")])


@_export
def signbit(a):
    return elementwise("signbit", lambda v: torch.signbit(v), [need_tensor(a, "signbit")], DataType.DT_BOOL)


@_export
def isnan(self):
    return elementwise("isnan", torch.isnan, [need_tensor(self, "isnan")], DataType.DT_BOOL)


@_export
def isfinite(self):
    return elementwise("isfinite", torch.isfinite, [need_tensor(self, "isfinite")], DataType.DT_BOOL)


@_export
def lrelu(other, negative_slope=0.01):
    slope = negative_slope.value if isinstance(negative_slope, Element) else negative_slope
    if not math.isfinite(slope) or slope < 0:
        raise ValueError(f"lrelu(): negative_slope must be finite and non-negative, but got {slope}.")
    return elementwise("lrelu", lambda a, s: torch.where(a < 0, a * s, a), [need_tensor(other, "lrelu"), float(slope)])


@_export
def prelu(self, weight):
    need_tensor(self, "prelu"), need_tensor(weight, "prelu")
    shape = [1] * self.dim
    shape[1 if self.dim > 1 else 0] = weight.sizes[0]
    w = working(weight).reshape(shape)
    return elementwise("prelu", lambda a: torch.where(a < 0, a * w, a), [self])


@_export
def clip(input, min=None, max=None):
    need_tensor(input, "clip")
    for bound, choose in ((min, torch.maximum), (max, torch.minimum)):
        if bound is not None:
            input = elementwise("clip", choose, [input, bound])
    return input


# -- the larger, the smaller -------------------------------------------------------------------------------------------
def _either(name, choose):
    def operation(input, other):
        if not isinstance(input, Tensor):
            if not isinstance(other, Tensor):
                raise TypeError("one of `input` and `other` should be `Tensor`")
            input, other = other, input
        return elementwise(name, choose, [input, other])

    _named(name, operation)


_either("maximum", torch.maximum)
_either("minimum", torch.minimum)


# -- comparison and logic ----------------------------------------------------------------------------------------------
for _name, _compare in (("eq", torch.eq), ("ne", torch.ne), ("lt", torch.lt), ("le", torch.le), ("gt", torch.gt),
                        ("ge", torch.ge), ("greater", torch.gt)):
    def _comparison(input, other, _name=_name, _compare=_compare):
        _first_is_tensor(_name, input)
        return elementwise(_name, _compare, [input, other], DataType.DT_BOOL)

    _named(_name, _comparison)


@_export
def logical_not(input):
    return elementwise("logical_not", lambda a: a == 0, [need_tensor(input, "logical_not")], DataType.DT_BOOL)


@_export
def logical_and(input, other):
    return elementwise("logical_and", lambda a, b: (a != 0) & (b != 0), [input, other], DataType.DT_BOOL)


_binary("bitwise_and", lambda a, b: a & b)
_binary("bitwise_or", lambda a, b: a | b)
_binary("bitwise_xor", lambda a, b: a ^ b)


@_export
def bitwise_not(self):
    return elementwise("bitwise_not", torch.bitwise_not, [need_tensor(self, "bitwise_not")])


@_export
def bitwise_left_shift(input, other):
    return elementwise("bitwise_left_shift", lambda a, b: a << b, [input, other])


@_export
def bitwise_right_shift(input, other):
    return elementwise("bitwise_right_shift", lambda a, b: a >> b, [input, other])


@_export
def where(condition, input, other):
    need_tensor(condition, "where")
    if condition.dtype != DataType.DT_BOOL:
        raise TypeError(f"where(): the condition must be DT_BOOL, not {condition.dtype.name}")
    # A Python number counts as FP32, so it goes only with FP32.
    kinds = [v.dtype if isinstance(v, (Tensor, Element)) else DataType.DT_FP32 for v in (input, other)]
    if kinds[0] != kinds[1]:
        raise TypeError(f"where() input and other data type inconsistent: {kinds[0].name} and {kinds[1].name}")
    dtype = kinds[0]
    tensors = [v for v in (condition, input, other) if isinstance(v, Tensor)]
    values = [working(v) if isinstance(v, Tensor) else scalar_of(v, dtype, "where") for v in (input, other)]
    from ._common import broadcast_shape, broadcast_valid, finish

    shape = broadcast_shape(tensors)
    judge_vector(len(shape), "where")
    chosen = torch.where(condition.data, *[v.to(torch.float64) if dtype in FLOATS else v for v in values])
    return Tensor.made(finish(chosen, dtype).expand(shape).contiguous(), dtype, broadcast_valid(tensors, shape))


# -- along an axis, keeping the shape ----------------------------------------------------------------------------------
def _running(name, compute):
    def operation(input, dim):
        need_tensor(input, name)
        judge_vector(input.dim, name)
        values = working(input)
        if input.dtype in HALVES:
            note("dtype", f"{name} of {input.dtype.name}")
        result = compute(values, dim)
        data = result.to(torch.float32).to(input.data.dtype) if input.dtype in FLOATS else wrap(result, input.dtype)
        return Tensor.made(data, input.dtype, input.valid if input.is_partial else None)

    _named(name, operation)


_running("cumsum", torch.cumsum)
_running("cumprod", torch.cumprod)


def _triangle(name, compute):
    def operation(input, diagonal=0):
        from ._symbolic import value_of

        need_tensor(input, name)
        judge_vector(input.dim, name)
        return Tensor.made(compute(input.data.clone(), value_of(diagonal)), input.dtype,
                           input.valid if input.is_partial else None)

    _named(name, operation)


def _keep(upper):
    def apply(data, diagonal):
        rows, columns = data.shape[-2:]
        row = torch.arange(rows).unsqueeze(1)
        column = torch.arange(columns).unsqueeze(0)
        mask = column - row >= diagonal if upper else column - row <= diagonal
        return torch.where(mask, data, torch.zeros((), dtype=data.dtype))

    return apply


_triangle("triu", _keep(True))
_triangle("tril", _keep(False))
