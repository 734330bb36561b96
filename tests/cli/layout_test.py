"""How a kernel is laid out decides nothing: every fixture that is fixed, with its lines continued, its brackets broken up by
comments, its indentation of another width, and a kernel inside of compound statements, is fixed to the same program."""

import ast
import io
import json
import pathlib
import re
import textwrap
import token
import tokenize
import unittest
import warnings

from program import LOOP, ProgramTest, main

FIXTURES = pathlib.Path(__file__).parents[2] / "fixtures"
# What is fixed in part, in another way or not at all when its statements go on behind backslashes.
CONTINUED = {
    "PTO104/one_line.py",  # the new loop would be beside its block's column: the fix is taken back
    "PTO105/comments.py",  # a cast in front of `; scale = 2.0` stays
    "PTO105/semicolon_at_end.py",  # so does one in front of a semicolon on the next line
    "PTO201/batched_slices.py",  # a loop instead of a batch
    "PTO207/written_elsewhere.py",  # a tile setting that goes on is taken for a write
}
LAYOUT = {token.NEWLINE, token.NL, token.COMMENT, token.INDENT, token.DEDENT, token.ENDMARKER, token.ENCODING}


def program_of(text):
    """What CPython reads, without places."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.dump(ast.parse(text))


def comments_of(text):
    return sorted(t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == token.COMMENT)


def cases():
    """Single files in UTF-8 that CPython reads, that are fixed and need no option: the name, the text, what --apply makes."""
    for path in sorted(FIXTURES.glob("*/*.py")):
        if path.name.endswith(".fixed.py"):
            continue
        sidecar = path.with_suffix(".json")
        about = json.loads(sidecar.read_text()) if sidecar.exists() else {}
        if about.get("args") or about.get("assume"):
            continue
        fixed = path.with_suffix(".fixed.py")
        try:
            text = path.read_text(encoding="utf-8-sig")
            after = fixed.read_text(encoding="utf-8-sig")
            program_of(text)
        except (FileNotFoundError, UnicodeDecodeError, SyntaxError):
            continue
        yield str(path.relative_to(FIXTURES)), text, after


def gaps(text):
    """Places between two tokens of a line, by line number: column, and whether it is inside of brackets."""
    found = {}
    depth = 0
    strings = 0
    before = None
    for now in tokenize.generate_tokens(io.StringIO(text).readline):
        name = token.tok_name[now.type]
        if before is not None and not strings and now.type not in LAYOUT and before.type not in LAYOUT:
            if before.end[0] == now.start[0]:
                found.setdefault(now.start[0], []).append((now.start[1], depth > 0))
        strings += name.endswith("STRING_START") - name.endswith("STRING_END")
        if now.type == token.OP and not strings:
            depth += (now.string in "([{") - (now.string in ")]}")
        before = now
    return found


def broken_up(text, what):
    """The text with what(inside brackets) in every gap between two tokens."""
    lines = text.splitlines(keepends=True)
    for number, places in gaps(text).items():
        for column, inside in reversed(places):
            line = lines[number - 1]
            lines[number - 1] = line[:column] + what(inside) + line[column:]
    return "".join(lines)


def indented_by(text, unit):
    """Every level of indentation, where a line begins a statement or holds a comment alone, is the unit."""
    lines = text.splitlines(keepends=True)
    depth = 0
    begins = True
    for now in tokenize.generate_tokens(io.StringIO(text).readline):
        if now.type == token.INDENT:
            depth += 1
        elif now.type == token.DEDENT:
            depth -= 1
        elif now.type == token.NEWLINE:
            begins = True
        elif begins and now.type not in LAYOUT:
            line = lines[now.start[0] - 1]
            lines[now.start[0] - 1] = unit * depth + line.lstrip(" \t")
            begins = False
    return "".join(lines)


class Layout(ProgramTest):
    def apply_to_all(self, variant, known=()):
        """Each case in the variant's layout, fixed in one run: name, variant, what is written, what was expected."""
        written = {}
        for name, text, after in cases():
            laid_out = variant(text)
            self.assertEqual(program_of(laid_out), program_of(text), name)
            self.write(name, laid_out)
            written[name] = (laid_out, after)
        self.assertGreater(len(written), 250)
        fixing = self.run_program("--apply", "--no-config", "--format", "json", ".", timeout=600).json()["fixing"]
        self.assertEqual(fixing["stop"], "no_more_fixes")
        # The rules whose fixes were taken back: a case is in the folder of its rule.
        self.assertLessEqual(set(fixing["quarantined"]), {name.split("/")[0] for name in known})
        for name, (laid_out, after) in written.items():
            yield name, laid_out, self.read(name).decode(), after

    def check(self, variant, known=()):
        for name, _, fixed, after in self.apply_to_all(variant, known):
            with self.subTest(name):
                program = program_of(fixed)
                if name not in known:
                    self.assertEqual(program, program_of(after))

    def test_every_statement_continued_with_backslashes(self):
        def variant(text):
            # A module's name is read in one piece: with a backslash in it the import means nothing, and nothing is found.
            return re.sub(r"(from \\\n  \w+)\\\n  \.\\\n  ", r"\1.", broken_up(text, lambda inside: "" if inside else "\\\n  "))

        self.check(variant, CONTINUED)

    def test_indented_with_tabs(self):
        self.check(lambda text: indented_by(text, "\t"))

    def test_a_comment_in_every_gap_inside_brackets_is_kept(self):
        count = iter(range(10 ** 9))

        def variant(text):
            return broken_up(text, lambda inside: f"  # gap {next(count)}\n" if inside else "")

        for name, laid_out, fixed, _ in self.apply_to_all(variant):
            with self.subTest(name):
                lost = set(comments_of(laid_out)) - set(comments_of(fixed))
                self.assertEqual(lost, set())

    def test_behind_an_interpreter_an_encoding_and_a_future(self):
        first = '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n"""What it is."""\nfrom __future__ import annotations\n'
        expected = {}
        for name, text, after in cases():
            # What stands there already would be no docstring behind another one, and no first line.
            if text.startswith(("import ", "from ")) and "__future__" not in text:
                self.write(name, first + text)
                expected[name] = program_of(first + after)
        self.assertGreater(len(expected), 100)
        result = self.run_program("--apply", "--no-config", "--format", "json", ".", timeout=600)
        self.assertEqual(result.json()["fixing"]["stop"], "no_more_fixes")
        self.assertEqual(result.json()["fixing"]["quarantined"], [])
        for name, wanted in expected.items():
            with self.subTest(name):
                fixed = self.read(name).decode()
                self.assertTrue(fixed.startswith(first))
                self.assertEqual(program_of(fixed), wanted)


class Around(ProgramTest):
    def fixed(self, text):
        self.write("k.py", text)
        self.run_program("--apply", "--unsafe", "--no-config", "k.py")
        return self.read("k.py").decode()

    def test_inside_of_every_compound_statement(self):
        start, kernel = LOOP.split("\n\n\n", 1)
        done = self.fixed(LOOP).split("\n\n\n", 1)[1]
        self.assertNotEqual(done, kernel)
        for unit in ("    ", "  ", "\t"):
            for before, behind in (
                ("if asked():\n{0}pass\nelif HEADS:\n", "else:\n{0}pass\n"),
                ("if HEADS:\n", "elif HEADS: pass\n"),
                ("if not HEADS: x = 1\nelse:\n", "y = 2\n"),
                ("try:\n", "except OSError:\n{0}pass\n"),
                ("try: pass\nexcept OSError: pass\nelse:\n", "finally: pass\n"),
                ("with open('x'), open('y'):\n", "# the end\n"),
                ("def factory():\n", "factory()\n"),
                ("if asked():\n", "{0}# of the branch\nasync def other(): pass\n"),
                ("@first\n@second(1)\ndef factory():\n", ""),
                ("class Kernels:\n", ""),
            ):
                with self.subTest(before, unit=unit):
                    before, behind = before.format(unit), behind.format(unit)
                    text = start + "\n\n\n" + before + textwrap.indent(kernel, unit) + behind
                    wanted = start + "\n\n\n" + before + textwrap.indent(done, unit) + behind
                    fixed = self.fixed(text)
                    self.assertEqual(program_of(fixed), program_of(wanted))
                    self.assertEqual(comments_of(fixed), comments_of(wanted))

    def test_a_file_of_one_line(self):
        strings = """import pypto; x = 'a' "b" r'c' f'{1}' '''d'''; y = -1"""
        comment = "  # pto-fix: ignore[PTO999]"
        for text, wanted in ((strings + comment, strings), (strings + comment + " kept", strings + "  # kept"), (strings, strings)):
            self.assertEqual(self.fixed(text), wanted)


if __name__ == "__main__":
    main()
