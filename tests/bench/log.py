#!/usr/bin/env python3
"""Measures `pto-fix diagnose` over a log of a gigabyte, as a file and through a pipe, beside `grep -c` of one word; and over logs of
nothing but one kind of line that has to be read, in seconds for each gigabyte.

    tests/bench/log.py [--megabytes N] [--kinds-only]

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
    if child.returncode not in (0, 1, 2):
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


HEAD = "[ERROR] PYPTO({process},python3):2026-08-22-10:{minute:02d}:{second:02d}.118.{i:03d} "
# Every line of these is one to be read, and no two are alike where a log's would not be.
KINDS = {
    "unknown code": "ErrCode: F99999! Enum: X::Y. [Some.Where]:number {i} of something went wrong.",
    "the same code": "ErrCode: F99999! Enum: X::Y. [Some.Where]:something went wrong.",
    "overflow": HEAD + "ErrCode: F40005! [OoOSchedule.Operation]:Alloc tensor [{i}] size [{size}] exceeds MEM_UB size [196608]!",
    "printed operation": HEAD + "      op: CAST[{i}] | inputs: {{ RawTensor [{i}] <128x512xDT_BF16> }} | outputs: {{ RawTensor [5] <128x512xDT_FP32> }}.",
    "vec tile": HEAD + "ExpandFunction failed: Operation: ADD. Tile shape size {one} is not matched the output shape size 3.",
    "cube tile": HEAD + "kL0({i}) and nL0(128) must be aligned to 16 elements",
    "dynamic dim": "Operation: ADDS Input operand (name: x{i})  at dimension[0] has invalid shape value: -1. Dynamic shape tensors",
    "pass": HEAD + "Run pass <Pass{one}> on function: TENSOR_M_Unroll{one}_PATH0_{i}.",
    "apply pass": HEAD + "[PassManager.Function]:Apply pass <OoOSchedule> on function: TENSOR_LOOP_q_Unroll{one}_PATH0_hiddenfunc_{i}.",
    "monitor": "[Compiler Monitor] Function: {i}/2 | Stage: Pass (completed) | Stage elapsed: 2.{one}s | Total elapsed: 12s",
    "slow stage": "[Compiler Monitor] | [** WARNING **] Function: 2/2 | Stage [Pass] elapsed [394000.000ms] exceeded the pass stage time "
                  "threshold [90000.000ms] | Func:[TENSOR_Q{i}_Unroll4_PATH0_5]",
    "make": "make: *** [kernels.mk:{i}: TENSOR_M_Unroll16_PATH0_hiddenfunc0_{i}_aic.o] Terminated",
    "traceback": '  File "ops/kernel{one}.py", line {i}, in kernel',
    "exit": "[job {i}] Process exited with code 124",
    "device memory": "RuntimeError: NPU out of memory. Tried to allocate {one}.02 GiB (NPU 0; 60.97 GiB total capacity)",
    "a word only": "[INFO] the file {i} exceeds the usual size, out of range, TileShape, Pass_1, exit 1",
    "colours": "\x1b[1;31mErrCode: F99999!\x1b[0m number {i} went wrong in \x1b[32mkernel\x1b[0m",
    "chinese": "ErrCode: F99999! 第 {i} 个算子编译失败",
}


def make_kind(path, line, megabytes):
    lines = [line.format(i=i, one=i % 7 + 1, size=200000 + i * 32, process=4000 + i % 300, minute=i % 60, second=i * 7 % 60)
             for i in range(5000)]
    block = ("\n".join(lines) + "\n").encode()
    with open(path, "wb") as file:
        while file.tell() < megabytes * 1_000_000:
            file.write(block)


def measure_kinds(fix, folder, megabytes):
    log = os.path.join(folder, "kind.log")
    for name, line in KINDS.items():
        make_kind(log, line, megabytes)
        cpu, _, memory = run([fix, "diagnose", log])
        print(f"only {name:20s} {cpu * 1000 / megabytes:6.2f} s CPU a GB (at most 6)  {memory:6.1f} MB (at most 50)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"))
    parser.add_argument("--kinds-only", action="store_true")
    options = parser.parse_args()
    fix, kernel = os.path.join(options.build, "pto-fix"), os.path.join(CASE, "kernel.py")
    with tempfile.TemporaryDirectory() as folder:
        measure_kinds(fix, folder, max(options.megabytes // 10, 1))
        if options.kinds_only:
            return
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
