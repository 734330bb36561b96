"""The command line: exit codes, streams, formats, languages, colour, configuration."""

import json
import os
import pty
import subprocess
import unittest

from program import PTO_FIX, SUPPRESSION, SUPPRESSION_FIXED, ProgramTest, main

CLEAN = "import pypto\n"


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
        for format in ([], ["--format", "json"]):
            for arguments, code in cells:
                with self.subTest(arguments=arguments, format=format):
                    self.run_program(*arguments, *format, code=code)
        self.run_program("explain", "PTO201", code=0)
        self.run_program("--apply", "--unsafe", "found.py", code=0)
        self.assertEqual(self.read("found.py").decode(), SUPPRESSION_FIXED)


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
        for format in ("text", "json"):
            runs = {self.run_program("--format", format, "--jobs", n, ".").out for n in (1, 2, 8)}
            self.assertEqual(len(runs), 1)


class Terminal(ProgramTest):
    def run_on_terminal(self, *arguments, env=None, stdin=b""):
        """stdin and stdout are a terminal; returns what was shown and the exit code."""
        master, slave = pty.openpty()
        program = subprocess.Popen([PTO_FIX, *arguments], cwd=self.folder, stdin=slave, stdout=slave,
                                   stderr=subprocess.PIPE, env=self.environment(TERM="xterm", **(env or {})))
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
            for format in ([], ["--format", "json"]):
                for extra in ([], ["--explain-unknown"], ["--lang", "zh"], ["--color", "always"], ["--soc", "950"],
                              ["--jobs", "3"], ["--no-config"], ["--select", "PTO001"]):
                    for source in (["k.py"], ["-"], ["."], ["-", "--stdin-filename", "x.py"]):
                        arguments = mode + format + extra + source
                        with self.subTest(arguments):
                            refused = "--apply" in mode and format and "-" in source
                            result = self.run_program(*arguments, stdin=SUPPRESSION, code=2 if refused else 1)
                            if format and not refused:
                                json.loads(result.out)


if __name__ == "__main__":
    main()
