"""The journal of --apply, and `pto-fix undo`: bytes and modes come back, what was changed since stays."""

import os
import pathlib
import shutil
import stat
import subprocess
import unittest

from program import SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main
from writing_test import UNROLL_KERNEL


class UndoTest(ProgramTest):
    def apply(self, *arguments, code=0, **options):
        return self.run_program("--apply", "--unsafe", *(arguments or ["."]), code=code, **options)

    def undo(self, *arguments, code=0, **options):
        return self.run_program("undo", *arguments, code=code, **options)

    def journals(self):
        return sorted(p for p in self.state.rglob("*") if p.is_file())


class Undo(UndoTest):
    def test_bytes_and_modes_come_back(self):
        contents = {
            "plain.py": SUPPRESSION.encode(),
            "windows.py": b"\xef\xbb\xbf" + SUPPRESSION.replace("\n", "\r\n").encode().rstrip(),
            "sub/中文 %20 name.py": "# coding: gbk\nimport pypto\nx = '中'  # pto-fix: ignore[PTO999] 中文\n".encode("gbk"),
        }
        modes = {"plain.py": 0o644, "windows.py": 0o755, "sub/中文 %20 name.py": 0o600}
        for name, content in contents.items():
            self.write(name, content).chmod(modes[name])
        self.apply()
        for name in contents:
            self.assertNotEqual(self.read(name), contents[name])
        (self.folder / "windows.py").chmod(0o700)
        result = self.undo()
        self.assertRegex(result.err, r"^pto-fix: 3 files put back as before the run of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$")
        for name in contents:
            self.assertEqual(self.read(name), contents[name])
            self.assertEqual(stat.S_IMODE(os.stat(self.folder / name).st_mode), modes[name])
        self.assertEqual(self.journals(), [])
        self.assertIn("no run is known", self.undo(code=2).err)

    def test_runs_are_taken_back_one_by_one_last_first(self):
        self.write("a.py")
        self.apply("a.py")
        self.write("b.py")
        self.apply("b.py")
        listed = self.undo("--list")
        self.assertRegex(listed.out, r"^\S+Z: 1 file\n  b.py\n\S+Z: 1 file\n  a.py\n$")
        self.undo()
        self.assertEqual((self.read("a.py").decode(), self.read("b.py").decode()), (SUPPRESSION_FIXED, SUPPRESSION))
        self.undo()
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION)

    def test_a_file_changed_since_keeps_everything_as_it_is(self):
        for name in ("a.py", "b.py", "c.py", "d.py"):
            self.write(name)
        self.apply()
        self.write("b.py", SUPPRESSION_FIXED + "# mine\n")
        (self.folder / "c.py").unlink()
        result = self.undo(code=2)
        self.assertIn("b.py: has been changed since", result.err)
        self.assertIn("c.py: is gone", result.err)
        self.assertIn("nothing was restored; --skip-changed", result.err)
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION_FIXED)
        self.assertIn("没有还原任何文件", self.undo("--lang", "zh", code=2).err)
        self.assertIn("2 files put back", self.undo("--skip-changed", code=1).err)
        self.assertEqual([self.read(n).decode() for n in ("a.py", "b.py", "d.py")],
                         [SUPPRESSION, SUPPRESSION_FIXED + "# mine\n", SUPPRESSION])
        self.assertFalse((self.folder / "c.py").exists())
        self.assertIn(": 2 files that an undo has left", self.undo("--list").out)

    def test_files_that_a_fix_changed_together_are_put_back_together(self):
        self.write("kernel.py", UNROLL_KERNEL)
        self.write("numbers_of_mine.py", "UNROLL = [128, 1]\n")
        self.write("other.py")
        self.apply()
        self.assertNotEqual(self.read("kernel.py").decode(), UNROLL_KERNEL)
        changed = self.read("kernel.py")
        with open(self.folder / "numbers_of_mine.py", "a") as file:
            file.write("MINE = 1\n")
        self.undo("--skip-changed", code=1)
        self.assertEqual(self.read("kernel.py"), changed)
        self.assertEqual(self.read("other.py").decode(), SUPPRESSION)

    def test_a_file_put_back_by_hand_is_no_change(self):
        self.write("a.py")
        self.write("b.py")
        self.apply()
        self.write("a.py")
        self.assertIn("1 file put back", self.undo().err)
        self.assertEqual(self.read("b.py").decode(), SUPPRESSION)

    def test_links_stay_links_and_hard_links_one_file(self):
        self.write("real/a.py")
        (self.folder / "a_link.py").symlink_to("real/a.py")
        self.write("b.py")
        os.link(self.folder / "b.py", self.folder / "b_other.py")
        self.apply("a_link.py", "b.py")
        self.assertEqual(self.read("b_other.py").decode(), SUPPRESSION_FIXED)
        self.undo()
        self.assertTrue((self.folder / "a_link.py").is_symlink())
        self.assertEqual(self.read("real/a.py").decode(), SUPPRESSION)
        self.assertEqual(self.read("b_other.py").decode(), SUPPRESSION)
        self.assertTrue(os.path.samefile(self.folder / "b.py", self.folder / "b_other.py"))

    def test_a_link_in_the_place_of_the_file_is_a_change(self):
        self.write("a.py")
        self.apply()
        os.rename(self.folder / "a.py", self.folder / "moved.py")
        (self.folder / "a.py").symlink_to("moved.py")
        self.assertIn("has been changed since", self.undo(code=2).err)
        self.assertEqual(self.read("moved.py").decode(), SUPPRESSION_FIXED)

    def test_what_cannot_be_written_can_be_tried_again(self):
        self.write("a.py")
        self.write("b.py")
        self.apply()
        (self.folder / "a.py").chmod(0o444)
        self.assertIn("a.py: is read-only", self.undo(code=2).err)
        self.assertEqual(self.read("b.py").decode(), SUPPRESSION)
        (self.folder / "a.py").chmod(0o644)
        self.undo()
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION)

    def test_what_was_skipped_can_still_be_put_back(self):
        for name in ("a.py", "b.py", "c.py"):
            self.write(name)
        self.apply("a.py")
        self.apply("b.py", "c.py")
        self.write("b.py", "mine\n")
        result = self.undo("--skip-changed", code=1)
        self.assertIn("1 file put back", result.err)
        self.assertIn("1 file left as found; the old text is kept", result.err)
        self.assertRegex(self.undo("--list").out, r"^\S+Z: 1 file that an undo has left as found\n  b.py\n\S+Z: 1 file\n  a.py\n$")
        self.assertIn("nothing was restored", self.undo(code=2).err)
        # Those that were left so are in nobody's way.
        self.undo("--skip-changed")
        self.assertEqual([self.read(n).decode() for n in ("a.py", "b.py", "c.py")], [SUPPRESSION, "mine\n", SUPPRESSION])
        self.assertIn("no file put back", self.undo("--skip-changed", code=1).err)
        self.write("b.py", SUPPRESSION_FIXED)
        self.undo()
        self.assertEqual(self.read("b.py").decode(), SUPPRESSION)
        self.assertEqual(self.journals(), [])

    def test_what_is_back_already_is_told_so(self):
        self.write("a.py")
        self.apply()
        self.write("a.py")
        result = self.undo()
        self.assertIn("all files are as before the run of", result.err)
        self.assertNotIn("0 files", result.err)


class WhereItIsFound(UndoTest):
    """A run is found in the folders that hold files it wrote, wherever it was started."""

    def undo_in(self, folder, *arguments, code=0):
        (self.folder / folder).mkdir(parents=True, exist_ok=True)
        return self.undo(*arguments, code=code, cwd=self.folder / folder)

    def texts(self, *names):
        return [self.read(name).decode() == SUPPRESSION for name in names]

    def test_whatever_the_folder_of_the_run_was(self):
        for start, path in (("/", self.folder / "proj/k.py"), (self.folder / "other", "../proj/k.py"),
                            (self.folder / "proj", "."), (self.folder / "proj/deep", "../k.py")):
            (self.folder / "other").mkdir(exist_ok=True)
            (self.folder / "proj/deep").mkdir(parents=True, exist_ok=True)
            for back, arguments in (("proj", []), (".", []), ("proj/deep", [".."]), ("other", ["../proj"]),
                                    ("other", [self.folder / "proj/k.py"]), ("proj", ["k.py"])):
                with self.subTest(start=start, back=back, arguments=arguments):
                    self.write("proj/k.py")
                    self.apply(path, cwd=start)
                    for elsewhere in ("other", "proj/deep"):
                        result = self.undo_in(elsewhere, code=2)
                        self.assertIn("no run is known that wrote in", result.err)
                        self.assertIn(f"wrote in {self.folder}/proj", result.err)
                    self.assertIn("1 file put back", self.undo_in(back, *arguments).err)
                    self.assertEqual(self.read("proj/k.py").decode(), SUPPRESSION)
                    self.assertEqual(self.journals(), [])

    def test_the_last_run_there_not_the_last_of_all(self):
        for name in ("a/k.py", "b/k.py"):
            self.write(name)
        self.apply("a")
        self.apply("b")
        self.undo_in("a")
        self.assertEqual(self.texts("a/k.py", "b/k.py"), [True, False])
        self.undo("b")
        self.assertEqual(self.texts("a/k.py", "b/k.py"), [True, True])

    def test_a_run_that_wrote_elsewhere_too_is_taken_back_whole_or_not_at_all(self):
        names = [f"{folder}/k.py" for folder in "abcde"]
        for name in names:
            self.write(name)
        self.apply()
        for arguments in ([], ["--skip-changed"], ["--lang", "zh"]):
            result = self.undo_in("a", *arguments, code=2)
            named = ", ".join(str(self.folder / name) for name in names[1:4])
            self.assertRegex(result.err, f"4 .*{named}, \\.\\.\\.")
            self.assertIn(f"`pto-fix undo {self.folder}`", result.err)
        self.undo("a", "b", code=2)
        self.assertEqual(self.texts(*names), [False] * 5)
        listed = self.undo_in("a", "--list").out
        self.assertIn(f"\n  k.py\n  {self.folder}/b/k.py\n", listed)
        self.assertIn("5 files put back", self.undo_in("a", self.folder).err)
        self.assertEqual(self.texts(*names), [True] * 5)

    def test_a_path_that_is_gone_and_one_that_never_was(self):
        self.write("a/k.py")
        self.write("a/l.py")
        self.apply("a")
        shutil.rmtree(self.folder / "a")
        self.assertIn("k.py: is gone", self.undo("a", code=2).err)
        self.assertIn("no run is known that wrote in", self.undo("b", code=2).err)
        self.assertIn("empty", self.undo("", code=2).err)

    def test_links_lead_to_what_was_written_through_them(self):
        self.write("real/deep/k.py")
        (self.folder / "proj").mkdir()
        (self.folder / "proj/folder").symlink_to("../real/deep")
        (self.folder / "proj/k_link.py").symlink_to("../real/deep/k.py")
        for given in ("proj/folder", "proj/k_link.py"):
            for place in ("real", "real/deep", "proj"):
                self.apply(given)
                self.undo_in(place)
                self.assertEqual(self.read("real/deep/k.py").decode(), SUPPRESSION)

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_a_work_tree_is_one_project(self):
        for repository in (".", "inner"):
            subprocess.run(["git", "init", "-q", repository], cwd=self.folder, check=True)
        self.write("sub/a.py")
        self.write("inner/deep/b.py")
        (self.folder / "other").mkdir()
        allowed = ["--apply", "--unsafe", "--allow-dirty"]
        self.run_program(*allowed, ".", cwd=self.folder / "sub", code=0)
        self.run_program(*allowed, self.folder / "inner", cwd="/", code=0)
        self.undo_in("inner/deep")
        self.assertEqual(self.texts("sub/a.py", "inner/deep/b.py"), [False, True])
        self.undo_in("other")
        self.assertEqual(self.texts("sub/a.py"), [True])
        # The outer one holds the inner one, not the other way round.
        self.run_program(*allowed, "sub", "inner", code=0)
        self.assertIn(f"elsewhere ({self.folder}/sub/a.py)", self.undo_in("inner/deep", code=2).err)
        self.undo_in("sub")
        self.assertEqual(self.texts("sub/a.py", "inner/deep/b.py"), [True, True])

    def test_projects_know_nothing_of_each_other(self):
        self.write("a.py")
        self.apply()
        other = pathlib.Path(self.state / "other")
        other.mkdir()
        self.undo(code=2, cwd=other)
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION_FIXED)

    def test_a_run_that_was_killed_is_told_where_it_wrote(self):
        for name in ("a/k.py", "b/k.py"):
            self.write(name)
        self.apply("a/k.py")
        (journal,) = self.journals()
        os.rename(journal, journal.with_suffix(".writing"))
        for arguments in (["b"], ["--stdin-filename", "a/k.py", "-"]):
            self.assertNotIn("an earlier run", self.apply(*arguments, stdin=SUPPRESSION).err)
        self.assertIn("no run is known", self.undo("c", code=2).err)
        result = self.apply(self.folder / "a/k.py", cwd="/")
        self.assertRegex(result.err, rf"an earlier run \(\S+\) was stopped before its end: 1 of 1 file had been written; "
                                     rf"`pto-fix undo {str(self.folder)[1:]}/a` puts them back")
        self.assertNotIn("an earlier run", self.apply("a").err)
        self.assertIn("stopped before its end", self.undo_in("a", "--list").out)
        self.undo_in("a")
        self.assertEqual(self.texts("a/k.py", "b/k.py"), [True, False])

    def test_a_damaged_journal_is_in_the_way_of_its_own_project_alone(self):
        self.write("a/k.py")
        self.apply("a")
        self.write("b/k.py")
        self.apply("b")
        for damaged in (b"", b"\xff" * 99):
            self.journals()[-1].write_bytes(damaged)
            self.assertIn("the journal cannot be read", self.undo_in("b", code=2).err)
            self.assertIn("the journal cannot be read", self.undo_in("c", code=2).err)
        self.undo_in("a")
        self.assertEqual(self.texts("a/k.py", "b/k.py"), [True, False])


class Journal(UndoTest):
    def test_the_last_ten_runs_are_kept(self):
        for i in range(13):
            self.write(f"k{i}.py")
            self.apply(f"k{i}.py")
        self.assertEqual(len(self.journals()), 10)
        self.assertEqual(self.undo("--list").out.count("\n  "), 10)
        for _ in range(10):
            self.undo()
        self.undo(code=2)
        self.assertEqual([self.read(f"k{i}.py").decode() == SUPPRESSION for i in range(13)], [False] * 3 + [True] * 10)

    def test_it_is_nobody_elses_to_read(self):
        self.write("k.py")
        self.apply()
        for path in self.state.rglob("*"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700 if path.is_dir() else 0o600, path)

    def test_a_run_that_writes_nothing_keeps_none(self):
        self.write("clean.py", "import pypto\n")
        self.write("locked.py").chmod(0o444)
        self.apply(code=2)
        self.run_program("--diff", "--unsafe", ".")
        self.apply("-", stdin=SUPPRESSION)
        self.assertEqual(self.journals(), [])

    def test_without_one_nothing_can_be_put_back(self):
        self.write("k.py")
        self.apply("--no-journal", ".")
        self.assertEqual(self.journals(), [])
        self.undo(code=2)

    def test_where_none_can_be_kept_nothing_is_written(self):
        self.write("k.py")
        self.write("file", "")
        cases = [
            ({"XDG_STATE_HOME": str(self.folder / "file")}, "cannot be kept in"),
            ({"XDG_STATE_HOME": "", "HOME": ""}, "neither XDG_STATE_HOME nor HOME"),
            ({"XDG_STATE_HOME": "relative", "HOME": "relative"}, "neither XDG_STATE_HOME nor HOME"),
            ({"XDG_STATE_HOME": "/proc/nowhere"}, "cannot be kept in"),
        ]
        for environment, words in cases:
            with self.subTest(environment):
                result = self.apply(code=2, env=environment)
                self.assertIn(words, result.err)
                self.assertIn("--no-journal", result.err)
                self.assertIn("k.py:3", result.out)  # it is still there
                self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
        self.assertIn("日志", self.apply("--lang", "zh", ".", code=2, env=cases[1][0]).err)
        self.assertIn("neither XDG_STATE_HOME nor HOME", self.undo(code=2, env=cases[1][0]).err)
        self.apply("--no-journal", ".", env=cases[1][0])
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION_FIXED)

    def test_home_is_used_where_there_is_no_state_folder(self):
        self.write("k.py")
        self.apply(env={"XDG_STATE_HOME": "", "HOME": str(self.state)})
        self.assertTrue(all(".local/state/pto-fix/journal" in str(p) for p in self.journals()))
        self.undo(env={"XDG_STATE_HOME": "", "HOME": str(self.state)})
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)

    def test_a_damaged_one_is_not_believed(self):
        self.write("k.py")
        self.apply()
        (journal,) = self.journals()
        whole = journal.read_bytes()
        for damaged in (b"", whole[:-1], whole.replace(b"PTO999", b"PTO998"), whole.replace(b"file ", b"fill ", 1), b"\xff" * 99):
            journal.write_bytes(damaged)
            self.assertIn("the journal cannot be read", self.undo(code=2).err)
            self.assertEqual(self.read("k.py").decode(), SUPPRESSION_FIXED)
        journal.write_bytes(whole)
        self.undo()
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)


if __name__ == "__main__":
    main()
