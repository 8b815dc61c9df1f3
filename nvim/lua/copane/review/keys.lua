--- Maps the keys of the review in its own windows, and tells what of a hunk their rows show. Never in a buffer of the
--- user's.
local M = {}

--- Keys that mean selected rows as well.
local ON_ROWS = { accept = true, reject = true, comment = true, split = true }

--- Second keys, as `<leader>sx` rejects and `q` closes windows elsewhere; unless they mean something else here.
local ALSO = { back = 'q', reject = 'x' }

---@class CopaneTarget what an action is about
---@field hunk string|nil nil: nothing is marked yet
---@field lines { first: number, last: number }|nil of the hunk, as they are shown; nil: all of it
---@field at number|nil the line of the hunk at the cursor
---@field text string|nil of a comment
---@field modified table|nil what is taken in place of the hunk
---@field viewed boolean|nil whether it is to be marked as seen
---@field is_on_hunk boolean|nil the intent is about a hunk; without one, the marked one

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

--- Maps all keys in `buf`; `has_lines` where its rows are lines of a hunk, or hunks.
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

--- The whole hunk, for a window that does not belong to the review; its lines mean nothing there.
---@param hunk string|nil
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.elsewhere(hunk, rows)
  if rows then
    return {}, 'Lines are selected in a window of the review'
  end
  return { { hunk = hunk } }
end

--- What of a hunk these rows show; without rows the whole hunk, and the line at the cursor.
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
