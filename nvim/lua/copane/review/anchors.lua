--- Which rows of a file's buffer belong to which hunk, and to which of its changes. The rows move with the user's
--- edits; they are reset when the review is redrawn.
local M = {}

local api = vim.api
local namespace = api.nvim_create_namespace('copane_inline_anchor')

---@class CopaneAnchor
---@field hunk string
---@field lines { first: number, last: number }|nil of one run of its changes; nil: the whole hunk
---@field is_between boolean|nil an insertion between these two rows

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

---@class CopaneRun a run of changed lines in the buffer
---@field first number line of the hunk, from 1
---@field last number
---@field row number its first row, from 0; without rows, the row before which it is inserted
---@field count number how many rows it has

---@class CopaneHunkPlace the position of a hunk according to the host
---@field hunk string
---@field side 'old'|'new' the side of the hunk in the buffer
---@field row number of its first change, from 0; the expected row if it was not found
---@field runs CopaneRun[] empty if it was not found

--- Records the position of a hunk. An insertion is between two rows: both belong to it.
---@param anchors CopaneAnchors
---@param buf number
---@param place CopaneHunkPlace
function M.set(anchors, buf, place)
  local rows, last = 0, place.row
  for _, run in ipairs(place.runs) do
    rows, last = rows + run.count, math.max(run.row, run.row + run.count - 1)
    local lines, is_between = { first = run.first, last = run.last }, run.count == 0
    set(anchors, buf, { hunk = place.hunk, lines = lines, is_between = is_between }, run.row - (is_between and 1 or 0), last)
  end
  local is_between = #place.runs > 0 and rows == 0
  set(anchors, buf, { hunk = place.hunk }, place.row - (is_between and 1 or 0), last)
end

--- Forgets everything about a buffer.
---@param anchors CopaneAnchors
---@param buf number
function M.clear(anchors, buf)
  anchors[buf] = nil
  if api.nvim_buf_is_valid(buf) then
    api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
end

--- The current positions from top to bottom, according to the marks: hunks, and the runs of their changes.
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

--- The hunk on a row, and the first line of its change there. A change that occupies the row precedes an insertion next
--- to it.
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

--- Rows without a change as lines of the nearest hunk, counted past its end as the host counts lines for comments.
---@param anchors CopaneAnchors
---@param buf number
---@param rows CopaneRows
---@return CopaneTarget|nil
function M.around(anchors, buf, rows)
  local _, runs = M.places(anchors, buf)
  local first, last, nearest, least = rows.first - 1, rows.last - 1, nil, nil
  for _, run in ipairs(runs) do
    local gap = math.max(first - run.last, run.first - last)
    if not least or gap < least then
      nearest, least = run, gap
    end
  end
  if not nearest then
    return nil
  end
  -- An insertion between two rows occupies neither.
  local own = nearest.is_between and 1 or 0
  local function line_at(row)
    if row > nearest.last then
      return nearest.lines.last + own + row - nearest.last
    end
    return nearest.lines.first - own - (nearest.first - row)
  end
  return { hunk = nearest.hunk, lines = { first = line_at(first), last = line_at(last) } }
end

--- The hunks with changes on these rows; for a partly covered hunk, only the covered changes.
---@param anchors CopaneAnchors
---@param buf number
---@param rows CopaneRows
---@return CopaneTarget[]
function M.on_rows(anchors, buf, rows)
  local _, runs = M.places(anchors, buf)
  local found, by_hunk, has_others = {}, {}, {}
  for _, run in ipairs(runs) do
    local target = by_hunk[run.hunk]
    -- An insertion is shown below the first of the two.
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
