--- A hunk's diff as lines, and their layout below or beside each other. Pure: no editor, no colours.
local M = {}

---@class CopaneDiffLine
---@field op ' '|'+'|'-'
---@field text string without sign and line end
---@field old number|nil line number before
---@field new number|nil line number after
---@field is_open boolean|nil no line feed after it
---@field is_crlf boolean|nil it ends in CR LF

---@class CopaneDiff
---@field header string|nil the `@@` line
---@field lines CopaneDiffLine[] in the order of decisions, from 1
---@field words string[] the description of a change without lines

--- Lines of `text`, without an empty one after the last line feed.
---@param text string
---@return string[]
local function split(text)
  local found, from = {}, 1
  while from <= #text do
    local at = text:find('\n', from, true)
    table.insert(found, text:sub(from, at and at - 1 or -1))
    from = at and at + 1 or #text + 1
  end
  return found
end

--- Parses the diff of a hunk from the host.
---@param text string
---@return CopaneDiff
function M.parse(text)
  local rows = split(text)
  local old, new = (rows[1] or ''):match('^@@ %-(%d+)[,%d]* %+(%d+)')
  if not old then
    return { header = nil, lines = {}, words = rows }
  end
  old, new = tonumber(old), tonumber(new)
  local lines = {}
  for at = 2, #rows do
    local sign, body = rows[at]:sub(1, 1), rows[at]:sub(2)
    if sign == '\\' then
      if #lines > 0 then
        lines[#lines].is_open = true
      end
    else
      local is_crlf = body:sub(-1) == '\r'
      local line = { op = sign == '' and ' ' or sign, text = is_crlf and body:sub(1, -2) or body }
      line.is_crlf = is_crlf or nil
      if sign ~= '+' then
        line.old, old = old, old + 1
      end
      if sign ~= '-' then
        line.new, new = new, new + 1
      end
      table.insert(lines, line)
    end
  end
  return { header = rows[1], lines = lines, words = {} }
end

--- The numbers of the first lines before and after; a side without lines has the line before it.
---@param text string the diff of a hunk
---@return number before, number after
function M.starts(text)
  local old, olds, new, news = text:match('^@@ %-(%d+),?(%d*) %+(%d+),?(%d*)')
  local function first(number, amount)
    return (tonumber(number) or 1) + (amount == '0' and 1 or 0)
  end
  return first(old, olds), first(new, news)
end

--- Parsed diffs by hunk, as long as the hunk exists.
---@type table<table, { text: string, body: CopaneDiff }>
local known = setmetatable({}, { __mode = 'k' })

--- The diff of a hunk, parsed once.
---@param hunk table
---@return CopaneDiff
function M.of(hunk)
  local found = known[hunk]
  if not found or found.text ~= hunk.diff then
    found = { text = hunk.diff, body = M.parse(hunk.diff) }
    known[hunk] = found
  end
  return found.body
end

--- The runs of changed lines, as ranges of `lines`.
---@param lines CopaneDiffLine[]
---@return { first: number, last: number }[]
function M.runs(lines)
  local runs, first = {}, nil
  for at = 1, #lines + 1 do
    local is_changed = lines[at] ~= nil and lines[at].op ~= ' '
    if is_changed and not first then
      first = at
    elseif not is_changed and first then
      table.insert(runs, { first = first, last = at - 1 })
      first = nil
    end
  end
  return runs
end

--- Pairs removed with added lines: in order, within one run.
---@param lines CopaneDiffLine[]
---@return table<number, number> partner by index, both ways
function M.partners(lines)
  local partner = {}
  for _, run in ipairs(M.runs(lines)) do
    local removed, added = {}, {}
    for at = run.first, run.last do
      table.insert(lines[at].op == '-' and removed or added, at)
    end
    for at = 1, math.min(#removed, #added) do
      partner[removed[at]], partner[added[at]] = added[at], removed[at]
    end
  end
  return partner
end

--- Rows of two sides: `left` and `right` are indexes of lines; nil if a side has none.
---@param lines CopaneDiffLine[]
---@return { left: number|nil, right: number|nil }[]
function M.sides(lines)
  local rows, at = {}, 1
  local runs, next_run = M.runs(lines), 1
  while at <= #lines do
    local run = runs[next_run]
    if run and run.first == at then
      local removed, added = {}, {}
      for index = run.first, run.last do
        table.insert(lines[index].op == '-' and removed or added, index)
      end
      for row = 1, math.max(#removed, #added) do
        table.insert(rows, { left = removed[row], right = added[row] })
      end
      at, next_run = run.last + 1, next_run + 1
    else
      table.insert(rows, { left = at, right = at })
      at = at + 1
    end
  end
  return rows
end

--- How many lines are added and removed.
---@param lines CopaneDiffLine[]
---@return number added, number removed
function M.count(lines)
  local added, removed = 0, 0
  for _, line in ipairs(lines) do
    added = added + (line.op == '+' and 1 or 0)
    removed = removed + (line.op == '-' and 1 or 0)
  end
  return added, removed
end

return M
