#!/usr/bin/env python3
"""Random typing in every encoding: after each change the server knows what a fresh look at the same text knows."""
import json
import random
import subprocess
import unittest

import client
from protocol_test import KERNEL, UNTITLED

ALPHABET = ["é", "中", "😀", "e\u0301", "👩\u200d👧", "x", " ", "    ", "\n", "\r\n", "\r", "\t", "#", '"', "'''", "(", ")",
            "[", "]", ":", "def f():\n", "if x:\n", "else:\n", "    pass\n", "@", "\\\n", "128", ", 1", "pypto."]


def fresh(text):
    run = subprocess.run([client.PROGRAM, "--format", "json", "--stdin-filename", "/kernel.py", "-"],
                         input=text.encode(), capture_output=True, check=False)
    report = json.loads(run.stdout)
    starts = client.line_starts(text)
    def place(line, column):
        return starts[line - 1] + column - 1
    return sorted((f["rule"], f["message"], place(f["line"], f["column"]), place(f["endLine"], f["endColumn"]))
                  for f in report["findings"])


class Typing(unittest.TestCase):
    def check(self, encoding, seed, steps):
        chance = random.Random(seed)
        two = KERNEL + "\n\n# 中文 😀\n" + KERNEL.replace("kernel(", "second(").split("\n", 2)[2]
        text = two
        with client.Server(encoding=encoding) as server:
            server.open(UNTITLED, text, 0)
            for version in range(1, steps + 1):
                changes = []
                for _ in range(chance.choice((1, 1, 1, 2, 3))):
                    if chance.random() < 0.1:
                        text = two
                        changes.append({"text": text})
                        continue
                    start = chance.randrange(len(text) + 1)
                    end = min(len(text), start + chance.choice((0, 0, 0, 1, 2, 7, 40)))
                    # The protocol has no position inside a line end.
                    inside = [i for i in (start, end) if text[i - 1:i + 1] == "\r\n"]
                    if inside:
                        continue
                    new = "".join(chance.choice(ALPHABET) for _ in range(chance.choice((0, 1, 1, 2))))
                    changes.append({"range": {"start": client.position_of(text, start, encoding),
                                              "end": client.position_of(text, end, encoding)}, "text": new})
                    text = text[:start] + new + text[end:]
                server.change(UNTITLED, version, *changes)
                found = server.diagnostics(UNTITLED, version)
                starts = client.line_starts(text)
                got = sorted((d["code"], d["message"],
                              client.offset_of(text, d["range"]["start"], encoding, starts),
                              client.offset_of(text, d["range"]["end"], encoding, starts))
                             for d in found if d["code"] != "syntax-error")
                self.assertEqual(got, fresh(text), f"seed {seed}, version {version}")
            self.assertEqual(server.leave(), 0)

    def test_utf_8(self):
        self.check("utf-8", 1, 150)

    def test_utf_16(self):
        self.check("utf-16", 2, 150)

    def test_utf_32(self):
        self.check("utf-32", 3, 150)


if __name__ == "__main__":
    unittest.main()
