"""Matrix products: FP32 accumulation for floats, exact INT32 for INT8. The products of 16-bit numbers are summed in
float64, where such sums are all but exact, and rounded to FP32 once: how M, N or the batch is cut does not show."""
import struct

import torch

from ._budget import judge_matmul
from ._common import finish, need_tensor
from ._dtypes import FLOATS, HALVES, DataType, ReLuType, bytes_of
from ._rounding import round_to_float, round_whole, to_integer, wrap
from ._dtypes import CastMode
from ._state import current, judge_cube, note
from ._tensor import Tensor

_OUTPUTS = {
    DataType.DT_FP16: {DataType.DT_FP16, DataType.DT_FP32, DataType.DT_INT8},
    DataType.DT_BF16: {DataType.DT_BF16, DataType.DT_FP32, DataType.DT_INT8},
    DataType.DT_FP32: {DataType.DT_FP32, DataType.DT_INT8},
    DataType.DT_INT8: {DataType.DT_INT32, DataType.DT_FP16, DataType.DT_BF16, DataType.DT_INT8},
}
_INNER_AXIS_MAX = 65535  # of an ND operand


def matmul(input, mat2, out_dtype, *, a_trans=False, b_trans=False, c_matrix_nz=False, extend_params=None):
    need_tensor(input, "matmul"), need_tensor(mat2, "matmul")
    if not isinstance(out_dtype, DataType):
        raise TypeError(f"Argument 'out_dtype' must be of type DataType, but got {type(out_dtype).__name__}.")
    for name, flag in (("a_trans", a_trans), ("b_trans", b_trans), ("c_matrix_nz", c_matrix_nz)):
        if not isinstance(flag, bool):
            raise TypeError(f"Argument '{name}' must be of type bool, but got {type(flag).__name__}.")
    if c_matrix_nz:
        raise ValueError("Output tensor do not support NZ currently.")
    if input.dim != mat2.dim or input.dim not in (2, 3, 4):
        raise RuntimeError(f"Tensor dimension mismatch. got input_dim: {input.dim}, mat2_dim: {mat2.dim}.")
    if input.dtype != mat2.dtype:
        raise ValueError(f"Non-FP8 inputs require identical dtypes: {input.dtype.name} and {mat2.dtype.name}.")
    if input.dtype not in _OUTPUTS:
        raise NotImplementedError(f"reference does not know matmul of {input.dtype.name}")
    judge_cube(bytes_of(input.dtype), bytes_of(mat2.dtype), a_trans)
    extra = dict(extend_params or {})
    _judge(input, mat2, out_dtype, extra)
    a, b = (t.data.transpose(-1, -2) if flip else t.data for t, flip in ((input, a_trans), (mat2, b_trans)))
    a_valid, b_valid = (t.valid[:-2] + (t.valid[-2:][::-1] if flip else t.valid[-2:])
                        for t, flip in ((input, a_trans), (mat2, b_trans)))
    if a.shape[-1] != b.shape[-2]:
        raise RuntimeError(f"K-dimension mismatch: {a.shape[-1]} and {b.shape[-2]}.")
    judge_matmul(a.shape[-2], a.shape[-1], b.shape[-1], bytes_of(input.dtype), bytes_of(mat2.dtype))
    depth = min(a_valid[-1], b_valid[-2])
    good = [slice(0, a_valid[-2]), slice(0, b_valid[-1])]
    product = torch.matmul(a[..., good[0], :depth].to(torch.float64).contiguous(),
                           b[..., :depth, good[1]].to(torch.float64).contiguous())
    result = _leave(product, input.dtype, out_dtype, extra, good[1])
    shape = list(product.shape[:-2]) + [a.shape[-2], b.shape[-1]]
    data = torch.zeros(shape, dtype=result.dtype)
    data[..., good[0], good[1]] = result
    valid = [min(x, y) if n == m else max(x, y) for x, y, n, m in
             zip(a_valid[:-2], b_valid[:-2], a.shape[:-2], b.shape[:-2])]
    return Tensor.made(data, out_dtype, valid + [a_valid[-2], b_valid[-1]])


def _judge(a, b, out_dtype, extra):
    if out_dtype not in _OUTPUTS[a.dtype] or (a.dtype == DataType.DT_INT8 and out_dtype in HALVES
                                              and "scale" not in extra and "scale_tensor" not in extra):
        note("dtype", f"matmul of {a.dtype.name} to {out_dtype.name}")
    if max(a.sizes[-1], b.sizes[-1]) > _INNER_AXIS_MAX:
        note("matmul-axis", f"the inner axis of an ND operand is at most {_INNER_AXIS_MAX}")
    if current.cube_tile and current.cube_tile[3]:
        if out_dtype not in (DataType.DT_FP32, DataType.DT_INT32):
            note("split-k", f"split-K accumulates in FP32 or INT32 only, not {out_dtype.name}")
        if a.dim > 2:
            note("split-k", "split-K is for two dimensions")


def _leave(product, in_dtype, out_dtype, extra, columns):
    """What happens on the way out of the accumulator: bias, scale, ReLU, the output's type."""
    if in_dtype == DataType.DT_INT8:
        total = wrap(product.to(torch.int64), DataType.DT_INT32)
        if extra.get("bias_tensor") is not None:
            total = wrap(total.to(torch.int64) + extra["bias_tensor"].data[..., columns].to(torch.int64),
                         DataType.DT_INT32)
    else:
        total = product.to(torch.float32)
        if extra.get("bias_tensor") is not None:
            total = (total.to(torch.float64) + extra["bias_tensor"].data[..., columns].to(torch.float64)).float()
    scale = None
    if extra.get("scale"):
        scale = _short(torch.tensor([extra["scale"]], dtype=torch.float32))
    elif extra.get("scale_tensor") is not None:
        bits = (extra["scale_tensor"].data[..., columns].to(torch.int64) & 0xFFFFFFFF).to(torch.int32)
        scale = _short(bits.contiguous().view(torch.float32))
    if extra.get("relu_type", ReLuType.NO_RELU) == ReLuType.RELU:
        total = total.clamp(min=0)
    if scale is not None:
        total = (total.to(torch.float64) * scale.to(torch.float64)).float()
    if out_dtype in FLOATS:
        return round_to_float(total.to(torch.float64), out_dtype)
    if total.dtype == torch.float32:
        return to_integer(round_whole(total.to(torch.float64), CastMode.CAST_RINT), out_dtype, True)
    return finish(total, out_dtype)


def _short(scale):
    """A scale takes part with sign, 8 bits of exponent and 10 of fraction."""
    return (scale.contiguous().view(torch.int32) & ~0x1FFF).view(torch.float32)


def float_bits(value):
    """The bits of a float, as a scale tensor carries them."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def transposed_batchmatmul(tensor_a, tensor_b, out_dtype):
    from ._layout import permute

    return permute(matmul(permute(tensor_a, [1, 0, 2]), tensor_b, out_dtype), [1, 0, 2])
