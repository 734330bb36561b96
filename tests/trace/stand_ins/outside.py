"""What the tracer cannot see: a library that is not there when it looks. Each world answers in another way."""
import contextlib
import random

_random = random.Random(0)
_kept = []


def begin(world):
    _random.seed(world)
    _kept.clear()


def flag():
    return _random.random() < 0.5


def number():
    return _random.choice([0, 1, 2, 3, 5, 16, 64, -1, 1000])


def same(x):
    return x


def touch(x):
    if isinstance(x, list):
        for item in x:
            touch(item)
        x.append(77)
    elif isinstance(x, dict):
        for item in x.values():
            touch(item)
        x["touched"] = 77
    elif isinstance(x, set):
        x.add(77)
    elif isinstance(x, tuple):
        for item in x:
            touch(item)
    elif hasattr(x, "__dict__"):
        for name in list(vars(x)):
            touch(getattr(x, name))
            with contextlib.suppress(AttributeError):
                setattr(x, name, 77)
    return x


def keep(x):
    _kept.append(x)


def stir():
    for x in _kept:
        touch(x)


def call(function, *args, **named):
    # What happens inside is out of the tracer's sight: it claims nothing of it.
    import pypto

    pypto.muted += 1
    try:
        return function(*args, **named)
    finally:
        pypto.muted -= 1


def fail():
    if flag():
        raise ValueError("outside")


def decorate(function):
    return lambda *args, **named: 4321


def apart(function):
    """A decorator that never calls what it is given."""
    return function


@contextlib.contextmanager
def forgiving():
    with contextlib.suppress(Exception):
        yield 4321


class Base:
    def __init__(self, *args, **named):
        for i, value in enumerate(args):
            setattr(self, f"given{i}", value)
        for name, value in named.items():
            setattr(self, name, value)
        self.tile = 4321
