"""Device loops as the compiler sees them: the body is recorded once, with an index that is no number.

The reference runs a body once a trip, so Python state that one trip leaves to the next goes unnoticed. Within `strict()`
every device loop runs backwards, each trip starts from the names and containers there were before the loop, nothing that
the body binds is left after it, and an index can neither be printed nor be asked for its truth. A file whose own device
loops keep to this computes what it computes otherwise; so must its fixed text.
"""
import contextlib
import ctypes
import dataclasses
import sys
import types

from pypto import _control, _state
from pypto._symbolic import SymbolicScalar
from pypto._tensor import Tensor

_to_fast = ctypes.pythonapi.PyFrame_LocalsToFast
_DEPTH = 4  # containers in containers


class IndexUsed(TypeError):
    """A number was asked of an index that has none."""


class _Names:
    """The names of a frame and of its module, and the content of every container reachable from them."""

    def __init__(self, frame):
        self.frame = frame
        self.local = dict(frame.f_locals)
        self.is_function = frame.f_locals is not frame.f_globals
        self.shared = {name: value for name, value in frame.f_globals.items() if not name.startswith("__")}
        self.contents = []
        seen = set()
        outer = frame
        while outer is not None and outer.f_globals is frame.f_globals:
            self._note(list(outer.f_locals.values()), seen, 0)
            outer = outer.f_back
        self._note(list(self.shared.values()), seen, 0)

    def _note(self, values, seen, depth):
        for value in values:
            if id(value) in seen or depth > _DEPTH:
                continue
            seen.add(id(value))
            if isinstance(value, list):
                self.contents.append((value, list(value)))
                self._note(value, seen, depth + 1)
            elif isinstance(value, (dict, set)):
                self.contents.append((value, value.copy()))
                self._note(value.values() if isinstance(value, dict) else [], seen, depth + 1)
            elif isinstance(value, tuple):
                self._note(value, seen, depth + 1)
            elif isinstance(value, types.FunctionType):
                self._note([cell.cell_contents for cell in value.__closure__ or () if _filled(cell)], seen, depth + 1)
                self._note(value.__defaults__ or (), seen, depth + 1)
                for cell in value.__closure__ or ():
                    if _filled(cell):
                        self.contents.append((cell, cell.cell_contents))
            elif _is_plain_object(value):
                self.contents.append((value.__dict__, dict(value.__dict__)))
                self._note(value.__dict__.values(), seen, depth + 1)

    def restore(self):
        if self.is_function:
            names = self.frame.f_locals
            for name in list(names):
                if name not in self.local:
                    del names[name]
            names.update(self.local)
            _to_fast(ctypes.py_object(self.frame), ctypes.c_int(1))
        for name in list(self.frame.f_globals):
            if name in self.shared:
                self.frame.f_globals[name] = self.shared[name]
        for container, content in self.contents:
            if isinstance(container, list):
                container[:] = content
            elif isinstance(container, types.CellType):
                container.cell_contents = content
            else:
                container.clear()
                container.update(content)


def _filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _is_plain_object(value):
    if isinstance(value, (type, types.ModuleType, Tensor, SymbolicScalar)) or not hasattr(value, "__dict__"):
        return False
    return dataclasses.is_dataclass(value) or isinstance(value, types.SimpleNamespace) or type(value).__module__.startswith("pair_")


def _run(args, words, batched):
    for word in words:
        if word not in _control._LOOP_WORDS:
            _state.note("loop-keyword", f"{word}= is no keyword of a loop and is ignored")
    start, stop, step = _control._bounds(args)
    factors = _control.unroll_factors(words.get("unroll_list"))
    frame = sys._getframe(1)
    _names_in_use(words, frame)
    key = ("loop", words.get("idx_name") or words.get("name") or len(_control._stack), object())
    outer = _state.current.copy()
    passes = list(_control._passes(start, stop, step, factors))[::-1]
    names = _Names(frame)
    _control._stack.append((start, stop, step))
    try:
        for first, factor in passes:
            _state.current.assign(outer)
            for copy in range(1 if batched else factor):
                names.restore()
                value = first + copy * _control.value_of(step)
                index = SymbolicScalar(value, terms={key: 1}, loop=(start, stop, step))
                yield (index, factor * step) if batched else index
        names.restore()
    finally:
        _control._stack.pop()
        _state.current.assign(outer)


_used = {}


def _names_in_use(words, frame):
    """A name belongs to one loop: one place in the text, reached one way."""
    way, at = [], frame
    while at is not None and "torch" not in at.f_code.co_filename:
        way.append((at.f_code.co_filename, at.f_lineno))
        at = at.f_back
    for word in ("name", "idx_name"):
        name = words.get(word)
        if name is not None and _used.setdefault((word, name), way[0]) != way[0]:
            _state.note("loop-name", f"{word} {name!r} is used by two loops")


def _no_number(self, *_):
    if self._terms:
        raise IndexUsed("a symbolic integer has no value here")
    return self._value != 0


def _no_text(self, spec=""):
    if self._terms:
        raise IndexUsed("a symbolic integer cannot be printed into a name")
    return format(self._value, spec)


@contextlib.contextmanager
def strict():
    saved = _control._run, SymbolicScalar.__bool__, SymbolicScalar.__format__, SymbolicScalar.__repr__
    _control._run, SymbolicScalar.__bool__, SymbolicScalar.__format__ = _run, _no_number, _no_text
    SymbolicScalar.__repr__ = _no_text
    _used.clear()
    try:
        yield
    finally:
        _control._run, SymbolicScalar.__bool__, SymbolicScalar.__format__, SymbolicScalar.__repr__ = saved
