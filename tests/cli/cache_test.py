"""What is kept between runs: never seen in what a run says, only in how long it takes."""

import concurrent.futures
import os
import pathlib
import shutil

from program import LOOP, ProgramTest, main

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"
KERNEL = """import pypto
from sizes import ROWS


@pypto.frontend.jit
def kernel(x: pypto.Tensor([1024, 512], pypto.DT_BF16), out: pypto.Tensor([1024, 512], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(ROWS, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
"""
TWO_WEEKS = 14 * 24 * 3600


class CacheTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"

    def run_cached(self, *arguments, **options):
        return self.run_program("--cache-dir", self.cache, *arguments, **options)

    def entries(self):
        return sorted(p for p in self.cache.glob("??/*") if p.is_file())

    def rules_found(self, *arguments):
        return [(f["rule"], f["path"]) for f in self.run_cached("--format", "json", *arguments).json()["findings"]]


class SameAnswer(CacheTest):
    def test_every_format_and_mode_says_the_same_with_and_without(self):
        tree = self.folder / "tree"
        shutil.copytree(FIXTURES, tree, ignore=shutil.ignore_patterns("logs"))
        for mode in (["--format", "json"], [], ["--lang", "zh"], ["--diff"], ["--diff", "--unsafe", "--format", "json"]):
            with self.subTest(mode=mode):
                plain = self.run_program(*mode, "tree")
                for _ in range(2):
                    cached = self.run_cached(*mode, "tree")
                    self.assertEqual((plain.code, plain.out_bytes, plain.err), (cached.code, cached.out_bytes, cached.err))
        self.assertGreater(len(self.entries()), 100)

    def test_what_is_written_is_the_same(self):
        for name in ("plain", "cold", "warm"):
            shutil.copytree(FIXTURES, self.folder / name / "tree", ignore=shutil.ignore_patterns("logs"))
        options = ["--apply", "--unsafe", "."]
        self.run_program(*options[:-1], "plain/tree")
        # The path is part of what a record is found by: the warm run is one over files put back.
        self.run_cached("--diff", "--unsafe", "warm/tree")
        self.run_cached(*options[:-1], "warm/tree")
        self.run_cached(*options[:-1], "cold/tree")
        for path in sorted((self.folder / "plain").rglob("*.py")):
            name = path.relative_to(self.folder / "plain")
            for other in ("cold", "warm"):
                self.assertEqual(path.read_bytes(), (self.folder / other / name).read_bytes(), name)

    def test_several_at_once_share_a_folder(self):
        for i in range(30):
            self.write(f"k{i}.py", LOOP + f"# {i}\n")
        plain = self.run_program(".")
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            runs = [pool.submit(self.run_cached, ".") for _ in range(6)]
            for run in runs:
                self.assertEqual(plain.out, run.result().out)
        self.assertFalse([p.name for p in self.cache.rglob("*.*.*")], "a temporary file stayed")


class Pack(CacheTest):
    """What a run of many files asked for lies in one more file, which the next such run reads alone."""

    def setUp(self):
        super().setUp()
        for i in range(20):
            self.write(f"m{i % 3}/k{i}.py", LOOP + f"# {i}\n")
        self.first = self.run_cached(".").out
        self.single = [p for p in self.entries() if p.stat().st_size < 20_000]

    def timing(self):
        told = self.run_cached("--timing", ".")
        self.assertEqual(told.out, self.first)
        return told.err

    def test_it_is_enough(self):
        self.assertEqual(len(self.entries()), 21)
        (pack,) = [p for p in self.entries() if p.stat().st_size == max(q.stat().st_size for q in self.entries())]
        for path in self.entries():
            if path != pack:
                path.unlink()
        self.assertIn("20", self.timing())
        self.assertEqual(self.entries(), [pack], "something was worked out again")

    def test_another_run_over_the_same_paths_has_its_own(self):
        kept = {p: p.read_bytes() for p in self.entries()}
        for other in (["--select", "PTO202"], ["--shard", "1/1"], ["--soc", "950"], ["m0", "m1", "m2"]):
            self.run_cached(*other, *([] if other[0] == "m0" else ["."]))
        for path, bytes_ in kept.items():
            self.assertEqual(path.read_bytes(), bytes_, "it was displaced")

    def test_a_damaged_one_is_passed_over(self):
        pack = max(self.entries(), key=lambda p: p.stat().st_size)
        whole = pack.read_bytes()
        for bytes_ in (b"", whole[:-1], whole[: len(whole) // 2], whole[:50] + b"x" + whole[51:]):
            pack.write_bytes(bytes_)
            self.assertEqual(self.run_cached(".").out, self.first)
            self.assertEqual(pack.stat().st_size, len(whole), "it was not mended")

    def test_a_file_that_changes_is_told_of(self):
        self.write("m0/k0.py", "import pypto\n")
        left = self.run_cached(".").out
        self.assertNotIn("k0.py", left)
        self.assertEqual(self.run_cached(".").out, left)
        self.write("m0/k0.py", LOOP + "# 0\n")
        self.assertEqual(self.run_cached(".").out, self.first)


class Changes(CacheTest):
    def test_an_import_that_has_other_text(self):
        self.write("kernel.py", KERNEL)
        self.write("sizes.py", "ROWS = 128\n")
        for _ in range(2):
            self.assertEqual(self.rules_found("kernel.py"), [("PTO101", "kernel.py")])
        self.write("sizes.py", "ROWS = 32\n")
        for _ in range(2):
            self.assertEqual(self.rules_found("kernel.py"), [])
        self.write("sizes.py", "ROWS = 128\n")
        self.assertEqual(self.rules_found("kernel.py"), [("PTO101", "kernel.py")])

    def test_an_import_that_comes_and_goes(self):
        self.write("kernel.py", KERNEL)
        self.assertEqual(self.rules_found("kernel.py"), [])
        sizes = self.write("sizes.py", "ROWS = 128\n")
        self.assertEqual(self.rules_found("kernel.py"), [("PTO101", "kernel.py")])
        sizes.unlink()
        self.assertEqual(self.rules_found("kernel.py"), [])

    def test_an_import_that_another_file_hides(self):
        self.write("pyproject.toml", "")
        self.write("models/kernel.py", KERNEL)
        self.write("sizes.py", "ROWS = 128\n")
        self.assertEqual(self.rules_found("models/kernel.py"), [("PTO101", "models/kernel.py")])
        self.write("models/sizes.py", "ROWS = 32\n")
        self.assertEqual(self.rules_found("models/kernel.py"), [])

    def test_an_import_of_an_import(self):
        self.write("kernel.py", KERNEL)
        self.write("sizes.py", "from deep import ROWS\n")
        self.write("deep.py", "ROWS = 128\n")
        self.assertEqual(self.rules_found("kernel.py"), [("PTO101", "kernel.py")])
        self.write("deep.py", "ROWS = 32\n")
        self.assertEqual(self.rules_found("kernel.py"), [])

    def test_the_configuration_and_the_options(self):
        self.write("kernel.py", KERNEL)
        self.write("sizes.py", "ROWS = 128\n")
        found = [("PTO101", "kernel.py")]
        self.assertEqual(self.rules_found("kernel.py"), found)
        self.assertEqual(self.rules_found("--ignore", "PTO101", "kernel.py"), [])
        self.assertEqual(self.rules_found("--select", "PTO201", "kernel.py"), [])
        self.write("pto-fix.toml", 'ignore = ["PTO101"]\n')
        self.assertEqual(self.rules_found("kernel.py"), [])
        self.write("pto-fix.toml", "[severity]\nPTO101 = \"info\"\n")
        report = self.run_cached("--format", "json", "kernel.py", code=0).json()
        self.assertEqual([f["severity"] for f in report["findings"]], ["info"])
        (self.folder / "pto-fix.toml").unlink()
        self.assertEqual(self.rules_found("kernel.py"), found)

    def test_the_same_text_elsewhere(self):
        self.write("a/kernel.py", KERNEL)
        self.write("a/sizes.py", "ROWS = 128\n")
        self.write("b/kernel.py", KERNEL)
        self.write("b/sizes.py", "ROWS = 32\n")
        for _ in range(2):
            self.assertEqual(self.rules_found("a/kernel.py", "b/kernel.py"), [("PTO101", "a/kernel.py")])


class Writing(CacheTest):
    """What a run writes itself is not what it read before."""

    def test_comments_in_an_imported_file(self):
        # The finding is in sizes.py, and kernel.py is where it is found.
        self.write("kernel.py", KERNEL.replace("set_vec_tile_shapes(ROWS, 512)", "set_vec_tile_shapes(*ROWS)"))
        self.write("sizes.py", "import pypto\n\nROWS = [128, 512]\n")
        plain, cached = self.folder / "plain", self.folder / "cached"
        for folder in (plain, cached):
            folder.mkdir()
            for name in ("kernel.py", "sizes.py"):
                shutil.copy(self.folder / name, folder)
        arguments = ["--add-ignore", "known", "--format", "json", "."]
        without = self.run_program(*arguments, cwd=plain)
        for _ in range(2):
            self.run_program("--cache-dir", self.cache, ".", cwd=cached)
        with_cache = self.run_program("--cache-dir", self.cache, *arguments, cwd=cached)
        self.assertEqual((without.code, without.out), (with_cache.code, with_cache.out))
        for name in ("kernel.py", "sizes.py"):
            self.assertEqual((plain / name).read_bytes(), (cached / name).read_bytes())


class Trouble(CacheTest):
    def test_damaged_records_are_worked_out_again(self):
        self.write("kernel.py", LOOP)
        plain = self.run_program("--format", "json", "kernel.py")
        self.run_cached("kernel.py")
        (entry,) = self.entries()
        good = entry.read_bytes()
        damaged = [b"", good[:1], good[:-1], good + b"x", bytes(len(good)), b"\xff" * len(good)]
        damaged += [good[:i] + bytes([good[i] ^ 0x55]) + good[i + 1 :] for i in range(0, len(good), max(1, len(good) // 60))]
        for bad in damaged:
            entry.write_bytes(bad)
            again = self.run_cached("--format", "json", "kernel.py")
            self.assertEqual((plain.code, plain.out, plain.err), (again.code, again.out, again.err), bad[:40])
            self.assertEqual(entry.read_bytes(), good)
        entry.unlink()
        entry.mkdir()
        self.assertEqual(self.run_cached("--format", "json", "kernel.py").out, plain.out)

    def test_a_folder_that_cannot_be_used(self):
        self.write("kernel.py", LOOP)
        plain = self.run_program("kernel.py")
        file = self.write("file", "")
        for folder in (file, file / "below", "/proc/nowhere", "/dev/null"):
            again = self.run_program("--cache-dir", folder, "kernel.py")
            self.assertEqual((plain.code, plain.out, plain.err), (again.code, again.out, again.err))

    def test_files_that_fail_are_not_kept(self):
        self.write("deep.py", "import pypto\n@pypto.frontend.jit\ndef f():\n" + "".join(" " * i + "if x:\n" for i in range(1, 200)))
        for _ in range(2):
            self.run_cached("deep.py", code=2)
        self.assertEqual(self.entries(), [])


class Where(CacheTest):
    def test_the_command_line_then_the_environment_then_the_users_own(self):
        self.write("kernel.py", LOOP)
        home = {"HOME": str(self.folder / "home"), "PTO_FIX_NO_CACHE": ""}

        def used(*arguments, **env):
            for name in ("home", "xdg", "env", "cache"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
            self.run_program(*arguments, "kernel.py", env={**home, **env})
            return sorted(str(p.parent.relative_to(self.folder)) for p in self.folder.rglob("CACHEDIR.TAG"))

        self.assertEqual(used(), ["home/.cache/pto-fix"])
        self.assertEqual(used(XDG_CACHE_HOME=str(self.folder / "xdg")), ["xdg/pto-fix"])
        self.assertEqual(used(XDG_CACHE_HOME="relative"), ["home/.cache/pto-fix"])
        self.assertEqual(used(PTO_FIX_CACHE_DIR=str(self.folder / "env")), ["env"])
        self.assertEqual(used("--cache-dir", self.cache, PTO_FIX_CACHE_DIR=str(self.folder / "env")), ["cache"])
        self.assertEqual(used("--no-cache"), [])
        self.assertEqual(used("--no-cache", "--cache-dir", self.cache), [])
        self.assertEqual(used(PTO_FIX_NO_CACHE="1"), [])
        self.assertEqual(used(HOME=""), [])

    def test_a_filter_keeps_nothing(self):
        self.run_cached("-", stdin=LOOP)
        self.assertFalse(self.cache.exists())

    def test_what_nobody_asks_for_goes(self):
        self.write("old.py", LOOP)
        self.run_cached("old.py")
        (old,) = self.entries()
        self.write("used.py", LOOP)
        self.run_cached("used.py")
        (used,) = set(self.entries()) - {old}
        past = os.stat(old).st_mtime - TWO_WEEKS - 3600
        for path in (old, used, self.cache / "tidied"):
            os.utime(path, (past, past))
        self.run_cached("used.py")  # asked for: it is fresh again
        self.write("new.py", LOOP)
        self.run_cached("new.py")
        self.assertNotIn(old, self.entries())
        self.assertIn(used, self.entries())
        self.assertTrue((self.cache / "CACHEDIR.TAG").exists())


if __name__ == "__main__":
    main()
