--- `:checkhealth copane`: whether copane is there and answers, and whether tmux is around.
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local ANSWER_MAX_MS = 5000

--- Runs copane and waits: a health check is the one place that may.
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

function M.check()
  start('copane')
  local command = table.concat(require('copane.config').command(), ' ')
  local version = run({ '--version' })
  if not version or version.code ~= 0 then
    fail(
      ('%s does not run: %s'):format(command, version and vim.trim(version.stderr) or 'no answer'),
      { "Put copane on the PATH, or name it: require('copane').setup({ cmd = '/path/to/copane' })" }
    )
    return
  end
  ok(('%s, version %s'):format(command, vim.trim(version.stdout)))
  local notes = run({ 'notes' }, '{"lines":[{"text":"a note"}]}')
  if notes and notes.code == 0 and vim.trim(notes.stdout) == 'a note' then
    ok('notes are told from pulled lines')
  else
    fail('"copane notes" does not answer: copane is older than this plugin')
  end
  if vim.env.TMUX then
    ok('Neovim runs in tmux')
  else
    warn('Neovim does not run in tmux', { 'Start it in the window of your AI pane, or name the pane: setup({ pane = ... })' })
  end
end

return M
