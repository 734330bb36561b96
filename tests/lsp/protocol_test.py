#!/usr/bin/env python3
"""The conversation itself: its order, its errors, its end."""
import ast
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import client

KERNEL = '''import pypto


@pypto.frontend.jit
def kernel(
    x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
    out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(1, 64)
    for i in pypto.loop(x.shape[0], name="ROWS", idx_name="i", unroll_list=[128, 1]):
        row = pypto.view(x, [1, 64], [i, 0])
        pypto.assemble(pypto.exp(row), [i, 0], out)
'''
UNTITLED = "untitled:Untitled-1"


class Lifecycle(unittest.TestCase):
    def test_shutdown_and_exit(self):
        with client.Server() as server:
            self.assertEqual(server.initialized["serverInfo"]["name"], "pto-fix")
            self.assertEqual(server.leave(), 0)
            self.assertEqual(server.process.stderr.read(), b"")

    def test_exit_without_shutdown(self):
        with client.Server() as server:
            server.notify("exit", None)
            self.assertEqual(server.process.wait(20), 1)

    def test_end_of_the_stream(self):
        for start in (False, True):
            with client.Server(start=start) as server:
                server.process.stdin.close()
                self.assertEqual(server.process.wait(20), 1)
                server.process.stdin = open(os.devnull, "wb")  # to be closed again

    def test_nobody_reads(self):
        with client.Server() as server:
            server.process.stdout.close()
            for version in range(2000):
                try:
                    server.open(UNTITLED, KERNEL, version)
                except BrokenPipeError:
                    break
            self.assertEqual(server.process.wait(20), 1)
            server.process.stdout = open(os.devnull, "rb")
            server.process.stdin = open(os.devnull, "wb")

    def test_the_client_dies(self):
        """Its pipes are still held open by another process."""
        parent = subprocess.Popen(["sleep", "60"])
        with client.Server(initialize={"processId": parent.pid}) as server:
            with self.assertRaises(client.Failure):
                server.request("textDocument/hover", {"textDocument": {"uri": "file:///none.py"}})
            parent.kill()
            parent.wait()
            self.assertEqual(server.process.wait(20), 1)

    def test_the_client_is_dead_already(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        with client.Server(start=False) as server:
            server.request("initialize", {"processId": gone.pid, "capabilities": {}})
            self.assertEqual(server.process.wait(20), 1)

    def test_idle_takes_no_time(self):
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            server.diagnostics(UNTITLED)
            time.sleep(0.3)
            stat = pathlib.Path(f"/proc/{server.process.pid}/stat")
            before = stat.read_text().split()[13:15]
            time.sleep(1.5)
            self.assertEqual(stat.read_text().split()[13:15], before)

    def test_wrong_options(self):
        for arguments in (["lsp", "x.py"], ["lsp", "--diff"], ["lsp", "--format", "xml"]):
            run = subprocess.run([client.PROGRAM, *arguments], input=b"", capture_output=True, check=False)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertNotEqual(run.stderr, b"")
            self.assertEqual(run.stdout, b"")


class Errors(unittest.TestCase):
    def error(self, server, message):
        server.send(message)
        answer = server.read()
        return answer["id"], answer["error"]["code"]

    def test_order(self):
        with client.Server(start=False) as server:
            self.assertEqual(self.error(server, {"id": 7, "method": "textDocument/hover"}), (7, -32002))
            server.notify("textDocument/didOpen", {})  # dropped
            self.assertIn("capabilities", server.request("initialize", {"capabilities": {}}))
            self.assertEqual(self.error(server, {"id": "a", "method": "initialize", "params": {}}), ("a", -32600))
            self.assertEqual(self.error(server, {"id": 8, "method": "no/such"}), (8, -32601))
            server.request("shutdown", None)
            self.assertEqual(self.error(server, {"id": 9, "method": "textDocument/hover"}), (9, -32600))
            server.notify("exit", None)
            self.assertEqual(server.process.wait(20), 0)

    def test_malformed(self):
        with client.Server() as server:
            def raw(body):
                server.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                answer = server.read()
                return answer["id"], answer["error"]["code"]

            self.assertEqual(raw(b"{"), (None, -32700))
            self.assertEqual(raw(b"\xff\xfe"), (None, -32700))
            self.assertEqual(raw(b"[1]"), (None, -32600))
            self.assertEqual(raw(b'{"id": 1}'), (1, -32600))
            self.assertEqual(raw(b'{"id": [1], "method": "shutdown"}'), (None, -32600))
            self.assertEqual(raw(b'{"id": 5, "method": "textDocument/hover", "params": [1]}'), (5, -32602))
            server.send_bytes(b"Content-Length: many\r\n\r\n")
            self.assertEqual(server.read()["error"]["code"], -32700)
            server.send_bytes(b"content-type: x\r\nCONTENT-LENGTH:  57 \r\n\r\n" +
                              b'{"jsonrpc":"2.0","id":6,"method":"shutdown","params":null}'[:57])
            self.assertEqual(server.read()["error"]["code"], -32700)  # a byte short
            server.send_bytes(b"}")  # no header: skipped
            server.send_bytes(b"\r\n\r\n")
            server.read()
            self.assertEqual(server.leave(), 0)

    def test_changes_that_make_no_sense(self):
        with client.Server() as server:
            server.notify("textDocument/didChange", {"textDocument": {"uri": UNTITLED, "version": 1}, "contentChanges": []})
            server.wait_for("window/logMessage")
            server.open(UNTITLED, KERNEL)
            self.assertEqual([d["code"] for d in server.diagnostics(UNTITLED, 1)], ["PTO202"])
            for change in ({"text": 5}, {"range": {}, "text": ""}, {"range": {"start": {"line": -1, "character": 0},
                                                                              "end": {"line": 0, "character": 0}}, "text": "x"}, 3):
                server.change(UNTITLED, 2, change)
                server.wait_for("window/logMessage")
                # What the text is now, nobody knows: nothing is said of it until it comes whole.
                self.assertEqual(server.diagnostics(UNTITLED, 2), [])
                server.change(UNTITLED, 3, {"range": client.everywhere(), "text": KERNEL})
                server.wait_for("window/logMessage")
                self.assertEqual(server.actions(UNTITLED, client.everywhere()), [])
                server.change(UNTITLED, 4, {"text": KERNEL})
                self.assertEqual([d["code"] for d in server.diagnostics(UNTITLED, 4)], ["PTO202"])
            # Beyond the end is the end.
            server.change(UNTITLED, 5, {"range": {"start": {"line": 999, "character": 9}, "end": {"line": 9999, "character": 0}},
                                        "text": "# end\n"})
            self.assertEqual([d["code"] for d in server.diagnostics(UNTITLED, 5)], ["PTO202"])
            self.assertEqual(server.leave(), 0)

    def test_deep_messages(self):
        with client.Server() as server:
            for body in (b'{"id": 1, "method": "codeAction/resolve", "params": {"x": ' + b"[" * 200000 + b"]" * 200000 + b"}}",
                         b"[" * 300000):
                server.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self.assertEqual(server.read()["error"]["code"], -32600)
            self.assertEqual(server.leave(), 0)

    def test_half_a_character(self):
        """As JSON.stringify writes it; half a pair is one unit of UTF-16, so what follows stays in step."""
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            server.diagnostics(UNTITLED, 1)
            body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": UNTITLED, "version": 2}, "contentChanges": [
                    {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
                     "text": "# \ud83d \ud83d\ude00 \\ud83d\n\n"}]}}).encode()
            server.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            (found,) = server.diagnostics(UNTITLED, 2)
            self.assertEqual(found["range"]["start"]["line"], KERNEL[:KERNEL.index("[128")].count("\n") + 2)
            self.assertEqual(server.leave(), 0)

    def test_one_document_does_not_stop_another(self):
        with client.Server() as server:
            for i, text in enumerate(["(" * 50000, "\0", "# -*- coding: nonsense -*-\n" + KERNEL, "x = '\ud7ff'",
                                      "\n".join(" " * n + "if x:" for n in range(200)) + " pypto.loop(1)\n"]):
                server.open(f"untitled:{i}", text)
            server.open(UNTITLED, KERNEL)
            self.assertEqual([d["code"] for d in server.diagnostics(UNTITLED, 1)], ["PTO202"])
            self.assertEqual([d["code"] for d in server.diagnostics("untitled:2", 1)], ["PTO202"])
            self.assertEqual(server.leave(), 0)


class Editing(unittest.TestCase):
    def test_no_stale_edit(self):
        with client.Server() as server:
            server.open(UNTITLED, KERNEL, 1)
            (action,) = server.actions(UNTITLED, client.everywhere(), only=["source.fixAll"])
            self.assertNotIn("edit", action)
            edit = server.resolve(action)["edit"]
            self.assertEqual(edit["documentChanges"][0]["textDocument"], {"uri": UNTITLED, "version": 1})
            server.change(UNTITLED, 2, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
                                        "text": "# a line\n"})
            with self.assertRaises(client.Failure) as failure:
                server.resolve(action)
            self.assertEqual(failure.exception.code, -32801)
            (again,) = server.actions(UNTITLED, client.everywhere(), only=["source.fixAll.pto-fix"])
            self.assertEqual(server.resolve(again)["edit"]["documentChanges"][0]["textDocument"]["version"], 2)
            # Back to the old text, the old action is as good as ever.
            server.change(UNTITLED, 3, {"text": KERNEL})
            self.assertEqual(server.resolve(action)["edit"]["documentChanges"][0]["textDocument"]["version"], 3)
            self.assertEqual(server.leave(), 0)

    def test_kinds(self):
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            def kinds(**context):
                return {a["kind"] for a in server.actions(UNTITLED, client.everywhere(), **context)}
            self.assertEqual(kinds(only=["quickfix"]), {"quickfix"})
            self.assertEqual(kinds(only=["source"]), {"source.fixAll.pto-fix"} | kinds(only=["source.fixAllUnsafe"]))
            self.assertEqual(kinds(only=["source.fixAll"]), {"source.fixAll.pto-fix"})
            self.assertEqual(kinds(only=["refactor"]), set())
            self.assertEqual(kinds(only=["source.fixAll.pto"]), set())
            nothing = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
            self.assertEqual([a for a in server.actions(UNTITLED, nothing) if a["kind"] == "quickfix"], [])
            self.assertEqual(server.leave(), 0)

    def test_suppressing(self):
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            (found,) = server.diagnostics(UNTITLED)
            action = next(a for a in server.actions(UNTITLED, found["range"]) if "PTO202" in a["title"] and
                          a["data"]["kind"] == "suppress")
            text = client.apply_edits(KERNEL, client.edits_of(action["edit"], UNTITLED), "utf-16")
            self.assertIn("    # pto-fix: ignore[PTO202]\n    for i", text)
            server.change(UNTITLED, 2, {"text": text})
            self.assertEqual(server.diagnostics(UNTITLED, 2), [])
            self.assertEqual(server.leave(), 0)

    def test_suppressing_where_a_line_goes_on(self):
        line = next(line for line in KERNEL.split("\n") if "[128, 1]" in line)
        for before, behind in (("for i", "for \\\n        i"), ("[128, 1]", "[\n            128, 1]"), ("[128, 1]", "\\\n    [128, 1]"),
                               ('name="ROWS"', 'name="""RO\n#WS"""'), ('name="ROWS"', 'name=f"""R\n{1}"""')):
            text = KERNEL.replace(line, line.replace(before, behind))
            with self.subTest(behind), client.Server() as server:
                self.assertNotEqual(text, KERNEL)
                server.open(UNTITLED, text)
                (found,) = server.diagnostics(UNTITLED)
                actions = [a for a in server.actions(UNTITLED, found["range"]) if a["data"]["kind"] == "suppress"]
                # Where no comment may stand above the line, none is offered.
                self.assertEqual(len(actions), int(behind.startswith("[")))
                for action in actions:
                    silenced = client.apply_edits(text, client.edits_of(action["edit"], UNTITLED), "utf-16")
                    self.assertEqual(ast.dump(ast.parse(silenced)), ast.dump(ast.parse(text)))
                    server.change(UNTITLED, 2, {"text": silenced})
                    self.assertEqual(server.diagnostics(UNTITLED, 2), [])
                self.assertEqual(server.leave(), 0)

    def test_an_old_client(self):
        changes = {"textDocument__codeAction": None, "workspace__workspaceEdit": None}
        with client.Server(**changes) as server:
            server.open(UNTITLED, KERNEL)
            (found,) = server.diagnostics(UNTITLED)
            commands = server.actions(UNTITLED, found["range"])
            self.assertTrue(commands)
            self.assertEqual({c["command"] for c in commands}, {"pto-fix.applyAction"})
            server.replies["workspace/applyEdit"] = {"applied": True}
            server.request("workspace/executeCommand", {"command": commands[0]["command"], "arguments": commands[0]["arguments"]})
            while not server.requests or server.requests[-1]["method"] != "workspace/applyEdit":
                server.take(server.read())
            edit = server.requests[-1]["params"]["edit"]
            self.assertIn("[128, 64, 32", client.apply_edits(KERNEL, client.edits_of(edit, UNTITLED), "utf-16"))
            self.assertEqual(server.leave(), 0)

    def test_settings(self):
        with client.Server(initialize={"initializationOptions": {"lang": "zh", "ignore": ["PTO202"]}}) as server:
            server.open(UNTITLED, KERNEL)
            self.assertEqual(server.diagnostics(UNTITLED), [])
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {"ignore": []}}})
            (found,) = server.wait_for("textDocument/publishDiagnostics", lambda p: p["diagnostics"])["diagnostics"]
            self.assertRegex(found["message"], "[\u4e00-\u9fff]")
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {"ignore": ["PTO202"]}}})
            server.wait_for("textDocument/publishDiagnostics", lambda p: not p["diagnostics"])
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {"ignore": ["PTO201"]}}})
            server.wait_for("textDocument/publishDiagnostics", lambda p: p["diagnostics"])
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {}}})  # as it began
            server.wait_for("textDocument/publishDiagnostics", lambda p: not p["diagnostics"])
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {"soc": "toaster"}}})
            self.assertIn("toaster", server.wait_for("window/showMessage")["message"])
            self.assertEqual(server.leave(), 0)

    def test_numbers(self):
        with client.Server() as server:
            server.open(UNTITLED, KERNEL)
            document = {"textDocument": {"uri": UNTITLED}}
            line = KERNEL[:KERNEL.index("set_vec")].count("\n")
            hover = server.request("textDocument/hover", {**document, "position": {"line": line, "character": 12}})
            self.assertIn("| UB | 256 | 196608 |", hover["contents"]["value"])
            hints = server.request("textDocument/inlayHint", {**document, "range": client.everywhere()})
            self.assertIn("129 copies", [h["label"] for h in hints])
            (lens,) = server.request("textDocument/codeLens", document)
            self.assertIn("tile operations", lens["command"]["title"])
            server.notify("workspace/didChangeConfiguration", {"settings": {"pto-fix": {"inlayHints": False, "codeLens": False}}})
            self.assertEqual(server.request("textDocument/inlayHint", {**document, "range": client.everywhere()}), [])
            self.assertEqual(server.request("textDocument/codeLens", document), [])
            self.assertEqual(server.leave(), 0)


class Workspace(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.kernel = self.folder / "kernel.py"
        self.kernel.write_text(KERNEL)
        self.where = {"rootUri": self.folder.as_uri()}

    def test_imports_of_unsaved_files(self):
        (self.folder / "lists.py").write_text("UNROLL = [4, 2, 1]\n")
        text = "from lists import UNROLL\n" + KERNEL.replace("[128, 1]", "UNROLL")
        uri, other = self.kernel.as_uri(), (self.folder / "lists.py").as_uri()
        with client.Server(initialize=self.where) as server:
            server.open(uri, text)
            self.assertEqual(server.diagnostics(uri, 1), [])
            server.open(other, "UNROLL = [128, 1]\n")
            server.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p["diagnostics"])
            server.change(other, 2, {"text": "UNROLL = [2, 1]\n"})
            server.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and not p["diagnostics"])
            server.change(other, 3, {"text": "UNROLL = [256, 1]\n"})
            server.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p["diagnostics"])
            # An action for what an import made of this text is none for what it makes of it now.
            (found,) = server.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": client.everywhere(),
                                      "context": {"diagnostics": [], "only": ["quickfix"]}})[:1]
            server.change(other, 4, {"text": "UNROLL = [512, 1]\n"})
            with self.assertRaises(client.Failure) as failure:
                server.request("codeAction/resolve", {"title": "x", "data": found["data"]})
            self.assertEqual(failure.exception.code, -32801)
            server.notify("textDocument/didClose", {"textDocument": {"uri": other}})
            server.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and not p["diagnostics"])
            self.assertEqual(server.leave(), 0)

    def test_configuration_is_read_again(self):
        uri = self.kernel.as_uri()
        config = self.folder / "pto-fix.toml"
        watched = {"changes": [{"uri": config.as_uri(), "type": 2}]}
        with client.Server(initialize=self.where) as server:
            server.open(uri, KERNEL)
            self.assertEqual(len(server.diagnostics(uri, 1)), 1)
            config.write_text('ignore = ["PTO202"]\n')
            server.notify("workspace/didChangeWatchedFiles", watched)
            self.assertEqual(server.diagnostics(uri), [])
            config.write_text("ignore = [\n")
            server.notify("workspace/didChangeWatchedFiles", watched)
            self.assertIn("pto-fix.toml", server.wait_for("window/showMessage")["message"])
            config.unlink()
            server.notify("workspace/didChangeWatchedFiles", watched)
            server.wait_for("textDocument/publishDiagnostics", lambda p: len(p["diagnostics"]) == 1)
            self.assertEqual(server.leave(), 0)

    def test_the_nearest_configuration_counts(self):
        """Of each file by itself: below the root, in a root inside of it, and outside; the folder of the process is nothing."""
        outside = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, outside)
        ignore = 'ignore = ["PTO202"]\n'
        wanted = {}
        for folder, config, found in ((self.folder, None, 1), (self.folder / "a", ignore, 0), (self.folder / "a/b", "", 1),
                                      (self.folder / "a/b/c", None, 1), (outside / "x", ignore, 0), (outside / "x/y", None, 0),
                                      (outside, None, 1)):
            folder.mkdir(exist_ok=True)
            if config is not None:
                (folder / "pto-fix.toml").write_text(config)
            (folder / "k.py").write_text(KERNEL)
            wanted[(folder / "k.py").as_uri()] = found
        roots = [{"uri": self.folder.as_uri(), "name": "outer"}, {"uri": (self.folder / "a/b").as_uri(), "name": "inner"}]
        for where in (self.where, {**self.where, "workspaceFolders": roots}, {"workspaceFolders": roots[::-1]}, {}):
            with self.subTest(where), client.Server(initialize=where) as server:
                for uri, found in wanted.items():
                    server.open(uri, KERNEL)
                    self.assertEqual(len(server.diagnostics(uri, 1)), found, uri)
                self.assertEqual(server.leave(), 0)

    def test_pulling(self):
        uri = self.kernel.as_uri()
        with client.Server(initialize=self.where, textDocument__diagnostic={}) as server:
            server.open(uri, KERNEL)
            first = server.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            self.assertEqual([d["code"] for d in first["items"]], ["PTO202"])
            again = server.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, "previousResultId": first["resultId"]})
            self.assertEqual(again, {"kind": "unchanged", "resultId": first["resultId"]})
            self.assertEqual([n for n, _ in server.notifications if n == "textDocument/publishDiagnostics"], [])
            self.assertEqual(server.leave(), 0)

    def test_the_whole_workspace(self):
        for i in range(20):
            (self.folder / f"k{i}.py").write_text(KERNEL if i % 2 else "import pypto\n")
        with client.Server(initialize=self.where, textDocument__diagnostic={}) as server:
            first = server.request("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "t"})["items"]
            self.assertEqual(len(first), 11)
            kinds = [p["value"]["kind"] for n, p in server.notifications if n == "$/progress"]
            self.assertEqual((kinds[0], kinds[-1]), ("begin", "end"))
            known = [{"uri": i["uri"], "value": i["resultId"]} for i in first]
            # Held until something changes.
            asked = server.ask("workspace/diagnostic", {"previousResultIds": known})
            self.kernel.write_text(KERNEL.replace("[128, 1]", "[2, 1]"))
            server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.kernel.as_uri(), "type": 2}]})
            items = {i["uri"]: i for i in server.answer(asked)["items"]}
            self.assertEqual(items[self.kernel.as_uri()]["items"], [])
            self.assertEqual({i["kind"] for u, i in items.items() if u != self.kernel.as_uri()}, {"unchanged"})
            asked = server.ask("workspace/diagnostic", {"previousResultIds": [
                {"uri": u, "value": i["resultId"]} for u, i in items.items()]})
            server.notify("$/cancelRequest", {"id": asked})
            with self.assertRaises(client.Failure) as failure:
                server.answer(asked)
            self.assertEqual(failure.exception.code, -32800)
            self.assertEqual(server.leave(), 0)

    def test_fixing_it(self):
        (self.folder / "b.py").write_text(KERNEL)
        with client.Server(initialize=self.where) as server:
            server.replies["workspace/applyEdit"] = {"applied": False, "failureReason": "a test"}
            self.assertTrue(server.request("workspace/executeCommand", {"command": "pto-fix.fixWorkspace"}))
            while not server.requests:
                server.take(server.read())
            edit = server.requests[-1]["params"]["edit"]
            self.assertEqual(len(edit["documentChanges"]), 2)
            self.assertTrue(all(a["needsConfirmation"] for a in edit["changeAnnotations"].values()))
            self.assertIn("a test", server.wait_for("window/logMessage")["message"])
            page = server.request("workspace/executeCommand", {"command": "pto-fix.explain", "arguments": ["PTO202"]})
            self.assertTrue(page.startswith("# PTO202"))
            self.assertEqual(server.leave(), 0)

    def test_notebooks_are_left_alone(self):
        """An editor shows their cells as documents of their own; of the JSON nothing is said."""
        path = self.folder / "nb.ipynb"
        path.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": KERNEL}]}))
        self.kernel.unlink()
        for language in ("python", "json", "ipynb"):
            with self.subTest(language), client.Server(initialize=self.where, textDocument__diagnostic={}) as server:
                server.open(path.as_uri(), path.read_text(), language=language)
                document = {"textDocument": {"uri": path.as_uri()}}
                self.assertEqual(server.request("textDocument/diagnostic", document)["items"], [])
                place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}}
                self.assertFalse(server.request("textDocument/codeAction", {**document, "range": place, "context": {"diagnostics": []}}))
                self.assertFalse(server.request("textDocument/hover", {**document, "position": place["end"]}))
                items = server.request("workspace/diagnostic", {"previousResultIds": []})["items"]
                self.assertEqual([i for i in items if i["items"]], [])
                self.assertFalse(server.request("workspace/executeCommand", {"command": "pto-fix.fixWorkspace"}))
                self.assertEqual(server.leave(), 0)


if __name__ == "__main__":
    unittest.main()
