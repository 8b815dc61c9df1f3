-- Commands, <Plug> mappings and default keys. Loads nothing of the plugin before their first use.
if vim.g.loaded_copane or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_copane = true

local function call(name, ...)
  return require('copane')[name](...)
end

local function set_highlight()
  vim.api.nvim_set_hl(0, 'CopaneResponse', { link = 'Comment', default = true })
end
set_highlight()

local function complete(name)
  return function(lead, line)
    return require('copane.command').complete(name, lead, line)
  end
end

for name, sub in pairs({
  CopaneSend = 'send',
  CopanePull = 'pull',
  CopanePullSplit = 'split',
  CopanePullPlain = 'plain',
  CopaneClear = 'clear',
}) do
  vim.api.nvim_create_user_command(name, function(opts)
    require('copane.command').run(sub, opts.fargs, opts)
  end, { nargs = '*', range = sub == 'send', bang = sub == 'send', complete = complete(sub), desc = 'copane ' .. sub })
end
vim.api.nvim_create_user_command('Copane', function(opts)
  require('copane.command').run(opts.fargs[1], vim.list_slice(opts.fargs, 2), opts)
end, { nargs = '+', range = true, bang = true, complete = complete(nil), desc = 'copane: send, pull, review and more' })

--- Not by `vim.keymap.set`: twenty of these would cost every start more than everything else here.
local function plug(mode, name, callback)
  vim.api.nvim_set_keymap(mode, '<Plug>(copane-' .. name .. ')', '', { noremap = true, callback = callback })
end

for name, action in pairs({
  pull = 'pull',
  ['pull-split'] = 'pull_split',
  ['pull-plain'] = 'pull_plain',
  clear = 'clear',
  send = 'send',
  review = 'review',
}) do
  plug('n', name, function()
    call(action)
  end)
end
plug('x', 'send', function()
  call('send_selection')
end)

-- Lists of keys: cheaper at every start than the modules that know their names.
local REVIEW_KEYS = {
  n = 'next_hunk',
  p = 'prev_hunk',
  a = 'accept',
  x = 'reject',
  m = 'modify',
  A = 'accept_all',
  X = 'reject_all',
  d = 'discard',
  c = 'complete',
}
for _, action in pairs(REVIEW_KEYS) do
  plug('n', 'review-' .. action:gsub('_', '-'), function()
    require('copane.review').actions[action]({})
  end)
end
for _, action in ipairs({ 'accept', 'reject' }) do
  plug('x', 'review-' .. action, function()
    require('copane.review').actions[action]({ rows = require('copane.keys').take_selection() })
  end)
end

if not vim.g.copane_no_keys then
  local wanted = {
    { 'llmp', 'pull' },
    { 'llmP', 'pull-split' },
    { 'llmv', 'pull-plain' },
    { 'llmx', 'clear' },
    { 'llms', 'send' },
    { 'llms', 'send', 'x' },
    { 'sr', 'review' },
    { 'sa', 'review-accept', 'x' },
    { 'sx', 'review-reject', 'x' },
  }
  for key, action in pairs(REVIEW_KEYS) do
    table.insert(wanted, { 's' .. key, 'review-' .. action:gsub('_', '-') })
  end
  for _, each in ipairs(wanted) do
    local lhs, target, mode = '<leader>' .. each[1], '<Plug>(copane-' .. each[2] .. ')', each[3] or 'n'
    if vim.fn.maparg(lhs, mode) == '' and vim.fn.hasmapto(target, mode) == 0 then
      vim.api.nvim_set_keymap(mode, lhs, target, { desc = 'copane: ' .. each[2]:gsub('%-', ' ') })
    end
  end
end

local group = vim.api.nvim_create_augroup('copane', {})
-- A colour scheme begins with `:hi clear`, which deletes our group.
vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = set_highlight })
vim.api.nvim_create_autocmd('BufWritePost', {
  group = group,
  callback = function(event)
    -- Without a pull in this run there is nothing to remember, and the module is not loaded.
    if package.loaded['copane.tags'] then
      require('copane.memory').save(event.buf)
    end
  end,
})
vim.api.nvim_create_autocmd('BufReadPost', {
  group = group,
  callback = function(event)
    local has_memory = (vim.uv or vim.loop).fs_stat(vim.fn.stdpath('data') .. '/copane/pulls')
    if has_memory or (package.loaded['copane.tags'] and require('copane.tags').is_known(event.buf)) then
      require('copane.memory').restore(event.buf)
    end
  end,
})
-- Only in an interactive Neovim, and after its first screen.
vim.api.nvim_create_autocmd('UIEnter', {
  group = group,
  once = true,
  callback = function()
    vim.defer_fn(function()
      call('follow')
    end, 200)
  end,
})
