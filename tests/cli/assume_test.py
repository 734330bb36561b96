"""`assume` of the configuration: sizes that the code leaves open, from the file to the finding and its fix."""

from program import ProgramTest, main

TILE = """import pypto


@pypto.frontend.jit
def widen(
    x: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_BF16),
    out: pypto.Tensor([pypto.DYNAMIC, 512], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(128, 512)
    out[:] = pypto.cast(x, pypto.DT_FP32)
"""
FACTORY = TILE.replace("@pypto", "def make(M):\n    @pypto", 1).replace("pypto.DYNAMIC", "M")
FACTORY = "import pypto\n\n\ndef make(M):\n" + "".join(
    f"    {line}\n" if line else "\n" for line in TILE.replace("pypto.DYNAMIC", "M").split("\n")[3:-1]
) + "    return widen\n"
HEADS = """import pypto


@pypto.frontend.jit
def heads(
    q: pypto.Tensor([128, pypto.DYNAMIC, 512], pypto.DT_BF16),
    w: pypto.Tensor([128, 512, 512], pypto.DT_BF16),
    out: pypto.Tensor([128, pypto.DYNAMIC, 512], pypto.DT_BF16),
):
    pypto.set_cube_tile_shapes([16, 16], [128, 128], [128, 128])
    pypto.set_vec_tile_shapes(128, 16, 128)
    r = pypto.matmul(q, w, pypto.DT_BF16)
    out[:] = pypto.add(r, r)
"""


class Assume(ProgramTest):
    def found(self, *paths, options=()):
        document = self.run_program("--format", "json", *options, *paths).json()
        return [(f["rule"], f["severity"], f["path"], (f["fix"] or {}).get("applicability")) for f in document["findings"]]

    def assume(self, text, name="pto-fix.toml"):
        self.write(name, text)

    def test_a_dim_that_only_running_tells(self):
        self.write("tile.py", TILE)
        self.assertEqual(self.found("tile.py"), [("PTO101", "info", "tile.py", None)])
        self.assume('[assume]\n"x.shape[0]" = 128\n')
        self.assertEqual(self.found("tile.py"), [("PTO101", "error", "tile.py", "safe")])
        self.assume('[assume]\n"x.shape[0]" = 32\n')
        self.assertEqual(self.found("tile.py"), [])
        self.assertEqual(self.found("tile.py", options=["--no-config"]), [("PTO101", "info", "tile.py", None)])

    def test_from_the_end(self):
        self.write("tile.py", TILE)
        self.assume('assume = {"x.shape[-2]" = 128}\n')
        self.assertEqual(self.found("tile.py"), [("PTO101", "error", "tile.py", "safe")])

    def test_a_variable(self):
        self.write("tile.py", FACTORY)
        self.assertEqual(self.found("tile.py"), [("PTO101", "info", "tile.py", None)])
        self.assume("[assume]\nM = 128\n")
        self.assertEqual(self.found("tile.py"), [("PTO101", "error", "tile.py", "safe")])
        self.assume("[assume]\nM = 8\n")
        self.assertEqual(self.found("tile.py"), [])

    def test_a_variable_that_names_a_dim_in_the_kernel(self):
        body = TILE.replace("    pypto.set_vec", "    M = x.shape[0]\n    part = pypto.view(x, [M, 512], [0, 0])\n    pypto.set_vec")
        self.write("tile.py", body.replace("cast(x", "cast(part"))
        self.assume("[assume]\nM = 128\n")
        self.assertEqual(self.found("tile.py"), [("PTO101", "error", "tile.py", "safe")])

    def test_a_named_symbol(self):
        self.write("tile.py", TILE.replace("\n\n@", '\nrows = pypto.frontend.dynamic("bs")\n\n\n@', 1).replace("pypto.DYNAMIC", "rows"))
        self.assume("[assume]\nbs = 128\n")
        self.assertEqual(self.found("tile.py"), [("PTO101", "error", "tile.py", "safe")])
        self.assume("[assume]\nrows = 8\n")
        self.assertEqual(self.found("tile.py"), [])

    def test_what_the_code_tells_is_stronger(self):
        self.write("tile.py", TILE.replace("pypto.DYNAMIC", "32"))
        self.assume('[assume]\n"x.shape[0]" = 128\n')
        self.assertEqual(self.found("tile.py"), [])
        self.write("factory.py", FACTORY + "\n\nkernel = make(32)\n\n\ndef run(x, out):\n    kernel(x, out)\n")
        self.assume("[assume]\nM = 128\n")
        self.assertNotIn("error", [severity for _, severity, *_ in self.found("factory.py")])

    def test_kernels_of_several_files(self):
        self.write("a/tile.py", TILE)
        self.write("b/factory.py", FACTORY)
        self.write("b/other.py", TILE.replace("x:", "y:").replace("cast(x", "cast(y"))
        self.assume('[assume]\nM = 128\n"x.shape[0]" = 128\n')
        self.assertEqual(
            self.found("."),
            [
                ("PTO101", "error", "a/tile.py", "safe"),
                ("PTO101", "error", "b/factory.py", "safe"),
                ("PTO101", "info", "b/other.py", None),
            ],
        )

    def test_the_nearest_configuration_counts(self):
        self.write("a/tile.py", TILE)
        self.write("b/tile.py", TILE)
        self.assume('[assume]\n"x.shape[0]" = 128\n')
        self.assume('[tool.pto-fix.assume]\n"x.shape[0]" = 8\n', "b/pyproject.toml")
        self.assertEqual(self.found("."), [("PTO101", "error", "a/tile.py", "safe")])

    def test_the_tile_that_fits_is_written(self):
        self.write("tile.py", TILE)
        self.assume('[assume]\n"x.shape[0]" = 128\n')
        self.run_program("--apply", "tile.py", code=0)
        self.assertEqual((self.folder / "tile.py").read_text(), TILE.replace("128, 512)", "32, 512)"))

    def test_heads(self):
        self.write("heads.py", HEADS)
        self.assertEqual(self.found("heads.py")[0][:2], ("PTO104", "info"))
        self.assume('[assume]\n"q.shape[1]" = 16\n')
        self.assertEqual(self.found("heads.py")[0][:2], ("PTO104", "error"))
        self.assume('[assume]\n"q.shape[1]" = 1\n')
        self.assertEqual(self.found("heads.py"), [])

    def test_a_fix_that_writes_an_assumed_size_is_not_safe(self):
        self.write("heads.py", HEADS)
        self.assume('[assume]\n"q.shape[1]" = 16\n')
        self.assertEqual(self.found("heads.py")[0], ("PTO104", "error", "heads.py", "unsafe"))
        self.run_program("--apply", "heads.py", code=1)
        self.assertEqual((self.folder / "heads.py").read_text(), HEADS)
        # Where the kernel says it itself the assumption is not needed.
        self.write("known.py", HEADS.replace("pypto.DYNAMIC", "16"))
        self.assertEqual(self.found("known.py")[0], ("PTO104", "error", "known.py", "safe"))

    def test_trace_and_budget_hear_of_it(self):
        self.write("tile.py", TILE)
        self.assume('[assume]\n"x.shape[0]" = 128\n')
        self.assertIn("[128, 512] BF16", self.run_program("trace", "tile.py").out)
        self.assertIn("393,216 B", self.run_program("budget", "tile.py").out)


class Faults(ProgramTest):
    def fault(self, text, name="pto-fix.toml"):
        self.write(f"{len(text)}/tile.py", TILE)
        self.write(f"{len(text)}/{name}", text)
        result = self.run_program(f"{len(text)}/tile.py", code=2)
        self.assertIn(name, result.err)
        return result.err

    def test_what_is_no_size(self):
        for value in ("0", "-8", '"8"', "true", "2.5", "[8]", "99999999999"):
            with self.subTest(value=value):
                self.assertIn("`M` in `assume` must be an integer from 1 to", self.fault(f"[assume]\nM = {value}\n"))

    def test_what_is_no_name(self):
        for name in ("x[0]", "x.shape", "x.shape[]", "x.shape[a]", "x.shape[99]", "8", "", "M + 1", "x.size(0)"):
            with self.subTest(name=name):
                self.assertIn("is no name of a size", self.fault(f'[assume]\n"{name}" = 16\n'))

    def test_a_dim_without_quotes(self):
        for text in ("[assume]\nx.shape[0] = 16\n", "[assume]\nx.shape = 16\n"):
            with self.subTest(text=text):
                self.assertIn('needs quotes: `"x.shape[0]" = 16`', self.fault(text))

    def test_keys(self):
        self.assertIn("did you mean `assume`?", self.fault("[assum]\nM = 8\n"))
        self.assertIn("did you mean `assume`?", self.fault("[tool.pto-fix.asume]\nM = 8\n", "pyproject.toml"))
        self.assertIn("go into the table `[assume]`", self.fault("M = 8\n"))
        self.assertIn("`assume` must be a table", self.fault("assume = 8\n"))
        self.assertIn("defined a second time", self.fault("[assume]\nM = 8\nM = 9\n"))


if __name__ == "__main__":
    main()
