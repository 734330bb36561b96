"""A file that the system calls unchanged is not read again if nothing was found in it; a change is seen, however it is
made."""

import ctypes
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

from program import INTERPOSE, LOOP, ProgramTest, main

KERNEL = """import pypto
from sizes import ROWS


@pypto.frontend.jit
def kernel(x: pypto.Tensor([1024, 512], pypto.DT_BF16), out: pypto.Tensor([1024, 512], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(ROWS, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
"""
SMALL, LARGE = "ROWS = 32 \n", "ROWS = 128\n"
FILES = {
    "kernel.py": KERNEL,
    "sizes.py": SMALL,
    "loud/loop.py": LOOP,
    "idle.py": "import pypto\n\nprint(pypto.__version__)\n",
    "other.py": "print('no kernel')     # pyptx.frontend.jit\n",
    "latin.py": "# coding: latin-1\n# é\n".encode("latin-1"),
    # The fix of one kernel changes what another reads, in which nothing is found.
    "shared/lines.py": "LINES = 128\n",
    "shared/a.py": KERNEL.replace("sizes", "lines").replace("ROWS", "LINES"),
    "shared/b.py": KERNEL.replace("sizes", "lines").replace("ROWS, 512", "LINES, 16").replace("ROWS", "LINES"),
    "broken.py": "import pypto\n\n\n@pypto.frontend.jit\ndef f(:\n",
    **{f"many/k{i}.py": LOOP.replace("range(HEADS)", "pypto.loop(HEADS)") + f"# {i}\n" for i in range(20)},
}
# In which something is found, or that may not be passed over; b.py is asked for what a fix of a.py would change.
READ = ["broken.py", "latin.py", "loud/loop.py", "shared/a.py", "shared/b.py", "shared/lines.py"]
# ext4, XFS, Btrfs, tmpfs, overlayfs: the others that are relied on are no place for temporary files.
KEEP_TIMES = {"ef53", "58465342", "9123683e", "1021994", "794c7630"}
# As long as a change is too young to be relied on, and a little more.
SETTLED = 3.3


class Opened:
    """The files of a folder and those in it that are opened while this lives."""

    IN_OPEN, IN_ISDIR = 0x20, 0x40000000

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.folder = folder
        self.fd = libc.inotify_init1(os.O_NONBLOCK)
        self.folders = {}
        for path in [folder, *(p for p in folder.rglob("*") if p.is_dir())]:
            self.folders[libc.inotify_add_watch(self.fd, os.fsencode(path), self.IN_OPEN)] = path
        assert self.fd >= 0 and -1 not in self.folders, os.strerror(ctypes.get_errno())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def names(self):
        names = set()
        while True:
            try:
                events = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return sorted(names)
            while events:
                watch, mask, _, size = struct.unpack_from("iIII", events)
                name = os.fsdecode(events[16 : 16 + size].rstrip(b"\0"))
                if not mask & self.IN_ISDIR:
                    names.add(str((self.folders[watch] / name).relative_to(self.folder)))
                events = events[16 + size :]


class KnownFiles(ProgramTest):
    """Each test has a tree of its own; all of them settle at once."""

    @classmethod
    def setUpClass(cls):
        cls.trees = pathlib.Path(tempfile.mkdtemp(prefix="pto-fix-known-"))
        for test in (name for name in dir(cls) if name.startswith("test_")):
            for name, text in FILES.items():
                path = cls.trees / test / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
        kind = subprocess.run(["stat", "-f", "-c", "%t", cls.trees], capture_output=True, text=True, check=True)
        cls.is_relied_on = kind.stdout.strip() in KEEP_TIMES
        time.sleep(SETTLED)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.trees)

    def setUp(self):
        super().setUp()
        self.tree = self.trees / self._testMethodName
        self.cache = self.folder / "cache"

    def run_cached(self, *arguments):
        return self.run_program("--cache-dir", self.cache, *arguments, cwd=self.tree)

    def same(self, *arguments):
        """Whatever is kept, the answer is that of a run without."""
        plain = self.run_program("--no-cache", *arguments, cwd=self.tree)
        cached = self.run_cached(*arguments)
        self.assertEqual((plain.code, plain.out, plain.err), (cached.code, cached.out, cached.err))
        return cached

    def found(self):
        report = self.same("--format", "json", ".").json()
        return sorted({(f["path"], f["rule"]) for f in report["findings"]})

    def warm(self):
        first = self.found()
        self.assertEqual(self.found(), first)
        if self.is_relied_on:
            with Opened(self.tree) as opened:
                self.run_cached("--format", "json", ".")
                self.assertEqual(opened.names(), sorted(READ))
        return first

    def change(self, name, text):
        """With the size and the times that the file has, as far as a program can set them."""
        path = self.tree / name
        before = path.stat()
        self.assertEqual(before.st_size, len(text.encode()), "the size must tell nothing")
        with open(path, "r+") as file:
            file.write(text)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual((path.stat().st_ino, path.stat().st_mtime_ns), (before.st_ino, before.st_mtime_ns))

    def test_it_is_not_read(self):
        self.warm()
        with Opened(self.tree) as opened:
            self.run_program("--no-cache", "--format", "json", ".", cwd=self.tree)
            self.assertEqual(opened.names(), sorted(FILES))

    def test_every_mode_and_format_says_the_same(self):
        self.warm()
        for mode in (
            *(["--format", f] for f in ("text", "json", "sarif", "github", "gitlab", "junit", "html")),
            ["--diff"], ["--diff", "--unsafe"], ["--explain-unknown"], ["--show-suppressed"], ["--shard", "1/2"], ["-j1"],
            ["--statistics"], ["--select", "PTO301"], ["--lang", "zh"], ["--add-ignore", "known", "--diff"], ["--exit-zero"],
        ):  # fmt: skip
            with self.subTest(mode=mode):
                for _ in range(3):
                    self.same(*mode, ".")

    def test_what_is_written_is_the_same(self):
        self.warm()
        plain = self.folder / "plain"
        shutil.copytree(self.tree, plain)
        self.run_program("--no-cache", "--apply", "--unsafe", ".", cwd=plain)
        self.run_cached("--apply", "--unsafe", ".")
        for name in FILES:
            self.assertEqual((self.tree / name).read_bytes(), (plain / name).read_bytes(), name)
        self.found()

    def test_another_text_of_the_same_size_and_time(self):
        first = self.warm()
        self.assertNotIn(("kernel.py", "PTO101"), first)
        self.change("sizes.py", LARGE)
        for _ in range(2):
            self.assertEqual(self.found(), sorted([*first, ("kernel.py", "PTO101")]))
        self.change("sizes.py", SMALL)
        self.assertEqual(self.found(), first)

    def test_a_text_that_comes_to_mention_the_framework(self):
        first = self.warm()
        self.assertNotIn("other.py", dict(first))
        text = "import pypto  # pto-fix: ignore[PTO999] w"
        self.change("other.py", text.ljust(len(FILES["other.py"]) - 1) + "\n")
        for _ in range(2):
            self.assertIn("other.py", dict(self.found()))

    def test_another_file_under_the_name(self):
        first = self.warm()
        path = self.tree / "sizes.py"
        before = path.stat()
        self.change("sizes.py", SMALL)  # as it was: nothing but the time of the inode has changed
        self.assertEqual(self.found(), first)
        other = self.write("other_sizes.py", LARGE)
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        shutil.move(other, path)
        self.assertIn(("kernel.py", "PTO101"), self.found())

    def test_two_files_that_change_places(self):
        first = self.warm()
        (self.tree / "loud/loop.py").rename(self.tree / "loud/x")
        (self.tree / "many/k1.py").rename(self.tree / "loud/loop.py")
        (self.tree / "loud/x").rename(self.tree / "many/k1.py")
        moved = sorted(("many/k1.py", rule) if path == "loud/loop.py" else (path, rule) for path, rule in first)
        for _ in range(2):
            self.assertEqual(self.found(), moved)

    def test_a_change_by_another_name(self):
        first = self.warm()
        os.link(self.tree / "sizes.py", self.folder / "link")  # that itself changes the inode
        self.assertEqual(self.found(), first)
        (self.folder / "link").write_text(LARGE)
        self.assertIn(("kernel.py", "PTO101"), self.found())

    def test_an_import_that_comes_goes_and_hides(self):
        first = self.warm()
        (self.tree / "sizes").mkdir()
        (self.tree / "sizes/__init__.py").write_text(LARGE)
        self.assertIn(("kernel.py", "PTO101"), self.found())
        shutil.rmtree(self.tree / "sizes")
        self.assertEqual(self.found(), first)
        (self.tree / "sizes.py").unlink()
        self.assertEqual(self.found(), first)
        (self.tree / "sizes.py").write_text(LARGE)
        self.assertIn(("kernel.py", "PTO101"), self.found())

    def test_a_configuration_that_comes(self):
        self.warm()
        for text in ('[severity]\nPTO101 = "error"\n', 'exclude = ["loud"]\n', '[[assume]]\nname = "x"\nvalue = 3\n', ""):
            (self.tree / "pto-fix.toml").write_text(text)
            for _ in range(2):
                self.found()

    def test_a_file_that_is_gone(self):
        first = self.warm()
        for name in ("many/k0.py", "other.py", "idle.py"):
            (self.tree / name).unlink()
        self.assertEqual(self.found(), first)

    def test_a_file_that_cannot_be_read_any_more(self):
        self.warm()
        environment = {"LD_PRELOAD": INTERPOSE, "PTOFIX_TEST_UNREADABLE": "loud/loop.py"}
        if "ASAN_OPTIONS" in os.environ:
            self.skipTest("a sanitizer wants to be the first library")
        for mode in ([], ["--format", "json"], ["--format", "sarif"], ["--statistics"]):
            plain = self.run_program("--no-cache", *mode, ".", cwd=self.tree, env=environment)
            cached = self.run_program("--cache-dir", self.cache, *mode, ".", cwd=self.tree, env=environment)
            self.assertEqual(plain.code, 2, plain)
            self.assertEqual((plain.code, plain.out, plain.err), (cached.code, cached.out, cached.err))

    def test_what_stands_in_the_place_of_what_was_kept(self):
        first = self.warm()
        for path in self.cache.glob("??/*"):
            path.unlink()
            os.mkfifo(path)
        self.assertEqual(self.found(), first)

    def test_a_large_folder(self):
        for i in range(230):
            (self.tree / f"many/l{i}.py").write_text(FILES["many/k1.py"] + "# more\n")
        time.sleep(SETTLED)
        self.warm()

    def test_one_that_has_just_changed_is_read(self):
        self.warm()
        (self.tree / "other.py").write_text(FILES["other.py"])
        for _ in range(2):
            self.found()
            with Opened(self.tree) as opened:
                self.run_cached("--format", "json", ".")
                self.assertIn("other.py", opened.names())

    def test_a_repository_and_its_changes(self):
        self.warm()
        git = lambda *words: subprocess.run(  # noqa: E731
            ["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=self.tree, check=True, capture_output=True
        )
        git("init", "-q")
        git("add", ".")
        git("commit", "-qm", "all")
        self.change("sizes.py", LARGE)
        for mode in (["--since", "HEAD"], ["--staged"], ["--diff"]):
            with self.subTest(mode=mode):
                self.same("--format", "json", *mode, ".")
        git("add", ".")
        self.same("--format", "json", "--staged", ".")
        self.assertIn(("kernel.py", "PTO101"), self.found())


if __name__ == "__main__":
    main()
