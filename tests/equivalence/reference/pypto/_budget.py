"""What does not fit an on-chip memory, judged so low that whatever is noted is refused by the compiler (Atlas A2, A3;
held against tests/data/measured/judged.jsonl). A second opinion on the tool's own sums, and deliberately not the same
code: what fits here may still be refused."""
import math

from ._dtypes import BYTES, HALVES, DataType
from ._state import current, note

UB, L1, L0A, L0B, L0C = 196608, 524288, 65536, 65536, 131072  # bytes; the platform description A2A3.ini
_BLOCK = 32  # bytes: the last axis of a tile is padded to whole blocks
_FRACTAL = 16  # elements: cube tiles are padded to whole fractals
_WORD = 4  # bytes of FP32 and INT32, in which 16-bit arithmetic runs and products accumulate
_WIDENED_FP16 = {"add", "sub", "mul", "fmod", "remainder"}  # have no FP16 instruction; all of BF16 is taken for widened


def _tile_bytes(sizes, element):
    """A tile of a tensor: the tile in force, clipped to the tensor. Surplus tile axes do not count."""
    tile = [min(size, part) for size, part in zip(sizes, current.vector_tile)] + list(sizes[len(current.vector_tile):])
    if not tile:
        return element
    row = math.ceil(tile[-1] * element / _BLOCK) * _BLOCK
    return math.prod(tile[:-1]) * row


def _is_widened(name, tensor):
    return tensor.dtype in HALVES and (tensor.dtype != DataType.DT_FP16 or name in _WIDENED_FP16)


def _width(name, tensor):
    return _WORD if _is_widened(name, tensor) else BYTES.get(tensor.dtype, 1)


def judge_elementwise(name, tensors):
    """The distinct inputs lie in UB together (the result may take the place of one); a 16-bit one also beside its FP32
    copy."""
    if not current.vector_tile:
        return
    distinct = {id(t): t for t in tensors}.values()
    _fits(name, sum(_tile_bytes(t.sizes, _width(name, t)) for t in distinct))
    for t in distinct:
        if _is_widened(name, t):
            _fits(name, _tile_bytes(t.sizes, _WORD) + _tile_bytes(t.sizes, BYTES[t.dtype]))


def judge_cast(tensor, dtype):
    """A result whose elements are as wide as the operand's takes the operand's place."""
    if current.vector_tile:
        taken, made = BYTES.get(tensor.dtype, 1), BYTES.get(dtype, 1)
        _fits("cast", _tile_bytes(tensor.sizes, taken) + (0 if taken == made else _tile_bytes(tensor.sizes, made)))


def judge_reduction(name, tensor):
    if current.vector_tile:
        _fits(name, _tile_bytes(tensor.sizes, _width(name, tensor)))


def judge_matmul(m, k, n, a_bytes, b_bytes):
    if current.cube_tile is None or min(*current.cube_tile[0], *current.cube_tile[1], *current.cube_tile[2]) <= 0:
        return
    (m0, _), (k0, ka1, kb1), (n0, _), _ = current.cube_tile
    m0, n0, k0 = _padded(min(m0, m)), _padded(min(n0, n)), min(k0, k)
    for pool, limit, need in (
            ("L0A", L0A, m0 * k0 * a_bytes), ("L0B", L0B, n0 * k0 * b_bytes), ("L0C", L0C, m0 * n0 * _WORD),
            ("L1", L1, m0 * min(ka1, k) * a_bytes), ("L1", L1, n0 * min(kb1, k) * b_bytes)):
        if need > limit:
            note("memory", f"matmul needs {need} bytes of {pool}, which has {limit}")


def _padded(size):
    return math.ceil(size / _FRACTAL) * _FRACTAL


def _fits(name, need):
    if need > UB:
        note("memory", f"{name} needs {need} bytes of UB, which has {UB}")
