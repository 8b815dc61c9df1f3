--- Makes characters visible that a reader would not see, in text from outside that is about to be shown. Pure.
local M = {}

local rules = require('copane.hidden_table')

--- Bytes of text without hidden characters: ASCII, most of Latin, Cyrillic and Han.
local PLAIN = '^[\t\n -~\195\208\209\228-\233\128-\191]*$'

local BLACK_FLAG = 0x1f3f4
--- `␀` without its last byte (its neighbours stand for the other control characters), and `␡`.
local PICTURES, DELETE, DELETE_PICTURE = '\226\144', 0x7f, '\226\144\161'

---@param ranges number[] first and last of each run, ascending
---@param code_point number
---@return boolean
local function within(ranges, code_point)
  local low, high = 1, #ranges / 2
  while low <= high do
    local middle = math.floor((low + high) / 2)
    if code_point < ranges[2 * middle - 1] then
      high = middle - 1
    elseif code_point > ranges[2 * middle] then
      low = middle + 1
    else
      return true
    end
  end
  return false
end

---@class CopaneCharacter
---@field text string
---@field code_point number|nil nil for a visible flag, and for a byte that is not UTF-8, which Neovim itself shows
---@field first number|nil the first code point of a flag

--- The character that begins at byte `at`. Halves of surrogate pairs count as characters: JSON can contain them.
---@param text string
---@param at number
---@return CopaneCharacter
local function character_at(text, at)
  local lead = text:byte(at)
  local length = lead < 0x80 and 1 or lead >= 0xf0 and 4 or lead >= 0xe0 and 3 or lead >= 0xc0 and 2 or 0
  local code_point = length < 2 and lead or lead % 2 ^ (7 - length)
  for next_at = at + 1, at + length - 1 do
    local byte = text:byte(next_at)
    if not byte or byte < 0x80 or byte > 0xbf then
      return { text = text:sub(at, at) }
    end
    code_point = code_point * 64 + byte % 64
  end
  if length == 0 then
    return { text = text:sub(at, at) }
  end
  return { text = text:sub(at, at + length - 1), code_point = code_point }
end

---@param text string
---@param at number
---@return string|nil
local function flag_at(text, at)
  for _, flag in ipairs(rules.flags) do
    if text:sub(at, at + #flag - 1) == flag then
      return flag
    end
  end
  return nil
end

---@param text string
---@return CopaneCharacter[]
local function characters_of(text)
  local found, at = {}, 1
  while at <= #text do
    local flag = text:byte(at) == 0xf0 and flag_at(text, at)
    table.insert(found, flag and { text = flag, first = BLACK_FLAG } or character_at(text, at))
    at = at + #found[#found].text
  end
  return found
end

---@param ranges number[]|nil nil: any neighbour or none
---@param code_point number|nil
---@return boolean
local function suits(ranges, code_point)
  return not ranges or (code_point ~= nil and within(ranges, code_point))
end

--- Whether its neighbours explain a hidden character.
---@param characters CopaneCharacter[]
---@param at number
---@return boolean
local function is_explained(characters, at)
  local before, behind = characters[at - 1] or {}, characters[at + 1] or {}
  for _, rule in ipairs(rules.rules) do
    if
      within(rule.of, characters[at].code_point)
      and suits(rule.after, before.code_point)
      and suits(rule.before, behind.code_point or behind.first)
    then
      return true
    end
  end
  return false
end

---@param code_point number
---@return string
local function shown_as(code_point)
  if code_point < 0x20 then
    return PICTURES .. string.char(0x80 + code_point)
  elseif code_point == DELETE then
    return DELETE_PICTURE
  end
  return ('<%04X>'):format(code_point)
end

--- `text` with everything hidden made visible. Tabs and line feeds stay.
---@param text string
---@return string
function M.shown(text)
  if text:find(PLAIN) then
    return text
  end
  local characters, parts, was_marked = characters_of(text), {}, false
  for at, character in ipairs(characters) do
    local code_point = character.code_point
    -- After a marked character there is no neighbour that would explain another hidden one.
    was_marked = code_point ~= nil
      and within(rules.hidden, code_point)
      and (was_marked or not is_explained(characters, at))
    table.insert(parts, was_marked and shown_as(code_point) or character.text)
  end
  return table.concat(parts)
end

--- A name, or one line. Also shows line feeds, since a second row could pass for something else.
---@param text string
---@return string
function M.line(text)
  return (M.shown(text):gsub('\n', '␊'))
end

return M
