# ==== if
x = 5
if x > 3: y = "big"
elif x > 1: y = "mid"
else: y = "small"
must_know(y, "a" if x else "b", "a" if not x else "b" if x > 4 else "c")
if outside.flag():
    z = 1
elif outside.flag():
    z = 2
see(z if "z" in globals() else None)
w = 1
if outside.flag():
    w = 1
else:
    w = 1
must_know(w)
v = [1]
if outside.flag():
    v.append(2)
    u = v
else:
    u = [3]
see(v, u, len(u))
u.append(9)
see(v, u)
t = 1 if outside.flag() else 2
see(t, 5 if outside.flag() else 5)
# ==== both arms change one object
d = {"a": 1}
x = [1, 2]
if outside.flag():
    d["a"] = 2
    x[0] = 5
else:
    d["a"] = 3
    x[0] = 5
see(d["a"], d, x[0], x)
# ==== for
out = []
for i in range(3):
    out.append(i)
must_know(i)
see(out)
total = 0
for i in [1, 2, 3]:
    if i == 2: continue
    total += i
see(total, i)
for i in range(10):
    if i == 4: break
else:
    i = "never"
see(i)
for i in range(3): pass
else: i = "done"
see(i)
for i in range(100):
    if i * i > 50: break
see(i)
for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]:
    s = a + b + c
see(s, a, b, c)
d = {}
for d["k"] in range(3): pass
see(d)
x = [0]
for x[0] in (7, 8): pass
see(x)
# ==== loops whose trips are not known
n = outside.number()
x, y, xs = 1, 1, []
for i in range(n):
    x = 2
    y += 1
    xs.append(i)
see(x, y, xs, len(xs))
last = "none"
for item in outside.same([4, 5]):
    last = item
see(last)
k = 0
for i in range(abs(n) + 1):
    k = 3
see(k)
found = None
for i in range(5):
    if outside.flag():
        found = i
        break
see(found, i)
state = "start"
for i in range(n):
    if outside.flag():
        state = "broke"
        break
    if outside.flag():
        state = "went on"
        continue
    state = "end"
else:
    state = state + "!"
see(state)
# ==== what iterations hand to each other
a, b, c, e = 1, 1, 1, 2
for i in range(outside.number()):
    a, b, c = b, c, e
see(a, b, c)
p, q = 0, 1
for i in range(100):
    p, q = q, p + q
see(p, q)
m = [1, 1, 1, 1]
for i in range(100):
    m[0], m[1], m[2] = m[1], m[2], 5
see(m)
flip = False
for i in range(101):
    flip = not flip
see(flip)
first = True
count = 0
for i in range(200):
    if first:
        first = False
        continue
    count += 1
see(first, count)
acc = []
for i in range(100):
    acc = acc + [i] if i < 2 else acc
see(acc, len(acc))
j = 0
for i in range(80):
    prev = j
    j = i
see(prev, j)
f = lambda: 0
for i in range(100):
    g = f
    f = lambda: i
see(g(), f())
x = 1
def read(): return x
got = []
for i in range(3):
    got.append(read())
    x = i + 5
see(got, x)
x = 1
for i in range(100):
    y = read()
    x = 7
see(y, x)
class Box: pass
box = Box()
box.v = 1
for i in range(100):
    w = box.v
    box.v = 2
see(w, box.v)
tile, old = 1, 1
for i in range(90):
    old = tile
    if i > 50:
        tile = 2
see(old, tile)
# ==== nested loops
out = []
for i in range(3):
    for j in range(i):
        if j == 1: break
        out.append((i, j))
    else:
        out.append(i)
see(out)
grid = [[0] * 3 for _ in range(3)]
for i in range(3):
    for j in range(3):
        grid[i][j] = i * 3 + j
see(grid)
v = 0
for i in range(100):
    w = v
    for j in range(100):
        v = w
        u = v
    v = 5
see(v, w, u)
z = 0
for i in range(70):
    if i == 1: z = 9
    a = z
    z = 3
    for j in range(70):
        b = z
see(a, b, z)
# ==== while
n = 0
while n < 5:
    n += 1
must_know(n)
while True:
    n += 1
    if n > 8: break
must_know(n)
while n > 0:
    n -= 3
else:
    n = "done"
see(n)
k = 0
while outside.flag():
    k += 1
see(k)
k, m = 0, [1]
while outside.flag():
    k, j = 5, 6
    m.append(2)
    for q in range(2): pass
    with open("/dev/null") as w: pass
    import math as r
    def s(): return 2
see(k, m, len(m))
while True:
    if outside.flag(): break
    k = 7
see(k)
x = 1000
steps = 0
while x > 1:
    x //= 2
    steps += 1
see(steps, x)
n = 0
while n < 1000:
    n += 1
see(n)
while (line := outside.number()) > 2:
    k = line
see(line > 2)
# ==== lists that change while they are gone through
x = [1, 2, 3]
for v in x:
    if len(x) < 6: x.append(v * 10)
see(x)
y = [1, 2, 3, 4]
for v in y:
    y.remove(v)
see(y)
z = [3, 2, 1]
for i, v in enumerate(z):
    z[i] = v * 2
see(z)
for v in z[:]:
    z.remove(v)
see(z)
# ==== match
def kind(x):
    match x:
        case 0: return "zero"
        case 1 | 2: return "small"
        case -1: return "minus"
        case "a": return "letter"
        case None: return "none"
        case True: return "true"
        case [a, b]: return ("pair", a, b)
        case [first, *rest]: return ("list", first, rest)
        case {"k": v, **more}: return ("dict", v, more)
        case (int() | float()) as n if n > 100: return ("big", n)
        case str(s): return ("text", s)
        case _: return "other"
see(kind(0), kind(2), kind(-1), kind("a"), kind(None), kind([1, 2]), kind((1, 2, 3)), kind({"k": 5, "m": 6}), kind(500), kind(50), kind("zz"), kind([]), kind(1.5))
see(kind(True), kind(False), kind(outside.number()), kind(1.0), kind({}), kind("ab"))
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class K: LIMIT = 5
x = "outer"
match Point(1, 2):
    case Point(x=0): got = "zero"
    case Point(1, y): got = ("one", y)
    case _: got = "none"
see(got, y)
match 5:
    case K.LIMIT: got = "limit"
    case x: got = "any"
see(got, x)
match 7:
    case x if x > 10: got = "guarded"
    case _: got = "rest"
see(got, x)
match outside.number():
    case 1: r = "one"
    case n if n > 2: r = n
    case [q]: r = q
    case _: pass
see(r if "r" in globals() else 0)
calls = []
match 3:
    case n if calls.append(n) or n == 4: m = 1
    case n if calls.append(n) or n == 3: m = 2
see(calls, m, n)
match (1, [2, 3]):
    case (a, [b, *_]): see(a, b)
match {"x": {"y": 1}}:
    case {"x": {"y": z}}: see(z)
# ==== a return, a break in every arm
def f():
    for i in range(10):
        if outside.flag(): return i
        else: return i + 100
    return -1
def g():
    x = 0
    for i in range(outside.number()):
        x = 1
        return x
    return x
def h(log):
    for i in range(3):
        if outside.flag():
            log.append(i)
            break
        else:
            log.append(-i)
            return "r"
    return "e"
log = []
see(f(), g(), h(log))
see(log)
def w():
    n = 0
    while True:
        n += 1
        if outside.flag(): return n
        if outside.flag(): break
        if n > 5: break
    return n * 100
see(w())
