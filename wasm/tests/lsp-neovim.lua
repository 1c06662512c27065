-- Run by lsp-neovim.test.js in Neovim: asks the language server about a file as an editor does, and prints what it got as JSON.
-- The environment has NODE, CLI and RESULT, the file to write.
local function wait(what, fits)
  if not vim.wait(60000, fits, 20) then error('nothing came: ' .. what) end
end

local buffer = vim.api.nvim_get_current_buf()
local initialized = false
local id = vim.lsp.start_client({
  name = 'epcis-edge',
  cmd = { vim.env.NODE, vim.env.CLI, 'lsp' },
  init_options = { epcisEdge = { packs = { 'identifiers' } } },
  on_init = function() initialized = true end,
})
wait('initialize', function() return initialized end)
vim.lsp.buf_attach_client(buffer, id)
wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)

local result = { diagnostics = {} }
for _, found in ipairs(vim.diagnostic.get(buffer)) do
  local line = vim.api.nvim_buf_get_lines(buffer, found.lnum, found.lnum + 1, true)[1]
  table.insert(result.diagnostics, { code = found.code, severity = found.severity, text = line:sub(found.col + 1, found.end_col) })
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers[id].result
end
local first = vim.diagnostic.get(buffer)[1]
vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = ask('textDocument/codeAction', params)
result.action = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait('diagnostics of the corrected text', function()
  for _, found in ipairs(vim.diagnostic.get(buffer)) do if found.code == 'anyOf' then return false end end
  return true
end)
result.hover = ask('textDocument/hover', vim.lsp.util.make_position_params()).contents.value
result.symbols = vim.tbl_map(function(symbol) return symbol.name end, ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() }))
result.lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
vim.fn.writefile({ vim.fn.json_encode(result) }, vim.env.RESULT)
vim.lsp.stop_client(id)
vim.cmd('qall!')
