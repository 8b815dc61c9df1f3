--- What became of an act: what was only expected is dropped, undo learns of it, and the user is told. Pure.
local M = {}

local core = require('copane.review.core')

--- Decisions that can be taken back from here, one after the other.
local DONE_MAX = 1000

--- The parameters as they are to be sent now: what was decided here since the reader looked, the reader saw.
---@param state CopaneReviewState
---@param act CopaneAct
---@return table
function M.params(state, act)
  local revision = act.params.revision
  if not revision then
    return act.params
  end
  while state.own[revision + 1] do
    revision = revision + 1
  end
  return core.with(act.params, { revision = revision })
end

---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
local function without_expected(state, act)
  if #act.hunks == 0 then
    return state
  end
  local expected = core.with(state.expected, {})
  for _, id in ipairs(act.hunks) do
    expected[id] = nil
  end
  return core.with(state, { expected = expected })
end

---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return CopaneReviewState
local function remember(state, act, hunks)
  if act.command ~= 'review/decide' then
    return state
  end
  local known = {}
  for _, id in ipairs(core.join(state.done, state.undone)) do
    known[id] = true
  end
  local done = core.without(state.done, {})
  for _, hunk in ipairs(hunks) do
    -- What was taken back while this was on its way stays taken back.
    if not known[hunk.id] then
      table.insert(done, hunk.id)
    end
  end
  while #done > DONE_MAX do
    table.remove(done, 1)
  end
  local changes = { done = done }
  if act.edited then
    changes.edited = core.with(state.edited, { [act.params.hunk] = act.edited })
  end
  return core.with(state, changes)
end

---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return string|nil
local function words_of(state, act, hunks)
  local words = nil
  if act.params.hunk == 'all' then
    local decided = 0
    for _, hunk in ipairs(hunks) do
      decided = decided + (core.is_open(hunk.status) and 0 or 1)
    end
    local left = #core.open_hunks(state, act.params.file)
    local rest = left > 0 and ('; %s did not fit'):format(core.counted(left, 'hunk')) or ''
    local verb = act.params.action == 'accept' and 'Accepted' or 'Rejected'
    words = ('%s %s%s'):format(verb, core.counted(decided, 'hunk'), rest)
  end
  if act.command == 'review/decide' and #core.open_hunks(state) == 0 then
    return (words or 'Every hunk is decided') .. '; complete ends the review'
  end
  return words
end

--- The state after an act that was done, and the words about it.
---@param state CopaneReviewState
---@param act CopaneAct
---@param value table what the host answered
---@return CopaneReviewState, string|nil
function M.acted(state, act, value)
  local next_state = without_expected(state, act)
  if act.params.suggestion ~= state.id then
    return next_state, nil
  end
  if act.command == 'review/finish' then
    next_state = core.heard(next_state, value)
    return next_state, act.params.how == 'finalize' and 'Review completed' or 'Suggestion discarded'
  elseif act.command == 'review/comment' then
    return core.took(next_state, nil, { value }), 'Comment made'
  end
  local own = core.with(next_state.own, { [value.suggestion.revision] = true })
  next_state = core.took(core.with(next_state, { own = own }), value.suggestion, value.hunks)
  next_state = remember(next_state, act, value.hunks)
  if act.params.action == 'modify' and next_state.hunk == act.params.hunk then
    next_state = core.to_next_open(next_state)
  end
  return next_state, words_of(next_state, act, value.hunks)
end

--- The state after an act that was refused: what was expected is dropped, and the mark is where it was meant.
---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
function M.refused(state, act)
  local next_state = without_expected(state, act)
  local id = act.params.hunk
  if act.params.suggestion ~= state.id or not id or id == 'all' then
    return next_state
  end
  if act.command == 'review/decide' then
    next_state = core.with(next_state, { done = core.without(next_state.done, { [id] = true }) })
  elseif act.command == 'review/undo' or act.command == 'review/redo' then
    -- It can be asked for again.
    local is_undo = act.command == 'review/undo'
    local from, to = is_undo and 'undone' or 'done', is_undo and 'done' or 'undone'
    local moved = core.without(next_state[to], { [id] = true })
    table.insert(moved, id)
    next_state = core.with(next_state, { [from] = core.without(next_state[from], { [id] = true }), [to] = moved })
  end
  return core.mark(next_state, id)
end

return M
