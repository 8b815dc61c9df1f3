--- Sends the user's intents to the host, which computes the effects, and paints the results: first the expected, then
--- the actual ones.
local M = {}

local core = require('copane.review.core')
local message = require('copane.message')
local session = require('copane.review.session')
local shown = require('copane.hidden').shown

--- Decisions, after which the review may be nearly over.
local DECIDES = {}
for _, kind in ipairs({ 'accept', 'reject', 'modify' }) do
  DECIDES[kind], DECIDES[kind .. '_file'], DECIDES[kind .. '_all'] = true, true, true
end

--- The data of an intent on a hunk. Without a move of the user, the hunk is the one marked by the host at that time, so
--- that keys typed ahead apply to one hunk after the other.
---@param state CopaneReviewState
---@param kind string
---@param given CopaneTarget
---@return table
local function intent_of(state, kind, given)
  local intent = { kind = kind, text = given.text, message = given.message, modified = given.modified }
  if kind == 'view' then
    return { kind = kind, hunk = given.hunk, viewed = given.viewed }
  elseif not given.is_on_hunk then
    return intent
  end
  -- Writing a text takes time: the mark may have moved meanwhile.
  local is_marked = not (given.text or given.modified) and (given.hunk == nil or given.hunk == state.hunk)
  local hunk = core.find(state, given.hunk or state.hunk)
  if not is_marked or state.is_picked or given.lines then
    intent.hunk = given.hunk or state.hunk
  end
  intent.seen = hunk and hunk.status
  intent.lines = given.lines
  intent.at = kind == 'split' and given.at or nil
  return intent
end

--- Asks with "No" for Enter, and "Yes" for y, unless the user has configured another way.
---@param question string
---@param on_yes fun()
---@param on_other fun()|nil offers another way
local function ask(question, on_yes, on_other)
  question = shown(question)
  local answers = { Yes = on_yes, ['Other way'] = on_other }
  if debug.getinfo(vim.ui.select, 'S').source:find('vim/ui%.lua$') then
    local chosen = vim.fn.confirm(question, on_other and '&Yes\n&No\n&Other way' or '&Yes\n&No', 2)
    local answer = answers[({ 'Yes', 'No', 'Other way' })[chosen]]
    return answer and answer()
  end
  local choices = on_other and { 'No', 'Yes', 'Other way' } or { 'No', 'Yes' }
  vim.ui.select(choices, { prompt = question }, function(choice)
    local answer = answers[choice]
    return answer and answer()
  end)
end

---@param kind string
---@param result table
local function tell(kind, result)
  local rest = result.complete and DECIDES[kind] and result.kind == 'done'
  local words = result.words or (rest and 'Every hunk is decided') or nil
  local said = { words and (rest and words .. '; complete ends the review' or words) }
  vim.list_extend(said, result.notes)
  if #said > 0 then
    local short = vim.list_extend({ words }, result.notes)
    message.info(table.concat(said, '\n'), table.concat(short, '\n'))
  end
end

local send

--- Asks whether to finish, in the way used last, or in another one.
---@param kind string
---@param result table
---@param at number the way
---@param on_end fun(failure: CopaneFailure|nil)
local function ask_how(kind, result, at, on_end)
  local way = result.ways[at]
  ask(way.question, function()
    send(kind, { kind = 'finish', sync = way.sync }, { confirmed = result.revision, on_end = on_end })
  end, function()
    ask_how(kind, result, at % #result.ways + 1, on_end)
  end)
end

---@param kind string
---@param intent table
---@param result table the host's answer
---@param on_end fun(failure: CopaneFailure|nil)
local function take(kind, intent, result, on_end)
  if result.kind == 'asked' and result.ways then
    return ask_how(kind, result, 1, on_end)
  elseif result.kind == 'asked' then
    return ask(result.question, function()
      send(kind, intent, { confirmed = result.revision, on_end = on_end })
    end)
  elseif result.kind == 'refused' then
    local problem, hunk = result.problem, core.marked(session.state())
    if not problem.hint and hunk and hunk.status == 'conflict' then
      problem.hint = 'modify shows both sides in one text'
    end
    session.warn(problem)
    return on_end(problem)
  end
  for _, hunk in ipairs(DECIDES[kind] and result.hunks or {}) do
    if hunk.status == 'rejected' then
      session.set(core.with(session.state(), { rejected = hunk.id }))
      break
    end
  end
  tell(kind, result)
  on_end(nil)
end

---@param kind string
---@param intent table
---@param more { confirmed: number|nil, on_end: fun(failure: CopaneFailure|nil) }
send = function(kind, intent, more)
  session.intend(intent, more.confirmed, function(result, failure)
    if not result then
      session.warn(failure)
      return more.on_end(failure)
    end
    take(kind, intent, result, more.on_end)
  end)
end

--- Carries out an intent for the hunk in `given` or for the suggestion. `on_end` gets the outcome.
---@param kind string
---@param given CopaneTarget|nil
---@param on_end fun(failure: CopaneFailure|nil)|nil
function M.intend(kind, given, on_end)
  local state = session.state()
  local why = core.why_not(state)
  if why then
    return message.info(why)
  end
  send(kind, intent_of(state, kind, given or {}), { on_end = on_end or function() end })
end

return M
