"""Operations that pick or change elements by index tensors."""
import torch

from ._common import finish, need_tensor, normal_axis, scalar_of, working
from ._dtypes import FLOATS, DataType
from ._state import judge_vector, note
from ._tensor import Element, Tensor

__all__ = ["gather", "index_select", "scatter", "scatter_", "scatter_update", "index_put_", "index_add", "index_add_",
           "index_add_ub", "index_add__ub", "one_hot"]


def _positions(index, size, what):
    positions = index.data.to(torch.int64)
    if positions.numel() and (int(positions.min()) < 0 or int(positions.max()) >= size):
        raise IndexError(f"{what}: an index outside [0, {size})")
    return positions


def gather(input, dim, index):
    need_tensor(input, "gather"), need_tensor(index, "gather")
    judge_vector(input.dim, "gather")
    axis = normal_axis(dim, input.dim)
    return Tensor.made(torch.gather(input.data, axis, _positions(index, input.sizes[axis], "gather")), input.dtype)


def index_select(input, dim, index):
    need_tensor(input, "index_select"), need_tensor(index, "index_select")
    axis = normal_axis(dim, input.dim)
    judge_vector(input.dim + index.dim - 1, "index_select")
    positions = _positions(index, input.sizes[axis], "index_select")
    picked = input.data.index_select(axis, positions.reshape(-1))
    return Tensor.made(picked.reshape(input.sizes[:axis] + index.sizes + input.sizes[axis + 1:]), input.dtype)


def scatter(input, dim, index, src, *, reduce=None):
    need_tensor(input, "scatter"), need_tensor(index, "scatter")
    if index.dtype not in (DataType.DT_INT32, DataType.DT_INT64):
        raise TypeError(f"index tensor must be of int32 or int64, but got {index.dtype}")
    if reduce not in (None, "add", "multiply"):
        raise ValueError("scatter reduce only support 'add', 'multiply'")
    judge_vector(input.dim, "scatter")
    axis = normal_axis(dim, input.dim)
    positions = _positions(index, input.sizes[axis], "scatter")
    target = working(input).clone()
    if isinstance(src, Tensor):
        values = working(src)[tuple(slice(0, n) for n in index.sizes)]
    else:
        number = src.value if isinstance(src, Element) else src
        number = number if input.dtype in FLOATS else int(number)
        values = scalar_of(number, input.dtype, "scatter").expand(index.sizes).clone()
    if reduce == "add":
        target.scatter_add_(axis, positions, values)
    elif reduce == "multiply":
        target.scatter_(axis, positions, values, reduce="multiply")
    else:
        target.scatter_(axis, positions, values)
    return Tensor.made(finish(target, input.dtype), input.dtype)


def scatter_(input, dim, index, src, *, reduce=None):
    input.replace(scatter(input, dim, index, src, reduce=reduce).data)
    return input


def scatter_update(input, dim, index, src):
    """Rows of the input, counted over its leading axes, become the rows of src, in place."""
    need_tensor(input, "scatter_update")
    if dim != -2:
        raise ValueError("scatter currection only support the case where dim = -2.")
    if input.dim not in (2, 4):
        raise ValueError("dim must be 2 or 4")
    judge_vector(src.dim, "scatter_update")
    rows = input.data.view(-1, input.sizes[-1])
    good = tuple(slice(0, size) for size in index.valid)
    positions = index.data[good].reshape(-1).to(torch.int64)
    if positions.numel() and (int(positions.min()) < 0 or int(positions.max()) >= rows.shape[0]):
        raise IndexError(f"scatter_update: an index outside [0, {rows.shape[0]})")
    source = src.data[tuple(slice(0, size) for size in src.valid)].reshape(-1, src.sizes[-1])
    count = min(len(positions), source.shape[0])
    for row in range(count):
        rows[positions[row], :source.shape[1]] = source[row]
    input.writes += 1
    return input


def index_put_(input, indices, values, accumulate=False):
    need_tensor(input, "index_put_")
    if not isinstance(indices, (tuple, list)):
        raise TypeError("index_put_ takes a tuple of index tensors")
    judge_vector(values.dim, "index_put_")
    where = tuple(_positions(index, input.sizes[axis], "index_put_") for axis, index in enumerate(indices))
    target = working(input).clone()
    target.index_put_(where, working(values), accumulate=accumulate)
    input.replace(finish(target, input.dtype))


def index_add(input, dim, index, source, *, alpha=1):
    need_tensor(input, "index_add")
    judge_vector(source.dim, "index_add")
    axis = normal_axis(dim, input.dim)
    scaled = working(source) * (float(alpha) if input.dtype in FLOATS else int(alpha))
    target = working(input).clone().index_add_(axis, _positions(index, input.sizes[axis], "index_add"), scaled)
    return Tensor.made(finish(target, input.dtype), input.dtype)


def index_add_(input, dim, index, source, *, alpha=1):
    input.replace(index_add(input, dim, index, source, alpha=alpha).data)
    return input


index_add_ub = index_add
index_add__ub = index_add_


def one_hot(input, num_classes):
    need_tensor(input, "one_hot")
    if not isinstance(num_classes, int) or num_classes <= 0:
        raise RuntimeError("num_classes must be a positive integer")
    judge_vector(input.dim + 1, "one_hot")
    hot = torch.nn.functional.one_hot(_positions(input, num_classes, "one_hot"), num_classes)
    return Tensor.made(hot, DataType.DT_INT64)


def gather_in_ub(param, indices, block_table, block_size, axis):
    """Rows of a paged cache: the block table turns a token's block into a block of the cache. A view of the cache says
    where it begins; rows are read from the cache itself, past the view's end, too."""
    if axis != -2:
        note("gather_in_ub", f"axis {axis}")
    tokens = indices.data.reshape(-1)[:indices.valid[-1]].to(torch.int64)
    table = block_table.data.reshape(-1).to(torch.int64)
    rows = table[torch.div(tokens, block_size, rounding_mode="floor")] * block_size + tokens % block_size
    root, base = param.origin or (param, [0, 0])
    rows = rows + base[0]
    if len(rows) and (int(rows.min()) < 0 or int(rows.max()) >= root.sizes[0]):
        raise IndexError(f"gather_in_ub: a row outside [0, {root.sizes[0]})")
    data = torch.zeros([indices.sizes[-1], param.sizes[-1]], dtype=param.data.dtype)
    data[:len(rows)] = root.data[rows, base[1]:base[1] + param.sizes[-1]]
    return Tensor.made(data, param.dtype, [len(rows), param.sizes[-1]])


def gather_in_l1(src, indices, block_table, block_size, size, is_b_matrix, is_trans):
    picked = gather_in_ub(src, indices, block_table, block_size, -2)
    valid = [picked.valid[0], size]
    return Tensor.made(picked.data[:, :size].contiguous(), src.dtype, valid)
