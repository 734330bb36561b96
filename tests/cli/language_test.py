"""Each language is whole: no English sentence in Chinese output, nothing Chinese in English output, but for the user's own
words, which are quoted as they are."""

import json
import os
import pathlib
import re
import socket
import unittest

from program import LOOP, SUPPRESSION, ProgramTest, main

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"
CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
# Three English words in a row are a sentence; fewer may be a name.
ENGLISH = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+")


def foreign(text, language, own=""):
    """What is in the other language, neither quoted (code, what the compiler says) nor among the user's own words."""
    text = re.sub(r"`[^`]*`|“[^”]*”", "``", text)
    if language == "en":
        return [c for c in CHINESE.findall(text) if c not in own]
    return [run for run in ENGLISH.findall(text) if run not in own]


def texts_of(value):
    """The words for people in a JSON document; what is data stays out."""
    if isinstance(value, list):
        return [text for one in value for text in texts_of(one)]
    if not isinstance(value, dict):
        return []
    found = [value[key] for key in ("message", "why", "description", "blocked") if isinstance(value.get(key), str)]
    return found + [text for key, one in value.items() if key != "data" for text in texts_of(one)]


class Whole(ProgramTest):
    def assert_whole(self, text, language, own=""):
        self.assertTrue(text)
        self.assertEqual(foreign(text, language, own), [], text)

    def test_help_rules_and_pages(self):
        for language in ("en", "zh"):
            self.assert_whole(self.run_program("--help", "--lang", language).out, language)
            self.assert_whole(self.run_program("rules", "--lang", language).out, language)
            for rule in json.loads(self.run_program("rules", "--format", "json").out):
                with self.subTest(language=language, rule=rule["rule"]):
                    page = self.run_program("explain", rule["rule"], "--lang", language).out
                    self.assert_whole(re.sub(r"(?ms)^```.*?^```", "", page), language)

    def test_findings_of_every_fixture(self):
        for language in ("en", "zh"):
            findings = self.run_program("--no-config", "--format", "json", "--lang", language, FIXTURES).json()["findings"]
            self.assertGreater(len(findings), 200)
            for finding in findings:
                own = pathlib.Path(finding["path"]).read_bytes().decode("utf-8", "replace") + finding["path"]
                for text in texts_of(finding):
                    with self.subTest(path=finding["path"], language=language):
                        self.assert_whole(text, language, own)

    def test_what_surrounds_findings(self):
        self.write("k.py", LOOP.replace("import torch\n", "import torch\nfrom lib import size\n").replace("16, 16)\n    for", "size(), 16)\n    for"))
        self.write("broken.py", SUPPRESSION + "def broken(:\n")
        for arguments in ([], ["--diff"], ["--diff", "--unsafe"], ["--explain-unknown"], ["--select", "PTO104"]):
            for language in ("en", "zh"):
                with self.subTest(arguments=arguments, language=language):
                    result = self.run_program(*arguments, "--lang", language, ".")
                    self.assert_whole(result.err, language)
        out = self.run_program("--explain-unknown", "--lang", "zh", "k.py").out
        self.assertIn("未能分析：lib.size 属于外部库", out)
        result = self.run_program("--apply", "--lang", "zh", ".")
        self.assert_whole(result.err, "zh")
        self.assertIn("已在 1 个文件中写入 1 处修复", result.err)

    def test_what_cannot_be_read(self):
        files = {
            "nul.py": b"import pypto\0",
            "latin.py": b"import pypto\n'\xff'\n",
            "klingon.py": b"# coding: klingon\nimport pypto\n",
            "gbk.py": b"# coding: gbk\nimport pypto\n'\xff\xff'\n",
            "mark.py": b"\xef\xbb\xbf# coding: gbk\nimport pypto\n",
            "utf16.py": "import pypto\n".encode("utf-16"),
            "deep.py": b"import pypto\n" + b"".join(b" " * i + b"if x:\n" for i in range(102)) + b" " * 102 + b"y\n",
        }
        for name, content in files.items():
            self.write(name, content)
        with open(self.write("large.py"), "ab") as file:
            file.truncate(20_000_000)
        (self.folder / "loop.py").symlink_to("loop.py")
        (self.folder / "folder").mkdir()
        os.mkfifo(self.folder / "pipe.py")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "socket.py"))
        names = [*files, "large.py", "loop.py", "folder", "pipe.py", "socket.py", "/dev/null", "missing.py", "x" * 300]
        for name in names:
            for language in ("en", "zh"):
                with self.subTest(name=name, language=language):
                    self.assert_whole(self.run_program("--lang", language, name, code=2).err, language, own=name)

    def test_broken_configurations(self):
        contents = ["a = [\n", "select = []\n", "soc = 'abacus'\n", "soc = 3\n", "select = 'PTO2'\n", "selct = []\n",
                    "xyzzy = 1\n", "severity = 1\n", "[severity]\nPTO201 = 'loud'\n", "select = ['PTO999']\n",
                    "soc = 'a2a3'\nsoc = 'a2a3'\n", "soc\n", "x = \"\u0001\"\n"]
        for content in [*contents, b"\xff = 1\n"]:
            for language in ("en", "zh"):
                with self.subTest(content=content, language=language):
                    self.write("pto-fix.toml", content)
                    self.write("k.py")
                    result = self.run_program("--lang", language, "k.py", code=2)
                    self.assert_whole(result.err, language)
                    self.assertIn("pto-fix.toml:", result.err)
                    self.assertNotIn("\u0001", result.err)
        (self.folder / "pto-fix.toml").unlink()
        for path in (".", "missing.toml"):
            for language in ("en", "zh"):
                self.assert_whole(self.run_program("--lang", language, "--config", path, "k.py", code=2).err, language)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_behind_stdout(self):
        import subprocess

        from program import PTO_FIX

        with open("/dev/full", "wb") as full:
            for language, words in (("en", "stdout cannot be written: No space left"), ("zh", "无法写入 stdout：设备空间不足")):
                done = subprocess.run([PTO_FIX, "--help", "--lang", language], stdout=full, stderr=subprocess.PIPE,
                                      env=self.environment())
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr.decode())


if __name__ == "__main__":
    main()
