"""pto-fix trace: the table, JSON, coverage, languages and exit codes."""

import unicodedata

from program import LOOP, ProgramTest, main

KERNEL = """import pypto
import torch


@pypto.frontend.jit
def kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_BF16),
    w: pypto.Tensor([512, 256], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, 256], pypto.DT_FP32),
    rows,
):
    pypto.set_cube_tile_shapes([16, 16], [128, 256], [128, 128])
    for step in pypto.loop(x.shape[0] // 32, name="STEP", idx_name="step", unroll_list=[4, 1]):
        pypto.set_vec_tile_shapes(rows, 256)
        part = pypto.view(x, [32, 512], [step * 32, 0])
        product = pypto.matmul(part, w, pypto.DT_FP32)
        pypto.assemble(pypto.exp(product), [step * 32, 0], out)
"""


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Table(ProgramTest):
    def test_every_operation_has_a_line_with_shapes_dtypes_and_the_tile_in_force(self):
        self.write("kernel.py", KERNEL)
        out = self.run_program("trace", "kernel.py", code=0).out
        rows = [line.split() for line in out.splitlines()]
        self.assertIn("16 matmul part [32, 512] BF16, w [512, 256] BF16".split(), [r[:10] for r in rows])
        self.assertIn("m [16, 16] k [128, 256] n [128, 128] line 12", out)
        self.assertIn("(?, 256) line 14", out)
        self.assertIn("pypto.loop step: x.shape[0] // 32 times, unroll [4, 1]", out)

    def test_what_is_not_known_is_said_with_the_reason(self):
        self.write("kernel.py", KERNEL)
        out = self.run_program("trace", "kernel.py").out
        unknown = out[out.index("not known:") :]
        self.assertIn("x.shape[0]", unknown)
        self.assertIn("only running tells", unknown)
        self.assertIn("rows          no call, assert or declaration tells", unknown)

    def test_an_unroll_list_of_which_a_part_is_known(self):
        for written in ("[4, rows]", "(rows, 1)", "list(range(rows))", "rows", "{4: rows}", "[rows] * 2", "'4'"):
            with self.subTest(written):
                self.write("kernel.py", KERNEL.replace("[4, 1]", written))
                self.assertIn("pypto.loop step", self.run_program("trace", "kernel.py", code=0).out)
                self.assertTrue(self.run_program("trace", "--format", "json", "kernel.py", code=0).json()["files"])

    def test_chinese_columns_stand_under_each_other(self):
        self.write("kernel.py", KERNEL.replace("product", "乘积"))
        lines = self.run_program("trace", "--lang", "zh", "kernel.py").out.splitlines()
        head = next(line for line in lines if "操作数" in line)
        matmul = next(line for line in lines if " matmul " in line)
        at = width(head[: head.index("结果")])
        self.assertEqual(width(matmul[: matmul.index("乘积")]), at)

    def test_a_file_without_a_kernel(self):
        self.write("plain.py", "import pypto\n")
        self.assertIn("no kernel", self.run_program("trace", "plain.py", code=0).out)

    def test_standard_input(self):
        from_file = self.run_program("trace", "-", "--stdin-filename", "kernel.py", stdin=KERNEL, code=0)
        self.assertIn("kernel.py:6: kernel kernel", from_file.out)


class Json(ProgramTest):
    def test_numbers_are_numbers_and_what_is_unknown_is_null(self):
        self.write("kernel.py", KERNEL)
        document = self.run_program("trace", "--format", "json", "kernel.py", code=0).json()
        (kernel,) = document["files"][0]["kernels"]
        self.assertEqual(kernel["frontend"], "new-ir")
        by_name = {op["operation"]: op for op in kernel["operations"]}
        self.assertEqual(by_name["matmul"]["result"], {"name": "product", "shape": [32, 256], "dtype": "DT_FP32"})
        self.assertEqual(by_name["matmul"]["tile"]["k"], [128, 256])
        self.assertEqual(by_name["exp"]["tile"]["vec"], [None, 256])
        self.assertEqual(by_name["exp"]["tile"]["setAt"]["line"], 14)
        (loop,) = kernel["loops"]
        self.assertEqual(loop["unroll"], [4, 1])
        self.assertEqual(loop["trips"], "x.shape[0] // 32")
        self.assertEqual(by_name["exp"]["loop"], 0)
        self.assertTrue(kernel["unknown"])

    def test_a_file_that_cannot_be_read_is_in_it(self):
        self.write("kernel.py", KERNEL)
        document = self.run_program("trace", "--format", "json", "kernel.py", "missing.py", code=2).json()
        self.assertEqual([f["path"] for f in document["files"]], ["kernel.py", "missing.py"])
        self.assertEqual(document["files"][1]["error"]["kind"], "not-found")


class Coverage(ProgramTest):
    def test_sites_are_counted_by_what_is_known(self):
        self.write("kernel.py", KERNEL)
        self.write("loop.py", LOOP)
        document = self.run_program("trace", "--coverage", "--format", "json", ".", code=0).json()
        self.assertEqual(document["vecTiles"]["sites"], 2)
        self.assertEqual(document["vecTiles"]["full"], 1)
        self.assertEqual(document["vecTiles"]["inPart"], 1)
        self.assertEqual(document["cubeTiles"]["full"], 2)
        self.assertEqual(document["unrollLists"]["full"], 1)

    def test_a_helper_of_another_file_is_one_site_known_through_its_callers(self):
        self.write("tiles.py", "import pypto\n\n\ndef tile(rows):\n    pypto.set_vec_tile_shapes(rows, 256)\n")
        kernel = KERNEL.replace("        pypto.set_vec_tile_shapes(rows, 256)\n", "        tile(16)\n")
        self.write("kernel.py", "from tiles import tile\n" + kernel)
        document = self.run_program("trace", "--coverage", "--format", "json", ".", code=0).json()
        self.assertEqual((document["vecTiles"]["sites"], document["vecTiles"]["full"]), (1, 1))
        (site,) = [s for s in document["sites"] if s["kind"] == "vec_tile"]
        self.assertIn("(16, 256)", site["values"])

    def test_what_nothing_reaches_is_counted_as_that(self):
        self.write("dead.py", KERNEL + "    if False:\n        pypto.set_vec_tile_shapes(1, 2)\n")
        document = self.run_program("trace", "--coverage", "--format", "json", "dead.py", code=0).json()
        self.assertEqual(document["vecTiles"]["unreached"], 1)

    def test_the_table_in_both_languages(self):
        self.write("kernel.py", KERNEL)
        self.assertIn("vec tiles", self.run_program("trace", "--coverage", "kernel.py").out)
        self.assertIn("运行时确定", self.run_program("trace", "--coverage", "--lang", "zh", "kernel.py").out)


class Usage(ProgramTest):
    def test_what_does_not_fit_is_refused(self):
        self.write("kernel.py", KERNEL)
        for arguments in (["trace"], ["trace", "--apply", "kernel.py"], ["trace", "--select", "PTO201", "kernel.py"],
                          ["--coverage", "kernel.py"], ["trace", "missing.py"]):
            with self.subTest(arguments=arguments):
                self.run_program(*arguments, code=2)

    def test_findings_do_not_change_the_exit_code(self):
        self.write("loop.py", LOOP)
        self.run_program("trace", "loop.py", code=0)


if __name__ == "__main__":
    main()
