"""pto-fix diagnose: where the log comes from, what is no log, memory, formats, exit codes; explain of a code."""

import gzip
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess

from program import PTO_FIX, ProgramTest, main

LOGS = pathlib.Path(__file__).resolve().parents[2] / "fixtures/logs"
LINE = (b"[INFO] PYPTO(48213,python3):2026-08-22-10:14:01.118.003 [raw_tensor.cpp:90][DumpSSA]:tensor <128x512xDT_BF16> %16 "
        b"of function block 12 step 991\n")


class DiagnoseTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in ("build.log", "kernel.py", "kernel.fixed.py"):
            shutil.copy(LOGS / "ub_buffer" / name, self.folder)

    def diagnose(self, *arguments, **options):
        return self.run_program("diagnose", "--no-config", *arguments, **options)

    def fixed(self):
        return self.read("kernel.fixed.py")

    def test_answer_in_ten_lines(self):
        text = self.diagnose("build.log", "kernel.py", code=1).out
        self.assertLessEqual(len(text.splitlines()), 14, text)
        for part in ("build.log:3:", "262,144 bytes of UB", "128 x 512", "kernel.py:10: cast", "line 9", "(certain)",
                     "Will not help: unroll_list", "Direction 1", "PTO101", "+     pypto.set_vec_tile_shapes(32, 512)"):
            self.assertIn(part, text)
        chinese = self.diagnose("--lang", "zh", "build.log", "kernel.py", code=1).out
        for part in ("262,144", "没有用的做法", "方向 1", "确定"):
            self.assertIn(part, chinese)
        self.assertNotIn("Direction", chinese)

    def test_log_from_standard_input(self):
        wanted = self.diagnose("build.log", "kernel.py", code=1).out.splitlines()[1:10]
        self.assertEqual(self.diagnose("-", "kernel.py", code=1, stdin=self.read("build.log")).out.splitlines()[1:10], wanted)
        packed = gzip.compress(self.read("build.log"))
        self.assertEqual(self.diagnose("-", "kernel.py", code=1, stdin=packed).out.splitlines()[1:10], wanted)

    def test_compressed_log(self):
        log = self.write("build.log.gz", gzip.compress(self.read("build.log")))
        self.diagnose("--apply", log, "kernel.py", code=0)
        self.assertEqual(self.read("kernel.py"), self.fixed())

    def test_compressed_log_cut_short(self):
        noise = "".join(f"{i * 7919 % 100003}\n" for i in range(200000)).encode()
        packed = gzip.compress(self.read("build.log") + noise)
        result = self.diagnose(self.write("cut.gz", packed[: len(packed) // 2]), "kernel.py", code=1)
        self.assertIn("ends in the middle", result.err)
        self.assertIn("PTO101", result.out)
        damaged = bytearray(packed)
        damaged[len(packed) // 2] ^= 0xFF
        damaged[len(packed) // 2 + 1] ^= 0xFF
        self.assertIn("PTO101", self.diagnose(self.write("damaged.gz", bytes(damaged)), "kernel.py", code=1).out)

    def test_apply_writes_what_diff_shows(self):
        diff = self.diagnose("--diff", "build.log", "kernel.py", code=1)
        self.assertTrue(diff.out.startswith("--- a/kernel.py\n+++ b/kernel.py\n"), diff)
        applied = self.diagnose("--apply", "build.log", "kernel.py", code=0)
        self.assertEqual(applied.out, "")
        self.assertIn("1 fix", applied.err)
        self.assertEqual(self.read("kernel.py"), self.fixed())
        # The log is about the old text: nothing of it is left to do, and that is said.
        again = self.diagnose("--apply", "build.log", "kernel.py", code=1)
        self.assertEqual(self.read("kernel.py"), self.fixed())
        self.assertIn("262,144", again.out)

    def test_only_what_the_log_is_about(self):
        kernel = self.read("kernel.py").decode() + (
            "\n\n@pypto.frontend.jit\ndef other(\n    x: pypto.Tensor([1024, 1024], pypto.DT_FP32),\n"
            "    out: pypto.Tensor([1024, 1024], pypto.DT_FP32),\n):\n    pypto.set_vec_tile_shapes(64, 1024)\n"
            "    out[:] = pypto.add(x, x)\n")
        self.write("kernel.py", kernel)
        self.assertEqual(len(self.run_program("--no-config", "--format", "json", "kernel.py").json()["findings"]), 2)
        result = self.diagnose("--format", "json", "build.log", "kernel.py", code=1).json()
        self.assertEqual([f["line"] for f in result["findings"]], [9])
        self.assertIn("1 further finding", self.diagnose("build.log", "kernel.py", code=1).out)
        self.diagnose("--apply", "build.log", "kernel.py", code=0)
        self.assertEqual(self.read("kernel.py").decode(), kernel.replace("(128, 512)", "(32, 512)", 1))

    def unchanged(self, log, *kernels):
        """The answer in words, to a log for which nothing of the kernels may be changed."""
        before = [self.read(name) for name in kernels]
        out = self.diagnose(log, *kernels, code=1).out
        self.diagnose("--apply", log, *kernels, code=1)
        self.assertEqual([self.read(name) for name in kernels], before)
        self.assertEqual(self.diagnose("--format", "json", log, *kernels, code=1).json()["findings"], [])
        return " ".join(out.split())

    def overflow(self, size, before="", after="", limit=196608):
        self.write("ub.log", f"{before}PYPTO(1,python3): ErrCode: F40005! T::TENSOR_MEMORY_ALLOCATION Alloc tensor [16] size [{size}] "
                             f"exceeds MEM_UB size [{limit}]!\n{after}")
        return "ub.log"

    @staticmethod
    def in_function(name):
        return f"PYPTO(1,python3): Apply pass <OoOSchedule> on function: {name}\n"

    @staticmethod
    def kernel_of_loops(kernel, *loops):
        text = f"@pypto.frontend.jit\ndef {kernel}(\n    x: pypto.Tensor([4096, 512], pypto.DT_FP32),\n"
        text += "    out: pypto.Tensor([4096, 512], pypto.DT_FP32),\n):\n    pypto.set_vec_tile_shapes(16, 512)\n"
        for name, levels in loops:
            text += f'    for b in pypto.loop(256, name="{name}", idx_name="b", unroll_list={levels}):\n'
            text += "        a = pypto.view(x, [16, 512], [b * 16, 0])\n"
            text += "        pypto.assemble(pypto.exp(pypto.mul(a, 0.5)), [b * 16, 0], out)\n"
        return text

    def write_loops(self, *kernels):
        self.write("loops.py", "import pypto\n\n\n" + "\n\n".join(self.kernel_of_loops(*kernel) for kernel in kernels))
        return self.read("loops.py").decode()

    def write_casts(self):
        one = ("@pypto.frontend.jit\ndef {}(\n    x: pypto.Tensor([1024, 512], pypto.DT_BF16),\n"
               "    out: pypto.Tensor([1024, 512], pypto.DT_FP32),\n):\n    pypto.set_vec_tile_shapes(128, 512)\n"
               "    out[:] = pypto.cast(x, pypto.DT_FP32)\n")
        self.write("casts.py", "import pypto\n\n\n" + one.format("first") + "\n\n" + one.format("second"))
        return self.read("casts.py").decode()

    def test_only_the_unrolled_loop_that_the_log_names(self):
        for loops, level, wanted in ((([64, 32], [32, 16]), 64, ("[64, 32]", "[4, 2, 1]")), (([2, 1], [32, 16]), 2, ("[2, 1]", "[1]")),
                                     (([64, 8, 4, 2, 1], [64, 32]), 2, ("[64, 8, 4, 2, 1]", "[1]")), (([4, 2, 1], [64, 8]), 4, ("[4, 2, 1]", "[2, 1]"))):
            text = self.write_loops(("kernel", ("A", loops[0]), ("B", loops[1])))
            log = self.overflow(229376, self.in_function(f"TENSOR_A_Unroll{level}_PATH0_x"), "Failed to compile function 'kernel'.\n")
            with self.subTest(loops=loops, level=level):
                self.diagnose("--apply", log, "loops.py", code=0)
                self.assertEqual(self.read("loops.py").decode(), text.replace(*wanted, 1))
                self.assertIn("earlier text", self.unchanged(log, "loops.py"))

    def test_levels_that_are_not_the_cause(self):
        self.write_loops(("kernel", ("A", [64, 8, 4, 2, 1])))
        for level, word in ((1, "unroll_list is not the cause"), (32, "earlier text"), (16, "not unrolled 16 times")):
            with self.subTest(level):
                log = self.overflow(229376, self.in_function(f"TENSOR_A_Unroll{level}_PATH0_x"))
                self.assertIn(word, self.unchanged(log, "loops.py"))
        for levels in ([1], [2, 1], [4, 2, 1]):
            self.write_loops(("kernel", ("A", levels)))
            with self.subTest(levels):
                self.assertNotIn("several copies do so", self.unchanged(self.overflow(229376), "loops.py"))

    def test_a_loop_without_a_name(self):
        text = self.write_loops(("kernel", ("A", [64, 32]), ("B", [64, 32])))
        log = self.overflow(229376, self.in_function("TENSOR_loop_7_Unroll64_PATH0_x"))
        self.assertIn("not in the given kernels", self.unchanged(log, "loops.py"))
        self.write("loops.py", text.replace('name="A", ', "").replace('name="B", ', ""))
        self.assertIn("not in the given kernels", self.unchanged(log, "loops.py"))
        text = text.replace('name="B", ', "")
        self.write("loops.py", text)
        self.diagnose("--apply", log, "loops.py", code=0)
        head, nameless, tail = text.partition("in pypto.loop(256, idx_name")
        self.assertEqual(self.read("loops.py").decode(), head + nameless + tail.replace("[64, 32]", "[4, 2, 1]"))

    def test_counts_that_no_function_has(self):
        self.write("count.log", "ErrCode: F7A007! the loop function operation: TENSOR_L_Unroll2_PATH0 size is -3 hitting the maxinum "
                                "single-loop-operation limit:0.\n")
        self.write_loops(("kernel", ("L", [128, 1])))
        text = self.unchanged("count.log", "loops.py")
        self.assertIn("more operations than one function may have", text)
        self.assertIn("not unrolled 2 times", text)
        self.assertEqual(self.diagnose("--format", "json", "count.log", "loops.py", code=1).json()["verdicts"][0]["confidence"], "possible")

    def test_the_function_is_the_one_before_the_error(self):
        text = self.write_casts()
        log = self.overflow(262144, self.in_function("first_PATH0_hiddenfunc_1"), self.in_function("second_PATH0_hiddenfunc_1"))
        self.diagnose("--apply", log, "casts.py", code=0)
        self.assertEqual(self.read("casts.py").decode(), text.replace("(128, 512)", "(32, 512)", 1))
        text = self.write_loops(("bad", ("A", [64, 32])), ("good", ("B", [64, 32])))
        log = self.overflow(229376, self.in_function("TENSOR_A_Unroll64_PATH0_x"), self.in_function("TENSOR_B_Unroll64_PATH0_x"))
        self.diagnose("--apply", log, "loops.py", code=0)
        self.assertEqual(self.read("loops.py").decode(), text.replace("[64, 32]", "[4, 2, 1]", 1))

    def test_what_the_log_names_and_the_files_have_not(self):
        self.write_casts()
        self.write_loops(("bad", ("A", [64, 32])), ("good", ("B", [64, 32])))
        third = "Failed to compile function 'third'.\n"
        for size, kernel in ((262144, "casts.py"), (229376, "loops.py")):
            with self.subTest(kernel):
                self.assertIn("names third, which is not in the given", self.unchanged(self.overflow(size, "", third), kernel))
                self.assertIn("TENSOR_Z_Unroll64", self.unchanged(self.overflow(size, self.in_function("TENSOR_Z_Unroll64_PATH0_x")), kernel))
                two = third + f"Failed to compile function '{'first' if kernel == 'casts.py' else 'bad'}'.\n"
                self.assertIn("failed and are not given (third)", self.unchanged(self.overflow(size, "", two), kernel))
                # Nothing is named: two may be it.
                self.assertIn("may be it", self.unchanged(self.overflow(size), kernel))
        self.write("code.log", "ErrCode: F0F619! COMPILE_CODE_FAILED make: *** [TENSOR_Z_Unroll64_PATH0_x.o] Terminated\n")
        self.assertIn("not in the given kernels", self.unchanged("code.log", "loops.py"))
        frame = 'Traceback (most recent call last):\n  File "/x/loops.py", line 13, in bad\n'
        log = self.overflow(229376, frame + self.in_function("TENSOR_B_Unroll64_PATH0_x"))
        self.assertIn("no given kernel has together", self.unchanged(log, "loops.py"))
        text = self.read("loops.py").decode()
        self.diagnose("--apply", self.overflow(229376, frame), "loops.py", code=0)
        self.assertEqual(self.read("loops.py").decode(), text.replace("[64, 32]", "[4, 2, 1]", 1))

    def test_a_loop_is_shown_where_its_kernel_is(self):
        self.write_loops(("first", ("L", [128, 1])), ("second", ("L", [128, 1])))
        self.write("code.log", "ErrCode: F0F619! COMPILE_CODE_FAILED make: *** [TENSOR_L_Unroll128_PATH0_x.o] Terminated\n"
                               "Failed to compile function 'second'.\n")
        line = [n for n, text in enumerate(self.read("loops.py").decode().split("\n"), 1) if '"L"' in text][1]
        self.assertIn(f"loops.py:{line}", self.diagnose("code.log", "loops.py", code=1).out)

    def test_the_printed_operation_must_agree(self):
        self.write_casts()
        printed = "      op: {}[10010] | inputs: {{ RawTensor [3] <128x512xDT_BF16> }} | outputs: {{ RawTensor [5] <{}xDT_FP32> }}\n"
        named = "PYPTO(1,python3): {}Failed to compile function 'first'.\n"
        for operation, shape in (("EXP", "64x1024"), ("EXP", "128x512"), ("CAST", "64x1024"), ("EXP", "16x16")):
            with self.subTest(operation=operation, shape=shape):
                log = self.overflow(262144, "", named.format(printed.format(operation, shape)))
                self.assertIn("No operation of the given kernels is the one that the log prints", self.unchanged(log, "casts.py"))
        log = self.overflow(262144, "", named.format(printed.format("CAST", "128x512")))
        self.diagnose("--apply", log, "casts.py", code=0)

    def test_numbers_that_no_chip_has(self):
        self.write_casts()
        for size, limit, words in ((262144, 65536, "No chip"), (262144, 524288, "no overflow"), (-5, 0, "none that a buffer can have")):
            with self.subTest(size=size, limit=limit):
                text = self.unchanged(self.overflow(size, "", "Failed to compile function 'first'.\n", limit), "casts.py")
                self.assertIn(words, text)
                self.assertNotIn("at most 0 bytes", text)

    def test_logs_of_other_programs(self):
        for number, text in enumerate(("MySuite: Pass_01\n", "test Pass_1 : ok\n", "Pass_27_SubgraphToFunction ok\nAll tests passed\n",
                                       "Apply pass [foo] on function: main\n", "color #F40005: red\nABC F40005! ok\n", "ErrCode: FFFFFF\n",
                                       "make: *** [foo_Unroll4.o] Error 1\n", "\x7fELF\0\0 ErrCode: F40005! MEM_UB\n")):
            name = f"other{number}.log"
            self.write(name, text)
            with self.subTest(text):
                self.assertEqual(self.diagnose(name, code=2).out, "")
                document = self.diagnose("--format", "json", name, code=2).json()
                self.assertEqual(document["files"][0]["error"]["kind"], "unrelated")
                (run,) = self.diagnose("--format", "sarif", name, code=2).json()["runs"]
                self.assertEqual(run["results"], [])
                (invocation,) = run["invocations"]
                self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (False, 2))
                self.assertEqual(invocation["toolExecutionNotifications"][0]["descriptor"]["id"], "unrelated")

    def test_control_characters_are_escaped(self):
        self.write("esc.log", "ErrCode: FC9999! \u009b31m red \u0085\n".encode())
        for form in ("json", "sarif"):
            out = self.diagnose("--format", form, "esc.log", code=1).out
            self.assertFalse([c for c in out if "\x7f" < c < "\xa0"], out)

    def test_options_are_refused_in_the_right_words(self):
        for option, words in ((("--select", "PTO101"), "--select is not for `diagnose`: the log says what it is about"),
                              (("--ignore", "PTO101"), "--ignore is not for `diagnose`: the log says"),
                              (("--explain-unknown",), "--explain-unknown is not for `diagnose`: the log says"),
                              (("--stdin-filename", "x.py"), "kernels are given by path"), (("--coverage",), "pto-fix trace"),
                              (("--unsafe",), "--unsafe says what --diff or --apply may do"), (("--diff", "--apply"), "--apply"),
                              (("--jobs", "x"), "must be a number"), (("--format", "html"), "must be one of text, json, sarif")):
            with self.subTest(option):
                result = self.diagnose(*option, "build.log", "kernel.py", code=2)
                self.assertEqual(result.out, "")
                self.assertIn(words, result.err)
        self.assertIn("由日志决定", self.diagnose("--lang", "zh", "--select", "PTO1", "build.log", "kernel.py", code=2).err)

    def test_refusals_that_two_kernels_show(self):
        logs = {name: (LOGS / name) for name in ("cube_k_alignment", "tile_rank", "tile_zero", "rank_five")}
        for name, folder in logs.items():
            kernel = (folder / "kernel.py").read_text()
            self.write("a.py", kernel.replace("def kernel", "def first"))
            self.write("b.py", kernel.replace("def kernel", "def second"))
            # Without a traceback or a name in it.
            lines = [line for line in (folder / "build.log").read_text().splitlines(keepends=True)
                     if not line.lstrip().startswith(("File", "Traceback", "kernel(", "Failed")) and "hiddenfunc" not in line]
            if name == "tile_rank":
                lines = ["ErrCode: F4FFFF! ExpandFunction failed: Operation: ADD. Tile shape size 1 is not matched the output shape size 2.\n"]
            log = self.write("two.log", "".join(lines))
            with self.subTest(name):
                text = self.unchanged(log, "a.py", "b.py")
                self.assertIn("2 of the given ones may be it: first (", text)
                self.assertIn("second (", text)
                number = next(n for n, line in enumerate(kernel.splitlines(), 1) if "out[:] =" in line)
                traced = self.write("traced.log", "Traceback (most recent call last):\n  File \"/x/b.py\", line "
                                    f"{number}, in second\n" + "".join(lines))
                document = self.diagnose("--format", "json", traced, "a.py", "b.py", code=1).json()
                places = {f["path"] for f in document["findings"]} | {m["path"] for m in document["verdicts"][0]["matches"]}
                self.assertEqual(places, {"b.py"})

    def test_memory_of_the_device_by_what_the_options_say(self):
        self.write("oom.log", "RuntimeError: NPU out of memory. Tried to allocate 24.00 GiB\n")
        text = ("import pypto\n\n\n@pypto.frontend.jit{}\ndef kernel(\n    x: pypto.Tensor([64, 128], pypto.DT_FP32),\n"
                "    out: pypto.Tensor([64, 128], pypto.DT_FP32),\n):\n    pypto.set_vec_tile_shapes(16, 128)\n    out[:] = pypto.exp(x)\n")
        for options, wanted, unwanted in (
            ("", ("up to 128 functions, the default", "Stitching less will not"), ("max_workspace_kb", "(8)")),
            ('(runtime_options={"stitch_function_max_num": 8})', ("8 functions at most", "Stitching less will not"), ("(8)",)),
            ('(runtime_options={"stitch_function_max_num": 64})', ("up to 64 functions", "Lower stitch_function_max_num (8)"), ()),
            ('(runtime_options={"stitch_function_max_num": 128, "max_workspace_kb": 4096})',
             ("max_workspace_kb is 4,096", "Lower max_workspace_kb"), ("(8)", "stitches")),
        ):
            self.write("kernel.py", text.format(options))
            with self.subTest(options):
                out = self.unchanged("oom.log", "kernel.py")
                for word in wanted:
                    self.assertIn(word, out)
                for word in unwanted:
                    self.assertNotIn(word, out)

    def test_utf_16(self):
        log = self.read("build.log").decode()
        wanted = self.diagnose("--format", "json", "build.log", "kernel.py", code=1).json()["verdicts"]
        for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""), ("utf-16-be", b"")):
            raw = mark + ("第一行 \U0001F600\n" if mark else "first\n").encode(codec) + log.encode(codec)
            self.write("wide.log", raw)
            with self.subTest(codec=codec, mark=mark):
                document = self.diagnose("--format", "json", "wide.log", "kernel.py", code=1).json()
                self.assertEqual(document["log"]["bytes"], len(raw))
                self.assertEqual([v["line"] for v in document["verdicts"]], [v["line"] + 1 for v in wanted])
                self.assertEqual([v["headline"] for v in document["verdicts"]], [v["headline"] for v in wanted])
                for end in (0, 1, 2, 3, 5, len(raw) // 2, len(raw) - 1):
                    self.write("wide.log", raw[:end])
                    self.assertNotIn("internal", self.diagnose("wide.log", "kernel.py").err)

    def test_a_kernel_that_was_given_is_not_asked_for(self):
        self.write("cube.log", "ErrCode: FC4000! m must have exactly 2 elements, got 3\n")
        self.assertIn("give the kernel", " ".join(self.diagnose("cube.log", code=1).out.split()))
        self.assertNotIn("give the kernel", self.unchanged("cube.log", "kernel.py"))

    def test_the_loop_that_the_log_names(self):
        loops = (LOGS.parent / "PTO203/seed.py").read_text()
        self.write("one.py", loops)
        self.write("two.py", loops.replace('name="M"', 'name="OTHER"'))
        log = LOGS / "killed_code_generation/build.log"
        found = self.diagnose("--format", "json", log, "one.py", "two.py", code=1).json()["findings"]
        self.assertEqual({f["path"] for f in found}, {"one.py"})
        # Named after a kernel: the other kernels are none of it.
        self.write("hang.log", "Apply pass <OoOSchedule> on function: second_PATH0_hiddenfunc_4.\nexit 124\n")
        kernel = (LOGS.parent / "PTO201/seed.py").read_text()
        self.write("first.py", kernel.replace("def kernel(", "def first("))
        self.write("second.py", kernel.replace("def kernel(", "def second("))
        found = self.diagnose("--format", "json", "hang.log", "first.py", "second.py", code=1).json()["findings"]
        self.assertEqual([(f["path"], f["rule"]) for f in found], [("second.py", "PTO201")])
        # A loop that none of them has is none of theirs.
        self.assertIn("not in the given kernels", self.unchanged(log, "two.py"))

    def test_of_several_kernels_that_may_be_it_none_is_touched(self):
        self.write("hang.log", "Pass_31_OoOSchedule/Before_031.json\nexit 124\n")
        self.write("oom.log", "RuntimeError: NPU out of memory. Tried to allocate 24.00 GiB\n")
        for log, rule in (("hang.log", "PTO201"), ("oom.log", "PTO208")):
            kernel = (LOGS.parent / rule / "seed.py").read_text()
            self.write("a.py", kernel)
            self.write("b.py", kernel)
            with self.subTest(log):
                self.assertEqual([f["rule"] for f in self.diagnose("--format", "json", log, "a.py", code=1).json()["findings"]], [rule])
                result = self.diagnose(log, "a.py", "b.py", code=1)
                self.assertIn("kernel (a.py:", result.out)
                self.assertIn("kernel (b.py:", result.out)
                self.diagnose("--apply", log, "a.py", "b.py", code=1)
                self.assertEqual(self.read("a.py").decode(), kernel)

    def test_nothing_is_fixed_for_a_size_that_is_not_understood(self):
        unroll = (LOGS / "unroll_together/kernel.py").read_text()
        self.write("k.py", unroll.replace("[4096, 512]", "[4096, pypto.STATIC]").replace("16 * f, 512", "16 * f, n").replace(
            "    pypto.set_vec", "    n = x.shape[1]\n    pypto.set_vec"))
        log = LOGS / "unroll_together/build.log"
        result = self.diagnose("--format", "json", log, "k.py", code=1).json()
        self.assertEqual(result["verdicts"][0]["together"], "unknown", result)
        self.assertEqual(result["findings"], [])
        before = self.read("k.py")
        self.diagnose("--apply", log, "k.py", code=1)
        self.assertEqual(self.read("k.py"), before)

    def test_the_code_is_the_one_of_the_release(self):
        for code in ("F63001", "F0F619"):
            self.write("code.log", f"ErrCode: {code}! Enum: CmpCodeErr::COMPILE_CODE_FAILED kernel compilation failed, ret = 15\n"
                                   "make: *** [m:1: TENSOR_M_Unroll16_PATH0_0_aic.o] Terminated\n")
            self.assertIn(f"code.log:1: {code}:", self.diagnose("code.log", "kernel.py", code=1).out)

    def test_a_log_that_ends_in_a_pass_hangs_there(self):
        self.write("ends.log", "".join(
            f"Apply pass <{name}> on function: TENSOR_M_Unroll16_PATH0_1.\n[Compiler Monitor] Function: 1/9 | Stage: Pass (completed) | "
            f"Stage elapsed: 2.1s | Total elapsed: 12s\n" for name in ("ExpandFunction", "MergeViewAssemble", "CodegenPreproc")))
        self.assertIn("ends in pass CodegenPreproc", self.diagnose("ends.log", "kernel.py", code=1).out)

    def test_configuration_does_not_hide_what_the_log_says(self):
        self.write("pto-fix.toml", 'ignore = ["PTO101"]\n')
        self.run_program("diagnose", "--apply", "build.log", "kernel.py", code=0)
        self.assertEqual(self.read("kernel.py"), self.fixed())

    def test_a_comment_that_silences_the_cause_is_named(self):
        self.write("kernel.py", self.read("kernel.py").decode().replace("(128, 512)", "(128, 512)  # pto-fix: ignore[PTO101] fits"))
        text = self.diagnose("build.log", "kernel.py", code=1).out
        self.assertIn("silences PTO101", text)
        self.assertNotIn("Fix:", text)

    def test_no_log_at_all(self):
        for name, content in (("empty.log", b""), ("blank.log", b"\n\n\n"), ("other.log", b"all 12 tests passed\nexit 124\n"),
                              ("make.log", b"make: *** [all] Error 2\n"), ("zeros.log", bytes(100000)),
                              ("code.log", b"see error F40005 in the manual\n0xF40005 exceeds 5\n")):
            self.write(name, content)
            with self.subTest(name):
                result = self.diagnose(name, code=2)
                self.assertEqual(result.out, "")
                self.assertIn("nothing to diagnose", result.err)
                self.assertEqual(self.diagnose("--apply", name, "kernel.py").out, self.diagnose("--apply", name, "kernel.py").out)
        random.seed(4)
        self.write("random.log", random.randbytes(3_000_000))
        self.diagnose("random.log", code=2)
        result = self.diagnose("--lang", "zh", "other.log", code=2)
        self.assertIn("无可诊断", result.err)

    def test_a_compile_that_went_well(self):
        self.write("good.log", "Apply pass <OoOSchedule> on function: k_PATH0_1.\n[Compiler Monitor] Compilation finished 1/1\n"
                               "[Compiler Monitor] Monitoring stopped | Total elapsed: 3.1s\n")
        result = self.diagnose("good.log", "kernel.py", code=0)
        self.assertIn("no error", result.err)

    def test_paths_that_are_no_logs(self):
        self.assertIn("No such file", self.diagnose("none.log", code=2).err)
        self.assertIn("irectory", self.diagnose(".", code=2).err)
        if os.geteuid() != 0:
            self.write("secret.log").chmod(0)
            self.diagnose("secret.log", code=2)

    def test_a_kernel_that_is_missing_leaves_the_words(self):
        result = self.diagnose("build.log", "none.py", code=2)
        self.assertIn("262,144 bytes of UB", result.out)
        self.assertIn("none.py", result.err)
        self.write("other.py", "print('no kernel')\n")
        self.assertIn("262,144", self.diagnose("build.log", "other.py", code=1).out)
        self.write("broken.py", "import pypto\ndef (:\n")
        self.assertIn("262,144", self.diagnose("build.log", "broken.py").out)

    def test_usage(self):
        for arguments in ((), ("",), ("build.log", "-"), ("--apply", "build.log"), ("--diff", "build.log"), ("--unsafe", "build.log"),
                          ("--select", "PTO101", "build.log"), ("--coverage", "build.log"), ("--soc", "abacus", "build.log"),
                          ("--format", "xml", "build.log"), ("--diff", "--apply", "build.log", "kernel.py")):
            with self.subTest(arguments):
                result = self.diagnose(*arguments, code=2)
                self.assertEqual(result.out, "")
                self.assertTrue(result.err)
        self.assertIn("diagnose", self.run_program("--help", code=0).out)
        self.run_program("diagnose", "--format", "github", "build.log", "kernel.py", code=2)

    def test_numbers_of_any_size(self):
        for size in ("0", "-1", "1", "7", "9223372036854775807", "9223372036854775808", "1" * 60, "", "xxx", "1e9"):
            for limit in ("196608", "0", "9" * 40):
                self.write("odd.log", f"ErrCode: F40005! Alloc tensor [1] size [{size}] exceeds MEM_UB size [{limit}]!\n")
                with self.subTest(size=size, limit=limit):
                    for kernels in ((), ("kernel.py",)):
                        result = self.diagnose("--format", "json", "odd.log", *kernels, code=1)
                        self.assertEqual(result.json()["verdicts"][0]["pool"], "UB")
                        self.diagnose("odd.log", *kernels, code=1)

    def test_every_log_with_every_kernel(self):
        """The two need not belong together: tiles of zero, no tile, lists of a wrong length under each kind of message."""
        cases = [c for c in sorted(LOGS.iterdir()) if (c / "build.log").exists() and not c.name.startswith("noise")]
        kernels = [c / "kernel.py" for c in cases if (c / "kernel.py").exists()]
        for case in cases:
            with self.subTest(case.name):
                result = self.diagnose("--format", "json", case / "build.log", *kernels)
                self.assertEqual(result.code, 1, result)

    def test_every_cut_of_a_log_is_survived(self):
        log = self.read("build.log") + b"\xff\x00\xe4\xb8"
        for end in range(0, len(log), 37):
            self.write("cut.log", log[:end])
            result = self.diagnose("cut.log", "kernel.py")
            self.assertIn(result.code, (1, 2), result)
            self.assertNotIn("internal error", result.err)

    def test_memory_is_bounded(self):
        big = self.folder / "big.log"
        with open(big, "wb") as file:
            for _ in range(64):
                file.write(LINE * (1_000_000 // len(LINE)))
            file.write(self.read("build.log"))
            file.write(b"x" * 4_000_000)  # and a line without an end
        child = subprocess.Popen([PTO_FIX, "diagnose", "--no-config", big, "kernel.py"], cwd=self.folder, stdout=subprocess.PIPE,
                                 env=self.environment(**{"ASAN_OPTIONS": "detect_leaks=0"}))
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        self.assertEqual(child.returncode, 1)
        self.assertIn(b"PTO101", out)
        if "asan" not in PTO_FIX:
            self.assertLess(usage.ru_maxrss, 50 * 1024, "KB")

    def test_json(self):
        document = self.diagnose("--format", "json", "build.log", "kernel.py", code=1).json()
        self.assertEqual(document["log"]["path"], "build.log")
        self.assertEqual(document["log"]["bytes"], len(self.read("build.log")))
        verdict = document["verdicts"][0]
        self.assertEqual(verdict["findings"], [0])
        self.assertEqual(verdict["matches"][0]["shape"], [128, 512])
        self.assertEqual(verdict["messages"][0]["line"], 3)
        self.assertTrue(verdict["shapes"][0]["printed"])
        applied = self.diagnose("--format", "json", "--apply", "build.log", "kernel.py", code=0).json()
        self.assertEqual(applied["fixing"]["applied"], {"PTO101": 1})
        self.assertTrue(applied["files"][0]["changed"])
        alone = self.diagnose("--format", "json", "build.log", code=1).json()
        self.assertEqual(alone["findings"], [])

    def check_sarif_place(self, place):
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        self.assertRegex(uri, r"^[A-Za-z0-9._~/%:-]+$")
        region = place["physicalLocation"]["region"]
        self.assertGreaterEqual(region["startLine"], 1)
        if "endLine" in region:
            self.assertGreaterEqual((region["endLine"], region["endColumn"]), (region["startLine"], region["startColumn"]))

    def test_sarif(self):
        shutil.copy(self.folder / "kernel.py", self.folder / "my kernel 中.py")
        for kernels in (("kernel.py",), ("my kernel 中.py",), (self.folder / "kernel.py",), ()):
            for lang in ("en", "zh"):
                document = self.diagnose("--format", "sarif", "--lang", lang, "build.log", *kernels, code=1).json()
                self.assertEqual(document["version"], "2.1.0")
                (run,) = document["runs"]
                driver = run["tool"]["driver"]
                self.assertEqual(driver["name"], "pto-fix")
                (result,) = run["results"]
                rule = driver["rules"][result["ruleIndex"]]
                self.assertEqual(rule["id"], result["ruleId"])
                self.assertTrue(rule["shortDescription"]["text"])
                self.assertIn("262,144", result["message"]["text"])
                self.assertIn(result["level"], ("error", "warning", "note"))
                for place in result["locations"] + result["relatedLocations"]:
                    self.check_sarif_place(place)
                # The log's line is one of the related ones.
                related = [(p["physicalLocation"]["artifactLocation"]["uri"], p["physicalLocation"]["region"]["startLine"])
                           for p in result["relatedLocations"]]
                self.assertIn(("build.log", 3), related)
                self.assertEqual(len({p["id"] for p in result["relatedLocations"]}), len(related))
                if kernels:
                    self.assertEqual(result["ruleId"], "PTO101")
                    (change,) = result["fixes"][0]["artifactChanges"]
                    self.assertTrue(all("deletedRegion" in r for r in change["replacements"]))
                else:
                    self.assertEqual(result["ruleId"], "F40005")

    def test_reports_go_to_files(self):
        kinds = {form: self.diagnose("--format", form, "build.log", "kernel.py", code=1).out for form in ("text", "json", "sarif")}
        names = {"text": "a.txt", "json": "a.json", "sarif": "a.sarif"}
        outputs = [word for name in names.values() for word in ("--output", name)]
        result = self.diagnose(*outputs, "build.log", "kernel.py", code=1)
        self.assertEqual((result.out, result.err), ("", ""))
        for form, name in names.items():
            self.assertEqual(self.read(name).decode(), kinds[form])
        result = self.diagnose("--format", "json", "--output", "report", "--format", "text", "build.log", "kernel.py", code=1)
        self.assertEqual((result.out, self.read("report").decode()), (kinds["text"], kinds["json"]))
        # What was asked for comes beside it.
        diff = self.diagnose("--diff", "build.log", "kernel.py", code=1)
        result = self.diagnose("--diff", "--output", "b.json", "build.log", "kernel.py", code=1)
        self.assertEqual((result.out, result.err), (diff.out, diff.err))
        self.assertEqual(len(json.loads(self.read("b.json"))["verdicts"]), 1)
        result = self.diagnose("--apply", "--output", "c.sarif", "build.log", "kernel.py", code=0)
        self.assertEqual(self.read("kernel.py"), self.fixed())
        self.assertEqual((result.out, json.loads(self.read("c.sarif"))["runs"][0]["invocations"][0]["exitCode"]), ("", 0))

    def test_a_report_that_cannot_be_written_is_an_error(self):
        log = self.write("other.log", "nothing of interest\n")
        for arguments in (["build.log", "kernel.py"], [log], ["--apply", "build.log", "kernel.py"]):
            for form, name in (("json", "no/a.json"), ("text", "no/a.txt")):
                result = self.diagnose("--output", name, *arguments, code=2)
                self.assertEqual(result.err.count(f"--output {name}: cannot be written: No such file"), 1)
        result = self.diagnose("--output", "a.json", log, code=2)
        self.assertEqual((json.loads(self.read("a.json"))["verdicts"], result.out), ([], ""))
        self.assertIn("html", self.diagnose("--output", "a.html", "build.log", code=2).err)
        self.assertIn("not written over a Python file", self.diagnose("--output", "kernel.py", "build.log", code=2).err)

    def test_the_fix_of_sarif_is_the_one_that_is_written(self):
        document = self.diagnose("--format", "sarif", "build.log", "kernel.py", code=1).json()
        lines = self.read("kernel.py").decode().splitlines(keepends=True)
        for change in document["runs"][0]["results"][0]["fixes"][0]["artifactChanges"]:
            for one in reversed(change["replacements"]):
                region = one["deletedRegion"]
                self.assertEqual(region["startLine"], region["endLine"])
                line = lines[region["startLine"] - 1]
                lines[region["startLine"] - 1] = (
                    line[: region["startColumn"] - 1] + one["insertedContent"]["text"] + line[region["endColumn"] - 1 :])
        self.diagnose("--apply", "build.log", "kernel.py", code=0)
        self.assertEqual("".join(lines), self.read("kernel.py").decode())

    def test_explain_a_code(self):
        for word in ("F40005", "f40005", "TENSOR_MEMORY_ALLOCATION", "FC4001", "F0F619", "F63001", "exit 124", "124", "Pass_31",
                     "NPU out of memory", "OOM", "F4FFFF", "F7A007", "F0000C"):
            with self.subTest(word):
                english = self.run_program("explain", word, code=0).out
                chinese = self.run_program("explain", "--lang", "zh", word, code=0).out
                self.assertTrue(english.startswith("# "), english)
                self.assertIn("## What to do", english)
                self.assertIn("## 处理", chinese)
        both = self.run_program("explain", "PTO101", "F40005", code=0).out
        self.assertIn("# PTO101", both)
        self.assertIn("# F40005", both)
        self.run_program("explain", "F99999", code=2)

    def test_the_chip_is_the_one_of_the_log(self):
        log = self.read("build.log").replace(b"196608", b"253952")
        self.write("950.log", log)
        self.assertIn("950", self.diagnose("950.log", "kernel.py", code=1).out)
        self.assertNotIn("950", self.diagnose("--soc", "a2a3", "950.log", "kernel.py", code=1).out.replace("950.log", ""))

    def test_without_a_kernel_the_traceback_and_the_next_step_are_named(self):
        text = self.diagnose("build.log", code=1).out
        self.assertIn("test_kernel.py:41", text)
        self.assertIn("pto-fix diagnose build.log kernel.py", text)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
