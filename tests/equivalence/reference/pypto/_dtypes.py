"""Element types and the other enumerations of the API, and how the reference stores each element type in torch."""
import enum

import torch


class _Named(enum.Enum):
    def __repr__(self):
        return f"{type(self).__name__}.{self.name}"

    __str__ = __repr__


def _enumeration(name, words):
    return _Named(name, words)


DataType = _enumeration("DataType", (
    "DT_INT4 DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_FP8 DT_FP16 DT_FP32 DT_BF16 DT_HF4 DT_HF8 DT_UINT8 DT_UINT16 "
    "DT_UINT32 DT_UINT64 DT_BOOL DT_DOUBLE DT_FP8E4M3 DT_FP8E5M2 DT_FP8E8M0 DT_FP4_E2M1 DT_FP4_E2M1X2 DT_FP4_E1M2 "
    "DT_FP4_E1M2X2 DT_BOTTOM"))
TileOpFormat = _enumeration("TileOpFormat", "TILEOP_ND TILEOP_NZ TILEOP_FORMAT_NUM")
CastMode = _enumeration("CastMode", "CAST_NONE CAST_RINT CAST_ROUND CAST_FLOOR CAST_CEIL CAST_TRUNC CAST_ODD")
SaturationMode = _enumeration("SaturationMode", "OFF ON")
ReduceMode = _enumeration("ReduceMode", "ATOMIC_ADD")
CachePolicy = _enumeration("CachePolicy", "PREFETCH NONE_CACHEABLE MAX_NUM")
OpType = _enumeration("OpType", "EQ NE LT LE GT GE")
OutType = _enumeration("OutType", "BOOL BIT")
TopKAlgo = _enumeration("TopKAlgo", "MERGE_SORT RADIX_SELECT")
ReLuType = _enumeration("ReLuType", "NO_RELU RELU")
TransMode = _enumeration("TransMode", "CAST_NONE CAST_RINT CAST_ROUND")
ScatterMode = _enumeration("ScatterMode", "NONE ADD MULTIPLY")
AtomicRMWMode = _enumeration("AtomicRMWMode", "ADD")
AtomicType = _enumeration("AtomicType", "SET ADD")
PrecisionType = _enumeration("PrecisionType", "INTRINSIC HIGH_PRECISION HIGH_PERFORMANCE")
LogBaseType = _enumeration("LogBaseType", "LOG_E LOG_2 LOG_10")
DequantScaleRoundingMode = _enumeration("DequantScaleRoundingMode", "ROUND_UP ROUND_DOWN")
StatusType = _enumeration("StatusType", "DYN DYNAMIC STATIC")

# torch has no unsigned types wider than a byte: these live in the next wider signed one.
STORAGE = {
    DataType.DT_INT8: torch.int8, DataType.DT_INT16: torch.int16, DataType.DT_INT32: torch.int32,
    DataType.DT_INT64: torch.int64, DataType.DT_FP16: torch.float16, DataType.DT_FP32: torch.float32,
    DataType.DT_BF16: torch.bfloat16, DataType.DT_UINT8: torch.uint8, DataType.DT_UINT16: torch.int32,
    DataType.DT_UINT32: torch.int64, DataType.DT_UINT64: torch.int64, DataType.DT_BOOL: torch.bool,
    DataType.DT_DOUBLE: torch.float64,
}
BYTES = {
    DataType.DT_INT8: 1, DataType.DT_INT16: 2, DataType.DT_INT32: 4, DataType.DT_INT64: 8, DataType.DT_FP16: 2,
    DataType.DT_FP32: 4, DataType.DT_BF16: 2, DataType.DT_UINT8: 1, DataType.DT_UINT16: 2, DataType.DT_UINT32: 4,
    DataType.DT_UINT64: 8, DataType.DT_BOOL: 1, DataType.DT_DOUBLE: 8,
}
_FROM_TORCH = {
    torch.int8: DataType.DT_INT8, torch.int16: DataType.DT_INT16, torch.int32: DataType.DT_INT32,
    torch.int64: DataType.DT_INT64, torch.float16: DataType.DT_FP16, torch.float32: DataType.DT_FP32,
    torch.bfloat16: DataType.DT_BF16, torch.uint8: DataType.DT_UINT8, torch.bool: DataType.DT_BOOL,
    torch.float64: DataType.DT_DOUBLE,
}
# Host tensors of one torch type that a parameter of another element type accepts.
ACCEPTED_STORAGE = {DataType.DT_UINT16: torch.int32, DataType.DT_UINT32: torch.int64, DataType.DT_UINT64: torch.int64}

FLOATS = {DataType.DT_FP32, DataType.DT_FP16, DataType.DT_BF16, DataType.DT_DOUBLE}
HALVES = {DataType.DT_FP16, DataType.DT_BF16}
INTEGER_BITS = {
    DataType.DT_INT8: (8, True), DataType.DT_INT16: (16, True), DataType.DT_INT32: (32, True),
    DataType.DT_INT64: (64, True), DataType.DT_UINT8: (8, False), DataType.DT_UINT16: (16, False),
    DataType.DT_UINT32: (32, False), DataType.DT_UINT64: (64, False),
}
# What an integer that nobody wrote reads as: every byte 0x5A, far from any number a kernel computes with.
_POISON_BYTE = 0x5A


def storage_of(dtype):
    if dtype not in STORAGE:
        raise NotImplementedError(f"reference does not know the element type {dtype.name}")
    return STORAGE[dtype]


def dtype_of(torch_dtype):
    if torch_dtype not in _FROM_TORCH:
        raise NotImplementedError(f"reference does not know the torch type {torch_dtype}")
    return _FROM_TORCH[torch_dtype]


def bytes_of(dtype):
    if dtype not in BYTES:
        raise NotImplementedError(f"reference does not know the element type {dtype.name}")
    return BYTES[dtype]


def integer_range(dtype):
    bits, signed = INTEGER_BITS[dtype]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def poison_of(dtype):
    """The value of memory that nobody wrote."""
    if dtype in FLOATS:
        return float("nan")
    if dtype == DataType.DT_BOOL:
        return True
    return int.from_bytes(bytes([_POISON_BYTE]) * min(BYTES[dtype], 8), "little")


def poisoned(shape, dtype):
    return torch.full(tuple(shape), poison_of(dtype), dtype=storage_of(dtype))


NAMES = {member.name: member for member in DataType}
ROUND_UP = DequantScaleRoundingMode.ROUND_UP
ROUND_DOWN = DequantScaleRoundingMode.ROUND_DOWN
DYN = StatusType.DYN
DYNAMIC = StatusType.DYNAMIC
STATIC = StatusType.STATIC
