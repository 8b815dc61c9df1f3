--- Says one sentence to the user.
local M = {}

---@param text string
function M.info(text)
  vim.notify(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  vim.notify(text, vim.log.levels.WARN)
end

--- Shows what is under way; the next message takes its place.
---@param text string
function M.progress(text)
  vim.api.nvim_echo({ { text, 'Comment' } }, false, {})
end

--- `3 lines`, `1 line`.
---@param count number
---@param noun string
---@return string
function M.count(count, noun)
  return ('%d %s%s'):format(count, noun, count == 1 and '' or 's')
end

return M
