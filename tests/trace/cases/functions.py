# ==== call forms
def f(a, b=2, *rest, c=3, **named):
    return (a, b, rest, c, named)
must_know(f(1), f(1, 5), f(1, 5, 6, 7), f(1, c=9), f(b=1, a=2))
see(f(1, x=5), f(*[1, 2, 3]), f(**{"a": 1, "c": 4}), f(*(1,), **{"b": 7, "z": 8}), f(1, *[2], 3, *[4], k=0))
def g(a, /, b, *, c): return a, b, c
must_know(g(1, 2, c=3), g(1, b=2, c=3))
def h(a=1, /, **named): return a, named
see(h(a=2), h(5, a=6))
def only(*, a, b=1): return a, b
see(only(a=5), only(b=2, a=3))
# ==== what is unpacked and not known moves the rest
def f(a=1, b=2, *rest, c=3, **named): return a, b, rest, c, named
u = outside.same([7, 8])
see(f(*u), f(*u, 5), f(0, *u), f(0, *u, c=9), f(*u, b=4) if False else 0)
w = outside.same({"b": 5})
see(f(**w), f(1, **w), f(**w, c=6), f(**w, z=1))
# ==== what follows something unpacked that is not known has one place, or none
u, v = outside.same([7, 8]), outside.same([9])
def f(x, a, b, shape, k=0): return x, a, b, shape, k
r = f(1, *u, 5, k=6)
must_know(r[0], r[3], r[4])
see(r, f(*u, 3, 4, k=0), f(*u, *v, 5, k=1), f(1, *u, 5, 6) if False else 0)
r = f(*v, *u, 4, k=2)
must_know(r[3], r[4])
r = f(*[1, 2], *v, *[5], k=0)
must_know(r[0], r[1], r[3])
see(r)
def g(x, a, b=2, c=3): return x, a, b, c
see(g(1, *v, 5), g(1, *u, 5), g(*v, 1), g(*v, 1, c=4), g(*u, 4, 5))
r = g(*v, 1, b=4)
must_know(r[1], r[2])
def rest(x, *more, k=0): return x, more, k
see(rest(1, *u, 5, k=1), rest(*u, 5), rest(*u, *v, 5, 6))
def named(x, a, **others): return x, a, others
see(named(*v, 4, z=1), named(*v, 4))
w = outside.same({"b": 3})
def open_names(x, a, b): return x, a, b
see(open_names(*v, 4, **w))
class Holder:
    def __init__(self, x, a, b): self.x, self.a, self.b = x, a, b
    def both(self, a, b, c): return a, b, c
h = Holder(1, *v, 6)
must_know(h.x, h.b)
see(h.a)
r = h.both(*u, 4)
must_know(r[2])
see(r)
from functools import partial
see(partial(f, 1)(*u, 5, k=3))
# ==== many numbers, of which each stands for all
def numbers():
    seen = []
    for i, x in enumerate(range(0, 400, 4), 10):
        seen.append(x)
    return i, x, len(seen)
see(numbers())
last = []
for (h) in range(3): last = [h]
see(h, last)
for (h) in range(300): last = [h, h << 2, h >> 1, (h + 1) << 2]
see(h, last)
for x in reversed(range(200)): last = [x]
see(x, last)
for x, (y, z) in zip(range(100), enumerate(tuple(range(5, 305, 3)))): last = [x, y, z]
see(x, y, z, last)
items = list(range(100))
for x in items:
    last = x
    if x < 10: items.append(1)
see(x, last, len(items))
for x in list(range(200)): last = x
else: last = (x, last)
see(last)
for x in [*range(70), 3]: last = x
see(x, last)
for (h,) in [(1,), (2,)]: last = h
must_know(h)
# ==== defaults are evaluated once
def f(x, into=[]):
    into.append(x)
    return into
see(f(1), f(2), f(3, []), f(4))
n = 1
def g(x=n): return x
n = 2
must_know(g(), n)
def h(d={}):
    d["n"] = d.get("n", 0) + 1
    return d["n"]
see(h(), h(), h())
# ==== arguments are shared, not copied
def change(x, y):
    x.append(1)
    y["k"] = 2
    x = [5]
    return x
a, b = [], {}
must_know(change(a, b), a, b)
def nested(x):
    x[0].append(9)
t = ([1],)
nested(t)
see(t)
# ==== recursion
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
must_know(fact(3))
see(fact(5), fact(10), fact(25))
log = []
def down(n):
    log.append(n)
    if n > 0: down(n - 1)
down(10)
see(len(log), log)
count = 0
def deep(n):
    global count
    count += 1
    return 0 if n == 0 else deep(n - 1)
deep(20)
see(count)
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
see(even(12), odd(7))
box = {"n": 0}
def bump(n):
    box["n"] += 1
    if n: helper(n)
def helper(n): bump(n - 1)
bump(15)
see(box["n"], box)
# ==== returns in one way only
def f(x):
    y = 1
    if outside.flag():
        y = 2
        return y
    y = 3
    if outside.flag():
        return "a"
    return y + x
see(f(1), f(2))
def g(log):
    log.append("in")
    if outside.flag():
        log.append("early")
        return 1
    log.append("late")
seen = []
see(g(seen))
see(seen, len(seen), seen[0])
state = {"mode": 0}
def h():
    state["mode"] = 1
    if outside.flag():
        return
    state["mode"] = 2
h()
see(state["mode"], state)
n = 0
def k():
    global n
    n = 1
    if outside.flag():
        n = 2
        return 5
    n = 3
see(k())
see(n)
def loop():
    for i in range(5):
        if i == 3:
            return i
    return -1
see(loop())
def search(xs):
    for i, x in enumerate(xs):
        if outside.flag():
            return i
    return None
see(search("abc"))
def nothing(): pass
def bare(): return
see(nothing(), bare())
# ==== lambdas and closures bind late
fs = [lambda: i for i in range(3)]
see(fs[0](), fs[2](), [f() for f in fs])
gs = [lambda i=i: i for i in range(3)]
see(gs[0](), [g() for g in gs])
x = 1
get = lambda: x
x = 2
see(get())
def make():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def read(): return n
    return inc, read
inc, read = make()
inc(); inc(5)
other, _ = make()
see(read(), inc(), other(), read())
def outer():
    v = 1
    def inner(): return v
    v = 2
    return inner
see(outer()())
see((lambda *a, **k: (a, k))(1, b=2), (lambda a, b=5: a + b)(1), (lambda: (yield))() is None)
add = lambda n: lambda m: n + m
see(add(1)(2))
# ==== functions are values
def twice(f, x): return f(f(x))
table = {"neg": lambda v: -v, "double": lambda v: v * 2}
see(twice(table["double"], 3), table["neg"](5), (abs if True else len)(-2), [f(4) for f in table.values()], twice.__name__)
import functools
p = functools.partial(twice, lambda v: v + 1)
see(p(5), functools.partial(max, 3)(1, 2), functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]), functools.reduce(lambda a, b: a + b, [], 9))
q = functools.partial(dict, a=1)
see(q(b=2), q(a=3))
# ==== decorators of the program
def double(f):
    def run(*args, **named): return 2 * f(*args, **named)
    return run
def tag(name):
    def wrap(f):
        f.tag = name
        return f
    return wrap
@double
def five(): return 5
@tag("t")
@double
def six(n): return n
@functools.wraps(five)
def seven(): return 7
@functools.lru_cache
def cached(): return [1]
@functools.lru_cache(maxsize=None)
def cached2(n): return [n]
cached().append(2)
cached2(1).append(5)
see(five(), six(4), six.tag, seven(), cached(), cached2(1), cached2(2))
# ==== decorators from elsewhere
@outside.decorate
def one(): return 1
@outside.apart
def two(): return 2
see(one(), two())
# ==== generators
def gen(n):
    for i in range(n):
        yield i * 2
see(list(gen(3)), sum(gen(4)), [x for x in gen(2)], next(gen(5)), dict(zip("ab", gen(2))))
log = []
def noisy():
    log.append("start")
    yield 1
    log.append("end")
g = noisy()
see(len(log))
next(g)
see(len(log))
for _ in g: pass
see(log)
def delegating():
    yield from [1, 2]
    return 5
see(list(delegating()))
total = 0
for v in gen(3):
    total += v
see(total)
# ==== iterators are used up
it = iter([1, 2, 3])
see(next(it), list(it), list(it))
z = zip([1, 2], [3, 4])
see(list(z), list(z))
m = map(str, [1, 2])
see(next(m), list(m), next(m, "none"))
g = (i for i in range(3))
see(sum(g), sum(g))
e = enumerate("abc")
for i, c in e:
    break
see(i, c, list(e))
r = reversed([1, 2, 3])
see(next(r), [*r])
it = iter("abc")
a, *b = it
see(a, b, list(it))
f = filter(lambda v: v, [0, 1, 2])
see(1 in f, list(f))
it = iter([1, 2, 3, 4])
see([(a, b) for a, b in zip(it, it)])
# ==== iterators are lazy
xs = [1, 2]
k = 10
g = (x + k for x in xs)
k = 20
xs.append(3)
see(list(g))
seen = []
m = map(lambda v: seen.append(v) or v, [1, 2])
see(len(seen))
list(m)
see(seen)
a = [1]
z = zip(a, a)
a.append(2)
see(list(z), any(x > 1 for x in a))
order = []
for x in map(lambda v: order.append(("f", v)) or v, [1, 2]):
    order.append(("body", x))
see(order)
# ==== async and await
async def co(): return 5
log = []
async def noisy(): log.append(1)
c = noisy()
see(len(log))
c.close()
