--- A window that shows exactly the outgoing text, and asks about lines that are not clearly the user's. Composes
--- nothing: requests each choice anew, and can only send the answer to the newest choice.
local M = {}

local api = vim.api
local counted = require('copane.text').counted
local hidden = require('copane.hidden')

local namespace = api.nvim_create_namespace('copane_preview')
local CONTEXTS = { bare = 'quote', quote = 'line', line = 'bare' }
--- Row of the first selectable line, from 0: below the keys, a blank row and a heading.
local FIRST_CHOICE = 3
local KEYS = '<CR> send   <Space> choose   c context   q cancel'

---@class CopanePreviewView
---@field answer table the answer of `copane notes` without a choice
---@field ask fun(chosen: number[], context: string, on_end: fun(answer: table|nil, failure: string|nil))
---@field send fun(answer: table)
---@field cancel fun()

---@class CopanePreview
---@field view CopanePreviewView
---@field buf number
---@field win number
---@field answer table|nil nil while an answer is awaited
---@field failure string|nil why there is no answer
---@field is_done boolean|nil sent or cancelled
---@field undecided table[] items
---@field chosen table<number, boolean> by buffer line
---@field context string
---@field asked number counts the questions

---@param preview CopanePreview
---@return string[] rows, number heads
local function rows_of(preview)
  local rows = { KEYS, '' }
  if #preview.undecided > 0 then
    local count = counted(#preview.undecided, 'line')
    table.insert(rows, 'Not clearly yours, sent only when chosen: ' .. count)
    for _, item in ipairs(preview.undecided) do
      local box = preview.chosen[item.line] and '[x]' or '[ ]'
      local kind = item.kind == 'changed' and 'changed' or 'whose? '
      table.insert(rows, ('%s %s %s'):format(box, kind, hidden.line(item.text)))
    end
    table.insert(rows, '')
  end
  local answer = preview.answer
  if not answer or not answer.text then
    local failed = answer and 'Nothing will be sent: no note with text in it.' or preview.failure
    vim.list_extend(rows, vim.split(failed or '…', '\n', { plain = true }))
    return rows, #rows
  end
  local size = ('%s, %s, ~%s, context: %s'):format(
    counted(answer.noteCount, 'note'),
    counted(answer.byteCount, 'byte'),
    counted(answer.tokenCount, 'token'),
    preview.context
  )
  table.insert(rows, 'This will be sent: ' .. size)
  local heads = #rows
  vim.list_extend(rows, vim.split(hidden.shown(answer.text), '\n', { plain = true }))
  return rows, heads
end

--- Fits the window's height to its content, within its limit.
---@param preview CopanePreview
---@param rows string[]
local function fit_height(preview, rows)
  local most = math.max(4, math.floor(vim.o.lines * 0.6))
  local first = vim.tbl_map(function(row)
    return { chunks = { { row } } }
  end, vim.list_slice(rows, 1, most))
  local height = #require('copane.wrap').rows(first, api.nvim_win_get_width(preview.win))
  api.nvim_win_set_height(preview.win, math.min(height, most))
end

---@param preview CopanePreview
local function draw(preview)
  if not api.nvim_buf_is_valid(preview.buf) then
    return
  end
  local rows, heads = rows_of(preview)
  vim.bo[preview.buf].modifiable = true
  api.nvim_buf_set_lines(preview.buf, 0, -1, false, rows)
  vim.bo[preview.buf].modifiable = false
  if api.nvim_win_is_valid(preview.win) then
    fit_height(preview, rows)
  end
  api.nvim_buf_clear_namespace(preview.buf, namespace, 0, -1)
  for row = 0, heads - 1 do
    local is_choice = row >= FIRST_CHOICE and row < FIRST_CHOICE + #preview.undecided
    local group = is_choice and 'WarningMsg' or 'Comment'
    api.nvim_buf_set_extmark(preview.buf, namespace, row, 0, { end_col = #rows[row + 1], hl_group = group })
  end
end

---@param preview CopanePreview
local function ask(preview)
  preview.asked = preview.asked + 1
  preview.answer, preview.failure = nil, nil
  local number, chosen = preview.asked, {}
  for line in pairs(preview.chosen) do
    table.insert(chosen, line)
  end
  table.sort(chosen)
  preview.view.ask(chosen, preview.context, function(answer, failure)
    if number ~= preview.asked or not api.nvim_buf_is_valid(preview.buf) then
      return
    end
    preview.answer, preview.failure = answer, failure
    draw(preview)
  end)
end

---@param preview CopanePreview
local function toggle(preview)
  local item = preview.undecided[api.nvim_win_get_cursor(preview.win)[1] - FIRST_CHOICE]
  if item then
    preview.chosen[item.line] = not preview.chosen[item.line] or nil
    ask(preview)
    draw(preview)
  end
end

---@param preview CopanePreview
local function close(preview)
  preview.is_done = true
  if api.nvim_win_is_valid(preview.win) then
    api.nvim_win_close(preview.win, true)
  end
end

---@param preview CopanePreview
local function confirm(preview)
  local answer = preview.answer
  if answer and answer.text then
    close(preview)
    preview.view.send(answer)
  end
end

---@param preview CopanePreview
local function cancel(preview)
  if not preview.is_done then
    close(preview)
    preview.view.cancel()
  end
end

---@return number buf, number win
local function open_window()
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  local width = math.max(20, math.min(100, vim.o.columns - 4))
  local height = math.max(4, math.floor(vim.o.lines * 0.6))
  local win = api.nvim_open_win(buf, true, {
    relative = 'editor',
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    width = width,
    height = height,
    style = 'minimal',
    border = 'rounded',
  })
  vim.wo[win].wrap, vim.wo[win].linebreak = true, true
  return buf, win
end

--- Opens the preview; ends with exactly one call of `view.send` or `view.cancel`.
---@param view CopanePreviewView
function M.open(view)
  local buf, win = open_window()
  local preview = {
    view = view,
    buf = buf,
    win = win,
    answer = nil,
    undecided = {},
    chosen = {},
    context = view.answer.context,
    asked = 0,
  }
  local is_open = {}
  for _, line in ipairs(view.answer.undecided) do
    is_open[line] = true
  end
  for _, item in ipairs(view.answer.items) do
    if is_open[item.line] then
      table.insert(preview.undecided, item)
    end
  end
  local function map(key, act)
    vim.keymap.set('n', key, function()
      act(preview)
    end, { buffer = buf, nowait = true })
  end
  map('<CR>', confirm)
  map('<Space>', toggle)
  map('x', toggle)
  map('q', cancel)
  map('<Esc>', cancel)
  map('c', function()
    preview.context = CONTEXTS[preview.context]
    ask(preview)
    draw(preview)
  end)
  api.nvim_create_autocmd({ 'BufWipeout', 'WinLeave' }, {
    buffer = buf,
    callback = function()
      vim.schedule(function()
        cancel(preview)
      end)
    end,
  })
  ask(preview)
  draw(preview)
  if #preview.undecided > 0 then
    api.nvim_win_set_cursor(win, { FIRST_CHOICE + 1, 0 })
  end
end

return M
