// Every statement and expression of Python that the tracer follows in a kernel: each piece of code makes the number 32
// in its own way and sets it as a tile.
#include "trace_support.h"

using namespace ptofix;

namespace {

using Words = std::vector<std::string>;

/// The last tile that the code sets inside a kernel and, in the same words, in a function that the kernel calls.
std::string tile_after(const std::string& code) {
    const std::string body = code + "\npypto.set_vec_tile_shapes(t)\nz = pypto.exp(x)\n";
    const test::Traced in_kernel(test::kernel_of(body));
    const Words own = test::tiles_of(*in_kernel.trace);
    const std::string helper = "def helper(x, y, s):\n" + test::indented(body);
    const test::Traced in_helper(test::kernel_of("helper(x, y, s)", "@pypto.frontend.jit", helper));
    const Words called = test::tiles_of(*in_helper.trace);
    REQUIRE(!own.empty());
    REQUIRE(!called.empty());
    CHECK(own.back() == called.back());
    return own.back();
}

void check_all(const std::vector<std::string>& codes) {
    for (const std::string& code : codes) {
        INFO(code);
        CHECK(tile_after(code) == "32");
    }
}

Words operations(const std::string& body) {
    return test::operations_of(*test::Traced(test::kernel_of(body)).trace);
}

}  // namespace

TEST_CASE("assignment in every form") {
    check_all({
        "t = 32",
        "a = t = 32",
        "a, t = 1, 32",
        "(a, t) = (1, 32)",
        "[a, t] = [1, 32]",
        "(a, (b, t)), c = (1, (2, 32)), 3",
        "a, *b, t = 1, 2, 3, 32",
        "*a, t = range(33)",
        "a, *b = 1, 2, 32\nt = b[-1]",
        "t: int = 32",
        "t: int\nt = 32",
        "t = 30\nt += 2",
        "t = 34\nt -= 2",
        "t = 8\nt *= 4",
        "t = 65\nt //= 2",
        "t = 97\nt %= 65",
        "t = 2\nt **= 5",
        "t = 8\nt <<= 2",
        "t = 128\nt >>= 2",
        "t = 36\nt &= 32",
        "t = 0\nt |= 32",
        "t = 33\nt ^= 1",
        "a = [1, 2]\na[1] = 32\nt = a[1]",
        "a = [1, 2]\na[0:1] = [32, 5]\nt = a[0]",
        "a = {}\na['k'] = 32\nt = a['k']",
        "a = [30]\na[0] += 2\nt = a[0]",
        "class C: pass\nc = C()\nc.t = 32\nt = c.t",
        "a, b = 32, 1\na, b = b, a\nt = b",
        "(t := 32)",
        "a = [t := 32]",
        "t = 5\ndel t\nt = 32",
        "a = [1, 32]\ndel a[0]\nt = a[0]",
    });
}

TEST_CASE("conditions") {
    check_all({
        "if x.shape[0] == 64: t = 32\nelse: t = 1",
        "if len(x.shape) == 3: t = 1\nelif x.shape[1] == 128: t = 32\nelse: t = 2",
        "if not True: t = 1\nelif False or None: t = 2\nelse: t = 32",
        "t = 32 if x.dtype == pypto.DT_FP32 else 16",
        "t = x.shape[0] > 3 and 32 or 16",
        "t = None or 32",
        "if 1 < x.shape[0] <= 64 < 65: t = 32",
        "if s.shape[0] > 4: t = 32\nelse: t = 32",
        "t = 1\nif x.shape[0] is not None and 64 in x.shape: t = 32",
    });
    CHECK(tile_after("t = 1\nif s.shape[0] > 4: t = 32") == "?");
}

TEST_CASE("loops of Python") {
    check_all({
        "t = 0\nfor i in range(4): t += 8",
        "t = 2\nfor i in [2, 2, 2, 2]: t *= i",
        "t = 0\nfor i, (a, b) in enumerate([(1, 2), (3, 26)]): t += a + b\nt += i - 1",
        "for t in (1, 16, 32): pass",
        "for t in range(50):\n    if t == 32: break",
        "t = 0\nfor i in range(33):\n    if i == 3: continue\n    t += 1",
        "t = 1\nfor i in []: t = 2\nelse: t = 32",
        "t = 1\nwhile t < 32: t *= 2",
        "t = 64\nwhile True:\n    t //= 2\n    if t < 50: break",
        "t = 0\nwhile t < 3: t += 1\nelse: t = 32",
        "t = 0\nfor a, b in zip([1, 2], [3, 4]): t += a * b\nt += 21",
        "t = 0\nfor k, v in {'a': 30, 'b': 2}.items(): t += v",
        "t = 0\nfor i in reversed(range(3)): t = t * 10 + i\nt -= 178",
    });
}

TEST_CASE("with, try, match, return and assert") {
    check_all({
        "import contextlib\nwith contextlib.suppress(ValueError), contextlib.nullcontext(): t = 32",
        "class C:\n    def __enter__(self): return 32\n    def __exit__(self, *e): return False\nwith C() as t: pass",
        "try: t = 32\nexcept ValueError: t = 1",
        "try:\n    t = 1\n    raise ValueError\nexcept (KeyError, ValueError) as e: t = 32",
        "try: pass\nexcept ValueError: t = 1\nelse: t = 32",
        "try: t = 1\nfinally: t = 32",
        "try: t = {}['k']\nexcept KeyError: t = 32",
        "match x.shape[0]:\n    case 1 | 2: t = 1\n    case 64: t = 32\n    case _: t = 2",
        "match [1, 32, 3]:\n    case [1, t, *_]: pass",
        "match {'k': 32}:\n    case {'j': t}: pass\n    case {'k': t}: pass",
        "match 5:\n    case int(a) if a > 9: t = 1\n    case a if a == 5: t = 32",
        "def f(n):\n    if n > 4: return 32\n    return 1\nt = f(5)",
        "def f():\n    for i in range(9):\n        while True:\n            return 32\nt = f()",
        "def f(): pass\nt = 32 if f() is None else 1",
        "assert x.shape[0] == 64, 'message'\nt = 32",
    });
}

TEST_CASE("calls with arguments of every kind") {
    const std::string f = "def f(a, b=2, *rest, c=4, **more): return a * b + sum(rest) + c + sum(more.values())\n";
    check_all({
        f + "t = f(14)",
        f + "t = f(4, 7)",
        f + "t = f(b=3, a=8, c=8)",
        f + "t = f(1, 2, 3, 4, 5, c=18)",
        f + "t = f(*[7, 4])",
        f + "t = f(*(7,), *[1], 11, c=14)",
        f + "t = f(**{'a': 7, 'b': 4})",
        f + "t = f(7, **{'b': 2}, c=0, d=18)",
        f + "options = dict(a=14)\nt = f(**options)",
        "def f(a, /, b, *, c): return a + b + c\nt = f(20, 10, c=2)",
        "def f(a, b=[]):\n    b.append(a)\n    return sum(b)\nf(30)\nt = f(2)",
        "f = lambda a, b=2: a * b\nt = f(16)",
        "f = lambda *a, **k: a[0] + k['b']\nt = f(30, b=2)",
        "def outer(n):\n    def inner(m): return n + m\n    return inner\nt = outer(30)(2)",
        "import functools\nt = functools.partial(lambda a, b: a - b, b=1)(33)",
        "def twice(f): return lambda n: f(f(n))\n@twice\ndef double(n): return n * 2\nt = double(8)",
        "def f(n): return 1 if n == 0 else 2 * f(n - 1)\nt = f(5)",
        "class C:\n    tile = 16\n    def __init__(self, n): self.n = n\n    def get(self): return self.n * "
        "self.tile\nt = C(2).get()",
        "class C:\n    def __call__(self, n): return n * 2\nt = C()(16)",
        "t = min(64, max(32, 5), *[40, 50])",
        "t = list(map(lambda v: v * 2, [1, 16]))[1]",
    });
}

TEST_CASE("comprehensions, f-strings, attributes, subscripts and slices") {
    check_all({
        "t = sum([i for i in range(8) if i != 4 and i != 1][1:] + [9])",
        "t = [a * b for a in range(9) for b in range(5)][-1]",
        "t = {k: v for k, v in [('a', 32)]}['a']",
        "t = len({i % 32 for i in range(100)})",
        "t = sum(i for i in (16, 16))",
        "t = [[i, j] for i in range(2) for j in (1, 32)][1][1]",
        "name = f'{x.shape[0]}x{x.shape[1]}'\nt = 32 if name == '64x128' else 1",
        "t = int(f'{3}{1 + 1}')",
        "t = {'32': 32}['3' + str(2)]",
        "t = x.shape[0] // 2",
        "t = x.shape[-1] // 4",
        "b, t = y.shape\nt = b",
        "t = [1, 2, 32][2]",
        "t = (1, 2, 32)[-1]",
        "t = [1, 32, 3, 4][1::2][0]",
        "t = list(range(100))[::-1][67]",
        "t = [5, 32][True]",
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    tile: int = 32\nt = C().tile",
        "from dataclasses import dataclass, replace\n@dataclass(frozen=True)\nclass C:\n    tile: int = 1\nt = "
        "replace(C(), tile=32).tile",
        "from types import SimpleNamespace\nt = SimpleNamespace(tile=32).tile",
        "from collections import namedtuple\nt = namedtuple('C', 'm n')(1, 32).n",
        "from enum import IntEnum\nclass E(IntEnum):\n    a = 32\nt = E.a",
        "t = getattr(x, 'shape')[0] // 2",
        "import math\nt = math.ceil(126 / 4)",
        "t = 0x20",
        "t = 3_2",
    });
}

TEST_CASE("operators and methods of tensors are operations") {
    CHECK(operations("z = x * 2 + x\nz = -z\nz = z.exp()") ==
          Words{"mul [64, 128] DT_FP32", "add [64, 128] DT_FP32", "neg [64, 128] DT_FP32", "exp [64, 128] DT_FP32"});
    CHECK(operations("z = x[0:32, :]\nz[:] = pypto.exp(z)").size() == 3);
    CHECK(operations("z = pypto.matmul(y, x, pypto.DT_FP32)") == Words{"matmul [32, 128] DT_FP32"});
    CHECK(operations("z = pypto.cast(x, pypto.DT_BF16)\nw = pypto.sum(z, -1, keepdim=True)") ==
          Words{"cast [64, 128] DT_BF16", "sum [64, 1] DT_BF16"});
    CHECK(operations("a, b = [pypto.exp(v) for v in (x, y)]") ==
          Words{"exp [64, 128] DT_FP32", "exp [32, 64] DT_FP16"});
    CHECK(operations("z = pypto.view(s, [16, 64], [s.shape[0] - 16, 0])") == Words{"view [16, 64] DT_FP32"});
}

TEST_CASE("what cannot be followed is unknown, with a reason, and what follows it is traced") {
    CHECK(tile_after("import elsewhere\nt = elsewhere.tile()") == "?");
    CHECK(tile_after("import os\nt = int(os.environ['TILE'])") == "?");
    CHECK(tile_after("t = undefined_name") == "?");
    CHECK(operations("import elsewhere\nelsewhere.work(x)\nz = pypto.exp(x)") == Words{"exp [64, 128] DT_FP32"});
}
