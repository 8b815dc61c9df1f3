--- The text that a reviewer edits in place of a hunk, and what the edited lines mean as bytes. Pure.
local M = {}

local diff = require('copane.review.diff')

--- Stands where bytes were that are no UTF-8.
local REPLACEMENT = '\239\191\189'

---@class CopaneEditable
---@field lines string[] without line ends
---@field is_open boolean no line feed behind the last line
---@field is_crlf boolean every line ends in CR LF

--- `text` as lines that an editor shows.
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

--- What would stand in the region of the hunk: of a whole hunk with its context, of a part only what lies between its
--- first and last changed line; of a hunk in conflict the merge, with markers where both sides differ.
---@param hunk table
---@param conflict table|nil the three sides, of a hunk in conflict
---@param edited string|nil what was made of a modified hunk before
---@return CopaneEditable|nil, string|nil why not
function M.of(hunk, conflict, edited)
  local text
  if hunk.status == 'modified' and edited then
    text = edited
  elseif hunk.status == 'conflict' then
    if not conflict then
      return nil, 'What stands against this hunk is not read yet; try again in a moment'
    end
    text = conflict.merged
  else
    local body = diff.of(hunk)
    if not body.header then
      return nil, ('A %s has no lines to edit; accept or reject it as it is'):format(hunk.kind)
    elseif not hunk.diffComplete then
      return nil, 'This hunk is too long to be edited here; accept or reject it'
    end
    text = M._proposed(body.lines, hunk.parent ~= nil)
  end
  if text:find(REPLACEMENT, 1, true) or text:find('%z') then
    return nil, 'It holds bytes that are no UTF-8 text; an editor would change them'
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

--- The edited lines as bytes; ends of lines, and of the text, stay as they were.
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
