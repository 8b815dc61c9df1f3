--- The difference of two texts as runs of lines, and the merge of two changes of one text. Pure, except for Neovim's
--- own diff.
local M = {}

---@class CopaneChange
---@field first number row, from 0
---@field count number how many lines are removed
---@field lines string[] the inserted lines

---@param lines string[]
---@return string
local function text_of(lines)
  return #lines == 0 and '' or table.concat(lines, '\n') .. '\n'
end

--- The changes from `before` to `after`, from the top.
---@param before string[]
---@param after string[]
---@return CopaneChange[]
function M.changes(before, after)
  local diff = vim.text and vim.text.diff or vim.diff
  local found = {}
  for _, hunk in ipairs(diff(text_of(before), text_of(after), { result_type = 'indices' })) do
    local start, count, new_start, new_count = hunk[1], hunk[2], hunk[3], hunk[4]
    -- An insertion is reported with the line above it.
    local first = count == 0 and start or start - 1
    table.insert(found, { first = first, count = count, lines = vim.list_slice(after, new_start, new_start + new_count - 1) })
  end
  return found
end

---@param a CopaneChange
---@param b CopaneChange
---@return boolean
local function is_same(a, b)
  return a.first == b.first and a.count == b.count and text_of(a.lines) == text_of(b.lines)
end

--- Whether both change the same line, or insert at the same place.
---@param a CopaneChange
---@param b CopaneChange
---@return boolean
local function collide(a, b)
  local a_end, b_end = a.first + a.count, b.first + b.count
  if a.count == 0 or b.count == 0 then
    return a.first <= b_end and b.first <= a_end
  end
  return a.first < b_end and b.first < a_end
end

---@class CopaneMerge
---@field changes CopaneChange[] the changes of `theirs`, applicable to `ours`
---@field base string[] `base` with these changes: the new common text
---@field collision number|nil row of `ours` with the first collision; colliding changes are left out

--- Merges two changes of `base`.
---@param base string[]
---@param ours string[]
---@param theirs string[]
---@return CopaneMerge
function M.merge(base, ours, theirs)
  local own, merged = M.changes(base, ours), { changes = {}, base = {} }
  local row = 0
  for _, change in ipairs(M.changes(base, theirs)) do
    local shift, is_there, is_free = 0, false, true
    for _, each in ipairs(own) do
      if is_same(each, change) then
        is_there = true
      elseif collide(each, change) then
        is_free = false
      elseif each.first < change.first then
        shift = shift + #each.lines - each.count
      end
    end
    if is_free or is_there then
      vim.list_extend(merged.base, base, row + 1, change.first)
      vim.list_extend(merged.base, change.lines)
      row = change.first + change.count
    else
      merged.collision = merged.collision or math.min(change.first + shift, math.max(0, #ours - 1))
    end
    if is_free and not is_there then
      table.insert(merged.changes, { first = change.first + shift, count = change.count, lines = change.lines })
    end
  end
  vim.list_extend(merged.base, base, row + 1, #base)
  return merged
end

return M
