--- What the user wants, carried out: its lines counted as the host counts them, a question asked where one is due, the
--- act handed on. What it means is planned in `plan.lua`.
local M = {}

local core = require('copane.review.core')
local message = require('copane.message')
local plans = require('copane.review.plan')
local session = require('copane.review.session')

--- The lines that the user means, as decisions count them: those of a part by the hunk that it was split from.
---@param intent string
---@param given CopaneGiven
---@param on_end fun(given: CopaneGiven)
local function count_lines(intent, given, on_end)
  local state = session.state()
  local hunk = plans.subject(state, given)
  local lines = hunk and plans.lines(intent, given, hunk)
  if not lines then
    return on_end(given)
  elseif not hunk.parent then
    return on_end(core.with(given, { counted = lines }))
  end
  require('copane.review.whole').part(session.ask, state.id, hunk.id, function(part, failure)
    if not part then
      return session.warn(failure)
    end
    local counted, why = plans.in_whole_hunk(lines, part)
    if not counted then
      return message.info(why)
    end
    on_end(core.with(given, { hunk = hunk.id, counted = counted }))
  end)
end

---@param plan CopanePlan
local function carry_out(plan)
  if plan.say then
    message.info(plan.say)
  end
  if plan.question then
    return vim.ui.select({ 'Yes', 'No' }, { prompt = plan.question }, function(choice)
      if choice == 'Yes' then
        session.perform(plan.act)
      end
    end)
  end
  session.set(plan.state)
  if plan.act then
    session.perform(plan.act)
  end
end

--- Does what the user wants. `on_end` hears how an act went.
---@param intent string
---@param given CopaneGiven|nil
---@param on_end fun(failure: CopaneFailure|nil)|nil
function M.intend(intent, given, on_end)
  count_lines(intent, given or {}, function(counted)
    local plan = plans.of(session.state(), intent, counted)
    if plan.act then
      plan.act.on_end = on_end
    end
    carry_out(plan)
  end)
end

return M
