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
---@return number|nil
function M.locate(lines, wanted, expected)
  local last = #lines - #wanted
  for distance = 0, math.max(expected, math.max(0, last - expected)) do
    for _, row in ipairs({ expected + distance, expected - distance }) do
      if row >= 0 and row <= last and stands_at(lines, wanted, row) then
        return row
      end
    end
  end
  return nil
end

---@class CopaneSpot
---@field row number the first row of the hunk, from 0; where it would be, when it does not fit
---@field fits boolean
---@field first number first changed row
---@field last number last changed row, at least `first`
---@field gone { row: number, count: number }[] rows that the change takes out
---@field come { row: number, texts: string[] }[] lines that it brings, below that row (-1: above the first)
---@field stands { row: number, count: number }[] rows that it has brought already
---@field taken { row: number, texts: string[] }[] lines that it has taken out already, above that row

---@param body CopaneDiff
---@param side 'old'|'new'
---@return string[]
local function texts_of(body, side)
  local texts = {}
  for _, line in ipairs(diff.side(body.lines, side)) do
    table.insert(texts, line.text)
  end
  return texts
end

--- Walks the hunk along the rows of the buffer.
---@param spot CopaneSpot
---@param body CopaneDiff
---@param side 'old'|'new'
local function walk(spot, body, side)
  local row, first, last = spot.row, nil, nil
  local here, there = side == 'old' and '-' or '+', side == 'old' and '+' or '-'
  for _, run in ipairs(diff.runs(body.lines)) do
    local texts, count = {}, 0
    for at = run.first, run.last do
      if body.lines[at].op == there then
        table.insert(texts, body.lines[at].text)
      elseif body.lines[at].op == here then
        count = count + 1
      end
    end
    local before = 0
    for at = 1, run.first - 1 do
      before = before + (body.lines[at][side] and 1 or 0)
    end
    local from = row + before
    first = first or from
    last = math.max(from, from + count - 1)
    if count > 0 then
      table.insert(side == 'old' and spot.gone or spot.stands, { row = from, count = count })
    end
    if #texts > 0 and side == 'old' then
      table.insert(spot.come, { row = from + count - 1, texts = texts })
    elseif #texts > 0 then
      table.insert(spot.taken, { row = from, texts = texts })
    end
  end
  spot.first, spot.last = first or row, last or row
end

--- Where `hunk` stands. `shift`: lines that decided hunks above it have added to the file.
---@param lines string[]
---@param hunk table
---@param status string
---@param options { in_place: boolean, shift: number }
---@return CopaneSpot
function M.of(lines, hunk, status, options)
  local body = diff.of(hunk)
  local side = M.side_of(status, options.in_place)
  local start = tonumber((body.header or ''):match('^@@ %-(%d+)')) or 1
  local expected = math.max(0, start - 1 + options.shift)
  local spot = { fits = false, gone = {}, come = {}, stands = {}, taken = {} }
  local found = body.header and status ~= 'modified' and M.locate(lines, texts_of(body, side), expected) or nil
  spot.row = math.min(found or expected, math.max(0, #lines - 1))
  spot.first, spot.last = spot.row, spot.row
  if found then
    spot.fits, spot.row = true, found
    walk(spot, body, side)
  end
  return spot
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
