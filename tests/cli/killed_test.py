"""kill -9, Ctrl-C and full disks while --apply writes: each file is old or new, and undo puts everything back."""

import ctypes
import os
import random
import resource
import signal
import subprocess
import time
import unittest

from program import PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main
from writing_test import UNROLL_KERNEL

# Longer than what the system writes at once, so that a file written in place can be caught in the middle.
PADDING = '"""' + "padding\n" * 5000 + '"""\n'


class KilledTest(ProgramTest):
    """A tree of single files, of pairs that a fix changes together, and of files with a second name."""

    SINGLE, PAIRS, LINKED = 44, 5, 6

    def setUp(self):
        super().setUp()
        self.old, self.new = {}, {}
        for i in range(self.SINGLE):
            self.old[f"sub{i % 7}/k{i}.py"] = SUPPRESSION
        for i in range(self.LINKED):
            self.old[f"linked/k{i}.py"] = SUPPRESSION + PADDING
        for i in range(self.PAIRS):
            self.old[f"pair{i}/kernel.py"] = UNROLL_KERNEL
            self.old[f"pair{i}/numbers_of_mine.py"] = "UNROLL = [128, 1]\n"
        self.write_old()
        for i in range(self.LINKED):
            os.link(self.folder / f"linked/k{i}.py", self.folder / f"linked/other{i}")
        started = time.monotonic()
        self.run_program("--apply", "--unsafe", ".", code=0)
        self.duration = time.monotonic() - started
        self.new = {name: self.read(name).decode() for name in self.old}
        self.assertTrue(all(self.new[name] != text for name, text in self.old.items()))
        self.run_program("undo", code=0)
        self.assert_all(self.old)

    def write_old(self):
        for name, text in self.old.items():
            self.write(name, text)

    def start_and_stop(self, how):
        program = subprocess.Popen([PTO_FIX, "--apply", "--unsafe", "."], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment())
        time.sleep(random.uniform(0.0, self.duration * 1.2))
        program.send_signal(how)
        program.wait(60)

    def texts(self):
        return {name: self.read(name).decode() for name in self.old}

    def assert_all(self, expected):
        self.assertEqual({n: t for n, t in self.texts().items() if t != expected[n]}, {})

    def assert_old_or_new(self, but=()):
        for name, text in self.texts().items():
            if not name.startswith(tuple(but)):
                self.assertIn(text, (self.old[name], self.new[name]), name)

    def leftovers(self):
        return [p for p in self.folder.rglob(".pto-fix-*")]


class Killed(KilledTest):
    ROUNDS = int(os.environ.get("PTO_KILL_ROUNDS", "60"))

    def test_kill_9_at_any_moment(self):
        caught = 0
        for i in range(self.ROUNDS):
            self.start_and_stop(signal.SIGKILL)
            # A file with two names is written in place: caught in the middle it is mended by what comes next.
            self.assert_old_or_new(but=["linked/"])
            written = sum(text != self.old[name] for name, text in self.texts().items())
            caught += 0 < written < len(self.old)
            if i % 2:
                self.run_program("--apply", "--unsafe", ".", code=0)
                self.assert_all(self.new)
                self.assertEqual(self.leftovers(), [])
            while (undone := self.run_program("undo")).code == 0:
                pass
            self.assertIn("no run is known", undone.err)
            self.assert_all(self.old)
            self.assertEqual(self.leftovers(), [])
        print(f"{self.ROUNDS} rounds of kill -9, {caught} in the middle of writing {len(self.old)} files")
        self.assertGreater(caught, self.ROUNDS // 50)

    def test_ctrl_c_leaves_no_group_half_written_and_no_temporary_file(self):
        for i in range(30):
            self.start_and_stop((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[i % 3])
            self.assert_old_or_new()
            now = self.texts()
            for pair in range(self.PAIRS):
                names = f"pair{pair}/kernel.py", f"pair{pair}/numbers_of_mine.py"
                self.assertEqual(len({now[name] == self.old[name] for name in names}), 1, names)
            self.assertEqual(self.leftovers(), [])
            self.run_program("undo")
            self.assert_all(self.old)

    def test_the_next_run_says_what_happened(self):
        for _ in range(200):
            self.start_and_stop(signal.SIGKILL)
            if list(self.state.rglob("*.writing")):
                break
            self.run_program("undo")
        result = self.run_program("--apply", "--unsafe", ".", code=0)
        self.assertRegex(result.err, r"an earlier run \(\S+\) was stopped before its end: \d+ of 60 files had been written")
        self.assertRegex(self.run_program("undo", "--list").out, r"stopped before its end\n")
        self.assertNotIn("an earlier run", self.run_program("--apply", "--unsafe", ".", code=0).err)


def mount_tmpfs(folder, size):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", str(folder).encode(), b"tmpfs", 0, f"size={size}".encode()) != 0:
        raise unittest.SkipTest(f"a small file system cannot be mounted: {os.strerror(ctypes.get_errno())}")
    return lambda: libc.umount2(str(folder).encode(), 2)


class FullDisk(ProgramTest):
    def mount(self, name, size="256k"):
        folder = self.folder / name
        folder.mkdir()
        self.addCleanup(mount_tmpfs(folder, size))
        return folder

    @staticmethod
    def fill(folder, pages_left=0):
        with open(folder / "filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
            file.truncate(os.fstat(file.fileno()).st_size - 4096 * pages_left)

    def assert_refused(self, result, words):
        self.assertEqual(result.code, 2, result)
        self.assertIn(words, result.err)

    def test_where_the_files_are(self):
        disk = self.mount("disk")
        for i in range(9):
            self.write(f"disk/k{i}.py")
        self.fill(disk)
        self.assert_refused(self.run_program("--apply", "--unsafe", "disk"), "no space left")
        self.assertEqual({self.read(f"disk/k{i}.py").decode() for i in range(9)}, {SUPPRESSION})
        self.assertEqual(sorted(os.listdir(disk)), ["filler"] + [f"k{i}.py" for i in range(9)])
        self.assertIn("空间不足", self.run_program("--apply", "--unsafe", "--lang", "zh", "disk", code=2).err)

    def test_where_there_is_room_for_one_at_a_time(self):
        disk = self.mount("disk")
        for i in range(9):
            self.write(f"disk/k{i}.py")
        self.fill(disk, pages_left=1)
        self.run_program("--apply", "--unsafe", "disk", code=0)
        self.run_program("undo", code=0)
        self.assertEqual({self.read(f"disk/k{i}.py").decode() for i in range(9)}, {SUPPRESSION})

    def test_files_that_belong_together_are_not_parted(self):
        disk = self.mount("disk")
        self.write("disk/kernel.py", UNROLL_KERNEL)
        self.write("disk/numbers_of_mine.py", "UNROLL = [128, 1]\n")
        self.fill(disk, pages_left=1)  # for one of the two
        result = self.run_program("--apply", "--unsafe", "disk")
        self.assert_refused(result, "no space left")
        self.assertIn("could not be", result.err)
        self.assertEqual(self.read("disk/kernel.py").decode(), UNROLL_KERNEL)
        self.assertEqual(self.read("disk/numbers_of_mine.py").decode(), "UNROLL = [128, 1]\n")
        self.assertEqual(sorted(os.listdir(disk)), ["filler", "kernel.py", "numbers_of_mine.py"])

    def test_a_file_with_two_names_keeps_its_text(self):
        disk = self.mount("disk")
        self.write("disk/k.py", SUPPRESSION + PADDING)
        os.link(disk / "k.py", disk / "other.py")
        for pages in (0, 1, 5):
            self.fill(disk, pages_left=pages)
            self.assert_refused(self.run_program("--apply", "--unsafe", "disk/k.py"), "no space left")
            self.assertEqual(self.read("disk/other.py").decode(), SUPPRESSION + PADDING)
            self.assertEqual(sorted(os.listdir(disk)), ["filler", "k.py", "other.py"])

    def test_where_the_journal_is(self):
        disk = self.mount("disk")
        self.fill(disk)
        self.write("k.py")
        result = self.run_program("--apply", "--unsafe", "k.py", env={"XDG_STATE_HOME": str(disk)})
        self.assert_refused(result, "the journal that undo needs cannot be kept")
        self.assertIn("No space left on device", result.err)
        self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
        self.run_program("--apply", "--unsafe", "--no-journal", "k.py", code=0, env={"XDG_STATE_HOME": str(disk)})

    def test_an_undo_without_room_can_be_tried_again(self):
        disk = self.mount("disk")
        for i in range(3):
            self.write(f"disk/k{i}.py", SUPPRESSION + PADDING)
        self.run_program("--apply", "--unsafe", "disk", code=0)
        self.fill(disk)
        self.assert_refused(self.run_program("undo"), "no space left")
        self.assertEqual({self.read(f"disk/k{i}.py").decode() for i in range(3)}, {SUPPRESSION_FIXED + PADDING})
        (disk / "filler").unlink()
        self.run_program("undo", code=0)
        self.assertEqual({self.read(f"disk/k{i}.py").decode() for i in range(3)}, {SUPPRESSION + PADDING})

    def test_a_limit_on_the_size_of_files(self):
        self.write("k.py", SUPPRESSION + PADDING)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        for arguments in ([], ["--no-journal"]):
            result = self.run_program("--apply", "--unsafe", *arguments, "k.py", preexec_fn=limit)
            self.assert_refused(result, "File too large")
            self.assertEqual(self.read("k.py").decode(), SUPPRESSION + PADDING)
        self.assertEqual(os.listdir(self.folder), ["k.py"])


if __name__ == "__main__":
    main()
