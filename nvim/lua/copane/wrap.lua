--- Wraps rows of text between words to a width. Pure, except for the width of text, which is Neovim's.
local M = {}

local width_of = vim.fn.strdisplaywidth

--- The pieces of a chunk between which a row may wrap: words, each with the blanks before it.
---@param text string
---@return string[]
local function pieces_of(text)
  local pieces = {}
  for blanks, word in text:gmatch('( *)([^ ]*)') do
    if blanks .. word ~= '' then
      table.insert(pieces, blanks .. word)
    end
  end
  return pieces
end

--- The longest start of `text` within `width`, at least one character, and the rest.
---@param text string
---@param width number
---@return string, string
local function cut(text, width)
  local count = vim.fn.strchars(text)
  local taken = 1
  while taken < count and width_of(vim.fn.strcharpart(text, 0, taken + 1)) <= width do
    taken = taken + 1
  end
  return vim.fn.strcharpart(text, 0, taken), vim.fn.strcharpart(text, taken)
end

--- One row as several, each within `width`; blanks at a break are removed.
---@param row CopaneRow
---@param width number
---@return CopaneRow[]
local function wrap_row(row, width)
  local rows, chunks, used = {}, {}, 0
  local function break_off()
    table.insert(rows, { chunks = chunks, group = row.group, line = row.line })
    chunks, used = {}, 0
  end
  local function put(text, group)
    table.insert(chunks, { text, group })
    used = used + width_of(text)
  end
  for _, chunk in ipairs(row.chunks) do
    for _, piece in ipairs(chunk.is_whole and { chunk[1] } or pieces_of(chunk[1])) do
      if used > 0 and used + width_of(piece) > width then
        break_off()
        piece = piece:gsub('^ +', '')
      end
      while width_of(piece) > width do
        local head, rest = cut(piece, width)
        put(head, chunk[2])
        break_off()
        piece = rest
      end
      if piece ~= '' then
        put(piece, chunk[2])
      end
    end
  end
  if #chunks > 0 or #rows == 0 then
    break_off()
  end
  return rows
end

--- All rows within `width`.
---@param rows CopaneRow[]
---@param width number
---@return CopaneRow[]
function M.rows(rows, width)
  local found = {}
  for _, row in ipairs(rows) do
    vim.list_extend(found, wrap_row(row, math.max(1, width)))
  end
  return found
end

return M
