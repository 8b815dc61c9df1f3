--- Base64, for Neovim before 0.10. Pure.
local M = {}

local ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

---@param text string any bytes
---@return string
function M.encode(text)
  local out = {}
  for at = 1, #text, 3 do
    local a, b, c = text:byte(at, at + 2)
    local bits = a * 65536 + (b or 0) * 256 + (c or 0)
    for shift = 3, 0, -1 do
      local index = math.floor(bits / 64 ^ shift) % 64
      local is_padding = (shift == 0 and not c) or (shift == 1 and not b)
      out[#out + 1] = is_padding and '=' or ALPHABET:sub(index + 1, index + 1)
    end
  end
  return table.concat(out)
end

return M
