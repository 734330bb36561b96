#!/usr/bin/env python3
"""Kernels whose fate on the real compiler is known: all run through the reference, each equals itself, and the
reference refuses cube tiles and overflows exactly where the compiler did."""
import glob
import json
import os
import sys
import types
import unittest

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, _HERE)
import pair  # noqa: E402
from pypto import _state  # noqa: E402

_DATA = os.path.join(os.path.dirname(_HERE), "data", "measured")
# exp of exp of exp: no finite number is left, whatever goes in.
_OVERFLOWS = {"heavy_body.py"}


class MeasuredKernels(unittest.TestCase):
    def test_every_kernel_runs_and_equals_itself(self):
        paths = sorted(glob.glob(os.path.join(_DATA, "*.py")))
        self.assertGreater(len(paths), 15)
        for path in paths:
            name = os.path.basename(path)
            with self.subTest(name):
                code, text = pair.compare(path, path, {"seeds": 1})
                self.assertEqual(code, pair.NOT_RUN if name in _OVERFLOWS else pair.EQUAL, text)

    def test_judged_kernels_run_and_are_refused_as_the_compiler_does(self):
        with open(os.path.join(_DATA, "judged.jsonl"), encoding="utf-8") as file:
            judged = [json.loads(line) for line in file]
        self.assertGreater(len(judged), 150)
        for record in judged:
            with self.subTest(record["id"]):
                module = types.ModuleType("judged")
                exec(compile(record["source"], f"judged {record['id']}", "exec"), module.__dict__)
                _state.reset()
                module.kernel(*module.inputs())
                kinds = {problem.kind for problem in _state.problems}
                self.assertEqual("cube-tile" in kinds, record["code"] == "F0000C", _state.problems)
                self.assertEqual("memory" in kinds, record["code"] == "F40005", _state.problems)
                self.assertFalse(any(kind.startswith("vec-tile") for kind in kinds), _state.problems)  # none was F4FFFF


if __name__ == "__main__":
    unittest.main()
