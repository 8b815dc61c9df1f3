--- The only module that knows copane's command line: argument lists, JSON in, JSON out, and the message of a failure.
local M = {}

--- Exit codes of `copane send` after which the text has left us.
local STAGED, UNCONFIRMED = 5, 6

---@param text string
---@return table|nil
local function decode(text)
  local is_json, value = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
  return is_json and type(value) == 'table' and value or nil
end

---@param outcome CopaneOutcome
---@param answer table|nil
---@return string
local function sentence(outcome, answer)
  local failure = answer and answer.error
  if type(failure) == 'table' then
    return 'copane: ' .. failure.message .. (failure.hint and '\n' .. failure.hint or '')
  end
  local said = vim.trim(outcome.stderr)
  if vim.startswith(said, 'copane: ') then
    return said
  end
  return 'copane: ' .. (said ~= '' and said or ('It ended with code %d and no message\nSee what is wrong: copane doctor'):format(outcome.code))
end

---@param args string[]
---@param stdin string|nil
---@param on_end fun(outcome: CopaneOutcome, answer: table|nil)
local function run(args, stdin, on_end)
  local config = require('copane.config')
  local argv = vim.list_extend(config.command(), args)
  require('copane.job').run(argv, { stdin = stdin, timeout_ms = config.get().timeout_ms }, function(outcome)
    on_end(outcome, decode(outcome.stdout))
  end)
end

---@return string[]
local function pane_args()
  local pane = require('copane.config').get().pane
  return pane and { '--pane', pane } or {}
end

--- The outgoing part of the buffer. The answer is also present if the user must decide first (exit 3).
---@param request table
---@param on_end fun(answer: table|nil, failure: string|nil)
function M.notes(request, on_end)
  run({ 'notes', 'send', '--json' }, vim.json.encode(request), function(outcome, answer)
    if answer and answer.items then
      on_end(answer, answer.error and sentence(outcome, answer) or nil)
    else
      on_end(nil, sentence(outcome, answer))
    end
  end)
end

--- Passes on what `pick` returns for the answer, or a message if it returns nothing.
---@param pick fun(answer: table): any
---@param on_end fun(value: any, failure: string|nil)
local function picked(pick, on_end)
  return function(outcome, answer)
    local value = outcome.code == 0 and answer and pick(answer) or nil
    on_end(value, not value and sentence(outcome, answer) or nil)
  end
end

--- The buffer edits of a pull or a clear.
---@param what 'pull'|'clear'
---@param request table
---@param on_end fun(answer: table|nil, failure: string|nil)
function M.edits(what, request, on_end)
  local whole = picked(function(answer)
    return answer
  end, on_end)
  run({ 'notes', what, '--json' }, vim.json.encode(request), whole)
end

--- The turn with a response, or nil with a message if there is more to say than that there is none.
---@param options { number: number, source: string }
---@param on_end fun(turn: table|nil, failure: string|nil)
function M.pull(options, on_end)
  local args = { 'pull', '--json', '--number', tostring(options.number), '--source', options.source }
  run(vim.list_extend(args, pane_args()), nil, function(outcome, answer)
    local turn = answer and answer.turns and answer.turns[1]
    if outcome.code ~= 0 or not answer then
      on_end(nil, sentence(outcome, answer))
    elseif not turn or vim.trim(turn.response) == '' then
      on_end(nil, nil)
    else
      on_end(turn, nil)
    end
  end)
end

--- The file changes of the n-th newest answer.
---@param number number
---@param on_end fun(answer: table|nil, failure: string|nil)
function M.changes(number, on_end)
  local args = { 'changes', '--json', '--number', tostring(number) }
  local pick = picked(function(answer)
    return answer.files and answer
  end, on_end)
  run(vim.list_extend(args, pane_args()), nil, pick)
end

--- Creates a review with these arguments of `copane review`; returns its id.
---@param what string[]
---@param on_end fun(id: string|nil, failure: string|nil)
function M.review(what, on_end)
  local args = vim.list_extend({ 'review', '--json' }, what)
  local pane = what[1] == '--turn' and pane_args() or {}
  local pick = picked(function(answer)
    return answer.suggestion_id
  end, on_end)
  run(vim.list_extend(args, pane), nil, pick)
end

--- Sends `text`. `has_left`: it is in the pane, confirmed or not.
---@param text string
---@param on_end fun(has_left: boolean, words: string)
function M.send(text, on_end)
  run(vim.list_extend({ 'send', '-', '--json' }, pane_args()), text, function(outcome, answer)
    if outcome.code == 0 then
      on_end(true, answer and answer.state or 'sent')
    else
      on_end(outcome.code == STAGED or outcome.code == UNCONFIRMED, sentence(outcome, answer))
    end
  end)
end

return M
