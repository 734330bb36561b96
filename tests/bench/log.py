#!/usr/bin/env python3
"""Measures `pto-fix diagnose` over a log of a gigabyte, as a file and through a pipe, beside `grep -c` of one word.

    tests/bench/log.py [--megabytes N]

The log is in the manner of the framework's INFO output, with an F40005 at its end; it is made in a temporary folder.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASE = os.path.join(TOP, "fixtures/logs/ub_buffer")


def run(command, stdin=subprocess.DEVNULL):
    """CPU seconds, wall seconds and peak resident MB of one run."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{' '.join(command[:3])} ... ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begin, usage.ru_maxrss / 1024


def make_log(path, megabytes):
    lines = [f"[INFO] PYPTO({48213 + i % 4},python3):2026-08-22-10:{i % 60:02d}:{i * 7 % 60:02d}.118.{i % 1000:03d} "
             f"[raw_tensor.cpp:90][DumpSSA]:tensor <{16 << i % 3}x{128 << i % 2}xDT_BF16> %{i} of block {i % 97} step {i * 31 % 1009}\n"
             for i in range(20000)]
    block = "".join(lines).encode()
    with open(path, "wb") as file:
        while file.tell() < megabytes * 1_000_000:
            file.write(block)
        with open(os.path.join(CASE, "build.log"), "rb") as end:
            file.write(end.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"))
    options = parser.parse_args()
    fix, kernel = os.path.join(options.build, "pto-fix"), os.path.join(CASE, "kernel.py")
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "build.log")
        make_log(log, options.megabytes)
        run(["cat", log])  # into the page cache
        rows = [("file", run([fix, "diagnose", log, kernel]))]
        with subprocess.Popen(["cat", log], stdout=subprocess.PIPE) as cat:
            rows.append(("pipe", run([fix, "diagnose", "-", kernel], cat.stdout)))
            cat.stdout.close()
        grep = run(["grep", "-c", "F40005", log])
    for name, (cpu, wall, memory) in rows:
        print(f"diagnose, {name}   {cpu:6.2f} s CPU  {wall:6.2f} s wall (at most 3)  {memory:6.1f} MB (at most 50)  "
              f"CPU of grep -c: {cpu / max(grep[0], 1e-9):5.2f}")


if __name__ == "__main__":
    main()
