--- The differences within a changed line, by Neovim's own diff over its words.
local M = {}

--- Longer lines are not compared.
local LINE_MAX_BYTES = 1000
--- A line that differs by more than this share is another line.
local SHARE_MAX = 0.7

--- Words, blanks and single symbols, each as one line of a text, with their positions.
---@param line string
---@return string[] words, number[] starts from 0
local function words_of(line)
  local words, starts, at = {}, {}, 1
  while at <= #line do
    local word = line:match('^[%w_\128-\255]+', at) or line:match('^%s+', at) or line:sub(at, at)
    table.insert(words, word)
    table.insert(starts, at - 1)
    at = at + #word
  end
  table.insert(starts, #line)
  return words, starts
end

---@class CopaneSpan
---@field first number byte, from 0
---@field last number byte after it

--- The differing spans of both lines; empty if the lines are too long or too different for that to help.
---@param old string
---@param new string
---@return CopaneSpan[] old, CopaneSpan[] new
function M.spans(old, new)
  if #old > LINE_MAX_BYTES or #new > LINE_MAX_BYTES or old == '' or new == '' then
    return {}, {}
  end
  local old_words, old_starts = words_of(old)
  local new_words, new_starts = words_of(new)
  local diff = vim.text and vim.text.diff or vim.diff
  local function as_text(words)
    return table.concat(words, '\n') .. '\n'
  end
  local olds, news, differing = {}, {}, 0
  for _, edit in ipairs(diff(as_text(old_words), as_text(new_words), { result_type = 'indices' })) do
    local old_at, old_count, new_at, new_count = edit[1], edit[2], edit[3], edit[4]
    if old_count > 0 then
      table.insert(olds, { first = old_starts[old_at], last = old_starts[old_at + old_count] })
      differing = differing + olds[#olds].last - olds[#olds].first
    end
    if new_count > 0 then
      table.insert(news, { first = new_starts[new_at], last = new_starts[new_at + new_count] })
      differing = differing + news[#news].last - news[#news].first
    end
  end
  if differing > SHARE_MAX * (#old + #new) then
    return {}, {}
  end
  return olds, news
end

return M
