"""Rounding of a number to an element type, in each CastMode. Everything here works on torch.float64, which holds every
value of the types below exactly, so a result is rounded once."""
import torch

from ._dtypes import FLOATS, INTEGER_BITS, CastMode, DataType, integer_range, storage_of

# Bits of the fraction and the exponent of the smallest normal number.
_FORMATS = {DataType.DT_FP16: (10, -14, 65504.0), DataType.DT_BF16: (7, -126, 3.3895313892515355e38),
            DataType.DT_FP32: (23, -126, 3.4028234663852886e38)}


def round_whole(x, mode):
    """x rounded to whole numbers."""
    if mode == CastMode.CAST_RINT:
        return torch.round(x)  # half to even
    if mode == CastMode.CAST_ROUND:
        whole = torch.trunc(x)
        return torch.where((x - whole).abs() >= 0.5, whole + torch.sign(x), whole)
    if mode == CastMode.CAST_FLOOR:
        return torch.floor(x)
    if mode == CastMode.CAST_CEIL:
        return torch.ceil(x)
    if mode == CastMode.CAST_TRUNC:
        return torch.trunc(x)
    if mode == CastMode.CAST_ODD:
        whole = torch.trunc(x)
        even = torch.remainder(whole, 2) == 0
        return torch.where((whole != x) & even, whole + torch.sign(x), whole)
    raise ValueError(f"unknown rounding mode {mode}")


def round_to_float(x, dtype, mode=CastMode.CAST_RINT):
    """float64 to the stored float type, one rounding."""
    storage = storage_of(dtype)
    if dtype == DataType.DT_DOUBLE:
        return x.to(torch.float64)
    if mode == CastMode.CAST_RINT and dtype == DataType.DT_FP32:
        return x.to(storage)
    fraction, lowest, largest = _FORMATS[dtype]
    _, exponent = torch.frexp(x)
    quantum = torch.pow(torch.tensor(2.0, dtype=torch.float64),
                        (exponent.to(torch.float64) - 1).clamp(min=lowest) - fraction)
    rounded = round_whole(x / quantum, mode) * quantum
    over = torch.full_like(x, float("inf") if mode != CastMode.CAST_TRUNC else largest)
    rounded = torch.where(rounded.abs() > largest, torch.sign(x) * over, rounded)
    rounded = torch.where(torch.isfinite(x), rounded, x)
    return rounded.to(torch.float32).to(storage)


def to_integer(whole, dtype, saturate):
    """Whole numbers in float64 to the stored integer type: clamped to its range, or their low bits."""
    bits, signed = INTEGER_BITS[dtype]
    low, high = integer_range(dtype)
    whole = torch.nan_to_num(whole, nan=0.0, posinf=2.0**62, neginf=-(2.0**62))
    if saturate:
        # float64 cannot hold 2**63 - 1: compare first, convert what is inside.
        inside = whole.clamp(-(2.0**62), 2.0**62).to(torch.int64)
        inside = torch.where(whole > float(min(high, 2**62)), torch.tensor(min(high, 2**63 - 1)), inside)
        inside = torch.where(whole < float(max(low, -(2**62))), torch.tensor(max(low, -(2**63))), inside)
        return inside.to(storage_of(dtype))
    return wrap(whole.clamp(-(2.0**62), 2.0**62).to(torch.int64), dtype)


def wrap(x, dtype):
    """int64 to the stored integer type, keeping the low bits."""
    bits, signed = INTEGER_BITS[dtype]
    if bits < 64:
        x = x & ((1 << bits) - 1)
        if signed:
            x = torch.where(x >= (1 << (bits - 1)), x - (1 << bits), x)
    return x.to(storage_of(dtype))


def compute_in(data, dtype):
    """Stored values as float64, ready to compute with."""
    return data.to(torch.float64)


def store(x, dtype):
    """A result computed in float64 as PyPTO leaves it: rounded to FP32 first (16-bit arithmetic runs in FP32), then to
    the element type."""
    if dtype in FLOATS:
        if dtype == DataType.DT_DOUBLE:
            return x
        single = x.to(torch.float32)
        return single if dtype == DataType.DT_FP32 else single.to(storage_of(dtype))
    if dtype == DataType.DT_BOOL:
        return x != 0
    return to_integer(torch.trunc(x), dtype, saturate=False)
