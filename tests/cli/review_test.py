"""--review: each fix is asked for; answers come from standard input, as a script gives them."""

import os
import pty
import shutil
import subprocess
import unittest

from program import LOOP, PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main
from writing_test import UNROLL_KERNEL

THREE = "import pypto\n\na = 1  # pto-fix: ignore[PTO991] a\nb = 1  # pto-fix: ignore[PTO992] b\nc = 1  # pto-fix: ignore[PTO993] c\n"


def fixed(*lines):
    text = THREE
    for line in lines:
        number = "abc".index(line) + 1
        text = text.replace(f"pto-fix: ignore[PTO99{number}] ", "")
    return text


class Review(ProgramTest):
    def review(self, answers, *arguments, code, env=None):
        return self.run_program("--apply", "--unsafe", "--review", *(arguments or ["."]), stdin=answers, code=code,
                                env=env)

    def editor(self, script):
        path = self.state / "editor"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        return {"EDITOR": str(path)}

    def test_each_answer(self):
        cases = {
            "y\ny\ny\n": ("abc", 0),
            "n\nn\nn\n": ("", 1),
            "y\nn\ny\n": ("ac", 1),
            "n\ny\nn\n": ("b", 1),
            "a\n": ("abc", 0),
            "n\na\n": ("bc", 1),
            "d\n": ("", 1),
            "y\nd\n": ("a", 1),
            "q\n": ("", 1),
            "y\nq\n": ("a", 1),
            "y\n": ("a", 1),  # the end of the input
            "y": ("a", 1),
            "": ("", 1),
            "?\n\nx\nn\ny\nn\n": ("b", 1),  # what is no answer is asked again
            "delete\ndone\nyn\nnever\nyesterday\nya\n*\nn\ny\nn\n": ("b", 1),
            "Y\nN\nY\n": ("ac", 1),
            "yes\nNo\n  YES \r\n": ("ac", 1),
            "no\nAll\n": ("bc", 1),
            "A\n": ("abc", 0),
            "y\nD\n": ("a", 1),
            "y\nQuit\n": ("a", 1),
            "  y  \nn\nn\n": ("a", 1),
        }
        for answers, (lines, code) in cases.items():
            with self.subTest(answers):
                self.write("k.py", THREE)
                result = self.review(answers, code=code)
                self.assertEqual(self.read("k.py").decode(), fixed(*lines), result)

    def test_what_is_shown(self):
        self.write("k.py", THREE)
        result = self.review("n\ny\n?\nq\n", code=1)
        self.assertEqual(result.out.count("warning PTO001"), 2)  # those that are left
        self.assertIn("k.py:3:26: warning PTO001", result.err)
        self.assertIn("-a = 1  # pto-fix: ignore[PTO991] a", result.err.replace("- ", "-"))
        self.assertRegex(result.err, r"\(1/3\) Apply this fix in k\.py \[y,n,a,d,q,e,\?\]\? \w\n")
        # After an accepted one the file is looked at again.
        self.assertIn("(1/1) Apply this fix in k.py [y,n,a,d,q,e,?]? ", result.err)
        self.assertIn("q - quit; what was accepted is written", result.err)
        self.assertIn("应用此修复", self.review("?\nq\n", "--lang", "zh", ".", code=1).err)

    def test_a_and_d_are_about_one_file(self):
        for name in ("a.py", "b.py", "c.py"):
            self.write(name, THREE)
        self.review("d\na\ny\nq\n", code=1)
        self.assertEqual([self.read(n).decode() for n in ("a.py", "b.py", "c.py")], [THREE, fixed(*"abc"), fixed("a")])

    def test_what_was_accepted_can_be_undone(self):
        self.write("k.py", THREE)
        self.review("y\nq\n", code=1)
        self.run_program("undo", code=0)
        self.assertEqual(self.read("k.py").decode(), THREE)

    def test_a_fix_in_another_file(self):
        self.write("kernel.py", UNROLL_KERNEL.replace("  # pto-fix: ignore[PTO999] kept words", ""))
        self.write("numbers_of_mine.py", "UNROLL = [128, 1]\n")
        for answer in ("n\nn\nn\n", "e\nn\nn\nn\n"):  # no editor is named, and nobody sits there
            self.review(answer, "--select", "PTO202", ".", code=1)
            self.assertNotIn("64", self.read("numbers_of_mine.py").decode())
        self.review("a\n", "--select", "PTO202", ".", code=0)
        self.assertIn("[128, 64, 32, 16, 8, 4, 2, 1]", self.read("numbers_of_mine.py").decode())

    def test_the_rest_is_worked_out_again_after_each(self):
        self.write("k.py", LOOP)
        whole = self.run_program("--apply", "--unsafe", "-", stdin=LOOP).out
        self.review("a\n" * 20, "k.py", code=0)
        self.assertEqual(self.read("k.py").decode(), whole)

    def test_what_a_fix_writes_can_be_edited(self):
        self.write("k.py", THREE)
        environment = self.editor('sed -i "s/# b/# B, by hand/" "$1"\n')
        self.review("n\ne\nn\n", code=1, env=environment)
        self.assertEqual(self.read("k.py").decode(), fixed("b").replace("# b", "# B, by hand"))

    def test_an_edited_text_is_checked_as_any_fix(self):
        self.write("k.py", THREE)
        environment = self.editor('echo "b = (((" > "$1"\n')
        result = self.review("n\ne\nn\ny\n", code=1, env=environment)
        self.assertIn("not applied: it would leave", result.err)
        self.assertNotIn("internal error", result.err)
        self.assertEqual(self.read("k.py").decode(), fixed("c"))

    def test_an_editor_that_fails_changes_nothing(self):
        self.write("k.py", THREE)
        for environment in ({"EDITOR": "/nowhere/editor"}, {"VISUAL": "false", "EDITOR": "true"}):
            result = self.review("e\nd\n", code=1, env=environment)
            self.assertIn("the editor did not come back", result.err)
            self.assertEqual(self.read("k.py").decode(), THREE)
        # One that leaves the text as it is accepts the fix; one that puts the old text back does not.
        self.review("e\nd\n", code=1, env={"VISUAL": "true --wait"})
        self.assertEqual(self.read("k.py").decode(), fixed("a"))
        environment = self.editor('printf "b = 1  # pto-fix: ignore[PTO992] b\\n" > "$1"\n')
        self.assertIn("is there already", self.review("e\nd\n", code=1, env=environment).err)
        self.assertEqual(self.read("k.py").decode(), fixed("a"))

    def test_it_is_for_apply_and_files(self):
        self.write("k.py")
        self.assertIn("--review is for --apply", self.run_program("--review", "k.py", code=2).err)
        self.assertIn("--review is for --apply", self.run_program("--diff", "--review", "k.py", code=2).err)
        self.assertIn("standard input", self.run_program("--apply", "--review", "-", code=2).err)

    def test_nothing_is_asked_where_there_is_nothing_to_fix(self):
        self.write("k.py", "import pypto\n")
        self.assertNotIn("?", self.review("", code=0).err)

    def test_on_a_terminal(self):
        self.write("k.py", SUPPRESSION)
        master, slave = pty.openpty()
        program = subprocess.Popen([PTO_FIX, "--apply", "--unsafe", "--review", "k.py"], cwd=self.folder, stdin=slave,
                                   stdout=slave, stderr=slave, env=self.environment(TERM="xterm"))
        os.close(slave)
        os.write(master, b"y\n")
        shown = b""
        try:
            while part := os.read(master, 4096):
                shown += part
        except OSError:
            pass
        os.close(master)
        self.assertEqual(program.wait(60), 0)
        self.assertIn(b"[y,n,a,d,q,e,?]?", shown)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION_FIXED)


if __name__ == "__main__":
    main()
