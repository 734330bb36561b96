"""Integers that PyPTO knows only at run time: loop indices, dynamic dims and what is computed from them.

The reference runs eagerly, so each carries its value. It also carries an affine form over the unknowns it comes from,
so that the places where PyPTO wants a number it can know while it compiles (a view's shape, `range`) refuse the same
expressions as PyPTO does: `(b + 1) * 16 - b * 16` is 16, `min(16, n - b * 16)` is not.
"""


class SymbolicScalar:
    __slots__ = ("_value", "_terms", "_loop")
    __hash__ = None

    def __init__(self, value, concrete=None, *, terms=None, loop=None):
        if isinstance(value, str):
            terms = {("name", value): 1}
            value = 0 if concrete is None else int(concrete)
        elif isinstance(value, SymbolicScalar):
            value, terms, loop = value._value, value._terms, value._loop
        self._value = int(value)
        self._terms = {} if terms is None else terms  # atom -> coefficient; the constant is what is left of the value
        self._loop = loop  # (start, stop, step) of the loop whose index this is

    # -- what PyPTO offers -------------------------------------------------------------------------------------------
    def is_concrete(self):
        return not self._terms

    is_immediate = is_concrete

    def is_symbol(self):
        return len(self._terms) == 1

    def is_expression(self):
        return not self.is_concrete() and not self.is_symbol()

    def concrete(self):
        return int(self)

    def simplify(self):
        return self

    def min(self, other):
        return _atom("min", self, other, min(self._value, _value(other)), symmetric=True)

    def max(self, other):
        return _atom("max", self, other, max(self._value, _value(other)), symmetric=True)

    @staticmethod
    def tenary(condition, if_true, if_false):
        chosen = if_true if _value(condition) else if_false
        return SymbolicScalar(_value(chosen), terms={("ternary", _key(condition), _key(if_true), _key(if_false)): 1})

    def __int__(self):
        if self._terms:
            raise ValueError("Not concrete value: a symbolic integer has no number while PyPTO compiles")
        return self._value

    def __index__(self):
        if self._terms:
            raise TypeError("a symbolic integer cannot be used as a Python integer (range, list index, shape)")
        return self._value

    def __bool__(self):
        # The frontend turns `if` on a symbolic condition into a branch of both ways; running eagerly, one is taken.
        return self._value != 0

    def __repr__(self):
        return f"SymbolicScalar({self._value}{'' if self._terms else ', concrete'})"

    def __format__(self, spec):
        return format(self._value, spec)

    # -- arithmetic --------------------------------------------------------------------------------------------------
    def __add__(self, other):
        return _linear(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other):
        return _linear(self, other, -1)

    def __rsub__(self, other):
        return _linear(other, self, -1)

    def __neg__(self):
        return _linear(0, self, -1)

    def __pos__(self):
        return self

    def __mul__(self, other):
        value = self._value * _value(other)
        for scaled, factor in ((self, other), (other, self)):
            if not _terms(factor):
                number = _value(factor)
                return SymbolicScalar(value, terms={a: c * number for a, c in _terms(scaled).items() if c * number})
        return _atom("mul", self, other, value, symmetric=True)

    __rmul__ = __mul__

    def __floordiv__(self, other):
        return _divide(self, other)

    __truediv__ = __floordiv__

    def __rfloordiv__(self, other):
        return _divide(other, self)

    __rtruediv__ = __rfloordiv__

    def __mod__(self, other):
        return _modulo(self, other)

    def __rmod__(self, other):
        return _modulo(other, self)

    # -- conditions --------------------------------------------------------------------------------------------------
    def __eq__(self, other):
        return _compare("eq", self, other, lambda a, b: a == b)

    def __ne__(self, other):
        return _compare("ne", self, other, lambda a, b: a != b)

    def __lt__(self, other):
        return _compare("lt", self, other, lambda a, b: a < b)

    def __le__(self, other):
        return _compare("le", self, other, lambda a, b: a <= b)

    def __gt__(self, other):
        return _compare("gt", self, other, lambda a, b: a > b)

    def __ge__(self, other):
        return _compare("ge", self, other, lambda a, b: a >= b)

    def __and__(self, other):
        return _compare("and", self, other, lambda a, b: bool(a) and bool(b))

    __rand__ = __and__

    def __or__(self, other):
        return _compare("or", self, other, lambda a, b: bool(a) or bool(b))

    __ror__ = __or__

    def __invert__(self):
        return _compare("eq", self, 0, lambda a, b: a == b)


def is_int(value):
    """An integer PyPTO takes as one: not a bool by accident, not a NumPy number."""
    return isinstance(value, int)


def is_symbolic(value):
    return isinstance(value, SymbolicScalar)


def value_of(value):
    """The number, known to PyPTO or not."""
    return _value(value)


def concrete_of(value, what):
    """The number, which PyPTO must know while it compiles."""
    if is_int(value):
        return int(value)
    if is_symbolic(value):
        if value.is_concrete():
            return value._value
        raise TypeError(f"{what} must be a number known at compile time, not a symbolic integer")
    raise TypeError(f"{what} must be an integer, not {type(value).__name__}")


def _value(value):
    if isinstance(value, SymbolicScalar):
        return value._value
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"a symbolic integer does not combine with {type(value).__name__}")


def _terms(value):
    return value._terms if isinstance(value, SymbolicScalar) else {}


def _key(value):
    terms = _terms(value)
    if not terms:
        return _value(value)
    return (tuple(sorted(terms.items(), key=repr)), _value(value))


def _linear(left, right, sign):
    value = _value(left) + sign * _value(right)
    terms = dict(_terms(left))
    for atom, coefficient in _terms(right).items():
        total = terms.get(atom, 0) + sign * coefficient
        if total:
            terms[atom] = total
        else:
            terms.pop(atom, None)
    return SymbolicScalar(value, terms=terms)


def _atom(name, left, right, value, symmetric=False):
    if not _terms(left) and not _terms(right):
        return SymbolicScalar(value)
    keys = (_key(left), _key(right))
    if symmetric:
        keys = tuple(sorted(keys, key=repr))
    return SymbolicScalar(value, terms={(name, *keys): 1})


def _divide(left, right):
    a, b = _value(left), _value(right)
    if b == 0:
        raise ZeroDivisionError("Division or Mod by zero.")
    quotient = abs(a) // abs(b)
    return _atom("div", left, right, quotient if (a < 0) == (b < 0) else -quotient)


def _modulo(left, right):
    a, b = _value(left), _value(right)
    if b == 0:
        raise ZeroDivisionError("Division or Mod by zero.")
    remainder = abs(a) % abs(b)
    return _atom("mod", left, right, -remainder if a < 0 else remainder)


def _compare(name, left, right, test):
    if not isinstance(right, (int, SymbolicScalar)):
        return NotImplemented
    return _atom(name, left, right, int(test(_value(left), _value(right))))
