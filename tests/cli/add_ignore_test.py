"""--add-ignore: comments that silence what is found, wherever the finding stands, and nothing but comments."""

import ast
import pathlib
import shutil
import tokenize
import io

from program import LOOP, SUPPRESSION, ProgramTest, main

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"
REASON = "measured 2026-11: 3 s, fine"
COMMENT = f"# pto-fix: ignore[PTO201] {REASON}"


def code_of(raw):
    """The tokens without comments and blank lines."""
    kept = []
    for token in tokenize.tokenize(io.BytesIO(raw).readline):
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            kept.append((token.type, token.string.replace("\r\n", "\n")))
    return kept


class AddIgnore(ProgramTest):
    def silence(self, text, *options, code=0, path="k.py"):
        self.write(path, text)
        result = self.run_program("--add-ignore", REASON, *options, path, code=code)
        return self.read(path), result

    def test_a_comment_with_a_reason_at_the_end_of_the_line(self):
        now, result = self.silence(LOOP)
        self.assertEqual(now.decode(), LOOP.replace("range(HEADS):", f"range(HEADS):  {COMMENT}"))
        self.assertIn("1 finding silenced by a comment in 1 file\n", result.err)
        again = self.run_program("--add-ignore", REASON, "k.py", code=0)
        self.assertIn("0 findings silenced", again.err)
        self.assertEqual(self.read("k.py"), now)
        (found,) = self.run_program("--show-suppressed", "--format=json", "k.py", code=0).json()["suppressed"]
        self.assertEqual(found["suppressed"]["reason"], REASON)

    def test_places(self):
        loop = "    for h in range(HEADS):"
        for name, text, comment_line in (
            ("beside a comment", LOOP.replace(loop, loop + "  # each head"), f"{loop}  # each head  {COMMENT}"),
            ("beside another suppression", LOOP.replace(loop, loop + "  # pto-fix: ignore[PTO205] x"), None),
            ("a long line", LOOP.replace("HEADS", "HEADS_" + "x" * 90), f"    {COMMENT}"),
            ("over several lines", LOOP.replace("range(HEADS):", "range(\n        HEADS\n    ):"), f"    ):  {COMMENT}"),
            ("behind a backslash", LOOP.replace("for h in range(HEADS):", "for h in \\\n        range(HEADS):"),
             f"        range(HEADS):  {COMMENT}"),
            ("tabs", LOOP.replace("    ", "\t"), f"\tfor h in range(HEADS):  {COMMENT}"),
            ("CRLF", LOOP.replace("\n", "\r\n"), f"{loop}  {COMMENT}\r"),
            ("CRLF and a long line", LOOP.replace("HEADS", "HEADS_" + "x" * 90).replace("\n", "\r\n"), f"    {COMMENT}\r"),
            ("BOM", "\ufeff" + LOOP, f"{loop}  {COMMENT}"),
        ):
            with self.subTest(name):
                before = text.encode()
                now, result = self.silence(text)
                self.assertIn("1 finding silenced", result.err)
                self.assertEqual(code_of(now), code_of(before))
                if comment_line:
                    self.assertIn(comment_line, now.decode().split("\n"))
                self.assertEqual(now.count(b"\n") - before.count(b"\n"), int(comment_line is not None and comment_line.strip().startswith("#")))
                self.run_program("k.py", code=0)

    def test_every_fixture(self):
        """Nothing of it is left but what is about suppressions, and only comments came in."""
        shutil.copytree(FIXTURES, self.folder / "f", ignore=lambda _, names: [n for n in names if n == "logs"])
        before = {p: p.read_bytes() for p in (self.folder / "f").rglob("*.py")}
        found = self.run_program("--format", "json", "f").json()["findings"]
        result = self.run_program("--add-ignore", REASON, "--fail-on", "info", "f")
        self.assertNotIn("internal error", result.err)
        changed = 0
        for path, raw in before.items():
            now = path.read_bytes()
            if now == raw:
                continue
            changed += 1
            with self.subTest(path.name):
                try:
                    ast.parse(raw)
                except (SyntaxError, ValueError):
                    continue
                self.assertEqual(code_of(now), code_of(raw))
        self.assertGreater(changed, 100)
        left = self.run_program("--format", "json", "f").json()["findings"]
        left = [f for f in left if f["rule"] != "PTO001"]
        self.assertLess(len(left), len(found) / 50, [(f["path"], f["line"], f["rule"]) for f in left])

    def test_what_counts_decides(self):
        for options, silenced in ((["--fail-on", "error"], 0), (["--select", "PTO1"], 0), (["--select", "PTO2"], 1)):
            _, result = self.silence(LOOP, *options, code=0)
            self.assertIn(f"{silenced} finding", result.err)
        self.write("k.py", LOOP)
        self.run_program("--output", "b.json", "k.py", code=1)
        self.assertIn("0 findings silenced", self.silence(LOOP, "--baseline", "b.json")[1].err)

    def test_a_diff_writes_nothing(self):
        now, result = self.silence(LOOP, "--diff", code=1)
        self.assertEqual(now.decode(), LOOP)
        self.assertIn("1 finding to silence in 1 file; without --diff they are written", result.err)
        self.assertIn(f"+    for h in range(HEADS):  {COMMENT}\n", result.out)

    def test_faults_of_suppressions_are_not_silenced(self):
        now, result = self.silence(SUPPRESSION, code=1)
        self.assertEqual(now.decode(), SUPPRESSION)

    def test_an_encoding_that_has_not_the_words(self):
        text = "# coding: latin-1\n" + LOOP
        self.write("k.py", text)
        result = self.run_program("--add-ignore", "已测量", "k.py", code=2)
        self.assertEqual(self.read("k.py").decode(), text)
        self.write("k.py", ("# coding: gbk\n" + LOOP).encode("gbk"))
        self.run_program("--add-ignore", "已测量", "k.py", code=0)
        self.assertIn("ignore[PTO201] 已测量", self.read("k.py").decode("gbk"))

    def test_unused_ones_are_found_and_removed(self):
        """The counterpart: when the code is mended, the directive is an info; its fix removes it and keeps the words."""
        now, _ = self.silence(LOOP)
        mended = now.decode().replace("in range(HEADS)", 'in pypto.loop(HEADS, name="H", idx_name="h")')
        self.write("k.py", mended)
        told = self.run_program("k.py", code=0)
        self.assertIn("suppresses nothing here", told.out)
        self.assertIn("fix, unsafe (written with --unsafe):", told.out)
        self.assertIn("1 finding has a fix that needs a look: --unsafe", told.err)
        # Another rule than those that run: nobody knows.
        for selected in ("PTO201", "PTO001,PTO202"):
            self.run_program("--apply", "--unsafe", "--select", selected, "k.py", code=0)
            self.assertEqual(self.read("k.py").decode(), mended)
        self.run_program("--apply", "k.py", code=0)
        self.assertEqual(self.read("k.py").decode(), mended)
        self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(self.read("k.py").decode(), mended.replace(COMMENT, "# " + REASON))

    def test_one_of_several_that_is_unused_goes_alone(self):
        comment = "# pto-fix: ignore[PTO201, PTO202] " + REASON
        self.write("k.py", LOOP.replace("in range(HEADS):", f"in range(HEADS):  {comment}"))
        self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(self.read("k.py").decode(),
                         LOOP.replace("in range(HEADS):", f"in range(HEADS):  {comment.replace(', PTO202', '')}"))

    def test_a_fix_of_an_info_says_what_writes_it(self):
        """A rule that a project has made an info: its fix is written where it is named."""
        self.write("pto-fix.toml", '[severity]\nPTO201 = "info"\n')
        self.write("k.py", LOOP)
        for language, words in (("en", "where --select names PTO201"), ("zh", "--select 写明 PTO201")):
            told = self.run_program("--lang", language, "k.py", code=0)
            self.assertIn(words, told.out)
            self.assertNotIn("--apply", told.err)
            self.assertNotIn("--unsafe", told.err)
        self.run_program("--apply", "--unsafe", "k.py", code=0)
        self.assertEqual(self.read("k.py").decode(), LOOP)
        self.run_program("--apply", "--unsafe", "--select", "PTO201", "k.py", code=0)
        self.assertNotEqual(self.read("k.py").decode(), LOOP)

    def test_what_is_refused(self):
        self.write("k.py", LOOP)
        for arguments, said in ((["--add-ignore", "", "k.py"], "needs a reason"), (["--add-ignore", "  ", "k.py"], "needs a reason"),
                                (["--add-ignore", "a # b", "k.py"], "needs a reason"), (["--add-ignore", "a\nb", "k.py"], "needs a reason"),
                                (["--add-ignore", "x", "--apply", "k.py"], "exclude each other"),
                                (["--add-ignore", "x", "-"], "standard input has none"), (["k.py", "--add-ignore"], "needs a value")):
            self.assertIn(said, self.run_program(*arguments, code=2).err)
        self.assertEqual(self.read("k.py").decode(), LOOP)


if __name__ == "__main__":
    main()
