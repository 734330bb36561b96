"""--apply in a git work tree: work that no commit holds is not mixed with what pto-fix writes."""

import os
import shutil
import subprocess
import unittest

from program import SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main


@unittest.skipUnless(shutil.which("git"), "needs git")
class DirtyTree(ProgramTest):
    def git(self, *arguments, folder="."):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.folder / folder, env=self.environment(HOME=str(self.state)), check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.git("init", "-q")
        for name in ("a.py", "sub/b.py", "notes.txt", ".gitignore"):
            self.write(name, {"notes.txt": "x\n", ".gitignore": "build*/\n"}.get(name, SUPPRESSION))
        self.git("add", "-A")
        self.git("commit", "-qm", "first")

    def apply(self, *arguments, code, **options):
        return self.run_program("--apply", "--unsafe", *arguments, code=code, **options)

    def assert_refused(self, *arguments, named):
        before = self.read("a.py"), self.read("sub/b.py")
        result = self.apply(*arguments, code=2)
        self.assertEqual((self.read("a.py"), self.read("sub/b.py")), before)
        self.assertEqual(result.out, "")
        self.assertEqual(len(result.err.splitlines()), 1, result)
        self.assertIn(named, result.err)
        self.assertIn("--allow-dirty", result.err)
        self.assertIn("没有写入", self.apply("--lang", "zh", *arguments, code=2).err)
        return result

    def test_a_clean_tree_is_written_by_folder_and_by_name(self):
        self.apply("a.py", code=0)
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION_FIXED)
        self.git("commit", "-qam", "second")
        self.apply(".", code=0)
        self.assertEqual(self.read("sub/b.py").decode(), SUPPRESSION_FIXED)

    def test_a_tracked_change_anywhere_in_the_tree_refuses(self):
        self.write("notes.txt", "changed\n")
        for paths in (["."], ["a.py"], ["sub"], [str(self.folder / "sub")]):
            self.assert_refused(*paths, named="notes.txt")
        self.git("add", "-A")  # staged is not committed
        self.assert_refused(".", named="1 file has changes")

    def test_deleted_renamed_and_staged_new_files_count(self):
        (self.folder / "notes.txt").unlink()
        self.assert_refused(".", named="notes.txt")
        self.git("checkout", "notes.txt")
        self.write("staged.py")
        self.git("add", "staged.py")
        self.assert_refused("a.py", named="staged.py")
        self.git("reset", "-q", "--hard")
        self.git("mv", "notes.txt", "other.txt")
        self.assert_refused("a.py", named="changes that are not committed")

    def test_many_files_are_named_by_the_first_and_counted(self):
        for i in range(9):
            self.write(f"n{i}.txt", "x")
        self.git("add", "-A")
        result = self.assert_refused(".", named="9 files have changes")
        self.assertIn("(n0.txt, n1.txt, n2.txt, ...)", result.err)

    def test_allow_dirty_writes(self):
        self.write("notes.txt", "changed\n")
        self.apply("--allow-dirty", ".", code=0)
        self.assertEqual(self.read("a.py").decode(), SUPPRESSION_FIXED)
        self.assertEqual(self.read("notes.txt"), b"changed\n")

    def test_untracked_files_count_only_where_they_would_be_written(self):
        self.write("log.txt", "x")
        self.write("clean.py", "import pypto\n")
        self.apply(".", code=0)
        self.git("commit", "-qam", "second")
        self.write("new.py")
        result = self.apply(".", code=2)
        self.assertIn("git does not know 1 file that would change (new.py)", result.err)
        self.assertEqual(self.read("new.py").decode(), SUPPRESSION)
        self.apply("--allow-dirty", ".", code=0)
        self.assertEqual(self.read("new.py").decode(), SUPPRESSION_FIXED)

    def test_ignored_files_are_nobodys_work(self):
        self.write("build1/generated.py")
        self.apply("build1/generated.py", code=0)
        self.assertEqual(self.read("build1/generated.py").decode(), SUPPRESSION_FIXED)

    def test_looking_and_filtering_are_never_refused(self):
        self.write("notes.txt", "changed\n")
        self.run_program(".", code=1)
        self.run_program("--diff", "--unsafe", ".", code=1)
        self.assertEqual(self.apply("-", stdin=SUPPRESSION, code=0).out, SUPPRESSION_FIXED)

    def test_every_work_tree_that_would_be_written_to_is_asked(self):
        shutil.copytree(self.folder / ".git", self.folder / "outer.git")  # no work tree of its own
        for name in ("one", "two"):
            self.write(f"trees/{name}/k.py")
            self.git("init", "-q", folder=f"trees/{name}")
            self.git("add", "k.py", folder=f"trees/{name}")
            self.git("commit", "-qm", "first", folder=f"trees/{name}")
        self.write("notes.txt", "changed\n")  # of the outer one, which holds none of the files
        self.apply("trees", code=0)
        self.assertEqual(self.read("trees/two/k.py").decode(), SUPPRESSION_FIXED)
        self.assertIn("trees/one/k.py", self.apply("trees", code=2).err)

    def test_a_submodule_is_a_tree_of_its_own(self):
        self.write("elsewhere/k.py")
        self.git("init", "-q", folder="elsewhere")
        self.git("add", "k.py", folder="elsewhere")
        self.git("commit", "-qm", "first", folder="elsewhere")
        self.git("submodule", "add", "-q", str(self.folder / "elsewhere"), "module")
        self.git("commit", "-qm", "module")
        self.apply("module", code=0)
        self.assert_refused_only_in_module()

    def assert_refused_only_in_module(self):
        self.assertIn("module/k.py", self.apply("module", code=2).err)
        self.apply("a.py", code=0)

    def test_links_lead_to_the_tree_of_the_file(self):
        self.write("notes.txt", "changed\n")
        outside = self.state / "link.py"
        outside.symlink_to(self.folder / "a.py")
        self.assertIn("notes.txt", self.apply(str(outside), code=2).err)

    def test_before_the_first_commit_nothing_is_committed(self):
        self.write("fresh/k.py")
        self.git("init", "-q", folder="fresh")
        self.git("add", "k.py", folder="fresh")
        self.assertIn("fresh/k.py", self.apply("fresh", code=2).err)

    def test_a_sparse_checkout_has_deleted_nothing(self):
        self.git("sparse-checkout", "set", "--no-cone", "sub/")
        self.assertFalse((self.folder / "notes.txt").exists())
        self.apply("sub", code=0)

    def test_what_git_cannot_read_is_said(self):
        (self.folder / ".git/index").write_bytes(b"no index")
        result = self.apply(".", code=2)
        self.assertIn("cannot be read", result.err)
        self.apply("--allow-dirty", ".", code=0)

    def test_a_folder_that_is_only_called_git_is_no_repository(self):
        (self.folder / "plain/.git").mkdir(parents=True)
        self.write("plain/k.py")
        self.git("add", "-f", "plain/k.py")
        self.git("commit", "-qm", "plain")
        self.apply("plain", code=0)

    def test_the_json_says_why(self):
        self.write("notes.txt", "changed\n")
        document = self.apply("--format", "json", ".", code=2).json()
        self.assertEqual([f["error"]["kind"] for f in document["files"] if "error" in f], ["uncommitted"])

    def test_diagnose_is_refused_too(self):
        top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/logs/ub_buffer")
        for name in ("build.log", "kernel.py"):
            shutil.copy(os.path.join(top, name), self.folder / name)
        self.git("add", "kernel.py")
        before = self.read("kernel.py")
        self.assertIn("kernel.py", self.run_program("diagnose", "--apply", "build.log", "kernel.py", code=2).err)
        self.assertEqual(self.read("kernel.py"), before)
        self.git("commit", "-qm", "kernel")
        self.run_program("diagnose", "--apply", "build.log", "kernel.py")
        self.assertNotEqual(self.read("kernel.py"), before)


class Options(ProgramTest):
    def test_they_are_for_apply(self):
        self.write("k.py")
        for option in ("--allow-dirty", "--no-journal", "--review"):
            self.assertIn(f"{option} is for --apply", self.run_program(option, "k.py", code=2).err)
            # A diff is what --apply with the same options writes; only questions need something to write.
            diff = self.run_program("--diff", "--unsafe", option, "k.py")
            if option == "--review":
                self.assertIn(f"{option} is for --apply", diff.err)
                self.assertEqual(diff.code, 2)
            else:
                self.assertEqual(diff.out, self.run_program("--diff", "--unsafe", "k.py").out)
                self.assertIn("+x = 1  # kept words", diff.out)
            self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
            self.assertIn(f"{option} ", self.run_program("undo", option, code=2).err)
        for option in ("--list", "--skip-changed"):
            self.assertIn("is for `pto-fix undo`", self.run_program(option, "k.py", code=2).err)
            self.assertIn("takes no value", self.run_program("undo", option + "=1", code=2).err)
        self.assertIn("no run is known", self.run_program("undo", "k.py", code=2).err)
        self.assertIn("is not for `undo`", self.run_program("undo", "--apply", code=2).err)


if __name__ == "__main__":
    main()
