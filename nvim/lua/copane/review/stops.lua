--- The hunks to list and visit: a filter leaves some out, and the hunks of a lockfile or generated file count as one
--- until it is unfolded. Pure.
local M = {}

local core = require('copane.review.core')

---@param state CopaneReviewState
---@param hunk table
---@param filter string|nil
---@return boolean
local function passes(state, hunk, filter)
  if filter == 'unseen' then
    return not state.viewed[hunk.id]
  elseif filter == 'new' then
    return hunk.isNew == true
  end
  return filter == nil or hunk.status == filter
end

--- Whether one row stands for all hunks of its file.
---@param state CopaneReviewState
---@param hunk table
---@return boolean
function M.is_folded(state, hunk)
  return hunk.isGenerated == true and not state.unfolded[hunk.file]
end

--- The hunks of an action on this one: all of a folded file.
---@param state CopaneReviewState
---@param hunk table
---@return table[]
function M.together(state, hunk)
  if not M.is_folded(state, hunk) then
    return { hunk }
  end
  return vim.tbl_filter(function(each)
    return each.file == hunk.file
  end, core.hunks(state))
end

--- The hunks that pass a filter; nil passes all.
---@param state CopaneReviewState
---@param filter string|nil
---@return table[]
function M.passing(state, filter)
  return vim.tbl_filter(function(hunk)
    return passes(state, hunk, filter)
  end, core.hunks(state))
end

--- The hunks to list and visit: those that pass the filter (all if none does), with one per folded file.
---@param state CopaneReviewState
---@return table[]
function M.list(state)
  local passing = M.passing(state, state.filter)
  local found, folded = {}, nil
  for _, hunk in ipairs(#passing > 0 and passing or core.hunks(state)) do
    if hunk.file ~= folded then
      table.insert(found, hunk)
    end
    folded = M.is_folded(state, hunk) and hunk.file or nil
  end
  return found
end

--- The position of the marked hunk among the stops; between two of them if the filter leaves it out.
---@param state CopaneReviewState
---@return number
function M.place(state)
  local marked, at = core.marked(state)
  local before, place = 0, {}
  for index, hunk in ipairs(core.hunks(state)) do
    place[hunk.id] = index
  end
  for index, hunk in ipairs(M.list(state)) do
    if marked and (hunk.id == marked.id or (hunk.file == marked.file and M.is_folded(state, hunk))) then
      return index
    end
    before = before + (place[hunk.id] < (at or 1) and 1 or 0)
  end
  return before + 0.5
end

--- Moves to the next hunk (1) or the previous one (-1), across files, wrapping around. `fits`: only to such a hunk.
---@param state CopaneReviewState
---@param step number
---@param fits nil|fun(hunk: table, marked: table): boolean
---@return CopaneReviewState
function M.move(state, step, fits)
  local stops, marked = M.list(state), core.marked(state)
  if not marked then
    return state
  end
  local here = step > 0 and math.floor(M.place(state)) or math.ceil(M.place(state))
  for distance = 1, #stops do
    local hunk = stops[(here - 1 + step * distance) % #stops + 1]
    if not fits or fits(hunk, marked) then
      return core.pick(state, hunk.id)
    end
  end
  return state
end

--- Whether part of it is still undecided.
---@param state CopaneReviewState
---@param hunk table
---@return boolean
function M.has_open(state, hunk)
  for _, each in ipairs(M.together(state, hunk)) do
    if core.is_open(each.status) then
      return true
    end
  end
  return false
end

return M
