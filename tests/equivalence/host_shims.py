"""Lets host code written for a device run on a CPU: `device="npu:0"`, `.npu()`, `torch.npu`, newer torch names."""
import functools
import sys
import types

import torch

_CREATORS = ("empty", "zeros", "ones", "full", "rand", "randn", "randint", "tensor", "arange", "empty_like",
             "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "as_tensor", "linspace", "eye", "randperm")


def _on_cpu(value):
    return "cpu" if isinstance(value, str) and value.startswith("npu") else value


def _redirect(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*[_on_cpu(arg) for arg in args],
                        **{key: _on_cpu(value) if key == "device" else value for key, value in kwargs.items()})

    return wrapper


class _Npu:
    """torch.npu: there is one device, always ready."""

    def is_available(self):
        return True

    def current_device(self):
        return 0

    def device_count(self):
        return 1

    def __getattr__(self, name):
        return lambda *_, **__: None


def install():
    if hasattr(torch, "npu"):
        return
    torch.npu = _Npu()
    for name in _CREATORS:
        if hasattr(torch, name):
            setattr(torch, name, _redirect(getattr(torch, name)))
    torch.Tensor.to = _redirect(torch.Tensor.to)
    torch.Tensor.npu = lambda self, *_, **__: self
    # Host files register their wrappers with compilers that older torch does not have; a decorator that does nothing
    # stands for each.
    for name in ("torch._dynamo", "torch.compiler", "torchair"):
        if name not in sys.modules and not hasattr(torch, name.split(".")[-1]):
            module = types.ModuleType(name)
            module.__getattr__ = lambda attribute: (lambda function=None, *_, **__: function)
            sys.modules[name] = module
            if name.startswith("torch."):
                setattr(torch, name.split(".")[-1], module)
