--- Sends the acts of a review one after the other, since each builds on what the one before has left. An act whose
--- answer was lost is looked after: done once, however often the host goes away.
local M = {}

local core = require('copane.review.core')
local message = require('copane.message')
local outcome = require('copane.review.outcome')

--- A lost answer is followed up so often.
local LOST_MAX = 3

---@class CopaneActs
---@field session table the session that they change
---@field queue CopaneAct[]
---@field is_acting boolean
---@field is_closed boolean|nil the session is gone

---@param session table
---@return CopaneActs
function M.new(session)
  return { session = session, queue = {}, is_acting = false }
end

---@param acts CopaneActs
---@param act CopaneAct
---@param value table
local function done(acts, act, value)
  local state, words, short = outcome.acted(acts.session.state(), act, value)
  acts.session.set(state)
  if words then
    message.info(words, short)
  end
  acts.session.read()
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
      return last.text == act.params.comment
    end
  end
  return false
end

local run_next

--- The host went away while it was at it: looks whether it was done, and asks again if it was not.
---@param acts CopaneActs
---@param act CopaneAct
---@param lost { revision: number, failure: CopaneFailure }
---@param on_end fun(failure: CopaneFailure|nil)
local function look_after(acts, act, lost, on_end)
  local session = acts.session
  act.lost = (act.lost or 0) + 1
  session.ask('review/show', { suggestion = act.params.suggestion }, function(suggestion, problem)
    if acts.is_closed then
      return
    elseif not suggestion then
      return on_end(problem)
    elseif shows(act, suggestion, lost.revision) then
      session.set(core.loaded(outcome.refused(session.state(), act), suggestion))
      message.info('copane was restarted meanwhile; what you see is what was decided')
      return on_end(nil)
    elseif act.lost > LOST_MAX then
      return on_end(lost.failure)
    end
    table.insert(acts.queue, 1, act)
    acts.is_acting = false
    run_next(acts)
  end)
end

---@param acts CopaneActs
run_next = function(acts)
  local session = acts.session
  local act = not acts.is_acting and table.remove(acts.queue, 1)
  if not act then
    return
  end
  acts.is_acting = true
  session.touch()
  local state = session.state()
  local revision = state.suggestion and state.suggestion.revision or 0
  local function finish(failure)
    acts.is_acting = false
    if failure then
      session.set(outcome.refused(session.state(), act))
      session.warn(failure)
      session.read()
    end
    if act.on_end then
      act.on_end(failure)
    end
    run_next(acts)
  end
  session.ask(act.command, outcome.params(state, act), function(value, failure)
    if acts.is_closed then
      return
    end
    session.touch()
    if failure and failure.is_lost then
      return look_after(acts, act, { revision = revision, failure = failure }, finish)
    elseif value then
      done(acts, act, value)
    end
    finish(failure)
  end)
end

--- Takes an act on; its `on_end`, where it has one, hears how it went.
---@param acts CopaneActs
---@param act CopaneAct
function M.add(acts, act)
  table.insert(acts.queue, act)
  run_next(acts)
end

return M
