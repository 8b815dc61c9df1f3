--- The review as this editor sees it: which suggestions wait, the one that is open, the marked hunk, what was decided
--- but not yet confirmed. Pure: every function gives the next state and, as data, what is to be done.
local M = {}

--- Decisions that can be taken back from here, one after the other.
M.DONE_MAX = 1000

---@class CopaneReviewState
---@field list table[] suggestions that wait, without their hunks, newest first
---@field is_listed boolean
---@field id string|nil the suggestion that is open
---@field suggestion table|nil the same with its hunks, once it is read
---@field hunk string|nil the marked hunk
---@field conflict { hunk: string, sides: table }|nil of the marked hunk
---@field expected table<string, string> statuses that are on their way, by hunk
---@field own table<number, boolean> revisions that decisions from here have made
---@field done string[] hunks that were decided from here, the last one at the end
---@field undone string[]
---@field edited table<string, string> what was made of a modified hunk
---@field ended string|nil how the open suggestion ended

---@class CopaneAct what the host is asked to do
---@field command string
---@field params table
---@field what string for people
---@field hunks string[] whose status is expected to change
---@field wanted string|nil the status that it will be

---@class CopanePlan
---@field state CopaneReviewState
---@field act CopaneAct|nil
---@field question string|nil to be answered with yes before the act is done
---@field say string|nil

---@return CopaneReviewState
function M.initial()
  return {
    list = {},
    is_listed = false,
    id = nil,
    suggestion = nil,
    hunk = nil,
    conflict = nil,
    expected = {},
    own = {},
    done = {},
    undone = {},
    edited = {},
    ended = nil,
  }
end

local NONE = {}

--- The state with `changes`; a field that is NONE goes.
---@param state CopaneReviewState
---@param changes table
---@return CopaneReviewState
local function with(state, changes)
  local next_state = {}
  for name, value in pairs(state) do
    next_state[name] = value
  end
  for name, value in pairs(changes) do
    if value == NONE then
      next_state[name] = nil
    else
      next_state[name] = value
    end
  end
  return next_state
end

---@param list any[]
---@param dropped table<any, boolean>
---@return any[]
local function without(list, dropped)
  local kept = {}
  for _, each in ipairs(list) do
    if not dropped[each] then
      table.insert(kept, each)
    end
  end
  return kept
end

---@param status string
---@return boolean
function M.is_open(status)
  return status == 'pending' or status == 'conflict'
end

--- The status of a hunk as it will be once what is under way is done.
---@param state CopaneReviewState
---@param hunk table
---@return string
function M.status_of(state, hunk)
  return state.expected[hunk.id] or hunk.status
end

---@param state CopaneReviewState
---@return table[]
function M.hunks(state)
  return state.suggestion and state.suggestion.hunks or {}
end

--- The marked hunk and its place among all.
---@param state CopaneReviewState
---@return table|nil, number|nil
function M.marked(state)
  for at, hunk in ipairs(M.hunks(state)) do
    if hunk.id == state.hunk then
      return hunk, at
    end
  end
  return nil, nil
end

--- Hunks that are not decided, all or those of one file.
---@param state CopaneReviewState
---@param file string|nil
---@return string[]
function M.open_hunks(state, file)
  local found = {}
  for _, hunk in ipairs(M.hunks(state)) do
    if M.is_open(M.status_of(state, hunk)) and (not file or hunk.file == file) then
      table.insert(found, hunk.id)
    end
  end
  return found
end

---@param summary table
---@return boolean
local function has_ended(summary)
  return summary.status == 'finalized' or summary.status == 'discarded'
end

---@param state CopaneReviewState
---@param list table[]
---@return CopaneReviewState
function M.listed(state, list)
  return with(state, { list = list, is_listed = true })
end

--- Somebody published, decided or ended. `true`: the open suggestion is to be read again.
---@param state CopaneReviewState
---@param summary table
---@return CopaneReviewState, boolean
function M.heard(state, summary)
  local list, known = {}, false
  for _, one in ipairs(state.list) do
    local is_it = one.id == summary.id
    known = known or is_it
    -- Events and answers may cross: the higher revision is the later one.
    local kept = is_it and summary.revision > one.revision and summary or one
    if not (is_it and has_ended(summary)) then
      table.insert(list, kept)
    end
  end
  if not known and not has_ended(summary) then
    table.insert(list, 1, summary)
  end
  local changes = { list = list }
  local is_open = state.id == summary.id
  if is_open and has_ended(summary) then
    changes.ended = summary.status
  end
  local seen = state.suggestion and state.suggestion.revision or 0
  return with(state, changes), is_open and not has_ended(summary) and summary.revision > seen
end

--- Opens a suggestion; what was known of another is forgotten.
---@param state CopaneReviewState
---@param id string|nil
---@return CopaneReviewState
function M.opened(state, id)
  if state.id == id and id ~= nil and not state.ended then
    return state
  end
  local fresh = M.initial()
  fresh.list, fresh.is_listed, fresh.id = state.list, state.is_listed, id
  return fresh
end

--- A hunk does not change its diff: what was read further before is kept.
---@param before table[]
---@param after table[]
---@return table[]
local function keep_diffs(before, after)
  local known = {}
  for _, hunk in ipairs(before) do
    known[hunk.id] = hunk
  end
  for _, hunk in ipairs(after) do
    local old = known[hunk.id]
    if old and not hunk.diffComplete and #old.diff > #hunk.diff then
      hunk.diff, hunk.diffComplete = old.diff, old.diffComplete
    end
  end
  return after
end

--- The open suggestion was read. The mark stays on its hunk; a split one is found by its first part.
---@param state CopaneReviewState
---@param suggestion table
---@return CopaneReviewState
function M.loaded(state, suggestion)
  if suggestion.id ~= state.id then
    return state
  end
  keep_diffs(M.hunks(state), suggestion.hunks)
  local next_state = with(state, { suggestion = suggestion })
  if has_ended(suggestion) then
    next_state.ended = suggestion.status
  end
  if not M.marked(next_state) then
    local part = nil
    for _, hunk in ipairs(suggestion.hunks) do
      part = part or (state.hunk and hunk.parent == state.hunk and hunk.id) or nil
    end
    local first = suggestion.hunks[1]
    next_state.hunk = part or M.open_hunks(next_state)[1] or (first and first.id)
    next_state.conflict = nil
  end
  return next_state
end

--- Hunks came back from an act, or were read further.
---@param state CopaneReviewState
---@param summary table|nil
---@param hunks table[]
---@return CopaneReviewState
local function took(state, summary, hunks)
  local next_state = state
  if summary then
    next_state = M.heard(state, summary)
  end
  local suggestion = next_state.suggestion
  if not suggestion or (summary and summary.id ~= suggestion.id) then
    return next_state
  end
  keep_diffs(suggestion.hunks, hunks)
  local fresh, merged = {}, {}
  for _, hunk in ipairs(hunks) do
    fresh[hunk.id] = hunk
  end
  for at, hunk in ipairs(suggestion.hunks) do
    merged[at] = fresh[hunk.id] or hunk
  end
  local changes = { hunks = merged }
  for name, value in pairs(summary or {}) do
    changes[name] = value
  end
  return with(next_state, { suggestion = with(suggestion, changes) })
end

---@param state CopaneReviewState
---@param hunk table with a longer diff
---@return CopaneReviewState
function M.read_further(state, hunk)
  return took(state, nil, { hunk })
end

---@param state CopaneReviewState
---@param hunk string
---@param sides table|nil
---@return CopaneReviewState
function M.explained(state, hunk, sides)
  if state.hunk ~= hunk then
    return state
  end
  return with(state, { conflict = sides and { hunk = hunk, sides = sides } or NONE })
end

---@param state CopaneReviewState
---@param id string
---@return CopaneReviewState
function M.mark(state, id)
  if state.hunk == id then
    return state
  end
  return with(state, { hunk = id, conflict = NONE })
end

--- The mark on the next hunk (1) or the one before (-1), over files, round the ends.
---@param state CopaneReviewState
---@param step number
---@return CopaneReviewState
function M.move(state, step)
  local hunks = M.hunks(state)
  local _, at = M.marked(state)
  if not at or #hunks == 0 then
    return state
  end
  return M.mark(state, hunks[(at - 1 + step) % #hunks + 1].id)
end

--- The mark on the next hunk that is open, round the end; where it is if there is none.
---@param state CopaneReviewState
---@return CopaneReviewState
function M.to_next_open(state)
  local hunks = M.hunks(state)
  local _, at = M.marked(state)
  for step = 1, #hunks - 1 do
    local hunk = hunks[((at or 1) - 1 + step) % #hunks + 1]
    if M.is_open(M.status_of(state, hunk)) then
      return M.mark(state, hunk.id)
    end
  end
  return state
end

local STATUS = { accept = 'accepted', reject = 'rejected', modify = 'modified' }

---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
local function expecting(state, act)
  if not act.wanted or #act.hunks == 0 then
    return state
  end
  local expected = with(state.expected, {})
  for _, id in ipairs(act.hunks) do
    expected[id] = act.wanted
  end
  return with(state, { expected = expected })
end

---@param state CopaneReviewState
---@param say string
---@return CopanePlan
local function only_say(state, say)
  return { state = state, say = say }
end

---@param count number
---@param noun string
---@return string
local function counted(count, noun)
  return ('%d %s%s'):format(count, noun, count == 1 and '' or 's')
end

---@param state CopaneReviewState
---@param command string
---@param params table
---@param about { what: string, hunks: string[]|nil, wanted: string|nil }
---@return CopaneAct
local function act_on(state, command, params, about)
  params.suggestion = state.id
  return { command = command, params = params, what = about.what, hunks = about.hunks or {}, wanted = about.wanted }
end

---@type table<string, fun(state: CopaneReviewState, given: table): CopanePlan>
local plans = {}

---@param action 'accept'|'reject'
local function decide(action)
  return function(state, given)
    local hunk = M.marked(state)
    local status = M.status_of(state, hunk)
    if action == 'accept' and status == 'conflict' and not given.lines then
      return M._accept_conflict(state, hunk)
    elseif status == STATUS[action] and not given.lines then
      return { state = M.to_next_open(state) }
    end
    local params = { hunk = hunk.id, action = action, lines = given.lines }
    local what = given.lines and counted(given.lines.last - given.lines.first + 1, 'line') or 'the hunk'
    local about = { what = action .. ' ' .. what }
    if given.lines then
      if hunk.parent then
        return only_say(state, 'This is a part of a split hunk; decide on the part as a whole')
      end
      return { state = state, act = act_on(state, 'review/decide', params, about) }
    end
    about.hunks, about.wanted = { hunk.id }, STATUS[action]
    local act = act_on(state, 'review/decide', params, about)
    return { state = M.to_next_open(expecting(state, act)), act = act }
  end
end
plans.accept, plans.reject = decide('accept'), decide('reject')

--- A hunk that fits nowhere is taken by the three-way merge, where that has no conflict, and only when asked.
---@param state CopaneReviewState
---@param hunk table
---@return CopanePlan
function M._accept_conflict(state, hunk)
  local sides = state.conflict and state.conflict.hunk == hunk.id and state.conflict.sides
  if not sides then
    return only_say(state, 'This hunk is in conflict: ' .. (hunk.reason or 'it does not fit'))
  elseif sides.conflicts > 0 then
    return only_say(state, 'This hunk is in conflict: modify shows both sides in one text')
  end
  local params = { hunk = hunk.id, action = 'modify', modified = { kind = 'merge' } }
  return {
    state = state,
    question = 'The hunk does not fit as it is. Take the three-way merge, which has no conflict?',
    act = act_on(state, 'review/decide', params, { what = 'merge the hunk', hunks = { hunk.id } }),
  }
end

---@param action 'accept'|'reject'
local function decide_file(action)
  return function(state)
    local file = M.marked(state).file
    local hunks = M.open_hunks(state, file)
    if #hunks == 0 then
      return only_say(state, 'Every hunk of this file is decided already')
    end
    local params = { hunk = 'all', action = action, file = file, onlyFitting = true }
    local about = { what = ('%s %s'):format(action, file), hunks = hunks, wanted = STATUS[action] }
    local act = act_on(state, 'review/decide', params, about)
    return { state = M.to_next_open(expecting(state, act)), act = act }
  end
end
plans.accept_file, plans.reject_file = decide_file('accept'), decide_file('reject')

--- All that is open; the revision that was seen goes along, so that nobody's decision meanwhile is run over.
---@param action 'accept'|'reject'
local function decide_all(action)
  return function(state)
    local hunks = M.open_hunks(state)
    if #hunks == 0 then
      return only_say(state, 'Every hunk is decided already')
    end
    local params = { hunk = 'all', action = action, onlyFitting = true, revision = state.suggestion.revision }
    local word = action == 'accept' and 'Accept' or 'Reject'
    return {
      state = state,
      question = ('%s %s?'):format(word, counted(#hunks, 'open hunk')),
      act = act_on(state, 'review/decide', params, { what = ('%s %s'):format(action, counted(#hunks, 'hunk')) }),
    }
  end
end
plans.accept_all, plans.reject_all = decide_all('accept'), decide_all('reject')

--- The edited text in place of a hunk. `given`: hunk, text, base64 (the same, encoded).
plans.modify = function(state, given)
  local params = { hunk = given.hunk, action = 'modify', modified = { kind = 'text', base64 = given.base64 } }
  local act = act_on(state, 'review/decide', params, { what = 'take over the edited text', hunks = { given.hunk } })
  act.edited = given.text
  return { state = state, act = act }
end

plans.comment = function(state, given)
  local hunk = M.marked(state)
  if not (given.text or ''):find('%S') then
    return only_say(state, 'No comment was made')
  elseif given.lines and hunk.parent then
    return only_say(state, 'This is a part of a split hunk; comment on the part as a whole')
  end
  local params = { hunk = given.hunk or hunk.id, comment = given.text, lines = given.lines }
  return { state = state, act = act_on(state, 'review/comment', params, { what = 'comment' }) }
end

--- The decision on the marked hunk is taken back, or else the last one that was made here.
plans.undo = function(state)
  local hunk = M.marked(state)
  local status = M.status_of(state, hunk)
  local is_decided = not M.is_open(status) and status ~= 'already_applied'
  local id = is_decided and hunk.id or state.done[#state.done]
  if not id then
    return only_say(state, 'No decision of yours to take back here')
  end
  local about = { what = 'take back', hunks = { id }, wanted = 'pending' }
  local act = act_on(state, 'review/undo', { hunk = id }, about)
  local left = with(state, { done = without(state.done, { [id] = true }), undone = without(state.undone, { [id] = true }) })
  table.insert(left.undone, id)
  return { state = M.mark(expecting(left, act), id), act = act }
end

plans.redo = function(state)
  local id = state.undone[#state.undone]
  if not id then
    return only_say(state, 'Nothing was taken back here')
  end
  local act = act_on(state, 'review/redo', { hunk = id }, { what = 'do it again', hunks = { id } })
  local left = with(state, { done = without(state.done, { [id] = true }), undone = without(state.undone, { [id] = true }) })
  table.insert(left.done, id)
  return { state = M.mark(left, id), act = act }
end

plans.complete = function(state)
  local open = #M.open_hunks(state)
  local rest = open == 0 and '' or (' %s %s undecided.'):format(counted(open, 'hunk'), open == 1 and 'stays' or 'stay')
  return {
    state = state,
    question = 'Complete the review? What was accepted stays.' .. rest,
    act = act_on(state, 'review/finish', { how = 'finalize' }, { what = 'complete the review' }),
  }
end

plans.discard = function(state)
  return {
    state = state,
    question = 'Discard this suggestion? What was accepted stays, the rest is dropped.',
    act = act_on(state, 'review/finish', { how = 'discard' }, { what = 'discard the suggestion' }),
  }
end

--- What is to be done for an intent of the user.
---@param state CopaneReviewState
---@param intent string
---@param given table|nil
---@return CopanePlan
function M.plan(state, intent, given)
  if not state.id then
    return only_say(state, 'No suggestion is open')
  elseif state.ended then
    return only_say(state, ('This suggestion is %s'):format(state.ended))
  elseif not M.marked(state) then
    return only_say(state, 'The suggestion is still being read')
  end
  return plans[intent](state, given or {})
end

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
  return with(act.params, { revision = revision })
end

---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
local function without_expected(state, act)
  if #act.hunks == 0 then
    return state
  end
  local expected = with(state.expected, {})
  for _, id in ipairs(act.hunks) do
    expected[id] = nil
  end
  return with(state, { expected = expected })
end

---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return CopaneReviewState
local function remember(state, act, hunks)
  if act.command ~= 'review/decide' then
    return state
  end
  local ids = {}
  for _, hunk in ipairs(hunks) do
    ids[hunk.id] = true
  end
  local done = without(state.done, ids)
  for _, hunk in ipairs(hunks) do
    table.insert(done, hunk.id)
  end
  while #done > M.DONE_MAX do
    table.remove(done, 1)
  end
  local changes = { done = done, undone = {} }
  if act.edited then
    changes.edited = with(state.edited, { [act.params.hunk] = act.edited })
  end
  return with(state, changes)
end

--- The state after an act that was done, and the words about it. `is_stale`: the suggestion is to be read again at once.
---@param state CopaneReviewState
---@param act CopaneAct
---@param value table what the host answered
---@return CopaneReviewState, string|nil, boolean
function M.acted(state, act, value)
  local next_state = without_expected(state, act)
  if act.params.suggestion ~= state.id then
    return next_state, nil, false
  end
  if act.command == 'review/finish' then
    next_state = M.heard(next_state, value)
    return next_state, act.params.how == 'finalize' and 'Review completed' or 'Suggestion discarded', false
  elseif act.command == 'review/comment' then
    return took(next_state, nil, { value }), 'Comment made', false
  end
  local own = with(next_state.own, { [value.suggestion.revision] = true })
  next_state = took(with(next_state, { own = own }), value.suggestion, value.hunks)
  next_state = remember(next_state, act, value.hunks)
  if act.params.action == 'modify' and next_state.hunk == act.params.hunk then
    next_state = M.to_next_open(next_state)
  end
  return next_state, M._words(next_state, act, value.hunks), act.params.lines ~= nil
end

---@param state CopaneReviewState
---@param act CopaneAct
---@param hunks table[]
---@return string|nil
function M._words(state, act, hunks)
  local words = nil
  if act.params.hunk == 'all' then
    local decided = 0
    for _, hunk in ipairs(hunks) do
      decided = decided + (M.is_open(hunk.status) and 0 or 1)
    end
    local left = #M.open_hunks(state, act.params.file)
    local rest = left > 0 and ('; %s did not fit'):format(counted(left, 'hunk')) or ''
    words = ('%s %s%s'):format(act.params.action == 'accept' and 'Accepted' or 'Rejected', counted(decided, 'hunk'), rest)
  end
  if act.command == 'review/decide' and #M.open_hunks(state) == 0 then
    return (words or 'Every hunk is decided') .. '; complete ends the review'
  end
  return words
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
  if act.command == 'review/undo' or act.command == 'review/redo' then
    -- It can be asked for again.
    local is_undo = act.command == 'review/undo'
    local from, to = is_undo and 'undone' or 'done', is_undo and 'done' or 'undone'
    local moved = without(next_state[to], { [id] = true })
    table.insert(moved, id)
    next_state = with(next_state, { [from] = without(next_state[from], { [id] = true }), [to] = moved })
  end
  return M.mark(next_state, id)
end

return M
