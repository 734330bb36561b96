#!/usr/bin/env python3
"""random_kernels.py PTO_FIX: generated kernels through the program, before and after compared. Ends with
`N kernels, N failed`; exit 0 only when nothing failed. README.md says what is checked."""
import argparse
import collections
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generator  # noqa: E402
import pair  # noqa: E402  (imports torch once; the workers are forked from this process)
import strict  # noqa: E402
from pypto import _state  # noqa: E402

import torch  # noqa: E402

RULES = "PTO001,PTO104,PTO201,PTO202,PTO205,PTO207"  # by full id: fixes of info findings are written, too
BATCH = 40  # files in one call of the program
TIMEOUT = 60  # seconds for one file
MODES = {"safe": [], "unsafe": ["--unsafe"]}


class Report:
    """What went wrong, and what was reached."""

    def __init__(self):
        self.failures = []  # (kind, seed, text)
        self.unsafe = []  # (seed, text): unsafe fixes that change results, as they may
        self.counts = collections.Counter()

    def fail(self, kind, seed, text):
        self.failures.append((kind, seed, text))

    def add(self, other):
        self.failures += other.failures
        self.counts.update(other.counts)


def run_program(program, *arguments):
    done = subprocess.run([program, "--no-config", "--lang", "en", "--jobs", "1", *arguments], capture_output=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path, "rb") as file:
        return file.read()


# -- what the program does with the text -------------------------------------------------------------------------------
def write_batch(folder, seeds, family):
    sources = {}
    for seed in seeds:
        source = sources[seed] = generator.generate(seed, family)
        with open(os.path.join(folder, f"k{seed}.py"), "wb") as file:
            file.write(source.data)
    return sources


def check_texts(program, folder, seeds, report):
    """Applies, applies again, asks for the diff; gives the findings before any fix."""
    before = os.path.join(folder, "before")
    code, out, err = run_program(program, "--select", RULES, "--format", "json", before)
    if code not in (0, 1):
        for seed in seeds:
            code, _, err = run_program(program, "--select", RULES, "--format", "json", os.path.join(before, f"k{seed}.py"))
            if code not in (0, 1):
                report.fail("exit", seed, f"exit code {code}: {err.decode(errors='replace')[:300]}")
        return []
    findings = json.loads(out)["findings"]
    for mode, options in MODES.items():
        copy = shutil.copytree(before, os.path.join(folder, mode))
        code, _, err = run_program(program, "--select", RULES, "--apply", "--no-journal", *options, copy)
        if code not in (0, 1):
            report.fail("exit", seeds[0], f"--apply {mode}: exit code {code}, {err.decode(errors='replace')[:300]}")
        again = shutil.copytree(copy, os.path.join(folder, mode + "-again"))
        run_program(program, "--select", RULES, "--apply", "--no-journal", *options, again)
        by_diff = shutil.copytree(before, os.path.join(folder, mode + "-diff"))
        _, diff, _ = run_program(program, "--select", RULES, "--diff", *options, by_diff)
        if diff:
            done = subprocess.run(["git", "apply", "--unsafe-paths", "-p1", "-"], input=relative_diff(diff, by_diff), cwd=by_diff, capture_output=True, check=False,
                                  env={**os.environ, "GIT_CEILING_DIRECTORIES": folder, "GIT_DIR": os.path.join(folder, "none")})
            if done.returncode:
                report.fail("diff", seeds[0], f"{mode}: git apply: {done.stderr.decode(errors='replace')[:300]}")
        for seed in seeds:
            name = f"k{seed}.py"
            new = read(os.path.join(copy, name))
            if read(os.path.join(again, name)) != new:
                report.fail("twice", seed, f"{mode}: fixing again changes the text")
            if read(os.path.join(by_diff, name)) != new:
                report.fail("diff", seed, f"{mode}: --diff is not what --apply writes")
            try:
                compile(new, name, "exec")
            except SyntaxError as error:
                report.fail("syntax", seed, f"{mode}: {error}")
    return findings


def relative_diff(diff, folder):
    """The paths of the headers as they are below the folder."""
    prefix = os.path.realpath(folder).lstrip("/") + "/"
    out = []
    for line in diff.split(b"\n"):
        if line.startswith((b"--- ", b"+++ ", b"diff --git ")):
            line = line.replace(prefix.encode(), b"")
        out.append(line)
    return b"\n".join(out)


# -- what the texts compute --------------------------------------------------------------------------------------------
def schedule(path):
    """Each operation that needs a tile, with its tile, in the order of one run."""
    log = []
    saved = {}

    def recorder(original, kind):
        def judge(*values):
            tile = _state.current.vector_tile if kind == "vector" else _state.current.cube_tile
            log.append((kind, repr(values), repr(tile)))
            return original(*values)
        return judge

    recorders = {"judge_vector": recorder(_state.judge_vector, "vector"), "judge_cube": recorder(_state.judge_cube, "cube")}
    for name, module in list(sys.modules.items()):
        if name.startswith("pypto"):
            for attribute, replacement in recorders.items():
                if attribute in vars(module):
                    saved[(module, attribute)] = vars(module)[attribute]
                    setattr(module, attribute, replacement)
    try:
        for _ in _runs(path, 0):
            pass
    finally:
        for (module, attribute), original in saved.items():
            setattr(module, attribute, original)
    return log


def _runs(path, seed):
    module = pair.load(path)
    _state.reset()
    if hasattr(module, "check"):
        yield list(module.check(seed))
        return
    for name, make in pair._cases(module, {}):
        yield pair._call(module, name, pair._copied(make(seed, pair._SMALL)))


def strictly(path):
    """The results under the strict model, or None with the reason."""
    try:
        with strict.strict():
            results = [t for run in _runs(path, 0) for t in run]
        return results, {problem.kind for problem in _state.problems}, None
    except Exception as error:
        return None, set(), pair._say(error)


def plainly(path):
    results = [t for run in _runs(path, 0) for t in run]
    return results, {problem.kind for problem in _state.problems}


def differs(left, right):
    if len(left) != len(right):
        return f"{len(left)} tensors became {len(right)}"
    for index, (a, b) in enumerate(zip(left, right)):
        found = pair.difference(a, b, None)
        if found:
            return f"tensor {index}: {found}"
    return None


def only_headers_changed(old, new):
    """Is the difference that `range` became `pypto.loop`, and nothing else?"""
    a, b = old.splitlines(), new.splitlines()
    return len(a) == len(b) and all(x == y or b"loop(" in y for x, y in zip(a, b)) and not any(b"name=" not in y for x, y in zip(a, b) if x != y)


def check_results(folder, seed, source, seeds):
    report = Report()

    def too_long(*_):
        raise TimeoutError(f"took more than {TIMEOUT} s")

    signal.signal(signal.SIGALRM, too_long)
    before = os.path.join(folder, "before", f"k{seed}.py")
    old = read(before)
    previous = old
    for mode in MODES:
        after = os.path.join(folder, mode, f"k{seed}.py")
        new = read(after)
        if new == previous:
            continue
        previous = new
        signal.alarm(TIMEOUT)
        try:
            with open(os.devnull, "w") as nowhere:
                stdout, sys.stdout = sys.stdout, nowhere
                try:
                    check_pair(before, after, mode, seed, source, seeds, report, old, new)
                finally:
                    sys.stdout = stdout
        except Exception as error:
            report.fail("crash", seed, f"{mode}: {pair._say(error)}")
        finally:
            signal.alarm(0)
    return report


def check_pair(before, after, mode, seed, source, seeds, report, old, new):
    code, said = pair.compare(before, after, {"seeds": seeds})
    if code == pair.NOT_RUN:
        report.counts["not run: " + source.family] += 1
        report.fail("not run", seed, said)
        return
    report.counts[f"{mode}: compared, {source.family}"] += 1
    if code == pair.DIFFERENT and mode == "unsafe":
        report.counts["unsafe: differs, " + source.family] += 1
        report.unsafe.append((seed, said))
        return
    if code == pair.DIFFERENT:
        report.fail(mode + ": result", seed, said)
        return
    if mode != "safe":
        return
    plain, kinds = plainly(before)
    own, own_kinds, _ = strictly(before)
    if own is None or differs(plain, own):
        report.counts["strict: the old text is not strict itself"] += 1
    else:
        fixed, new_kinds, error = strictly(after)
        found = error or differs(plain, fixed)
        added = new_kinds - own_kinds - kinds
        if found or added:
            report.fail("safe: strict", seed, found or f"noted: {sorted(added)}")
        report.counts["strict: compared"] += 1
    if source.blocked and not source.second and b"loop(" in new and only_headers_changed(old, new) and old != new:
        report.fail("safe: trap", seed, f"a safe fix in spite of: {', '.join(source.traps)}")
    # From the second trip on, an operation may stand under a tile of the trip before: the first trip's is as good.
    if only_headers_changed(old, new) and not set(schedule(after)) <= set(schedule(before)):
        report.fail("safe: tiles", seed, "operations run under other tiles")


# -- the whole ---------------------------------------------------------------------------------------------------------
def count_findings(findings, report, sources, folder):
    for finding in findings:
        rule = finding["rule"]
        report.counts[f"{rule} found"] += 1
        fix = finding.get("fix")
        if fix:
            report.counts[f"{rule} fix {fix['applicability']}: {generalised(fix['description'])}"] += 1
        blocked = finding.get("blocked")
        if blocked:
            text = blocked if isinstance(blocked, str) else blocked.get("message", str(blocked))
            report.counts[f"{rule} {'doubt' if fix else 'blocked'}: {generalised(text)}"] += 1
        elif not fix:
            report.counts[f"{rule} nothing said"] += 1
        if rule == "PTO001":
            report.fail("suppression", 0, finding["message"])


def generalised(text):
    """A reason without the names in it."""
    words = [("..." if "`" in word or any(ch.isdigit() for ch in word) else word) for word in text.split()]
    return " ".join(words)[:100]


def one_batch(work):
    program, seeds, family, runs, keep = work
    report = Report()
    folder = tempfile.mkdtemp(prefix="random_kernels.")
    try:
        os.mkdir(os.path.join(folder, "before"))
        sources = write_batch(os.path.join(folder, "before"), seeds, family)
        findings = check_texts(program, folder, seeds, report)
        count_findings(findings, report, sources, folder)
        for seed in seeds if os.path.exists(os.path.join(folder, "unsafe")) else []:
            report.add(check_results(folder, seed, sources[seed], runs))
            report.counts["kernels: " + sources[seed].family] += 1
        if keep:
            for kind, seed, _ in report.failures:
                for mode in ("before", *MODES):
                    target = os.path.join(keep, f"{kind.replace(': ', '-').replace(' ', '-')}-k{seed}.{mode}.py")
                    path = os.path.join(folder, mode, f"k{seed}.py")
                    if os.path.exists(path):
                        shutil.copy(path, target)
    except Exception as error:
        report.fail("crash", seeds[0], f"batch of {seeds[0]}: {pair._say(error)}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="pto-fix")
    parser.add_argument("--count", type=int, default=100, help="kernels")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--family", choices=list(generator.FAMILIES), help="one kind of kernel only")
    parser.add_argument("--seeds", type=int, default=1, help="inputs for each kernel")
    parser.add_argument("--keep", help="a folder for the texts that failed")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the kernel of one seed")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-q", "--quiet", action="store_true", help="no counts")
    given = parser.parse_args()
    if given.show is not None:
        sys.stdout.buffer.write(generator.generate(given.show, given.family).data)
        return 0
    if given.keep:
        os.makedirs(given.keep, exist_ok=True)
    torch.set_num_threads(1)  # before the fork: the workers share the machine, not a thread pool
    program = os.path.abspath(given.program)
    numbers = list(range(given.first, given.first + given.count))
    batches = [(program, numbers[at:at + BATCH], given.family, given.seeds, given.keep) for at in range(0, len(numbers), BATCH)]
    total = Report()
    with multiprocessing.get_context("fork").Pool(max(1, given.jobs)) as pool:
        for report in pool.imap(one_batch, batches):
            total.add(report)
            for seed, text in report.unsafe if not given.quiet else []:
                print(f"unsafe fix changes results: seed {seed}: {text}", flush=True)
            for kind, seed, text in report.failures:
                print(f"{kind}: seed {seed}: {text}", flush=True)
    if not given.quiet:
        for name, number in sorted(total.counts.items()):
            print(f"{number:7d}  {name}")
    print(f"{given.count} kernels, {len(total.failures)} failed")
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
