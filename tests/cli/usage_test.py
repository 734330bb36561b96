"""The command line: exit codes, streams, formats, languages, colour, configuration."""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios
import unicodedata
import unittest

from program import LOOP, PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main

CLEAN = "import pypto\n"
# A suppression that nothing needs: an info, which no exit code tells of.
UNUSED = "import pypto\n\nx = 1  # pto-fix: ignore[PTO201] no more\n"
# What only a check has.
CHECK_FORMATS = [["--format", name] for name in ("sarif", "github", "gitlab", "junit")] + [["--output", "r.sarif"]]
FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"


class ExitCodes(ProgramTest):
    def test_the_table(self):
        self.write("clean.py", CLEAN)
        self.write("found.py")
        cells = [
            (["clean.py"], 0),
            (["found.py"], 1),
            (["clean.py", "found.py"], 1),
            (["missing.py"], 2),
            (["found.py", "missing.py"], 2),
            (["--diff", "clean.py"], 0),
            (["--diff", "found.py"], 1),
            (["--diff", "--unsafe", "found.py"], 1),
            (["--apply", "clean.py"], 0),
            (["--apply", "found.py"], 1),
            (["--select", "PTO202", "found.py"], 0),
            (["--ignore", "PTO001", "found.py"], 0),
            ([], 2),
            (["--nonsense"], 2),
            (["--diff", "--apply", "clean.py"], 2),
            (["--select", "PTO987", "clean.py"], 2),
            (["--soc", "abacus", "clean.py"], 2),
            (["explain", "PTO987"], 2),
            (["rules"], 0),
            (["--help"], 0),
            (["--version"], 0),
        ]
        for format in ([], ["--format", "json"], *CHECK_FORMATS):
            for arguments, code in cells:
                if format in CHECK_FORMATS and arguments == ["rules"]:
                    continue
                with self.subTest(arguments=arguments, format=format):
                    self.run_program(*arguments, *format, code=code)
        self.run_program("explain", "PTO201", code=0)
        self.run_program("--apply", "--unsafe", "found.py", code=0)
        self.assertEqual(self.read("found.py").decode(), SUPPRESSION_FIXED)

    def test_what_is_found_and_what_is_left_decide(self):
        """Of each severity: the exit code of a check, of --diff, of --apply, and what severities are then left."""
        error = (FIXTURES / "PTO104/seed.py").read_text()
        kernels = {
            "nothing": (CLEAN, 0, 0, []),
            "an info": (UNUSED, 0, 0, ["info"]),
            "a warning with a safe fix": (LOOP, 1, 0, []),
            "a warning without one": (SUPPRESSION, 1, 1, ["warning"]),
            "an error with a safe fix": (error, 1, 0, []),
            "a fixed warning beside one that stays": (LOOP + SUPPRESSION, 1, 1, ["warning"]),
            "a fixed warning beside an info": (LOOP + UNUSED, 1, 0, ["info"]),
            "a broken line beside nothing": (CLEAN + "def f(:\n", 0, 0, []),
            "a broken line beside a warning": (SUPPRESSION + "def f(:\n", 1, 1, ["warning"]),
        }
        for format in ([], ["--format", "json"]):
            for name, (text, found, left, severities) in kernels.items():
                with self.subTest(name, format=format):
                    self.write("k.py", text)
                    self.run_program(*format, "k.py", code=found)
                    self.run_program("--diff", *format, "k.py", code=found)
                    self.assertEqual(self.read("k.py").decode(), text)
                    applied = self.run_program("--apply", *format, "k.py", code=left)
                    if format:
                        self.assertEqual([f["severity"] for f in applied.json()["findings"]], severities)
                    self.run_program("--apply", *format, "k.py", code=left)  # nothing more happens
                    self.run_program(*format, "k.py", code=left)
        self.assertIn(": error PTO104", self.run_program("-", stdin=error, code=1).out)

    def test_an_error_of_the_program_itself(self):
        if "asan" in PTO_FIX:
            self.skipTest("the sanitizer reserves its own memory")
        lines = "".join(f"x{i} = pypto.add(a{i}, b{i})\n" for i in range(330_000))
        self.write("k.py", "import pypto\n\n\n@pypto.frontend.jit\ndef k(a: pypto.Tensor()):\n    pass\n" + lines)
        for options in ("", "--format json", "--apply --format json"):
            with self.subTest(options):
                limited = f"ulimit -v 300000; exec '{PTO_FIX}' {options} k.py"
                done = subprocess.run(["bash", "-c", limited], cwd=self.folder, capture_output=True,
                                      env=self.environment(), timeout=120)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertEqual(done.stderr, b"pto-fix: out of memory\n")


class Streams(ProgramTest):
    def test_stdout_holds_the_result_alone(self):
        self.write("clean.py", CLEAN)
        self.write("found.py")
        self.assertEqual(self.run_program("clean.py").out, "")
        self.assertEqual(self.run_program("missing.py").out, "")
        self.assertEqual(self.run_program("--diff", "clean.py").out, "")
        self.assertEqual(self.run_program("--nonsense").out, "")
        self.assertTrue(self.run_program("found.py").out.startswith("found.py:3:"))
        self.assertEqual(self.run_program("--help").err, "")

    def test_json_is_one_object_whatever_happens(self):
        self.write("found.py")
        self.write("binary.py", b"pypto\0")
        result = self.run_program("--format", "json", "found.py", "binary.py", "missing.py", code=2)
        document = result.json()
        self.assertEqual(result.err, "")
        self.assertTrue(result.out.endswith("}\n"))
        self.assertEqual([f["path"] for f in document["files"]], ["binary.py", "found.py", "missing.py"])
        self.assertEqual(document["files"][0]["error"]["kind"], "binary")
        self.assertEqual(document["files"][2]["error"]["kind"], "not-found")
        self.assertEqual(len(document["findings"]), 1)
        finding = document["findings"][0]
        for key in "rule name severity path line column endLine endColumn message data fix blocked".split():
            self.assertIn(key, finding)

    def test_a_reader_that_leaves_early_ends_it_quietly(self):
        for i in range(300):
            self.write(f"k{i}.py", SUPPRESSION * 20)
        for format in ("text", "json"):
            program = subprocess.Popen(
                [PTO_FIX, "--format", format, "."], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=self.environment(),
            )
            program.stdout.read(10)
            program.stdout.close()
            err = program.stderr.read().decode()
            program.stderr.close()
            self.assertEqual(program.wait(60), 1)
            self.assertNotIn("error", err.replace("0 errors", ""))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_behind_stdout_is_an_error(self):
        self.write("k.py")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PTO_FIX, "k.py"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                  env=self.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"stdout cannot be written: No space left", done.stderr)

    def test_the_same_run_says_the_same_with_any_number_of_threads(self):
        for i in range(40):
            self.write(f"d{i % 7}/k{i}.py", SUPPRESSION)
        for format in ("text", "json", "sarif", "github", "gitlab", "junit"):
            runs = {self.run_program("--format", format, "--jobs", n, ".").out for n in (1, 2, 8)}
            self.assertEqual(len(runs), 1)


class Terminal(ProgramTest):
    def run_on_terminal(self, *arguments, env=None, columns=0):
        """stdin and stdout are a terminal; returns what was shown and the exit code."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 0, columns, 0, 0))
        program = subprocess.Popen([PTO_FIX, *arguments], cwd=self.folder, stdin=slave, stdout=slave,
                                   stderr=subprocess.PIPE, env=self.environment(**{"TERM": "xterm", **(env or {})}))
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        os.close(master)
        err = program.stderr.read()
        program.stderr.close()
        return shown, err, program.wait(30)

    def test_colour_is_for_terminals(self):
        self.write("k.py")
        self.assertIn(b"\x1b[", self.run_on_terminal("k.py")[0])
        self.assertNotIn(b"\x1b", self.run_on_terminal("k.py", env={"NO_COLOR": "1"})[0])
        self.assertNotIn(b"\x1b", self.run_on_terminal("--color", "never", "k.py")[0])
        self.assertNotIn("\x1b", self.run_program("k.py").out)
        self.assertIn("\x1b[", self.run_program("--color=always", "k.py", env={"NO_COLOR": "1"}).out)
        self.assertNotIn("\x1b", self.run_program("--color=always", "--format=json", "k.py").out)

    def test_a_diff_has_the_colours_of_one_where_colours_are_wanted(self):
        text = SUPPRESSION.replace("x = 1", 'x = """\n--- a\n+++ b\n\ty\n"""').replace("kept", "kept \x1b[5m")
        self.write("k.py", text + "\n# \x1b[31m\r\n".replace("\r", ""))
        arguments = ("--diff", "--unsafe", "k.py")
        plain = self.run_program(*arguments).out
        self.assertIn("\n \ty\n", plain)
        self.assertIn("kept \x1b[5m words\n", plain)
        coloured = self.run_program("--color", "always", *arguments).out
        for line in ("\x1b[1m--- a/k.py\x1b[0m\n", "\x1b[1m+++ b/k.py\x1b[0m\n", "\n \ty\n", "\n +++ b\n",
                     '\n\x1b[31m-"""  # pto-fix: ignore[PTO999] kept ␛[5m words\x1b[0m\n',
                     '\n\x1b[32m+"""  # kept ␛[5m words\x1b[0m\n'):
            self.assertIn(line, coloured)
        self.assertRegex(coloured, "\n\x1b\\[34m@@ .* @@.*\x1b\\[0m\n")
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", coloured), plain.replace("\x1b", "␛"))
        self.assertIn(b"\x1b[32m+", self.run_on_terminal(*arguments)[0])
        for env, options in (({"NO_COLOR": "1"}, []), ({}, ["--color", "never"]), ({"TERM": "dumb"}, [])):
            self.assertNotIn(b"\x1b[32m", self.run_on_terminal(*options, *arguments, env=env)[0])
        self.assertEqual(self.run_program("--color", "never", *arguments).out, plain)
        self.assertEqual(self.run_program("--color", "auto", *arguments).out, plain)
        document = self.run_program("--color", "always", "--format", "json", *arguments).json()
        self.assertEqual(document["files"][0]["diff"], plain)

    def test_every_line_of_words_is_as_wide_as_the_terminal_at_most(self):
        def cells(line):
            return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)

        self.write("k.py", LOOP)
        self.write("a/folder/with/a/name/that/is/rather/long/k.py", LOOP)
        for path in ("k.py", "a/folder/with/a/name/that/is/rather/long/k.py"):
            for language in ("en", "zh"):
                piped = self.run_program("--lang", language, path, code=1).out.split("\n")
                for columns in (40, 60, 80, 100, 200):
                    with self.subTest(path=path, language=language, columns=columns):
                        shown = self.run_on_terminal("--color", "never", "--lang", language, path, columns=columns)[0]
                        lines = shown.decode().replace("\r\n", "\n").split("\n")
                        heading = lines[: lines.index("   |")]
                        words = lines[lines.index(next(line for line in lines if line.startswith("   = "))) :]
                        words = words[: next(i for i, line in enumerate(words) if "@@" in line)]
                        head = cells(re.match("[^ ]* [^ ]* [^ ]* [^ ]*:", piped[0])[0])
                        for line in heading[1 if head > columns else 0 :]:
                            self.assertLessEqual(cells(line), columns, line)
                        joined = (" " if language == "en" else "").join(line.strip() for line in heading)
                        self.assertEqual(joined.replace(" ", ""), piped[0].replace(" ", ""))
                        self.assertEqual(len(heading) == 1, cells(piped[0]) <= columns)
                        for line in words:
                            self.assertLessEqual(cells(line), columns, line)

    def test_without_a_path_it_does_not_wait_for_the_terminal(self):
        shown, err, code = self.run_on_terminal()
        self.assertEqual((shown, code), (b"", 2))
        self.assertIn(b"no path given", err)


class Language(ProgramTest):
    def test_the_locale_chooses_and_lang_overrides(self):
        self.write("k.py")
        self.assertIn("warning PTO001", self.run_program("k.py").out)
        self.assertIn("警告 PTO001", self.run_program("k.py", env={"LC_ALL": "zh_CN.UTF-8"}).out)
        self.assertIn("警告 PTO001", self.run_program("k.py", "--lang", "zh").out)
        self.assertIn("警告 PTO001", self.run_program("k.py", env={"LC_ALL": "", "LANG": "zh_CN.UTF-8"}).out)
        self.assertIn("warning PTO001", self.run_program("k.py", "--lang", "en", env={"LC_ALL": "zh_CN.UTF-8"}).out)
        self.assertIn("没有这个文件", self.run_program("missing.py", "--lang", "zh").err)
        self.assertIn("选项", self.run_program("--help", "--lang", "zh").out)
        self.assertIn("python-loop-in-kernel", self.run_program("rules", "--lang", "zh").out)

    def test_json_keys_do_not_depend_on_it(self):
        self.write("k.py")
        english = self.run_program("--format", "json", "k.py").json()["findings"][0]
        chinese = self.run_program("--format", "json", "--lang", "zh", "k.py").json()["findings"][0]
        self.assertEqual(english.keys(), chinese.keys())
        self.assertEqual(english["severity"], chinese["severity"])
        self.assertNotEqual(english["message"], chinese["message"])


class Configuration(ProgramTest):
    def test_the_nearest_file_counts(self):
        self.write("pto-fix.toml", 'ignore = ["PTO001"]\n')
        self.write("a/k.py")
        self.write("b/k.py")
        self.write("b/pyproject.toml", "[tool.pto-fix]\n")
        result = self.run_program("--format", "json", ".").json()
        self.assertEqual([f["path"] for f in result["findings"]], ["b/k.py"])
        self.run_program("a/k.py", "--no-config", code=1)
        self.run_program("b/k.py", "--config", "pto-fix.toml", code=0)

    def test_a_broken_one_is_reported_once_and_nothing_below_it_is_checked(self):
        self.write("pto-fix.toml", "soc = 'a2a3'\nselct = ['PTO2']\n")
        self.write("a.py")
        self.write("b.py")
        result = self.run_program(".", code=2)
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.count("unknown key `selct`; did you mean `select`?"), 1)
        self.assertIn("pto-fix.toml:2:9:", result.err)
        self.run_program("--config", "missing.toml", "a.py", code=2)

    def test_a_pyproject_that_may_hold_our_table_is_never_passed_over(self):
        self.write("k.py")
        self.write("pto-fix.toml", 'ignore = ["PTO001"]\n')  # in the folder above
        cells = [
            ("[tool.other]\nx = 1\n", 0, ""),
            ("[tool.other\nx = 1\n", 0, ""),  # broken, and none of our business
            ('[tool.pto-fix]\nignore = ["PTO001"]\n', 0, ""),
            ("[tool.pto-fix]\n", 1, ""),
            ('[tool]\npto-fix.ignore = ["PTO001"]\n', 0, ""),
            ('[tool.other\n[tool.pto-fix]\nignore = ["PTO001"]\n', 2, "sub/pyproject.toml:1:12: not valid TOML"),
            ('[tool.pto-fix]\nignore = ["PTO001"\n', 2, "sub/pyproject.toml:2:20: not valid TOML"),
            ("[tool.pto-fix]\nignor = []\n", 2, "sub/pyproject.toml:2:9: unknown key `ignor`"),
            ("[tool]\npto-fix = 3\n", 2, "sub/pyproject.toml:2:11: `tool.pto-fix` must be a table"),
            ("x = '" + "pto-fix" * 200_000 + "'\n", 2, "sub/pyproject.toml: configuration cannot be read: File too large"),
        ]
        self.write("sub/k.py")
        for text, code, said in cells:
            with self.subTest(text[:40]):
                self.write("sub/pyproject.toml", text)
                self.assertIn(said, self.run_program("sub/k.py", code=code).err)
                self.assertIn(said, self.run_program("-", "--stdin-filename", "sub/k.py", stdin=SUPPRESSION, code=code).err)
                self.run_program("--no-config", "sub/k.py", code=1)
        (self.folder / "sub/pyproject.toml").unlink()
        (self.folder / "sub/pyproject.toml").symlink_to("pyproject.toml")
        self.assertIn("sub/pyproject.toml: configuration cannot be read: Too many", self.run_program("sub", code=2).err)
        (self.folder / "sub/pyproject.toml").unlink()
        (self.folder / "sub/pyproject.toml").mkdir()
        self.run_program("sub", code=0)

    def test_severity_can_be_changed(self):
        self.write("k.py")
        for severity, code in (("error", 1), ("info", 0), ("off", 0)):
            self.write("pto-fix.toml", f'[severity]\nPTO001 = "{severity}"\n')
            found = self.run_program("--format", "json", "k.py", code=code).json()["findings"]
            self.assertEqual([f["severity"] for f in found], [] if severity == "off" else [severity])

    def test_excluded_files_stay_out_of_folders_and_of_named_ones_on_request(self):
        self.write("pto-fix.toml", 'exclude = ["gen"]\n')
        self.write("gen/k.py")
        self.write("k.py", CLEAN)
        self.run_program(".", code=0)
        self.run_program("gen/k.py", code=1)
        self.run_program("--force-exclude", "gen/k.py", code=0)


class Filter(ProgramTest):
    def test_apply_prints_the_text_whatever_it_is(self):
        for name, text in {
            "fixed": SUPPRESSION,
            "clean": CLEAN,
            "empty": "",
            "no pypto": "x = 1",
            "broken": "import pypto\ndef f(:\n",
            "no final newline": "import pypto",
            "CRLF": "import pypto\r\nx = 1\r\n",
            "BOM": "\ufeffimport pypto\n",
        }.items():
            with self.subTest(name):
                result = self.run_program("--apply", "--unsafe", "-", stdin=text)
                self.assertEqual(result.out, SUPPRESSION_FIXED if name == "fixed" else text)

    def test_what_cannot_be_read_comes_back_unchanged_with_exit_code_2(self):
        for raw in (b"import pypto\n\xff", b"pypto\0", b"# coding: klingon\nimport pypto\n"):
            result = self.run_program("--apply", "-", stdin=raw, code=2)
            self.assertEqual(result.out_bytes, raw)
        self.write("pto-fix.toml", "nonsense = 1\n")
        self.assertEqual(self.run_program("--apply", "-", stdin=CLEAN, code=2).out, CLEAN)

    def test_input_above_the_limit_comes_back_whole(self):
        large = b"import pypto\n" + b"# filler\n" * 2_000_000
        result = self.run_program("--apply", "-", stdin=large, code=2)
        self.assertTrue(result.out_bytes == large)
        self.assertIn("are not read", result.err)

    def test_excluded_input_comes_back_unchanged(self):
        self.write("pto-fix.toml", 'exclude = ["gen"]\n')
        options = ["--apply", "--unsafe", "--force-exclude", "--stdin-filename", "gen/k.py", "-"]
        self.assertEqual(self.run_program(*options, stdin=SUPPRESSION, code=0).out, SUPPRESSION)

    def test_findings_of_a_filter_go_to_stderr(self):
        result = self.run_program("--apply", "-", "--stdin-filename", "sub/k.py", stdin=SUPPRESSION, code=1)
        self.assertEqual(result.out, SUPPRESSION)
        self.assertIn("sub/k.py:3:26: warning PTO001", result.err)

    def test_it_writes_no_file_and_does_not_say_so(self):
        for language, fixed, kept in (("en", "1 fix in the text on stdout", "no fix to make; the text on stdout is"),
                                      ("zh", "stdout 上的文本含 1 处修复", "没有可做的修复；stdout 上的文本与输入相同")):
            options = ["--lang", language, "--apply", "--unsafe", "-"]
            self.assertIn(fixed, self.run_program(*options, stdin=SUPPRESSION, code=0).err)
            self.assertIn(kept, self.run_program(*options, stdin=CLEAN, code=0).err)

    def test_check_and_diff_read_it_too(self):
        self.assertIn("<stdin>:3:26:", self.run_program("-", stdin=SUPPRESSION, code=1).out)
        result = self.run_program("--diff", "--unsafe", "--stdin-filename", "k.py", "-", stdin=SUPPRESSION, code=1)
        self.assertIn("--- a/k.py\n+++ b/k.py\n", result.out)
        document = self.run_program("--format", "json", "-", stdin=SUPPRESSION, code=1).json()
        self.assertEqual(document["findings"][0]["path"], "<stdin>")

    def test_the_name_chooses_the_configuration(self):
        self.write("sub/pto-fix.toml", 'ignore = ["PTO001"]\n')
        self.run_program("-", "--stdin-filename", "sub/k.py", stdin=SUPPRESSION, code=0)
        self.run_program("-", stdin=SUPPRESSION, code=1)


class Matrix(ProgramTest):
    def test_no_combination_of_options_breaks_it(self):
        self.write("k.py", SUPPRESSION)
        for mode in ([], ["--diff"], ["--diff", "--unsafe"], ["--apply"]):
            for format in ([], ["--format", "json"], *CHECK_FORMATS):
                for extra in ([], ["--explain-unknown"], ["--lang", "zh"], ["--color", "always"], ["--soc", "950"],
                              ["--jobs", "3"], ["--no-config"], ["--select", "PTO001"]):
                    for source in (["k.py"], ["-"], ["."], ["-", "--stdin-filename", "x.py"]):
                        arguments = mode + format + extra + source
                        with self.subTest(arguments):
                            refused = "--apply" in mode and "--format" in format and "-" in source
                            result = self.run_program(*arguments, stdin=SUPPRESSION, code=2 if refused else 1)
                            if format in (["--format", "json"], ["--format", "sarif"]) and not refused:
                                json.loads(result.out)


if __name__ == "__main__":
    main()
