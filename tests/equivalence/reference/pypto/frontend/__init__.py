"""jit, function and dynamic: what turns a Python function into a kernel. Here a kernel simply runs."""
import functools
import inspect

import torch

from .. import _state
from .._symbolic import SymbolicScalar
from .._tensor import Tensor

_OPTION_GROUPS = {"codegen_options", "host_options", "pass_options", "runtime_options", "verify_options",
                  "debug_options", "new_ir", "create_new_logical_tensor"}


def dynamic(name):
    return SymbolicScalar(name)


class Kernel:
    """A jitted function: called with torch tensors, writes into them, returns nothing."""

    def __init__(self, function, options):
        functools.update_wrapper(self, function)
        self._function = function
        self.options = options
        self.signature = inspect.signature(function)

    def declared(self):
        """The parameters that are annotated as tensors, in order: name and declaration."""
        found = []
        for name, parameter in self.signature.parameters.items():
            annotation = parameter.annotation
            if annotation is Tensor:
                annotation = Tensor()
            if hasattr(annotation, "to_tensor"):
                found.append((name, annotation.to_tensor(name)))
        return found

    def __call__(self, *args, **kwargs):
        declared = dict(self.declared())
        names = list(self.signature.parameters)
        if len(args) > len(names):
            raise RuntimeError(f"Too many positional arguments: {len(args)} for {len(names)}")
        nested = any(isinstance(arg, Tensor) for arg in args)

        def wrapped(name, value):
            if isinstance(value, torch.Tensor):
                return Tensor.parameter(value, declared.get(name), name)
            if name in declared and not isinstance(value, Tensor):
                raise RuntimeError(f"parameter {name} must be a torch.Tensor, got {type(value).__name__}")
            return value

        values = [wrapped(name, value) for name, value in zip(names, args)]
        named = {name: wrapped(name, value) for name, value in kwargs.items()}
        if nested:
            return self._function(*values, **named)
        with _state.scoped():
            for group, setting in self.options.items():
                if isinstance(setting, dict):
                    _state.set_options(**{group: setting})
            if self._function(*values, **named) is not None:
                _state.note("return", f"the kernel {self.__name__} returns a value, which is lost")
        return None


def jit(function=None, **options):
    """Bare, called without arguments, or called with option dicts."""
    for group in options:
        if group not in _OPTION_GROUPS:
            raise TypeError(f"jit() got an unexpected keyword argument '{group}'")
    if function is None:
        return lambda inner: Kernel(inner, options)
    if not callable(function):
        raise TypeError("jit takes a function or keyword options")
    return Kernel(function, options)


def function(inner=None, **_):
    """A helper that is expanded where it is called."""
    if inner is None:
        return function
    if not callable(inner):
        raise TypeError("frontend.function decorates a function")
    return inner


class parser:
    """The name is importable; nothing in it is called by kernels."""
