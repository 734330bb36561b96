# ==== two names of one list
a = [1]
b = a
c = [a, a]
b.append(2)
must_know(a, c)
c[0].append(3)
must_know(a, b, c)
b = b + [4]
see(a, b)
d = {"x": a}
d["x"].append(9)
see(a, c, d)
e = dict(d)
e["x"].append(8)
e["y"] = 1
see(a, d, e)
f = list(c)
f.append(0)
f[0].append(7)
see(len(c), a)
# ==== one of two lists
a, b = [1], [2]
x = a if outside.flag() else b
x.append(5)
see(a, b, x, len(a))
if outside.flag(): y = a
else: y = b
y[0] = 99
see(a[0], b[0], y[0])
p, q = {"k": 1}, {"k": 1}
r = p if outside.flag() else q
r["k"] = 2
see(p["k"], q["k"], r["k"])
class C: pass
m, n = C(), C()
m.v = n.v = 1
o = m if outside.flag() else n
o.v = 2
see(m.v, n.v, o.v)
u, v = [1, 2], [1, 2]
w = u if outside.flag() else v
see(w, w[0], u, v)
w.clear()
see(u, v)
s, t = [[0]], [[0]]
for z in (s if outside.flag() else t): z.append(1)
see(s, t)
# ==== an element that is not known
rows = [[0], [0], [0]]
rows[outside.number() % 3].append(1)
see(rows, rows[0], len(rows[0]), len(rows))
table = {"a": [], "b": []}
table["a" if outside.flag() else "b"].append(1)
see(table["a"], table)
grid = [[0, 0], [0, 0]]
row = grid[outside.number() % 2]
row[0] = 5
see(grid[0][0], grid)
objs = [C(), C()]
for k in objs: k.n = 0
objs[outside.number() % 2].n = 1
see(objs[0].n, objs[1].n)
picked = outside.same(rows)[0]
picked.append(5)
see(rows[0])
# ==== what is handed to a library may be changed there
x = [1, [2]]
outside.touch(x)
see(x, len(x), x[1])
d = {"k": [1]}
outside.touch(d)
see(d, d["k"], "touched" in d)
class K:
    def __init__(self): self.v = 1; self.xs = [1]
k = K()
outside.touch(k)
see(k.v, k.xs)
t = ([1], 2)
outside.touch(t)
see(t, t[1])
s = {1}
outside.touch(s)
see(s, len(s))
y = [1]
z = [y]
outside.touch(z)
see(y)
n = 5
outside.touch(n)
must_know(n)
# ==== and may be kept and changed later
x = [1]
outside.keep(x)
must = len(x)
outside.stir()
see(x, len(x))
d = {"k": 1}
outside.keep({"inside": d})
d["k"] = 2
outside.stir()
see(d)
# ==== a library may call what it is given
n = 0
def bump():
    global n
    n += 1
    return n
outside.call(bump)
see(n)
xs = []
outside.call(lambda: xs.append(1))
see(xs, len(xs))
outside.call(xs.append, 2)
see(len(xs))
class Q:
    def __init__(self): self.n = 0
    def inc(self): self.n += 1
q = Q()
outside.call(q.inc)
see(q.n)
def outer():
    v = 1
    def set_v():
        nonlocal v
        v = 2
    outside.call(set_v)
    return v
see(outer())
state = {"n": 0}
def indirect(): helper()
def helper(): state["n"] += 1
outside.call(indirect)
see(state["n"], state)
import functools
outside.call(functools.partial(xs.append, 3))
see(len(xs))
outside.keep(bump)
outside.stir()
see(n)
# ==== libraries that change what they get
import random, heapq, bisect
x = [3, 1, 2]
random.shuffle(x)
see(x, len(x))
h = [5, 3]
heapq.heapify(h)
heapq.heappush(h, 1)
see(h, len(h))
b = [1, 3]
bisect.insort(b, 2)
see(b, len(b))
# ==== self and methods that keep
class Store:
    def __init__(self, xs): self.xs = xs
    def add(self, v): self.xs.append(v)
    def give(self): return self.xs
base = [1]
s = Store(base)
s.add(2)
s.give().append(3)
see(base, s.xs)
f = s.add
f(4)
see(base)
g = base.append
g(5)
see(base)
class Chain:
    def __init__(self): self.log = []
    def put(self, v): self.log.append(v); return self
see(Chain().put(1).put(2).log)
# ==== joined then changed through the joined name, then read through the other
cfg_a, cfg_b = {"t": 1}, {"t": 2}
cfg = cfg_a if outside.flag() else cfg_b
see(cfg["t"], cfg_a["t"], cfg_b["t"])
cfg["t"] = 9
see(cfg_a["t"], cfg_b["t"])
items = [cfg_a, cfg_b]
for it in items: it["t"] = 0
see(cfg_a, cfg_b)
xs = [1, 2, 3]
def pick(): return xs if outside.flag() else None
got = pick()
if got is not None: got.append(4)
see(xs, len(xs))
