"""Runs two versions of one file on the same inputs and compares what they compute. See README.md for how a file says
what is to be run."""
import importlib.util
import inspect
import itertools
import os
import sys
import types

import torch

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_HERE, "reference"))
sys.path.insert(1, _HERE)

import host_shims  # noqa: E402
import pypto  # noqa: E402
from pypto import _state  # noqa: E402
from pypto._dtypes import STORAGE, DataType  # noqa: E402
from pypto._symbolic import SymbolicScalar  # noqa: E402
from pypto.frontend import Kernel  # noqa: E402

EQUAL, DIFFERENT, NOT_RUN = 0, 1, 2
SEEDS = 3
ENOUGH = 1 << 20  # random floats in the tensors of one run: as many are as good as other seeds
DYNAMIC_SIZE = 64  # of an axis that is declared dynamic, where nothing says more
_SMALL = 1.0 / 64  # inputs are scaled down by this when results overflow
_numbers = itertools.count()


class CannotRun(Exception):
    """Nothing to compare: the file says nothing of how to run it, or the old text does not run."""


# -- loading -----------------------------------------------------------------------------------------------------------
def _smaller(*args, **kwargs):
    if len(args) == 2 and any(isinstance(arg, SymbolicScalar) for arg in args):
        return pypto.min(*args)
    return min(*args, **kwargs)


def _larger(*args, **kwargs):
    if len(args) == 2 and any(isinstance(arg, SymbolicScalar) for arg in args):
        return pypto.max(*args)
    return max(*args, **kwargs)


def load(path):
    """The file as a fresh module, in a package of its own so that it may import its neighbours either way. The frontend
    turns the built-in min and max of symbols into its own."""
    host_shims.install()
    folder = os.path.dirname(os.path.abspath(path))
    package = types.ModuleType(f"pair_{next(_numbers)}")
    package.__path__ = [folder]
    sys.modules[package.__name__] = package
    name = f"{package.__name__}.{os.path.basename(path).split('.')[0]}"
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader=None, origin=path))
    module.__file__ = path
    module.min, module.max = _smaller, _larger
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    known = set(sys.modules)
    sys.modules[name] = module
    sys.path.insert(2, folder)
    try:
        exec(code, module.__dict__)
    finally:
        sys.path.remove(folder)
        # The other version of this file has neighbours of the same names: forget these.
        for other in set(sys.modules) - known:
            origin = getattr(sys.modules[other], "__file__", None)
            if other != name and origin and os.path.abspath(origin).startswith(folder + os.sep):
                del sys.modules[other]
    return module


# -- inputs ------------------------------------------------------------------------------------------------------------
def randomised(tensor, generator, scale=1.0):
    """Random values of the tensor's shape and type: floats standard normal, bytes of the whole range, wider integers
    between the least and the greatest that is there."""
    shape = tuple(tensor.shape)
    if tensor.is_floating_point():
        return (torch.randn(shape, generator=generator) * scale).to(tensor.dtype)
    if tensor.dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).to(torch.bool)
    if tensor.dtype == torch.int8:
        return torch.randint(-128, 128, shape, generator=generator).to(torch.int8)
    if tensor.dtype == torch.uint8:
        return torch.randint(0, 256, shape, generator=generator).to(torch.uint8)
    if not tensor.numel():
        return tensor.clone()
    low, high = int(tensor.min()), int(tensor.max())
    return torch.randint(low, min(high, 2**62) + 1, shape, generator=generator).to(tensor.dtype)


def declared_inputs(kernel, dims, values):
    """Arguments made from a kernel's own annotations, or None where they do not say enough."""
    declared = dict(kernel.declared())
    arguments = []
    for name, parameter in kernel.signature.parameters.items():
        if name in declared:
            tensor = declared[name]
            shape = dims.get(name, tensor.declared_shape)
            if not shape or any(dim is Ellipsis for dim in shape):
                return None
            sizes = [dim if isinstance(dim, int) else dims.get("*", DYNAMIC_SIZE) for dim in shape]
            arguments.append(torch.zeros(sizes, dtype=STORAGE[tensor.explicit_dtype or DataType.DT_FP32]))
        elif name in values:
            arguments.append(values[name])
        elif parameter.default is inspect.Parameter.empty:
            return None
        else:
            arguments.append(parameter.default)
    return arguments


def _cases(module, options):
    """What is to be run: (name, function of a seed and a scale that gives the arguments)."""
    entry = options.get("entry")
    if "inputs" in vars(module):
        name = entry or ("kernel" if hasattr(module, "kernel") else None)
        if name is None:
            names = [key for key, value in vars(module).items() if isinstance(value, Kernel)]
            if len(names) != 1:
                raise CannotRun(f"inputs() belongs to one of {names}: name it `kernel`, or say which by --entry")
            name = names[0]
        if inspect.signature(module.inputs).parameters:
            return [(name, lambda seed, scale: list(module.inputs(seed)))]
        templates = list(module.inputs())

        def arguments(seed, scale):
            generator = torch.Generator().manual_seed(seed)
            return [randomised(t, generator, scale) if isinstance(t, torch.Tensor) else t for t in templates]

        return [(name, arguments)]
    found = []
    for name, value in vars(module).items():
        if isinstance(value, Kernel) and value.__module__ == module.__name__ and entry in (None, name):
            templates = declared_inputs(value, options.get("dims", {}), options.get("values", {}))
            if templates is not None:
                found.append((name, lambda seed, scale, templates=templates: [
                    randomised(t, torch.Generator().manual_seed(seed + i), scale)
                    if isinstance(t, torch.Tensor) else t for i, t in enumerate(templates)]))
    if not found:
        raise CannotRun("no check(seed), no inputs(), and no kernel whose annotations say its shapes")
    return found


def _copied(arguments):
    return [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]


def _call(module, name, arguments):
    """Runs one entry; gives every tensor it was passed and every tensor it returned."""
    target = getattr(module, name, None)
    if target is None:
        raise AttributeError(f"the new text has no {name}")
    result = target(*arguments)
    returned = result if isinstance(result, (tuple, list)) else [result]
    return [t for t in [*arguments, *returned] if isinstance(t, torch.Tensor)]


# -- comparing ---------------------------------------------------------------------------------------------------------
def _bits(tensor):
    if not tensor.is_floating_point():
        return tensor
    sizes = {2: torch.int16, 4: torch.int32, 8: torch.int64}
    return tensor.contiguous().view(sizes[tensor.element_size()])


def _both_nan(left, right):
    if not left.is_floating_point():
        return torch.zeros(left.shape, dtype=torch.bool)
    return torch.isnan(left) & torch.isnan(right)


def difference(left, right, tolerance):
    """None when two tensors agree, else where and by how much they differ. The tolerance is relative to the largest
    finite number of the tensor, so that sums that cancel do not count."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return f"{list(left.shape)} {left.dtype} became {list(right.shape)} {right.dtype}"
    wrong = (_bits(left) != _bits(right)) & ~_both_nan(left, right)
    if left.is_floating_point():
        wrong &= ~((left == 0) & (right == 0))  # the sign of a zero is no result
    if not bool(wrong.any()):
        return None
    a, b = left.to(torch.float64), right.to(torch.float64)
    finite = a[torch.isfinite(a)]
    largest = float(finite.abs().max()) if finite.numel() else 0.0
    gap = (a - b).abs()
    gap = torch.where(torch.isnan(gap), torch.full_like(gap, float("inf")), gap)
    gap = torch.where(wrong, gap, torch.zeros_like(gap))
    worst = float(gap.max())
    if tolerance is not None and worst <= tolerance * max(largest, 1e-30):
        return None
    place = [int(i) for i in torch.nonzero(gap == worst)[0]] if gap.dim() else []
    count, total = int(wrong.sum()), wrong.numel()
    old, new = float(a[tuple(place)]), float(b[tuple(place)])
    return f"{count} of {total} elements differ, at {place}: {old!r} became {new!r}"


def _tells_something(before, after):
    """Whether a run wrote at least one finite element that was not there."""
    for old, new in itertools.zip_longest(before, after):
        if old is None:
            if bool(torch.isfinite(new.to(torch.float64)).any()):
                return True
            continue
        if old.numel():
            changed = _bits(old) != _bits(new)
            if bool((changed & torch.isfinite(new.to(torch.float64))).any()):
                return True
    return False


# -- the whole ---------------------------------------------------------------------------------------------------------
def compare(before_path, after_path, options=None):
    """(EQUAL | DIFFERENT | NOT_RUN, one line of text)."""
    options = options or {}
    tolerance = options.get("tolerance")
    seeds = range(options.get("seeds", SEEDS))
    enough = sys.maxsize if "seeds" in options else ENOUGH
    try:
        before = load(before_path)
        after = load(after_path)
    except Exception as error:
        return NOT_RUN, f"does not load: {_say(error)}"
    try:
        if hasattr(before, "check"):
            runs = _checks(before, after, seeds, enough)
        else:
            runs = _kernels(before, after, seeds, enough, options)
        for name, seed, left, right in runs:
            if len(left) != len(right):
                return DIFFERENT, f"{name}, seed {seed}: {len(left)} tensors became {len(right)}"
            for index, (a, b) in enumerate(zip(left, right)):
                found = difference(a, b, tolerance)
                if found:
                    return DIFFERENT, f"{name}, seed {seed}, tensor {index}: {found}"
    except CannotRun as reason:
        return NOT_RUN, str(reason)
    except _NewRefused as refusal:
        return DIFFERENT, str(refusal)
    bound = "bit for bit" if tolerance is None else f"within {tolerance:g}"
    return EQUAL, f"equal {bound}"


class _NewRefused(Exception):
    """The new text does not run where the old one did, or the compiler would refuse it for a new reason."""


def _say(error):
    return f"{type(error).__name__}: {error}".replace("\n", " ")


def _observed(run, what, kind):
    """Runs, and gives what PyPTO would refuse of it."""
    _state.reset()
    try:
        result = run()
    except Exception as error:
        raise kind(f"{what}: {_say(error)}") from error
    return result, list(_state.problems)


def _judge(old, new, allowed):
    known = {problem.kind for problem in old}
    texts = {problem.text for problem in old}
    for problem in new:
        if problem.kind in allowed:
            continue
        # One overflow must not stand for another: a fix may not leave a tile that still does not fit.
        if problem.kind not in known or (problem.kind == "memory" and problem.text not in texts):
            raise _NewRefused(f"the new text would be refused: {problem}")


def _floats_in(tensors):
    """None where one holds something else: indices and lengths take other ways through a kernel with another seed."""
    if not all(tensor.is_floating_point() for tensor in tensors):
        return 0
    return sum(tensor.numel() for tensor in tensors)


def _checks(before, after, seeds, enough):
    for seed in seeds:
        left, old = _observed(lambda: list(before.check(seed)), "the old text", CannotRun)
        right, new = _observed(lambda: list(after.check(seed)), "the new text", _NewRefused)
        _judge(old, new, ())
        yield "check", seed, left, right
        if _floats_in(left) >= enough:
            return


def _kernels(before, after, seeds, enough, options):
    for name, make in _cases(before, options):
        scale = 1.0
        for seed in seeds:
            while True:
                arguments = make(seed, scale)
                first = [a.clone() for a in arguments if isinstance(a, torch.Tensor)]
                left, old = _observed(lambda: _call(before, name, _copied(arguments)), "the old text", CannotRun)
                if _tells_something(first, left):
                    break
                if scale == _SMALL:
                    raise CannotRun(f"{name} leaves no finite number to compare")
                scale = _SMALL
            right, new = _observed(lambda: _call(after, name, _copied(arguments)), "the new text", _NewRefused)
            _judge(old, new, options.get("allow", ()))
            yield name, seed, left, right
            if _floats_in(left) >= enough:
                break


def runs_alone(path, options=None):
    """For a text with nothing to compare it with: it must run, leave something finite, and be refused nowhere."""
    options = options or {}
    try:
        module = load(path)
        if hasattr(module, "check"):
            _, new = _observed(lambda: list(module.check(0)), "the new text", _NewRefused)
            _judge([], new, options.get("allow", ()))
        else:
            for name, make in _cases(module, options):
                arguments = make(0, 1.0)
                first = [a.clone() for a in arguments if isinstance(a, torch.Tensor)]
                left, new = _observed(lambda: _call(module, name, arguments), "the new text", _NewRefused)
                _judge([], new, options.get("allow", ()))
                if not _tells_something(first, left):
                    raise CannotRun(f"{name} leaves no finite number")
    except CannotRun as reason:
        return NOT_RUN, str(reason)
    except Exception as error:
        return DIFFERENT, _say(error)
    return EQUAL, "runs"
