#!/usr/bin/env python3
"""A client that does all it should not: whatever it sends, the server answers the next proper message properly."""
import copy
import json
import pathlib
import random
import shutil
import tempfile
import unittest

import client
from protocol_test import KERNEL, UNTITLED

NASTY = [None, True, -1, 0, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, -2 ** 63, 10 ** 30, "", "x", "file:///", "file://", "untitled:", "\0", "😀", "%", [], {},
         [None], {"": None}, [[[[]]]], {"start": {"line": 5, "character": 5}, "end": {"line": 0, "character": 0}}]


def messages(uri):
    document = {"textDocument": {"uri": uri}}
    place = {**document, "position": {"line": 8, "character": 12}}
    opened = {"uri": uri, "languageId": "python", "version": 1, "text": KERNEL}
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    change = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "x = 1\n"}
    data = {"uri": uri, "text": "0", "kind": "fix", "finding": 0, "fix": 0, "owner": uri, "about": ""}
    return [
        (False, "textDocument/didOpen", {"textDocument": opened}),
        (False, "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change, change]}),
        (False, "textDocument/didClose", document),
        (False, "textDocument/didSave", document),
        (False, "workspace/didChangeConfiguration", {"settings": {"pto-fix": {"lang": "en", "select": ["PTO2"], "inlayHints": True}}}),
        (False, "workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}, {"uri": "file:///w/pto-fix.toml", "type": 1}]}),
        (False, "workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": "file:///none", "name": "x"}], "removed": []}}),
        (False, "$/cancelRequest", {"id": 5}),
        (False, "$/setTrace", {"value": "verbose"}),
        (True, "textDocument/codeAction", {**document, "range": everywhere, "context": {"diagnostics": [], "only": ["quickfix"]}}),
        (True, "codeAction/resolve", {"title": "x", "kind": "quickfix", "data": data}),
        (True, "textDocument/hover", place),
        (True, "textDocument/inlayHint", {**document, "range": everywhere}),
        (True, "textDocument/codeLens", document),
        (True, "textDocument/diagnostic", {**document, "previousResultId": "x"}),
        (True, "workspace/executeCommand", {"command": "pto-fix.fixFile", "arguments": [uri, True]}),
        (True, "workspace/executeCommand", {"command": "pto-fix.applyAction", "arguments": [data]}),
        (True, "workspace/executeCommand", {"command": "pto-fix.budget", "arguments": [uri]}),
        (True, "initialize", {"capabilities": {}}),
    ]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def mutated(value, chance):
    """One thing in it is something else, gone, or there twice."""
    value = copy.deepcopy(value)
    path = chance.choice(list(places(value)))
    if not path:
        return chance.choice(NASTY)
    at = value
    for key in path[:-1]:
        at = at[key]
    how = chance.random()
    if how < 0.2:
        del at[path[-1]]
    elif how < 0.3 and isinstance(at, list):
        at.insert(0, copy.deepcopy(at[path[-1]]))
    else:
        at[path[-1]] = chance.choice(NASTY)
    return value


class Hostile(unittest.TestCase):
    def check_alive(self, server):
        """It still does its work."""
        uri = "untitled:proper"
        server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {}}})
        server.open(uri, KERNEL, 77)
        self.assertEqual([d["code"] for d in server.diagnostics(uri, 77)], ["PTO202"])
        (action,) = server.actions(uri, client.everywhere(), only=["source.fixAll"])
        fixed = client.apply_edits(KERNEL, client.edits_of(server.resolve(action)["edit"], uri), server.encoding)
        self.assertIn("[128, 64, 32", fixed)
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def test_mutated_messages(self):
        chance = random.Random(11)
        kinds = messages(UNTITLED)
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            for turn in range(3000):
                is_request, method, params = chance.choice(kinds)
                if chance.random() < 0.8:
                    params = mutated(params, chance)
                if is_request:
                    try:
                        server.request(method, params)
                    except client.Failure as failure:
                        self.assertIn(failure.code, (-32600, -32602, -32801, -32803), f"{method} {params}")
                else:
                    server.notify(method, params)
                server.notifications.clear()
                server.requests.clear()
                if turn % 500 == 499:
                    self.check_alive(server)
            self.assertEqual(server.leave(), 0)
            self.assertEqual(server.process.stderr.read(), b"")

    def test_mutated_bytes(self):
        chance = random.Random(12)
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            for _ in range(1500):
                is_request, method, params = chance.choice(messages(UNTITLED))
                body = bytearray(json.dumps({"jsonrpc": "2.0", "method": method, "params": params,
                                             **({"id": 10 ** 6} if is_request else {})}).encode())
                for _ in range(chance.choice((1, 1, 3))):
                    body[chance.randrange(len(body))] = chance.randrange(256)
                server.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                if chance.random() < 0.05:
                    self.drain(server)
            self.drain(server)
            self.check_alive(server)
            self.assertEqual(server.leave(), 0)

    def drain(self, server):
        """Reads all that was said up to now: the answer to a question that has no other."""
        try:
            server.request("no/such", None)
        except client.Failure as failure:
            self.assertEqual(failure.code, -32601)
        server.notifications.clear()

    def test_noise_between_frames(self):
        chance = random.Random(13)
        with client.Server() as server:
            for _ in range(200):
                noise = bytes(chance.randrange(256) for _ in range(chance.randrange(300))).replace(b":", b"")
                server.send_bytes(noise + b"\r\n\r\n")
            server.send_bytes(b"Content-Length: -5\r\n\r\nContent-Length: 1e9\r\n\r\nContent-Length:\r\n\r\n")
            self.drain(server)
            self.check_alive(server)
            self.assertEqual(server.leave(), 0)

    def test_large_messages(self):
        with client.Server() as server:
            server.open(UNTITLED, "x = 1  # pypto\n" * 400000)  # 6 MB
            server.diagnostics(UNTITLED, 1)
            server.open("untitled:line", "import pypto\nx = '" + "a" * 3000000 + "'\n")
            server.diagnostics("untitled:line", 1)
            server.send_bytes(b"Content-Length: 400000000\r\n\r\n")
            for _ in range(400):
                server.send_bytes(b" " * 1000000)
            answer = server.read()
            while "method" in answer:  # the second document's, sent twice
                answer = server.read()
            self.assertEqual(answer["error"]["code"], -32700)
            server.change(UNTITLED, 2, *[{"range": {"start": {"line": i, "character": 0}, "end": {"line": i, "character": 0}}, "text": "#"}
                                         for i in range(300)])
            server.diagnostics(UNTITLED, 2)
            self.check_alive(server)
            self.assertEqual(server.leave(), 0)

    def test_many_documents_at_once(self):
        """Two hundred that import each other in a ring, and are changed in turns without waiting."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, True)
        chance = random.Random(14)
        count = 200
        uris = [(folder / f"m{i}.py").as_uri() for i in range(count)]
        texts = [f"from m{(i + 1) % count} import UNROLL as NEXT\nUNROLL = [128, 1]\n" + KERNEL.replace("[128, 1]", "UNROLL")
                 for i in range(count)]
        with client.Server(initialize={"rootUri": folder.as_uri()}) as server:
            for uri, text in zip(uris, texts):
                server.open(uri, text, 0)
            version = 0
            for _ in range(300):
                i = chance.randrange(count)
                version += 1
                new = chance.choice(("[2, 1]", "[128, 1]"))
                server.change(uris[i], version, {"range": {"start": {"line": 1, "character": 9}, "end": {"line": 1, "character": 99}},
                                                 "text": new})
                texts[i] = new
            server.request("textDocument/codeLens", {"textDocument": {"uri": uris[0]}})
            last = (count - 1) // 2
            server.change(uris[last], version + 1, {"range": {"start": {"line": 1, "character": 9}, "end": {"line": 1, "character": 99}},
                                                    "text": "[64, 1]"})
            self.assertIn("PTO202", [d["code"] for d in server.diagnostics(uris[last], version + 1)])
            shutil.rmtree(folder)  # it was never written to
            server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": folder.as_uri(), "type": 3}]})
            self.assertIn("PTO202", [d["code"] for d in server.diagnostics(uris[last])])
            for uri in uris:
                server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            self.drain(server)
            self.check_alive(server)
            self.assertEqual(server.leave(), 0)

    def test_a_folder_goes_away(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, True)
        inner = folder / "in"
        inner.mkdir()
        (inner / "sizes.py").write_text("UNROLL = [128, 1]\n")
        kernel = inner / "kernel.py"
        kernel.write_text("from sizes import UNROLL\n" + KERNEL.replace("[128, 1]", "UNROLL"))
        with client.Server(initialize={"rootUri": folder.as_uri()}, textDocument__diagnostic=None) as server:
            server.open(kernel.as_uri(), kernel.read_text())
            self.assertEqual([d["code"] for d in server.diagnostics(kernel.as_uri(), 1)], ["PTO202"])
            found = server.actions(kernel.as_uri(), client.everywhere(), only=["quickfix"])
            # Changed by another program that nobody tells of: no edit for what was there.
            (inner / "sizes.py").write_text("# new\nUNROLL = [128, 1]\n")
            self.assertTrue(all("sizes.py" not in json.dumps(a.get("edit", "")) for a in
                                server.actions(kernel.as_uri(), client.everywhere(), only=["quickfix"])))
            for action in found:
                if action.get("data", {}).get("kind") == "fix":
                    with self.assertRaises(client.Failure) as failure:
                        server.request("codeAction/resolve", action)
                    self.assertEqual(failure.exception.code, -32801)
            shutil.rmtree(inner)
            server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": inner.as_uri(), "type": 3}]})
            self.assertEqual(server.diagnostics(kernel.as_uri()), [])
            shutil.rmtree(folder)
            self.assertEqual(server.request("workspace/executeCommand", {"command": "pto-fix.fixWorkspace"}), False)
            self.check_alive(server)
            self.assertEqual(server.leave(), 0)


if __name__ == "__main__":
    unittest.main()
