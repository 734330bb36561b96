"""What does not fit an on-chip memory, judged so low that whatever is noted is refused by the compiler (Atlas A2, A3;
held against tests/data/measured/judged.jsonl). A second opinion on the tool's own sums, and deliberately not the same
code: what fits here may still be refused."""
import math

from ._dtypes import BYTES, HALVES
from ._state import current, note

UB, L1, L0A, L0B, L0C = 196608, 524288, 65536, 65536, 131072  # bytes; the platform description A2A3.ini
_BLOCK = 32  # bytes: the last axis of a tile is padded to whole blocks
_FRACTAL = 16  # elements: cube tiles are padded to whole fractals
_WORD = 4  # bytes of FP32 and INT32, in which 16-bit arithmetic runs and products accumulate


def _tile_bytes(sizes, element):
    """A tile of a tensor: the tile in force, clipped to the tensor. Surplus tile axes do not count."""
    tile = [min(size, part) for size, part in zip(sizes, current.vector_tile)] + list(sizes[len(current.vector_tile):])
    if not tile:
        return element
    row = math.ceil(tile[-1] * element / _BLOCK) * _BLOCK
    return math.prod(tile[:-1]) * row


def _width(tensor):
    return _WORD if tensor.dtype in HALVES else BYTES.get(tensor.dtype, 1)


def judge_elementwise(name, tensors):
    """The distinct inputs lie in UB together (the result may take the place of one); a 16-bit one also beside its FP32
    copy."""
    if not current.vector_tile:
        return
    distinct = {id(t): t for t in tensors}.values()
    _fits(name, sum(_tile_bytes(t.sizes, _width(t)) for t in distinct))
    for t in distinct:
        if t.dtype in HALVES:
            _fits(name, _tile_bytes(t.sizes, _WORD) + _tile_bytes(t.sizes, BYTES[t.dtype]))


def judge_cast(tensor, dtype):
    if current.vector_tile:
        _fits("cast", _tile_bytes(tensor.sizes, BYTES.get(tensor.dtype, 1)) +
              _tile_bytes(tensor.sizes, BYTES.get(dtype, 1)))


def judge_reduction(name, tensor):
    if current.vector_tile:
        _fits(name, _tile_bytes(tensor.sizes, _width(tensor)))


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
