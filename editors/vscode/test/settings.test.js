"use strict";

const assert = require("node:assert");
const { test } = require("node:test");
const { serverSettings, statusText } = require("../src/settings");
const manifest = require("../package.json");

test("the language is the editor's unless one is set", () => {
  const of = (settings, locale) => serverSettings((key) => settings[key], locale);
  assert.strictEqual(of({ lang: "auto" }, "zh-cn").lang, "zh");
  assert.strictEqual(of({ lang: "auto" }, "fr").lang, "en");
  assert.strictEqual(of({ lang: "en" }, "zh-cn").lang, "en");
  assert.deepStrictEqual(of({}, "en"), {
    lang: "en", soc: "", select: [], ignore: [], inlayHints: true, codeLens: true });
});

test("the manifest offers each setting that the server is given", () => {
  const offered = Object.keys(manifest.contributes.configuration.properties);
  for (const key of Object.keys(serverSettings(() => undefined, "en"))) {
    assert.ok(offered.includes(`pto-fix.${key}`), key);
  }
});

test("the status says what is left", () => {
  assert.match(statusText("running", 0), /check/);
  assert.match(statusText("running", 3), /3$/);
  assert.match(statusText("stopped", 3), /error/);
  assert.match(statusText("starting", 0), /sync/);
});
