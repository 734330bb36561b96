"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { converse } = require("./conversation");

const folder = path.join(__dirname, "conversations");
for (const name of fs.readdirSync(folder).sort()) {
  const { about, steps } = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  test(`${name}: ${about}`, { timeout: 60000 }, () => converse(steps));
}
