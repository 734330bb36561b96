"""--apply and --diff: what is written, what git makes of the diff, and what happens when writing fails."""

import os
import shutil
import stat
import subprocess
import unittest

from program import SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main


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
        self.assertIn("k.py:3:26: warning PTO001", result.out)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)

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
        self.assertIn("0 fixes written to 0 files", result.err)

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


@unittest.skipUnless(shutil.which("git"), "needs git")
class Diff(ProgramTest):
    def test_git_applies_it_and_gets_what_apply_writes(self):
        variants = {
            "plain": SUPPRESSION.encode(),
            "CRLF": SUPPRESSION.replace("\n", "\r\n").encode(),
            "no final newline": SUPPRESSION.rstrip("\n").encode(),
            "BOM": b"\xef\xbb\xbf" + SUPPRESSION.encode(),
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
