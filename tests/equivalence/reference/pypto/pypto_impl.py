"""The framework's native module: the little that some kernels call directly."""
from . import _state
from ._elementwise import div, reciprocal
from ._elementwise import mul as _mul
from ._tensor import Element, Tensor  # noqa: F401


def ScalarDivS(tensor, element, reverse=False):  # noqa: N802  (the framework's name)
    """tensor / number, or number / tensor."""
    return _mul(reciprocal(tensor), element.value) if reverse else div(tensor, element.value)


def GetCompilerMonitorTotalElapsed():  # noqa: N802
    return 0.0


def __getattr__(name):
    raise _state.Unknown(f"reference does not know pypto.pypto_impl.{name}")
