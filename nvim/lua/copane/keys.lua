--- Maps the configured keys, never over a mapping of the user's; returns the rows that a key was pressed on.
local M = {}

--- Keys that also accept selected lines.
local MODES = {
  send = { 'n', 'x' },
  review_accept = { 'n', 'x' },
  review_reject = { 'n', 'x' },
}

---@class CopaneRows rows of a window, from 1
---@field first number
---@field last number

--- The selected rows; ends the selection.
---@return CopaneRows
function M.take_selection()
  local first, last = vim.fn.line('v'), vim.fn.line('.')
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Esc>', true, false, true), 'nx', false)
  return { first = math.min(first, last), last = math.max(first, last) }
end

---@param name string
---@return string
local function target_of(name)
  return '<Plug>(copane-' .. name:gsub('_', '-') .. ')'
end

--- The review's global keys; its own windows map their keys themselves.
---@param review CopaneReviewOptions
---@return table<string, string|false>
local function review_keys(review)
  local keys = { review = review.keymaps.open_review }
  for name, key in pairs(review.global_keymaps) do
    keys['review_' .. name] = key
  end
  return keys
end

---@param review CopaneReviewOptions
function M.map_review(review)
  M.map(review_keys(review))
end

--- Keys that were not mapped because they already had a mapping, and the actions that therefore have no key.
---@param options CopaneOptions
---@return string[]
function M.taken(options)
  local found = {}
  local wanted = vim.tbl_extend('error', options.keys, review_keys(options.suggestion_review))
  for name, key in pairs(wanted) do
    for _, mode in ipairs(key and MODES[name] or key and { 'n' } or {}) do
      local target = target_of(name)
      if vim.fn.maparg(key, mode) ~= target and vim.fn.hasmapto(target, mode) == 0 then
        table.insert(found, ('%s (%s) is not mapped: %s has no key'):format(key, mode, target))
      end
    end
  end
  table.sort(found)
  return found
end

--- Maps `keys` by action; removes a mapping of ours under another key.
---@param keys table<string, string|false>
function M.map(keys)
  for name, key in pairs(keys) do
    for _, mode in ipairs(MODES[name] or { 'n' }) do
      M._unmap(mode, target_of(name))
      if key and vim.fn.maparg(key, mode) == '' then
        vim.keymap.set(mode, key, target_of(name), { remap = true, desc = 'copane: ' .. name:gsub('_', ' ') })
      end
    end
  end
end

--- Removes our mappings to `target`; those of the user have another description.
---@param mode string
---@param target string
function M._unmap(mode, target)
  for _, mapping in ipairs(vim.api.nvim_get_keymap(mode)) do
    if mapping.rhs == target and vim.startswith(mapping.desc or '', 'copane: ') then
      pcall(vim.keymap.del, mode, mapping.lhs)
    end
  end
end

return M
