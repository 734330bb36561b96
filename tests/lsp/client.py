"""A small client of the language server for tests: frames, requests in order, and the text that edits leave."""
import json
import os
import pathlib
import subprocess

PROGRAM = os.environ.get("PTO_FIX", "build/release/pto-fix")
ENCODINGS = ("utf-8", "utf-16", "utf-32")


def capabilities(encoding="utf-16", **changes):
    """Of a modern client that is sent diagnostics; `changes` by dotted path."""
    out = {
        "general": {"positionEncodings": [encoding]},
        "workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}},
        "textDocument": {
            "publishDiagnostics": {
                "versionSupport": True, "relatedInformation": True, "codeDescriptionSupport": True,
                "dataSupport": True, "tagSupport": {"valueSet": [1, 2]},
            },
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source", "source.fixAll"]}},
                "isPreferredSupport": True, "disabledSupport": True, "dataSupport": True,
                "resolveSupport": {"properties": ["edit"]}, "honorsChangeAnnotations": True,
            },
            "hover": {"contentFormat": ["markdown", "plaintext"]},
        },
    }
    for path, value in changes.items():
        at = out
        *head, last = path.split("__")
        for key in head:
            at = at.setdefault(key, {})
        if value is None:
            at.pop(last, None)
        else:
            at[last] = value
    return out


class Failure(Exception):
    """An error of the protocol, as the server answered it."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Server:
    def __init__(self, initialize=None, start=True, arguments=(), **changes):
        self.process = subprocess.Popen([PROGRAM, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.last = 0
        self.notifications = []  # (method, params)
        self.requests = []       # of the server: messages
        self.replies = {}        # method of the server's request -> result
        self.encoding = "utf-16"
        if start:
            params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities(**changes)}
            params.update(initialize or {})
            self.initialized = self.request("initialize", params)
            self.encoding = self.initialized["capabilities"].get("positionEncoding", "utf-16")
            self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def read(self):
        """The next message; None at the end."""
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, value = line.decode().split(":", 1)
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def take(self, message):
        """Keeps what the server says unasked, and answers what it asks."""
        if "id" in message:
            self.requests.append(message)
            self.send({"id": message["id"], "result": self.replies.get(message["method"])})
        else:
            self.notifications.append((message["method"], message.get("params")))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request; its id."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def answer(self, number):
        while True:
            message = self.read()
            if message is None:
                raise EOFError("the server ended")
            if "method" in message:
                self.take(message)
            elif message.get("id") == number:
                if "error" in message:
                    raise Failure(message["error"])
                return message["result"]

    def request(self, method, params):
        return self.answer(self.ask(method, params))

    def wait_for(self, method, wanted=lambda params: True):
        """The first notification of that kind, from those that came or come."""
        while True:
            for i, (name, params) in enumerate(self.notifications):
                if name == method and wanted(params):
                    del self.notifications[i]
                    return params
            message = self.read()
            if message is None:
                raise EOFError("the server ended")
            if "method" in message:
                self.take(message)

    def open(self, uri, text, version=1, language="python"):
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": language, "version": version, "text": text}})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)})

    def diagnostics(self, uri, version=None):
        """What is sent of that version."""
        return self.wait_for("textDocument/publishDiagnostics", lambda p: p["uri"] == uri and (
            version is None or p.get("version") == version))["diagnostics"]

    def actions(self, uri, range_, **context):
        return self.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": range_, "context": {"diagnostics": [], **context}})

    def resolve(self, action):
        return action if "edit" in action else self.request("codeAction/resolve", action)

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(20)


def uri_of(path):
    return pathlib.Path(path).absolute().as_uri()


def everywhere():
    return {"start": {"line": 0, "character": 0}, "end": {"line": 10 ** 6, "character": 0}}


def line_starts(text):
    """Offsets in code points; lines end as the protocol says."""
    starts = [0]
    i = 0
    while i < len(text):
        if text[i] == "\r" and text[i + 1:i + 2] == "\n":
            i += 1
        if text[i] in "\r\n":
            starts.append(i + 1)
        i += 1
    return starts


def units(text, encoding):
    return {"utf-8": lambda: len(text.encode()), "utf-16": lambda: len(text.encode("utf-16-le")) // 2,
            "utf-32": lambda: len(text)}[encoding]()


def offset_of(text, position, encoding, starts=None):
    """In code points."""
    starts = starts or line_starts(text)
    line = position["line"]
    if line >= len(starts):
        return len(text)
    at, left = starts[line], position["character"]
    end = starts[line + 1] if line + 1 < len(starts) else len(text)
    while at < end and left > 0 and text[at] not in "\r\n":
        left -= units(text[at], encoding)
        at += 1
    return at


def position_of(text, offset, encoding):
    starts = line_starts(text)
    line = max(i for i, start in enumerate(starts) if start <= offset)
    return {"line": line, "character": units(text[starts[line]:offset], encoding)}


def apply_edits(text, edits, encoding):
    starts = line_starts(text)
    placed = sorted(((offset_of(text, e["range"]["start"], encoding, starts),
                      offset_of(text, e["range"]["end"], encoding, starts), i, e["newText"])
                     for i, e in enumerate(edits)), key=lambda e: e[:3])
    out, at = [], 0
    for start, end, _, new in placed:
        assert start >= at, "edits overlap"
        out += [text[at:start], new]
        at = end
    return "".join(out) + text[at:]


def edits_of(edit, uri):
    """Of one document, from either form of a WorkspaceEdit."""
    if "documentChanges" in edit:
        return [e for change in edit["documentChanges"] if change["textDocument"]["uri"] == uri for e in change["edits"]]
    return edit.get("changes", {}).get(uri, [])
