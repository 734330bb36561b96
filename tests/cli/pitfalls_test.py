"""docs/pitfalls.md: a row for every pitfall, and every test that it names is there."""

import pathlib
import re
import unittest

TOP = pathlib.Path(__file__).parents[2]
ROWS = 77
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| (.+) \|$")
GUARD = re.compile(r"`([\w./-]+\.(?:cpp|py|json)): ([^`]+)`")


def rows():
    for line in (TOP / "docs/pitfalls.md").read_text(encoding="utf-8").splitlines():
        if re.match(r"\| *\d", line):
            yield line, ROW.match(line)


def declares(path, text, name):
    """Does the file have the test, and not only its words?"""
    if path.startswith("tests/unit/"):
        joined = re.sub(r'"\s*\n\s*"', "", text)  # a long name is written in several literals
        return re.search(r'TEST_CASE\(\s*"' + re.escape(name) + '"', joined)
    if path.endswith(".json"):
        return f'"about": "{name}"' in text
    if path.endswith(".py"):
        return re.search(rf"^\s*def {re.escape(name)}\(", text, re.M)
    return re.search(rf"^[\w:<>&*]+ {re.escape(name)}\(", text, re.M)


class Pitfalls(unittest.TestCase):
    def test_every_row_is_there_once_and_in_order(self):
        for line, row in rows():
            self.assertIsNotNone(row, line)
        self.assertEqual([int(row[1]) for _, row in rows()], list(range(1, ROWS + 1)))

    def test_every_row_names_a_test_or_says_why_none_is_needed(self):
        for _, row in rows():
            with self.subTest(row[1]):
                self.assertTrue(GUARD.search(row[3]) or row[3].startswith("Cannot happen: "))
                # What is in code quotes and looks like a test is one.
                self.assertEqual(len(GUARD.findall(row[3])), len(re.findall(r"`[^`]*/[^`]*`", row[3])))

    def test_every_test_that_is_named_is_there(self):
        for _, row in rows():
            for path, name in GUARD.findall(row[3]):
                with self.subTest(row[1], path=path, name=name):
                    self.assertTrue(declares(path, (TOP / path).read_text(encoding="utf-8"), name))

    def test_nobody_asks_the_parser_by_query_or_by_number(self):
        """A query may run for ever, and each child by its number costs a walk over those before it."""
        sources = [path for folder in ("src", "rewrites") for path in (TOP / folder).rglob("*") if path.suffix in (".cpp", ".h")]
        self.assertGreater(len(sources), 200)
        for path in sources:
            self.assertIsNone(re.search(r"\bts_(query_|node_(named_)?child\()", path.read_text(encoding="utf-8")), path)


if __name__ == "__main__":
    unittest.main()
