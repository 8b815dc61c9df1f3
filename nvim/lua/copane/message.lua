--- Shows messages to the user.
local M = {}

local shown = require('copane.hidden').shown

--- The columns available for a message; a longer one would ask for Enter.
---@return number
function M.room()
  return vim.v.echospace
end

--- Shows `text`, or `short` if that does not fit into a row.
---@param text string
---@param short string|nil
function M.info(text, short)
  local is_long = short and vim.fn.strdisplaywidth(text) > M.room()
  vim.notify(shown(is_long and short or text), vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  vim.notify(shown(text), vim.log.levels.WARN)
end

--- Shows the current activity; the next message replaces it.
---@param text string
function M.progress(text)
  vim.api.nvim_echo({ { shown(text), 'Comment' } }, false, {})
end

return M
