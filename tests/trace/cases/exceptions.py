# ==== try that raises for sure
log = []
try:
    log.append(1)
    raise ValueError("x")
    log.append(2)
except ValueError as e:
    log.append(3)
else:
    log.append(4)
finally:
    log.append(5)
see(log, "e" in globals())
try:
    x = {}["k"]
except KeyError:
    x = "missing"
see(x)
try:
    y = [1][5]
except (IndexError, KeyError):
    y = "beyond"
see(y)
try:
    z = int("abc")
except TypeError:
    z = "type"
except ValueError:
    z = "value"
see(z)
try: q = undefined_name
except NameError: q = "unbound"
see(q)
try: q = (1).nothing
except AttributeError: q = "no attribute"
see(q)
try: q = 1 + "a"
except TypeError: q = "type"
see(q)
try: q = 1 // 0
except ArithmeticError: q = "zero"
see(q)
try: q = None.x
except Exception: q = "none"
see(q)
try: q = [] < 1
except TypeError: q = "order"
see(q)
try: a, b = [1]
except ValueError: a = b = "few"
see(a, b)
# ==== functions that raise
def check(x):
    if x > 3:
        raise ValueError(x)
    return x
try:
    check(1)
    t = 1
    check(5)
    t = 2
except ValueError:
    u = "caught"
see(t, u)
def fail(): raise RuntimeError
def deep(): fail(); return 1
try: v = deep()
except RuntimeError: v = "deep"
see(v)
class Mine(Exception):
    def __init__(self, code): self.code = code
class Sub(Mine): pass
try: raise Sub(5)
except ValueError: w = 1
except Mine as e: w = e.code
see(w)
try:
    try: raise Mine(1)
    except ValueError: x = "inner"
    finally: f = "ran"
except Mine: x = "outer"
see(x, f)
try:
    try: raise Mine(1)
    except Mine: raise ValueError
except ValueError: x = "second"
see(x)
try:
    try: raise Mine(7)
    except Mine: raise
except Mine as m: x = m.code
see(x)
# ==== what may raise
n = 1
try:
    n = 2
    outside.fail()
    n = 3
except ValueError:
    see(n)
    m = "caught"
else:
    m = "went through"
see(n, m)
xs = []
try:
    xs.append(1)
    outside.fail()
    xs.append(2)
    outside.fail()
    xs.append(3)
except Exception:
    see(xs[:1], len(xs) if False else 0)
see(xs, len(xs), xs[0])
d = {"k": 0}
try:
    d["k"] = 1
    outside.fail()
    d["k"] = 2
finally:
    see(d["k"])
# ==== the handler sees what was done before
s = "start"
try:
    s = "one"
    outside.fail()
    s = "two"
    s = "one"
except ValueError:
    r = s
else:
    r = "no"
see(r, s)
a = 0
try:
    for i in range(5):
        a = i
        outside.fail()
except ValueError:
    pass
see(a)
# ==== finally and return
def f():
    try: return 1
    finally: log.append("f")
def g():
    try: return 1
    finally: return 2
def h():
    for i in range(3):
        try:
            if i == 1: break
            continue
        finally:
            log.append(i)
    return i
def k():
    try:
        outside.fail()
        return "body"
    except ValueError:
        return "handler"
    finally:
        log.append("k")
log = []
see(f(), g(), h(), k(), log)
def w():
    x = 1
    try:
        x = 2
        return x
    finally:
        x = 3
see(w())
# ==== imports that fail
try:
    import nothing_of_this_name
    have = True
except ImportError:
    have = False
see(have)
try:
    from outside import number as num
except ImportError:
    num = None
see(num is None)
try:
    import json
except ImportError:
    json = None
see(json is None)
# ==== assert
try:
    assert 1 > 2, "no"
    b = 1
except AssertionError:
    b = 2
see(b)
def chk(x):
    assert x > 0
    return x
try: c = chk(-1)
except AssertionError: c = "bad"
see(c, chk(5))
# ==== with
import contextlib
with contextlib.suppress(KeyError):
    v = 1
    {}["k"]
    v = 2
see(v)
with outside.forgiving():
    v = 3
    outside.fail()
    v = 4
see(v)
with outside.forgiving() as got:
    pass
see(got)
class M:
    def __init__(self, quiet): self.quiet = quiet; self.log = []
    def __enter__(self): self.log.append("in"); return self
    def __exit__(self, kind, value, trace): self.log.append("out"); return self.quiet
m = M(True)
with m as same:
    x = 1
    raise ValueError
see(m.log, same is m, x)
with M(False) as q, M(False) as r:
    y = 2
see(y, q.log, r.log)
with contextlib.nullcontext(5) as five: pass
see(five)
@contextlib.contextmanager
def managed(log):
    log.append("enter")
    yield 9
    log.append("leave")
log = []
with managed(log) as nine:
    log.append("body")
see(nine, log)
with open("/dev/null") as f, open("/dev/null"):
    z = 7
see(z)
def early():
    with m:
        return 1
    return 2
see(early())
# ==== raising in loops
out = []
for i in range(4):
    try:
        if i % 2: raise ValueError
        out.append(i)
    except ValueError:
        out.append(-i)
see(out)
k = 0
while True:
    try:
        k += 1
        if k == 3: raise StopIteration
    except StopIteration:
        break
see(k)
it = iter([1, 2])
got = []
try:
    while True: got.append(next(it))
except StopIteration: got.append("end")
see(got)
for i in range(100):
    try:
        outside.fail()
        t = "ok"
    except ValueError:
        t = "failed"
        continue
    finally:
        u = i
see(t)
# ==== a frozen value
from dataclasses import dataclass
@dataclass(frozen=True)
class F: a: int = 1
f = F()
try:
    f.a = 2
    r = "set"
except Exception as e:
    r = "frozen"
see(f.a, r)
# ==== what nobody catches runs finally on its way
i = 0
try:
    outside.flag()
    [][0]
except ValueError:
    i = 7
finally:
    see(i)
# ==== what a handler raises runs finally on its way
i = 0
try:
    outside.fail()
except ValueError:
    i = 1
    if outside.flag(): outside.fail()
    i = 2
finally:
    see(i)
see(i)
