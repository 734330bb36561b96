"""Tensors: memory, the part of it that is valid, and the Python operators and slices that are operations.

A view is a copy of what is there when it is taken, as the graph's data flow has it. Memory that nobody wrote holds
poison (NaN, or 0x5A bytes), and so does what lies outside the valid shape: a rewrite that reads it shows.
"""
import itertools

from ._dtypes import ACCEPTED_STORAGE, DataType, StatusType, TileOpFormat, dtype_of, poisoned
from ._state import note
from ._symbolic import SymbolicScalar, is_int, is_symbolic, value_of

_ids = itertools.count(1)


class Element:
    """A number with an element type."""

    def __init__(self, dtype, data):
        if not isinstance(dtype, DataType):
            raise TypeError("Element(dtype, value): the first argument is the element type")
        if not isinstance(data, (int, float)):
            raise ValueError(f"Invalid data type {type(data)} for Element")
        self.dtype, self.value = dtype, data


class TensorAnnotation:
    """What `pypto.Tensor[[shape], dtype]` says of a parameter."""

    def __init__(self, shape=None, dtype=None, name="", format=None):
        self.shape, self.explicit_dtype, self.name, self.format = shape, dtype, name, format

    def to_tensor(self, name=""):
        return Tensor(self.shape, self.explicit_dtype, name or self.name, self.format)


class Tensor:
    __hash__ = object.__hash__

    def __init__(self, shape=None, dtype=None, name="", format=None, data_ptr=None, device=None, ori_shape=None):
        if dtype is not None and not isinstance(dtype, DataType):
            raise TypeError(f"the second argument of Tensor is an element type, not {type(dtype).__name__}")
        self.explicit_dtype = dtype
        self.declared_shape = shape
        self.name = name
        self.format = format or TileOpFormat.TILEOP_ND
        self.id = next(_ids)
        self.writes = 0
        self._dtype = dtype or DataType.DT_FP32
        self._data = None
        self._dims = None
        self._valid = None
        self._parameter = False
        self.origin = None  # of a view: the tensor it looks into, and where
        self._cache_policy = {}
        if shape is not None and not any(isinstance(d, StatusType) or d is Ellipsis for d in shape):
            self._dims = [dim if is_int(dim) or is_symbolic(dim) else _bad_dim(dim) for dim in shape]

    @classmethod
    def __class_getitem__(cls, parameters):
        if not isinstance(parameters, tuple):
            parameters = (parameters,)
        found = {}
        for parameter in parameters:
            if isinstance(parameter, dict):
                found.update({k: v for k, v in parameter.items() if k in ("shape", "dtype", "name", "format")})
            elif isinstance(parameter, (list, tuple)):
                found["shape"] = parameter
            elif isinstance(parameter, DataType):
                found["dtype"] = parameter
            elif isinstance(parameter, TileOpFormat):
                found["format"] = parameter
            elif isinstance(parameter, str):
                found["name"] = parameter
        return TensorAnnotation(**found)

    def to_tensor(self, name=""):
        if name:
            self.name = name
        return self

    # -- made by the reference ---------------------------------------------------------------------------------------
    @classmethod
    def made(cls, data, dtype, valid=None):
        """The result of an operation. What lies outside `valid` is poisoned."""
        self = cls([], dtype)
        self._data = data
        self._dims = [int(size) for size in data.shape]
        if valid is not None and list(valid) != self._dims:
            self._valid = [int(v) for v in valid]
            self._data = poisoned(data.shape, dtype)
            region = tuple(slice(0, v) for v in self._valid)
            self._data[region] = data[region]
        return self

    @classmethod
    def parameter(cls, memory, declared, name=""):
        """A kernel's parameter: writes reach the caller's memory. Dims declared dynamic are symbolic."""
        dtype = dtype_of(memory.dtype)
        shape = None
        if declared is not None:
            shape = declared.declared_shape
            wanted = declared.explicit_dtype
            if wanted is not None and wanted != dtype:
                if ACCEPTED_STORAGE.get(wanted) != memory.dtype:
                    raise ValueError(f"parameter {name}: a {memory.dtype} tensor where {wanted.name} is declared")
                dtype = wanted
        if not memory.is_contiguous():
            raise RuntimeError(f"parameter {name}: not all tensors are contiguous")
        sizes = list(memory.shape) or [1]
        dims = [int(size) for size in sizes]
        if shape:
            plain = [dim for dim in shape if dim is not Ellipsis]
            if len(plain) != len(dims) and (len(plain) == len(shape) or len(plain) > len(dims)):
                raise ValueError(f"parameter {name}: shape {sizes} where {len(plain)} dimensions are declared")
            for axis, dim in enumerate(plain):
                if isinstance(dim, int) and not isinstance(dim, bool) and dim != sizes[axis]:
                    raise ValueError(f"parameter {name}: shape {sizes}, but axis {axis} is declared {dim}")
                if dim in (StatusType.DYN, StatusType.DYNAMIC):
                    dims[axis] = SymbolicScalar(sizes[axis], terms={("dim", name, axis): 1})
                elif is_symbolic(dim):
                    dims[axis] = SymbolicScalar(sizes[axis], terms=dict(dim._terms))
        self = cls([], dtype, name)
        self._data = memory.detach().view(sizes)
        self._dims = dims
        self._parameter = True
        if declared is not None:
            self.format = declared.format
        return self

    # -- what a tensor is --------------------------------------------------------------------------------------------
    @property
    def data(self):
        """The memory, as torch holds it."""
        if self._data is None:
            if self._dims is None:
                raise RuntimeError(f"tensor {self.name or self.id} is only an annotation: it has no memory")
            self._data = poisoned([value_of(dim) for dim in self._dims], self._dtype)
        return self._data

    @property
    def sizes(self):
        return [value_of(dim) for dim in self._dims]

    @property
    def valid(self):
        """The valid sizes as numbers."""
        return self.sizes if self._valid is None else list(self._valid)

    @property
    def is_partial(self):
        return self._valid is not None

    @property
    def shape(self):
        return list(self._dims) if self._dims is not None else list(self.declared_shape or [])

    @property
    def valid_shape(self):
        if self._valid is None:
            return [dim if is_symbolic(dim) else SymbolicScalar(dim) for dim in self._dims]
        return [SymbolicScalar(size, terms={("valid", self.id, axis): 1}) for axis, size in enumerate(self._valid)]

    @property
    def dtype(self):
        return self._dtype

    @property
    def dim(self):
        return len(self._dims)

    @property
    def is_parameter(self):
        return self._parameter

    def is_empty(self):
        return not self._dims

    def copy(self, name=""):
        return Tensor(self.shape, self._dtype, name or self.name, self.format)

    def set_cache_policy(self, policy, value):
        self._cache_policy[policy] = value

    def get_cache_policy(self, policy):
        return self._cache_policy.get(policy, False)

    def base(self):
        return self

    def __repr__(self):
        return f"Tensor({self.name or self.id}, {self.sizes if self._dims is not None else self.declared_shape}, " \
               f"{self._dtype.name})"

    # -- writes ------------------------------------------------------------------------------------------------------
    def write(self, source, offsets, what):
        """Puts the valid part of `source` at `offsets`."""
        if source.dtype != self._dtype:
            raise TypeError(f"{what}: a {source.dtype.name} tensor into a {self._dtype.name} tensor")
        if source.dim != self.dim or len(offsets) != self.dim:
            raise ValueError(f"{what}: ranks differ: {source.sizes} at {len(offsets)} offsets into {self.sizes}")
        target, origin = [], []
        for axis, (start, size) in enumerate(zip(map(value_of, offsets), source.valid)):
            end = min(start + size, self.sizes[axis])
            if start < 0 or start + size > self.sizes[axis]:
                note("write-outside", f"{what} writes [{start}, {start + size}) of an axis of {self.sizes[axis]}")
            start = max(start, 0)
            target.append(slice(start, max(end, start)))
            origin.append(slice(0, max(end - start, 0)))
        self.data[tuple(target)] = source.data[tuple(origin)]
        self.writes += 1

    def move(self, other):
        """`self[:] = other`: takes over the other's memory; a parameter's memory is the caller's, so it is filled."""
        if not isinstance(other, Tensor):
            raise TypeError(f"'{type(other).__name__}' type cannot be moved to Tensor")
        if other is self:
            return
        if self._parameter:
            if other.data.data_ptr() == self.data.data_ptr() and other.data.numel() == self.data.numel():
                return  # the same memory under another shape: nothing to carry
            if other.sizes != self.sizes:
                raise ValueError(f"move of {other.sizes} into {self.name or 'a parameter'} of {self.sizes}")
            self.write(other, [0] * self.dim, "move")
            return
        self._data, self._dtype = other.data.clone(), other.dtype
        self._dims = list(other.shape)
        self._valid = None if other._valid is None else list(other._valid)
        self.writes += 1

    def replace(self, data):
        """New content of the same shape and type, in place."""
        self.data.copy_(data)
        self.writes += 1

    def alias(self, shape):
        """The same memory under another shape."""
        twin = Tensor([], self._dtype)
        twin._data = self.data.view(shape)
        twin._dims = [int(size) for size in shape]
        twin._parameter = self._parameter
        return twin

    # -- slices ------------------------------------------------------------------------------------------------------
    def __iter__(self):
        raise TypeError("Tensor is not iterable.")

    def __bool__(self):
        raise TypeError("a Tensor has no truth value while PyPTO compiles")

    def __getitem__(self, key):
        from ._indexing import gather
        from ._layout import reshape, view

        if _whole(key):
            return self
        if isinstance(key, slice) and isinstance(key.stop, Tensor):
            return gather(self, key.start, key.stop)
        key = self._full_key(key)
        if not any(isinstance(k, slice) for k in key):
            return self._read_scalar(key)
        offsets, sizes, kept = [], [], []
        for axis, k in enumerate(key):
            start, stop, keep = (k.start, k.stop, True) if isinstance(k, slice) else (k, k + 1, False)
            if isinstance(k, slice) and k.step not in (None, 1):
                raise ValueError("step must be 1 or None")
            start = 0 if start is None else start
            stop = self.shape[axis] if stop is None else stop
            offsets.append(start)
            sizes.append(_extent(stop - start))
            kept.append(keep)
        part = view(self, sizes, offsets)
        if all(kept):
            return part
        return reshape(part, [size for size, keep in zip(sizes, kept) if keep])

    def __setitem__(self, key, value):
        from ._indexing import scatter
        from ._layout import reshape

        if _whole(key):
            self.move(value)
            return
        if isinstance(key, slice) and isinstance(key.stop, Tensor):
            self.move(scatter(self, key.start, key.stop, value))
            return
        key = self._full_key(key)
        if not any(isinstance(k, slice) for k in key):
            self._write_scalar(key, value)
            return
        if not isinstance(value, Tensor):
            raise TypeError(f"only a Tensor can be stored in a slice, not {type(value).__name__}")
        slices = sum(isinstance(k, slice) for k in key)
        if slices != len(key):
            if slices != value.dim:
                raise ValueError(f"{slices} slices in the index, but the stored tensor has {value.dim} dimensions")
            sizes = iter(value.sizes)
            value = reshape(value, [next(sizes) if isinstance(k, slice) else 1 for k in key])
        offsets = []
        for axis, k in enumerate(key):
            if not isinstance(k, slice):
                offsets.append(k)
            elif k.step not in (None, 1):
                raise ValueError("step must be 1 or None")
            else:
                offsets.append(0 if k.start is None else k.start)
        self.write(value, offsets, "slice store")

    def _full_key(self, key):
        key = key if isinstance(key, tuple) else (key,)
        if sum(k is Ellipsis for k in key) > 1:
            raise ValueError("Only one ... is supported")
        if any(k is Ellipsis for k in key):
            place = next(i for i, k in enumerate(key) if k is Ellipsis)
            key = key[:place] + (slice(None),) * (self.dim - len(key) + 1) + key[place + 1:]
        key += (slice(None),) * (self.dim - len(key))
        if len(key) != self.dim:
            raise IndexError(f"rank not match, expect {self.dim}, but got {len(key)}")
        full = []
        for axis, k in enumerate(key):
            if isinstance(k, slice):
                full.append(slice(self._positive(k.start, axis), self._positive(k.stop, axis), k.step))
            elif is_int(k) or is_symbolic(k):
                full.append(self._positive(k, axis))
            else:
                raise ValueError("tuple key must be int, SymbolicScalar or slice")
        return tuple(full)

    def _positive(self, index, axis):
        return self.shape[axis] + index if is_int(index) and index < 0 else index

    def _read_scalar(self, key):
        place = tuple(value_of(k) for k in key)
        if self._dtype in (DataType.DT_FP16, DataType.DT_BF16, DataType.DT_FP32):
            note("scalar-read", f"a single element of a {self._dtype.name} tensor is read as a symbolic integer")
        return SymbolicScalar(int(self.data[place].item()), terms={("element", self.id, self.writes, place): 1})

    def _write_scalar(self, key, value):
        if not (is_int(value) or is_symbolic(value)):
            raise ValueError("Invalid value type")
        self.data[tuple(value_of(k) for k in key)] = value_of(value)
        self.writes += 1


def _bad_dim(dim):
    raise TypeError(f"shape must be a list of int or SymbolicScalar, not {type(dim).__name__}")


def _whole(key):
    if isinstance(key, slice):
        return key.start is None and key.stop is None and key.step is None
    return isinstance(key, tuple) and all(_whole(k) for k in key)


def _extent(size):
    return int(size)  # a symbolic size raises: a slice must have a length known at compile time

