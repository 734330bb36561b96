"""pto-fix diagnose over fixtures/logs: the verdicts of each log, the findings that they are tied to, and the fixed text."""

import json
import os
import pathlib
import shutil

from program import ProgramTest, main

LOGS = pathlib.Path(__file__).resolve().parents[2] / "fixtures/logs"
KEYS = ("kind", "code", "pool", "stage", "pass", "function", "operation", "bytes", "limit", "together", "confidence")


class LogsTest(ProgramTest):
    def prepare(self, case):
        """The log, the kernel (or None) and the fixed text, as the case has them."""
        with open(case / "case.json", encoding="utf-8") as file:
            about = json.load(file)
        kernel = (case / about.get("kernel", "kernel.py")).resolve()
        log = next(case.glob("build.log*"))
        shutil.copy(log, self.folder)
        if not kernel.exists():
            return about, log.name, [], None
        shutil.copy(kernel, self.folder / "kernel.py")
        fixed = kernel.with_name(kernel.stem + ".fixed.py")
        return about, log.name, ["kernel.py"], fixed

    def check_verdicts(self, about, document):
        self.assertEqual([v["kind"] for v in document["verdicts"]], [w["kind"] for w in about["expect"]])
        for verdict, wanted in zip(document["verdicts"], about["expect"]):
            for key in KEYS:
                if key in wanted:
                    self.assertEqual(verdict[key], wanted[key], key)
            found = [document["findings"][i] for i in verdict["findings"]]
            shown = sorted((f["rule"], f["fix"]["applicability"] if f["fix"] else "none") for f in found)
            self.assertEqual(shown, sorted((f["rule"], f["fix"]) for f in wanted["findings"]))
            if "matches" in wanted:
                self.assertEqual([m["line"] for m in verdict["matches"]], wanted["matches"])
            self.assertTrue(verdict["headline"])
            # A message says no more than it knows: no placeholder is left open.
            for text in [verdict["headline"], *verdict["reasons"], *verdict["noUse"], *verdict["advice"]]:
                self.assertNotIn("{", text)
                self.assertNotIn("diagnose.", text)
        tied = [i for v in document["verdicts"] for i in v["findings"]]
        self.assertEqual(sorted(tied), list(range(len(document["findings"]))), "a finding belongs to one verdict")

    def test_logs(self):
        for case in sorted(LOGS.iterdir()):
            if not (case / "case.json").exists():
                continue
            with self.subTest(case.name):
                about, log, kernels, fixed = self.prepare(case)
                args = about.get("args", [])
                result = self.run_program("diagnose", "--no-config", "--format", "json", log, *kernels)
                self.assertEqual(result.code, 1, result)
                self.check_verdicts(about, result.json())
                text = self.run_program("diagnose", "--no-config", log, *kernels, code=1)
                chinese = self.run_program("diagnose", "--no-config", "--lang", "zh", log, *kernels, code=1)
                self.assertGreaterEqual(text.out.count("\n"), 3)
                self.assertRegex(chinese.out, "[\u4e00-\u9fff]")
                if not kernels:
                    continue
                before = self.read("kernel.py")
                diff = self.run_program("diagnose", "--no-config", "--diff", *args, log, *kernels, code=1).out
                self.assertEqual(self.read("kernel.py"), before)
                applied = self.run_program("diagnose", "--no-config", "--apply", *args, log, *kernels)
                after = self.read("kernel.py")
                if os.environ.get("PTOFIX_ACCEPT") and case in fixed.parents and after != before:
                    fixed.write_bytes(after)
                wanted = fixed.read_bytes() if fixed.exists() else before
                expects_fix = any(f["fix"] in ("safe", "unsafe") for w in about["expect"] for f in w["findings"])
                self.assertEqual(after.decode(), (wanted if expects_fix else before).decode())
                self.assertEqual(bool(diff), after != before, diff)
                # The log is of an earlier text now: nothing more is fixed for it.
                if after != before:
                    self.run_program("diagnose", "--no-config", "--apply", *args, log, *kernels)
                    self.assertEqual(self.read("kernel.py"), after)
                every = all(w["findings"] and all(f["fix"] in ("safe", "unsafe") for f in w["findings"]) for w in about["expect"])
                self.assertEqual(applied.code, 0 if every else 1, applied)


if __name__ == "__main__":
    main()
