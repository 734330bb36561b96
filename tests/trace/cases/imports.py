# ==== forms
import conf
import conf as c
from conf import TILE, Conf as Cfg, helper as h
from conf import *
import pkg
import pkg.sub
import pkg.sub as ps
from pkg import sub as s2, VALUE
from pkg.sub import DEEP as D
must_know(conf.TILE, c.TILE, TILE, Cfg().m, h(2))
see(pkg.VALUE, pkg.sub.DEEP, ps.DEEP, s2.DEEP, VALUE, D, ps.up, LIST, pkg.sub.sibling())
see("_hidden" in globals(), "TILE" in globals())
# ==== file: conf.py
TILE = 128
_hidden = 1
LIST = [1, 2]
class Conf:
    m = 16
def helper(x): return x * TILE
# ==== file: pkg/__init__.py
VALUE = "package"
# ==== file: pkg/sub.py
from . import VALUE as up
from .other import ANSWER
import pkg.other as po
DEEP = 5
def sibling(): return ANSWER + po.ANSWER
# ==== file: pkg/other.py
ANSWER = 21
# ==== star after and before
X = 1
Y = 1
from m import *
Z = 1
see(X, Y, Z, W, "hidden" in globals())
# ==== file: m.py
X = 2
Z = 2
W = 3
hidden = 4
__all__ = ["X", "Z", "W"]
# ==== star of star
from a import *
see(A, B)
# ==== file: a.py
from b import *
A = 1
# ==== file: b.py
B = 2
A = 5
# ==== star of a library hides names
x = 5
min = 6
from outside import *
see(x, min, len([1]), flag is None)
# ==== star of something that is not there
try:
    from math import *
except ImportError:
    pass
see(pow(2, 3), floor(2.5))
# ==== modules are one object
import state
from state import xs, set_n, get_n
import user
state.xs.append(1)
see(xs, state.n, user.seen(), get_n())
set_n(5)
see(state.n, get_n(), user.n_then)
from state import n as n_now
state.n = 9
see(n_now, state.n, get_n())
xs.append(2)
see(user.seen())
# ==== file: state.py
xs = []
n = 0
def set_n(v):
    global n
    n = v
def get_n(): return n
# ==== file: user.py
import state
from state import n as n_then
def seen(): return list(state.xs)
# ==== from-import takes the value of its time
from state import n
import state
state.n = 5
see(n, state.n)
from state import n as later
see(later)
# ==== file: state.py
n = 1
# ==== imports run code
import state
see(state.n)
import patch
see(state.n)
from patch2 import something
see(state.n, state.log)
# ==== file: state.py
n = 1
log = []
# ==== file: patch.py
import state
state.n = 2
state.log.append("patch")
# ==== file: patch2.py
import state
state.log.append("patch2")
def something(): pass
# ==== cycles
import one
see(one.A, one.from_two(), one.two.B)
# ==== file: one.py
A = 1
import two
def from_two(): return two.get()
A = 2
# ==== file: two.py
import one
B = one.A
def get(): return (one.A, B)
# ==== cyclic from
from one import A
see(A)
import two
see(two.early)
# ==== file: one.py
A = 1
from two import early
A = 3
# ==== file: two.py
from one import A as early
# ==== imports in functions, in branches, once only
def f():
    import counted
    return counted.n
def g():
    from counted import n
    return n
see(f(), g(), f())
if outside.flag():
    import conf_a as conf
else:
    import conf_b as conf
see(conf.T)
import runs
import other
see(runs.count)
# ==== file: counted.py
import runs
runs.count += 1
n = runs.count
# ==== file: runs.py
count = 0
# ==== file: other.py
import counted
# ==== file: conf_a.py
T = 1
# ==== file: conf_b.py
T = 2
# ==== relative imports across packages
from top.mid.leaf import value, name
see(value, name)
# ==== file: top/__init__.py
ROOT = "root"
# ==== file: top/mid/__init__.py
from .leaf import value as mid_value
# ==== file: top/mid/leaf.py
from .. import ROOT
from ..peer import PEER
value = (ROOT, PEER)
name = __name__
# ==== file: top/peer.py
PEER = 7
# ==== a module and a name of one package
from p import thing
import p.thing as module
see(thing, module.v)
# ==== file: p/__init__.py
from .thing import v as thing
# ==== file: p/thing.py
v = 3
# ==== a submodule becomes an attribute when it is imported
import q
import q.part
see(q.part.v, q.x)
# ==== file: q/__init__.py
x = 1
# ==== file: q/part.py
v = 2
# ==== a class, a function and a default from another file
from lib import Config, build, DEFAULTS, make
cfg = Config(tile=64)
DEFAULTS["k"] = 9
see(cfg.tile, cfg.area(), build(3), build(), make()(2), Config.from_dict({"tile": 5}).tile)
# ==== file: lib.py
from dataclasses import dataclass
from consts import WIDTH
DEFAULTS = {"k": 7}
@dataclass
class Config:
    tile: int = 32
    width: int = WIDTH
    def area(self): return self.tile * self.width
    @classmethod
    def from_dict(cls, d): return cls(**d)
def build(n=DEFAULTS["k"]): return [n, DEFAULTS["k"], WIDTH]
def make():
    base = WIDTH
    return lambda n: n * base
# ==== file: consts.py
WIDTH = 8
# ==== modules hidden by names of the program
import conf
conf_tile = conf.TILE
class conf: TILE = 5
see(conf_tile, conf.TILE)
# ==== file: conf.py
TILE = 1
# ==== an import that is not there
try:
    import missing_module
    v = 1
except ImportError:
    v = 2
see(v)
try:
    from conf import NOT_THERE
except ImportError:
    NOT_THERE = "default"
see(NOT_THERE)
# ==== file: conf.py
TILE = 1
