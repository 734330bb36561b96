"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { Conversation, applied } = require("./conversation");

const folder = path.join(__dirname, "conversations");
const common = JSON.parse(fs.readFileSync(path.join(__dirname, "texts.json"), "utf8"));
for (const name of fs.readdirSync(folder).sort()) {
  const stored = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  stored.texts = { ...common, ...stored.texts };
  test(`${name}: ${stored.about}`, { timeout: 60000 }, () => new Conversation(stored).run());
}

test("edits are applied by the columns of each encoding", () => {
  const at = (character) => ({ range: { start: { line: 1, character }, end: { line: 1, character } }, newText: "!" });
  for (const [encoding, character] of [["utf-8", 7], ["utf-16", 3], ["utf-32", 2]]) {
    assert.strictEqual(applied("a\n中😀b", [at(character)], encoding), "a\n中😀!b");
  }
});
