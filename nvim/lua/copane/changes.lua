--- The file changes of an answer: in the quickfix list, or as a review.
local M = {}

local client = require('copane.client')
local message = require('copane.message')
local shown = require('copane.hidden').line

--- The author of lines that no tool of the AI changed.
local HANDS = { command = 'by a command: ', unknown = 'not known by whom: ' }

--- The lines of one side of a hunk, and how many of them precede its first change.
---@param hunk table
---@param sign '+'|'-' of the side
---@return string[] texts, number before, string first the change with its sign
local function side_of(hunk, sign)
  local texts, before, first = {}, nil, ''
  for text in hunk.diff:gmatch('[^\n]+') do
    local mark = text:sub(1, 1)
    if not before and (mark == '+' or mark == '-') then
      before, first = #texts, text
    end
    if mark == ' ' or mark == sign then
      table.insert(texts, (text:sub(2):gsub('\r$', '')))
    end
  end
  return texts, before or 0, first
end

--- The current line of the hunk's first change: other hunks, edits and decisions may have moved it or taken it back. A
--- hunk that is not found keeps its line.
---@param hunk table
---@param lines string[] of the file now
---@return number line, string text
local function place(hunk, lines)
  local best
  for _, sign in ipairs({ '+', '-' }) do
    local texts, before, first = side_of(hunk, sign)
    for at = 0, #texts > 0 and #lines - #texts or -1 do
      local is_nearer = not best or math.abs(at + 1 - hunk.new_start) < math.abs(best + 1 - hunk.new_start)
      if is_nearer and lines[at + 1] == texts[1] and vim.deep_equal(vim.list_slice(lines, at + 1, at + #texts), texts) then
        best = at
      end
    end
    if best or sign == '-' then
      return (best or math.max(hunk.new_start, 1) - 1) + before + 1, first
    end
  end
end

---@param path string
---@return string[] the lines of its buffer, else of the file on disk
local function lines_of(path)
  if vim.fn.bufloaded(path) == 1 then
    return vim.api.nvim_buf_get_lines(vim.fn.bufnr(path), 0, -1, false)
  end
  local text = require('copane.file').read(path)
  return text and vim.split((text:gsub('\r\n', '\n')), '\n', { plain = true }) or {}
end

--- The list shows an item's name unchanged, unless it has another text.
---@param items table[]
---@param file table
---@param row number
---@param text string
local function add(items, file, row, text)
  local name = shown(file.path)
  local module = name ~= file.path and name or nil
  table.insert(items, { filename = file.path, module = module, lnum = row, text = shown(text) })
end

---@param file table
---@param items table[]
local function add_file(file, items)
  if #file.hunks == 0 then
    local why = file.why or (file.moved_from and 'renamed from ' .. file.moved_from) or file.kind
    add(items, file, 1, why)
  end
  local lines = #file.hunks > 0 and lines_of(file.path) or {}
  for _, hunk in ipairs(file.hunks) do
    local line, text = place(hunk, lines)
    add(items, file, line, (HANDS[hunk.origin] or '') .. text)
  end
end

--- Lists the hunks of an answer in the quickfix list and opens it. `number`: 1 is the newest.
---@param options { number: number|nil }
function M.list(options)
  local number = options.number or 1
  client.changes(number, function(answer, failure)
    if not answer then
      return message.warn(failure)
    end
    local items = {}
    for _, file in ipairs(answer.files) do
      add_file(file, items)
    end
    if answer.unknown then
      message.warn('Some changes may be missing: ' .. answer.unknown)
    end
    if #items == 0 then
      return message.info('This answer changed no file')
    end
    local title = number == 1 and 'What the newest answer changed' or ('What answer %d changed'):format(number)
    vim.fn.setqflist({}, ' ', { title = title, items = items })
    vim.cmd('botright copen')
  end)
end

--- Opens a review of an answer's changes. `number`: 1 is the newest.
---@param options { number: number|nil }
function M.review(options)
  require('copane.review.start').begin({ '--turn', tostring(options.number or 1) })
end

return M
