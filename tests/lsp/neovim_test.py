#!/usr/bin/env python3
"""The plug-in in a real Neovim without a screen: diagnostics, a quick fix, fix-all, the page of a rule, its health."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import client
from protocol_test import KERNEL

TOP = pathlib.Path(__file__).resolve().parents[2]
PLUGIN = TOP / "editors" / "neovim"

DRIVER = r"""
local out = {}
local function finish()
  vim.fn.writefile({ vim.fn.json_encode(out) }, vim.env.OUT)
  vim.cmd("qall!")
end
local function wait(what, ready)
  if not vim.wait(20000, ready, 20) then
    out.failed = what
    finish()
    error(what)
  end
end
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
vim.cmd("runtime plugin/pto-fix.lua")
local plugin = require("pto-fix")
plugin.setup({ cmd = { vim.env.PTO_FIX, "lsp" }, settings = { lang = "en" } })
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.KERNEL))
vim.cmd("setfiletype python")
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do
  out[#out + 1] = { code = d.code or d.user_data.lsp.code, line = d.lnum, column = d.col, message = d.message }
end
local buffer = vim.api.nvim_get_current_buf()
local function text() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n" end
local result = { found = out }
out = result
-- the first quick fix, which is the safe one
local c = plugin.client(buffer)
local d = vim.diagnostic.get(0)[1]
local params = { textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = { start = { line = d.lnum, character = d.col }, ["end"] = { line = d.end_lnum, character = d.end_col } },
  context = { diagnostics = {}, only = { "quickfix" } } }
for _, action in ipairs(c.request_sync("textDocument/codeAction", params, 10000, buffer).result) do
  if action.kind == "quickfix" and action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, c.offset_encoding)
    break
  end
end
result.quick = text()
wait("the fix to be seen", function() return #vim.diagnostic.get(0) < #result.found end)
vim.cmd("undo")
wait("the undo to be seen", function() return #vim.diagnostic.get(0) == #result.found end)
vim.cmd("PtoFix")
result.fixed = text()
wait("nothing to be left", function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd("PtoFixExplain PTO202")
result.page = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]
vim.cmd("close")
vim.cmd("PtoFixBudget")
result.budget = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
vim.cmd("close")
vim.cmd("checkhealth pto-fix")
result.health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
finish()
"""


@unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
class Neovim(unittest.TestCase):
    def run_it(self, text):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        kernel, driver, out = folder / "kernel.py", folder / "driver.lua", folder / "out.json"
        kernel.write_text(text)
        driver.write_text(DRIVER)
        program = os.path.abspath(client.PROGRAM)
        environment = {**os.environ, "PLUGIN": str(PLUGIN), "PTO_FIX": program, "KERNEL": str(kernel), "OUT": str(out),
                       "HOME": str(folder), "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        run = subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {driver}"],
                             env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertTrue(out.exists(), run.stdout + run.stderr)
        result = json.loads(out.read_text())
        self.assertNotIn("failed", result, run.stderr)
        report = json.loads(subprocess.run([program, "--format", "json", kernel], capture_output=True, check=False).stdout)
        subprocess.run([program, "--apply", "--no-journal", kernel], capture_output=True, check=False)
        return result, report["findings"], kernel.read_text()

    def test_a_kernel(self):
        result, findings, fixed = self.run_it(KERNEL)
        self.assertEqual([f["code"] for f in result["found"]], [f["rule"] for f in findings])
        self.assertEqual([f["message"] for f in result["found"]], [f["message"] for f in findings])
        self.assertEqual(result["fixed"], fixed)
        self.assertEqual(result["quick"], fixed)  # there is one finding
        self.assertNotEqual(fixed, KERNEL)
        self.assertTrue(result["page"].startswith("# PTO202"))
        self.assertIn("| UB |", result["budget"])
        self.assertIn("server for", result["health"])

    def test_wide_characters(self):
        text = KERNEL.replace('name="ROWS"', 'name="中文😀"')
        result, findings, fixed = self.run_it(text)
        self.assertEqual(len(result["found"]), len(findings))
        self.assertEqual(result["fixed"], fixed)


if __name__ == "__main__":
    unittest.main()
