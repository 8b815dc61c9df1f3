--- Phrases for users. Pure.
local M = {}

--- `3 lines`, `1 line`.
---@param count number
---@param noun string
---@return string
function M.counted(count, noun)
  return ('%d %s%s'):format(count, noun, count == 1 and '' or 's')
end

return M
