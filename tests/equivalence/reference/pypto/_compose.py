"""Operations that PyPTO itself builds from others, in the same steps, and the fused ones for attention."""
import torch

from ._cast import cast
from ._common import need_tensor, working
from ._creation import full
from ._dtypes import CastMode, DataType
from ._elementwise import add, div, exp, mul, sqrt, sub
from ._layout import reshape
from ._reduction import amax
from ._reduction import sum as total
from ._rounding import round_whole, to_integer
from ._tensor import Tensor

__all__ = ["sigmoid", "softmax", "rms_norm", "quantize", "dequantize"]
_FP32 = DataType.DT_FP32


def sigmoid(input):
    x = cast(need_tensor(input, "sigmoid"), _FP32)
    below = add(exp(mul(x, -1.0)), 1.0)
    result = div(full(below.sizes, 1.0, _FP32, valid_shape=below.valid), below)
    return cast(result, input.dtype)


def softmax(input, dim):
    x = cast(need_tensor(input, "softmax"), _FP32)
    grown = exp(sub(x, amax(x, dim, True)))
    return cast(div(grown, total(grown, dim, True)), input.dtype)


def rms_norm(input, gamma=None, epsilon=1e-6):
    x = cast(need_tensor(input, "rms_norm"), _FP32)
    below = sqrt(add(total(mul(mul(x, x), 1.0 / x.sizes[-1]), -1, True), epsilon))
    y = div(mul(x, full(below.sizes, 1.0, _FP32)), below)
    if gamma is not None:
        y = mul(y, cast(reshape(gamma, [1] * (input.dim - 1) + [gamma.sizes[0]]), _FP32))
    return cast(y, input.dtype)


def _along(scale, input, axis):
    shape = list(input.sizes)
    shape[axis] = 1
    return working(scale).reshape(shape)


def quantize(input, scale, otype, axis, zero_points=None):
    values = working(input) * _along(scale, input, axis)
    if zero_points is not None:
        values = values.to(torch.float32).to(torch.float64) + _along(zero_points, input, axis)
    whole = round_whole(values.to(torch.float32).to(torch.float64), CastMode.CAST_RINT)
    return Tensor.made(to_integer(whole, otype, True), otype)


def dequantize(input, scale, otype, axis, zero_points=None):
    values = working(input).to(torch.float64)
    if zero_points is not None:
        values = values + _along(zero_points, input, axis)
    values = values.to(torch.float32).to(torch.float64) * _along(scale, input, axis)
    return cast(Tensor.made(values.to(torch.float32), _FP32), otype)


def online_softmax(scores, scale):
    """Column statistics of one block: exponentials (BF16), their largest argument and their sum."""
    x = mul(scores, float(scale))
    top = amax(x, 0, True)
    grown = exp(sub(x, top))
    return cast(grown, DataType.DT_BF16), top, total(grown, 0, True)


def online_softmax_update(previous_max, previous_sum, previous_output, current_max, current_sum, current_output):
    from ._elementwise import maximum

    top = maximum(previous_max, current_max)
    old, new = exp(sub(previous_max, top)), exp(sub(current_max, top))
    return (top, add(mul(previous_sum, old), mul(current_sum, new)),
            add(mul(previous_output, old), mul(current_output, new)))
