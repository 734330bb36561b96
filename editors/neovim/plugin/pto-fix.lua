-- Commands; the server is started by require("pto-fix").setup().
if vim.g.loaded_pto_fix then
  return
end
vim.g.loaded_pto_fix = true

vim.api.nvim_create_user_command("PtoFix", function(arguments)
  require("pto-fix").fix_all({ unsafe = arguments.args == "unsafe" })
end, {
  nargs = "?",
  complete = function()
    return { "unsafe" }
  end,
  desc = "Apply every fix of pto-fix in this buffer",
})

vim.api.nvim_create_user_command("PtoFixExplain", function(arguments)
  require("pto-fix").explain(arguments.args)
end, { nargs = 1, desc = "Show the page of a rule of pto-fix" })

vim.api.nvim_create_user_command("PtoFixBudget", function()
  require("pto-fix").budget()
end, { desc = "Show what each tile call of this buffer takes of the chip's memories" })
