--- The text that a reviewer edits instead of a hunk, and the edited lines as bytes. Pure.
local M = {}

local diff = require('copane.review.diff')

--- Replaces bytes that are not UTF-8.
local REPLACEMENT = '\239\191\189'

---@class CopaneEditable
---@field lines string[] without line ends
---@field is_open boolean no line feed after the last line
---@field is_crlf boolean every line ends in CR LF

--- `text` as lines for an editor.
---@param text string
---@return CopaneEditable
local function of_text(text)
  local lines, is_crlf, from = {}, text ~= '', 1
  local is_open = text:sub(-1) ~= '\n'
  while from <= #text do
    local at = text:find('\n', from, true)
    local line = text:sub(from, at and at - 1 or -1)
    table.insert(lines, line)
    if at and line:sub(-1) ~= '\r' or (not at and #lines == 1) then
      is_crlf = false
    end
    from = at and at + 1 or #text + 1
  end
  if is_crlf then
    for at, line in ipairs(lines) do
      lines[at] = line:gsub('\r$', '')
    end
  end
  return { lines = lines, is_open = is_open and text ~= '', is_crlf = is_crlf }
end

--- Whether more must be read before a hunk can be edited.
---@param hunk table
---@param details CopaneDetails
---@return boolean
function M.is_waiting(hunk, details)
  return hunk.status == 'conflict' and not details.sides or hunk.status == 'modified' and not details.modified
end

--- The text of a hunk: the future content of its region. For a whole hunk, with its context; for a part, only between
--- its first and last changed line; for a hunk in conflict, the merge, with markers where both sides differ; for a
--- modified one, the modified text.
---@param hunk table
---@param details CopaneDetails
---@return string|nil, string|nil why not
local function text_of(hunk, details)
  if hunk.status == 'conflict' then
    return details.sides and details.sides.merged, 'The conflicting text cannot be read'
  elseif hunk.status == 'modified' and details.modified and details.modified.isOwnRegion then
    return details.modified.result
  end
  local body = diff.of(hunk)
  if not body.header then
    return nil, ('A %s has no lines to edit; accept or reject it as it is'):format(hunk.kind)
  elseif not hunk.diffComplete then
    return nil, 'This hunk is too long to be edited here; accept or reject it'
  end
  return M._proposed(body.lines, hunk.parent ~= nil)
end

--- The diff of a hunk, to be edited itself.
---@param hunk table
---@return string|nil, string|nil why not
local function diff_of(hunk)
  if not diff.of(hunk).header then
    return nil, ('A %s has no diff to edit; accept or reject it as it is'):format(hunk.kind)
  elseif not hunk.diffComplete then
    return nil, 'This hunk is too long to be edited here; accept or reject it'
  end
  return hunk.diff
end

--- The text that a reviewer edits instead of a hunk.
---@param hunk table
---@param as 'text'|'diff'
---@param details CopaneDetails
---@return CopaneEditable|nil, string|nil why not
function M.of(hunk, as, details)
  local text, why
  if as == 'diff' then
    text, why = diff_of(hunk)
  else
    text, why = text_of(hunk, details)
  end
  if not text then
    return nil, why
  elseif text:find(REPLACEMENT, 1, true) or text:find('%z') then
    return nil, 'It contains bytes that are not UTF-8; an editor would change them'
  end
  return of_text(text), nil
end

---@param lines CopaneDiffLine[]
---@param is_part boolean
---@return string
function M._proposed(lines, is_part)
  local runs = diff.runs(lines)
  local first = is_part and runs[1] and runs[1].first or 1
  local last = is_part and runs[#runs] and runs[#runs].last or #lines
  local parts = {}
  for at = first, last do
    local line = lines[at]
    if line.op ~= '-' then
      table.insert(parts, line.text .. (line.is_crlf and '\r' or '') .. (line.is_open and '' or '\n'))
    end
  end
  return table.concat(parts)
end

--- The edited lines as bytes; keeps the line ends and the end of the text.
---@param lines string[]
---@param editable CopaneEditable
---@return string
function M.text(lines, editable)
  if #lines == 0 or (#lines == 1 and lines[1] == '') then
    return ''
  end
  local ending = editable.is_crlf and '\r\n' or '\n'
  return table.concat(lines, ending) .. (editable.is_open and '' or ending)
end

return M
