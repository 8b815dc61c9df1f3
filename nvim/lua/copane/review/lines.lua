--- Splits bytes into complete lines. Pure; refuses a line beyond its limit instead of keeping it.
local M = {}

--- The longest line of the host, including its line feed.
M.LINE_MAX_BYTES = 8 * 1024 * 1024 + 1

---@class CopaneLines
---@field parts string[] of the unfinished line
---@field size number their total bytes
---@field max number

---@param max number|nil
---@return CopaneLines
function M.new(max)
  return { parts = {}, size = 0, max = max or M.LINE_MAX_BYTES }
end

--- The lines that end in `chunk`; nil if one is too long, after which nothing more should be read.
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
