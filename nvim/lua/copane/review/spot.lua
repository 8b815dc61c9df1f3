--- Where a hunk stands in the lines of a buffer, to be shown there. Pure. Decides nothing: what a decision does to the
--- file, the host's own engine works out.
local M = {}

local diff = require('copane.review.diff')

--- Which side of a hunk the file has.
---@param status string
---@param in_place boolean the changes stand in the file before they are decided on
---@return 'old'|'new'
function M.side_of(status, in_place)
  if status == 'accepted' or status == 'already_applied' then
    return 'new'
  elseif status == 'rejected' then
    return 'old'
  end
  return in_place and 'new' or 'old'
end

---@param lines string[]
---@param wanted string[]
---@param row number from 0
---@return boolean
local function stands_at(lines, wanted, row)
  for at, text in ipairs(wanted) do
    if lines[row + at] ~= text then
      return false
    end
  end
  return true
end

--- The row nearest to `expected` at which `wanted` stands; nil where it stands nowhere.
---@param lines string[]
---@param wanted string[]
---@param expected number from 0
---@param is_good nil|fun(row: number): boolean
---@return number|nil
function M.locate(lines, wanted, expected, is_good)
  local last = #lines - #wanted
  for distance = 0, math.max(expected, math.max(0, last - expected)) do
    for _, row in ipairs({ expected + distance, expected - distance }) do
      if row >= 0 and row <= last and stands_at(lines, wanted, row) and (not is_good or is_good(row)) then
        return row
      end
    end
  end
  return nil
end

---@class CopaneRun a run of changed lines in the buffer
---@field lines { first: number, last: number } of the hunk
---@field row number the first row that it takes, from 0; taking none, the row before which it would come
---@field count number rows that it takes
---@field texts string[] lines that are not in the buffer: they would come below these rows, or were above them

---@class CopaneSpot
---@field side 'old'|'new' which side of the hunk the buffer has
---@field fits boolean
---@field first number first changed row, from 0; where it would be, when it does not fit
---@field last number last changed row, at least `first`
---@field runs CopaneRun[] none when it does not fit

--- The runs of a hunk as they stand on `side`, and how many rows of that side lie above each.
---@param lines CopaneDiffLine[]
---@param side 'old'|'new'
---@return { run: CopaneRun, wanted: string[], above: number }[]
local function runs_of(lines, side)
  local here = side == 'old' and '-' or '+'
  local found, above, at = {}, 0, 1
  for _, range in ipairs(diff.runs(lines)) do
    while at < range.first do
      above, at = above + 1, at + 1
    end
    local wanted, texts = {}, {}
    while at <= range.last do
      table.insert(lines[at].op == here and wanted or texts, lines[at].text)
      at = at + 1
    end
    local run = { lines = range, row = 0, count = #wanted, texts = texts }
    table.insert(found, { run = run, wanted = wanted, above = above })
    above = above + #wanted
  end
  return found
end

--- Where each run of a part stands by itself: between them, and around them, other parts may have been decided
--- on. Nearest to where it is expected, beside a line that was beside it, if there is such a place.
---@param lines string[]
---@param body CopaneDiff
---@param runs { run: CopaneRun, wanted: string[], above: number }[]
---@param expected number
---@return boolean
local function place_apart(lines, body, runs, expected)
  local free, drift = 0, 0
  for _, each in ipairs(runs) do
    local before, after = body.lines[each.run.lines.first - 1], body.lines[each.run.lines.last + 1]
    local function is_beside(row)
      return (before and lines[row] == before.text) or (after and lines[row + #each.wanted + 1] == after.text)
    end
    local wish = math.max(free, expected + each.above + drift)
    local row = M.locate(lines, each.wanted, wish, function(found)
      return found >= free and is_beside(found)
    end)
    if not row and #each.wanted > 0 then
      row = M.locate(lines, each.wanted, wish, function(found)
        return found >= free
      end)
    end
    if not row then
      return false
    end
    each.run.row = row
    free, drift = row + #each.wanted, row - expected - each.above
  end
  return true
end

---@param lines string[]
---@param hunk table
---@param body CopaneDiff
---@param place { side: 'old'|'new', expected: number }
---@return CopaneRun[]|nil
local function place_runs(lines, hunk, body, place)
  local runs, texts = runs_of(body.lines, place.side), {}
  for _, line in ipairs(diff.side(body.lines, place.side)) do
    table.insert(texts, line.text)
  end
  local row = M.locate(lines, texts, place.expected)
  for _, each in ipairs(row and runs or {}) do
    each.run.row = row + each.above
  end
  if not row and not (hunk.parent and place_apart(lines, body, runs, place.expected)) then
    return nil
  end
  return vim.tbl_map(function(each)
    return each.run
  end, runs)
end

--- Where `hunk` stands. `shift`: lines that decided hunks above it have added to the file.
---@param lines string[]
---@param hunk table
---@param status string
---@param options { in_place: boolean, shift: number }
---@return CopaneSpot
function M.of(lines, hunk, status, options)
  local body, side = diff.of(hunk), M.side_of(status, options.in_place)
  local start = tonumber((body.header or ''):match('^@@ %-(%d+)')) or 1
  local expected = math.max(0, start - 1 + options.shift)
  local may_fit = body.header and status ~= 'modified' and status ~= 'conflict'
  local runs = may_fit and place_runs(lines, hunk, body, { side = side, expected = expected }) or nil
  if runs and runs[1] then
    local last = runs[#runs]
    return {
      side = side,
      fits = true,
      first = runs[1].row,
      last = math.max(last.row, last.row + last.count - 1),
      runs = runs,
    }
  end
  local above = math.max(0, ((diff.runs(body.lines)[1] or { first = 1 }).first) - 1)
  local row = math.min(expected + above, math.max(0, #lines - 1))
  return { side = side, fits = false, first = row, last = row, runs = {} }
end

--- How many lines a hunk has added to the file as it is decided now.
---@param hunk table
---@param status string
---@param in_place boolean
---@return number
function M.shift_of(hunk, status, in_place)
  if M.side_of(status, in_place) == 'old' then
    return 0
  end
  local added, removed = diff.count(diff.of(hunk).lines)
  return added - removed
end

return M
