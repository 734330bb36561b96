"""Loops and conditions, run one iteration after the other. Settings made in a body last to the end of the body as it is
traced: each pass through it starts from the settings in force before the loop."""
import contextlib

from . import _state
from ._symbolic import SymbolicScalar, is_int, is_symbolic, value_of
from ._state import note

_stack = []
_LOOP_WORDS = {"name", "idx_name", "submit_before_loop", "parallel", "unroll_list"}


def _bounds(args):
    if not 1 <= len(args) <= 3:
        raise TypeError(f"loop() takes 1 to 3 positional arguments but {len(args)} were given")
    for bound in args:
        if not (is_int(bound) or is_symbolic(bound)):
            raise TypeError(f"a loop bound must be an int or a SymbolicScalar, not {type(bound).__name__}")
    if len(args) == 1:
        return 0, args[0], 1
    return args[0], args[1], args[2] if len(args) == 3 else 1


def unroll_factors(unroll_list):
    """The factors in force: without repeats, largest first, always with 1."""
    factors = sorted(set(unroll_list or []) | {1}, reverse=True)
    for factor in factors:
        if not isinstance(factor, int) or factor <= 0:
            raise ValueError(f"unroll factor {factor} must be a positive integer")
    return factors


def _passes(start, stop, step, factors):
    """Each factor takes as many whole steps as it can of what the larger ones left."""
    start, stop, step = value_of(start), value_of(stop), value_of(step)
    if step == 0:
        raise ValueError("a loop's step must not be zero")
    for factor in factors:
        stride = factor * step
        count = max(0, (stop - start) // stride if factor > 1 else -(-(stop - start) // step))
        for turn in range(count):
            yield start + turn * stride, factor
        start += count * stride


def _run(args, words, batched):
    for word in words:
        if word not in _LOOP_WORDS:
            note("loop-keyword", f"{word}= is no keyword of a loop and is ignored")
    start, stop, step = _bounds(args)
    factors = unroll_factors(words.get("unroll_list"))
    name = ("loop", words.get("idx_name") or words.get("name") or len(_stack), object())
    outer = _state.current.copy()
    passes = list(_passes(start, stop, step, factors))
    if words.get("parallel") and factors == [1]:
        passes.reverse()  # the order of independent iterations must not show
    _stack.append((start, stop, step))
    try:
        for first, factor in passes:
            _state.current.assign(outer)
            for copy in range(1 if batched else factor):
                index = SymbolicScalar(first + copy * value_of(step), terms={name: 1}, loop=(start, stop, step))
                yield (index, factor * step) if batched else index
    finally:
        _stack.pop()
        _state.current.assign(outer)


def loop(*args, **words):
    return _run(args, words, False)


def loop_unroll(*args, **words):
    """Yields (index, how many steps this pass takes): the body runs once for each pass."""
    return _run(args, words, True)


def _loop_of(index):
    if not is_symbolic(index):
        raise ValueError("not loop index")
    found = index._loop or (_stack[-1] if _stack else None)
    if found is None:
        raise ValueError("not loop index")
    return found


def is_loop_begin(scalar):
    return scalar == _loop_of(scalar)[0]


def is_loop_end(scalar):
    _, stop, step = _loop_of(scalar)
    return scalar + step >= stop


def cond(scalar, file=None, lineno=None):
    if not (is_int(scalar) or is_symbolic(scalar)):
        raise ValueError("Invalid value type")
    return bool(value_of(scalar))


@contextlib.contextmanager
def function(name, *args):
    """The older way to write a graph: `with pypto.function(name, tensors...)`."""
    with _state.scoped():
        yield None


def symbolic_min(a, b):
    return (SymbolicScalar(a) if is_int(a) else a).min(b)


def symbolic_max(a, b):
    return (SymbolicScalar(a) if is_int(a) else a).max(b)


def ceildiv(a, b):
    return (a + b - 1) // b
