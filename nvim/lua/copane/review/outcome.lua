--- What became of an act: what was only expected is dropped, undo learns of it, and the user is told. Pure.
local M = {}

local core = require('copane.review.core')
local counted = require('copane.text').counted

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

--- What undo and redo take next.
---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return CopaneReviewState
local function remember(state, act, hunks)
  local is_undo_all = act.command == 'review/undo' and act.params.hunk == 'all'
  if act.command ~= 'review/decide' and not is_undo_all then
    return state
  end
  local known, taken = {}, {}
  for _, id in ipairs(is_undo_all and {} or core.join(state.done, state.undone)) do
    known[id] = true
  end
  for _, hunk in ipairs(hunks) do
    -- What was taken back while this was on its way stays taken back.
    if not known[hunk.id] then
      table.insert(taken, hunk.id)
    end
  end
  if is_undo_all then
    return core.with(state, { done = {}, undone = taken })
  end
  local done = core.join(state.done, taken)
  while #done > DONE_MAX do
    table.remove(done, 1)
  end
  return core.with(state, { done = done })
end

--- The mark as an act moves it: on from an edited hunk, to what was cut.
---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return CopaneReviewState
local function marked_anew(state, act, hunks)
  local is_cut = act.command == 'review/split' or act.command == 'review/join' or act.params.lines
  if is_cut and hunks[1] then
    -- It is there once the suggestion is read.
    return core.with(state, { wished = hunks[1].id })
  elseif act.params.action == 'modify' and state.hunk == act.params.hunk then
    return core.to_next_open(state)
  end
  return state
end

--- What is said about a decision on everything that was open.
---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return string
local function words_of_many(state, act, hunks)
  local decided = 0
  for _, hunk in ipairs(hunks) do
    decided = decided + (core.is_open(hunk.status) and 0 or 1)
  end
  local left = #core.open_hunks(state, act.params.file)
  local rest = left > 0 and ('; %s did not fit'):format(counted(left, 'hunk')) or ''
  local verb = act.params.action == 'accept' and 'Accepted' or 'Rejected'
  return ('%s %s%s'):format(verb, counted(decided, 'hunk'), rest)
end

--- One hunk speaks for itself by its sign; more of them, and the end of the review, are said.
---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return string|nil words, string|nil short where there is no room for them
local function words_of(state, act, hunks)
  local is_all = act.params.hunk == 'all'
  if act.command == 'review/split' then
    return ('Split into %s'):format(counted(#hunks, 'part'))
  elseif act.command == 'review/join' then
    return 'One hunk again'
  elseif act.command == 'review/undo' then
    return is_all and ('%s taken back'):format(counted(#hunks, 'decision')) or nil
  elseif act.command ~= 'review/decide' then
    return nil
  end
  local words = is_all and words_of_many(state, act, hunks) or nil
  -- Parts of a hunk are counted once they are read.
  if #core.open_hunks(state) == 0 and not act.params.lines then
    words = words or 'Every hunk is decided'
    return words .. '; complete ends the review', words
  end
  return words
end

--- The words, and what could not be done beside the act itself.
---@param words string|nil
---@param notes string[]|nil
---@return string|nil
local function with_notes(words, notes)
  local all = core.join(words and { words } or {}, notes or {})
  return #all > 0 and table.concat(all, '\n') or nil
end

--- The state after an act that was done, and the words about it.
---@param state CopaneReviewState
---@param act CopaneAct
---@param value table what the host answered
---@return CopaneReviewState, string|nil words, string|nil short where there is no room for them
function M.acted(state, act, value)
  local next_state = without_expected(state, act)
  if act.params.suggestion ~= state.id then
    return next_state, nil
  end
  if act.command == 'review/finish' then
    local words = act.params.how == 'finalize' and 'Review completed' or 'Suggestion discarded'
    return core.heard(next_state, value), with_notes(words, value.notes)
  elseif act.command == 'review/comment' then
    return core.took(next_state, nil, { value }), 'Comment made'
  end
  local own = core.with(next_state.own, { [value.suggestion.revision] = true })
  next_state = core.took(core.with(next_state, { own = own }), value.suggestion, value.hunks)
  next_state = marked_anew(remember(next_state, act, value.hunks), act, value.hunks)
  local words, short = words_of(next_state, act, value.hunks)
  return next_state, with_notes(words, value.notes), short and with_notes(short, value.notes)
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
  return core.find(next_state, id) and core.mark(next_state, id) or next_state
end

return M
