"""Names of files that a terminal or a tool would take for something else than a name."""

import os
import re
import shutil
import subprocess
import unittest

from program import LOOP, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main

HOSTILE = [
    "two\nlines.py",
    "return\rto.py",
    "red\x1b[31m.py",
    "title\x1b]0;owned\x07.py",
    "tab\tand space.py",
    'quote"back\\slash.py',
    "delete\x7f.py",
    "csi\u009b31m.py",
    "turned\u202eyp.py",
    "中文 名.py",
    os.fsdecode(b"latin\xe9.py"),
]
# What a compiler says of a tile that is too large, and the kernel.
LOG = "[ERROR] F40005 TENSOR_MEMORY_ALLOCATION: Alloc tensor [128, 512] size [262144] exceeds MEM_UB size [196608]\n"
KERNEL = """import pypto


@pypto.frontend.jit
def kernel(x: pypto.Tensor([1024, 512], pypto.DT_BF16), out: pypto.Tensor([1024, 512], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(128, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
"""
# What a terminal obeys: controls, and what turns the direction of text.
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class HostileNames(ProgramTest):
    def assert_plain(self, result, lines):
        for stream in (result.out, result.err):
            self.assertIsNone(OBEYED.search(stream), repr(stream))
        self.assertEqual((result.out + result.err).count("\n"), lines)

    def test_no_output_for_people_holds_them_as_they_are(self):
        self.write("plain.py", LOOP)
        self.write("broken.py", "import pypto\ndef f(:\n    # pto-fix: ignore[\x1b]0;a]\n")
        for mode in (["--explain-unknown"], ["trace"], ["budget"], ["--apply"], ["--apply", "--unsafe"]):
            for content in (SUPPRESSION, LOOP, "import pypto\n\0", "import pypto\n\xff", "import pypto\ndef f(:\n"):
                self.write("pto-fix.toml", "")
                expected = None
                for name in ["plain2.py", *HOSTILE]:
                    with self.subTest(mode=mode, content=content[-9:], name=name):
                        path = self.write(name, content.encode("latin-1") if "\xff" in content else content)
                        result = self.run_program(*mode, name)
                        lines = (result.out + result.err).count("\n")
                        if expected is None:
                            expected = lines
                        self.assert_plain(result, expected)
                        path.unlink()
        for name in HOSTILE:
            self.assert_plain(self.run_program("missing " + name, code=2), 1)
            self.assert_plain(self.run_program("--config", "missing " + name, "plain.py", code=2), 1)
            self.assert_plain(self.run_program("--select", name, "plain.py", code=2), 2)
            self.assert_plain(self.run_program("--" + name, "plain.py", code=2), 2)
        self.assertIn("two␊lines.py: no such file", self.run_program("two\nlines.py", code=2).err)

    def test_a_folder_with_such_a_name(self):
        for name in HOSTILE:
            with self.subTest(name):
                self.write(f"{name}/pto-fix.toml", "selct = []\n")
                self.write(f"{name}/k.py")
                self.assert_plain(self.run_program(name, code=2), 1)
                shutil.rmtree(self.folder / name)

    def test_a_finding_that_leads_into_another_file(self):
        self.write("tab\t/sizes.py", "HEADS = 128\n")
        self.write("tab\t/k.py", "from sizes import HEADS\n" + LOOP.replace("HEADS = 128\n", ""))
        result = self.run_program("tab\t/k.py", code=1)
        self.assertIsNone(OBEYED.search(result.out), repr(result.out))

    def test_a_log_and_a_kernel_of_such_a_name(self):
        for name in HOSTILE[:-1]:
            with self.subTest(name):
                self.write(name + ".log", LOG)
                self.write(name, KERNEL)
                result = self.run_program("diagnose", name + ".log", name)
                for stream in (result.out, result.err):
                    self.assertIsNone(OBEYED.search(stream), repr(stream))
                self.assertIn("F40005", result.out)
                self.assertIn("PTO101", result.out)

    def test_json_holds_the_name_itself(self):
        for name in HOSTILE[:-1]:
            self.write(name)
        found = self.run_program("--format", "json", ".", code=1).json()["findings"]
        self.assertEqual({f["path"] for f in found}, set(HOSTILE[:-1]))

    @unittest.skipUnless(shutil.which("git"), "needs git")
    def test_git_applies_the_diff(self):
        for name in HOSTILE:
            with self.subTest(name):
                path = self.write(name)
                diff = self.run_program("--diff", "--unsafe", name, code=1).out_bytes
                self.assertEqual(diff.count(b"\n"), 7)
                subprocess.run(["git", "apply", "-"], input=diff, cwd=self.folder, check=True)
                self.assertEqual(self.read(name).decode(), SUPPRESSION_FIXED)
                path.unlink()

    def test_words_of_a_source_are_shown_without_what_a_terminal_obeys(self):
        self.write("k.py", "import pypto\nx = 1  # pto-fix: ignore[\x1b[31m\u202e]\n")
        result = self.run_program("k.py", code=1)
        self.assertIn("names ␛[31m�,", result.out)
        self.assertIsNone(OBEYED.search(result.out))


if __name__ == "__main__":
    main()
