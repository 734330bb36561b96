#!/usr/bin/env python3
"""Measures the release programs as a whole and prints ratios of one run.

    tests/bench/run.py [--rounds N] PATH...

PATH: files or folders, a checkout of kernels for instance; without one a tree is made from fixtures/ and tests/data/.
Rounds of the two programs alternate, so that what else the machine does falls on both alike; each figure is the median.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(command, **options):
    """User seconds, wall seconds, peak resident KB and system seconds of one run, that knows nothing of earlier ones."""
    environment = {**os.environ, "PTO_FIX_NO_CACHE": "1"}
    begin = time.perf_counter()
    child = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, **options
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if child.returncode not in (0, 1):
        sys.exit(f"{' '.join(command[:3])} ... ended with {child.returncode}")
    return usage.ru_utime, wall, usage.ru_maxrss, usage.ru_stime


def make_tree(folder, copies=20):
    sources = []
    for base in ("fixtures", "tests/data"):
        for where, _, names in os.walk(os.path.join(TOP, base)):
            sources += [os.path.join(where, name) for name in names if name.endswith(".py")]
    for copy in range(copies):
        for number, source in enumerate(sorted(sources)):
            target = os.path.join(folder, f"copy{copy}", f"{number}_{os.path.basename(source)}")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
    return [folder]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"))
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    fix = os.path.join(options.build, "pto-fix")
    parse = os.path.join(options.build, "pto-parse-only")
    with tempfile.TemporaryDirectory() as folder:
        paths = options.paths or make_tree(folder)
        ours, theirs = [], []
        for _ in range(options.rounds):
            theirs.append(run([parse, *paths]))
            ours.append(run([fix, "--format", "json", *paths]))
        small = os.path.join(folder, "empty.py")
        with open(small, "w", encoding="utf-8") as file:
            file.write("pass\n")
        start = [run([fix, small])[1] for _ in range(20)]

    def median(rows, column):
        return statistics.median(row[column] for row in rows)

    print(f"user CPU          {median(ours, 0):8.3f} s   parse-only {median(theirs, 0):8.3f} s   "
          f"ratio {median(ours, 0) / max(median(theirs, 0), 1e-9):5.2f}  (at most 1.5)")
    print(f"wall              {median(ours, 1):8.3f} s   parse-only {median(theirs, 1):8.3f} s   "
          f"ratio {median(ours, 1) / max(median(theirs, 1), 1e-9):5.2f}")
    print(f"peak memory       {median(ours, 2) / 1024:8.1f} MB  parse-only {median(theirs, 2) / 1024:8.1f} MB  "
          f"of 200 MB: {median(ours, 2) / 1024 / 200:5.2f}")
    print(f"start-up          {statistics.median(start) * 1000:8.2f} ms  of 10 ms: "
          f"{statistics.median(start) * 100:5.2f}")
    size = os.path.getsize(fix) / 1e6
    print(f"binary            {size:8.2f} MB  of 8 MB: {size / 8:5.2f}")


if __name__ == "__main__":
    main()
