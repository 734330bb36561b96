"""Shared by the operations: which results are valid, how numbers become operands, how broadcasting is judged."""
import torch

from ._budget import judge_elementwise
from ._dtypes import FLOATS, HALVES, DataType, integer_range
from ._rounding import store, wrap
from ._state import judge_vector
from ._tensor import Element, Tensor


def need_tensor(value, what):
    if not isinstance(value, Tensor):
        raise TypeError(f"{what} must be a Tensor, not {type(value).__name__}")
    return value


def normal_axis(axis, rank, what="dim"):
    if not isinstance(axis, int):
        raise TypeError(f"{what} must be an int, not {type(axis).__name__}")
    if not -rank <= axis < rank:
        raise IndexError(f"{what} {axis} is out of range for {rank} dimensions")
    return axis % rank


def broadcast_shape(tensors):
    return list(torch.broadcast_shapes(*[tuple(t.sizes) for t in tensors]))


def broadcast_valid(tensors, shape):
    """Along an axis, what every operand that is not stretched there has valid."""
    if not any(t.is_partial for t in tensors):
        return None
    valid = list(shape)
    for t in tensors:
        lead = len(shape) - t.dim
        for axis, (size, good) in enumerate(zip(t.sizes, t.valid)):
            if size == shape[axis + lead]:
                valid[axis + lead] = min(valid[axis + lead], good)
    return valid


def scalar_of(value, dtype, what):
    """A Python number as the operand of a tensor of this type."""
    if isinstance(value, Element):
        value = value.value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{what}: a {type(value).__name__} is no operand")
    if dtype in FLOATS:
        return torch.tensor(float(value), dtype=torch.float64).to(torch.float32).to(torch.float64)
    if isinstance(value, float):
        raise TypeError(f"{what}(): float scalar incompatible with integer tensor dtype {dtype.name}")
    if dtype == DataType.DT_BOOL:
        return torch.tensor(bool(value))
    return wrap(torch.tensor(int(value)), dtype).to(torch.int64)


def working(tensor):
    """A tensor's values in the type the reference computes in: float64 or int64."""
    if tensor.dtype in FLOATS:
        return tensor.data.to(torch.float64)
    return tensor.data if tensor.dtype == DataType.DT_BOOL else tensor.data.to(torch.int64)


def finish(data, dtype):
    """A computed float64, int64 or bool as stored in `dtype`."""
    if dtype in FLOATS:
        return store(data.to(torch.float64), dtype)
    if dtype == DataType.DT_BOOL:
        return data.to(torch.bool)
    if data.dtype == torch.float64:
        return store(data, dtype)
    return wrap(data.to(torch.int64), dtype)


def elementwise(name, compute, operands, dtype=None):
    """Applies compute to broadcast operands; at least one is a tensor, all tensors share a type."""
    tensors = [o for o in operands if isinstance(o, Tensor)]
    first = tensors[0]
    for t in tensors[1:]:
        if t.dtype != first.dtype:
            raise TypeError(f"{name}: operands of {first.dtype.name} and {t.dtype.name}")
    values = [working(o) if isinstance(o, Tensor) else scalar_of(o, first.dtype, name) for o in operands]
    shape = broadcast_shape(tensors)
    judge_vector(len(shape), name)
    judge_elementwise(name, tensors)
    result = compute(*values)
    dtype = dtype or first.dtype
    return Tensor.made(finish(result, dtype).expand(shape).contiguous(), dtype, broadcast_valid(tensors, shape))


def is_half(dtype):
    return dtype in HALVES


def saturated(value, dtype):
    low, high = integer_range(dtype)
    return max(low, min(high, value))
