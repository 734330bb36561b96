"use strict";

// Runs conversations that are stored as files against the real server, by the client library that VS Code itself uses.
// README.md beside this file says what a conversation may hold.
const assert = require("node:assert");
const fs = require("node:fs");
const { Buffer } = require("node:buffer");
const os = require("node:os");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { pathToFileURL } = require("node:url");
const { StreamMessageReader, StreamMessageWriter, createProtocolConnection } = require("vscode-languageserver-protocol/node");

const PROGRAM = process.env.PTO_FIX || `${__dirname}/../../../build/release/pto-fix`;
const MODERN = JSON.parse(fs.readFileSync(path.join(__dirname, "modern_client.json"), "utf8"));
const PATIENCE_MS = 20000;

/** Everything in `expected` is in `actual`; arrays have the same length, unless one is told to hold something. */
function includes(actual, expected, at = "$") {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${at}: no list: ${JSON.stringify(actual)}`);
    assert.strictEqual(actual.length, expected.length, `${at}: ${JSON.stringify(actual)}`);
    expected.forEach((item, i) => includes(actual[i], item, `${at}[${i}]`));
  } else if (expected !== null && typeof expected === "object") {
    if ("$match" in expected) {
      assert.match(typeof actual === "string" ? actual : JSON.stringify(actual), new RegExp(expected.$match), at);
      return;
    }
    if ("$absent" in expected) {
      assert.strictEqual(actual, undefined, at);
      return;
    }
    if ("$holds" in expected) {
      assert.ok(Array.isArray(actual), `${at}: no list: ${JSON.stringify(actual)}`);
      for (const wanted of expected.$holds) {
        assert.ok(actual.some((item) => holds(item, wanted)), `${at}: no ${JSON.stringify(wanted)} in ${JSON.stringify(actual)}`);
      }
      return;
    }
    if ("$lacks" in expected) {
      for (const unwanted of expected.$lacks) {
        assert.ok(!actual.some((item) => holds(item, unwanted)), `${at}: ${JSON.stringify(unwanted)} in ${JSON.stringify(actual)}`);
      }
      return;
    }
    assert.ok(actual !== null && typeof actual === "object", `${at}: ${JSON.stringify(actual)}`);
    for (const [key, value] of Object.entries(expected)) includes(actual[key], value, `${at}.${key}`);
  } else {
    assert.deepStrictEqual(actual, expected, at);
  }
}

function holds(actual, expected) {
  try {
    includes(actual, expected);
    return true;
  } catch {
    return false;
  }
}

function merged(base, changes) {
  if (changes === null) return undefined;
  if (typeof changes !== "object" || Array.isArray(changes) || typeof base !== "object" || Array.isArray(base)) return changes;
  const out = { ...base };
  for (const [key, value] of Object.entries(changes)) out[key] = merged(base[key] ?? {}, value);
  return out;
}

/** The text after edits of the protocol, whose columns count `encoding`. */
function applied(text, edits, encoding) {
  const lines = text.split("\n");
  const starts = [];
  let sum = 0;
  for (const line of lines) {
    starts.push(sum);
    sum += line.length + 1;
  }
  const offset = ({ line, character }) => {
    if (line >= lines.length) return text.length;
    let at = 0;
    let left = character;
    while (left > 0 && at < lines[line].length) {
      const one = String.fromCodePoint(lines[line].codePointAt(at));
      left -= { "utf-8": Buffer.byteLength(one), "utf-16": one.length, "utf-32": 1 }[encoding];
      at += one.length;
    }
    assert.ok(left <= 0 && at <= lines[line].length, `no position ${line}:${character}`);
    return starts[line] + at;
  };
  const placed = edits.map((e) => ({ from: offset(e.range.start), to: offset(e.range.end), text: e.newText }));
  placed.sort((a, b) => b.from - a.from);
  return placed.reduce((now, e) => now.slice(0, e.from) + e.text + now.slice(e.to), text);
}

function editsOf(edit, uri) {
  if (edit.documentChanges) {
    return edit.documentChanges.filter((c) => c.textDocument.uri === uri).flatMap((c) => c.edits);
  }
  return edit.changes?.[uri] ?? [];
}

class Conversation {
  constructor(stored) {
    this.stored = stored;
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "pto-fix-"));
    this.kept = {};
    this.heard = []; // {method, params}, notifications and requests
    this.loose = []; // answers to nobody
    this.wake = () => {};
  }

  /** What stands for something else in a stored conversation, filled in. */
  filled(value) {
    if (typeof value === "string") return value.replaceAll("${folder}", pathToFileURL(this.folder).href);
    if (Array.isArray(value)) return value.map((item) => this.filled(item));
    if (value === null || typeof value !== "object") return value;
    if ("$text" in value) {
      const text = this.stored.texts[value.$text].join("\n");
      return (value.replace ?? []).reduce((now, [from, to]) => {
        assert.ok(now.includes(from), from);
        return now.replaceAll(from, to);
      }, text);
    }
    if ("$kept" in value) return value.$kept.split(".").reduce((at, key) => at[key], this.kept);
    if ("$repeat" in value) return value.$repeat.repeat(value.times);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.filled(item)]));
  }

  write(files) {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(this.folder, name);
      if (text === null) {
        fs.rmSync(file, { recursive: true });
        continue;
      }
      fs.mkdirSync(path.dirname(file), { recursive: true });
      if (typeof text.link === "string") fs.symlinkSync(text.link, file);
      else fs.writeFileSync(file, this.filled(text));
    }
  }

  start() {
    this.server = spawn(PROGRAM, ["lsp"], { stdio: ["pipe", "pipe", "pipe"] });
    this.ended = new Promise((resolve) => this.server.on("exit", resolve));
    this.complaints = "";
    this.server.stderr.on("data", (data) => (this.complaints += data));
    this.server.stdin.on("error", () => {}); // a server that ends does not read
    const reader = new StreamMessageReader(this.server.stdout);
    const listen = reader.listen.bind(reader);
    reader.listen = (take) => listen((message) => {
      if (message.id === null) {
        this.loose.push(message);
        this.wake();
      }
      take(message);
    });
    const silent = { error() {}, warn() {}, info() {}, log() {} };
    this.connection = createProtocolConnection(reader, new StreamMessageWriter(this.server.stdin), silent);
    this.connection.onError(() => {});
    const hear = (method, params) => {
      this.heard.push({ method, params });
      this.wake();
    };
    this.connection.onNotification(hear);
    this.connection.onUnhandledProgress((params) => hear("$/progress", params));
    this.connection.onRequest((method, params) => {
      hear(method, params);
      return this.filled(this.stored.answers?.[method] ?? null);
    });
    this.connection.listen();
  }

  /** The first of `from` that holds this; those of its kind before it are dropped. */
  async next(from, isMeant, expected, what) {
    const end = Date.now() + PATIENCE_MS;
    let failure;
    while (Date.now() < end) {
      for (let i = from.findIndex(isMeant); i >= 0; i = from.findIndex(isMeant)) {
        const [one] = from.splice(i, 1);
        try {
          includes(one.params ?? one, expected);
          return one;
        } catch (error) {
          failure = error;
        }
      }
      await new Promise((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 100).unref();
      });
    }
    throw failure ?? new Error(`no ${what} came`);
  }

  async step(step) {
    const params = this.filled(step.params);
    const expected = this.filled(step.expect);
    if (step.files) {
      this.write(step.files);
    } else if (step.initialize) {
      const { capabilities, ...others } = this.filled(step.initialize);
      const result = await this.connection.sendRequest("initialize", {
        processId: process.pid, rootUri: null, locale: "en", ...others, capabilities: merged(MODERN, capabilities ?? {}) });
      this.encoding = result.capabilities.positionEncoding;
      includes(result, expected ?? {});
      await this.connection.sendNotification("initialized", {});
    } else if (step.notify) {
      await this.connection.sendNotification(step.notify, params);
    } else if (step.await) {
      await this.next(this.heard, (one) => one.method === step.await, expected ?? {}, step.await);
    } else if (step.never) {
      // Of what came up to now: a request after it has been answered.
      assert.ok(!this.heard.some((one) => one.method === step.never && holds(one.params, expected ?? {})), step.never);
    } else if (step.pause) {
      await new Promise((resolve) => setTimeout(resolve, step.pause));
    } else if (step.raw) {
      this.server.stdin.write(this.filled(step.raw));
    } else if (step.frame !== undefined) {
      const body = this.filled(step.frame);
      this.server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    } else if (step.loose) {
      await this.next(this.loose, () => true, step.loose, "answer to nobody");
    } else if (step.apply) {
      const { edit, uri, to, gives } = this.filled(step.apply);
      assert.strictEqual(applied(to, editsOf(edit, uri), this.encoding), gives);
    } else if (step.cancel) {
      const source = new (require("vscode-jsonrpc/node").CancellationTokenSource)();
      const answer = this.connection.sendRequest(step.cancel, params, source.token);
      source.cancel();
      await assert.rejects(answer, { code: -32800 });
    } else if (step.error) {
      await assert.rejects(this.connection.sendRequest(step.request, params), { code: step.error });
    } else {
      const answer = await this.connection.sendRequest(step.request, params);
      if (step.keep) this.kept[step.keep] = answer;
      includes(answer, expected);
    }
  }

  async end() {
    const { how = "shutdown", code = 0 } = this.stored.ends ?? {};
    if (how === "shutdown") await this.connection.sendRequest("shutdown");
    if (how === "shutdown" || how === "exit") await this.connection.sendNotification("exit");
    if (how === "close") this.server.stdin.end();
    if (how === "deaf") {
      this.server.stdout.destroy();
      await this.connection.sendNotification("textDocument/didOpen", this.filled(this.stored.ends.params)).catch(() => {});
    }
    assert.strictEqual(await this.ended, code);
    assert.strictEqual(this.complaints, "");
  }

  async run() {
    try {
      this.write(this.stored.files ?? {});
      this.start();
      for (const [i, step] of this.stored.steps.entries()) {
        try {
          await this.step(step);
        } catch (failure) {
          failure.message = `step ${i + 1}: ${failure.message}`;
          throw failure;
        }
      }
      await this.end();
    } finally {
      this.connection?.dispose();
      this.server?.kill();
      fs.rmSync(this.folder, { recursive: true });
    }
  }
}

module.exports = { Conversation, applied, includes };
