# ==== instances
class A:
    shared = []
    n = 1
    def __init__(self, x, y=2):
        self.x = x
        self.y = y
    def total(self): return self.x + self.y + self.n
    def add(self, v):
        self.shared.append(v)
        return self
a, b = A(1), A(5, y=6)
must_know(a.x, a.y, b.total(), a.n)
a.add(1).add(2)
see(b.shared, A.shared, a.shared is b.shared)
a.n = 10
see(a.n, b.n, A.n, a.total())
A.n = 20
see(a.n, b.n)
c = a
c.x = 99
see(a.x, A.total(a), isinstance(a, A), isinstance(1, A), type(a) is A, type(a).__name__)
# ==== inheritance
class Base:
    tile = 1
    def __init__(self):
        self.tile = 64
        self.setup()
    def setup(self): self.kind = "base"
    def who(self): return "base"
class Child(Base):
    tile = 2
    def setup(self):
        super().setup()
        self.kind += "+child"
    def who(self): return "child of " + super().who()
class Other(Base):
    def __init__(self, n):
        super().__init__()
        self.n = n
    def who(self): return Base.who(self) + str(self.n)
see(Child().tile, Child().kind, Child().who(), Other(3).tile, Other(3).who(), isinstance(Child(), Base), isinstance(Base(), Child), issubclass(Child, Base))
# ==== several bases
class A:
    def f(self): return "A"
    v = "A"
class B(A):
    def f(self): return "B" + super().f()
class C(A):
    def f(self): return "C" + super().f()
    v = "C"
class D(B, C): pass
see(D().f(), D.v, B().f())
class L: v = "L"
class R: v = "R"; w = "R"
class M(L, R): pass
see(M.v, M.w)
# ==== methods of the class
class A:
    count = 0
    @classmethod
    def make(cls, n):
        cls.count += 1
        out = cls()
        out.n = n
        return out
    @staticmethod
    def twice(n): return n * 2
    @property
    def half(self): return self.n // 2
    @half.setter
    def half(self, v): self.n = v * 2
class B(A): pass
a = A.make(10)
see(a.n, a.half, A.twice(4), a.twice(5), A.count, B.make(2).half, B.count, A.count)
a.half = 50
see(a.n, a.half)
class P:
    def __init__(self): self._v = 1
    v = property(lambda self: self._v, lambda self, v: setattr(self, "_v", v + 100))
p = P()
p.v = 5
see(p.v, p._v)
import functools
class K:
    made = 0
    @functools.cached_property
    def x(self):
        K.made += 1
        return [K.made]
k = K()
k.x.append(5)
see(k.x, K.made)
# ==== special methods
class V:
    def __init__(self, v): self.v = v
    def __add__(self, o): return V(self.v + (o.v if isinstance(o, V) else o))
    def __radd__(self, o): return V(o + self.v)
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __len__(self): return self.v
    def __getitem__(self, i): return self.v * i
    def __call__(self, x): return x + self.v
    def __iter__(self): return iter(range(self.v))
    def __contains__(self, x): return x == self.v
    def __neg__(self): return V(-self.v)
    def __bool__(self): return self.v > 100
    def __str__(self): return "V!"
    def __int__(self): return 7
    def __hash__(self): return 1
    def __enter__(self): return 55
    def __exit__(self, *a): self.v = 66
    def __iadd__(self, o):
        self.v += o
        return self
    def __setitem__(self, k, v): self.v = v
    def __delitem__(self, k): self.v = -1
a, b = V(1), V(2)
see((a + b).v, (a + 5).v, (5 + a).v, a == V(1), a != b, a < b, len(b), b[10], b(3), list(b), 2 in b, (-a).v, bool(a), not b, str(a), f"{a}", int(a))
with V(5) as w: pass
see(w)
x = a
x += 5
see(a.v, x is a)
a[0] = 77
see(a.v)
del a[0]
see(a.v, 1 if b else 2)
# ==== attributes that are looked for
class A:
    def __init__(self): self.a = 1
    def __getattr__(self, name): return "found " + name
class S:
    def __setattr__(self, name, value): object.__setattr__(self, name, value * 2)
a, s = A(), S()
s.x = 5
see(a.a, a.zzz, s.x, getattr(a, "a"), getattr(a, "q", 3), hasattr(a, "b"))
class E: pass
e = E()
setattr(e, "x", 5)
see(getattr(e, "x"), getattr(e, "y", 6), hasattr(e, "x"), hasattr(e, "y"), e.__dict__, vars(e), e.__class__.__name__)
e.__dict__["z"] = 9
see(e.z)
# ==== attributes that are set in one way only
class C: pass
c = C()
c.v = 1
if outside.flag():
    c.w = 2
    c.v = outside.number()
see(hasattr(c, "w"), getattr(c, "w", "none"), c.v)
class D:
    w = "class"
d = D()
if outside.flag():
    d.w = "object"
see(d.w, getattr(d, "w", 0))
if outside.flag():
    D.w = "changed"
see(D.w, D().w)
# ==== bases from elsewhere
class N(outside.Base):
    kind = "n"
    def __init__(self, n):
        self.before = 1
        super().__init__(n, tile=128)
        self.after = 2
    def get(self): return self.kind
n = N(5)
see(n.before, n.after, n.kind, n.get())
class M(outside.Base):
    tile = 32
    x = 5
m = M(x=7)
see(m.tile, m.x, M.tile, isinstance(m, M))
# ==== classes made in functions, class bodies that run code
def make(n):
    class K:
        v = n
        def get(self): return self.v + n
    return K
see(make(1).v, make(2)().get())
class T:
    xs = []
    for i in range(3):
        xs.append(i)
    if outside.flag():
        y = 1
    else:
        y = 2
    z = [i for i in xs]
see(T.xs, T.i, T.y, T.z)
# ==== named tuples
import collections, typing
P = collections.namedtuple("P", "x y")
Q = collections.namedtuple("Q", ["a", "b"], defaults=[5])
class R(typing.NamedTuple):
    m: int
    n: int = 7
    def total(self): return self.m + self.n
p, r = P(1, 2), R(3)
see(p.x, p[1], p == (1, 2), Q(1).b, r.n, r.total(), r._replace(m=9).m, r.m, len(r), list(p), r[-1], p._replace(x=5)[0], R._fields, p._asdict())
x, y = p
see(x, y, r + (1,), 3 in r, max(p), r[0:1], isinstance(r, tuple), bool(R(0, 0)), P(y=1, x=2).x, [v for v in p])
# ==== enumerations
import enum
class Color(enum.Enum):
    RED = 1
    GREEN = 2
    ALIAS = 1
    def double(self): return self.value * 2
class Size(enum.IntEnum):
    SMALL = 16
    BIG = 64
class Auto(enum.Enum):
    A = enum.auto()
    B = enum.auto()
class Name(str, enum.Enum):
    X = "x"
class Flag(enum.Flag):
    P = 1
    Q = 2
see(Color.RED.value, Color.RED.name, Color.RED == 1, Color.RED == Color.RED, Color.RED is Color.ALIAS, Color.GREEN.double(), Color(2).name, Color["RED"].value)
see(Size.BIG + 1, Size.BIG * 2, Size.BIG == 64, Size.BIG > Size.SMALL, Size.BIG // 3, [0] * Size.SMALL == [0] * 16, list(range(Size.SMALL))[-1], max(Size.BIG, 5))
see(Auto.B.value, [c.name for c in Color], len(Color), Name.X == "x", Name.X.value, (Flag.P | Flag.Q).value, {Color.RED: 5}[Color.RED], Color.RED != Color.GREEN)
see({Size.BIG: 5}[64], isinstance(Size.BIG, int), isinstance(Color.RED, Color), Color.RED in (Color.GREEN,), bool(Color.RED), int(Size.BIG), Size(16).name)
see(Color.RED, Size.BIG, [Color.RED])
