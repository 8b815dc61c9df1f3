--- Says one sentence to the user.
local M = {}

local shown = require('copane.hidden').shown

--- Columns that a message may take; a longer one stops the user for an Enter.
---@return number
function M.room()
  return vim.v.echospace
end

--- Says `text`, or where that does not fit into a row, what matters of it.
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

--- Shows what is under way; the next message takes its place.
---@param text string
function M.progress(text)
  vim.api.nvim_echo({ { shown(text), 'Comment' } }, false, {})
end

return M
