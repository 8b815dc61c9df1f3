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

--- Rows of two sides: `left` and `right` are indexes of lines; nil if a side has none. Lines of a run without a partner
--- are side by side in order.
---@param lines CopaneDiffLine[]
---@param paired { removed: number, added: number }[] which removed line became which added line, in order
---@return { left: number|nil, right: number|nil }[]
function M.sides(lines, paired)
  local rows, at, partner = {}, 1, {}
  for _, pair in ipairs(paired) do
    partner[pair.removed], partner[pair.added] = pair.added, pair.removed
  end
  local runs = M.runs(lines)
  table.insert(runs, { first = #lines + 1, last = #lines })
  for _, run in ipairs(runs) do
    for same = at, run.first - 1 do
      table.insert(rows, { left = same, right = same })
    end
    local removed, added = {}, {}
    for index = run.first, run.last do
      table.insert(lines[index].op == '-' and removed or added, index)
    end
    local from, to = 1, 1
    while removed[from] or added[to] do
      local left, right = removed[from], added[to]
      if left and right and partner[left] ~= right then
        -- A line with a partner further down waits for it.
        left, right = not partner[left] and left or nil, (partner[left] or not partner[right]) and right or nil
      end
      table.insert(rows, { left = left, right = right })
      from, to = from + (left and 1 or 0), to + (right and 1 or 0)
    end
    at = run.last + 1
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
