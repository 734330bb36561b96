"""--since and --staged: what has changed, and nothing else."""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from program import PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, main
from repository import RepositoryTest

BAD = "x = 1  # pto-fix: ignore[PTO999] kept words\n"
GOOD = "x = 1  # kept words\n"
ACROSS = pathlib.Path(__file__).parents[2] / "fixtures/PTO207/callers_everywhere"


class Since(RepositoryTest):
    def setUp(self):
        super().setUp()
        self.write("old.py")
        self.write("a.py", "import pypto\n\n" + BAD + "\n\n\n" + BAD)
        self.write("lines.py", "import pypto\n" + "y = 2\n" * 5)
        self.commit_all()

    def places(self, *arguments, code=None):
        result = self.run_program("--format", "json", *arguments, code=code)
        return sorted((finding["path"], finding["line"]) for finding in result.json()["findings"])

    def test_only_changed_lines_of_changed_files_count(self):
        self.assertEqual(self.places("--since", "HEAD", ".", code=0), [])
        self.assertEqual(self.looked_at("--since", "HEAD"), [])
        self.write("a.py", "import pypto\n\n" + BAD + "\n\nz = 3\n" + BAD)
        self.assertEqual(self.looked_at("--since", "HEAD"), ["a.py"])
        self.assertEqual(self.places("--since", "HEAD", code=0), [])
        self.write("a.py", "import pypto\n\n" + BAD + "\n\nz = 3\n" + BAD.replace("1", "7"))
        self.assertEqual(self.places("--since", "HEAD", code=1), [("a.py", 7)])
        self.write("lines.py", "import pypto\n" + "y = 2\n" * 3 + BAD + "y = 2\n" * 2)
        self.write("new.py")
        self.assertEqual(self.places("--since", "HEAD"), [("a.py", 7), ("lines.py", 5), ("new.py", 3)])
        self.assertEqual(self.places("--since", "HEAD", "lines.py"), [("lines.py", 5)])
        self.assertEqual(self.places("--since", "HEAD", "old.py"), [])
        self.commit_all()
        self.assertEqual(self.places("--since", "HEAD"), [])
        self.assertEqual(self.places("--since", "HEAD~1"), [("a.py", 7), ("lines.py", 5), ("new.py", 3)])

    def test_what_is_fixed_is_what_has_changed(self):
        changed = BAD.replace("1", "7")
        self.write("a.py", "import pypto\n\n" + BAD + "\n\n\n" + changed)
        arguments = ["--unsafe", "--since", "HEAD"]
        diff = self.run_program("--diff", *arguments).out
        self.assertEqual(diff.count("\n-x"), 1)
        self.run_program("--apply", "--allow-dirty", *arguments, code=0)
        self.assertEqual(self.read("a.py").decode(),
                         "import pypto\n\n" + BAD + "\n\n\n" + changed.replace(" pto-fix: ignore[PTO999]", ""))
        self.assertEqual(self.read("old.py").decode(), SUPPRESSION)
        self.git("checkout", "a.py")
        self.write("a.py", "import pypto\n\n" + BAD + "\n\n\n" + changed)
        subprocess.run(["git", "apply", "--check"], cwd=self.folder, input=diff.encode(), check=True)

    def test_a_baseline_is_held_against_all_of_a_changed_file(self):
        self.run_program("--output", "base.json", ".")
        self.commit_all()
        changed = BAD.replace("1", "7")
        self.write("a.py", "import pypto\n\n" + BAD + "\n\n\n" + changed)
        arguments = ["--since", "HEAD", "--baseline", "base.json", "--format", "json"]
        for mode in ([], ["--diff"], ["--apply", "--allow-dirty"]):
            with self.subTest(mode=mode):
                document = self.run_program(*mode, *arguments).json()
                self.assertEqual([(f["line"], f["baseline"]) for f in document["findings"]], [(7, "new")])
                self.assertEqual([(f["path"], f["line"]) for f in document["absent"]], [("a.py", 7)])

    def test_renames_are_followed(self):
        self.git("mv", "a.py", "b.py")
        self.assertEqual(self.places("--since", "HEAD"), [])
        self.assertEqual(self.places("--staged"), [])
        self.assertEqual(self.looked_at("--staged"), ["b.py"])

    def test_ignored_and_excluded_files_stay_out(self):
        self.write(".gitignore", "gen.py\n")
        self.write("pto-fix.toml", 'exclude = ["out.py"]\n')
        self.write("gen.py")
        self.write("out.py")
        self.write("in.py")
        self.assertEqual(self.looked_at("--since", "HEAD"), ["in.py"])

    def test_line_ends_that_git_converts_are_no_change(self):
        self.git("config", "core.autocrlf", "true")
        self.write("crlf.py", SUPPRESSION.replace("\n", "\r\n"))
        self.git("add", "crlf.py")
        self.git("commit", "-qm", "crlf")
        self.write("crlf.py", SUPPRESSION.replace("\n", "\r\n") + "y = 2\r\n")
        self.assertEqual(self.places("--since", "HEAD", "crlf.py"), [])

    def test_what_cannot_be_compared_with_is_an_error(self):
        result = self.run_program("--since", "nowhere", ".", code=2)
        self.assertIn("--since nowhere: no such revision", result.err)
        self.assertIn("没有这个版本", self.run_program("--lang", "zh", "--since", "nowhere", ".", code=2).err)
        (self.home / "k.py").write_text(SUPPRESSION)
        for option in (["--since", "HEAD"], ["--staged"]):
            self.assertIn("is in no git repository", self.run_program(*option, self.home / "k.py", code=2).err)
            self.assertIn("不在 git 仓库中", self.run_program("--lang", "zh", *option, self.home, code=2).err)
        self.assertIn("exclude each other", self.run_program("--since", "HEAD", "--staged", code=2).err)
        self.assertIn("--since is about files", self.run_program("--since", "HEAD", "-", code=2).err)
        for command in ("trace", "budget", "lsp"):
            self.assertIn(f"--since is not for `{command}`", self.run_program(command, "--since", "HEAD", "a.py", code=2).err)
        self.assertIn("no file that has changed", self.run_program("--since", "HEAD", code=0).err)

    def test_work_trees_and_submodules_are_repositories(self):
        self.git("worktree", "add", "-q", "../linked")
        linked = self.folder.parent / "linked"
        (linked / "new.py").write_text(SUPPRESSION)
        self.assertEqual(self.looked_at("--since", "HEAD", "../linked"), ["../linked/new.py"])
        self.git("init", "-q", "-b", "main", "inner")
        self.write("inner/k.py")
        self.git("add", "k.py", cwd=self.folder / "inner")
        self.git("commit", "-qm", "inner", cwd=self.folder / "inner")
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", self.folder / "inner", "sub")
        self.git("commit", "-qm", "a submodule")
        self.write("sub/new.py")
        self.assertEqual(self.looked_at("--since", "HEAD", "sub", "a.py"), ["sub/new.py"])


class Staged(RepositoryTest):
    def findings(self, *arguments, code=None):
        result = self.run_program("--format", "json", "--staged", *arguments, code=code)
        return [(finding["path"], finding["line"]) for finding in result.json()["findings"]]

    def test_before_the_first_commit_everything_staged_is_new(self):
        self.write("a.py")
        self.write("b.py")
        self.git("add", "a.py")
        self.assertEqual(self.findings(code=1), [("a.py", 3)])
        self.assertIn("no such revision", self.run_program("--since", "HEAD", ".", code=2).err)

    def test_what_is_staged_is_checked_and_the_work_tree_is_not(self):
        self.write("a.py", "import pypto\n")
        self.commit_all()
        self.write("a.py", "import pypto\ny = 2\n" + BAD)
        self.git("add", "a.py")
        self.write("a.py", "import pypto\n")
        result = self.run_program("--staged", code=1)
        self.assertIn("a.py:3:", result.out)
        self.assertIn("a.py: has further changes that are not staged; what is staged was checked", result.err)
        self.write("a.py", "import pypto\ny = 2\n" + BAD + BAD)
        self.assertEqual(self.findings(), [("a.py", 3)])
        self.write("b.py")
        self.git("add", "b.py")
        before = self.read("a.py")
        for mode in ("--apply", "--diff"):
            with self.subTest(mode=mode):
                dirty = ["--allow-dirty"] if mode == "--apply" else []
                result = self.run_program(mode, *dirty, "--unsafe", "--staged", code=2)
                self.assertIn("a.py: not changed, because it has further changes that are not staged", result.err)
                self.assertNotIn("a/a.py", result.out)
        self.assertEqual(self.read("a.py"), before)
        self.assertEqual(self.read("b.py").decode(), SUPPRESSION_FIXED)

    def test_what_is_staged_is_uncommitted_so_writing_it_is_allowed_by_an_option(self):
        self.write("k.py")
        self.git("add", "k.py")
        self.assertIn("--allow-dirty", self.run_program("--staged", "--apply", "--unsafe", code=2).err)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
        diff = self.run_program("--staged", "--diff", "--unsafe", "--allow-dirty").out
        self.assertEqual(diff, self.run_program("--staged", "--diff", "--unsafe").out)
        self.run_program("--staged", "--apply", "--unsafe", "--allow-dirty", code=0)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION_FIXED)

    def test_the_file_is_fixed_where_it_is_what_is_staged(self):
        self.write("a.py", "import pypto\n" + BAD + "\n\n\n\n")
        self.commit_all()
        self.write("a.py", "import pypto\n" + BAD + "\n\n\n\n" + BAD)
        self.git("add", "a.py")
        self.run_program("--apply", "--allow-dirty", "--unsafe", "--staged", code=0)
        self.assertEqual(self.read("a.py").decode(), "import pypto\n" + BAD + "\n\n\n\n" + GOOD)


class PathsOfTheRepository(RepositoryTest):
    """Services show reports beside a checked out repository: their paths count from its root."""

    def paths(self, *arguments, cwd):
        """By format, of all places that are named."""
        run = lambda form: self.run_program("--format", form, *arguments, cwd=cwd).out
        found = {"github": set(re.findall(r"file=([^,:]+)", run("github")))}
        issues = json.loads(run("gitlab"))
        found["gitlab"] = {issue["location"]["path"] for issue in issues}
        self.assertTrue(all(issue["location"]["path"] in issue["fingerprint"] for issue in issues))
        found["junit"] = set(re.findall(r'<testcase classname="([^"]+)"', run("junit")))
        self.assertEqual(set(re.findall(r'file="([^"]+)"', run("junit"))), found["junit"])
        self.assertEqual(set(re.findall(r'testsuite name="([^"]+)"', run("junit"))), found["junit"])
        sarif = json.loads(run("sarif"))["runs"][0]
        found["sarif"] = set(re.findall(r'"uri": "([^"]+)"', json.dumps(sarif["results"])))
        self.assertEqual({a["location"]["uri"] for a in sarif["artifacts"]}, found["sarif"])
        self.assertTrue(all(r["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] for r in sarif["results"]))
        return found

    def test_wherever_it_runs_and_however_files_are_named(self):
        for name in ("a.py", "sub/deep/b.py", "other/c.py"):
            self.write(name)
        (self.folder / "linked.py").symlink_to("other/c.py")
        (self.folder / "link").symlink_to("other")  # git has nothing behind it
        sub = self.folder / "sub"
        cases = [(self.folder, ["."], ["a.py", "sub/deep/b.py", "other/c.py"]), (sub, ["."], ["sub/deep/b.py"]),
                 (sub / "deep", ["b.py"], ["sub/deep/b.py"]), (sub, ["../a.py", "./deep"], ["a.py", "sub/deep/b.py"]),
                 (sub, [self.folder / "other"], ["other/c.py"]), ("/", [self.folder / "sub"], ["sub/deep/b.py"]),
                 (self.home, [self.folder / "a.py"], ["a.py"]), (sub, ["../linked.py"], ["linked.py"]),
                 (sub, ["../link/c.py"], ["other/c.py"]), (self.folder, ["link"], ["other/c.py"])]
        for cwd, arguments, wanted in cases:
            with self.subTest(cwd=cwd, arguments=arguments):
                self.assertEqual(self.paths(*arguments, cwd=cwd), dict.fromkeys(("github", "gitlab", "junit", "sarif"), set(wanted)))
        # What people and their programs read in the same folder is as they wrote it.
        self.assertIn("deep/b.py:3", self.run_program(".", cwd=sub).out)
        self.assertEqual([f["path"] for f in self.run_program("--format=json", ".", cwd=sub).json()["files"]], ["deep/b.py"])

    def test_a_submodule_is_a_part_of_what_is_checked_out(self):
        self.write("module/k.py")
        subprocess.run(["git", "init", "-q", self.folder / "module"], check=True)
        self.write("k.py")
        self.assertEqual(self.paths("module", cwd=self.folder)["gitlab"], {"module/k.py"})
        self.assertEqual(self.paths(".", cwd=self.folder / "module")["gitlab"], {"k.py"})

    def test_without_a_repository_they_count_from_the_current_folder(self):
        (self.home / "sub").mkdir()
        (self.home / "sub/k.py").write_text(SUPPRESSION)
        self.assertEqual(self.paths("sub", cwd=self.home)["sarif"], {"sub/k.py"})

    def test_problems_have_them_too(self):
        self.write("sub/bad.py", b"import pypto\n\xff")
        for paths, where in (["."], "sub/bad.py"), (["nowhere.py"], "sub/nowhere.py"), (["empty"], "sub/empty"):
            (self.folder / "sub/empty").mkdir(exist_ok=True)
            run = lambda form: self.run_program("--format", form, *paths, cwd=self.folder / "sub", code=2).out
            self.assertIn(f"title=pto-fix,file={where}::", run("github"))
            self.assertIn(f'classname="{where}"', run("junit"))
            (notice,) = json.loads(run("sarif"))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
            self.assertEqual(notice["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], where)

    def test_a_baseline_is_found_again_from_every_folder(self):
        self.write("sub/k.py")
        self.write("sub/l.py")
        self.write("a.py")
        folders = {"root": (self.folder, "."), "sub": (self.folder / "sub", ".."), "deep": (self.folder / "sub/deep", "../..")}
        (self.folder / "sub/deep").mkdir()
        for name, (cwd, path) in folders.items():
            self.run_program("--output", self.home / f"{name}.sarif", path, cwd=cwd, code=1)
        for name in folders:
            for now, (cwd, path) in folders.items():
                result = self.run_program("--baseline", self.home / f"{name}.sarif", path, cwd=cwd, code=0)
                self.assertIn("0 new, 3 unchanged, 0 gone", result.err, (name, now))
        self.write("sub/l.py", "import pypto\n")
        for now, (cwd, path) in folders.items():
            result = self.run_program("--format=sarif", "--baseline", self.home / "root.sarif", path, cwd=cwd, code=0).json()
            gone = [r for r in result["runs"][0]["results"] if r["baselineState"] == "absent"]
            uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in gone]
            self.assertEqual(uris, ["sub/l.py"], now)

    def test_standard_input_has_the_place_of_its_name(self):
        (self.folder / "sub").mkdir()
        out = lambda *arguments: self.run_program(*arguments, "--format", "github", "-", stdin=SUPPRESSION, cwd=self.folder / "sub").out
        self.assertIn("file=sub/k.py,", out("--stdin-filename", "k.py"))
        self.assertIn("file=<stdin>,", out())


class StagedAcross(RepositoryTest):
    """A fix that edits a caller, too."""

    def setUp(self):
        super().setUp()
        for path in ACROSS.rglob("*.py"):
            name = path.relative_to(ACROSS)
            if name.parts[0] != "fixed":
                self.write(str(name), path.read_bytes())
        self.kernel, self.caller = self.read("layers/kernels.py"), self.read("by_name.py")
        self.commit_all()
        self.write("layers/kernels.py", self.kernel.replace(b"pypto.cast(pypto.cast(", b"pypto.cast( pypto.cast("))
        self.git("add", "-A")

    def apply(self, code):
        return self.run_program("--apply", "--allow-dirty", "--unsafe", "--staged", ".", code=code)

    def test_callers_without_changes_are_edited(self):
        diff = self.run_program("--diff", "--unsafe", "--staged", ".", code=None).out
        self.apply(0)
        self.assertEqual(*(sorted(line for line in text.splitlines() if line.startswith(("+", "-")))
                           for text in (self.git("diff"), diff)))
        self.assertIn(b"run_projection(x, w.to(torch.float16).to(torch.float32), out)", self.read("by_name.py"))

    def test_a_caller_with_changes_that_are_not_staged_keeps_all_as_it_is(self):
        kernel = self.read("layers/kernels.py")
        for is_staged in (False, True):
            with self.subTest(is_staged=is_staged):
                if is_staged:
                    self.write("by_name.py", self.caller + b"# staged\n")
                    self.git("add", "-A")
                self.write("by_name.py", self.caller + b"# mine\n")
                diff = self.run_program("--diff", "--unsafe", "--staged", ".", code=2)
                self.assertEqual(diff.out, "")
                self.assertIn("by_name.py: not changed, because it has further changes that are not staged", diff.err)
                result = self.apply(2)
                self.assertEqual(result.err.splitlines()[-1], diff.err.splitlines()[-1])
                self.assertIn("by_name.py: not changed, because it has further changes that are not staged", result.err)
                self.assertEqual(self.read("by_name.py"), self.caller + b"# mine\n")
                self.assertEqual(self.read("layers/kernels.py"), kernel)


class Shards(RepositoryTest):
    FILES = 40

    def setUp(self):
        super().setUp()
        for i in range(self.FILES):
            self.write(f"f{i % 7}/k{i}.py", SUPPRESSION if i % 3 else "import pypto\n")
        self.write("README.py", "x = 1\n")

    def shards(self, count, *arguments):
        return [self.looked_at("--shard", f"{k}/{count}", *arguments, ".") for k in range(1, count + 1)]

    def test_each_file_is_in_one_shard_and_stays_there(self):
        parts = self.shards(4)
        self.assertEqual(sorted(sum(parts, [])), self.looked_at("."))
        self.assertTrue(all(parts), parts)
        self.write("f1/new.py")
        for before, after in zip(parts, self.shards(4)):
            self.assertEqual(sorted(set(after) - {"f1/new.py"}), before)
        (self.folder / "f1/new.py").unlink()
        # Wherever it is named from.
        whole_path = [path.removeprefix(f"{self.folder}/") for path in self.looked_at("--shard", "1/4", self.folder)]
        self.assertEqual(whole_path, parts[0])

    def test_fixes_keep_folders_together(self):
        for part in self.shards(3, "--diff"):
            folders = {path.split("/")[0] for path in part if "/" in path}
            for folder in folders:
                self.assertEqual(sum(path.startswith(folder + "/") for path in part),
                                 len(list((self.folder / folder).iterdir())))

    def merged(self, count, *arguments, code, form="json"):
        names = []
        for k in range(1, count + 1):
            result = self.run_program("--format", form, "--shard", f"{k}/{count}", *arguments)
            self.write(f"../home/{k}.json", result.out)
            names.append(self.home / f"{k}.json")
        return self.run_program("merge", *names, code=code).out

    def test_merged_results_of_other_files_stand_where_those_of_one_run_do(self):
        fixtures = pathlib.Path(__file__).parents[2] / "fixtures"
        rules = ("PTO302", "PTO303")
        for rule in rules:
            shutil.copytree(fixtures / rule, self.folder / rule)
        for form in ("sarif", "json"):
            whole = self.run_program("--format", form, *rules, code=1)
            for count in (2, 3, 5):
                with self.subTest(form=form, count=count):
                    self.assertEqual(self.merged(count, *rules, code=1, form=form), whole.out)

    def test_merged_reports_are_the_report_of_one_run(self):
        whole = self.run_program("--format", "json", ".", code=1)
        for count in (1, 2, 3, 8):
            with self.subTest(count=count):
                self.assertEqual(self.merged(count, ".", code=1), whole.out)
        whole = self.run_program("--format", "json", "--diff", "--unsafe", ".")
        self.assertEqual(self.merged(3, "--diff", "--unsafe", ".", code=whole.code), whole.out)

    def test_what_decides_the_exit_code_decides_it_after_merging(self):
        choices = ([], ["--fail-on", "info"], ["--fail-on", "warning"], ["--fail-on", "error"], ["--exit-zero"])
        for form in ("json", "sarif"):
            for options in choices:
                whole = self.run_program("--format", form, *options, ".")
                self.assertEqual(whole.code, 0 if options in choices[-2:] else 1)
                parts = []
                for shard in (1, 2):
                    parts.append(self.home / f"{shard}.{form}")
                    parts[-1].write_text(self.run_program("--format", form, "--shard", f"{shard}/2", ".").out)
                with self.subTest(form=form, options=options):
                    self.run_program("merge", *options, *parts, code=whole.code)
            parts[0].write_text(self.run_program("--format", form, "nowhere.py", code=2).out)
            self.run_program("merge", "--exit-zero", *parts, code=2)
            self.assertIn("fatal", self.run_program("merge", "--fail-on", "fatal", *parts, code=2).err)
            self.assertIn("--fail-on", self.run_program("merge", "--fail-on", "error", "--exit-zero", *parts, code=2).err)

    def test_merged_sarif_is_the_sarif_of_one_run(self):
        self.write("f1/bad name.py", b"import pypto\n\xff")
        whole = self.run_program("--format", "sarif", ".", "nowhere.py", code=2)
        self.assertEqual(self.merged(3, ".", "nowhere.py", code=2, form="sarif"), whole.out)
        whole = self.run_program("--format", "sarif", "f2", code=1)
        for count in (1, 4):
            self.assertEqual(self.merged(count, "f2", code=1, form="sarif"), whole.out)

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_gnu_parallel_runs_what_the_documentation_shows(self):
        text = (pathlib.Path(__file__).parents[2] / "docs/fleet.md").read_text()
        lines = [line.strip() for line in text.splitlines() if line.startswith("    seq ") or line.startswith("    pto-fix merge shard")]
        self.assertEqual(len(lines), 2, lines)
        (self.folder / "f1").rename(self.folder / "models")
        programs = self.home / "bin"
        programs.mkdir()
        (programs / "pto-fix").symlink_to(PTO_FIX)
        environment = self.environment(PATH=f"{programs}:{os.environ['PATH']}")
        done = subprocess.run(["sh", "-c", "\n".join(lines)], cwd=self.folder, env=environment, capture_output=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.read("all.json"), self.run_program("--format", "json", "models").out_bytes)

    def test_problems_and_clean_runs_have_their_exit_codes(self):
        self.write("f1/bad.py", b"import pypto\n\xff")
        whole = self.run_program("--format", "json", ".", "nowhere.py", code=2)
        self.assertEqual(self.merged(3, ".", "nowhere.py", code=2), whole.out)
        self.assertEqual(self.merged(3, "README.py", code=0), self.run_program("--format", "json", "README.py").out)

    def test_files_that_import_each_other_are_reported_as_by_one_run(self):
        self.write("f1/sizes.py", "import pypto\nTILE = 65536\nROWS = 4\n")
        for i in range(6):
            self.write(f"f{i}/kernel{i}.py", f'''import sys
import pypto
sys.path.insert(0, "f1")
from f1.sizes import TILE


@pypto.frontend.jit
def kernel{i}(x: pypto.Tensor([{i + 1}, 65536], pypto.DT_FP32), out: pypto.Tensor([{i + 1}, 65536], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(1, TILE)
    out[:] = pypto.exp(x)
''')
        whole = self.run_program("--format", "json", ".", code=1)
        self.assertTrue([f for f in whole.json()["findings"] if f["rule"] == "PTO101"], whole.out)
        for count in (2, 5):
            self.assertEqual(self.merged(count, ".", code=1), whole.out)

    def test_reports_that_somebody_else_wrote_are_refused_or_joined(self):
        self.run_program("--format", "sarif", "--shard", "1/1", "--output", "part.sarif", ".")
        self.run_program("--format", "json", "--shard", "1/1", "--output", "part.json", ".")
        for name in ("part.sarif", "part.json"):
            whole = json.loads(self.read(name))

            def places(value, at=()):
                yield at
                items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
                for key, each in items:
                    yield from places(each, (*at, key))

            for at in list(places(whole))[1:400:5]:
                for other in (None, 7, -1, "%zz", "%", [], {}, [[]], [None], True):
                    changed = copy.deepcopy(whole)
                    holder = changed
                    for key in at[:-1]:
                        holder = holder[key]
                    if holder[at[-1]] == other:
                        continue
                    holder[at[-1]] = other
                    self.write("changed", json.dumps(changed))
                    result = self.run_program("merge", "changed")
                    self.assertIn(result.code, (0, 1, 2), (at, other))
                    self.assertNotIn("internal error", result.err, (at, other))

    def parts(self, count, form):
        names = [self.home / f"{k}of{count}.{form}" for k in range(1, count + 1)]
        for k, name in enumerate(names, 1):
            self.run_program("--output", name, "--shard", f"{k}/{count}", ".")
        return names

    def test_reports_say_which_shard_they_are(self):
        shard = {"number": 2, "of": 3}
        self.assertEqual(json.loads(self.parts(3, "json")[1].read_text())["shard"], shard)
        self.assertEqual(json.loads(self.parts(3, "sarif")[1].read_text())["runs"][0]["properties"]["shard"], shard)
        for arguments in ([], ["--diff"], ["--apply"]):
            self.assertEqual(self.run_program("--format", "json", "--shard", "2/3", *arguments, ".").json()["shard"], shard)
            for whole in (["."], ["--shard", "1/1", "."]):
                self.assertNotIn("shard", self.run_program("--format", "json", *arguments, *whole).json())
        whole = self.run_program("--format", "sarif", ".").json()
        self.assertNotIn("properties", whole["runs"][0])

    def test_a_shard_that_is_missing_is_named(self):
        for form in ("json", "sarif"):
            parts = self.parts(8, form)
            for left_out, named in (([0], "1"), ([7], "8"), ([1, 3, 4, 5], "2, 4-6"), (range(1, 8), "2-8")):
                given = [part for i, part in enumerate(parts) if i not in left_out]
                with self.subTest(form=form, named=named):
                    for options in ([], ["--exit-zero"]):
                        result = self.run_program("merge", *options, *given, code=2)
                        self.assertEqual(result.out, "")
                        self.assertIn(f"nothing was merged: of 8 shards {named} are missing", result.err)
                    self.assertIn(f"缺少第 {named} 份", self.run_program("merge", "--lang", "zh", *given, code=2).err)
                    merged = self.run_program("merge", "--allow-missing", *given)
                    self.assertIn(merged.code, (0, 1))
                    self.assertIn(f"merged without {named} of 8 shards", merged.err)
                    self.assertNotIn("shard", merged.json())
            self.assertEqual(self.run_program("merge", "--allow-missing", *parts, code=1).err, "")
            # A report of something else says nothing of shards, and replaces none.
            whole = self.home / f"whole.{form}"
            self.run_program("--output", whole, ".")
            self.assertIn("of 8 shards 3 are missing", self.run_program("merge", whole, *parts[:2], *parts[3:], code=2).err)
            self.run_program("merge", whole, whole, code=1)
        text = self.run_program("--format", "json", "--shard", "1/4000000000", ".").out
        self.write("x.json", text)
        self.assertIn("2-4000000000 are missing", self.run_program("merge", "x.json", code=2).err)

    def test_shards_that_do_not_belong_together_are_refused(self):
        for form in ("json", "sarif"):
            two, three = self.parts(2, form), self.parts(3, form)
            for options in ([], ["--allow-missing"]):
                result = self.run_program("merge", *options, *three, three[1], code=2)
                self.assertIn(f"{three[1]}: is shard 2 of 3, as {three[1]} is", result.err)
                result = self.run_program("merge", *options, two[0], three[1], code=2)
                self.assertIn(f"{three[1]}: is one of 3 shards, {two[0]} is one of 2", result.err)
                self.assertEqual(result.out, "")

    def test_a_shard_that_cannot_be_is_no_report(self):
        for form in ("json", "sarif"):
            whole = json.loads(self.parts(2, form)[0].read_text())
            for other in (None, 7, [], {}, {"number": 0, "of": 2}, {"number": 3, "of": 2}, {"number": 1, "of": 2**40},
                          {"number": "1", "of": 2}, {"number": 1}):
                (whole if form == "json" else whole["runs"][0]["properties"])["shard"] = other
                self.write("x", json.dumps(whole))
                self.assertIn("is not a report", self.run_program("merge", "x", code=2).err, other)

    def test_the_whole_goes_to_a_file(self):
        for form in ("json", "sarif"):
            whole = self.run_program("--format", form, ".", code=1).out
            parts = self.parts(3, form)
            result = self.run_program("merge", *parts, "--output", "all", code=1)
            self.assertEqual((result.out, result.err, self.read("all").decode()), ("", "", whole))
            self.run_program("merge", "--fail-on", "error", *parts, "--output", parts[0], "--format", form, code=0)
            self.assertEqual(parts[0].read_text(), whole)
            self.assertEqual(self.run_program("merge", parts[0], "--output", "-", code=1).out, whole)
            other = "sarif" if form == "json" else "json"
            self.assertIn("merging keeps the format", self.run_program("merge", parts[0], "--format", other, code=2).err)
        result = self.run_program("merge", parts[0], "--output", "no/x.json", code=2)
        self.assertIn("--output no/x.json: cannot be written: No such file", result.err)
        self.assertIn("not written over a Python file", self.run_program("merge", parts[0], "--output", "k.py", code=2).err)
        self.assertIn("html", self.run_program("merge", parts[0], "--format", "html", code=2).err)
        self.assertIn("for `pto-fix merge`", self.run_program("--allow-missing", ".", code=2).err)

    def test_what_is_no_shard_or_report_is_refused(self):
        for value in ("0/4", "5/4", "1", "1/", "/4", "a/b", "1/4/2", "-1/4", "1/0", "1.5/4"):
            with self.subTest(value=value):
                result = self.run_program(f"--shard={value}", ".", code=2)
                self.assertIn("must be the number of the part", result.err)
        self.assertIn("第几份", self.run_program("--shard=9/4", ".", "--lang", "zh", code=2).err)
        self.assertIn("merge which reports?", self.run_program("merge", code=2).err)
        self.write("x.json", "{")
        self.assertIn("is no JSON", self.run_program("merge", "x.json", code=2).err)
        self.write("x.json", "[]")
        self.assertIn("is not a report", self.run_program("merge", "x.json", code=2).err)
        self.write("x.json", '{"version":"0","files":[],"findings":[{}]}')
        self.assertIn("is not a report", self.run_program("merge", "x.json", code=2).err)
        self.write("x.json", '{"version":"0","files":[],"findings":[]}')
        self.write("y.json", '{"version":"1","files":[],"findings":[]}')
        self.assertIn("of one version", self.run_program("merge", "x.json", "y.json", code=2).err)
        self.assertIn("No such file", self.run_program("merge", "nowhere.json", code=2).err)
        self.assertIn("--shard is for the runs", self.run_program("merge", "--shard", "1/2", "x.json", code=2).err)


if __name__ == "__main__":
    main()
