--- Which rows of a file's buffer belong to which hunk, and to which change of it. The rows travel with the user's
--- edits; they are set anew when the review is drawn anew.
local M = {}

local api = vim.api
local namespace = api.nvim_create_namespace('copane_inline_anchor')

---@class CopaneAnchor
---@field hunk string
---@field lines { first: number, last: number }|nil of one run of its changes; nil: all of the hunk
---@field is_between boolean|nil it takes no row, and would come between these two

---@alias CopaneAnchors table<number, table<number, CopaneAnchor>> by mark, by buffer

---@class CopanePlace: CopaneAnchor
---@field first number row, from 0
---@field last number

---@param anchors CopaneAnchors
---@param buf number
---@param anchor CopaneAnchor
---@param first number
---@param last number
local function set(anchors, buf, anchor, first, last)
  local mark = api.nvim_buf_set_extmark(buf, namespace, math.max(0, first), 0, {
    end_row = math.min(math.max(0, last), api.nvim_buf_line_count(buf) - 1),
    end_col = 0,
    strict = false,
  })
  anchors[buf] = anchors[buf] or {}
  anchors[buf][mark] = anchor
end

--- Remembers where a hunk stands. What only comes stands between two rows: either of them is its own.
---@param anchors CopaneAnchors
---@param buf number
---@param hunk string
---@param spot CopaneSpot
function M.set(anchors, buf, hunk, spot)
  local rows = 0
  for _, run in ipairs(spot.runs) do
    rows = rows + run.count
    local first = run.count == 0 and run.row - 1 or run.row
    local anchor = { hunk = hunk, lines = run.lines, is_between = run.count == 0 }
    set(anchors, buf, anchor, first, math.max(run.row, run.row + run.count - 1))
  end
  set(anchors, buf, { hunk = hunk }, rows == 0 and spot.first - 1 or spot.first, spot.last)
end

--- Forgets all of a buffer.
---@param anchors CopaneAnchors
---@param buf number
function M.clear(anchors, buf)
  anchors[buf] = nil
  if api.nvim_buf_is_valid(buf) then
    api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
end

--- What stands where as the marks stand now, from the top: hunks, and the runs of their changes.
---@param anchors CopaneAnchors
---@param buf number
---@return CopanePlace[] hunks, CopanePlace[] runs
function M.places(anchors, buf)
  local hunks, runs, known = {}, {}, anchors[buf] or {}
  for _, mark in ipairs(api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true })) do
    local anchor, first = known[mark[1]], mark[2]
    if anchor then
      local last = math.max(first, mark[4].end_row or first)
      local place = { hunk = anchor.hunk, lines = anchor.lines, is_between = anchor.is_between }
      place.first, place.last = first, last
      table.insert(anchor.lines and runs or hunks, place)
    end
  end
  return hunks, runs
end

--- The hunk on a row, and the first line of the change that is there. One that takes the row goes before one that
--- would come beside it.
---@param anchors CopaneAnchors
---@param buf number
---@param row number from 0
---@return CopaneTarget|nil
function M.on_row(anchors, buf, row)
  local hunks, runs = M.places(anchors, buf)
  local found = nil
  for _, place in ipairs(hunks) do
    if row >= place.first and row <= place.last then
      found = { hunk = place.hunk }
    end
  end
  local between = nil
  for _, run in ipairs(runs) do
    if row >= run.first and row <= run.last then
      local target = { hunk = run.hunk, at = run.lines.first }
      if not run.is_between then
        return target
      end
      between = target
    end
  end
  return between or found
end

--- The hunks with changes on these rows; of a hunk of which they hold only some, these changes.
---@param anchors CopaneAnchors
---@param buf number
---@param rows CopaneRows
---@return CopaneTarget[]
function M.on_rows(anchors, buf, rows)
  local _, runs = M.places(anchors, buf)
  local found, by_hunk, has_others = {}, {}, {}
  for _, run in ipairs(runs) do
    local target = by_hunk[run.hunk]
    -- What would come is shown below the first of the two.
    local last = run.is_between and run.first or run.last
    if last < rows.first - 1 or run.first > rows.last - 1 then
      has_others[run.hunk] = true
    elseif target then
      target.lines.last = run.lines.last
    else
      target = { hunk = run.hunk, lines = { first = run.lines.first, last = run.lines.last }, at = run.lines.first }
      by_hunk[run.hunk] = target
      table.insert(found, target)
    end
  end
  for _, target in ipairs(found) do
    target.lines = has_others[target.hunk] and target.lines or nil
  end
  return found
end

return M
