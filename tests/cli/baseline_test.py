"""--baseline and --statistics: what is new, unchanged and gone since a former run."""

import json

from program import LOOP, SUPPRESSION, ProgramTest, main

CLEAN = "import pypto\n"


class BaselineTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("m/k.py", LOOP)
        self.write("m/s.py", SUPPRESSION)
        self.write("m/clean.py", CLEAN)
        for name in ("b.json", "b.sarif"):
            self.run_program("--output", name, "m", code=1)

    def against(self, *arguments, code, counts, paths=("m",)):
        """The same whatever the baseline was written as and whatever is written now."""
        for baseline in ("b.json", "b.sarif"):
            shown = self.run_program("--baseline", baseline, *arguments, *paths, code=code)
            self.assertIn("against the baseline: {} new, {} unchanged, {} gone\n".format(*counts), shown.err)
            self.assertEqual(shown.out.count(": warning PTO") + shown.out.count(": error PTO"), counts[0])
            document = self.run_program("--baseline", baseline, "--format=json", *arguments, *paths, code=code).json()
            states = [f["baseline"] for f in document["findings"]]
            self.assertEqual((states.count("new"), states.count("unchanged"), len(document["absent"])), counts)
            run = self.run_program("--baseline", baseline, "--format=sarif", *arguments, *paths, code=code).json()["runs"][0]
            states = [r["baselineState"] for r in run["results"]]
            self.assertEqual((states.count("new"), states.count("unchanged"), states.count("absent")), counts)
            for format in ("github", "gitlab", "junit"):
                out = self.run_program("--baseline", baseline, "--format", format, *arguments, *paths, code=code).out
                marks = {"github": "::warning ", "gitlab": '"fingerprint"', "junit": "<failure "}
                self.assertEqual(out.count(marks[format]), counts[0])

    def test_nothing_new(self):
        self.against(code=0, counts=(0, 2, 0))
        self.against("--fail-on", "info", code=0, counts=(0, 2, 0))

    def test_moved_lines_are_not_new(self):
        self.write("m/k.py", "# above\n" * 50 + LOOP.replace("\n", "\r\n"))
        self.against(code=0, counts=(0, 2, 0))

    def test_renamed_files_are_not_new(self):
        (self.folder / "m/k.py").rename(self.folder / "m/other.py")
        self.against(code=0, counts=(0, 2, 0))

    def test_copied_files_are(self):
        self.write("m/copy.py", LOOP)
        self.against(code=1, counts=(1, 2, 0))

    def test_new_and_gone(self):
        self.write("m/new.py", LOOP.replace("kernel", "second"))
        self.write("m/s.py", CLEAN)
        self.against(code=1, counts=(1, 1, 1))
        (self.folder / "m/s.py").unlink()
        self.against(code=1, counts=(1, 1, 1))

    def test_what_is_hidden_is_not_fixed(self):
        old = {name: self.read(f"m/{name}.py") for name in ("k", "s")}
        self.assertIn("pypto.loop", self.run_program("--diff", "--unsafe", "m").out)
        for baseline in ("b.json", "b.sarif"):
            for arguments in (["--diff"], ["--apply"], ["--apply", "--review"], ["--diff", "--format=json"]):
                for name in ("k", "s", "new"):  # whatever else is there
                    (self.folder / "m/new.py").write_text(CLEAN if name != "new" else LOOP)
                    result = self.run_program("--baseline", baseline, "--unsafe", *arguments, "m", stdin="y\ny\ny\n")
                    with self.subTest(baseline=baseline, arguments=arguments, name=name):
                        self.assertEqual({n: self.read(f"m/{n}.py") for n in old}, old)
                        self.assertNotIn("m/k.py", result.err)
                        if "--diff" in arguments:
                            self.assertEqual("new.py" in result.out.replace('"new.py"', ""), name == "new" or "json" in arguments[-1])
                        elif name == "new":
                            self.assertIn("pypto.loop", self.read("m/new.py").decode())
                        else:
                            self.assertEqual(result.code, 0)

    def test_new_ones_beside_hidden_ones_are_fixed(self):
        """In the same file and on lines that say the same; the baseline has the first."""
        first, second = "x = 1  # pto-fix: ignore[PTO999] kept words\n", "y = 1  # pto-fix: ignore[PTO999] kept words\n"
        fixed = lambda line: line.replace("pto-fix: ignore[PTO999] ", "")
        for now, then in (
            ("import pypto\n\n" + second + first, "import pypto\n\n" + fixed(second) + first),
            ("import pypto\n\n\n\n" + first + second * 2, "import pypto\n\n\n\n" + first + fixed(second) * 2),
            ("import pypto\n\n" + first * 3, "import pypto\n\n" + first + fixed(first) * 2),
        ):
            for name in ("m/s.py", "m/renamed.py"):
                for arguments in (["m"], ["--stdin-filename", name, "-"]):
                    for other in ("m/s.py", "m/renamed.py"):
                        (self.folder / other).unlink(missing_ok=True)
                    self.write(name, now)
                    result = self.run_program("--baseline", "b.json", "--apply", "--unsafe", *arguments, stdin=now)
                    text = result.out if "-" in arguments else self.read(name).decode()
                    with self.subTest(now=now, name=name, arguments=arguments):
                        self.assertEqual(text, then)
                        self.assertEqual(result.code, 0, result)

    def test_of_equal_lines_those_of_the_function_that_the_baseline_names_are_hidden(self):
        head, kernel = LOOP.split("HEADS = 128\n")
        other = kernel.replace("kernel", "second").replace("wrapper", "other")
        self.write("m/k.py", LOOP)
        self.run_program("--select", "PTO201", "--output", "known.json", "m/k.py", code=1)
        fixed = self.run_program("--select", "PTO201", "--apply", "--stdin-filename", "m/k.py", "-", stdin=LOOP).out
        fixed_other = fixed.split("HEADS = 128\n")[1].replace("kernel", "second").replace("wrapper", "other")
        for now, then in ((head + "HEADS = 128\n" + other + kernel, head + "HEADS = 128\n" + fixed_other + kernel),
                          (LOOP + other, LOOP + fixed_other)):
            with self.subTest(now=now):
                self.write("m/k.py", now)
                self.run_program("--select", "PTO201", "--baseline", "known.json", "--apply", "m/k.py", code=0)
                self.assertEqual(self.read("m/k.py").decode(), then)

    def test_what_a_fix_leads_to_is_fixed_and_what_is_hidden_stays(self):
        """A second kernel in the file, new and with a fix of several rounds."""
        self.write("m/k.py", LOOP + LOOP.split("HEADS = 128\n")[1].replace("kernel", "second").replace("wrapper", "other"))
        self.run_program("--baseline", "b.json", "--apply", "--unsafe", "m", code=0)
        text = self.read("m/k.py").decode()
        self.assertEqual(text.count("for h in range(HEADS)"), 1)
        self.assertLess(text.index("for h in range(HEADS)"), text.index("def second"))
        self.assertIn("pypto.loop", text[text.index("def second"):])

    def test_a_second_one_like_it_is_new(self):
        self.write("m/s.py", SUPPRESSION + SUPPRESSION.split("\n", 2)[2])
        self.against(code=1, counts=(1, 2, 0))
        self.run_program("--output", "b.json", "--format=sarif", "--output", "b.sarif", "m", code=1)
        self.against(code=0, counts=(0, 3, 0))
        self.write("m/s.py", SUPPRESSION)
        self.against(code=0, counts=(0, 2, 1))

    def test_what_was_not_looked_at_is_not_gone(self):
        self.against(code=0, counts=(0, 1, 0), paths=("m/k.py", "m/clean.py"))
        self.against("--select", "PTO001", code=0, counts=(0, 1, 0))
        self.against("--ignore", "PTO2", code=0, counts=(0, 1, 0), paths=("./m",))

    def test_a_report_with_a_baseline_is_one(self):
        """It is written anew over the old one in each run."""
        self.write("m/new.py", LOOP.replace("kernel", "second"))
        self.write("m/s.py", CLEAN)
        for name in ("b.json", "b.sarif"):
            self.run_program("--baseline", name, "--output", name, "m", code=1)
        self.against(code=0, counts=(0, 2, 0))

    def test_fixing_is_about_what_is_new(self):
        self.write("m/new.py", LOOP.replace("kernel", "second"))
        result = self.run_program("--apply", "--baseline", "b.json", "m", code=0)
        self.assertIn("against the baseline: 0 new, 2 unchanged, 0 gone", result.err)
        self.assertIn("1 fix written to 1 file", result.err)
        self.assertNotIn("left:", result.err)

    def test_suppressed_findings_are_no_part_of_it(self):
        self.write("m/k.py", LOOP.replace("(HEADS):\n        row", "(HEADS):  # pto-fix: ignore[PTO201] slow\n        row"))
        self.run_program("--show-suppressed", "--output", "b.sarif", "m", code=1)
        self.run_program("--show-suppressed", "--output", "b.json", "m", code=1)
        self.against(code=0, counts=(0, 1, 0))
        self.write("m/k.py", LOOP)
        self.against(code=1, counts=(1, 1, 0))

    def test_what_is_no_baseline(self):
        self.write("list.json", "[]")
        self.write("broken.json", '{"findings": [')
        self.write("old.json", '{"version":"0.0","files":[],"findings":[{"rule":"PTO201","path":"m/k.py"}]}')
        self.write("odd.json", '{"runs":[{"results":[{"locations":[7],"ruleId":[]}, 3]}]}')
        for name, said, said_zh in (("gone.json", "cannot be read: No such file", "无法读取"),
                                    ("m", "cannot be read: ", "无法读取"),
                                    ("list.json", "no report of pto-fix", "不是 pto-fix"),
                                    ("broken.json", "no report of pto-fix", "不是 pto-fix"),
                                    ("old.json", "have no fingerprints", "没有指纹"),
                                    ("odd.json", "have no fingerprints", "没有指纹")):
            with self.subTest(name):
                self.assertIn(said, self.run_program("--baseline", name, "m", code=2).err)
                self.assertIn(said_zh, self.run_program("--lang=zh", "--baseline", name, "m", code=2).err)

    def test_a_path_of_any_name(self):
        name = "m/a b%,中\x07é😀.py"
        self.write(name, SUPPRESSION)
        for file in ("b.json", "b.sarif"):
            self.run_program("--output", file, "m", code=1)
        self.against(code=0, counts=(0, 3, 0))


class Statistics(ProgramTest):
    def test_the_table(self):
        self.write("k.py", LOOP)
        self.write("s.py", SUPPRESSION * 2)
        self.assertEqual(self.run_program("--statistics", ".", code=1).out,
                         "findings  safe fixes  unsafe fixes  files  rule\n"
                         "       2           0             2      1  PTO001 invalid-suppression\n"
                         "       1           1             0      1  PTO201 python-loop-in-kernel\n")
        self.assertTrue(self.run_program("--statistics", "--lang", "zh", ".", code=1).out.startswith("问题  安全修复  不安全修复"))
        self.run_program("--output", "b.json", ".", code=1)
        self.assertEqual(self.run_program("--statistics", "--baseline", "b.json", ".", code=0).out, "")

    def test_where_it_has_no_place(self):
        self.write("k.py", CLEAN)
        for arguments in (["--format=json"], ["--diff"], ["--output", "r.json"]):
            self.assertIn("text format", self.run_program("--statistics", *arguments, "k.py", code=2).err)


if __name__ == "__main__":
    main()
