"""Lets host code written for a device run on a CPU: `device="npu:0"`, `.npu()`, `torch.npu`, newer torch names."""
import contextlib
import functools
import sys
import types

import torch

_CREATORS = ("empty", "zeros", "ones", "full", "rand", "randn", "randint", "tensor", "arange", "empty_like",
             "zeros_like", "ones_like", "full_like", "rand_like", "randn_like", "as_tensor", "linspace", "eye",
             "randperm")


def _on_cpu(value):
    return "cpu" if isinstance(value, int) or (isinstance(value, str) and value.startswith("npu")) else value


def _redirect(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*[_on_cpu(arg) if isinstance(arg, str) else arg for arg in args],
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

    def graph(self, *_, **__):
        return contextlib.nullcontext()

    stream = graph

    def __getattr__(self, name):
        return _Nothing()


class _Nothing:
    """Takes any call, has any attribute."""

    def __call__(self, *_, **__):
        return self

    def __getattr__(self, name):
        return self


def _undecorated(attribute):
    if attribute.startswith("__"):
        raise AttributeError(attribute)
    return lambda function=None, *_, **__: function


class _Library:
    """torch.library.Library: a wrapper registered as an operator is called as it stands."""

    def __init__(self, namespace, *_):
        self._namespace = vars(torch.ops).setdefault(namespace, types.SimpleNamespace())

    def define(self, schema, *_, **__):
        return schema.split("(")[0]

    def impl(self, name, function=None, dispatch_key=""):
        def register(wrapper):
            if dispatch_key != "Meta":
                setattr(self._namespace, name, wrapper)
            return wrapper

        return register if function is None or isinstance(function, str) else register(function)


def install():
    if hasattr(torch, "npu"):
        return
    torch.npu = _Npu()
    torch.library.Library = _Library
    torch.library.impl = lambda library, name, key="": library.impl(name, None, key)
    for name in _CREATORS:
        if hasattr(torch, name):
            setattr(torch, name, _redirect(getattr(torch, name)))
    torch.Tensor.to = _redirect(torch.Tensor.to)
    torch.Tensor.npu = lambda self, *_, **__: self.contiguous()
    # Host files register their wrappers with compilers that older torch does not have; a decorator that does nothing
    # stands for each.
    for name in ("torch._dynamo", "torch.compiler", "torchair"):
        if name not in sys.modules and not hasattr(torch, name.split(".")[-1]):
            module = types.ModuleType(name)
            module.__getattr__ = _undecorated
            sys.modules[name] = module
            if name.startswith("torch."):
                setattr(torch, name.split(".")[-1], module)
