--- The file changes of an answer: in the quickfix list, or as a review.
local M = {}

local client = require('copane.client')
local message = require('copane.message')
local shown = require('copane.hidden').line

--- The author of lines that no tool of the AI changed.
local HANDS = { command = 'by a command: ', unknown = 'not known by whom: ' }

--- The first line that the hunk adds or removes, and its number in the file.
---@param hunk table
---@return number line, string text
local function first_change(hunk)
  local line = math.max(hunk.new_start, 1)
  for text in hunk.diff:gmatch('[^\n]*') do
    local mark = text:sub(1, 1)
    if mark == '+' or mark == '-' then
      return line, text
    elseif mark == ' ' then
      line = line + 1
    end
  end
  return line, ''
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
  for _, hunk in ipairs(file.hunks) do
    local line, text = first_change(hunk)
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
