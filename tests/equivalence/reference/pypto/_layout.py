"""Operations that move elements and change none: view, assemble, reshape, transpose, concat, padding."""
import math

import torch

from ._common import need_tensor, normal_axis
from ._dtypes import BYTES, bytes_of, dtype_of, poisoned, storage_of, DataType
from ._state import judge_tile_axes, judge_tile_number, judge_vector, note
from ._symbolic import concrete_of, is_int, is_symbolic, value_of
from ._tensor import Tensor

__all__ = ["view", "assemble", "atomic_add", "reshape", "clone", "unsqueeze", "transpose", "permute", "concat",
           "expand_clone", "pad", "fillpad", "pack", "unpack", "interleave", "deinterleave", "gathermask"]


def view(input, shape=None, offsets=None, *, valid_shape=None, dtype=None):
    """The box of `shape` at `offsets`. What lies outside the input or its valid part is not valid in the view."""
    need_tensor(input, "view")
    if dtype is not None:
        return _reinterpreted(input, dtype)
    shape = [concrete_of(size, "a size in the shape of view()") for size in shape]
    starts = [value_of(offset) for offset in offsets]
    if len(shape) != input.dim or len(starts) != input.dim:
        raise ValueError(f"view(): ranks differ: tensor {input.sizes}, shape {shape}, {len(starts)} offsets")
    data = poisoned(shape, input.dtype)
    valid = []
    for start, size, good in zip(starts, shape, input.valid):
        if start < 0:
            note("view-outside", f"view at offset {start}")
        valid.append(max(0, min(size, good - start)))
    if valid_shape is not None:
        asked = [value_of(size) for size in valid_shape]
        if len(asked) != len(shape):
            raise ValueError(f"view(): valid_shape of {len(asked)} for a shape of {len(shape)}")
        for given, there in zip(asked, valid):
            if given > there:
                note("view-outside", f"valid_shape {asked} where {valid} is there")
        valid = [max(0, min(given, size)) for given, size in zip(asked, shape)]
    source, target = [], []
    for start, size, good in zip(starts, input.valid, valid):
        length = max(0, min(good, size - start))
        source.append(slice(max(start, 0), max(start, 0) + length))
        target.append(slice(0, length))
    data[tuple(target)] = input.data[tuple(source)]
    result = Tensor.made(data, input.dtype, valid)
    result.format = input.format
    root, base = input.origin or (input, [0] * input.dim)
    result.origin = (root, [at + start for at, start in zip(base, starts)])
    return result


def _reinterpreted(input, dtype):
    was, now = bytes_of(input.dtype), bytes_of(dtype)
    if storage_of(dtype).is_complex or DataType.DT_UINT16 in (input.dtype, dtype):
        raise NotImplementedError(f"reference does not know view of {input.dtype.name} as {dtype.name}")
    raw = input.data.contiguous().view(-1).view(torch.uint8) if was > 1 else input.data.contiguous().view(-1)
    last = input.sizes[-1] * was // now
    shape = input.sizes[:-1] + [last]
    raw = raw.view(torch.uint8) if raw.dtype != torch.uint8 else raw
    return Tensor.made(raw.view(storage_of(dtype)).reshape(shape).clone(), dtype)


def assemble(*args, parallel=False):
    if not args:
        raise TypeError("assemble() takes a source, offsets and a target")
    if isinstance(args[0], (list, tuple)):
        sources, target = args
    else:
        source, offsets, target = args
        sources = [(source, offsets)]
    need_tensor(target, "the target of assemble")
    for source, offsets in sources:
        target.write(need_tensor(source, "the source of assemble"), list(offsets), "assemble")


def atomic_add(src, offsets, dst):
    region = tuple(slice(value_of(o), value_of(o) + size) for o, size in zip(offsets, src.valid))
    good = tuple(slice(0, size) for size in src.valid)
    total = dst.data[region].to(torch.float64) + src.data[good].to(torch.float64)
    dst.data[region] = total.to(dst.data.dtype)
    dst.writes += 1


def reshape(input, shape, *, valid_shape=None, inplace=False):
    need_tensor(input, "reshape")
    if inplace and valid_shape is None:
        sizes = [value_of(size) for size in shape]
    else:
        sizes = [size if is_int(size) else concrete_of(size, "a size in reshape()") for size in shape]
    if -1 in sizes:
        if any(is_symbolic(dim) for dim in input.shape):
            raise ValueError("reshape(): -1 is not for a tensor with dynamic axes")
        known = math.prod(size for size in sizes if size != -1)
        sizes = [math.prod(input.sizes) // known if size == -1 else size for size in sizes]
    if math.prod(sizes) != math.prod(input.sizes):
        raise ValueError(f"reshape(): {input.sizes} to {sizes}")
    if inplace:
        result = input.alias(sizes)
        if any(is_symbolic(size) for size in shape):
            result._dims = [size if is_symbolic(size) else int(size) for size in shape]
        if valid_shape is not None:
            result._valid = [value_of(size) for size in valid_shape]
        return result
    valid = None
    if valid_shape is not None and len(valid_shape):
        valid = [value_of(size) for size in valid_shape]
        # The valid part keeps its elements in order; it is laid out anew in the new shape.
        if input.is_partial and math.prod(input.valid) == math.prod(valid):
            data = poisoned(sizes, input.dtype)
            good = input.data[tuple(slice(0, v) for v in input.valid)].reshape(valid)
            data[tuple(slice(0, v) for v in valid)] = good
            return Tensor.made(data, input.dtype, valid)
    elif input.is_partial:
        valid = _reshaped_valid(input.sizes, input.valid, sizes)
    return Tensor.made(input.data.reshape(sizes).clone(), input.dtype, valid)


def _reshaped_valid(old, valid, new):
    """The valid sizes after a reshape that adds, drops, joins or splits axes, when they are a box there, too."""
    result, i, j = [1] * len(new), 0, 0
    while i < len(old) and j < len(new):
        a, b, first, second = old[i], new[j], [i], [j]
        while a != b:
            if a < b:
                i += 1
                a *= old[i]
                first.append(i)
            else:
                j += 1
                b *= new[j]
                second.append(j)
        good = math.prod(valid[axis] for axis in first)
        full_after_first = all(valid[axis] == old[axis] for axis in first[1:])
        if good == a:
            for axis in second:
                result[axis] = new[axis]
        elif not full_after_first and any(valid[axis] != 1 or old[axis] != 1 for axis in first[:-1]):
            note("reshape-valid", f"reshape of {valid} valid in {old} to {new} leaves no box")
            for axis in second:
                result[axis] = new[axis]
        else:
            inner = math.prod(new[axis] for axis in second[1:])
            if good % inner == 0:
                for axis in second[1:]:
                    result[axis] = new[axis]
                result[second[0]] = good // inner
            elif good <= new[second[-1]]:
                result[second[-1]] = good
                for axis in second[:-1]:
                    result[axis] = 1
            else:
                note("reshape-valid", f"reshape of {valid} valid in {old} to {new} leaves no box")
                for axis in second:
                    result[axis] = new[axis]
        i, j = i + 1, j + 1
    return result


def _moved(name, input, change):
    """Applies an element move to the data and to the valid sizes alike."""
    need_tensor(input, name)
    data, valid = change(input.data, input.valid)
    return Tensor.made(data.clone(), input.dtype, valid if input.is_partial else None)


def clone(input):
    judge_vector(need_tensor(input, "clone").dim, "clone")
    return _moved("clone", input, lambda data, valid: (data, valid))


def unsqueeze(input, dim):
    place = normal_axis(dim, need_tensor(input, "unsqueeze").dim + 1)
    return _moved("unsqueeze", input, lambda data, valid: (data.unsqueeze(place),
                                                           valid[:place] + [1] + valid[place:]))


def permute(input, dims):
    if not isinstance(dims, (list, tuple)):
        raise TypeError("permute() takes a list of axes")
    need_tensor(input, "permute")
    judge_vector(input.dim, "permute")
    order = [normal_axis(dim, input.dim) for dim in dims]
    return _moved("permute", input, lambda data, valid: (data.permute(order).contiguous(),
                                                         [valid[axis] for axis in order]))


def transpose(input, dim0, dim1):
    need_tensor(input, "transpose")
    order = list(range(input.dim))
    first, second = normal_axis(dim0, input.dim), normal_axis(dim1, input.dim)
    order[first], order[second] = order[second], order[first]
    if first != second and (input.sizes[first] != 1 or input.sizes[second] != 1):
        judge_tile_axes(input.dim, "transpose")
    return permute(input, order)


def concat(tensors, dim=0):
    if not 2 <= len(tensors) <= 128:
        note("concat", f"concat of {len(tensors)} tensors")
    if len({t.dtype for t in tensors}) != 1:
        raise TypeError("concat of different element types")
    judge_vector(tensors[0].dim, "concat")
    judge_tile_number(-1, 32 // min(BYTES.get(tensors[0].dtype, 32), 32), "concat")
    axis = normal_axis(dim, tensors[0].dim)
    # Only the valid part of each along the axis is joined.
    data = torch.cat([t.data.narrow(axis, 0, t.valid[axis]) for t in tensors], axis)
    total = data.shape[axis]
    full = sum(t.sizes[axis] for t in tensors)
    valid = None
    if any(t.is_partial for t in tensors):
        valid = [min(sizes) for sizes in zip(*[t.valid for t in tensors])]
        valid[axis] = total
        shape = list(tensors[0].sizes)
        shape[axis] = full
        padded = poisoned(shape, tensors[0].dtype)
        padded.narrow(axis, 0, total).copy_(data)
        data = padded
    return Tensor.made(data, tensors[0].dtype, valid)


def expand_clone(input, shape, *, valid_shape=None):
    need_tensor(input, "expand_clone")
    sizes = [concrete_of(size, "a size in expand_clone()") for size in shape]
    judge_vector(len(sizes), "expand_clone")
    valid = [good if size == old else size for size, old, good in zip(sizes, input.sizes, input.valid)]
    if valid_shape is not None and len(valid_shape):
        valid = [value_of(size) for size in valid_shape]
    return Tensor.made(input.data.expand(sizes).clone(), input.dtype, valid)


def pad(x, padding, mode="constant", value=0):
    need_tensor(x, "pad")
    if mode != "constant":
        raise ValueError(f"pad(): mode {mode}")
    if any(p for p in list(padding)[0::2]) or any(p < 0 for p in padding):
        raise ValueError("pad(): only to the right and the bottom")
    judge_vector(x.dim, "pad")
    sizes = list(x.sizes)
    for index, amount in enumerate(list(padding)[1::2]):
        sizes[-1 - index] += amount
    data = torch.full(sizes, float(value) if x.data.is_floating_point() else int(value), dtype=x.data.dtype)
    region = tuple(slice(0, size) for size in x.sizes)
    data[region] = x.data
    return Tensor.made(data, x.dtype)


def fillpad(x, mode="constant", value=0):
    need_tensor(x, "fillpad")
    judge_vector(x.dim, "fillpad")
    number = float(value) if x.data.is_floating_point() else int(value)
    data = torch.full(x.sizes, number, dtype=x.data.dtype)
    region = tuple(slice(0, size) for size in x.valid)
    data[region] = x.data[region]
    return Tensor.made(data, x.dtype)


def pack(input):
    return Tensor.made(need_tensor(input, "pack").data.contiguous().view(-1).view(torch.uint8).clone(),
                       DataType.DT_UINT8)


def unpack(input, dtype):
    return Tensor.made(need_tensor(input, "unpack").data.contiguous().view(-1).view(storage_of(dtype)).clone(), dtype)


def interleave(input, other):
    stream = torch.stack([input.data, other.data], -1).flatten(-2)
    first, second = stream.chunk(2, -1)
    return (Tensor.made(first.contiguous(), input.dtype), Tensor.made(second.contiguous(), input.dtype))


def deinterleave(input, other=None):
    stream = input.data if other is None else torch.cat([input.data, other.data], -1)
    return tuple(Tensor.made(stream[..., start::2].contiguous(), input.dtype) for start in (0, 1))


_MASKS = {1: (0, 2), 2: (1, 2), 3: (0, 4), 4: (1, 4), 5: (2, 4), 6: (3, 4), 7: (0, 1)}


def gathermask(self, pattern_mode):
    start, step = _MASKS[pattern_mode]
    return Tensor.made(need_tensor(self, "gathermask").data[..., start::step].contiguous(), self.dtype)


def from_torch(tensor, name="", *, dynamic_axis=None, tensor_format=None, dtype=None):
    if not isinstance(tensor, torch.Tensor):
        raise TypeError("input type is not currently supported.")
    shape = [int(size) for size in tensor.shape]
    for axis in dynamic_axis or []:
        from ._dtypes import StatusType

        shape[axis] = StatusType.DYNAMIC
    declared = Tensor(shape, dtype or dtype_of(tensor.dtype), name, tensor_format)
    return Tensor.parameter(tensor, declared, name)
