#!/usr/bin/env python3
"""Measures runs over a whole repository and prints ratios of one benchmark run.

    tests/bench/bulk.py [--rounds N] [--copies 1,10,100] [--plot FILE.svg] FOLDER

FOLDER: a checkout of kernels. Rounds of all programs alternate: pto-fix (all rules, JSON, no cache), pto-parse-only over
the files that mention pypto, ast-grep (`npm ci` in this folder) with five comparable patterns, pto-fix with what an
earlier run kept. Figures are medians. --copies: the same over so many copies of the folder, side by side, to see how the
cost grows; --plot draws that (Debian's python3-matplotlib).
"""
import argparse
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

from run import TOP, run

# What ast-grep looks for: the shapes of five of our rules, as far as syntax alone tells.
PATTERNS = {
    "python-loop": "for $I in range($$$A): $$$B",
    "unroll-list": "pypto.loop($$$A, unroll_list=$L, $$$C)",
    "vec-tile": "pypto.set_vec_tile_shapes($$$A)",
    "cube-tile": "pypto.set_cube_tile_shapes($$$A)",
    "cast-in-kernel": "pypto.cast($A, $B)",
}


def ast_grep_config(folder):
    rules = folder / "rules"
    rules.mkdir()
    for name, pattern in PATTERNS.items():
        (rules / f"{name}.yml").write_text(
            f"id: {name}\nlanguage: python\nseverity: warning\nmessage: {name}\nrule:\n  pattern: {pattern!r}\n"
        )
    (folder / "sgconfig.yml").write_text("ruleDirs: [rules]\n")
    return folder / "sgconfig.yml"


def mentions(folder):
    paths = sorted(p for p in folder.rglob("*.py") if p.is_file() and not p.is_symlink())
    return [str(p) for p in paths if b"pypto" in p.read_bytes()], len(paths)


def median(rows, column):
    return statistics.median(row[column] for row in rows)


def cpu(rows):
    return statistics.median(row[0] + row[3] for row in rows)


def compare(options, folder, scratch):
    fix, parse = options.build / "pto-fix", options.build / "pto-parse-only"
    ast_grep = pathlib.Path(__file__).parent / "node_modules/.bin/ast-grep"
    config = ast_grep_config(scratch)
    files, all_files = mentions(folder)
    cache = scratch / "cache"
    kept = [fix, "--cache-dir", cache, "--format", "json", folder]
    run(kept)
    ours, parsed, theirs, again, apart = [], [], [], [], []
    for _ in range(options.rounds):
        parsed.append(run([parse, *files]))
        ours.append(run([fix, "--no-cache", "--format", "json", folder]))
        again.append(run(kept))
        if ast_grep.exists():
            theirs.append(run([ast_grep, "scan", "--config", config, "--json=compact", folder]))
            each = [run([ast_grep, "run", "--lang", "python", "-p", p, "--json=compact", folder]) for p in PATTERNS.values()]
            apart.append([sum(row[column] for row in each) for column in range(4)])
    print(f"{all_files} Python files, {len(files)} of them mention pypto")
    print(f"user CPU          {median(ours, 0):8.3f} s   parse-only {median(parsed, 0):8.3f} s   "
          f"ratio {median(ours, 0) / median(parsed, 0):6.2f}  (at most 1.3)")
    print(f"wall              {median(ours, 1):8.3f} s   CPU        {cpu(ours):8.3f} s   "
          f"ratio {median(ours, 1) / cpu(ours):6.2f}  (at most 0.65 on 2 cores; here {os.cpu_count()})")
    print(f"with cache, wall  {median(again, 1):8.3f} s   without    {median(ours, 1):8.3f} s   "
          f"ratio {median(ours, 1) / median(again, 1):6.1f}  (at least 10)")
    print(f"with cache, CPU   {cpu(again):8.3f} s   without    {cpu(ours):8.3f} s   ratio {cpu(ours) / cpu(again):6.1f}")
    print(f"peak memory       {median(ours, 2) / 1024:8.1f} MB  (under 200)")
    if theirs:
        print(f"CPU               {cpu(ours):8.3f} s   ast-grep   {cpu(theirs):8.3f} s   "
              f"ratio {cpu(theirs) / cpu(ours):6.2f}  (at least 3), its five patterns as rules of one scan")
        print(f"CPU               {cpu(ours):8.3f} s   ast-grep   {cpu(apart):8.3f} s   "
              f"ratio {cpu(apart) / cpu(ours):6.2f}  five runs of one pattern each")
    else:
        print("ast-grep is not there: `npm ci` in tests/bench")


def grow(options, folder, scratch):
    counts = [int(word) for word in options.copies.split(",")]
    # Real copies: links to one file are one file to pto-fix.
    tree = scratch / "copies"
    rows = []
    made = 0
    for count in counts:
        for copy in range(made, count):
            shutil.copytree(folder, tree / str(copy), ignore=lambda where, names: [
                n for n in names if n == ".git" or (not n.endswith(".py") and not os.path.isdir(os.path.join(where, n)))])
        made = count
        rounds = [run([options.build / "pto-fix", "--no-cache", "--format", "json", tree]) for _ in range(3 if count < 50 else 1)]
        rows.append((count, cpu(rounds), median(rounds, 1), median(rounds, 2) / 1024))
        print(f"{count:4d} copies  CPU {rows[-1][1]:8.2f} s  wall {rows[-1][2]:8.2f} s  "
              f"CPU a copy {rows[-1][1] / count:6.3f} s  peak {rows[-1][3]:7.0f} MB")
    if options.plot:
        plot(rows, options.plot)


def plot(rows, target):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    counts = [row[0] for row in rows]
    axes.loglog(counts, [row[1] for row in rows], "o-", label="CPU")
    axes.loglog(counts, [row[2] for row in rows], "s-", label="wall")
    axes.loglog(counts, [rows[0][1] * n / counts[0] for n in counts], "k:", label="proportional")
    axes.set_xlabel("copies of the repository")
    axes.set_ylabel("seconds")
    axes.set_xticks(counts, [str(n) for n in counts])
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(TOP) / "build" / "release")
    parser.add_argument("--copies")
    parser.add_argument("--plot")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"{options.folder} is no folder")
    with tempfile.TemporaryDirectory(prefix="pto-fix-bench-") as scratch:
        compare(options, options.folder.resolve(), pathlib.Path(scratch))
        if options.copies:
            grow(options, options.folder.resolve(), pathlib.Path(scratch))


if __name__ == "__main__":
    main()
