"""Tensors made from numbers."""
import math

import torch

from ._dtypes import FLOATS, DataType, storage_of
from ._rounding import round_to_float, wrap
from ._state import judge_vector
from ._symbolic import concrete_of, is_symbolic, value_of
from ._tensor import Element, Tensor

__all__ = ["full", "zeros", "ones", "arange"]


def _filled(shape, number, dtype, valid):
    if dtype in FLOATS:
        value = round_to_float(torch.tensor(float(number), dtype=torch.float64), dtype)
    elif dtype == DataType.DT_BOOL:
        value = torch.tensor(bool(number))
    else:
        value = wrap(torch.tensor(int(number)), dtype)
    return Tensor.made(value.to(storage_of(dtype)).expand(shape).clone(), dtype, valid)


def full(size, fill_value, dtype, *, valid_shape=None):
    if not isinstance(dtype, DataType):
        raise TypeError("full(size, fill_value, dtype): the third argument is the element type")
    sizes = [concrete_of(n, "a size in full()") for n in size]
    if isinstance(fill_value, Element):
        fill_value = fill_value.value
    elif is_symbolic(fill_value):
        fill_value = value_of(fill_value)
    if isinstance(fill_value, bool) or not isinstance(fill_value, (int, float)):
        raise TypeError(f"full(): a {type(fill_value).__name__} is no fill value")
    judge_vector(len(sizes), "full")
    valid = [value_of(n) for n in valid_shape] if valid_shape else None
    return _filled(sizes, fill_value, dtype, valid)


def _constant(size, number, dtype, what):
    if len(size) == 1 and isinstance(size[0], (list, tuple)):
        size = size[0]
    sizes = [concrete_of(n, f"a size in {what}()") for n in size]
    judge_vector(len(sizes), what)
    return _filled(sizes, number, dtype or DataType.DT_FP32, None)


def zeros(*size, dtype=None):
    return _constant(size, 0, dtype, "zeros")


def ones(*size, dtype=None):
    return _constant(size, 1, dtype, "ones")


def arange(*args):
    if not 1 <= len(args) <= 3:
        raise ValueError(f"The length of args should in [1, 2, 3], but got {len(args)}.")
    start, end, step = (0, args[0], 1) if len(args) == 1 else (*args, 1) if len(args) == 2 else args
    judge_vector(1, "arange")
    count = max(0, math.ceil((end - start) / step))
    if all(isinstance(number, int) for number in (start, end, step)):
        return Tensor.made(torch.arange(count, dtype=torch.int32) * step + start, DataType.DT_INT32)
    data = start + torch.arange(count, dtype=torch.float64) * step
    return Tensor.made(data.to(torch.float32), DataType.DT_FP32)
