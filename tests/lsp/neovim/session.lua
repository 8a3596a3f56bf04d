-- A session of Neovim (0.7 or later) on one shader: diagnostics, hover, completion, a code action. The variables
-- BINDLINT_COMMAND (words apart by newlines), BINDLINT_FILE and BINDLINT_OUT come from the test that runs it.
local command = vim.split(vim.env.BINDLINT_COMMAND, "\n")
local out = {}

local function finish(message)
  out.failed = message
  local file = io.open(vim.env.BINDLINT_OUT, "w")
  file:write(vim.fn.json_encode(out))
  file:close()
  vim.cmd("qall!")
end

local function until_true(what, condition)
  if not vim.wait(60000, condition, 20) then
    finish("waited in vain for " .. what)
  end
end

local function codes()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    found[each.code or each.user_data.lsp.code] = each
  end
  return found
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

vim.cmd("edit " .. vim.fn.fnameescape(vim.env.BINDLINT_FILE))
local settings = {
  cmd = command,
  name = "bindlint",
  root_dir = vim.fn.fnamemodify(vim.env.BINDLINT_FILE, ":h"),
  init_options = { debounce = 20 },
}
local client
if vim.lsp.start then
  client = vim.lsp.start(settings)
else
  client = vim.lsp.start_client(settings)
  vim.lsp.buf_attach_client(0, client)
end
until_true("the server", function()
  if vim.lsp.get_clients then
    return #vim.lsp.get_clients({ bufnr = 0, id = client }) == 1
  end
  return vim.lsp.buf_get_clients(0)[client] ~= nil
end)

-- What a user writes at the end of the shader: a texture on a register of the wrong class.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "Texture2D<float4> BindlintProbe : register(u0);" })
until_true("a diagnostic", function() return codes().BL102 ~= nil end)
local line = vim.api.nvim_buf_line_count(0)
out.diagnostic = { line = codes().BL102.lnum == line - 1, message = codes().BL102.message }

vim.api.nvim_win_set_cursor(0, { line, 20 })
out.hover = request("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16")).contents.value

local actions = request("textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(0),
  range = { start = { line = line - 1, character = 0 }, ["end"] = { line = line - 1, character = 47 } },
  context = { diagnostics = {} },
})
out.actions = {}
for _, action in ipairs(actions) do
  table.insert(out.actions, action.title)
  if action.title:find("BL102", 1, true) then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
until_true("the fix to mend it", function() return codes().BL102 == nil end)
out.mended = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]

vim.api.nvim_buf_set_lines(0, line - 1, line, false, { "RWTexture2D<float4> BindlintProbe : register(" })
vim.api.nvim_win_set_cursor(0, { line, 45 })
local params = vim.lsp.util.make_position_params(0, "utf-16")
params.position.character = 45
local proposed = request("textDocument/completion", params)
table.sort(proposed.items, function(a, b) return a.sortText < b.sortText end)
out.completion = { proposed.items[1].label, proposed.items[1].detail }
finish(nil)
