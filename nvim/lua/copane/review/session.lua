--- The review of this Neovim, alive: the pure state, the link to the host, and whoever draws. Acts go out one after the
--- other, since each builds on what the one before has left. Draws nothing and decides nothing.
local M = {}

local uv = vim.uv or vim.loop
local core = require('copane.review.core')

--- A suggestion that is being decided on is read at most this often.
local READ_GAP_MS = 100
--- A lost answer is followed up so often.
local LOST_MAX = 3

---@class CopaneSession
---@field state CopaneReviewState
---@field link CopaneLink
---@field listeners table<number, fun()>
---@field queue CopaneAct[]
---@field is_acting boolean
---@field generation number grows with every act: an answer that was asked for before one shows the past
---@field is_read_due boolean
---@field is_reading boolean
---@field completed table<string, boolean> hunks that were read to their end
---@field since number when it began, in ms since the epoch
local session = nil

local function changed()
  for _, listener in pairs(session and session.listeners or {}) do
    listener()
  end
end

---@param state CopaneReviewState
local function set(state)
  if session and session.state ~= state then
    session.state = state
    changed()
  end
end

---@param failure CopaneFailure
local function warn(failure)
  local words = failure.message .. (failure.hint and '\n' .. failure.hint or '')
  require('copane.message').warn(vim.startswith(words, 'copane: ') and words or 'copane: ' .. words)
end

---@param body table
local function on_event(body)
  if body.type == 'review/published' then
    set((core.heard(session.state, body.suggestion)))
    require('copane.review.notify').published(body.suggestion)
  elseif body.type == 'review/changed' then
    local state, is_stale = core.heard(session.state, body.suggestion)
    set(state)
    require('copane.review.files').decided(body)
    if is_stale then
      M.read()
    end
  elseif body.type == 'review/reported' then
    require('copane.review.notify').reported(body.report)
  end
end

--- Suggestions that came while nobody could tell of them: after this Neovim began to listen, and not in the list yet.
---@param list table[]
local function tell_of_fresh(list)
  local known = {}
  for _, summary in ipairs(session.state.list) do
    known[summary.id] = true
  end
  for at = #list, 1, -1 do
    if not known[list[at].id] and list[at].createdAt >= session.since then
      require('copane.review.notify').published(list[at])
    end
  end
end

local function on_reload()
  session.link:ask('review/list', {}, function(list, failure)
    if session and list then
      tell_of_fresh(list)
      set(core.listed(session.state, list))
    elseif failure then
      warn(failure)
    end
  end)
  if session.state.id then
    M.read()
    -- What was decided meanwhile is not told one by one.
    require('copane.review.files').check_all()
  end
end

---@return CopaneSession
local function ensure()
  if not session then
    local config = require('copane.config')
    local link = require('copane.review.link').new({
      socket = config.get().suggestion_review.server.socket
        or require('copane.review.place').socket(vim.loop.os_environ(), uv.getuid()),
      command = config.command(),
      on_state = changed,
      on_event = on_event,
      on_reload = on_reload,
    })
    session = {
      state = core.initial(),
      link = link,
      listeners = {},
      queue = {},
      is_acting = false,
      generation = 0,
      is_read_due = false,
      is_reading = false,
      completed = {},
      since = os.time() * 1000,
    }
  end
  return session
end

--- Follows the host. `is_needed`: starts one when none runs.
---@param is_needed boolean
function M.follow(is_needed)
  ensure().link:follow(is_needed)
end

--- Nobody looks any more: a host that goes away is not replaced.
function M.rest()
  if session then
    session.link:rest()
  end
end

---@return CopaneReviewState
function M.state()
  return ensure().state
end

--- What is known without ever having asked; nil before the first use.
---@return CopaneReviewState|nil, CopaneLinkState|nil
function M.peek()
  if session then
    return session.state, session.link.state
  end
  return nil, nil
end

---@return CopaneLinkState
function M.link_state()
  return ensure().link.state
end

--- Calls `listener` after each change; gives what ends that.
---@param listener fun()
---@return fun()
function M.subscribe(listener)
  local listeners = ensure().listeners
  local id = #listeners + 1
  while listeners[id] do
    id = id + 1
  end
  listeners[id] = listener
  return function()
    listeners[id] = nil
  end
end

--- Ends everything; for tests, and for another socket.
function M.close()
  local closing = session
  session = nil
  if closing then
    closing.link:close()
  end
end

--- Asks the host; for what is no part of the state.
---@param command string
---@param params table
---@param on_end fun(value: any, failure: CopaneFailure|nil)
function M.ask(command, params, on_end)
  ensure().link:ask(command, params, on_end)
end

--- The list as it is now.
---@param on_end fun(list: table[]|nil)
function M.list(on_end)
  M.follow(true)
  M.ask('review/list', {}, function(list, failure)
    if not list then
      warn(failure)
      return on_end(nil)
    end
    set(core.listed(ensure().state, list))
    on_end(list)
  end)
end

--- Opens a suggestion, or the same once more, and reads it.
---@param id string|nil
function M.open(id)
  local known = ensure()
  if known.state.id ~= id then
    known.completed = {}
  end
  set(core.opened(known.state, id))
  if id then
    M.follow(true)
    M.read()
  end
end

--- What only the marked hunk needs: the sides of a conflict, the rest of a long diff.
local function read_details()
  local known = session
  local hunk = known and core.marked(known.state)
  if not hunk then
    return
  end
  local id = known.state.id
  if hunk.status == 'conflict' then
    M.ask('review/conflict', { suggestion = id, hunk = hunk.id }, function(sides)
      if session == known and known.state.id == id then
        set(core.explained(known.state, hunk.id, sides))
      end
    end)
  elseif known.state.conflict then
    set(core.explained(known.state, hunk.id, nil))
  end
  if not hunk.diffComplete and not known.completed[hunk.id] then
    known.completed[hunk.id] = true
    require('copane.review.whole').read(M.ask, id, hunk, function(whole)
      if session == known and known.state.id == id then
        set(core.read_further(known.state, whole))
      end
    end)
  end
end

--- Reads the open suggestion, soon, and once for many wishes.
function M.read()
  local known = ensure()
  known.is_read_due = true
  if known.is_reading then
    return
  end
  known.is_reading = true
  local id, generation = known.state.id, known.generation
  known.is_read_due = false
  M.ask('review/show', { suggestion = id }, function(suggestion, failure)
    if session ~= known then
      return
    end
    local is_current = known.state.id == id and known.generation == generation
    if suggestion and is_current then
      set(core.loaded(known.state, suggestion))
      read_details()
    elseif failure and known.state.id == id then
      warn(failure)
    end
    vim.defer_fn(function()
      known.is_reading = false
      if session == known and known.state.id and (known.is_read_due or not is_current) then
        M.read()
      end
    end, READ_GAP_MS)
  end)
end

---@param id string
function M.mark(id)
  set(core.mark(ensure().state, id))
  read_details()
end

---@param step number
function M.move(step)
  set(core.move(ensure().state, step))
  read_details()
end

---@param act CopaneAct
---@param value table
local function done(act, value)
  local state, words, is_stale = core.acted(session.state, act, value)
  set(state)
  if words then
    require('copane.message').info(words)
  end
  if is_stale or session.state.id then
    M.read()
  end
end

--- Whether the suggestion shows that the act was done, though its answer was lost.
---@param act CopaneAct
---@param suggestion table
---@param revision number before the act
---@return boolean
local function shows(act, suggestion, revision)
  if act.command ~= 'review/comment' then
    return suggestion.revision ~= revision
  end
  for _, hunk in ipairs(suggestion.hunks) do
    local last = hunk.comments[#hunk.comments]
    if hunk.id == act.params.hunk and last then
      return (last.text or last) == act.params.comment
    end
  end
  return false
end

local run_next

--- The host went away while it was at it: looks whether it was done, and asks again if it was not.
---@param act CopaneAct
---@param revision number
---@param failure CopaneFailure
---@param on_end fun(failure: CopaneFailure|nil)
local function look_after(act, revision, failure, on_end)
  act.lost = (act.lost or 0) + 1
  M.ask('review/show', { suggestion = act.params.suggestion }, function(suggestion, problem)
    if not session then
      return
    elseif not suggestion then
      return on_end(problem)
    elseif shows(act, suggestion, revision) then
      set(core.loaded(core.refused(session.state, act), suggestion))
      require('copane.message').info('copane was restarted meanwhile; what you see is what was decided')
      return on_end(nil)
    elseif act.lost > LOST_MAX then
      return on_end(failure)
    end
    table.insert(session.queue, 1, act)
    session.is_acting = false
    run_next()
  end)
end

run_next = function()
  local known = session
  local act = known and not known.is_acting and table.remove(known.queue, 1)
  if not act then
    return
  end
  known.is_acting = true
  known.generation = known.generation + 1
  local revision = known.state.suggestion and known.state.suggestion.revision or 0
  local function finish(failure)
    known.is_acting = false
    if failure then
      set(core.refused(known.state, act))
      warn(failure)
      M.read()
    end
    if act.on_end then
      act.on_end(failure)
    end
    run_next()
  end
  M.ask(act.command, core.params(known.state, act), function(value, failure)
    if session ~= known then
      return
    end
    known.generation = known.generation + 1
    if failure and failure.is_lost then
      return look_after(act, revision, failure, finish)
    elseif value then
      done(act, value)
    end
    finish(failure)
  end)
end

---@param act CopaneAct
local function enqueue(act)
  M.follow(true)
  table.insert(ensure().queue, act)
  run_next()
end

--- Does what the user wants, after a question where one is due. `on_end` hears how an act went.
---@param intent string
---@param given table|nil
---@param on_end fun(failure: CopaneFailure|nil)|nil
function M.intend(intent, given, on_end)
  local plan = core.plan(ensure().state, intent, given)
  if plan.say then
    require('copane.message').info(plan.say)
  end
  if plan.act then
    plan.act.on_end = on_end
  end
  if plan.act and plan.question then
    vim.ui.select({ 'Yes', 'No' }, { prompt = plan.question }, function(choice)
      if choice == 'Yes' then
        enqueue(plan.act)
      end
    end)
    return
  end
  local before = session.state.hunk
  set(plan.state)
  if plan.act then
    enqueue(plan.act)
  end
  if session.state.hunk ~= before then
    read_details()
  end
end

return M
