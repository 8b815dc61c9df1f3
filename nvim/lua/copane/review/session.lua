--- The live review of this Neovim: the pure state, the link to the host, and the views. Draws nothing and decides
--- nothing.
local M = {}

local uv = vim.uv or vim.loop
local core = require('copane.review.core')

--- The least time between two reads of a suggestion during decisions.
local READ_GAP_MS = 100

---@class CopaneSession
---@field state CopaneReviewState
---@field link CopaneLink
---@field listeners table<table, fun()>
---@field flying number intents without an answer
---@field generation number grows with every intent: answers requested before are outdated
---@field is_read_due boolean|nil
---@field is_reading boolean|nil
---@field completed table<string, boolean> hunks read to their end
---@field asked_viewed string[] hunks whose seen marks were requested
---@field has_statusline boolean|nil
---@field since number when it began, in ms since the epoch
local session = nil

local function changed()
  for _, listener in pairs(session and session.listeners or {}) do
    listener()
  end
  if session and session.has_statusline then
    vim.cmd('redrawstatus!')
  end
end

local read_details

--- Sets the next state.
---@param state CopaneReviewState
function M.set(state)
  if not session or session.state == state then
    return
  end
  local before = session.state.hunk
  session.state = state
  changed()
  if session and state.hunk ~= before then
    read_details()
  end
end

--- Reports a failure.
---@param failure CopaneFailure
function M.warn(failure)
  local words = failure.message .. (failure.hint and '\n' .. failure.hint or '')
  require('copane.message').warn(vim.startswith(words, 'copane: ') and words or 'copane: ' .. words)
end

---@param state CopaneReviewState
---@param is_stale boolean the open suggestion is to be read again
local function take_in(state, is_stale)
  M.set(state)
  if is_stale then
    M.read()
  end
end

---@param body table
local function on_event(body)
  if body.type == 'review/published' then
    M.set((core.heard(session.state, body.suggestion)))
    require('copane.review.files').guard_all()
    require('copane.review.notify').published(body.suggestion)
  elseif body.type == 'review/changed' then
    take_in(core.heard(session.state, body.suggestion))
    local names = vim.tbl_map(function(decision)
      return decision.file
    end, body.decisions)
    require('copane.review.files').written(body.suggestion.target, body.moreDecisions > 0 and body.suggestion.files or names)
  elseif body.type == 'review/touched' then
    take_in(core.touched(session.state, body.suggestions))
  elseif body.type == 'agent/event' and body.event.type == 'apply.completed' then
    require('copane.review.files').written(body.root, body.event.data.files)
  elseif body.type == 'review/viewed' then
    M.set(core.viewed(session.state, body.hunks, body.viewed))
  elseif body.type == 'review/reported' then
    require('copane.review.notify').reported(body.report)
  end
end

--- Suggestions that arrived unreported: after this Neovim began to listen, and not in the list yet.
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
      M.set(core.listed(session.state, list))
      require('copane.review.files').guard_all()
    elseif failure then
      M.warn(failure)
    end
  end)
  session.asked_viewed = {}
  if session.state.id then
    M.read()
    -- Missed decisions are not reported one by one.
    require('copane.review.files').check_all()
  end
end

---@return CopaneSession
local function ensure()
  if not session then
    local config = require('copane.config')
    local link = require('copane.review.link').new({
      socket = config.get().suggestion_review.server.socket
        or require('copane.review.place').socket(uv.os_environ(), uv.getuid()),
      command = config.command(),
      on_state = changed,
      on_event = on_event,
      on_reload = on_reload,
    })
    session = {
      state = core.initial(),
      link = link,
      listeners = {},
      flying = 0,
      generation = 0,
      completed = {},
      asked_viewed = {},
      since = os.time() * 1000,
    }
    require('copane.review.files').watch()
  end
  return session
end

--- Follows the host. `is_needed`: starts one if none runs.
---@param is_needed boolean
function M.follow(is_needed)
  ensure().link:follow(is_needed)
end

--- No view is open: does not replace a host that ends.
function M.rest()
  if session then
    session.link:rest()
  end
end

---@return CopaneReviewState
function M.state()
  return ensure().state
end

--- The known state, without asking; nil before the first use.
---@return CopaneReviewState|nil, CopaneLinkState|nil
function M.peek()
  if session then
    return session.state, session.link.state
  end
end

--- A status line shows the waiting suggestions: redraws it with each change.
function M.show_in_statusline()
  local known = ensure()
  if not known.has_statusline then
    known.has_statusline = true
    vim.schedule(function()
      M.follow(false)
    end)
  end
end

--- Calls `listener` after each change; returns a function that ends it.
---@param listener fun()
---@return fun()
function M.subscribe(listener)
  local listeners, key = ensure().listeners, {}
  listeners[key] = listener
  return function()
    listeners[key] = nil
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

--- Asks the host, for data that is not part of the state.
---@param command string
---@param params table
---@param on_end fun(value: any, failure: CopaneFailure|nil)
function M.ask(command, params, on_end)
  ensure().link:ask(command, params, on_end)
end

--- The current list.
---@param on_end fun(list: table[]|nil)
function M.list(on_end)
  M.follow(true)
  M.ask('review/list', {}, function(list, failure)
    if list then
      M.set(core.listed(ensure().state, list))
    else
      M.warn(failure)
    end
    on_end(list)
  end)
end

--- Opens a suggestion, or the same again, and reads it.
---@param id string|nil
function M.open(id)
  local known = ensure()
  if known.state.id ~= id then
    known.completed, known.asked_viewed = {}, {}
  end
  M.set(core.opened(known.state, id))
  if id then
    M.follow(true)
    M.read()
  end
end

--- Whether a suggestion is still the open one.
---@param known CopaneSession
---@param id string
---@return boolean
local function is_open(known, id)
  return session == known and known.state.id == id
end

--- Reads the details of the marked hunk: the sides of a conflict; for any other the pairs of its lines, and both texts of
--- a modified one.
---@param on_end fun()|nil called when they are read
function M.explain(on_end)
  local known = ensure()
  local hunk, id = core.marked(known.state), known.state.id
  if not hunk then
    return
  end
  local is_conflict = hunk.status == 'conflict'
  local command = is_conflict and 'review/conflict' or 'review/inspect'
  M.ask(command, { suggestion = id, hunk = hunk.id, pairs = not is_conflict or nil }, function(value)
    if is_open(known, id) then
      local details = is_conflict and { sides = value } or value or {}
      M.set(core.explained(known.state, core.with(details, { hunk = hunk.id })))
      return on_end and on_end()
    end
  end)
end

--- The same, and the rest of a long diff.
read_details = function()
  M.explain()
  local known = session
  local hunk, id = core.marked(known.state), known.state.id
  if hunk and not hunk.diffComplete and not known.completed[hunk.id] then
    known.completed[hunk.id] = true
    require('copane.review.whole').read(M.ask, id, hunk, function(whole)
      if is_open(known, id) then
        M.set(core.read_further(known.state, whole))
      end
    end)
  end
end

--- Requests which hunks are marked as seen, if the hunks differ from the last request.
---@param hunks table[]
local function read_viewed(hunks)
  local known = session
  local ids = vim.tbl_map(function(hunk)
    return hunk.id
  end, hunks)
  if vim.deep_equal(ids, known.asked_viewed) then
    return
  end
  known.asked_viewed = ids
  M.ask('review/viewed', { hunks = ids }, function(seen)
    if session == known and seen then
      M.set(core.viewed(core.with(known.state, { viewed = {} }), seen.hunks, true))
    end
  end)
end

--- The open suggestion was read.
---@param suggestion table
local function take_loaded(suggestion)
  local known = session
  local marked = known.state.hunk
  M.set(core.loaded(known.state, suggestion))
  read_viewed(suggestion.hunks)
  if not core.marked(known.state) then
    -- A pending answer brings the mark: another request would move it to the host's own.
    return known.flying == 0 and M.intend({ kind = 'mark', hunk = marked or '' }, nil, function() end)
  elseif known.state.hunk == marked then
    read_details()
  end
end

--- Reads the open suggestion soon, once for several requests.
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
      take_loaded(suggestion)
    elseif failure and known.state.id == id then
      M.warn(failure)
    end
    vim.defer_fn(function()
      known.is_reading = false
      if session == known and known.state.id and (known.is_read_due or not is_current) then
        M.read()
      end
    end, READ_GAP_MS)
  end)
end

--- The user moves to a hunk.
---@param id string
function M.pick(id)
  M.set(core.pick(ensure().state, id))
end

--- The user moves by hunks. After an unanswered key, the host knows the starting point.
---@param step number
---@param fits nil|fun(hunk: table, marked: table): boolean
function M.move(step, fits)
  local known = ensure()
  if known.flying > 0 and not known.state.is_picked and not fits then
    return M.intend({ kind = step > 0 and 'next' or 'previous' }, nil, function() end)
  end
  M.set(require('copane.review.stops').move(known.state, step, fits))
end

--- Sends an intent to the host. Shows the expected result at once; `on_end` gets the actual one.
---@param intent table
---@param confirmed number|nil the revision of the question that the user said yes to
---@param on_end fun(result: table|nil, failure: CopaneFailure|nil)
function M.intend(intent, confirmed, on_end)
  M.follow(true)
  local known = ensure()
  local id = known.state.id
  known.generation, known.flying = known.generation + 1, known.flying + 1
  -- From here on the host's mark applies, until the user moves elsewhere.
  M.set(core.with(known.state, { is_picked = false }))
  local params = { suggestion = id, intent = intent, confirmed = confirmed or vim.NIL }
  known.link:ask('review/intend', params, function(result, failure)
    if session ~= known then
      return
    end
    known.generation, known.flying = known.generation + 1, known.flying - 1
    if is_open(known, id) then
      local state = known.state
      if result then
        state = core.took(state, result.suggestion, result.hunks)
        state = known.flying == 0 and core.follow_mark(state, result.mark) or state
      end
      M.set(state)
      -- If nothing was done, nothing has changed, unless the marked hunk is gone.
      if not result or result.kind ~= 'said' or not core.marked(state) then
        M.read()
      end
    end
    on_end(result, failure)
  end, function(early)
    if session == known and is_open(known, id) then
      M.set(core.follow_mark(core.paint(known.state, early.statuses), early.mark))
    end
  end)
end

return M
