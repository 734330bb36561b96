# ==== global and nonlocal
x = 1
def f():
    global x
    x = 2
def g():
    x = 5
    def h():
        nonlocal x
        x = 6
    h()
    return x
f()
must_know(x, g(), x)
def new():
    global made
    made = 7
new()
see(made)
def outer():
    x = "outer"
    def inner():
        global x
        return x
    return inner()
see(outer())
def outer2():
    global y
    y = 1
    def inner(): return y
    return inner()
y = 0
see(outer2(), y)
def shadow():
    x = 10
    def set_global():
        global x
        x = 11
    set_global()
    return x
see(shadow(), x)
# ==== classes have a scope that functions skip
n = 1
class A:
    n = 2
    def get(self): return n
    m = n
    xs = [n for _ in range(2)]
    ys = [v for v in [n]]
    f = lambda self: n
see(A().get(), A.m, A.xs, A.ys, A().f())
def make():
    k = 5
    class B:
        k = 6
        v = k
        def get(self): return k
    return B
see(make().v, make()().get())
# ==== comprehensions have their own
i = 10
xs = [i for i in range(3)]
must_know(i, xs)
{j: 1 for j in "ab"}
see(i, "j" in globals())
[last := v for v in range(4)]
see(last)
def f():
    ys = [(w := v) + 1 for v in (5, 6)]
    return w, ys
see(f())
if (count := len("abc")) > 2:
    see(count)
total = 0
see([total := total + v for v in (1, 2, 3)], total)
see(any((hit := v) > 1 for v in (1, 2, 3)), hit)
# ==== loops leave their variable
for i in range(3): pass
see(i)
for a, b in [(1, 2), (3, 4)]: pass
see(a, b)
for empty in []: pass
else: empty = "none"
see(empty)
k = "before"
for k in (): pass
see(k)
# ==== names that hide built-in ones
def f(max): return max
def len(x): return 99
see(f(3), len([1]))
sum = 5
see(sum)
from math import pow
see(pow(2, 3))
# ==== a local name of one branch
v = "global"
def f():
    if outside.flag():
        v = "local"
    try:
        return v
    except UnboundLocalError:
        return "unbound"
see(f())
def g():
    del_me = 1
    del del_me
    try:
        return del_me
    except NameError:
        return "gone"
see(g())
def h():
    try:
        a = v
    except UnboundLocalError:
        a = "unbound"
    v = 1
    return a
see(h())
# ==== default values see the scope around
n = 1
class C:
    n = 2
    def f(self, v=n): return v
see(C().f())
# ==== the name of the module
see(__name__ == "__main__", __name__)
if __name__ == "__main__":
    ran = 1
see(ran)
# ==== functions that other functions set up
mode = 1
def configure():
    global mode
    mode = 2
def use(): return mode
configure()
must_know(use())
table = []
def register(f):
    table.append(f)
    return f
@register
def one(): return 1
@register
def two(): return 2
see(len(table), [f() for f in table])
