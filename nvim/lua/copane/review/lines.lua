--- Bytes in, whole lines out. Pure; refuses a line beyond its bound instead of keeping it.
local M = {}

--- As long as a line of the host may be, with its line feed.
M.LINE_MAX_BYTES = 8 * 1024 * 1024 + 1

---@class CopaneLines
---@field parts string[] of the line that has not ended yet
---@field size number their bytes together
---@field max number

---@param max number|nil
---@return CopaneLines
function M.new(max)
  return { parts = {}, size = 0, max = max or M.LINE_MAX_BYTES }
end

--- The lines that end in `chunk`; nil when one is too long, and then nothing more is to be read.
---@param lines CopaneLines
---@param chunk string
---@return string[]|nil
function M.push(lines, chunk)
  local found, from = {}, 1
  while true do
    local at = chunk:find('\n', from, true)
    local part = chunk:sub(from, at and at - 1 or -1)
    lines.size = lines.size + #part
    if lines.size > lines.max then
      return nil
    end
    if part ~= '' then
      table.insert(lines.parts, part)
    end
    if not at then
      return found
    end
    table.insert(found, table.concat(lines.parts))
    lines.parts, lines.size, from = {}, 0, at + 1
  end
end

return M
