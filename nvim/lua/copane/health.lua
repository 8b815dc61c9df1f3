--- `:checkhealth copane`: whether copane exists and answers, whether tmux is present, and how reviews will be shown.
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local info = health.info or health.report_info

local ANSWER_MAX_MS = 5000

--- Runs copane and waits: only a health check may do that.
---@param args string[]
---@param stdin string|nil
---@return CopaneOutcome|nil
local function run(args, stdin)
  local argv = vim.list_extend(require('copane.config').command(), args)
  local found
  require('copane.job').run(argv, { stdin = stdin, timeout_ms = ANSWER_MAX_MS }, function(outcome)
    found = outcome
  end)
  vim.wait(ANSWER_MAX_MS + 1000, function()
    return found ~= nil
  end, 20)
  return found
end

--- What the review needs: the host's socket, or the program to start a host, and a way to draw.
local function check_review()
  start('copane: review')
  local uv = vim.uv or vim.loop
  local options = require('copane.config').get().suggestion_review
  local socket = options.server.socket or require('copane.review.place').socket(uv.os_environ(), uv.getuid())
  local stat = uv.fs_lstat(socket)
  local _, link = require('copane.review.session').peek()
  if link and link.problem then
    fail(link.problem)
  elseif stat and stat.uid ~= uv.getuid() then
    fail(('The socket %s belongs to another user'):format(socket))
  elseif link and link.kind == 'connected' then
    ok(('Connected over %s'):format(socket))
  elseif stat then
    ok(('A copane leads, or did: %s'):format(socket))
  else
    ok(('No copane leads at %s; the review starts one'):format(socket))
  end
  local style, wish = options.ui.style, options.ui.picker
  local is_plugin = style == 'telescope' or style == 'fzf-lua'
  local wanted = is_plugin and style or (style == 'picker' and wish ~= 'builtin' and wish)
  local plugin = wanted and require('copane.review.plugins').find(wanted)
  if wanted and wanted ~= 'auto' and not plugin then
    warn(('%s is not installed; the built-in picker is used'):format(wanted))
  else
    ok(('Shown as: %s%s'):format(style, plugin and ' by ' .. plugin or ''))
  end
end

--- A key of the user's is not overwritten: this reports it.
local function check_keys()
  local taken = require('copane.keys').taken(require('copane.config').get())
  if #taken == 0 then
    return ok('Every key is mapped')
  end
  for _, words in ipairs(taken) do
    info(words)
  end
end

function M.check()
  start('copane')
  check_keys()
  local command = table.concat(require('copane.config').command(), ' ')
  local version = run({ '--version' })
  if not version or version.code ~= 0 then
    fail(('%s does not run: %s'):format(command, version and vim.trim(version.stderr) or 'no answer'))
    return
  end
  ok(('%s, version %s'):format(command, vim.trim(version.stdout)))
  local notes = run({ 'notes' }, '{"lines":[{"text":"a note"}]}')
  if notes and notes.code == 0 and vim.trim(notes.stdout) == 'a note' then
    ok('Notes are told from pulled lines')
  else
    fail('"copane notes" does not answer: copane is older than this plugin; update it')
  end
  if vim.env.TMUX then
    ok('Neovim runs in tmux')
  else
    local advice = 'Start it in the window of your AI pane, or name the pane: setup({ pane = ... })'
    warn('Neovim does not run in tmux', { advice })
  end
  check_review()
end

return M
