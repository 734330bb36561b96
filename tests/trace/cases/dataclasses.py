# ==== fields, defaults, factories
from dataclasses import dataclass, field, replace, asdict, astuple, fields
import dataclasses
@dataclass
class C:
    a: int
    b: int = 2
    c: list = field(default_factory=list)
    d: dict = field(default_factory=lambda: {"k": 1})
    e: int = field(default=9)
x, y = C(1), C(5, 6, e=7)
must_know(x.a, x.b, x.c, x.d, x.e, y.a, y.b, y.e)
x.c.append(1)
see(x.c, y.c, C(1).c, C.b, C.e, hasattr(C, "a"), hasattr(C, "c"), x == C(1, 2, [1]), x != y)
# ==== replace makes a new one
@dataclass
class C:
    a: int = 1
    b: list = field(default_factory=list)
    twice: int = 0
    def __post_init__(self): self.twice = self.a * 2
x = C(3)
y = replace(x, a=5)
y.b.append(1)
see(x.a, x.twice, y.a, y.twice, x.b, y.b, replace(x).a, dataclasses.replace(x, b=[7]).b)
x.a = 50
see(x.twice, replace(x).twice, asdict(x), astuple(x), [f.name for f in fields(x)])
# ==== inheritance
@dataclass
class A:
    a: int = 1
    b: int = 2
@dataclass
class B(A):
    c: int = 3
    a: int = 10
class D(A):
    d: int = 5
    b = 99
@dataclass
class E(D):
    e: int = 6
see(B().a, B().c, B(7).a, B(7, 8, 9).c, D().b, D(4).a, D.d, D.b, E().e, E(1, 2, 3).e, E().b)
# ==== frozen
@dataclass(frozen=True)
class F:
    a: int = 1
    b: int = field(init=False, default=0)
    def __post_init__(self): object.__setattr__(self, "b", self.a + 1)
f = F(5)
try:
    f.a = 9
except Exception:
    pass
see(f.a, f.b, replace(f, a=7).b, {F(1): 2}.get(F(1)), F(1) == F(1))
# ==== options of fields
@dataclass
class G:
    a: int
    b: int = field(init=False)
    c: int = field(default=3, repr=False)
    d: int = field(kw_only=True, default=4)
    n: "dataclasses.InitVar[int]" = 10
    k: dataclasses.InitVar[int] = 20
    def __post_init__(self, n=None, k=None): self.b = self.a * (k or 1)
see(G(2).b, G(2, 5).c, G(2, d=7).d, G(2, 5, k=3).b)
from typing import ClassVar
import typing as t
@dataclass(kw_only=True)
class H:
    x: int = 1
    LIMIT: ClassVar[int] = 100
    OTHER: t.ClassVar = 200
    y: int = 2
see(H(x=5).y, H(y=7).y, H.LIMIT, H().OTHER, [f.name for f in fields(H)])
@dataclass
class I:
    a: int = 1
    _: dataclasses.KW_ONLY
    b: int = 2
see(I(5).a, I(b=6).b)
# ==== methods, properties, own constructors
@dataclass
class M:
    m: int = 16
    k: int = 32
    @property
    def area(self): return self.m * self.k
    @classmethod
    def small(cls): return cls(4, 4)
    @staticmethod
    def unit(): return 1
    def grown(self, by): return replace(self, m=self.m * by)
    def tiles(self): return [self.m, self.k]
see(M().area, M.small().area, M.unit(), M().grown(2).area, M().tiles(), M(k=1).area)
@dataclass
class Own:
    a: int = 1
    def __init__(self, v): self.a = v + 100
see(Own(5).a)
@dataclass(init=False)
class NoInit:
    a: int = 1
n = NoInit()
see(n.a)
@dataclass(eq=False)
class NoEq:
    a: int = 1
see(NoEq() == NoEq(), M() == M(), M(1) == M(2), M() in [M()])
@dataclass(order=True)
class Ordered:
    a: int = 1
see(Ordered(1) < Ordered(2), max(Ordered(1), Ordered(5)).a)
# ==== made by calls, nested, with what was not given
@dataclass
class Inner: v: int = 1
@dataclass
class Outer:
    inner: Inner = field(default_factory=Inner)
    xs: tuple = (1, 2)
o, p = Outer(), Outer()
o.inner.v = 5
see(o.inner.v, p.inner.v, o.xs, asdict(o), replace(o).inner is o.inner, Outer(inner=Inner(9)).inner.v)
q = Outer(**outside.same({"xs": (5,)}))
see(q.xs)
r = replace(o, **outside.same({"xs": (6,)}))
see(r.xs, r.inner.v)
R = dataclasses.make_dataclass("R", [("a", int)])
see(R(1).a)
# ==== SimpleNamespace
import types
s = types.SimpleNamespace(a=1, b=[2])
s.c = 3
s.b.append(4)
see(s.a, s.b, s.c, hasattr(s, "d"), vars(s), s == types.SimpleNamespace(a=1))
# ==== copies
import copy
a = Outer()
b, c = copy.copy(a), copy.deepcopy(a)
a.inner.v = 9
see(b.inner.v, c.inner.v)
x = [[1], {"k": [2]}]
y, z = copy.copy(x), copy.deepcopy(x)
x[0].append(5)
x[1]["k"].append(6)
see(y, z, x)
w = [1]
v = copy.deepcopy([w, w])
v[0].append(2)
see(v, w)
