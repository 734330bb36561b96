#!/usr/bin/env python3
"""Measures the language server while somebody types in a kernel file of 2,000 lines, beside ast-grep's.

    tests/bench/lsp.py [--edits N] [--alone]

Both servers get the same edits of one document, alternating; a figure is the time from didChange to the diagnostics of
that version. ast-grep (`npm ci` in tests/bench) looks for five patterns. Then pto-fix alone: memory with 50 such
documents open, and over 10,000 edits; CPU of a second in which nothing happens.
"""
import argparse
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "lsp"))
os.environ.setdefault("PTO_FIX", str(TOP / "build" / "release" / "pto-fix"))
import client  # noqa: E402

KERNEL = '''
@pypto.frontend.jit
def kernel_{n}(
    q: pypto.Tensor([1024, D], pypto.DT_BF16),
    w: pypto.Tensor([D, 512], pypto.DT_BF16),
    g: pypto.Tensor([1, 512], pypto.DT_FP32),
    out: pypto.Tensor([1024, 512], pypto.DT_FP32),
):
    pypto.set_cube_tile_shapes([64, 64], [128, 128], [128, 128])
    pypto.set_vec_tile_shapes(16, 512)
    for b in pypto.loop(16, name="LOOP_B", idx_name="b", unroll_list=[4, 2, 1]):
        # one block of rows
        x = pypto.view(q, [64, D], [b * 64, 0])
        y = pypto.matmul(x, w, pypto.DT_FP32)
        m = pypto.amax(y, -1, True)
        e = pypto.exp(pypto.sub(y, m))
        p = pypto.div(e, pypto.sum(e, -1, True))
        p = pypto.mul(p, g)
        r = pypto.rsqrt(pypto.add(pypto.sum(pypto.mul(p, p), -1, True), 1e-6))
        pypto.assemble(pypto.mul(p, r), [b * 64, 0], out)


def host_{n}(q, w, g):
    out = torch.empty(1024, 512)
    kernel_{n}(q, w, g, out)
    return out

'''
RULES = {
    "loop": "for $I in range($$$A): $$$B", "unroll": "pypto.loop($$$A, unroll_list=$L)", "cast": "pypto.cast($A, $B)",
    "tile": "pypto.set_vec_tile_shapes($$$A)", "matmul": "pypto.matmul($$$A)",
}


def document(lines=2000):
    text = "import pypto\nimport torch\n\nD = 128\n\n"
    n = 0
    while text.count("\n") < lines:
        text += KERNEL.format(n=n)
        n += 1
    return text


class AstGrep(client.Server):
    def __init__(self, folder):
        client.PROGRAM, kept = str(TOP / "tests/bench/node_modules/.bin/ast-grep"), client.PROGRAM
        (folder / "rules").mkdir()
        (folder / "sgconfig.yml").write_text("ruleDirs: [rules]\n")
        for name, pattern in RULES.items():
            (folder / "rules" / f"{name}.yml").write_text(
                f"id: {name}\nlanguage: python\nseverity: warning\nmessage: {name}\nrule:\n  pattern: '{pattern}'\n")
        os.chdir(folder)
        super().__init__(initialize={"rootUri": folder.as_uri()})
        client.PROGRAM = kept


def typing(text, count):
    """Single characters put in and taken out again: in comments, names, brackets."""
    chance = random.Random(1)
    lines = text.split("\n")
    places = [(i, len(line) - len(line.lstrip()), kind) for i, line in enumerate(lines)
              for kind, mark in (("#", "# one block"), ("name", "p = pypto.mul"), ("(", "m = pypto.amax")) if mark in line]
    while count > 0:
        line, column, kind = chance.choice(places)
        column += {"#": 6, "name": 0, "(": 14}[kind]
        new = {"#": "x", "name": "z", "(": "("}[kind]
        for start, end, inserted in ((column, column, new), (column, column + 1, "")):
            yield {"range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
                   "text": inserted}
            count -= 1


def resident_mb(server):
    for line in open(f"/proc/{server.process.pid}/status", encoding="ascii"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def ticks(server):
    return sum(map(int, open(f"/proc/{server.process.pid}/stat", encoding="ascii").read().split()[13:15]))


def processor_seconds(server):
    """Of all threads of the server: what an edit takes of a machine that has nothing else to do."""
    return time.clock_gettime((~server.process.pid << 3) | 2)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--edits", type=int, default=400)
    arguments.add_argument("--alone", action="store_true", help="without ast-grep")
    arguments.add_argument("--edits-only", action="store_true", help="no memory, no idle seconds")
    options = arguments.parse_args()
    text = document()
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "kernel.py").write_text(text)
    uri = (folder / "kernel.py").as_uri()
    servers = {"pto-fix": client.Server()}
    if not options.alone:
        servers["ast-grep"] = AstGrep(folder)
    times = {name: [] for name in servers}
    work = {name: [] for name in servers}
    for server in servers.values():
        server.open(uri, text, 0)
        server.diagnostics(uri)
    for version, change in enumerate(typing(text, options.edits), 1):
        for name, server in servers.items():
            begin, before = time.perf_counter(), processor_seconds(server)
            server.change(uri, version, change)
            server.diagnostics(uri, version)
            times[name].append(1000 * (time.perf_counter() - begin))
            work[name].append(1000 * (processor_seconds(server) - before))
    print(f"{text.count(chr(10))} lines, {options.edits} edits, didChange to diagnostics:")
    for name, measured in times.items():
        print(f"  {name:9} p50 {quantile(measured, 0.5):6.2f} ms   p95 {quantile(measured, 0.95):6.2f} ms   "
              f"memory {resident_mb(servers[name]):.0f} MB   "
              f"processor p50 {quantile(work[name], 0.5):6.2f} ms   p95 {quantile(work[name], 0.95):6.2f} ms")
    if len(times) == 2:
        ratio = statistics.median(times["pto-fix"]) / statistics.median(times["ast-grep"])
        print(f"  ratio of the medians {ratio:.2f}")

    server = servers["pto-fix"]
    if options.edits_only:
        return
    before = resident_mb(server)
    for version, change in enumerate(typing(text, 10000), options.edits + 1):
        server.change(uri, version, change)
        if version % 10 == 0:
            server.diagnostics(uri, version)
    print(f"memory before 10,000 more edits {before:.1f} MB, after {resident_mb(server):.1f} MB")
    for i in range(49):
        other = f"{uri}{i}.py"
        server.open(other, text)
        server.diagnostics(other, 1)
    print(f"memory with 50 documents open {resident_mb(server):.0f} MB")
    time.sleep(3)
    start = ticks(server)
    time.sleep(2)
    print(f"CPU of two idle seconds: {(ticks(server) - start) * 10} ms")
    for other in servers.values():
        other.process.kill()


if __name__ == "__main__":
    main()
