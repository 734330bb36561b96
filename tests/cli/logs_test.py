"""pto-fix diagnose over fixtures/logs: the verdicts of each log, the findings that they are tied to, and the fixed text."""

import json
import os
import pathlib
import re
import shutil

from program import ProgramTest, main

LOGS = pathlib.Path(__file__).resolve().parents[2] / "fixtures/logs"
KEYS = ("kind", "code", "pool", "stage", "pass", "function", "operation", "bytes", "limit", "together", "confidence")


TABLE = LOGS.parents[1] / "docs/logs.md"
# Every sentence that the framework was seen to print, and its code: each has a log here.
SENTENCES = (
    ("F40005", "Alloc tensor ["), ("F40005", "OP CAST["), ("F40005", "OP ADD["), ("F40005", "OP ROWMAX_SINGLE["),
    ("F40005", "exceeds MEM_UB"), ("F40005", "exceeds MEM_L0A"), ("F40005", "exceeds MEM_L0B"), ("F40005", "exceeds MEM_L0C"),
    ("F40005", "exceeds MEM_L1"),
    ("F0000C", "must be aligned to 16 elements"), ("F0000C", "Invalid L1/L0 relation: kL0="), ("F0000C", "Invalid L1/L0 relation: mL0="),
    ("F0000C", "mL0 memory not aligned when transA=true"), ("F0000C", "Invalid tile values:"), ("F0000C", "kL0 * sizeof(dtype)"),
    ("F0000C", "nL0 * sizeof(dtype)"), ("F0000C", "Invalid tileKL1 configuration"),
    ("FC4000", "Invalid L1/L0 relation"), ("FC4001", "must be aligned to 16 elements"),
    ("F00002", "m must have exactly 2 elements"), ("F00002", "k must have 2 or 3 elements"),
    ("F00002", "runtime.stitch_function_max_num: 0"), ("F00002", "runtime.stitch_function_max_num: 1025"),
    ("F00002", "Division or Mod by zero"), ("F00007", "when using GM accumulated"), ("F0000B", "inner axis must be less than"),
    ("F0000A", "invalid shape value: -1."), ("F0000A", "invalid shape value: 0."), ("F0000A", "invalid shape value: -8."),
    ("FC0000", "TileShape dim num should same to input"), ("FC0002", "dims of tensor is out of range"),
    ("FC1000", "TileShape is no set"), ("FC1001", "must be a multiple of"), ("F4FFFF", "Tile shape size 1 is not matched"),
    ("F4FFFF", "Tile shape size 0 is not matched"), ("F0FFFF", "unroll factor 0"), ("F2FFFF", "CurUnrollTimes() = 0"),
    ("F0F619", "Terminated"), ("F0F619", "stack frame size"), ("F7A007", "single-loop-operation limit"),
    ("exit 124", "124"), ("NPU out of memory", "NPU out of memory. Tried to allocate"),
)


def cases():
    for folder in sorted(LOGS.iterdir()):
        if (folder / "case.json").exists():
            with open(folder / "case.json", encoding="utf-8") as file:
                yield folder.name, json.load(file), next(folder.glob("build.log*")).read_bytes()


class TableTest(ProgramTest):
    """docs/logs.md: from the code in a log to its fixture and to what mends it."""

    def concluded(self, name, about):
        kernel = LOGS / name / about.get("kernel", "kernel.py")
        kernels = [kernel] if kernel.exists() else []
        return self.run_program("diagnose", "--no-config", "--format", "json", next((LOGS / name).glob("build.log*")), *kernels).json()

    def table(self):
        rows = []
        for name, about, _ in cases():
            if name.startswith("noise"):
                continue
            document = self.concluded(name, about)
            for verdict in document["verdicts"]:
                found = [document["findings"][i] for i in verdict["findings"]]
                rules = ", ".join(sorted({f"[{f['rule']}](rules/{f['rule']}.md)" for f in found if f["fix"]}))
                code = verdict["code"] or f"none ({verdict['pass'] or verdict['stage']})"
                mended = rules or ("in words, tied to the line" if verdict["matches"] else "in words")
                rows.append(f"| {code} | [{name}](../fixtures/logs/{name}) | {verdict['kind']} | {mended} |")
        return ("# Logs that pto-fix diagnose is tested with\n\nEach has a realistic log of our own making and, where one belongs to it, its "
                "kernel. What is mended by a rule is written by `--apply`;\nthe others are answered with the line, what to write there and why "
                "it is left to a person.\n\n| code | fixture | verdict | mended by |\n|---|---|---|---|\n" + "\n".join(sorted(rows)) +
                "\n\nWritten by tests/cli/logs_test.py (`PTOFIX_ACCEPT=1`).\n")

    def test_table(self):
        wanted = self.table()
        if os.environ.get("PTOFIX_ACCEPT"):
            TABLE.write_text(wanted, encoding="utf-8")
        self.assertEqual(TABLE.read_text(encoding="utf-8"), wanted)

    def test_every_sentence_has_a_log(self):
        logs = [(about, log.decode("utf-8", "replace")) for name, about, log in cases() if not name.startswith("noise")]
        table = TABLE.read_text(encoding="utf-8")
        for code, sentence in SENTENCES:
            with self.subTest(code=code, sentence=sentence):
                own = [about for about, log in logs if sentence in log and (code in log or "exit" in code or code.startswith("F0F"))]
                self.assertTrue(own)
                self.assertIn(f"\n| {code} |", table)

    def test_every_page_of_a_code_has_a_log(self):
        table = TABLE.read_text(encoding="utf-8")
        for page in (LOGS.parents[1] / "docs/codes").glob("F*.md"):
            if "." not in page.stem:
                self.assertIn(f"| {page.stem} |", table)


class CutTest(ProgramTest):
    """A log that ends in the middle of its error says nothing that the whole log does not say."""

    NUMBER = re.compile(r"(?<![\w.])\d+")

    def test_cut_in_the_error(self):
        """Every byte is tried in tests/unit/diagnose_cut_test.cpp, without kernels."""
        step = int(os.environ.get("PTOFIX_CUT_STEP", "173"))
        for name, about, log in cases():
            kernel = LOGS / name / about.get("kernel", "kernel.py")
            if name.startswith("noise") or not kernel.exists():
                continue
            with self.subTest(name):
                for end in range(len(name) % step, len(log), step):
                    path = self.write("cut.log", log[:end])
                    result = self.run_program("diagnose", "--no-config", "--format", "json", path, kernel)
                    self.assertIn(result.code, (0, 1, 2), (end, result))
                    if result.code != 1:
                        continue
                    for verdict in result.json()["verdicts"]:
                        said = set(self.NUMBER.findall(verdict["headline"].replace(",", "")))
                        if verdict["kind"] == "workspace":
                            said = set()  # GiB are told in MiB
                        self.assertLessEqual(said, set(self.NUMBER.findall(log.decode("utf-8", "replace"))), (end, verdict["headline"]))
                        for text in (verdict["headline"], *verdict["reasons"], *verdict["noUse"], *verdict["advice"]):
                            self.assertNotRegex(text, r"\(\)|  |[{}]| [.,](?!\.\.)", (end, log[max(0, end - 60): end]))


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


class SaidInPart(ProgramTest):
    """A log that lost its sentence proves less than the same log whole."""

    def confidence(self, log):
        self.write("build.log", log)
        shutil.copy(LOGS / "cube_k_relation/kernel.py", self.folder / "kernel.py")
        result = self.run_program("diagnose", "--no-config", "--format", "json", "build.log", "kernel.py", code=1)
        return result.json()["verdicts"][-1]["confidence"]

    def test_a_refusal_without_its_words_is_likely_at_most(self):
        lines = (LOGS / "cube_k_relation/build.log").read_text().splitlines(keepends=True)
        self.assertEqual(self.confidence("".join(lines)), "certain")
        code = next(i for i, line in enumerate(lines) if "FC4000" in line or "F0000C" in line)
        self.assertEqual(self.confidence("".join(lines[: code + 1])), "likely")


if __name__ == "__main__":
    main()
