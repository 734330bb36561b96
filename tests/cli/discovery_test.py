"""Which files a run is about: patterns, lists, and what a configuration says of some files."""

import subprocess

from program import LOOP, SUPPRESSION, main
from repository import RepositoryTest


class Patterns(RepositoryTest):
    def setUp(self):
        super().setUp()
        for name in ["models/a.py", "models/deep/er/b.py", "models/deep/c.py", "models/.hidden/d.py", "models/build/e.py",
                     "models/deep/notes.pyi", "models/deep/notes.txt", "other/a.py"]:
            self.write(name)

    def test_patterns_mean_what_a_shell_means(self):
        for pattern, expected in {
            "models/*.py": ["models/a.py"],
            "*/a.py": ["models/a.py", "other/a.py"],
            "models/**/*.py": ["models/a.py", "models/deep/c.py", "models/deep/er/b.py"],
            "./models//**/?.py": ["models/a.py", "models/deep/c.py", "models/deep/er/b.py"],
            "**/[bc].py": ["models/deep/c.py", "models/deep/er/b.py"],
            "models/**": ["models/a.py", "models/deep/c.py", "models/deep/er/b.py"],
            "models/*": ["models/a.py", "models/deep/c.py", "models/deep/er/b.py"],
            "models/*/er": ["models/deep/er/b.py"],
            "models/.hid*/*": [],
            "models/.hidden/*": ["models/.hidden/d.py"],
            "models/**/*.pyi": ["models/deep/notes.pyi"],
            str(self.folder) + "/o*/*.py": [str(self.folder) + "/other/a.py"],
        }.items():
            with self.subTest(pattern=pattern):
                found = self.looked_at(pattern)
                if expected:
                    self.assertEqual(found, expected)
                else:
                    self.assertEqual(self.run_program(pattern).code, 2)

    def test_what_git_ignores_is_not_matched(self):
        self.write(".gitignore", "models/deep/er\nother/a.py\n")
        self.assertEqual(self.looked_at("**/*.py"), ["models/a.py", "models/deep/c.py"])
        self.assertEqual(self.looked_at("other/*.py"), [])
        self.assertEqual(self.looked_at("*/a.py"), ["models/a.py"])

    def test_what_the_configuration_excludes_is_not_matched(self):
        self.write("pto-fix.toml", 'exclude = ["models/**/c.py"]\n')
        self.assertEqual(self.looked_at("models/**/*.py"), ["models/a.py", "models/deep/er/b.py"])

    def test_a_pattern_without_a_match_is_an_error(self):
        result = self.run_program("models/*.pyx", code=2)
        self.assertEqual(result.err, "pto-fix: models/*.pyx: no such file, and as a pattern it matches none\n")
        self.assertIn("没有匹配的文件", self.run_program("--lang", "zh", "none/**/*.py", code=2).err)

    def test_what_is_wrong_with_a_named_file_is_said_though_a_folder_that_is_named_holds_it(self):
        """Of the folder's own files those that do not mention the framework are nobody's business. They are read while
        the search goes on, which takes a while here."""
        self.write("wide/bad.py", b'x = "\xff"\n')
        for i in range(40):
            self.write(f"wide/k{i}.py", "x = 1\n")
        for i in range(1500):
            self.write(f"far/f{i}/k.py", "x = 1\n")
        self.run_program("wide", "far", code=0)
        for paths in (("wide", "far", "wide/bad.py"), ("wide/bad.py", "wide", "far"), ("wide", "far", "./wide/../wide/bad.py")):
            with self.subTest(paths=paths):
                self.assertIn("bad.py:1: not valid UTF-8", self.run_program(*paths, code=2).err)

    def test_what_git_ignores_beside_it_is_no_match_of_a_pattern(self):
        subprocess.run(["git", "init", "-q", self.folder], check=True)
        self.write(".gitignore", "ign/\ndrop.py\n")
        for name in ("ign/i.py", "drop.py", "sub/ign/i.py", "k.py"):
            self.write(name)
        for pattern in ("modles*.py", "zz*/k.py", "sub/x*", "?.pyx", "**/modles*.py", "sub/**/x*/*.py", "**/drop?.py"):
            with self.subTest(pattern=pattern):
                self.assertIn("as a pattern it matches none", self.run_program(pattern, code=2).err)
        for pattern in ("dr*.py", "i*", "sub/i*", "ig?/*.py", "**/i*.py", "**/drop.py", "sub/**/i*/*.py", "sub/**"):
            with self.subTest(pattern=pattern):
                self.assertIn("git ignores what is there", self.run_program(pattern, code=0).err)

    def test_a_file_that_is_called_like_a_pattern_is_that_file(self):
        self.write("x[1].py")
        self.write("x1.py")
        self.assertEqual(self.looked_at("x[1].py"), ["x[1].py"])


class Framework(RepositoryTest):
    """A checkout of the framework: what is made inside its own packages are no kernels of anybody."""

    def found_in(self, *arguments, **options):
        result = self.run_program("--format", "json", *arguments, **options)
        return sorted({finding["path"] for finding in result.json()["findings"]})

    def test_its_own_packages_are_searched_for_nothing(self):
        for package, mark in [("pypto", "frontend"), ("pypto_pro", "language")]:
            self.write(f"python/{package}/__init__.py", "")
            self.write(f"python/{package}/{mark}/__init__.py", "")
            self.write(f"python/{package}/op/loops.py", LOOP)
        self.write("python/tests/pypto/test_loops.py", LOOP)
        self.assertEqual(self.found_in("."), ["python/tests/pypto/test_loops.py"])
        self.assertEqual(self.found_in("python/**/*.py"), ["python/tests/pypto/test_loops.py"])
        self.assertEqual(self.found_in(".", cwd=self.folder / "python" / "pypto" / "op"), [])
        self.assertEqual(self.found_in("python/pypto/op/loops.py"), ["python/pypto/op/loops.py"])

    def test_a_package_that_only_has_its_name_is_a_package_like_any(self):
        self.write("models/pypto/__init__.py", "")
        self.write("models/pypto/kernel.py", LOOP)
        self.assertEqual(self.found_in("."), ["models/pypto/kernel.py"])


class Lists(RepositoryTest):
    def setUp(self):
        super().setUp()
        for name in ["a.py", "b c.py", "new\nline.py", "folder/d.py", "README.md"]:
            self.write(name)

    def listed(self, content, *options):
        result = self.run_program("--format", "json", *options, "--files-from", "-", stdin=content)
        return [file["path"] for file in result.json()["files"]]

    def test_a_list_holds_lines_or_ends_paths_with_nul(self):
        for content in ["a.py\nb c.py\n", "a.py\r\nb c.py", "\n./a.py\n\nb c.py\n", "a.py\0b c.py\0", "a.py\0b c.py"]:
            with self.subTest(content=content):
                self.assertEqual(self.listed(content), ["a.py", "b c.py"])
        self.assertEqual(self.listed("new\nline.py\0a.py\0"), ["a.py", "new\nline.py"])
        self.assertEqual(self.listed("new\nline.py", "--null"), ["new\nline.py"])

    def test_a_byte_order_mark_in_front_of_a_list_is_no_part_of_a_name(self):
        for end in ("\n", "\r\n", "\0"):
            for mark in (b"", b"\xef\xbb\xbf"):
                with self.subTest(end=end, mark=mark):
                    self.assertEqual(self.listed(mark + f"a.py{end}b c.py{end}".encode()), ["a.py", "b c.py"])
        self.assertEqual(self.listed(b"\xef\xbb\xbf"), [])

    def test_a_list_of_powershell_is_in_utf_16(self):
        self.write("内核.py")
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            for end in ("\n", "\r\n", "\0"):
                with self.subTest(encoding=encoding, end=end):
                    text = f"\ufeffa.py{end}b c.py{end}内核.py{end}".encode(encoding)
                    self.assertEqual(self.listed(text), ["a.py", "b c.py", "内核.py"])
                    self.write("list", text)
                    self.assertEqual(self.looked_at("--files-from", "list"), ["a.py", "b c.py", "内核.py"])
            self.assertEqual(self.listed("\ufeff".encode(encoding)), [])

    def test_a_list_that_is_not_what_its_mark_says_is_refused(self):
        for text in ("\ufeffa.py\n".encode("utf-16-le") + b"b", b"\xff\xfea\0\0\xd8b\0"):
            with self.subTest(text=text):
                before = self.read("a.py")
                result = self.run_program("--apply", "--allow-dirty", "--files-from", "-", stdin=text, code=2)
                self.assertIn("the list of files is not valid UTF-16LE (byte ", result.err)
                self.assertEqual(self.read("a.py"), before)
                self.assertIn("字节序标记", self.run_program("--lang", "zh", "--files-from", "-", stdin=text, code=2).err)

    def test_files_that_are_not_python_are_passed_over_and_folders_searched(self):
        self.assertEqual(self.listed("README.md\nfolder\na.py\n"), ["a.py", "folder/d.py"])
        self.assertEqual(self.listed(""), [])
        self.run_program("--files-from", "-", stdin="README.md\n", code=0)

    def test_paths_beside_a_list_count_and_each_file_once(self):
        self.write("list", "a.py\nfolder/d.py\n")
        self.assertEqual(self.looked_at("--files-from", "list", "folder", "b c.py"), ["a.py", "b c.py", "folder/d.py"])

    def test_what_git_says_has_changed_can_be_checked(self):
        self.commit_all()
        self.write("folder/d.py", LOOP)
        changed = self.git("diff", "--name-only", "-z", "HEAD")
        self.assertEqual(self.listed(changed), ["folder/d.py"])

    def test_what_is_missing_is_reported(self):
        result = self.run_program("--files-from", "-", stdin="a.py\ngone.py\nx[1].py\n", code=2)
        self.assertIn("gone.py: no such file", result.err)
        self.assertIn("x[1].py: no such file", result.err)
        result = self.run_program("--files-from", "nowhere", code=2)
        self.assertEqual(result.err, "pto-fix: nowhere: the list of files cannot be read: No such file or directory\n")
        self.assertIn("cannot be read", self.run_program("--files-from", "folder", code=2).err)

    def test_what_makes_no_sense_is_refused(self):
        self.assertIn("--null is about", self.run_program("--null", "a.py", code=2).err)
        self.assertIn("cannot be mixed", self.run_program("--files-from", "list", "-", code=2).err)
        self.assertIn("--files-from needs a value", self.run_program("--files-from", code=2).err)
        self.assertIn("--files-from is not for `lsp`", self.run_program("lsp", "--files-from", "list", code=2).err)

    def test_a_list_is_for_the_commands_that_show_as_well(self):
        self.write("k.py", LOOP)
        self.assertIn("kernel", self.run_program("trace", "--files-from", "-", stdin="k.py\n", code=0).out)


class PerFile(RepositoryTest):
    def rules(self, *arguments):
        findings = self.run_program("--format", "json", *arguments).json()["findings"]
        return sorted({(finding["path"], finding["rule"]) for finding in findings if finding["rule"] != "PTO209"})

    def test_rules_are_ignored_in_some_files(self):
        for name in ["k.py", "tests/k.py", "tests/deep/k.py", "models/gen_k.py"]:
            self.write(name, LOOP)
        ignores = '{ "tests/**" = ["PTO201"], "gen_*.py" = ["PTO2"], "deep" = ["python-loop-in-kernel"] }'
        self.write("pto-fix.toml", f"per-file-ignores = {ignores}\n")
        before = self.rules("--no-config", ".")
        kept = [(path, rule) for path, rule in before
                if not (path.startswith("tests/") and rule == "PTO201") and not path.startswith("models/gen_")]
        self.assertIn(("tests/k.py", "PTO201"), before)
        self.assertEqual(self.rules("."), kept)
        self.assertEqual(self.rules("--config", "pto-fix.toml", "."), kept)
        self.assertIn(("k.py", "PTO201"), kept)
        # And fixes follow.
        self.run_program("--apply", "--allow-dirty", "--unsafe", ".")
        self.assertEqual(self.read("tests/k.py").decode(), LOOP)
        self.assertNotEqual(self.read("k.py").decode(), LOOP)

    def test_a_pattern_with_a_mark_means_all_files_but_these(self):
        names = ["k.py", "models/k.py", "models/deep/k.py", "tests/k.py"]
        for name in names:
            self.write(name, LOOP)
        before = {path for path, rule in self.rules("--no-config", ".") if rule == "PTO201"}
        self.assertEqual(before, set(names))
        for pattern, left in (("!models/**", names[1:3]), ("!models", names[1:3]), ("!models/k.py", names[1:2]),
                              ("!k.py", names), ("!nowhere", [])):
            self.write("pto-fix.toml", f'per-file-ignores = {{ "{pattern}" = ["PTO201"] }}\n')
            with self.subTest(pattern=pattern):
                for options in ([], ["--config", "pto-fix.toml"]):
                    self.assertEqual({path for path, rule in self.rules(*options, ".") if rule == "PTO201"}, set(left))
        # Several add up, as others do.
        self.write("pto-fix.toml", 'per-file-ignores = { "!models/**" = ["PTO201"], "models/deep" = ["PTO201"] }\n')
        self.assertEqual({path for path, rule in self.rules(".") if rule == "PTO201"}, {"models/k.py"})
        for key in ("exclude", "extend-exclude"):
            self.write("pto-fix.toml", f'{key} = ["models", "!models/k.py"]\n')
            self.assertIn(f"1:{len(key) + 15}: `{key}` takes nothing back: `!models/k.py`", self.run_program(".", code=2).err)
            self.assertIn("不支持取反", self.run_program("--lang", "zh", ".", code=2).err)

    def test_an_extended_configuration_counts(self):
        self.write("pto-fix.toml", 'per-file-ignores = { "models/**" = ["PTO201"] }\n')
        self.write("models/pto-fix.toml", 'extend = "../pto-fix.toml"\n')
        self.write("models/k.py", LOOP)
        self.assertNotIn(("models/k.py", "PTO201"), self.rules("."))
        self.write("pto-fix.toml", 'extend = "models/pto-fix.toml"\n')
        result = self.run_program(".", code=2)
        self.assertIn("`extend` goes round in a circle", result.err)
        self.assertIn("形成循环", self.run_program("--lang", "zh", ".", code=2).err)

    def test_standard_input_has_the_rules_of_its_name(self):
        self.write("pto-fix.toml", 'per-file-ignores = { "a.py" = ["PTO001"] }\n')
        self.run_program("--stdin-filename", "a.py", "-", stdin=SUPPRESSION, code=0)
        self.run_program("--stdin-filename", "b.py", "-", stdin=SUPPRESSION, code=1)


if __name__ == "__main__":
    main()
