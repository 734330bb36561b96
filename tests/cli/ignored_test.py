"""What git ignores stays out of the folders that are searched, and comes in when it is named."""

import random

from program import SUPPRESSION, main
from repository import RepositoryTest


class Ignored(RepositoryTest):
    def test_ignore_files_of_every_depth_count(self):
        self.write(".gitignore", "gen/\n*_pb2.py\n/top.py\n")
        self.write("models/.gitignore", "scratch_*\n!scratch_kept.py\n")
        for name in ["a.py", "top.py", "x_pb2.py", "gen/a.py", "models/top.py", "models/scratch_1.py",
                     "models/scratch_kept.py", "models/deep/gen/a.py", "models/deep/b.py", "scratch_2.py"]:
            self.write(name)
        kept = ["a.py", "models/deep/b.py", "models/scratch_kept.py", "models/top.py", "scratch_2.py"]
        self.assertEqual(self.looked_at("."), kept)
        self.assertEqual(self.looked_at("models"), [name for name in kept if name.startswith("models")])
        self.assertEqual(len(self.looked_at("--no-respect-gitignore", ".")), 10)
        self.write("pto-fix.toml", "respect-gitignore = false\n")
        self.assertEqual(len(self.looked_at(".")), 10)

    def test_the_clone_and_the_user_have_names_of_their_own(self):
        for name in ["a.py", "b.py", "c.py", "d.py"]:
            self.write(name)
        (self.folder / ".git/info/exclude").write_text("a.py\n")
        self.assertEqual(self.looked_at("."), ["b.py", "c.py", "d.py"])
        ignore = self.home / ".config/git/ignore"
        ignore.parent.mkdir(parents=True)
        ignore.write_text("b.py\n")
        self.assertEqual(self.looked_at("."), ["c.py", "d.py"])
        (self.home / "mine").write_text("c.py\n")
        (self.home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
        self.assertEqual(self.looked_at("."), ["b.py", "d.py"])

    def test_what_is_named_is_looked_at(self):
        self.write(".gitignore", "gen\n")
        self.write("a.py")
        self.write("gen/b.py")
        self.write("gen/sub/c.py")
        self.assertEqual(self.looked_at("gen/b.py"), ["gen/b.py"])
        self.assertEqual(self.looked_at("gen"), ["gen/b.py", "gen/sub/c.py"])
        self.assertEqual(self.looked_at("gen/sub"), ["gen/sub/c.py"])
        for path in ("gen/b.py", "gen", "gen/sub"):
            with self.subTest(path=path):
                self.assertEqual(self.looked_at("--force-exclude", path), [])
        self.assertEqual(self.looked_at("--force-exclude", "a.py"), ["a.py"])
        self.assertEqual(self.looked_at("--force-exclude", "--no-respect-gitignore", "gen/b.py"), ["gen/b.py"])
        result = self.run_program("--force-exclude", "--apply", "--unsafe", "--stdin-filename", "gen/b.py", "-",
                                  stdin=SUPPRESSION, code=0)
        self.assertEqual(result.out, SUPPRESSION)

    def test_everything_ignored_is_no_error_and_is_said(self):
        self.write(".gitignore", "*\n")
        self.write("a.py")
        result = self.run_program(".", code=0)
        self.assertIn("git ignores what is there", result.err)
        result = self.run_program("--lang", "zh", ".", code=0)
        self.assertIn("都被 git 忽略", result.err)

    def test_each_path_that_comes_to_nothing_is_named_with_the_reason(self):
        self.write("pto-fix.toml", 'exclude = ["third_party", "gen_*.py"]\n')
        self.write(".gitignore", "*_pb2.py\nout/\n")
        for name in ["a.py", "third_party/x.py", "third_party/deep/y.py", "m/gen_1.py", "m/gen_2.py", "p/x_pb2.py",
                     "both/gen_3.py", "both/x_pb2.py", "out/z.py"]:
            self.write(name)
        excluded = "{}: nothing of it was looked at: `exclude` in the configuration names what is there"
        ignored = "{}: nothing of it was looked at: git ignores what is there"
        cases = [(path, excluded) for path in ("third_party", "third_party/deep", "m", "both", "third_party/**/*.py", "m/gen_?.py")]
        cases += [(path, ignored) for path in ("p", "p/*_pb2.py")]
        for path, words in cases:
            for others in ([], ["a.py"], ["."]):
                for form in ([], ["--format", "json"], ["--diff"]):
                    with self.subTest(path=path, others=others, form=form):
                        result = self.run_program(*form, *others, path)
                        self.assertEqual(result.code, int(bool(others)) if "--diff" not in form else result.code)
                        self.assertIn(words.format(path), result.err)
                        self.assertEqual(result.err.count("was looked at"), 1)
        self.assertIn(ignored.format("out"), self.run_program("--force-exclude", "out", code=0).err)
        for command in ("trace", "budget"):
            self.assertIn(excluded.format("m"), self.run_program(command, "m", code=0).err)
        self.assertIn("m：其中没有检查任何文件：都被配置中的 `exclude` 排除", self.run_program("--lang", "zh", "m", code=0).err)
        # What is named itself is looked at, unless it was asked not to; then it is said where nothing is left.
        self.assertEqual(self.looked_at("m/gen_1.py"), ["m/gen_1.py"])
        self.assertIn("nothing to check: the configuration excludes what is there",
                      self.run_program("--force-exclude", "m/gen_1.py", code=0).err)
        self.assertIn("nothing to check: git ignores what is there", self.run_program("--force-exclude", "out/z.py", code=0).err)
        self.assertNotIn("exclude", self.run_program("--force-exclude", "m/gen_1.py", "a.py", code=1).err)
        # Nothing is said where something of it was looked at, or belongs to another shard.
        for paths in (["."], ["a.py", "."], [self.folder], ["out"]):
            self.assertNotIn("looked at", self.run_program(*paths, code=1).err)
        shards = [self.run_program("--shard", f"{k}/9", "a.py", "m/gen_1.py").err for k in range(1, 10)]
        self.assertNotIn("exclude", "".join(shards))
        # No Python file at all is an error.
        (self.folder / "empty").mkdir()
        self.assertIn("empty: no Python file in this folder", self.run_program("empty", "a.py", code=2).err)

    def test_a_home_that_ignores_everything_does_not_hide_a_project_in_it(self):
        self.git("init", "-q", cwd=self.home)
        (self.home / ".gitignore").write_text("*\n")
        project = self.home / "project"
        project.mkdir()
        (project / "a.py").write_text(SUPPRESSION)
        self.assertEqual(self.looked_at(project), [str(project / "a.py")])

    def test_a_repository_in_a_repository_has_its_own_rules(self):
        self.write(".gitignore", "kernel.py\n")
        self.write("kernel.py")
        self.write("inner/kernel.py")
        self.write("inner/other.py")
        self.git("init", "-q", "inner")
        self.write("inner/.gitignore", "other.py\n")
        self.assertEqual(self.looked_at("."), ["inner/kernel.py"])

    def test_a_linked_work_tree_has_the_excludes_of_its_repository(self):
        self.write("a.py")
        self.write("b.py")
        self.commit_all()
        (self.folder / ".git/info/exclude").write_text("b.py\n")
        self.git("worktree", "add", "-q", "../linked")
        self.assertEqual(self.looked_at("../linked"), ["../linked/a.py"])

    def test_a_folder_reached_by_a_link_is_judged_where_it_is(self):
        self.write(".gitignore", "models/gen.py\n")
        self.write("models/gen.py")
        self.write("models/a.py")
        (self.folder.parent / "link").symlink_to(self.folder / "models")
        self.assertEqual(self.looked_at("../link"), ["../link/a.py"])

    def test_without_a_repository_ignore_files_mean_nothing(self):
        (self.home / ".gitignore").write_text("*\n")
        (self.home / "a.py").write_text(SUPPRESSION)
        self.assertEqual(self.looked_at(self.home), [str(self.home / "a.py")])

    def test_a_switch_must_be_a_switch(self):
        self.write("pto-fix.toml", 'respect-gitignore = "no"\n')
        self.write("a.py")
        self.assertIn("`respect-gitignore` must be true or false", self.run_program("a.py", code=2).err)
        self.assertIn("did you mean --no-respect-gitignore?", self.run_program("--no-gitignore", ".", code=2).err)
        self.assertIn("--no-respect-gitignore is not for `lsp`", self.run_program("lsp", "--no-respect-gitignore", code=2).err)


class LikeGit(RepositoryTest):
    """Random trees and patterns: what is looked at is what git lists."""

    NAMES = ["a", "b", "ab", "gen", "x1", "x2"]
    PATTERNS = ["a", "b/", "/gen", "gen/", "*.py", "x?.py", "x[12].py", "x[!1].py", "a/b", "a/*", "**/b", "a/**", "a/**/b.py",
                "/x1.py", "*1.py", "ab/**/x*", "gen/*.py", "**/gen/x1.py", "AB", "# a", "", "a.py ", "b.py"]

    def test_what_is_looked_at_is_what_git_lists(self):
        for seed in range(60):
            chance = random.Random(seed)
            with self.subTest(seed=seed):
                top = self.folder / f"r{seed}"
                top.mkdir()
                self.git("init", "-q", cwd=top)
                folders = [""]
                for _ in range(6):
                    folders.append(f"{chance.choice(folders)}{chance.choice(self.NAMES)}/")
                for folder in folders:
                    for name in chance.sample(self.NAMES, 3):
                        if f"{folder}{name}.py/" not in folders:
                            path = top / f"{folder}{name}.py"
                            path.parent.mkdir(parents=True, exist_ok=True)
                            path.write_text(SUPPRESSION)
                for folder in chance.sample(folders, min(3, len(folders))):
                    lines = [("!" if chance.random() < 0.2 else "") + chance.choice(self.PATTERNS)
                             for _ in range(chance.randint(1, 3))]
                    (top / folder / ".gitignore").write_text("\n".join(lines) + "\n")
                listed = self.git("ls-files", "-o", "--exclude-standard", "*.py", cwd=top).split("\n")
                expected = sorted(f"r{seed}/{name}" for name in listed if name)
                ignores = {str(p): p.read_text() for p in top.rglob(".gitignore")}
                self.assertEqual(self.looked_at(f"r{seed}"), expected, ignores)


class Library(RepositoryTest):
    """libgit2 and what it brings with it is half of what the program takes to start."""

    def bindings(self):
        log = self.home / "bindings"
        self.run_program(".", env={"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": log})
        return "".join(path.read_text(errors="replace") for path in self.home.glob("bindings.*")).split("\n")

    def test_where_no_pattern_means_a_file_it_is_not_loaded(self):
        self.write("k.py")
        self.write("models/run_1/k.py")
        self.write(".gitignore", "*.log\nrun_1/*\n/k\nbuild/\n")
        self.assertFalse([line for line in self.bindings() if "libgit2" in line][:1])

    def test_asking_git_reads_no_certificates(self):
        self.write("k.py")
        self.write("made.py")
        self.write(".gitignore", "made.py\n")
        lines = [line for line in self.bindings() if "libgit2" in line]
        self.assertTrue(lines, "nothing was asked")
        asked = [line for line in lines if "mbedtls_x509_crt_parse_file" in line]
        if not asked:
            self.skipTest("libgit2 is built with another library")
        for line in asked:
            self.assertRegex(line, r"to \S*pto-fix \[0\]")


if __name__ == "__main__":
    main()
