--- From what the user wants to what is to be done: the state that already shows it, the command for the host, a
--- question where one is due. Pure.
local M = {}

local core = require('copane.review.core')
local diff = require('copane.review.diff')
local counted = require('copane.text').counted

---@class CopaneAct what the host is asked to do
---@field command string
---@field params table
---@field what string for people
---@field hunks string[] whose status is expected to change
---@field wanted string|nil the status that it will be

---@class CopaneGiven what goes with a wish
---@field hunk string|nil that it is about; nil: the marked one
---@field lines { first: number, last: number }|nil of the hunk, as they are shown
---@field counted { first: number, last: number }|nil the same as decisions count them, by the whole hunk
---@field at number|nil the line of the hunk at the cursor
---@field text string|nil
---@field modified table|nil what is taken in place of the hunk

---@class CopanePlan
---@field state CopaneReviewState
---@field act CopaneAct|nil
---@field question string|nil to be answered with yes before the act is done
---@field say string|nil

local STATUS = { accept = 'accepted', reject = 'rejected', modify = 'modified' }

---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
local function expecting(state, act)
  if not act.wanted or #act.hunks == 0 then
    return state
  end
  local expected = core.with(state.expected, {})
  for _, id in ipairs(act.hunks) do
    expected[id] = act.wanted
  end
  return core.with(state, { expected = expected })
end

--- The state in which a decision is the next to be taken back: from the moment of the key, since the next key may be
--- that for undo.
---@param state CopaneReviewState
---@param act CopaneAct
---@return CopaneReviewState
local function noting(state, act)
  local known = {}
  for _, id in ipairs(act.hunks) do
    known[id] = true
  end
  return core.with(state, { done = core.join(core.without(state.done, known), act.hunks), undone = {} })
end

---@param state CopaneReviewState
---@param say string
---@return CopanePlan
local function only_say(state, say)
  return { state = state, say = say }
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

---@type table<string, fun(state: CopaneReviewState, given: CopaneGiven, hunk: table): CopanePlan>
local plans = {}

--- A hunk that fits nowhere is taken by the three-way merge, where that has no conflict, and only when asked.
---@param state CopaneReviewState
---@param hunk table
---@return CopanePlan
local function accept_conflict(state, hunk)
  local sides = core.details(state, hunk.id).sides
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
local function decide(action)
  return function(state, given, hunk)
    local params = { hunk = hunk.id, action = action, lines = given.counted }
    if given.counted then
      local count = counted(given.counted.last - given.counted.first + 1, 'line')
      return { state = state, act = act_on(state, 'review/decide', params, { what = action .. ' ' .. count }) }
    end
    local status = core.status_of(state, hunk)
    if action == 'accept' and status == 'conflict' then
      return accept_conflict(state, hunk)
    elseif status == STATUS[action] then
      return { state = core.to_next_open(state) }
    end
    local about = { what = action .. ' the hunk', hunks = { hunk.id }, wanted = STATUS[action] }
    local act = act_on(state, 'review/decide', params, about)
    return { state = core.to_next_open(noting(expecting(state, act), act)), act = act }
  end
end
plans.accept, plans.reject = decide('accept'), decide('reject')

---@param action 'accept'|'reject'
local function decide_file(action)
  return function(state, _, hunk)
    local file = hunk.file
    local hunks = core.open_hunks(state, file)
    if #hunks == 0 then
      return only_say(state, 'Every hunk of this file is decided already')
    end
    local params = { hunk = 'all', action = action, file = file, onlyFitting = true }
    local about = { what = ('%s %s'):format(action, file), hunks = hunks, wanted = STATUS[action] }
    local act = act_on(state, 'review/decide', params, about)
    return { state = core.to_next_open(noting(expecting(state, act), act)), act = act }
  end
end
plans.accept_file, plans.reject_file = decide_file('accept'), decide_file('reject')

--- All that is open; the revision that was seen goes along, so that nobody's decision meanwhile is run over.
---@param action 'accept'|'reject'
local function decide_all(action)
  return function(state)
    local hunks = core.open_hunks(state)
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

--- What the reader made of a hunk, in its place.
plans.modify = function(state, given, hunk)
  local params = { hunk = hunk.id, action = 'modify', modified = given.modified }
  local act = act_on(state, 'review/decide', params, { what = 'take over the edited text', hunks = { hunk.id } })
  return { state = noting(state, act), act = act }
end

--- The lines stand apart from then on, and are decided on by themselves.
plans.split = function(state, given, hunk)
  local lines = given.counted
  if not lines then
    return only_say(state, ('A %s has no lines to split'):format(hunk.kind))
  end
  local params = { hunk = hunk.id, first = lines.first, last = lines.last }
  return { state = state, act = act_on(state, 'review/split', params, { what = 'split the hunk' }) }
end

plans.join = function(state, _, hunk)
  if not hunk.parent then
    return only_say(state, 'This hunk was not split')
  end
  return { state = state, act = act_on(state, 'review/join', { hunk = hunk.parent }, { what = 'join the parts' }) }
end

plans.comment = function(state, given, hunk)
  if not (given.text or ''):find('%S') then
    return only_say(state, 'No comment was made')
  end
  local params = { hunk = hunk.id, comment = given.text, lines = given.counted }
  return { state = state, act = act_on(state, 'review/comment', params, { what = 'comment' }) }
end

--- The state with a hunk in neither list of what can be taken back or done again.
---@param state CopaneReviewState
---@param id string
---@return CopaneReviewState
local function stepped(state, id)
  local dropped = { [id] = true }
  return core.with(state, {
    done = core.without(state.done, dropped),
    undone = core.without(state.undone, dropped),
  })
end

--- The decision on the marked hunk is taken back, or else the last one that was made here.
plans.undo = function(state, _, hunk)
  local status = core.status_of(state, hunk)
  local is_decided = not core.is_open(status) and status ~= 'already_applied'
  local id = is_decided and hunk.id or state.done[#state.done]
  if not id then
    return only_say(state, 'No decision of yours to take back here')
  end
  local about = { what = 'take back', hunks = { id }, wanted = 'pending' }
  local act = act_on(state, 'review/undo', { hunk = id }, about)
  local left = stepped(state, id)
  table.insert(left.undone, id)
  return { state = core.mark(expecting(left, act), id), act = act }
end

plans.redo = function(state)
  local id = state.undone[#state.undone]
  if not id then
    return only_say(state, 'Nothing was taken back here')
  end
  local act = act_on(state, 'review/redo', { hunk = id }, { what = 'do it again', hunks = { id } })
  local left = stepped(state, id)
  table.insert(left.done, id)
  return { state = core.mark(left, id), act = act }
end

plans.undo_all = function(state)
  return {
    state = state,
    question = 'Take back every decision on this suggestion?',
    act = act_on(state, 'review/undo', { hunk = 'all' }, { what = 'take back every decision' }),
  }
end

plans.complete = function(state)
  local open = #core.open_hunks(state)
  local words = ('%s %s'):format(counted(open, 'hunk'), open == 1 and 'stays' or 'stay')
  local rest = open == 0 and '' or (' %s undecided.'):format(words)
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
    -- What its author did beyond what was accepted goes, where that is a sandbox of copane's own.
    act = act_on(state, 'review/finish', { how = 'discard', sandbox = 'revert' }, { what = 'discard the suggestion' }),
  }
end

--- The run of changed lines at `at`, or the next one below it, or else the first.
---@param lines CopaneDiffLine[]
---@param at number
---@return { first: number, last: number }|nil
local function change_at(lines, at)
  local runs = diff.runs(lines)
  for _, run in ipairs(runs) do
    if run.last >= at then
      return run
    end
  end
  return runs[1]
end

--- The lines of the hunk, as they are shown, that the user means.
---@param intent string
---@param given CopaneGiven
---@param hunk table
---@return { first: number, last: number }|nil
function M.lines(intent, given, hunk)
  if intent == 'split' and not given.lines then
    return change_at(diff.of(hunk).lines, given.at or 1)
  end
  return given.lines
end

--- Lines of a part as decisions count them: by the whole hunk.
---@param lines { first: number, last: number }
---@param part CopanePart
---@return { first: number, last: number }|nil, string|nil why not
function M.in_whole_hunk(lines, part)
  local first, last = part.numbers[lines.first], part.numbers[lines.last]
  if not first or not last then
    return nil, 'These lines are not read to their end; select fewer'
  end
  -- A range is decided on as a whole: it must not reach into what was split off.
  for _, other in ipairs(part.others) do
    if other >= first and other <= last then
      return nil, 'Lines of another part of the hunk lie between these; select fewer'
    end
  end
  return { first = first, last = last }, nil
end

--- The hunk that a wish is about; or why there is none.
---@param state CopaneReviewState
---@param given CopaneGiven
---@return table|nil, string|nil
function M.subject(state, given)
  if not state.id then
    return nil, 'No suggestion is open'
  elseif state.ended then
    return nil, ('This suggestion is %s'):format(state.ended)
  elseif not core.marked(state) then
    return nil, 'The suggestion is still being read'
  end
  local hunk = given.hunk and core.find(state, given.hunk) or (not given.hunk and core.marked(state)) or nil
  return hunk, not hunk and 'This hunk is not there any more' or nil
end

--- What is to be done for an intent of the user.
---@param state CopaneReviewState
---@param intent string
---@param given CopaneGiven|nil
---@return CopanePlan
function M.of(state, intent, given)
  local hunk, why = M.subject(state, given or {})
  if not hunk then
    return only_say(state, why)
  end
  return plans[intent](state, given or {}, hunk)
end

return M
