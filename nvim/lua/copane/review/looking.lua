--- Moves through the open suggestion: its open hunks, the hunks of a filter, folded files. Decides nothing.
local M = {}

local core = require('copane.review.core')
local message = require('copane.message')
local session = require('copane.review.session')
local stops = require('copane.review.stops')

--- Moves to the next undecided hunk, or to the next file with one.
---@param step number
---@param is_file boolean
---@return boolean whether there is one
function M.to_open(step, is_file)
  local before = session.state().hunk
  session.move(step, function(hunk, marked)
    return stops.has_open(session.state(), hunk) and not (is_file and hunk.file == marked.file)
  end)
  local is_there = session.state().hunk ~= before
  if not is_there then
    message.info(is_file and 'No other file has an undecided hunk' or 'No other hunk is undecided')
  end
  return is_there
end

--- Only visits hunks that pass the filter; nil: all hunks.
---@param filter string|nil
---@param words string
local function filter_by(filter, words)
  session.set(core.with(session.state(), { filter = filter or core.NONE }))
  local amount = #stops.passing(session.state(), filter)
  local what = filter and 'Only hunks that are ' .. words or 'All hunks'
  message.info(('%s: %d hunk%s'):format(what, amount, amount == 1 and '' or 's'))
  local _, at = core.marked(session.state())
  if at and stops.place(session.state()) % 1 ~= 0 then
    session.move(1)
  end
end

--- Selects the next filter with a matching hunk; after the last one, all hunks are shown.
function M.turn_filter()
  local state = session.state()
  local is_behind = state.filter == nil
  for _, filter in ipairs(require('copane.review.sign_table').filters) do
    if is_behind and #stops.passing(state, filter[1]) > 0 then
      return filter_by(filter[1], filter[2])
    end
    is_behind = is_behind or filter[1] == state.filter
  end
  filter_by(nil, '')
end

function M.turn_new()
  local state = session.state()
  if state.filter ~= 'new' and #stops.passing(state, 'new') == 0 then
    return message.info('Nothing is new since your last round')
  end
  filter_by(state.filter ~= 'new' and 'new' or nil, 'new since your last round')
end

--- Shows a lockfile or generated file in one row, or its hunks one by one.
function M.turn_fold()
  local state = session.state()
  local hunk = core.marked(state)
  if not hunk or not hunk.isGenerated then
    return message.info('Only a lockfile or a generated file is folded')
  end
  local is_folded = stops.is_folded(state, hunk)
  session.set(core.with(state, { unfolded = core.with(state.unfolded, { [hunk.file] = is_folded or core.NONE }) }))
end

return M
