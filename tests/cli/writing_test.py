"""--apply and --diff: what is written, what git makes of the diff, and what happens when writing fails."""

import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import time
import unittest

from program import INTERPOSE, LOOP, PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main


# A kernel whose unroll list jumps, and is written in another file.
UNROLL_KERNEL = """import pypto
from numbers_of_mine import UNROLL  # pto-fix: ignore[PTO999] kept words


@pypto.frontend.jit
def scale_rows(
    x: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 512)
    for t in pypto.loop(x.shape[0], name="TOKENS", idx_name="t", unroll_list=UNROLL):
        row = pypto.view(x, [1, 512], [t, 0])
        pypto.assemble(pypto.div(row, pypto.amax(row, -1, True)), [t, 0], out)
"""


class Writing(ProgramTest):
    def test_check_and_diff_write_nothing(self):
        path = self.write("k.py")
        before = os.stat(path)
        self.run_program("k.py")
        self.run_program("--diff", "--unsafe", "k.py")
        after = os.stat(path)
        self.assertEqual((before.st_mtime_ns, before.st_ino), (after.st_mtime_ns, after.st_ino))
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)

    def test_mode_is_kept_and_nothing_else_appears(self):
        self.write("k.py").chmod(0o750)
        self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "k.py").st_mode), 0o750)
        self.assertEqual(os.listdir(self.folder), ["k.py"])

    def test_untouched_bytes_stay(self):
        before = b"\xef\xbb\xbfimport pypto\r\n\tx = '\xe4\xb8\xad'\n# pto-fix: ignore[PTO999] keep\r\ny = 2"
        self.write("k.py", before)
        self.run_program("--apply", "--unsafe", "k.py")
        self.assertEqual(self.read("k.py"), before.replace(b"pto-fix: ignore[PTO999] ", b""))

    def test_a_read_only_file_is_left_alone(self):
        self.write("k.py").chmod(0o444)
        result = self.run_program("--apply", "--unsafe", "k.py", code=2)
        self.assertIn("k.py: is read-only; not written", result.err)
        self.assertIn("0 fixes written to 0 files\n", result.err)
        self.assertEqual(self.run_program("--apply", "--unsafe", "--format", "json", "k.py", code=2).json()["fixing"]["applied"], {})
        self.assertIn("k.py:3:26: warning PTO001", result.out)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)

    def test_files_that_a_fix_changes_together_are_written_together_or_not_at_all(self):
        self.write("kernel.py", UNROLL_KERNEL)
        self.write("numbers_of_mine.py", "UNROLL = [128, 1]\n")
        self.write("other.py", SUPPRESSION)
        diff = self.run_program("--diff", "--unsafe", ".", code=1).out
        self.assertEqual(diff.count("+++ b/"), 3, diff)
        edit = self.run_program("--format", "json", "--select", "PTO202", ".").json()["findings"][0]["fix"]["edits"][0]
        self.assertEqual(edit["path"], "numbers_of_mine.py")
        (self.folder / "numbers_of_mine.py").chmod(0o444)
        result = self.run_program("--apply", "--unsafe", ".", code=2)
        self.assertEqual(self.read("kernel.py").decode(), UNROLL_KERNEL)
        self.assertEqual(self.read("other.py").decode(), SUPPRESSION_FIXED)
        self.assertIn("numbers_of_mine.py: is read-only; not written", result.err)
        self.assertIn("kernel.py: not written, because numbers_of_mine.py could not be", result.err)
        self.assertIn("PTO202", result.out)
        (self.folder / "numbers_of_mine.py").chmod(0o644)
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertIn("[128, 64, 32, 16, 8, 4, 2, 1]", self.read("numbers_of_mine.py").decode())

    def test_what_was_written_is_counted_and_what_was_not_is_not(self):
        for name in ("a.py", "b.py", "c.py"):
            self.write(name)
        (self.folder / "b.py").chmod(0o444)
        document = self.run_program("--apply", "--unsafe", "--format", "json", ".", code=2).json()
        self.assertEqual(document["fixing"]["applied"], {"PTO001": 2})
        self.assertEqual([f["changed"] for f in document["files"]], [True, False, True])
        self.assertEqual(document["files"][1]["error"]["kind"], "read-only")
        self.assertEqual([f["path"] for f in document["findings"]], ["b.py"])

    def test_files_of_two_configurations_are_fixed_as_one_run(self):
        # The kernel and its constant are below different configurations; the constant's file names pypto.
        kernel = UNROLL_KERNEL.replace("from numbers_of_mine", "from ..lib.numbers_of_mine")
        for reader in (False, True):
            with self.subTest(reader=reader):
                self.write("kernels/kernel.py", kernel)
                self.write("kernels/pto-fix.toml", "")
                self.write("lib/numbers_of_mine.py", "UNROLL = [128, 1]  # of pypto\n")
                self.write("lib/pto-fix.toml", 'ignore = ["PTO001"]\n')
                if reader:
                    # It wants the list as it is: loop_unroll copies nothing.
                    self.write("lib/reader.py", kernel.replace("pypto.loop(x", "pypto.loop_unroll(x").replace("for t in", "for t, _ in"))
                fix = self.run_program("--format", "json", "--select", "PTO202", ".").json()["findings"][0]["fix"]
                self.run_program("--apply", ".")
                changed = self.read("lib/numbers_of_mine.py").decode() != "UNROLL = [128, 1]  # of pypto\n"
                self.assertEqual(changed, fix["applicability"] == "safe")
                self.assertEqual(changed, not reader)

    def test_a_file_that_was_not_given_is_not_changed(self):
        self.write("kernel.py", UNROLL_KERNEL)
        self.write("numbers_of_mine.py", "UNROLL = [128, 1]\n")
        finding = self.run_program("--format", "json", "--select", "PTO202", "kernel.py").json()["findings"][0]
        self.assertEqual(finding["fix"]["applicability"], "suggestion")
        self.assertIn("numbers_of_mine.py", finding["blocked"])
        self.run_program("--apply", "kernel.py", code=1)
        self.assertEqual(self.read("numbers_of_mine.py").decode(), "UNROLL = [128, 1]\n")

    def test_unsafe_fixes_need_unsafe(self):
        self.write("k.py")
        result = self.run_program("--apply", "k.py", code=1)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
        self.assertIn("left: 0 errors, 1 warning, 0 info", result.err)

    def test_applying_twice_changes_nothing_more(self):
        self.write("k.py")
        self.run_program("--apply", "--unsafe", "k.py")
        before = os.stat(self.folder / "k.py")
        result = self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(os.stat(self.folder / "k.py").st_mtime_ns, before.st_mtime_ns)
        self.assertIn("no fix to write", result.err)

    def test_the_json_tells_what_was_done(self):
        self.write("k.py")
        document = self.run_program("--apply", "--unsafe", "--format", "json", "k.py", code=0).json()
        self.assertEqual(document["findings"], [])
        self.assertTrue(document["files"][0]["changed"])
        self.assertEqual(document["fixing"]["applied"], {"PTO001": 1})
        self.assertEqual(document["fixing"]["stop"], "no_more_fixes")

    def test_json_with_a_diff_has_both_the_findings_and_the_diff(self):
        self.write("k.py")
        document = self.run_program("--diff", "--unsafe", "--format", "json", "k.py", code=1).json()
        self.assertEqual(len(document["findings"]), 1)
        self.assertIn("+x = 1  # kept words", document["files"][0]["diff"])
        self.assertFalse(document["files"][0]["changed"])


class Interrupted(ProgramTest):
    FILES = 25

    def start(self, *arguments):
        return subprocess.Popen([PTO_FIX, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=self.environment())

    def test_killed_at_any_moment_each_file_is_old_or_new(self):
        for how in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            for _ in range(6):
                for i in range(self.FILES):
                    self.write(f"k{i}.py")
                program = self.start("--apply", "--unsafe", ".")
                time.sleep(random.uniform(0.0, 0.15))
                program.send_signal(how)
                program.wait(60)
                for i in range(self.FILES):
                    self.assertIn(self.read(f"k{i}.py").decode(), (SUPPRESSION, SUPPRESSION_FIXED))
                if how == signal.SIGKILL:  # between two system calls: the next run takes away what that left
                    self.run_program("--apply", "--unsafe", ".")
                self.assertEqual([p.name for p in self.folder.iterdir() if p.suffix == ".tmp"], [])

    def test_several_runs_at_once_write_what_one_would(self):
        for _ in range(5):
            for i in range(self.FILES):
                self.write(f"k{i}.py")
            programs = [self.start("--apply", "--unsafe", path) for path in (".", "../" + self.folder.name, ".", "k0.py")]
            codes = [program.wait(120) for program in programs]
            # One that finds a file written by another since it read it says so, and leaves it.
            self.assertIn(0, codes)
            self.assertLessEqual(set(codes), {0, 2})
            for i in range(self.FILES):
                self.assertEqual(self.read(f"k{i}.py").decode(), SUPPRESSION_FIXED)
            self.assertEqual([p.name for p in self.folder.iterdir() if p.suffix != ".py"], [])

    def test_a_file_that_changes_while_it_runs_is_not_written(self):
        self.write("k.py")
        environment = self.environment() | {
            "LD_PRELOAD": INTERPOSE,
            "PTOFIX_TEST_EDITS": str(self.folder / "k.py"),
            # The sanitizer's runtime wants to be loaded first; that matters to what it intercepts, and fsync is not of it.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
        }
        result = subprocess.run([PTO_FIX, "--apply", "--unsafe", "."], cwd=self.folder, capture_output=True,
                                env=environment, timeout=120)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION + "# an editor saved this\n")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(b"k.py: changed while pto-fix was running; not written", result.stderr)
        self.assertEqual(os.listdir(self.folder), ["k.py"])


class Kernels(ProgramTest):
    def test_a_loop_is_found_fixed_and_gone(self):
        self.write("k.py", LOOP)
        document = self.run_program("--format", "json", "k.py", code=1).json()
        self.assertEqual([f["rule"] for f in document["findings"]], ["PTO201"])
        finding = document["findings"][0]
        self.assertEqual(finding["data"]["copies"], 128)
        self.assertEqual(finding["function"], "kernel")
        self.assertEqual(finding["fix"]["applicability"], "safe")
        raw = self.read("k.py")
        for edit in reversed(finding["fix"]["edits"]):
            raw = raw[: edit["start"]] + edit["text"].encode() + raw[edit["end"] :]
        self.run_program("--apply", "k.py", code=0)
        self.assertEqual(self.read("k.py"), raw)
        compile(raw, "k.py", "exec")

    def test_a_suppressed_finding_is_silent(self):
        line = "    for h in range(HEADS):"
        self.write("k.py", LOOP.replace(line, line + "  # pto-fix: ignore[PTO201] measured"))
        self.assertEqual(self.run_program("k.py", code=0).out, "")

    def test_syntax_errors_elsewhere_leave_the_finding_and_its_fix(self):
        broken = LOOP + "\n\ndef unfinished(:\n    pass\n"
        self.write("k.py", broken)
        result = self.run_program("--apply", "k.py", code=0)
        self.assertIn("does not parse here", result.err)
        self.assertIn("pypto.loop(HEADS", self.read("k.py").decode())
        self.assertTrue(self.read("k.py").decode().endswith("\n\ndef unfinished(:\n    pass\n"))

    def test_what_was_not_followed_is_explained_on_request(self):
        self.write("k.py", LOOP.replace("16, 16)\n    for", "size(), 16)\n    for").replace("import torch\n", "import torch\nfrom lib import size\n"))
        self.assertIn("k.py:15:31: not followed:", self.run_program("--explain-unknown", "k.py").out)
        document = self.run_program("--explain-unknown", "--format", "json", "k.py").json()
        self.assertTrue(any(u["line"] == 15 for u in document["files"][0]["unknown"]))
        self.assertNotIn("not followed", self.run_program("k.py").out)

    def test_what_waits_for_other_rules_says_which(self):
        fixtures = pathlib.Path(__file__).parents[2] / "fixtures"
        kernel = (fixtures / "PTO101/waits_for_int8_matmul.py").read_bytes()
        self.write("k.py", kernel)
        (found,) = self.run_program("--apply", "--select", "PTO101", "--format", "json", "k.py", code=1).json()["findings"]
        self.assertEqual((found["blockedId"], found["fix"]["applicability"]), ("blocked.other_rules_first", "suggestion"))
        self.assertIn("PTO105", found["blocked"])
        self.assertEqual(self.read("k.py"), kernel)

    def test_suppressions_in_full_width_punctuation_silence_and_are_removed(self):
        for comment in ("# pto-fix：ignore[PTO201] 原因", "# pto-fix: ignore［PTO202，PTO201］", "# pto-fix：ignore【PTO201】：原因"):
            self.write("k.py", LOOP.replace("range(HEADS):", "range(HEADS):  " + comment))
            found = self.run_program("--format", "json", "k.py", code=0).json()["findings"]
            self.assertNotIn("PTO201", [f["rule"] for f in found])
        for before, after in (
            ("# pto-fix：ignore［PTO999］留下", "# 留下"),
            ("# pto-fix：ignore［PTO999］", ""),
            ("# pto-fix：ignore【PTO999，PTO201】留下", "# pto-fix：ignore【PTO201】留下"),
            ("# pto-fix：ignore［PTO201、\u3000PTO999］留下", "# pto-fix：ignore［PTO201］留下"),
            ("# 前 # pto-fix：ignore［PTO999］", "# 前"),
        ):
            with self.subTest(before):
                self.write("k.py", LOOP.replace("range(HEADS):", "range(HEADS):  " + before))
                self.run_program("--apply", "--unsafe", "--select", "PTO001", "k.py")
                line = next(line for line in self.read("k.py").decode().split("\n") if "range(HEADS):" in line)
                self.assertEqual(line.partition("range(HEADS):")[2].strip(), after)

    def test_select_and_ignore_reach_the_rules(self):
        self.write("k.py", LOOP)
        self.run_program("--select", "PTO202", "k.py", code=0)
        self.run_program("--ignore", "python-loop-in-kernel", "k.py", code=0)
        self.run_program("--select", "pto2", "k.py", code=1)


@unittest.skipUnless(shutil.which("git"), "needs git")
class Diff(ProgramTest):
    def test_git_applies_it_and_gets_what_apply_writes(self):
        variants = {
            "plain": SUPPRESSION.encode(),
            "CRLF": SUPPRESSION.replace("\n", "\r\n").encode(),
            "no final newline": SUPPRESSION.rstrip("\n").encode(),
            "BOM": b"\xef\xbb\xbf" + SUPPRESSION.encode(),
            "loop": LOOP.encode(),
            "GBK": "# coding: gbk\nimport pypto\nx = 1  # pto-fix: ignore[PTO999] 中文\n".encode("gbk"),
        }
        for name, content in variants.items():
            with self.subTest(name):
                self.write("a dir/中 k.py", content)
                diff = self.run_program("--diff", "--unsafe", ".").out_bytes
                self.assertIn(b"@@", diff)
                subprocess.run(["git", "apply", "-"], input=diff, cwd=self.folder, check=True)
                by_git = self.read("a dir/中 k.py")
                self.write("a dir/中 k.py", content)
                self.run_program("--apply", "--unsafe", ".")
                self.assertEqual(by_git, self.read("a dir/中 k.py"))
                filtered = self.run_program("--apply", "--unsafe", "-", stdin=content)
                self.assertEqual(filtered.out_bytes, by_git)


if __name__ == "__main__":
    main()
