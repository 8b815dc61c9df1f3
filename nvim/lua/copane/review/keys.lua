--- Maps the keys of the review in its own windows. Never in a buffer of the user's.
local M = {}

--- Keys that decide on selected lines as well.
local ON_LINES = { accept = true, reject = true, comment = true }

--- Second keys, as `<leader>sx` rejects and `q` closes windows elsewhere; unless they mean something else here.
local ALSO = { back = 'q', reject = 'x' }

---@param keymaps table<string, string|false>
---@param name string
---@return string[]
local function keys_of(keymaps, name)
  local key, also = keymaps[name], ALSO[name]
  -- A key that was switched off stays off; but a window without a way back is a trap.
  if not key and name ~= 'back' then
    return {}
  end
  for _, lhs in pairs(keymaps) do
    also = lhs ~= also and also or nil
  end
  return vim.list_extend(key and { key } or {}, also and { also } or {})
end

--- Maps all keys in `buf`. `view` gives the lines of the hunk for rows of the window.
---@param buf number
---@param view { lines_at: (fun(first: number, last: number): { first: number, last: number }|nil)|nil, back: fun() }
---@param skipped table<string, boolean>|nil
function M.attach(buf, view, skipped)
  local keymaps = require('copane.config').get().suggestion_review.keymaps
  local actions = require('copane.review').actions
  for name in pairs(keymaps) do
    if name ~= 'open_review' and not (skipped and skipped[name]) then
      for _, key in ipairs(keys_of(keymaps, name)) do
        local act = name == 'back' and view.back or actions[name]
        local desc = 'copane: ' .. name:gsub('_', ' ')
        vim.keymap.set('n', key, function()
          act({})
        end, { buffer = buf, nowait = true, desc = desc })
        if ON_LINES[name] and view.lines_at then
          vim.keymap.set('x', key, function()
            M._on_lines(act, view)
          end, { buffer = buf, nowait = true, desc = desc .. ' (selected lines)' })
        end
      end
    end
  end
end

---@param act fun(given: table)
---@param view table
function M._on_lines(act, view)
  local first, last = vim.fn.line('v'), vim.fn.line('.')
  if first > last then
    first, last = last, first
  end
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Esc>', true, false, true), 'nx', false)
  local lines = view.lines_at(first, last)
  if lines then
    act({ lines = lines })
  else
    require('copane.message').info('No line of the hunk is selected')
  end
end

--- The lines of the hunk that rows show; nil where they show none.
---@param rows CopaneRow[]
---@param first number from 1
---@param last number
---@return { first: number, last: number }|nil
function M.lines_of(rows, first, last)
  local lines = nil
  for at = first, last do
    local line = rows[at] and rows[at].line
    if line then
      lines = lines or { first = line, last = line }
      lines.last = line
    end
  end
  return lines
end

return M
