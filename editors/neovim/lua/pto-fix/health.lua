-- :checkhealth pto-fix
local M = {}

local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local bad = health.error or health.report_error

function M.check()
  local plugin = require("pto-fix")
  start("pto-fix")
  if vim.fn.has("nvim-0.7") == 1 then
    ok("Neovim " .. tostring(vim.version().major) .. "." .. tostring(vim.version().minor))
  else
    bad("Neovim 0.7 or later is needed")
  end
  local program = plugin.config.cmd[1]
  if vim.fn.executable(program) == 1 then
    local version = vim.fn.systemlist({ program, "--version" })
    if vim.v.shell_error == 0 then
      ok(program .. ": " .. (version[1] or ""))
    else
      bad(program .. " --version failed: " .. table.concat(version, " "))
    end
  else
    bad(program .. " is not executable", { "Build it, put it on the PATH, or set `cmd` in setup()" })
  end
  local running = plugin.clients()
  for _, client in ipairs(running) do
    ok("server for " .. (client.config.root_dir or "?"))
  end
  if #running == 0 then
    warn("no server runs: open a Python file")
  end
end

return M
