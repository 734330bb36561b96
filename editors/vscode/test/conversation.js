"use strict";

// Runs conversations that are stored as files against the real server, by the client library that VS Code itself uses.
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");

const PROGRAM = process.env.PTO_FIX || `${__dirname}/../../../build/release/pto-fix`;

/** Everything in `expected` is in `actual`; arrays have the same length. */
function includes(actual, expected, path = "$") {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path}: no list: ${JSON.stringify(actual)}`);
    assert.strictEqual(actual.length, expected.length, `${path}: ${JSON.stringify(actual)}`);
    expected.forEach((item, i) => includes(actual[i], item, `${path}[${i}]`));
  } else if (expected !== null && typeof expected === "object") {
    if ("$match" in expected) {
      assert.match(String(actual), new RegExp(expected.$match), path);
      return;
    }
    assert.ok(actual !== null && typeof actual === "object", `${path}: ${JSON.stringify(actual)}`);
    for (const [key, value] of Object.entries(expected)) includes(actual[key], value, `${path}.${key}`);
  } else {
    assert.deepStrictEqual(actual, expected, path);
  }
}

/**
 * @param {Array<object>} steps each one of
 *   {request, params, expect | error}  asked, and what the answer holds or its error code
 *   {notify, params}                   said
 *   {await, expect}                    the next notification of that method that holds this
 */
async function converse(steps) {
  const server = spawn(PROGRAM, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const heard = [];
  let wake = () => {};
  connection.onNotification((method, params) => {
    heard.push({ method, params });
    wake();
  });
  connection.onRequest(() => null);
  connection.listen();
  const awaited = async (method, expected) => {
    const end = Date.now() + 20000;
    let failure;
    while (Date.now() < end) {
      while (heard.length > 0) {
        const next = heard.shift();
        if (next.method !== method) continue;
        try {
          includes(next.params, expected);
          return;
        } catch (error) {
          failure = error;
        }
      }
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, 100);
      });
    }
    throw failure ?? new Error(`no ${method} came`);
  };
  try {
    for (const step of steps) {
      if (step.notify) await connection.sendNotification(step.notify, step.params);
      else if (step.await) await awaited(step.await, step.expect);
      else if (step.error) {
        await assert.rejects(connection.sendRequest(step.request, step.params), { code: step.error });
      } else {
        includes(await connection.sendRequest(step.request, step.params), step.expect);
      }
    }
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.strictEqual(await ended, 0);
  } finally {
    connection.dispose();
    server.kill();
  }
}

module.exports = { converse, includes };
