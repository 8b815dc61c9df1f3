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

---@class CopaneText the lines of a buffer, to be looked through many times
---@field lines string[]
---@field rows table<string, number[]>|nil where each line stands, from 0; made when it is needed first

---@param lines string[]
---@return CopaneText
function M.text(lines)
  return { lines = lines, rows = nil }
end

---@param text CopaneText
---@param line string
---@return number[]
local function rows_of(text, line)
  if not text.rows then
    text.rows = {}
    for at, each in ipairs(text.lines) do
      local rows = text.rows[each]
      if rows then
        rows[#rows + 1] = at - 1
      else
        text.rows[each] = { at - 1 }
      end
    end
  end
  return text.rows[line] or {}
end

---@param text CopaneText
---@param wanted string[]
---@param row number from 0
---@return boolean
local function stands_at(text, wanted, row)
  if row < 0 or row + #wanted > #text.lines then
    return false
  end
  for at, line in ipairs(wanted) do
    if text.lines[row + at] ~= line then
      return false
    end
  end
  return true
end

--- The rows at which `wanted` may stand, by its rarest line; ascending.
---@param text CopaneText
---@param wanted string[]
---@return number[] rows, number offset that line's place in `wanted`, from 0
local function candidates(text, wanted)
  local rows, offset = nil, 0
  for at, line in ipairs(wanted) do
    local found = rows_of(text, line)
    if not rows or #found < #rows then
      rows, offset = found, at - 1
    end
  end
  return rows or {}, offset
end

--- The row nearest to `expected` at which `wanted` stands; nil where it stands nowhere.
---@param text CopaneText
---@param wanted string[]
---@param expected number from 0
---@param from number|nil the first row that counts
---@return number|nil
function M.locate(text, wanted, expected, from)
  from = from or 0
  if #wanted == 0 then
    return math.max(from, math.min(expected, #text.lines))
  elseif expected >= from and stands_at(text, wanted, expected) then
    return expected
  end
  local rows, offset = candidates(text, wanted)
  local nearest = nil
  for _, each in ipairs(rows) do
    local row = each - offset
    local is_nearer = not nearest or math.abs(row - expected) <= math.abs(nearest - expected)
    if nearest and not is_nearer then
      break
    elseif row >= from and is_nearer and stands_at(text, wanted, row) then
      nearest = row
    end
  end
  return nearest
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

--- Where one run stands by itself: beside a line that was beside it, if there is such a place.
---@param text CopaneText
---@param wanted string[]
---@param beside { before: CopaneDiffLine|nil, after: CopaneDiffLine|nil }
---@param place { wish: number, free: number }
---@return number|nil
local function place_run(text, wanted, beside, place)
  local found = nil
  local function take(row)
    if row and (not found or math.abs(row - place.wish) < math.abs(found - place.wish)) then
      found = row
    end
  end
  if beside.before then
    local lines = vim.list_extend({ beside.before.text }, wanted)
    local row = M.locate(text, lines, place.wish - 1, place.free - 1)
    take(row and row + 1)
  end
  if beside.after then
    local lines = vim.list_extend(vim.list_extend({}, wanted), { beside.after.text })
    take(M.locate(text, lines, place.wish, place.free))
  end
  return found or (#wanted > 0 and M.locate(text, wanted, place.wish, place.free) or nil)
end

--- Where each run stands by itself: around them the user may have edited lines, and other parts may have been decided on.
---@param text CopaneText
---@param body CopaneDiff
---@param runs { run: CopaneRun, wanted: string[], above: number }[]
---@param expected number
---@return boolean
local function place_apart(text, body, runs, expected)
  local free, drift = 0, 0
  for _, each in ipairs(runs) do
    local range = each.run.lines
    local beside = { before = body.lines[range.first - 1], after = body.lines[range.last + 1] }
    local wish = math.max(free, expected + each.above + drift)
    local row = place_run(text, each.wanted, beside, { wish = wish, free = free })
    if not row then
      return false
    end
    each.run.row = row
    free, drift = row + #each.wanted, row - expected - each.above
  end
  return true
end

---@param text CopaneText
---@param body CopaneDiff
---@param place { side: 'old'|'new', expected: number }
---@return CopaneRun[]|nil
local function place_runs(text, body, place)
  local runs, wanted = runs_of(body.lines, place.side), {}
  for _, line in ipairs(diff.side(body.lines, place.side)) do
    table.insert(wanted, line.text)
  end
  local row = M.locate(text, wanted, place.expected)
  for _, each in ipairs(row and runs or {}) do
    each.run.row = row + each.above
  end
  if not row and not place_apart(text, body, runs, place.expected) then
    return nil
  end
  return vim.tbl_map(function(each)
    return each.run
  end, runs)
end

--- Where `hunk` stands. `shift`: lines that decided hunks above it have added to the file.
---@param text CopaneText
---@param hunk table
---@param status string
---@param options { in_place: boolean, shift: number }
---@return CopaneSpot
function M.of(text, hunk, status, options)
  local body, side = diff.of(hunk), M.side_of(status, options.in_place)
  local start = tonumber((body.header or ''):match('^@@ %-(%d+)')) or 1
  local expected = math.max(0, start - 1 + options.shift)
  local may_fit = body.header and status ~= 'modified' and status ~= 'conflict'
  local runs = may_fit and place_runs(text, body, { side = side, expected = expected }) or nil
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
  local row = math.min(expected + above, math.max(0, #text.lines - 1))
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
