# ==== a guard that raises
from types import SimpleNamespace as NS
def f(x, n):
    if x.shape[0] != 4:
        raise ValueError
    must_know(x.shape[0])
    if n != 8:
        raise ValueError
    must_know(n)
outside.same(f)(NS(shape=(4, 8)), 8)
# ==== a guard that returns
from types import SimpleNamespace as NS
def f(x, n):
    rows = x.shape[0]
    if x.shape[0] != 4:
        see(rows, x.shape[0])
        return rows
    must_know(rows, x.shape[0], rows * 2 + 1)
    if n != 8 or x.shape[1] != 16:
        return 0
    must_know(n, x.shape[1])
    return 1
outside.same(f)(NS(shape=(4, 16)), 8)
outside.same(f)(NS(shape=(5, 16)), 8)
outside.same(f)(NS(shape=(4, 17)), 9)
# ==== what a guard that returns tells ends with its function
from types import SimpleNamespace as NS
def guard(x, rows):
    third = [rows // 3, (rows + 1) // 5]
    if x.shape[0] != 4:
        return third
    must_know(x.shape[0])
    see(third, (rows + 1) // 3, (rows + 7) % 5)
    return [rows // 3, (rows + 1) // 5]
def f(x):
    rows = x.shape[0]
    third = guard(x, rows)
    see(x.shape[0], rows, third, rows // 3, (rows + 1) // 3, (rows + 7) % 5)
    second = guard(x, rows)
    see(x.shape[0], rows, third, second)
outside.same(f)(NS(shape=(4, 16)))
outside.same(f)(NS(shape=(50, 16)))
# ==== guards in each other's functions
from types import SimpleNamespace as NS
def inner(x):
    if x.shape[1] != 8: return
    must_know(x.shape[1])
    see(x.shape[0])
def outer(x):
    if x.shape[0] != 4: return
    inner(x)
    must_know(x.shape[0])
    see(x.shape[1])
    if x.shape[1] == 9: return
    see(x.shape[1])
def f(x):
    outer(x)
    see(x.shape[0], x.shape[1])
outside.same(f)(NS(shape=(4, 8)))
outside.same(f)(NS(shape=(4, 9)))
outside.same(f)(NS(shape=(4, 10)))
outside.same(f)(NS(shape=(5, 8)))
# ==== the rank that a guard tells
from types import SimpleNamespace as NS
def rank(x):
    if len(x.shape) != 2: return 0
    must_know(len(x.shape))
    a, b = x.shape
    if a != 4: return 1
    must_know(a, x.shape[0])
    return 2
def f(x):
    rank(x)
    see(len(x.shape), x.shape[0])
outside.same(f)(NS(shape=(4, 8)))
outside.same(f)(NS(shape=(5, 8)))
outside.same(f)(NS(shape=(5, 8, 9)))
# ==== what a guard tells of numbers and names
def guard(n, m):
    if not (n == 4 and m == 2): return n
    must_know(n, m, n + m)
    return 7
def f(n, m):
    v = guard(n, m)
    see(n, m, v)
    for i in range(2):
        if n != 4:
            return
        must_know(n)
    see(n, m)
outside.same(f)(4, 2)
outside.same(f)(4, 3)
outside.same(f)(5, 2)
# ==== a guard in a loop that may not run, and one in an arm
def f(n, k):
    for i in range(k):
        if n != 4: return
    see(n)
    if outside.flag():
        if n != 5: return
        see(n)
    see(n)
for n in (4, 5, 6):
    outside.same(f)(n, 0)
    outside.same(f)(n, 1)
# ==== a kernel that is called behind a guard, and before it
from types import SimpleNamespace as NS
@pypto.frontend.jit
def kernel(x, n: int):
    see(n)
def f(x, n):
    kernel(x, n)
    if n != 4: return
    kernel(x, n)
    must_know(n)
def g(x, n):
    f(x, n)
    see(n)
outside.same(g)(pypto.Tensor(), 4)
outside.same(g)(pypto.Tensor(), 5)
# ==== a kernel that learns what it got from a factory
def make(n):
    @pypto.frontend.jit
    def kernel(x):
        if n != 4: return
        see(n)
    return kernel
def f(x, n):
    make(n)(x)
    see(n)
outside.same(f)(pypto.Tensor(), 4)
outside.same(f)(pypto.Tensor(), 5)
