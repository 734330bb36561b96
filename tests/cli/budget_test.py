"""pto-fix budget: the tables, bars and numbers, JSON, languages, colour and exit codes."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

from program import LOOP, PTO_FIX, ProgramTest, main

# exp works on 16 x 512 FP32 in place: 32,768 bytes. The matmul's kL0 is too large for L0B, the last tile smaller than need be.
KERNEL = """import pypto
import torch


@pypto.frontend.jit
def kernel(
    x: pypto.Tensor([256, 512], pypto.DT_FP32),
    w: pypto.Tensor([512, 256], pypto.DT_FP32),
    out: pypto.Tensor([256, 256], pypto.DT_FP32),
):
    for step in pypto.loop(8, name="STEP", idx_name="step", unroll_list=[4, 1]):
        part = pypto.view(x, [32, 512], [step * 32, 0])
        pypto.set_vec_tile_shapes(16, 512)
        part = pypto.exp(part)
        pypto.set_cube_tile_shapes([16, 16], [512, 512], [128, 128])
        product = pypto.matmul(part, w, pypto.DT_FP32)
        pypto.set_vec_tile_shapes(1, 64)
        pypto.assemble(pypto.add(product, product), [step * 32, 0], out)
"""


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Table(ProgramTest):
    def budget(self, *arguments, text=KERNEL, code=0):
        self.write("kernel.py", text)
        return self.run_program("budget", *arguments, "kernel.py", code=code).out

    def rooms(self, out):
        return re.findall(r"room for \((\d+), (\d+)\): .* about ([\d,]+) tile operations instead of ([\d,]+)", out)

    def test_every_setting_has_its_operations_bytes_bar_and_limit(self):
        out = self.budget()
        self.assertIn("kernel.py:6: kernel kernel on a2a3", out)
        vec = out[out.index("vec tile (16, 512) line 13") : out.index("cube tile")]
        self.assertRegex(vec, r"UB +\[#+\.+\] +32,768 B +of 196,608 B, 16 % +exp, line 14")
        self.assertRegex(vec, r"14 +exp x5 +\[32, 512\] FP32 +2 ")
        cube = out[out.index("cube tile m [16, 16] k [512, 512] n [128, 128] line 15") : out.index("vec tile (1, 64)")]
        for pool in ("L0A", "L0B", "L0C", "L1 (A)", "L1 (B)"):
            self.assertIn(pool, cube)

    def test_what_overflows_says_by_how_much_and_what_would_fit(self):
        out = self.budget()
        self.assertRegex(out, r"L0B +\[#{24}\] +262,144 B +of 65,536 B, 400 % +196,608 B too much, matmul, line 16")
        self.assertIn("fits: m [16, 16] k [128, 512] n [128, 128]", out)

    def test_what_has_room_says_how_far_and_what_that_is_worth(self):
        rows, columns, then, now = (int(n.replace(",", "")) for n in self.rooms(self.budget())[-1])
        self.assertEqual(columns, 256)
        self.assertLess(then, now)
        self.assertLessEqual(rows * columns * 4, 65536)

    def test_what_would_fit_is_what_the_numbers_say_once_it_is_written(self):
        out = self.budget()
        rows, columns, then, _ = self.rooms(out)[-1]
        out = self.budget(text=KERNEL.replace("(1, 64)", f"({rows}, {columns})"))
        self.assertIn(f"about {then} tile operations", out)
        self.assertNotIn("room for", out[out.index(f"vec tile ({rows}, {columns})") :])

    def test_the_estimate_with_its_loops_is_that_of_the_rule(self):
        text = KERNEL.replace("8, name", "4096, name").replace("[4, 1]", "[64, 32, 16, 8, 4, 2, 1]")
        out = self.budget(text=text)
        count = re.search(r"about ([\d,]+) tile operations", out).group(1)
        self.assertIn("127 copies by [64, 32, 16, 8, 4, 2, 1]", out)
        found = self.run_program("--select", "PTO209", "kernel.py").out
        self.assertIn(f"about {count} tile operations", found)

    def test_what_is_not_known_is_said(self):
        text = KERNEL.replace("pypto.set_vec_tile_shapes(1, 64)", "pypto.set_vec_tile_shapes(rows, 64)")
        text = text.replace("    out: pypto", "    rows,\n    out: pypto")
        out = self.budget(text=text)
        self.assertIn("at least", out)
        last = out[out.rindex("vec tile") :]
        self.assertIn("bytes not known (limits: UB 196,608 B)", last)

    def test_it_is_as_wide_as_the_terminal_or_columns_says(self):
        text = KERNEL.replace("[512, 256]", "[rows, columns]").replace("import torch", "rows, columns = 512, 256")
        text = text.replace("kernel(", "a_kernel_with_a_name_that_is_longer_than_it_has_to_be(")
        for columns in (60, 80, 120):
            with self.subTest(columns=columns):
                self.write("kernel.py", text)
                for language in ("en", "zh"):
                    out = self.run_program("budget", "--lang", language, "kernel.py", env={"COLUMNS": str(columns)}).out
                    self.assertLessEqual(max(width(line) for line in out.splitlines()), columns)
                    self.assertIn("32,768 B", out)
                    self.assertIn("[32, 512] FP32", out)
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"TERM": "dumb", "LC_ALL": "C"}
        with subprocess.Popen([PTO_FIX, "budget", "kernel.py"], stdout=follower, cwd=self.folder, env=environment) as run:
            run.wait()
        os.close(follower)
        seen = os.read(leader, 100000).decode()
        os.close(leader)
        self.assertLessEqual(max(len(line) for line in seen.splitlines()), 80)

    def test_an_operation_without_a_tile_has_a_block_too(self):
        text = KERNEL.replace("        pypto.set_vec_tile_shapes(16, 512)\n", "")
        self.assertIn("no vec tile is set for these", self.budget(text=text))

    def test_copies_of_one_operation_are_one_row(self):
        self.write("loop.py", LOOP)
        rows = [line for line in self.run_program("budget", "loop.py", code=0).out.splitlines() if " matmul x128" in line]
        self.assertEqual(len(rows), 1)

    def test_the_chip_is_the_one_that_was_asked_for(self):
        out = self.budget("--soc", "950")
        self.assertIn("on 950", out)
        self.assertIn("of 253,952 B", out)

    def test_chinese_columns_stand_under_each_other(self):
        lines = self.budget("--lang", "zh", text=KERNEL.replace("product", "乘积")).splitlines()
        head = next(i for i, line in enumerate(lines) if "大小" in line and "tile 操作" in line)
        columns = [width(lines[head][: lines[head].index("大小")]), width(lines[head + 1][: lines[head + 1].index("[")])]
        self.assertEqual(columns[0], columns[1])
        self.assertFalse(re.search(r"[a-z]+ [a-z]+ [a-z]+ [a-z]+", "\n".join(lines)))

    def test_a_file_without_a_kernel(self):
        self.write("plain.py", "import pypto\n")
        self.assertIn("no kernel", self.run_program("budget", "plain.py", code=0).out)

    def test_a_folder_shows_only_files_with_kernels(self):
        self.write("plain.py", "import pypto\n")
        self.write("kernel.py", KERNEL)
        out = self.run_program("budget", ".", code=0).out
        self.assertNotIn("plain.py", out)
        self.assertIn("kernel.py:6", out)

    def test_standard_input(self):
        out = self.run_program("budget", "-", "--stdin-filename", "k.py", stdin=KERNEL, code=0).out
        self.assertIn("k.py:6: kernel kernel", out)


class Colour(ProgramTest):
    def test_none_in_a_pipe_and_some_on_a_terminal(self):
        self.write("kernel.py", KERNEL)
        plain = self.run_program("budget", "kernel.py").out
        self.assertNotIn("\x1b", plain)
        asked = self.run_program("budget", "--color", "always", "kernel.py").out
        self.assertIn("\x1b[1;31m[####", asked)  # the bar that is too long
        self.assertEqual(re.sub(r"\x1b\[[\d;]*m", "", asked), plain)
        leader, follower = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm", "LC_ALL": "C"}
        with subprocess.Popen([PTO_FIX, "budget", "kernel.py"], stdout=follower, cwd=self.folder, env=environment):
            os.close(follower)
            seen = os.read(leader, 100)
        os.close(leader)
        self.assertIn(b"\x1b[", seen)


class Json(ProgramTest):
    def test_the_same_numbers(self):
        self.write("kernel.py", KERNEL)
        document = self.run_program("budget", "--format", "json", "kernel.py", code=0).json()
        (file,) = document["files"]
        self.assertEqual(file["soc"], "a2a3")
        (kernel,) = file["kernels"]
        self.assertTrue(kernel["complete"])
        vec, cube, last = kernel["tiles"]
        self.assertEqual(vec["tile"]["vec"], [16, 512])
        self.assertEqual(vec["pools"], [{"pool": "UB", "bytes": 32768, "limit": 196608, "fits": True, "leastBytes": 32768, "operation": "exp", "line": 14}])
        pools = {pool["pool"]: pool for pool in cube["pools"]}
        self.assertEqual((pools["L0B"]["bytes"], pools["L0B"]["fits"]), (262144, False))
        self.assertTrue(cube["otherTile"]["needed"])
        self.assertEqual(cube["operations"][0]["bytes"]["L0B"], 262144)
        self.assertFalse(last["otherTile"]["needed"])
        self.assertEqual(vec["otherTile"]["tile"], {"vec": [32, 512]})
        (loop,) = kernel["loops"]
        self.assertEqual((loop["unroll"], loop["copies"]), ([4, 1], 5))
        total = sum(o["tileOperations"] for t in kernel["tiles"] for o in t["operations"])
        self.assertLessEqual(total, kernel["tileOperations"])
        self.assertGreater(total, kernel["tileOperations"] * 0.8)

    def test_what_depends_on_an_unknown_size_is_left_open(self):
        # N may be small enough for the tile to be clipped, K is not.
        text = KERNEL.replace("w: pypto.Tensor([512, 256]", "w: pypto.Tensor([512, pypto.DYNAMIC]")
        self.write("kernel.py", text)
        (file,) = self.run_program("budget", "--format", "json", "kernel.py").json()["files"]
        cube = file["kernels"][0]["tiles"][1]
        (l0b,) = [pool for pool in cube["pools"] if pool["pool"] == "L0B"]
        self.assertEqual((l0b["bytes"], l0b["leastBytes"], l0b["fits"]), (262144, 32768, None))
        self.assertEqual((cube["otherTile"]["needed"], cube["otherTile"]["toBeSure"]), (False, True))
        out = self.run_program("budget", "kernel.py").out
        self.assertRegex(out, r"L0B +\[#+\] +up to 262,144 B +of 65,536 B, 400 % +may be too much")
        self.assertIn("fits in any case: m [16, 16] k [128, 512] n [128, 128]", out)

    def test_a_file_that_cannot_be_read_is_in_it(self):
        self.write("kernel.py", KERNEL)
        document = self.run_program("budget", "--format", "json", "kernel.py", "missing.py", code=2).json()
        self.assertEqual(document["files"][1]["error"]["kind"], "not-found")


class Usage(ProgramTest):
    def test_what_does_not_fit_is_refused(self):
        self.write("kernel.py", KERNEL)
        for arguments in (["budget"], ["budget", "--apply", "kernel.py"], ["budget", "--select", "PTO201", "kernel.py"],
                          ["budget", "--coverage", "kernel.py"], ["budget", "missing.py"], ["budget", "--soc", "abacus", "kernel.py"]):
            with self.subTest(arguments=arguments):
                self.run_program(*arguments, code=2)

    def test_what_does_not_fit_the_chip_does_not_change_the_exit_code(self):
        self.write("kernel.py", KERNEL)
        self.run_program("budget", "kernel.py", code=0)


if __name__ == "__main__":
    main()
