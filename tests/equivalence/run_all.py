#!/usr/bin/env python3
"""run_all.py FIXTURES [PTO_FIX]: every fixture that has a fixed text computes the same before and after the fix, and
CPython compiles every fixed text. With the program given, it must write exactly that text. What stands in `clean/` must
run and be refused nowhere. Ends with `N passed, N failed`; exit 0 only when nothing failed."""
import argparse
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pair  # noqa: E402  (imports torch once; the workers are forked from this process)

import torch  # noqa: E402

TIMEOUT = 120  # seconds for one fixture


class Fixture:
    """A file with its fixed text beside it, or a folder of files with a folder `fixed`."""

    def __init__(self, name, before, after, sidecar, whole=False):
        self.name, self.before, self.after, self.sidecar, self.whole = name, before, after, sidecar, whole


def find(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        if "fixed" in folders:
            folders.remove("fixed")
            sidecar = _sidecar(os.path.join(folder, "case.json"))
            # A change in one file may show in another: all that can be run are. Where one says what to check, a kernel
            # beside it may change what it takes, together with its callers.
            checked = any(_says(os.path.join(folder, file), b"def check(") for file in files if file.endswith(".py"))
            for file in sorted(files):
                path = os.path.join(folder, file)
                words = (b"def check(", b"def inputs(") if checked else (b"jit", b"def inputs(")
                if file.endswith(".py") and _says(path, *words):
                    yield Fixture(os.path.relpath(path, root), path, os.path.join(folder, "fixed", file), sidecar, True)
            continue
        for file in sorted(files):
            if file.endswith(".py") and not file.endswith(".fixed.py"):
                path = os.path.join(folder, file)
                after = path[:-len(".py")] + ".fixed.py"
                if os.path.exists(after) or "clean" in os.path.relpath(path, root).split(os.sep):
                    yield Fixture(os.path.relpath(path, root), path, after, _sidecar(path[:-len(".py")] + ".json"))


def _says(path, *words):
    with open(path, "rb") as file:
        text = file.read()
    return any(word in text for word in words)


def _sidecar(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _options(sidecar):
    options = {key: sidecar[key] for key in ("entry", "dims", "values", "seeds", "allow") if key in sidecar}
    wanted = sidecar.get("equivalence", "exact")
    if isinstance(wanted, dict):
        options.update({key: value for key, value in wanted.items() if key != "skip"})
    return wanted, options


def _written_by(program, fixture, folder):
    """What the program makes of a copy of the fixture."""
    if fixture.whole:
        source = os.path.dirname(fixture.before)
        copy = shutil.copytree(source, os.path.join(folder, "case"), ignore=shutil.ignore_patterns("fixed", "*.json"))
        target = os.path.join(copy, os.path.basename(fixture.before))
        paths = [os.path.join(copy, name) for name in fixture.sidecar.get("inputs", [""])]
    else:
        target = shutil.copy(fixture.before, folder)
        paths = [target]
    command = [program, "--no-config", "--apply", "--no-journal", *fixture.sidecar.get("args", []), *paths]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
    with open(target, "rb") as file:
        return file.read()


def _together(fixture, folder):
    """The files of a folder fixture after the fix: the old ones, with the fixed ones over them."""
    source = os.path.dirname(fixture.before)
    if not fixture.whole:
        return fixture.after
    copy = shutil.copytree(source, os.path.join(folder, "after"), ignore=shutil.ignore_patterns("fixed", "*.json"))
    shutil.copytree(os.path.join(source, "fixed"), copy, dirs_exist_ok=True)
    return os.path.join(copy, os.path.basename(fixture.before))


def judge(work):
    """('pass' | 'skip' | 'fail', text)"""
    fixture, program = work
    unchanged = not os.path.exists(fixture.after)
    clean = unchanged and not fixture.whole
    path = fixture.before if unchanged else fixture.after
    with open(path, "rb") as file:
        text = file.read()
    try:
        compile(text, path, "exec")
    except SyntaxError as error:
        if isinstance(_options(fixture.sidecar)[0], dict) and "skip" in _options(fixture.sidecar)[0]:
            return "skip", "Python does not read the file before the fix either"
        return "fail", f"CPython does not compile the text: {error}"

    def too_long(*_):
        raise TimeoutError(f"took more than {TIMEOUT} s")

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(TIMEOUT)
    try:
        with tempfile.TemporaryDirectory() as folder:
            if clean:
                wanted = _options(fixture.sidecar)[0]
                if isinstance(wanted, dict) and "skip" in wanted:
                    return "skip", wanted["skip"]
                code, said = pair.runs_alone(path, _options(fixture.sidecar)[1])
                return {pair.EQUAL: "pass", pair.DIFFERENT: "fail", pair.NOT_RUN: "skip"}[code], said
            # Compile logs: what is written rests on the log, and tests/cli/logs_test.py asks for it.
            from_log = fixture.name.startswith("logs" + os.sep)
            if program and not from_log and _written_by(program, fixture, folder) != text:
                return "fail", "the program writes another text than the fixed one"
            wanted, options = _options(fixture.sidecar)
            if isinstance(wanted, dict) and "skip" in wanted:
                return "skip", wanted["skip"]
            after = _together(fixture, folder)
            if wanted == "after-runs":
                code, said = pair.runs_alone(after, options)
            else:
                code, said = pair.compare(fixture.before, after, options)
    except Exception as error:
        return "fail", f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    return ("pass" if code == pair.EQUAL else "fail"), ("not run: " if code == pair.NOT_RUN else "") + said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fixtures")
    parser.add_argument("program", nargs="?", help="pto-fix")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", "--verbose", action="store_true", help="name what passes, too")
    parser.add_argument("-k", "--filter", default="", help="only fixtures whose path holds this")
    given = parser.parse_args()
    program = os.path.abspath(given.program) if given.program else None
    if program and not os.access(program, os.X_OK):
        parser.error(f"{given.program} is not a program")
    found = [fixture for fixture in find(os.path.abspath(given.fixtures)) if given.filter in fixture.name]
    torch.set_num_threads(1)  # before the fork: the workers share the machine, not a thread pool
    count = {"pass": 0, "skip": 0, "fail": 0}
    with multiprocessing.get_context("fork").Pool(max(1, given.jobs)) as pool:
        for fixture, (verdict, text) in zip(found, pool.imap(judge, [(f, program) for f in found])):
            count[verdict] += 1
            if verdict == "fail" or given.verbose:
                print(f"{verdict}: {fixture.name}: {text}", flush=True)
    print(f"{count['skip']} skipped")
    print(f"{count['pass']} passed, {count['fail']} failed")
    return 1 if count["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
