#!/usr/bin/env python3
"""Ten thousand edits: memory is what it was after the first two thousand."""
import os
import random
import unittest

import client
from protocol_test import KERNEL, UNTITLED

EDITS = 10000
SETTLED = 2000
# AddressSanitizer holds back 256 MB of what was freed, and has a shadow of an eighth of that.
HELD_BACK_KB = (256 + 32) * 1024 if "ASAN_OPTIONS" in os.environ else 0
MOST_GROWTH_KB = 3 * 1024 + HELD_BACK_KB
INSERTED = ["x", "(", ")", "'", '"""', "#", "\n", "    ", ":", "[128, 1]", "é", "中😀", "def f():\n    pass\n", "@", "pypto."]


def resident_kb(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Soak(unittest.TestCase):
    def test_memory_is_flat(self):
        """Typing that is taken back, so that texts do not grow; actions, hovers and other documents now and then."""
        chance = random.Random(5)
        lines = KERNEL.split("\n")
        other = "untitled:other"
        with client.Server() as server:
            server.open(UNTITLED, KERNEL, 0)
            server.open(other, "import pypto\n", 0)
            settled = None
            version = 0
            while version < EDITS:
                line = chance.randrange(len(lines))
                column = chance.randrange(len(lines[line]) + 1)
                new = chance.choice(INSERTED)
                start = {"line": line, "character": column}
                *between, last = new.split("\n")
                units = client.units(last, "utf-16")
                end = {"line": line + len(between), "character": units if between else column + units}
                for change in ({"range": {"start": start, "end": start}, "text": new},
                               {"range": {"start": start, "end": end}, "text": ""}):
                    version += 1
                    server.change(UNTITLED, version, change)
                    if version % 5 == 0:
                        server.diagnostics(UNTITLED, version)
                        server.notifications.clear()
                if version % 50 == 0:
                    document = {"textDocument": {"uri": UNTITLED}}
                    for action in server.actions(UNTITLED, client.everywhere()):
                        if "disabled" not in action:
                            server.resolve(action)
                    server.request("textDocument/hover", {**document, "position": {"line": 8, "character": 12}})
                    server.request("textDocument/inlayHint", {**document, "range": client.everywhere()})
                    server.notify("textDocument/didClose", {"textDocument": {"uri": other}})
                    other = f"untitled:{version}"
                    server.open(other, KERNEL)
                if version == SETTLED:
                    settled = resident_kb(server)
            self.assertEqual([d["code"] for d in server.diagnostics(UNTITLED, version)], ["PTO202"])
            growth = resident_kb(server) - settled
            self.assertLess(growth, MOST_GROWTH_KB, f"{settled} KB grew by {growth} KB")
            self.assertEqual(server.leave(), 0)


if __name__ == "__main__":
    unittest.main()
