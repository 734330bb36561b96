#!/usr/bin/env python3
"""Programs made to exhaust a tracer: no crash, and bounded time and memory.

    hostile.py PTO_FIX [--part small|large] [--parser PTO_PARSE_ONLY] [NAME...]

All programs, those of at most or more than a megabyte, or those whose names contain one of the words. Each runs through the
whole of `pto-fix --format json`. Time is the program's own CPU, so that a busy machine does not count; it and the memory are
held to the bounds below. Ten megabytes of dense code may take what parsing alone takes, and a quarter more.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

SECONDS = 4.0  # more is told, and fails nothing: machines differ
HANGS = 90
MEGABYTES = 500
LARGE = 1 << 20  # bytes
HEAD = "import pypto\nfrom mine import flag, touch\n"
KERNEL = "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n"


def lines(template, count):
    return "".join(template.replace("#", str(i)) for i in range(count))


def nested(count, before, after, middle="1"):
    return before * count + middle + after * count


def blocks(header, count, body):
    """Blocks inside each other, as deep as Python's own limit lets them be."""
    out = ""
    for i in range(count):
        out += "    " * i + header.replace("#", str(i)) + "\n"
    return out + "    " * count + body + "\n"


def in_kernel(code):
    return KERNEL + "".join("    " + line + "\n" for line in code.splitlines())


def programs():
    deep = 200_000
    yield "parentheses", "x = " + nested(deep, "(", ")")
    yield "lists", "x = " + nested(100_000, "[", "]")
    yield "dicts", "x = " + nested(50_000, "{1: ", "}")
    yield "sums", "a = 1\nx = " + "+".join(["a"] * deep)
    yield "sums of texts", "a = 'text'\nx = " + "+".join(["a"] * deep)
    yield "conjunctions", "x = " + " and ".join(["flag"] * deep)
    yield "comparisons", "x = " + " < ".join(["flag"] * deep)
    yield "negations", "x = " + "-" * deep + "1"
    yield "nots", "x = " + "not " * deep + "flag"
    yield "attributes", "x = flag" + ".a" * deep
    yield "subscripts", "x = flag" + "[0]" * deep
    yield "calls of calls", "x = flag" + "()" * deep
    yield "calls in calls", "x = " + nested(100_000, "flag(", ")")
    yield "calls of a function in calls", "def f(v): return v\nx = " + nested(100_000, "f(", ")")
    yield "lambdas", "x = " + "lambda: " * 100_000 + "1"
    yield "conditionals", "x = " + "1 if flag else " * 100_000 + "2"
    yield "walrus", "x = " + nested(50_000, "(y := ", ")")
    yield "stars", "x = [" + nested(50_000, "*[", "]") + "]"
    yield "texts in texts", "x = " + "f'{" * 2 + "1" + "}'" * 2 + "\nx = " + " ".join(["'a'"] * deep)
    yield "targets", ", ".join(f"a{i}" for i in range(50_000)) + " = flag"
    yield "chained targets", " = ".join(f"a{i}" for i in range(50_000)) + " = [1]"
    yield "comprehension clauses", "x = [1 " + "for a in flag " * 5_000 + "]"
    yield "comprehension conditions", "x = [1 for a in range(9) " + "if flag " * 20_000 + "]"

    yield "a long list", "x = [0] * 10 ** 9\ny = x + x\nz = len(y)\nfor v in y: w = v"
    yield "a long text", "x = 'x' * 10 ** 9\ny = x + x\nz = f'{y}{y}'"
    yield "a large number", "x = 1 << 10 ** 9\ny = 10 ** 10 ** 9\nz = 2 ** 63 ** 63\nw = x * y"
    yield "a long range", "for i in range(10 ** 12): x = i\ny = list(range(10 ** 12))\nz = sum(range(10 ** 12))\nw = [i for i in range(10 ** 12)]"
    yield "a long range in a kernel", in_kernel("for i in range(10 ** 12):\n    y = pypto.exp(x)")
    yield "long ranges in each other", in_kernel(blocks("for i# in range(64):", 12, "y = pypto.exp(x); x = y"))
    yield "long loops in each other", "n = 0\na = []\n" + blocks("for i# in range(10 ** 6):", 10, "n += i9; a.append(n)")
    yield "long loops of the device in each other", in_kernel(blocks("for i# in pypto.loop(10 ** 6, unroll_list=[64, 32, 16, 8, 4, 2, 1]):", 10, "x[:] = pypto.exp(x) + i9"))
    yield "a condition with a thousand arms", in_kernel("y = x\nif flag == 0: y = x + 1\n" + lines("elif flag == #: y = y + x * #\n", 1_000) + "z = pypto.exp(y)")
    yield "many loops that build a list", in_kernel("a = []\n" + blocks("for i# in range(60):", 6, "a.append(len(a))"))
    yield "a step of nothing", "for i in range(0, 10, 0): x = i\nfor i in range(9223372036854775806, 9223372036854775807): y = i\nfor i in range(-9223372036854775808, 9223372036854775807, 4611686018427387904): z = i"
    yield "comprehension bomb", "x = [[[0 for a in range(4096)] for b in range(4096)] for c in range(4096)]"
    yield "comprehension product", "x = [0 for a in range(500) for b in range(500) for c in range(500) for d in range(500)]"
    yield "set and dict bomb", "x = {a * b for a in range(512) for b in range(512)}\ny = {a: b for a in range(512) for b in range(512)}\nz = {i: {j: 0 for j in range(512)} for i in range(512)}"
    for what, start in (("list", "[1]"), ("tuple", "(1,)"), ("text", "'x'"), ("number", "3")):
        yield f"a {what} that doubles", f"x = {start}\n" + "x = x + x\n" * 200
        yield f"a {what} that doubles in place", f"x = {start}\n" + "x += x\n" * 200
        yield f"a {what} that multiplies", f"x = {start}\n" + "x = x * 7\n" * 200
    yield "a dict that grows", "x = {}\n" + lines("x['k#'] = #\n", 20_000)
    yield "a list that grows", "x = []\n" + lines("x.append(#)\n", 20_000)
    yield "a list that grows in a function", "def f():\n    x = []\n" + lines("    x.append(#)\n    if flag: x.append(0)\n", 3_000)
    yield "pairs of pairs", "t = (1, 2)\n" + "t = (t, t)\n" * 100 + "u = (1, 2)\n" + "u = (u, u)\n" * 100 + "a = t == u\nb = t < u\nc = t in [u]\nimport copy\nd = copy.deepcopy(t)\ne = f'{t}'\nf = sorted([t, u])\nif flag: t = u\ng = t\ntouch(t)\n"
    yield "lists of lists", "t = [1]\n" + "t = [t, t]\n" * 100 + "u = [1]\n" + "u = [u, u]\n" * 100 + "a = t == u\nimport copy\nd = copy.deepcopy(t)\nif flag: t = u\nt.append(1)\ntouch(t)\n"
    yield "a dict in itself", "d = {}\nd['d'] = d\ne = {}\ne['d'] = e\na = d == e\nb = str(d)\nimport copy\nc = copy.deepcopy(d)\nf = {**d, **e}\nif flag: d = e\ng = [*d, d]\ntouch(d)\nfor k in d: h = d[k]\npypto.set_vec_tile_shapes(d, e)"
    yield "a list in itself", "d = []\nd.append(d)\nd += d\ne = [d]\ne.append(e)\na = d == e\nb = d < e\nc = e in e\nd.extend(d)\nd.sort()\nd[:] = d\nif flag: d = e\ntouch(d)\nfor k in d: d.append(k)\n"
    yield "an object in itself", "class A: pass\na = A()\na.a = a\nb = A()\nb.a = b\nc = a == b\nimport copy\nd = copy.deepcopy(a)\nif flag: a = b\ntouch(a)\nx = a" + ".a" * 10_000
    yield "an iterator in itself", "it = iter([1])\n" + "it = map(lambda v: v, it)\n" * 20_000 + "x = list(it)\nz = zip(*[iter(range(100))] * 50_000)\ny = list(z)"

    yield "closures that double", "f0 = lambda: 1\n" + lines("def g#(h): return lambda: h() + h()\n", 60) + "f = f0\n" + lines("f = g#(f)\n", 60) + "x = f()"
    yield "functions that call twice", "def f0(): return 1\n" + "".join(f"def f{i}(): return f{i - 1}() + f{i - 1}()\n" for i in range(1, 60)) + "x = f59()"
    yield "fibonacci", "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nx = f(60)"
    yield "ackermann", "def f(m, n):\n    if m == 0: return n + 1\n    if n == 0: return f(m - 1, 1)\n    return f(m - 1, f(m, n - 1))\nx = f(4, 4)"
    yield "recursion without end", "def f(n): return f(n + 1)\nx = f(0)\ndef g(): return g() + g()\ny = g()\ndef h(n): return h(flag) + h(flag)\nz = h(flag)"
    yield "recursion without end in kernels", "def f(x, n):\n    y = pypto.exp(x)\n    if flag: f(y, n + 1)\n    f(y, n + 1)\n" + in_kernel("f(x, 0)")
    yield "functions that call each other", lines("def f#(n):\n    " + "; ".join(f"f{i}(n)" for i in range(20)) + "\n", 20) + "f0(1)"
    yield "combinator", "y = lambda f: (lambda x: f(lambda *a: x(x)(*a)))(lambda x: f(lambda *a: x(x)(*a)))\nz = y(lambda f: lambda n: n * f(n - 1))(5)\nw = (lambda f: f(f))(lambda f: f(f))"
    yield "decorators", "def d(f):\n    return lambda: f() + f()\n" + "@d\n" * 60 + "def g(): return 1\nx = g()"
    yield "generators", "def g(n):\n    if n:\n        yield from g(n - 1)\n        yield from g(n - 1)\n    yield n\nx = list(g(60))\ndef h():\n    while True: yield 1\ny = list(h())"
    yield "properties", "class A:\n    @property\n    def a(self): return self.a + self.a\n    def __getattr__(self, n): return getattr(self, n + n)\n    def __eq__(self, o): return o == self\n    def __iter__(self): return iter(self)\n    def __len__(self): return len(self)\nx = A()\ny = x.a\nz = x.b\nw = x == A()\nv = list(x)\nu = len(x)"
    yield "bases", "class A0: pass\n" + "".join(f"class A{i}(A{i - 1}): pass\n" for i in range(1, 2_000)) + "x = A1999().y"
    yield "many bases", lines("class A#: v = #\n", 300) + "class B(" + ", ".join(f"A{i}" for i in range(300)) + "): pass\nx = B.v"

    yield "endless loops", "while True: x = 1\n"
    yield "endless loops in a function", "def f():\n    n = 0\n    while True:\n        n += 1\nf()\n" + in_kernel("n = 0\nwhile n >= 0:\n    n += 1\n    y = pypto.exp(x)")
    yield "unknown loops in each other", "a = b = c = 0\n" + blocks("for i# in flag:", 60, "a, b, c = b, c, a + 1")
    yield "unknown loops in each other, in a kernel", in_kernel("a = b = c = 0\n" + blocks("while flag:", 60, "a, b, c = b, c, a + 1"))
    yield "loops and conditions in each other", in_kernel("a = [0]\nb = {}\n" + blocks("for i# in range(3):", 30, "b[len(a)] = a.append(len(b))") + blocks("if flag:", 60, "a.append(1)"))
    yield "conditions in each other", "x = 0\n" + blocks("if flag:", 90, "x = 1")
    yield "a chain of variables", "".join(f"a{i} = {i}\n" for i in range(300)) + "for k in range(1000):\n    " + "; ".join(f"a{i} = a{i + 1}" for i in range(299)) + "\n"
    yield "many conditions", "x = []\n" + lines("if flag: x.append(#)\nelse: y = #\n", 10_000)
    yield "many elifs", "if flag == 0: x = 0\n" + lines("elif flag == #: x = #\n", 20_000)
    yield "many cases", "match flag:\n" + lines("    case #: x = #\n", 10_000)
    yield "many returns", "def f(x):\n" + lines("    if flag: return #\n    x.append(#)\n", 5_000) + "f([])"
    yield "many breaks", "x = [0]\nfor i in range(50):\n" + lines("    if flag: break\n    if flag: continue\n    x[0] = #\n", 1_000)
    yield "many handlers", "x = 0\ntry:\n" + lines("    x = #\n    flag()\n", 5_000) + lines("except E#: x = #\n", 100) + "finally:\n    x = 1\n"
    yield "tries in each other", "".join("    " * i + "try:\n" for i in range(90)) + "    " * 90 + "flag()\n" + "".join("    " * i + "except flag: x = 1\n" for i in reversed(range(90)))
    yield "withs", "with " + ", ".join(["flag() as a"] * 2_000) + ": x = 1\n" + blocks("with flag():", 90, "x = 1")
    yield "one of many lists", "x = []\n" + lines("a# = [#]\nx = a# if flag else x\n", 3_000) + lines("x.append(#)\n", 1_000)
    yield "objects that are lost", "x = []\n" + lines("a# = [[#]]\ntouch(a#)\n", 3_000)
    yield "functions that are lost", "x = []\n" + lines("def f#(): x.append(#); g()\n", 1_000) + lines("touch(f#)\n", 1_000)
    yield "functions that share names", lines("g# = []\n", 300) + lines("def f#():\n    " + "; ".join(f"g{i}.append(1)" for i in range(100)) + "\n", 500)
    yield "scopes in each other", blocks("def f#():", 90, "x = 1") + "f0()\n" + blocks("class A#:", 90, "x = 1")
    yield "arguments", "def f(*a, **k): return f(*a, *a, **k)\nx = f(1, 2, k=3)\ny = flag(" + ", ".join(["1"] * 50_000) + ")\ndef g(" + ", ".join(f"a{i}=0" for i in range(20_000)) + "): pass\ng()"
    yield "imports of itself", "from program import *\nimport program\nfrom . import program as p\nfrom .program import x\n" * 50

    yield "a large kernel", in_kernel("y = x\n" + lines("y = pypto.add(y, x)\npypto.set_vec_tile_shapes(16, 16)\n", 150_000))
    yield "many kernels", lines("@pypto.frontend.jit\ndef kernel#(x: pypto.Tensor([64, 64], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(16, 16)\n    y = pypto.exp(x)\n", 60_000)
    yield "many functions", lines("def f#(x, a=1):\n    y = pypto.exp(x)\n    return f#(y)\n", 100_000)
    yield "a large table", "x = {\n" + lines("    'key#': [#, #, 'text'],\n", 250_000) + "}\ny = x['key7']"
    yield "a large list", "x = [\n" + lines("    #,\n", 1_000_000) + "]\ny = x[7]\nfor v in x: z = v\nx.append(1)\nif flag: x.append(2)\n"
    yield "many names", lines("name# = #\n", 400_000)
    yield "many assignments in a function", "def f():\n" + lines("    name# = # + flag\n", 200_000)
    yield "a call of many kernels", KERNEL + "    y = pypto.exp(x)\n" + lines("kernel(#)\n", 300_000)


def run(command):
    # Beyond any bound it is ended by its own limit: what hangs is a failure like any other.
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    err = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.stderr.close()
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, err


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("words", nargs="*", metavar="NAME")
    parser.add_argument("--part", choices=["small", "large"])
    parser.add_argument("--parser", metavar="PTO_PARSE_ONLY")
    options = parser.parse_args()
    failed = count = 0
    slowest = largest = (0, "")
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "pyproject.toml"), "w").close()
        path = os.path.join(folder, "program.py")
        for name, text in programs():
            if options.words and not any(w in name for w in options.words):
                continue
            if options.part and (options.part == "large") != (len(text) > LARGE):
                continue
            count += 1
            with open(path, "w", encoding="utf-8") as file:
                file.write(HEAD + text + "\n")
            code, seconds, megabytes, err = run([os.path.abspath(options.program), "--format", "json", path])
            slowest, largest = max(slowest, (seconds, name)), max(largest, (megabytes, name))
            most = MEGABYTES
            if megabytes > most and options.parser:
                most = max(most, 1.25 * run([os.path.abspath(options.parser), path])[2])
            why = []
            if code not in (0, 1, 2):
                why.append(f"ended with {code}: {err[-300:].decode(errors='replace')}")
            if seconds > SECONDS:
                print(f"{name}: slow, {seconds:.1f} s of CPU", flush=True)
            if megabytes > most and "asan" not in options.program:  # a sanitizer's shadow is no one's memory
                why.append(f"{megabytes:.0f} MB")
            if why:
                failed += 1
                print(f"{name}: {', '.join(why)}", flush=True)
    print(f"{count} programs, {failed} failed; slowest {slowest[0]:.2f} s ({slowest[1]}), largest {largest[0]:.0f} MB ({largest[1]})")
    if count == 0:
        sys.exit("nothing was run")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
