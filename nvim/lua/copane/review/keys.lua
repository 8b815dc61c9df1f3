--- Maps the keys of the review in its own windows, and finds the lines of a hunk in their rows. Never in a buffer of
--- the user's.
local M = {}

--- Keys that also accept selected rows.
local ON_ROWS = { accept = true, reject = true, comment = true, split = true }

--- Second keys, as `<leader>sx` rejects and `q` closes windows elsewhere; unless they have another meaning here.
local ALSO = { back = 'q', reject = 'x' }

---@class CopaneTarget the object of an action
---@field hunk string|nil nil: no hunk is marked yet
---@field lines { first: number, last: number }|nil lines of the hunk as shown; nil: the whole hunk
---@field at number|nil the line of the hunk at the cursor
---@field text string|nil the text of a comment
---@field modified table|nil the text that replaces the hunk
---@field viewed boolean|nil whether to mark it as seen
---@field is_on_hunk boolean|nil the intent is about a hunk; without one, the marked one

---@param keymaps table<string, string|false>
---@param name string
---@return string[]
local function keys_of(keymaps, name)
  local key, also = keymaps[name], ALSO[name]
  -- A disabled key stays disabled; but a window needs a way back.
  if not key and name ~= 'back' then
    return {}
  end
  for _, lhs in pairs(keymaps) do
    also = lhs ~= also and also or nil
  end
  return vim.list_extend(key and { key } or {}, also and { also } or {})
end

--- Maps all keys in `buf`; `has_lines` if its rows are lines of a hunk, or hunks.
---@param buf number
---@param view { back: fun(), has_lines: boolean|nil }
function M.attach(buf, view)
  local keymaps = require('copane.config').get().suggestion_review.keymaps
  local actions = require('copane.review').actions
  for name in pairs(keymaps) do
    for _, key in ipairs(name ~= 'open_review' and keys_of(keymaps, name) or {}) do
      local act = name == 'back' and view.back or actions[name]
      local desc = 'copane: ' .. name:gsub('_', ' ')
      vim.keymap.set('n', key, function()
        act({})
      end, { buffer = buf, nowait = true, desc = desc })
      if ON_ROWS[name] and view.has_lines then
        vim.keymap.set('x', key, function()
          act({ rows = require('copane.keys').take_selection() })
        end, { buffer = buf, nowait = true, desc = desc .. ' (what is selected)' })
      end
    end
  end
end

--- The whole hunk, for a window outside the review, whose lines mean nothing here.
---@param hunk string|nil
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.elsewhere(hunk, rows)
  if rows then
    return {}, 'Lines are selected in a window of the review'
  end
  return { { hunk = hunk } }
end

--- The part of a hunk in these rows; without rows the whole hunk, and the line at the cursor.
---@param hunk string|nil
---@param shown CopaneRow[]
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.at(hunk, shown, rows)
  if not rows then
    local row = shown[vim.api.nvim_win_get_cursor(0)[1]]
    return { { hunk = hunk, at = row and row.line } }
  end
  local lines = nil
  for at = rows.first, rows.last do
    local line = shown[at] and shown[at].line
    if line then
      lines = lines or { first = line, last = line }
      lines.last = line
    end
  end
  if not lines then
    return {}, 'No line of the hunk is selected'
  end
  return { { hunk = hunk, lines = lines, at = lines.first } }
end

return M
