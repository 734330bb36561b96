-- pto-fix in Neovim: starts the language server for Python buffers and gives its fix-all, pages and tables as functions.
local M = {}

M.config = {
  cmd = { "pto-fix", "lsp" },
  settings = {},
  -- A workspace begins where one of these is found.
  root_files = { "pto-fix.toml", "pyproject.toml", ".git" },
  timeout_ms = 10000,
}

local NAME = "pto-fix"
-- By root folder: one server a workspace.
local started = {}

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local at = folder
  while true do
    for _, name in ipairs(M.config.root_files) do
      if vim.loop.fs_stat(at .. "/" .. name) then
        return at
      end
    end
    local up = vim.fn.fnamemodify(at, ":h")
    if up == at then
      return folder
    end
    at = up
  end
end

--- Starts the server of the buffer's workspace, or the one that runs, and attaches the buffer.
function M.attach(buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  local name = vim.api.nvim_buf_get_name(buffer)
  local root = name == "" and vim.fn.getcwd() or root_of(name)
  local id = started[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    -- Later versions have only the second, which attaches the current buffer as well.
    local start = vim.lsp.start_client or vim.lsp.start
    id = start({
      name = NAME,
      cmd = M.config.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = M.config.settings,
      settings = { ["pto-fix"] = M.config.settings },
    })
    started[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

--- The running servers, of the buffer if one is given. Later versions of Neovim have another function for it.
function M.clients(buffer)
  local all
  if vim.lsp.get_clients then
    all = vim.lsp.get_clients({ bufnr = buffer })
  elseif buffer then
    all = vim.lsp.buf_get_clients(buffer)
  else
    all = vim.lsp.get_active_clients()
  end
  return vim.tbl_filter(function(client)
    return client.name == NAME
  end, vim.tbl_values(all))
end

--- The client of the buffer, or nil.
function M.client(buffer)
  return M.clients(buffer or 0)[1]
end

local function ask(client, method, params, buffer)
  local answer, failure
  if vim.fn.has("nvim-0.11") == 1 then
    answer, failure = client:request_sync(method, params, M.config.timeout_ms, buffer)
  else
    answer, failure = client.request_sync(method, params, M.config.timeout_ms, buffer)
  end
  if not answer then
    error("pto-fix: " .. (failure or "no answer"))
  end
  if answer.err then
    error("pto-fix: " .. (answer.err.message or vim.inspect(answer.err)))
  end
  return answer.result
end

--- Applies what `pto-fix --apply` would write; with unsafe also what a person should look at. True if there was anything.
function M.fix_all(options)
  local buffer = vim.api.nvim_get_current_buf()
  local client = M.client(buffer)
  if not client then
    vim.notify("pto-fix: no server for this buffer", vim.log.levels.WARN)
    return false
  end
  local kind = options and options.unsafe and "source.fixAllUnsafe.pto-fix" or "source.fixAll.pto-fix"
  local last = vim.api.nvim_buf_line_count(buffer)
  local actions = ask(client, "textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = { line = 0, character = 0 }, ["end"] = { line = last, character = 0 } },
    context = { diagnostics = {}, only = { kind } },
  }, buffer)
  for _, action in ipairs(actions or {}) do
    if action.kind == kind then
      if not action.edit then
        action = ask(client, "codeAction/resolve", action, buffer)
      end
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
      return true
    end
  end
  return false
end

local function show(title, text)
  vim.cmd("new")
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n"))
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = "markdown"
  vim.bo[buffer].modifiable = false
  vim.b[buffer].pto_fix_title = title
end

local function command(name, arguments)
  local client = M.client(0)
  if not client then
    vim.notify("pto-fix: no server for this buffer", vim.log.levels.WARN)
    return nil
  end
  return ask(client, "workspace/executeCommand", { command = name, arguments = arguments }, 0)
end

--- Opens the page of a rule.
function M.explain(rule)
  local page = command("pto-fix.explain", { rule })
  if page then
    show(rule, page)
  end
end

--- Opens the pool tables of the buffer's tile calls.
function M.budget()
  local page = command("pto-fix.budget", { vim.uri_from_bufnr(0) })
  if page then
    show("budget", page)
  end
end

function M.setup(options)
  M.config = vim.tbl_deep_extend("force", M.config, options or {})
  if vim.tbl_isempty(M.config.settings) then
    M.config.settings = vim.empty_dict()
  end
  local group = vim.api.nvim_create_augroup("pto-fix", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "python",
    callback = function(event)
      M.attach(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == "python" then
      M.attach(buffer)
    end
  end
end

return M
