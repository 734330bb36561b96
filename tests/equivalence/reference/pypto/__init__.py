"""A reference interpreter of PyPTO's documented semantics, for tests only.

A file that imports `pypto` with this folder's parent first on sys.path runs its kernels eagerly on torch tensors. It is
written from what the documentation says operations compute; it knows nothing of tiles, buffers or devices, except that
it notes (`_state.problems`) what the compiler would refuse.
"""
import enum as _enum

from . import _control, _state, experimental, frontend, pypto_impl, runtime
from ._cast import cast
from ._compose import *  # noqa: F403
from ._control import ceildiv, cond, function, is_loop_begin, is_loop_end, loop, loop_unroll
from ._control import symbolic_max as max  # noqa: A004
from ._control import symbolic_min as min  # noqa: A004
from ._creation import *  # noqa: F403
from ._dtypes import (DYN, DYNAMIC, NAMES, ROUND_DOWN, ROUND_UP, STATIC, AtomicRMWMode, AtomicType, CachePolicy,
                      CastMode, DataType, DequantScaleRoundingMode, LogBaseType, OpType, OutType, PrecisionType,
                      ReduceMode, ReLuType, SaturationMode, ScatterMode, StatusType, TileOpFormat, TopKAlgo, TransMode,
                      bytes_of)
from ._elementwise import *  # noqa: F403
from ._indexing import *  # noqa: F403
from ._layout import *  # noqa: F403
from ._layout import from_torch
from ._matmul import matmul
from ._reduction import *  # noqa: F403
from ._state import (get_conv_tile_shapes, get_cube_tile_shapes, get_vec_tile_shapes, options, reset_options,
                     set_conv_tile_shapes, set_cube_tile_shapes, set_matrix_size, set_options, set_vec_tile_shapes)
from ._symbolic import SymbolicScalar
from ._tensor import Element, Tensor
from .frontend import jit
from .runtime import RunMode, set_verify_golden_data, verify

globals().update(NAMES)
tensor = Tensor
element = Element
symbolic_scalar = SymbolicScalar
SymInt = SymbolicScalar


class CompStage(_enum.Enum):
    ALL_COMPLETE = 0
    TENSOR_GRAPH = 1
    TILE_GRAPH = 2
    EXECUTE_GRAPH = 3
    CODEGEN_INSTRUCTION = 4
    CODEGEN_BINARY = 5


def _option_pair(group, keys):
    """set_<group>_options with its keywords, and get_<group>_options."""
    def setter(**values):
        for key in values:
            if key not in keys:
                raise TypeError(f"set_{group}_options() got an unexpected keyword argument '{key}'")
        _state.set_options(**{f"{group}_options": values})

    return setter, lambda: _state.get_options(f"{group}_options")


set_pass_options, get_pass_options = _option_pair("pass", {
    "vec_nbuffer_setting", "cube_l1_reuse_setting", "cube_nbuffer_setting", "sg_set_scope", "sg_set_ooo_scope",
    "ooo_sched_mode", "auto_mix_partition", "sg_set_tunevf_mode", "enable_slice", "pg_parallel_lower_bound",
    "pg_lower_bound", "pg_upper_bound", "pg_partition_algorithm", "mg_copyin_upper_bound", "mg_vec_parallel_lb",
    "copyout_resolve_coalescing", "ooo_sort_mode_aic", "ooo_sort_mode_aiv"})
set_host_options, get_host_options = _option_pair("host", {
    "compile_stage", "compile_monitor_enable", "compile_timeout", "compile_timeout_stage",
    "compile_monitor_print_interval"})
set_codegen_options, get_codegen_options = _option_pair("codegen", {
    "support_dynamic_aligned", "soc_version", "enable_pmu_trace", "vf_options"})
set_verify_options, get_verify_options = _option_pair("verify", {
    "enable_pass_verify", "pass_verify_save_tensor", "pass_verify_save_tensor_dir", "pass_verify_pass_filter",
    "pass_verify_error_tol"})
set_debug_options, get_debug_options = _option_pair("debug", {
    "compile_debug_mode", "runtime_debug_mode", "dump_pass_graph"})
set_runtime_options, get_runtime_options = _option_pair("runtime", {
    "device_sched_mode", "stitch_function_max_num", "stitch_function_num_initial", "stitch_function_num_step",
    "max_workspace_kb", "run_mode", "valid_shape_optimize", "ready_on_host_tensors", "device_sched_parallelism",
    "launch_sched_aicpu_num", "launch_early_mode"})


def set_semantic_label(label):
    pass


def set_print_options(**_):
    pass


def set_global_config(key, value):
    _state.set_options(global_config={key: value})


def get_global_config(key):
    return _state.get_options("global_config").get(key)


def pass_verify_print(*values, cond=1):
    pass


def pass_verify_save(tensor, fname, cond=1, **_):
    pass


class _Platform:
    npuarch = "DAV_2201"


platform = _Platform()

# Operations that are methods, too.
for _name in ("add sub mul div fmod remainder hypot prelu greater matmul reshape unsqueeze view clone sin cos sinh "
              "cosh asinh acosh sigmoid softmax maximum lrelu topk exp sign signbit tanh exp2 expm1 erfc log log1p "
              "log10 log2 logical_not amax amin argmax argmin sum round rsqrt sqrt ceil floor trunc reciprocal "
              "relu permute transpose gather gathermask index_add_ index_add cumsum cumprod gcd triu tril expand_clone "
              "pad fillpad scatter_update scatter_ scatter var axpy_ abs").split():
    setattr(Tensor, _name, globals()[_name])


def _install_operators():
    """The Python operators, each as the framework spells it out."""
    reflected_sub = lambda self, other: neg(sub(self, other))  # noqa: E731, F405
    reflected_div = lambda self, other: mul(reciprocal(self), other)  # noqa: E731, F405
    floored = lambda self, other: floor(div(self, other))  # noqa: E731, F405
    table = {
        "add": add, "radd": add, "iadd": add, "sub": sub, "isub": sub, "rsub": reflected_sub, "mul": mul,  # noqa: F405
        "rmul": mul, "imul": mul, "truediv": div, "itruediv": div, "rtruediv": reflected_div,  # noqa: F405
        "floordiv": floored, "mod": remainder, "pow": pow, "neg": neg, "pos": lambda self: self,  # noqa: F405
        "lt": lt, "le": le, "gt": gt, "ge": ge, "eq": eq, "ne": ne, "matmul": _at}  # noqa: F405
    for name, operation in table.items():
        setattr(Tensor, f"__{name}__", operation)


def _at(self, other):
    return matmul(self, other, DataType.DT_INT32 if other.dtype == DataType.DT_INT8 else other.dtype)


def _method_where(self, condition, x, y):
    raise NotImplementedError("reference does not know the method where, which takes four operands")


def _assemble_into(self, input, offsets):
    assemble(input, offsets, self)  # noqa: F405


def _fill(self, value):
    self.move(full(self.sizes, value, self.dtype))  # noqa: F405
    return self


Tensor.where = _method_where
Tensor.assemble = _assemble_into
Tensor.fill_ = _fill
Tensor.triu_ = lambda self, diagonal=0: (self.move(triu(self, diagonal)), self)[1]  # noqa: F405
Tensor.tril_ = lambda self, diagonal=0: (self.move(tril(self, diagonal)), self)[1]  # noqa: F405
_install_operators()


def __getattr__(name):
    raise _state.Unknown(f"reference does not know pypto.{name}")
