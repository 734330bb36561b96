#!/usr/bin/env python3
"""Every case of fixtures/ through the server: a quick fix is the fix of the JSON report, fix-all is what --apply writes."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import client

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures"


def cases():
    """Single files that need no option: an editor has none to give."""
    for path in sorted(FIXTURES.glob("*/*.py")):
        if path.name.endswith(".fixed.py"):
            continue
        sidecar = path.with_suffix(".json")
        about = json.loads(sidecar.read_text()) if sidecar.exists() else {}
        if not about.get("assume"):
            yield path, about.get("args", [])


def run(*arguments):
    return subprocess.run([client.PROGRAM, *map(str, arguments)], capture_output=True, check=False)


class Fixtures(unittest.TestCase):
    def check(self, encoding):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        count = 0
        with client.Server(encoding=encoding, initialize={"rootUri": folder.as_uri()}) as server:
            self.assertEqual(server.encoding, encoding)
            for path, arguments in cases():
                if [a for a in arguments if a != "--unsafe"]:
                    continue
                with self.subTest(case=str(path.relative_to(FIXTURES)), encoding=encoding):
                    count += 1
                    copy = folder / "kernel.py"
                    shutil.copy(path, copy)
                    self.check_case(server, copy, "--unsafe" in arguments)
            self.assertEqual(server.leave(), 0)
        self.assertGreater(count, 300)

    def check_case(self, server, path, unsafe):
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            return  # an editor decodes by itself what it then sends
        text = text.removeprefix("\ufeff")
        bare = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        path.write_bytes(bare)
        report = json.loads(run("--format", "json", path).stdout)
        uri = client.uri_of(path)
        server.open(uri, text)
        found = server.diagnostics(uri, 1)
        expected = [f for f in report["findings"] if f["path"] == str(path)]
        self.assertEqual([f["rule"] for f in expected], [d["code"] for d in found if d["code"] != "syntax-error"])
        starts = client.line_starts(text)
        for finding in expected:
            place = starts[finding["line"] - 1] + finding["column"] - 1
            diagnostic = next(d for d in found if d["code"] == finding["rule"] and d["message"] == finding["message"]
                              and client.offset_of(text, d["range"]["start"], server.encoding, starts) == place)
            actions = [a for a in server.actions(uri, diagnostic["range"], only=["quickfix"])
                       if a.get("diagnostics", [{}])[0].get("range") == diagnostic["range"]
                       and a["diagnostics"][0]["message"] == finding["message"]]
            fixes = [a for a in actions if a.get("data", {}).get("kind") == "fix"]
            wanted = [f for f in [finding["fix"], *finding.get("alternatives", [])] if f]
            self.assertEqual(len(fixes), len(wanted))
            for action, fix in zip(fixes, wanted):
                if any("path" in e for e in fix["edits"]):
                    continue
                raw = bare
                for e in reversed(fix["edits"]):
                    raw = raw[:e["start"]] + e["text"].encode() + raw[e["end"]:]
                got = client.apply_edits(text, client.edits_of(action["edit"], uri), server.encoding)
                self.assertEqual(got, raw.decode())
                self.assertEqual(action.get("isPreferred", False),
                                 fix is finding["fix"] and fix["applicability"] == "safe")
        kind = "source.fixAllUnsafe.pto-fix" if unsafe else "source.fixAll.pto-fix"
        all_ = server.actions(uri, client.everywhere(), only=[kind])
        run("--apply", *(["--unsafe"] if unsafe else []), path)
        fixed = path.read_bytes().decode()
        if not all_:
            self.assertEqual(fixed, text)
        else:
            edit = server.resolve(all_[0])["edit"]
            self.assertEqual(client.apply_edits(text, client.edits_of(edit, uri), server.encoding), fixed)
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        server.diagnostics(uri)

    def test_utf_8(self):
        self.check("utf-8")

    def test_utf_16(self):
        self.check("utf-16")

    def test_utf_32(self):
        self.check("utf-32")


if __name__ == "__main__":
    unittest.main()
