#!/usr/bin/env python3
"""run_pair.py BEFORE.py AFTER.py: do both compute the same? Exit 0: yes, 1: no, 2: could not be run."""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pair  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--entry", help="the kernel or wrapper to run; the only kernel or `kernel` otherwise")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="bit for bit (the default)")
    how.add_argument("--tolerance", type=float, help="relative to the largest number of each tensor")
    parser.add_argument("--seeds", type=int, default=pair.SEEDS)
    parser.add_argument("--allow", action="append", default=[], help="a kind of refusal the new text may add")
    given = parser.parse_args()
    options = {key: value for key, value in vars(given).items() if value is not None and key not in ("before", "after")}
    code, text = pair.compare(given.before, given.after, options)
    print(f"{'equal' if code == pair.EQUAL else 'different' if code == pair.DIFFERENT else 'not run'}: {text}")
    return code


if __name__ == "__main__":
    sys.exit(main())
