--- The review as this editor sees it: the waiting suggestions, the open one, and the marked hunk. Pure: every function
--- returns the next state. The host computes the effects of the user's keys; they are painted here.
local M = {}

---@class CopaneReviewState
---@field list table[] waiting suggestions without their hunks, newest first
---@field is_listed boolean
---@field id string|nil the open suggestion
---@field suggestion table|nil the same with its hunks, once read
---@field hunk string|nil the marked hunk
---@field wished string|nil the hunk to mark as soon as it is read
---@field known CopaneDetails|nil
---@field is_picked boolean the user moved to the marked hunk; the host still has another one
---@field ended string|nil how the open suggestion ended
---@field viewed table<string, true> hunks marked as seen
---@field filter string|nil visit only such hunks: of one status, `unseen`, `new`
---@field unfolded table<string, true> lockfiles and generated files that the user unfolded
---@field rejected string|nil the hunk rejected here last

---@class CopaneDetails data of the marked hunk only
---@field hunk string|nil
---@field sides table|nil the sides of a conflict
---@field modified table|nil both texts of a modified one
---@field pairs { removed: number, added: number }[]|nil which removed line became which added line

---@return CopaneReviewState
function M.initial()
  return {
    list = {},
    is_listed = false,
    id = nil,
    suggestion = nil,
    hunk = nil,
    wished = nil,
    known = nil,
    is_picked = false,
    ended = nil,
    viewed = {},
    filter = nil,
    unfolded = {},
    rejected = nil,
  }
end

--- Stands for a field to remove.
M.NONE = {}

--- A record with `changes`; the old one is not modified.
---@param state table
---@param changes table
---@return table
function M.with(state, changes)
  local next_state = {}
  for name, value in pairs(state) do
    next_state[name] = value
  end
  for name, value in pairs(changes) do
    if value == M.NONE then
      next_state[name] = nil
    else
      next_state[name] = value
    end
  end
  return next_state
end

---@param status string
---@return boolean
function M.is_open(status)
  return status == 'pending' or status == 'conflict'
end

---@param state CopaneReviewState
---@return table[]
function M.hunks(state)
  return state.suggestion and state.suggestion.hunks or {}
end

--- A hunk and its position among all.
---@param state CopaneReviewState
---@param id string|nil
---@return table|nil, number|nil
function M.find(state, id)
  for at, hunk in ipairs(M.hunks(state)) do
    if hunk.id == id then
      return hunk, at
    end
  end
  return nil, nil
end

--- The marked hunk and its position among all.
---@param state CopaneReviewState
---@return table|nil, number|nil
function M.marked(state)
  return M.find(state, state.hunk)
end

--- Details that only the marked hunk has; empty for any other.
---@param state CopaneReviewState
---@param id string
---@return CopaneDetails
function M.details(state, id)
  return state.known and state.known.hunk == id and state.known or {}
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
  return M.with(state, { list = list, is_listed = true })
end

--- Somebody published, decided or ended. `true`: the open suggestion must be reread.
---@param state CopaneReviewState
---@param summary table
---@return CopaneReviewState, boolean
function M.heard(state, summary)
  local list, known = {}, false
  for _, one in ipairs(state.list) do
    local is_it = one.id == summary.id
    known = known or is_it
    -- Events and answers may arrive out of order: the higher revision is newer.
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
  return M.with(state, changes), is_open and not has_ended(summary) and summary.revision > seen
end

--- A decision on another suggestion wrote files of these. `true`: the open one must be reread.
---@param state CopaneReviewState
---@param suggestions { id: string, revision: number }[]
---@return CopaneReviewState, boolean
function M.touched(state, suggestions)
  local revisions, is_any_stale = {}, false
  for _, one in ipairs(suggestions) do
    revisions[one.id] = one.revision
  end
  for _, one in ipairs(state.list) do
    if revisions[one.id] then
      local is_stale
      state, is_stale = M.heard(state, M.with(one, { revision = revisions[one.id] }))
      is_any_stale = is_any_stale or is_stale
    end
  end
  return state, is_any_stale
end

--- Opens a suggestion; forgets the data of another one.
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

--- The diff of a hunk never changes: keeps a longer part that was read before.
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

--- The open suggestion was read. The mark stays on its hunk, or moves to the requested one; if its hunk is gone, the
--- host knows the hunk that is marked instead.
---@param state CopaneReviewState
---@param suggestion table
---@return CopaneReviewState
function M.loaded(state, suggestion)
  if suggestion.id ~= state.id then
    return state
  end
  keep_diffs(M.hunks(state), suggestion.hunks)
  local next_state = M.with(state, { suggestion = suggestion })
  if has_ended(suggestion) then
    next_state.ended = suggestion.status
  end
  if M.find(next_state, state.wished) then
    next_state.hunk, next_state.wished, next_state.known = state.wished, nil, nil
  end
  return next_state
end

--- Hunks were marked as seen or unseen.
---@param state CopaneReviewState
---@param hunks string[]
---@param is_viewed boolean
---@return CopaneReviewState
function M.viewed(state, hunks, is_viewed)
  local viewed = M.with(state.viewed, {})
  for _, id in ipairs(hunks) do
    viewed[id] = is_viewed or nil
  end
  return M.with(state, { viewed = viewed })
end

--- Hunks came from the host, or more of them was read.
---@param state CopaneReviewState
---@param summary table|nil
---@param hunks table[]
---@return CopaneReviewState
function M.took(state, summary, hunks)
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
  return M.with(next_state, { suggestion = M.with(suggestion, changes) })
end

---@param state CopaneReviewState
---@param hunk table with a longer diff
---@return CopaneReviewState
function M.read_further(state, hunk)
  return M.took(state, nil, { hunk })
end

--- Details of the marked hunk were read.
---@param state CopaneReviewState
---@param details CopaneDetails
---@return CopaneReviewState
function M.explained(state, details)
  return details.hunk == state.hunk and M.with(state, { known = details }) or state
end

--- The user moves to a hunk.
---@param state CopaneReviewState
---@param id string
---@return CopaneReviewState
function M.pick(state, id)
  if state.hunk == id then
    return state.is_picked and state or M.with(state, { is_picked = true })
  end
  return M.with(state, { hunk = id, is_picked = true, wished = M.NONE, known = M.NONE })
end

--- Follows the host's mark unless the user has moved elsewhere meanwhile; waits for a hunk that is not read yet.
---@param state CopaneReviewState
---@param id string|nil
---@return CopaneReviewState
function M.follow_mark(state, id)
  if not id or state.is_picked or state.hunk == id then
    return state
  elseif not M.find(state, id) then
    return M.with(state, { wished = id })
  end
  return M.with(state, { hunk = id, wished = M.NONE, known = M.NONE })
end

--- The states of the hunks once they are written.
---@param state CopaneReviewState
---@param statuses table<string, string>
---@return CopaneReviewState
function M.paint(state, statuses)
  if not state.suggestion or next(statuses) == nil then
    return state
  end
  local painted = {}
  for at, hunk in ipairs(state.suggestion.hunks) do
    local status = statuses[hunk.id]
    painted[at] = status and M.with(hunk, { status = status }) or hunk
  end
  return M.with(state, { suggestion = M.with(state.suggestion, { hunks = painted }) })
end

--- Why no action is possible on the open suggestion; nil if one is.
---@param state CopaneReviewState
---@return string|nil
function M.why_not(state)
  if not state.id then
    return 'No suggestion is open'
  elseif state.ended then
    return ('This suggestion is %s'):format(state.ended)
  end
  return not M.marked(state) and 'The suggestion is still loading' or nil
end

return M
