"""cast: between element types, in each rounding mode, and which pairs the hardware converts in one step."""
import torch

from ._budget import judge_cast
from ._common import need_tensor, working
from ._dtypes import FLOATS, CastMode, DataType, SaturationMode
from ._rounding import round_to_float, round_whole, to_integer, wrap
from ._state import judge_vector, note
from ._tensor import Tensor

_EVERY = {CastMode.CAST_RINT, CastMode.CAST_ROUND, CastMode.CAST_FLOOR, CastMode.CAST_CEIL, CastMode.CAST_TRUNC}
_NONE = set()

# Atlas A2 and A3: (from, to) -> the rounding modes that the conversion takes. A mode outside falls back to the default:
# towards zero from float to integer, to nearest even otherwise.
DIRECT = {
    ("FP32", "FP16"): _EVERY | {CastMode.CAST_ODD}, ("FP32", "FP32"): _EVERY, ("FP32", "BF16"): _EVERY,
    ("FP32", "INT64"): _EVERY, ("FP32", "INT32"): _EVERY, ("FP32", "INT16"): _EVERY, ("FP16", "FP32"): _NONE,
    ("FP16", "INT32"): _EVERY, ("FP16", "INT16"): _EVERY, ("FP16", "INT8"): _EVERY, ("FP16", "UINT8"): _EVERY,
    ("BF16", "FP32"): _NONE, ("BF16", "INT32"): _EVERY, ("INT32", "FP32"): _EVERY, ("INT32", "INT64"): _NONE,
    ("INT32", "INT16"): _NONE, ("INT32", "FP16"): _NONE, ("INT16", "FP32"): _EVERY, ("INT16", "FP16"): _EVERY,
    ("INT64", "FP32"): _EVERY, ("INT64", "INT32"): _NONE, ("UINT8", "FP16"): _NONE, ("INT8", "FP16"): _NONE,
}


def cast(input, dtype, mode=CastMode.CAST_NONE, satmode=SaturationMode.OFF):
    need_tensor(input, "cast")
    if not isinstance(dtype, DataType):
        raise TypeError(f"cast(): the second argument is an element type, not {type(dtype).__name__}")
    if not isinstance(mode, CastMode) or not isinstance(satmode, SaturationMode):
        raise TypeError("cast(): mode is a CastMode and satmode a SaturationMode")
    source = input.dtype
    if dtype == source and mode == CastMode.CAST_NONE and satmode == SaturationMode.OFF:
        return input
    judge_vector(input.dim, "cast")
    judge_cast(input, dtype)
    pair = (source.name[3:], dtype.name[3:])
    if pair not in DIRECT:
        note("cast", f"no direct conversion from {source.name} to {dtype.name}")
    to_whole = source in FLOATS and dtype not in FLOATS
    if mode == CastMode.CAST_NONE or mode not in DIRECT.get(pair, _EVERY):
        mode = CastMode.CAST_TRUNC if to_whole else CastMode.CAST_RINT
    saturate = satmode == SaturationMode.ON
    values = working(input)
    if dtype == DataType.DT_BOOL:
        data = values != 0
    elif dtype in FLOATS:
        if source == dtype:  # a float to its own type with a mode rounds to whole numbers
            values = round_whole(values, mode)
        data = round_to_float(values.to(torch.float64), dtype, mode)
    elif to_whole:
        data = to_integer(round_whole(values, mode), dtype, saturate)
    elif saturate:
        data = to_integer(values.to(torch.float64), dtype, True)
    else:
        data = wrap(values.to(torch.int64), dtype)
    return Tensor.made(data, dtype, input.valid if input.is_partial else None)
