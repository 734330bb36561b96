"""What pto-fix does with input that is missing, unreadable, no text, no Python, too large or too deep."""

import os
import random
import subprocess
import time
import unittest

from program import PTO_FIX, PTO_PARSE_ONLY, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main


class MissingAndUnreadable(ProgramTest):
    def test_a_missing_path_is_named_and_the_others_are_checked(self):
        self.write("k.py")
        result = self.run_program("missing.py", "k.py", code=2)
        self.assertIn("pto-fix: missing.py: no such file or folder\n", result.err)
        self.assertIn("k.py:3:", result.out)

    def test_a_folder_without_python_is_an_error(self):
        (self.folder / "empty").mkdir()
        self.write("empty/notes.txt", "import pypto")
        result = self.run_program("empty", code=2)
        self.assertIn("empty: no Python file in this folder", result.err)
        self.assertEqual(result.out, "")

    def test_an_unreadable_file_is_an_error(self):
        self.write("k.py").chmod(0)
        self.folder.chmod(0o755)
        try:
            result = self.run_program("k.py", code=None, **({"user": 65534} if os.getuid() == 0 else {}))
        except PermissionError:
            self.skipTest("the program cannot be run as another user here")
        if result.code == 127:
            self.skipTest("the program cannot be run as another user here")
        self.assertEqual(result.code, 2, result)
        self.assertIn("k.py: cannot be read: Permission denied", result.err)

    def test_what_is_no_file_is_refused_without_waiting(self):
        os.mkfifo(self.folder / "pipe.py")
        result = self.run_program("pipe.py", code=2, timeout=10)
        self.assertIn("pipe.py: is a", result.err)
        # Found in a folder it is no business of ours.
        self.write("k.py", "import pypto\n")
        self.run_program(".", code=0, timeout=10)
        self.run_program("/dev/null", code=2, timeout=10)

    def test_a_dangling_link_is_a_missing_file(self):
        (self.folder / "link.py").symlink_to("nowhere.py")
        self.assertIn("link.py: no such file", self.run_program("link.py", code=2).err)


class NoText(ProgramTest):
    def test_a_nul_byte_makes_a_file_binary(self):
        self.write("k.py", b"import pypto\n\0\n")
        self.assertIn("k.py: not a text file (NUL byte at offset 13)", self.run_program("k.py", code=2).err)

    def test_invalid_utf8_is_refused_with_its_place(self):
        self.write("k.py", b"import pypto\nx = '\xff'\n")
        self.assertIn("k.py:2: not valid UTF-8", self.run_program("k.py", code=2).err)

    def test_utf16_and_utf32_are_named_also_in_a_folder(self):
        for encoding in ("utf-16", "utf-32"):
            with self.subTest(encoding):
                self.write("k.py", "import pypto\n".encode(encoding))
                for path in ("k.py", "."):
                    said = f"k.py: is {encoding.upper()}, which Python does not read; save it as UTF-8"
                    self.assertIn(said, self.run_program(path, code=2).err)
                error = self.run_program("--format", "json", "k.py", code=2).json()["files"][0]["error"]
                self.assertEqual(error["kind"], encoding)

    def test_in_a_folder_only_files_that_mention_pypto_matter(self):
        self.write("data.py", b"\xff\xfe\x00")
        self.write("latin.py", b"# caf\xe9\n")
        self.run_program(".", code=0)
        self.write("bad.py", b"import pypto  # caf\xe9\n")
        self.assertIn("bad.py:1: not valid UTF-8", self.run_program(".", code=2).err)
        self.run_program("latin.py", code=2)

    def test_declared_encodings_are_honoured(self):
        text = "# -*- coding: gbk -*-\nimport pypto\nx = 1  # pto-fix: ignore[PTO999] 保留的话\n"
        self.write("k.py", text.encode("gbk"))
        result = self.run_program("--format", "json", "k.py", code=1).json()
        edit = result["findings"][0]["fix"]["edits"][0]
        raw = self.read("k.py")
        self.assertTrue(raw[edit["start"] : edit["end"]].startswith(b"pto-fix: ignore"))
        self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(self.read("k.py").decode("gbk"), text.replace("pto-fix: ignore[PTO999] ", ""))

    def test_an_unknown_encoding_and_a_contradicting_one_are_refused(self):
        self.write("a.py", b"# coding: klingon\nimport pypto\n")
        self.assertIn("`klingon`", self.run_program("a.py", code=2).err)
        self.write("b.py", b"\xef\xbb\xbf# coding: gbk\nimport pypto\n")
        self.assertIn("byte order mark", self.run_program("b.py", code=2).err)


class OddButFine(ProgramTest):
    def test_empty_files_are_fine(self):
        for content in (b"", b"\n", b"\xef\xbb\xbf", b"# pypto\n", b"pypto"):
            self.write("k.py", content)
            self.run_program("k.py", code=0)
            self.run_program("--diff", "k.py", code=0)

    def test_syntax_errors_are_noted_and_the_rest_is_checked(self):
        self.write("k.py", SUPPRESSION + "\ndef broken(:\n    pass\n")
        result = self.run_program("k.py", code=1)
        self.assertIn("k.py:3:26: warning PTO001", result.out)
        self.assertIn("does not parse here", result.err)

    def test_a_missing_block_is_noted(self):
        self.write("k.py", SUPPRESSION + "\nif True:\n    pass\nelse:\nx = 1\n")
        result = self.run_program("k.py", code=1)
        self.assertIn("expected an indented block after this", result.err)
        self.assertIn("此处之后应有缩进的代码块", self.run_program("--lang", "zh", "k.py", code=1).err)
        place = self.run_program("--format", "json", "k.py", code=1).json()["files"][0]["syntaxError"]
        self.assertEqual(self.read("k.py").decode().splitlines()[place["line"] - 1], "else:")

    def test_columns_count_code_points_and_offsets_bytes(self):
        self.write("k.py", "import pypto\ns = '中文😀'; x = 1  # pto-fix: ignore[PTO999] y\n")
        finding = self.run_program("--format", "json", "k.py").json()["findings"][0]
        self.assertEqual((finding["line"], finding["column"]), (2, 37))


UNROLLED = """
@pypto.frontend.jit
def rows(x: pypto.Tensor([4096, 64], pypto.DT_FP32), out: pypto.Tensor([4096, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(256, name="ROWS", idx_name="i", unroll_list=[128, 1]):
        part = pypto.view(x, [16, 64], [i * 16, 0])
        pypto.assemble(pypto.exp(part), [i * 16, 0], out)
"""


class LargeAndDeep(ProgramTest):
    def timed(self, *arguments, limit, code=0):
        start = time.monotonic()
        result = self.run_program(*arguments, code=code)
        self.assertLess(time.monotonic() - start, limit * (10 if "asan" in os.environ.get("PTO_FIX", "") else 1))
        return result

    def test_a_generated_file_of_ten_megabytes(self):
        # What stands behind all of it is found as it would be alone; that not all was followed is said.
        lines = "".join(f"x{i} = pypto.add(a{i}, b{i})\n" for i in range(330_000))
        self.assertGreater(len(lines), 10_000_000)
        self.write("k.py", "import pypto\n" + lines + UNROLLED)
        result = self.timed("--format", "json", "k.py", limit=60, code=1).json()
        self.assertEqual([f["rule"] for f in result["findings"]], ["PTO202"])
        self.assertIs(result["files"][0]["cutShort"], True)
        self.assertIn("k.py: too much to follow to the end", self.timed("k.py", limit=60, code=1).err)

    def test_what_is_too_much_to_follow_hides_nothing_behind_it(self):
        for name, heavy in (
            ("chain", "y = a" + " + a" * 200_000),
            ("statements", "y = 1;" * 200_000),
            ("loop", "for i in range(10**6):\n    for j in range(10**6):\n        y.append(i * j)"),
            ("comprehension", "y = [i * j * k for i in range(99) for j in range(99) for k in range(99)]"),
        ):
            for order in ("before", "after"):
                with self.subTest(name, order=order):
                    parts = (heavy + "\n", UNROLLED)
                    self.write("k.py", "import pypto\n" + "".join(parts if order == "before" else parts[::-1]))
                    result = self.timed("--format", "json", "k.py", limit=60, code=1).json()
                    self.assertEqual([f["rule"] for f in result["findings"]], ["PTO202"])

    def test_noise_is_done_with_in_time(self):
        chance = random.Random(7)
        pieces = ["(", ")", "[", "]", "{", "}", ":", ",", "'", '"', '"""', "\n", "\n    ", "\\\n", "if ", "def f(", "lambda ", "=", "@",
                  "f'{", "}'", "\t", "\r", "*", "pypto.loop(", "x", "1", "#", ";", "else:", "中"]
        for kinds in (3, 10, len(pieces)):
            with self.subTest(kinds=kinds):
                some = chance.sample(pieces, kinds)
                self.write("k.py", "import pypto\n" + "".join(chance.choice(some) for _ in range(60_000)))
                self.timed("k.py", limit=60, code=None)

    def test_without_memory_it_says_so(self):
        lines = "".join(f"x{i} = pypto.add(a{i}, b{i})\n" for i in range(330_000))
        self.write("k.py", "import pypto\n" + lines + UNROLLED)
        if "asan" in os.environ.get("PTO_FIX", ""):
            self.skipTest("the sanitizer reserves its own memory")
        limited = subprocess.run(["bash", "-c", f"ulimit -v 300000; exec '{PTO_FIX}' k.py"], cwd=self.folder,
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual((limited.returncode, limited.stdout), (2, ""))
        self.assertIn("out of memory", limited.stderr)

    def test_a_file_above_the_limit_is_refused(self):
        with open(self.folder / "k.py", "wb") as file:
            file.write(b"import pypto\n")
            file.truncate(20_000_000)
        self.assertIn("20,000,000 bytes", self.run_program("k.py", code=2).err)

    def test_deep_nesting_and_long_chains_do_not_overflow_the_stack(self):
        for name, expression in (
            ("parentheses", "(" * 200_000 + "a" + ")" * 200_000),
            ("unclosed", "(" * 200_000),
            ("chain", "a" + " + a" * 200_000),
            ("brackets", "[" * 100_000 + "]" * 100_000),
            ("attributes", "a" + ".b" * 100_000),
            ("calls", "a" + "()" * 100_000),
            ("not", "not " * 100_000 + "a"),
            ("lambda", "lambda: " * 50_000 + "a"),
            ("conditional", "a if b else " * 50_000 + "a"),
        ):
            with self.subTest(name):
                self.write("k.py", f"import pypto\n@pypto.frontend.jit\ndef k(a: pypto.Tensor()):\n    x = {expression}\n")
                self.timed("k.py", limit=60)

    def test_more_than_a_hundred_levels_of_indentation_are_refused_before_parsing(self):
        deep = "import pypto\n" + "".join("  " * i + "if x:\n" for i in range(520)) + "  " * 520 + 'y = f"{a} {b!r:>{w}}"\n'
        self.write("k.py", deep)
        self.assertIn("k.py: indented too deeply to be parsed; Python itself stops at 100 levels", self.run_program("k.py", code=2).err)
        fine = "import pypto\n" + "".join(" " * i + "if x:\n" for i in range(99)) + " " * 99 + "y = 1\n"
        self.write("k.py", fine)
        self.run_program("k.py", code=0)

    def test_a_long_line_is_shown_in_part(self):
        self.write("k.py", "import pypto\nx = '" + "中" * 30_000 + "'  # pto-fix: ignore[PTO999] y\n")
        self.assertLess(len(self.run_program("k.py", code=1).out_bytes), 3000)


class Links(ProgramTest):
    def test_one_file_by_several_paths_is_reported_and_written_once(self):
        self.write("a/k.py")
        (self.folder / "link.py").symlink_to("a/k.py")
        (self.folder / "folder").symlink_to("a")
        os.link(self.folder / "a/k.py", self.folder / "hard.py")
        result = self.run_program("--format", "json", "a/k.py", "./a//k.py", "link.py", "folder/k.py", "hard.py", ".")
        self.assertEqual(len(result.json()["findings"]), 1)
        self.run_program("--apply", "--unsafe", "link.py", "a/k.py", "hard.py", code=0)
        for name in ("a/k.py", "link.py", "hard.py"):
            self.assertEqual(self.read(name).decode(), SUPPRESSION_FIXED)
        self.assertTrue((self.folder / "link.py").is_symlink())
        self.assertEqual(os.stat(self.folder / "a/k.py").st_nlink, 2)

    def test_two_names_of_one_file_in_a_folder_that_is_searched(self):
        self.write("many/k0.py")
        for i in range(1, 250):  # more than one thread's share, in one folder and in many
            self.write(f"many/k{i}.py", f"import pypto  # {i}\n")
            self.write(f"m{i}/k.py", f"import pypto  # {i}\n")
        os.link(self.folder / "many/k0.py", self.folder / "m7/hard.py")
        os.link(self.folder / "many/k0.py", self.folder / "zz.py")
        paths = {f"many/k{i}.py" for i in range(1, 250)} | {f"m{i}/k.py" for i in range(1, 250)} | {"m7/hard.py"}
        for jobs in ("1", "2", "5"):
            report = self.run_program("--jobs", jobs, "--format", "json", ".").json()
            self.assertEqual([f["path"] for f in report["files"]], sorted(paths))
            self.assertEqual({f["path"] for f in report["findings"]}, {"m7/hard.py"})

    def test_links_that_loop_end(self):
        self.write("in/k.py")
        (self.folder / "in/self").symlink_to(".")
        (self.folder / "in/parent").symlink_to("..")
        # Two folders that lead into each other, and two links that lead to nothing but each other.
        (self.folder / "other").mkdir()
        (self.folder / "in/there").symlink_to("../other")
        (self.folder / "other/back").symlink_to("../in")
        (self.folder / "in/one.py").symlink_to("two.py")
        (self.folder / "in/two.py").symlink_to("one.py")
        result = self.run_program("--format", "json", "in", timeout=10)
        self.assertEqual([f["path"] for f in result.json()["files"]], ["in/k.py"])


class ParseOnly(ProgramTest):
    def run_parse_only(self, *arguments):
        return subprocess.run([PTO_PARSE_ONLY, *arguments], cwd=self.folder, capture_output=True, text=True)

    def test_it_counts_what_pto_fix_would_parse(self):
        self.write("a.py", "import pypto\n")
        self.write("b.py", "import torch\n")
        self.assertEqual(self.run_parse_only(".").stdout, "1 files, 13 bytes parsed; 0 could not be\n")
        self.assertEqual(self.run_parse_only("--all", ".").stdout, "2 files, 26 bytes parsed; 0 could not be\n")
        self.assertEqual(self.run_parse_only().returncode, 2)


if __name__ == "__main__":
    main()
