#!/usr/bin/env python3
"""Every case of fixtures/ through the server: a quick fix is the fix of the JSON report, fix-all is what --apply writes."""
import contextlib
import json
import pathlib
import shutil
import subprocess
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
    """The program runs once for each case, then each of three servers, one an encoding, is asked for the same."""

    def test_all(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        count = 0
        with contextlib.ExitStack() as stack:
            servers = []
            for encoding in client.ENCODINGS:
                server = client.Server(encoding=encoding, initialize={"rootUri": folder.as_uri()})
                servers.append(stack.enter_context(server))
                self.assertEqual(server.encoding, encoding)
            for path, arguments in cases():
                if [a for a in arguments if a != "--unsafe"]:
                    continue
                with self.subTest(case=str(path.relative_to(FIXTURES))):
                    count += 1
                    self.check_case(servers, path, folder / "kernel.py", "--unsafe" in arguments)
            for server in servers:
                self.assertEqual(server.leave(), 0)
        self.assertGreater(count, 300)

    def check_case(self, servers, fixture, path, unsafe):
        bare = fixture.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            text = bare.decode()
        except UnicodeDecodeError:
            return  # an editor decodes by itself what it then sends
        path.write_bytes(bare)
        report = json.loads(run("--format", "json", path).stdout)
        run("--apply", "--no-journal", *(["--unsafe"] if unsafe else []), path)
        fixed = path.read_bytes().decode()
        path.write_bytes(bare)
        for server in servers:
            with self.subTest(encoding=server.encoding):
                self.check_server(server, client.uri_of(path), text, report, fixed, unsafe)

    def check_server(self, server, uri, text, report, fixed, unsafe):
        server.open(uri, text)
        found = server.diagnostics(uri, 1)
        path = str(pathlib.Path(uri.removeprefix("file://")))
        expected = [f for f in report["findings"] if f["path"] == path]
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
                raw = text.encode()
                for e in reversed(fix["edits"]):
                    raw = raw[:e["start"]] + e["text"].encode() + raw[e["end"]:]
                got = client.apply_edits(text, client.edits_of(action["edit"], uri), server.encoding)
                self.assertEqual(got, raw.decode())
                self.assertEqual(action.get("isPreferred", False),
                                 fix is finding["fix"] and fix["applicability"] == "safe")
        kind = "source.fixAllUnsafe.pto-fix" if unsafe else "source.fixAll.pto-fix"
        all_ = server.actions(uri, client.everywhere(), only=[kind])
        if not all_:
            self.assertEqual(fixed, text)
        else:
            edit = server.resolve(all_[0])["edit"]
            self.assertEqual(client.apply_edits(text, client.edits_of(edit, uri), server.encoding), fixed)
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        server.diagnostics(uri)


if __name__ == "__main__":
    unittest.main()
