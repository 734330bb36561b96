"""The formats of CI services, and reports that go to files."""

import json
import os
import re
import stat
import subprocess
import xml.etree.ElementTree as ElementTree

from program import LOOP, PTO_FIX, SUPPRESSION, ProgramTest, main

CLEAN = "import pypto\n"
UNUSED = "import pypto\n\nx = 1  # pto-fix: ignore[PTO201] no more\n"
# Names that each format has to escape in some way of its own.
HARD_NAMES = ["plain.py", "a b.py", "100%,a:b;c.py", "中文é😀.py", "<&>\"'.py", "tab\tand\nline.py", "\x1b[31m\x07\x85.py"]
# A message that carries text of the source.
HARD_TEXT = "import pypto\n\nx = 1  # pto-fix: ignore[100%a:b::<&>\"'é]\n"


def unescaped(text):
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, character)
    return text


class GitHub(ProgramTest):
    LINE = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")

    def commands(self, *arguments, code=1):
        out = self.run_program("--format", "github", *arguments, code=code).out
        found = []
        self.assertTrue(out.endswith("\n") or not out)
        for line in out.split("\n")[:-1]:
            match = self.LINE.fullmatch(line)
            self.assertTrue(match, line)
            properties = dict(part.split("=", 1) for part in match[2].split(","))
            found.append((match[1], {k: unescaped(v) for k, v in properties.items()}, unescaped(match[3])))
        return found

    def test_the_whole_line(self):
        self.write("k.py", SUPPRESSION)
        line = self.run_program("--format", "github", "k.py", code=1).out
        self.assertEqual(line, "::warning title=PTO001 invalid-suppression,file=k.py,line=3,endLine=3,col=26,endColumn=32::"
                               "This suppression names PTO999, which is no rule of pto-fix; did you mean PTO209?%0A"
                               "A suppression that is not understood hides nothing, and one that is not needed hides the next "
                               "finding.\n")

    def test_severities_names_and_texts(self):
        self.write("k.py", UNUSED)
        self.assertEqual(self.commands("k.py", code=0)[0][0], "notice")
        for name in HARD_NAMES:
            with self.subTest(name):
                self.write(name, HARD_TEXT)
                ((command, properties, message),) = self.commands(name)
                self.assertEqual((command, properties["file"]), ("warning", name))
                self.assertIn("names 100%a:b::<&>\"'é,", message)

    def test_findings_over_several_lines_have_no_columns(self):
        """The runner refuses columns there."""
        self.write("k.py", LOOP.replace("range(HEADS):", "range(\n        HEADS\n    ):"))
        ((_, properties, _),) = self.commands("k.py")
        if properties["line"] != properties["endLine"]:
            self.assertNotIn("col", properties)

    def test_problems_are_errors(self):
        ((command, properties, message),) = self.commands("gone.py", code=2)
        self.assertEqual((command, properties["file"], message), ("error", "gone.py", "gone.py: no such file or folder"))

    def test_nothing(self):
        self.write("k.py", CLEAN)
        self.assertEqual(self.commands("k.py", code=0), [])


class GitLab(ProgramTest):
    def issues(self, *arguments, code=1):
        return json.loads(self.run_program("--format", "gitlab", *arguments, code=code).out)

    def test_what_gitlab_needs(self):
        self.write("k.py", SUPPRESSION * 3)
        self.write("b/k.py", SUPPRESSION)
        self.write("u.py", UNUSED)
        issues = self.issues(".")
        self.assertEqual(len(issues), 5)
        self.assertEqual(len({i["fingerprint"] for i in issues}), 5)
        for issue in issues:
            self.assertIn(issue["severity"], ("info", "minor", "major", "critical", "blocker"))
            self.assertTrue(issue["description"] and issue["check_name"])
            self.assertGreater(issue["location"]["lines"]["begin"], 0)
            self.assertFalse(issue["location"]["path"].startswith(("/", "./")))
        before = {i["fingerprint"] for i in issues}
        self.write("k.py", "# above\n" * 9 + SUPPRESSION * 3)
        self.assertEqual({i["fingerprint"] for i in self.issues("./")}, before)

    def test_nothing_is_an_empty_array(self):
        self.write("k.py", CLEAN)
        self.assertEqual(self.issues("k.py", code=0), [])

    def test_names_and_texts(self):
        for name in HARD_NAMES:
            self.write(name, HARD_TEXT)
            (issue,) = self.issues(name)
            self.assertEqual(issue["location"]["path"], name)
            self.assertIn("names 100%a:b::<&>\"'é,", issue["description"])


class JUnit(ProgramTest):
    def suites(self, *arguments, code=1):
        out = self.run_program("--format", "junit", *arguments, code=code).out_bytes
        root = ElementTree.fromstring(out)
        suites = root.findall("testsuite")
        for name in ("tests", "failures", "errors"):
            self.assertEqual(int(root.get(name)), sum(int(s.get(name)) for s in suites))
        for suite in suites:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
            self.assertEqual(int(suite.get("errors")), len(suite.findall("testcase/error")))
        self.assertFalse([c for c in out.decode() if c < " " and c != "\n" or "\x7f" <= c <= "\x9f"])
        return {suite.get("name"): suite for suite in suites}

    def test_found_clean_other_and_missing(self):
        self.write("found.py", SUPPRESSION)
        self.write("clean.py", CLEAN)
        self.write("other.py", "x = 1\n")
        suites = self.suites("found.py", "clean.py", "other.py", "gone.py", code=2)
        self.assertEqual(set(suites), {"found.py", "clean.py", "other.py", "gone.py"})
        self.assertEqual([suites[n].get("failures") for n in ("found.py", "clean.py", "other.py")], ["1", "0", "0"])
        self.assertEqual(suites["gone.py"].find("testcase/error").get("type"), "not-found")
        failure = suites["found.py"].find("testcase/failure")
        self.assertIn("names PTO999", failure.get("message"))
        self.assertIn("found.py:3:26: warning PTO001", failure.text)

    def test_names_and_texts(self):
        for name in HARD_NAMES:
            with self.subTest(name):
                self.write(name, HARD_TEXT)
                (shown,) = self.suites(name)
                self.assertEqual(shown, re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "\ufffd", name))


class Output(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("k.py", SUPPRESSION)

    def test_every_format_into_a_file_is_what_stdout_would_have(self):
        for format in ("text", "json", "sarif", "github", "gitlab", "junit"):
            with self.subTest(format):
                shown = self.run_program("--format", format, "k.py", code=1)
                for arguments in (["--format", format, "--output", "r"], ["--output=r", "--format=" + format]):
                    written = self.run_program(*arguments, "k.py", code=1)
                    self.assertEqual(written.out, "")
                    self.assertEqual(self.read("r").decode(), shown.out)
                    self.assertIn("1 file checked: 0 errors, 1 warning", written.err)

    def test_every_report_ends_its_last_line(self):
        self.write("clean.py", "import pypto\n")
        for format in ("text", "json", "sarif", "github", "gitlab", "junit"):
            for paths in (["k.py"], ["clean.py"], ["missing.py"], ["k.py", "clean.py", "missing.py"]):
                with self.subTest(format, paths=paths):
                    out = self.run_program("--format", format, *paths).out
                    self.assertTrue(out.endswith("\n") or not out, out[-40:])
                    self.assertFalse(out.isspace())

    def test_several_formats_in_one_run(self):
        result = self.run_program("--format", "sarif", "--output", "a", "--format=gitlab", "--output=b", "--output", "c.xml",
                                  "--format", "github", "k.py", code=1)
        self.assertTrue(result.out.startswith("::warning "))
        self.assertEqual(json.loads(self.read("a"))["version"], "2.1.0")
        self.assertEqual(json.loads(self.read("b"))[0]["check_name"], "PTO001")
        ElementTree.fromstring(self.read("c.xml"))

    def test_the_name_tells_the_format(self):
        for name, start in (("r.sarif", b'{\n  "$schema"'), ("r.json", b'{"version"'), ("r.xml", b"<?xml"),
                            ("r.txt", b"k.py:3:26: ")):
            self.run_program("--output", name, "k.py", code=1)
            self.assertTrue(self.read(name).startswith(start), name)

    def test_a_diff_and_a_filter_keep_stdout(self):
        diff = self.run_program("--diff", "--unsafe", "k.py", code=1).out
        self.assertEqual(self.run_program("--diff", "--unsafe", "--output", "r.sarif", "k.py", code=1).out, diff)
        result = self.run_program("--apply", "--output", "r.json", "-", stdin=SUPPRESSION, code=1)
        self.assertEqual(result.out, SUPPRESSION)
        self.assertEqual(len(json.loads(self.read("r.json"))["findings"]), 1)

    def test_what_cannot_be_written(self):
        for name, said in (("no/where.json", "No such file"), (".", "name does not tell"), ("d.json", "directory")):
            (self.folder / "d.json").mkdir(exist_ok=True)
            result = self.run_program("--output", name, "k.py", code=2)
            self.assertIn(said, result.err)
        if os.path.exists("/dev/full"):
            self.assertIn("No space left", self.run_program("--format=json", "--output=/dev/full", "k.py", code=2).err)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["d.json", "k.py"])

    def test_what_is_refused(self):
        for arguments, said in (
            (["--output", "r"], "the name does not tell the format"),
            (["--output", "k.py", "--format", "json"], "not written over a Python file"),
            (["--output", "r.json", "--output", "r.json"], "cannot go to one file"),
            (["--output="], "needs a value"),
            (["--format", "pdf"], "must be one of text, json, sarif, github, gitlab, junit, html"),
        ):
            result = self.run_program(*arguments, "k.py", code=2)
            self.assertIn(said, result.err)
            self.assertEqual(self.read("k.py").decode(), SUPPRESSION)
        for command in ("trace", "budget", "diagnose", "explain", "rules", "lsp"):
            for option in ("--output=r.json", "--exit-zero", "--fail-on=error", "--show-suppressed"):
                if command == "diagnose" and option.startswith("--output"):
                    continue  # it finds something, too
                said = self.run_program(command, option, "k.py", code=2).err
                self.assertIn(option.split("=")[0] + f" is not for `{command}`", said)

    def test_an_old_report_is_replaced_whole(self):
        self.write("r.json", "old" * 9999)
        os.chmod(self.folder / "r.json", 0o640)
        (self.folder / "link.json").symlink_to("r.json")
        self.run_program("--output", "link.json", "k.py", code=1)
        self.assertTrue((self.folder / "link.json").is_symlink())
        json.loads(self.read("r.json"))
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "r.json").st_mode), 0o640)
        self.run_program("--output", "new.json", "k.py", code=1)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "new.json").st_mode) & 0o444, 0o444)

    def test_a_pipe(self):
        done = subprocess.run(f"'{PTO_FIX}' --format json --output /dev/stderr k.py 2>&1 >/dev/null | cat", shell=True,
                              cwd=self.folder, stdout=subprocess.PIPE, env=self.environment())
        self.assertIn(b'"findings"', done.stdout)


class ExitCode(ProgramTest):
    def test_the_table(self):
        """Of what is found and left, by option: nothing, an info, a warning, an error."""
        error = (CLEAN + "\n\n@pypto.frontend.jit\ndef k(x: pypto.Tensor([16, 576], pypto.DT_BF16), w: pypto.Tensor([576, 16],"
                 " pypto.DT_BF16), out: pypto.Tensor([16, 16], pypto.DT_FP32)):\n"
                 "    pypto.set_cube_tile_shapes([16, 16], [16, 36], [16, 16])\n    out[:] = pypto.matmul(x, w, pypto.DT_FP32)\n")
        for name, text in {"nothing": CLEAN, "info": UNUSED, "warning": LOOP, "error": error}.items():
            self.write(name + ".py", text)
        rows = {
            (): (0, 0, 1, 1),
            ("--fail-on", "warning"): (0, 0, 1, 1),
            ("--fail-on", "error"): (0, 0, 0, 1),
            ("--fail-on", "info"): (0, 1, 1, 1),
            ("--exit-zero",): (0, 0, 0, 0),
            ("--diff",): (0, 0, 1, 1),
            ("--diff", "--exit-zero"): (0, 0, 0, 0),
            ("--diff", "--fail-on", "error"): (0, 0, 0, 1),
            ("--diff", "--fail-on", "error", "--exit-non-zero-on-fix"): (0, 0, 1, 1),
            ("--apply", "--exit-non-zero-on-fix"): (0, 0, 1, 1),
        }
        for options, codes in rows.items():
            for name, code in zip(("nothing", "info", "warning", "error"), codes):
                for more in ((), ("--format", "json"), ("--output", "r.sarif")):
                    with self.subTest(options, name=name, more=more):
                        text = self.read(name + ".py")
                        self.run_program(*options, *more, name + ".py", code=code)
                        self.write(name + ".py", text)
            with self.subTest(options, name="a problem"):
                self.run_program(*options, "gone.py", code=2)
        # Nothing is left to fix.
        self.run_program("--apply", "--exit-non-zero-on-fix", "warning.py", code=1)
        self.run_program("--apply", "--exit-non-zero-on-fix", "warning.py", code=0)

    def test_what_excludes_each_other(self):
        self.write("k.py", CLEAN)
        for options, said in ((["--exit-zero", "--fail-on", "info"], "exclude each other"),
                              (["--exit-zero", "--apply", "--exit-non-zero-on-fix"], "exclude each other"),
                              (["--exit-non-zero-on-fix"], "give one of them"),
                              (["--fail-on", "fatal"], "must be one of error, warning, info"),
                              (["--fail-on"], "needs a value")):
            self.assertIn(said, self.run_program("k.py", *options, code=2).err)


class Html(ProgramTest):
    KERNEL = LOOP[LOOP.index("@pypto"):LOOP.index("def wrapper")]

    def findings(self, name, *arguments):
        page = self.run_program("--no-cache", "--format", "html", *arguments, name).out
        return json.loads(re.search(r'<script[^>]*application/json[^>]*>(.*?)</script>', page, re.S)[1])["findings"]

    def kernels(self, count):
        """Each of another size, so that no two estimates are the same."""
        return [self.KERNEL.replace("def kernel", f"def kernel_{i}").replace("HEADS", str(64 + i)) for i in range(count)]

    def test_estimates_of_many_kernels_are_those_of_each_alone(self):
        """Their fixes are tried together."""
        head = "import pypto\n\n\n"
        kernels = self.kernels(6)
        # A helper that two of them run, one kernel in another, and one that changes what is outside of it are tried alone.
        kernels[3] = kernels[3].replace("row = h * 16", "row = row_of(h)")
        kernels[4] = kernels[4].replace("row = h * 16", "row = row_of(h)")
        kernels[5] = kernels[5].replace("    pypto.set_cube", "    global seen\n    seen = 1\n    pypto.set_cube")
        helper = "def row_of(h):\n    return h * 16\n\n\n"
        self.write("all.py", head + helper + "".join(kernels))
        wanted = []
        for i, kernel in enumerate(kernels):
            self.write(f"one_{i}.py", head + helper + kernel)
            wanted += [(f["rule"], f["estimate"]) for f in self.findings(f"one_{i}.py")]
        self.assertGreaterEqual(len(wanted), len(kernels))
        self.assertTrue(any(estimate["after"] != estimate["before"] for _, estimate in wanted))
        self.assertEqual([(f["rule"], f["estimate"]) for f in self.findings("all.py")], wanted)

    def test_fixes_of_hundreds_of_loops_of_one_function_cost_what_the_loops_do(self):
        """Whether a name is read later is asked for each of them, and not by reading all that comes later."""
        start = self.KERNEL.index("    for h in range(")
        head, loop = self.KERNEL[:start], self.KERNEL[start:].rstrip("\n") + "\n"
        names = sorted(set(re.findall(r"^ {8}(\w+) = ", loop, re.M)))
        self.assertTrue(names)

        def seconds(count):
            loops = [re.sub(rf"\b({'|'.join(names)})\b", rf"\1_{i}", loop) for i in range(count)]
            self.write("k.py", "import pypto\n\n\n" + head.replace("HEADS", "128") + "".join(loops).replace("HEADS", "128"))
            before = os.times().children_user
            document = self.run_program("--no-cache", "--jobs", "1", "--format", "json", "k.py").json()
            self.assertGreaterEqual(sum(f["rule"] == "PTO201" for f in document["findings"]), count)
            return os.times().children_user - before

        self.assertLess(seconds(400), 8 * seconds(100) + 0.5)

    def test_reports_of_hundreds_of_findings_take_little_longer_than_finding_them(self):
        from notebook_test import Writing, cell  # noqa: PLC0415
        kernels = self.kernels(150)
        self.write("k.py", "import pypto\n\n\n" + "".join(kernels))
        Writing.write_notebook(self, "k.ipynb", cell("import pypto\n"), *(cell(kernel) for kernel in kernels))
        for name in ("k.py", "k.ipynb"):
            seconds = {}
            for kind in ("json", "sarif", "html"):
                before = os.times().children_user
                self.run_program("--no-cache", "--jobs", "1", "--format", kind, name)
                seconds[kind] = os.times().children_user - before
            # It is twice as much; a trace or a parse of the whole file for each fix would make it twenty times.
            for kind in ("sarif", "html"):
                self.assertLess(seconds[kind], 6 * seconds["json"] + 0.5, (name, seconds))


if __name__ == "__main__":
    main()
