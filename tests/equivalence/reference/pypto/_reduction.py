"""Reductions along one axis. Only what is valid takes part. Sums run in float64 and are rounded once, so that the order
of addition does not show."""
import torch

from ._budget import judge_reduction
from ._common import finish, need_tensor, normal_axis, working
from ._dtypes import DataType
from ._state import judge_tile_number, judge_vector
from ._tensor import Tensor

__all__ = ["sum", "amax", "amin", "prod", "argmax", "argmin", "var", "topk", "argsort"]


def _reduced(name, input, dim, keepdim, compute, dtype=None):
    need_tensor(input, name)
    axis = normal_axis(dim, input.dim)
    judge_vector(input.dim, name)
    judge_reduction(name, input)
    values = working(input).narrow(axis, 0, input.valid[axis])
    data = finish(compute(values, axis), dtype or input.dtype)
    valid = None
    if input.is_partial:
        valid = input.valid
        valid[axis] = 1
        if not keepdim:
            valid.pop(axis)
    if not keepdim:
        data = data.squeeze(axis)
    return Tensor.made(data.contiguous(), dtype or input.dtype, valid)


def sum(input, dim, keepdim=False):
    return _reduced("sum", input, dim, keepdim, lambda v, axis: v.sum(axis, keepdim=True))


def prod(self, dim, keepdim=False):
    return _reduced("prod", self, dim, keepdim, lambda v, axis: v.prod(axis, keepdim=True))


def amax(input, dim, keepdim=False):
    return _reduced("amax", input, dim, keepdim, lambda v, axis: v.amax(axis, keepdim=True))


def amin(input, dim, keepdim=False):
    return _reduced("amin", input, dim, keepdim, lambda v, axis: v.amin(axis, keepdim=True))


def argmax(input, dim=-1, keepdim=False):
    return _reduced("argmax", input, dim, keepdim, lambda v, axis: v.argmax(axis, keepdim=True), DataType.DT_INT32)


def argmin(input, dim=-1, keepdim=False):
    return _reduced("argmin", input, dim, keepdim, lambda v, axis: v.argmin(axis, keepdim=True), DataType.DT_INT32)


def var(input, dim=None, correction=1, keepdim=False):
    need_tensor(input, "var")
    judge_vector(input.dim, "var")
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        axes = list(range(input.dim))
    else:
        axes = [normal_axis(d, input.dim) for d in ([dim] if isinstance(dim, int) else dim)]
    region = tuple(slice(0, v) for v in input.valid)
    values = working(input)[region]
    count = 1
    for axis in axes:
        count *= values.shape[axis]
    centred = values - values.mean(axes, keepdim=True)
    data = (centred * centred).sum(axes, keepdim=keepdim) / (count - correction)
    return Tensor.made(finish(data, input.dtype), input.dtype)


def _sorted(values, descending):
    return torch.sort(values, dim=-1, descending=descending, stable=True)


def topk(input, k, dim=None, largest=True, algo=None):
    need_tensor(input, "topk")
    if dim is not None and normal_axis(dim, input.dim) != input.dim - 1:
        raise ValueError("topk works on the last axis")
    judge_vector(input.dim, "topk")
    if not 1 <= k <= input.sizes[-1]:
        raise ValueError(f"topk: k={k} of an axis of {input.sizes[-1]}")
    good = input.valid[-1]
    values, indices = _sorted(working(input).narrow(-1, 0, good), largest)
    valid = input.valid if input.is_partial else list(input.sizes)
    valid[-1] = min(k, good)
    shape = input.sizes[:-1] + [k]
    results = []
    for found, dtype in ((finish(values, input.dtype), input.dtype),
                         (indices.to(torch.int32), DataType.DT_INT32)):
        data = torch.zeros(shape, dtype=found.dtype)
        data[..., :valid[-1]] = found[..., :valid[-1]]
        results.append(Tensor.made(data, dtype, valid))
    return tuple(results)


def argsort(input, dim=None, descending=False):
    need_tensor(input, "argsort")
    judge_vector(input.dim, "argsort")
    axis = normal_axis(-1 if dim is None else dim, input.dim)
    judge_tile_number(axis, 32, "argsort")
    _, indices = torch.sort(working(input), dim=axis, descending=descending, stable=True)
    return Tensor.made(indices.to(torch.int32), DataType.DT_INT32, input.valid if input.is_partial else None)
