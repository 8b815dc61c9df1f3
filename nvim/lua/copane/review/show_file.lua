--- Shows a file in a window, as a command that loads it would, but never stops at a question of Neovim.
local M = {}

local api = vim.api

--- Runs a command that loads a file. If a swap file exists, as with a second Neovim, loads it read-only, unless an
--- autocommand of the user decides otherwise: nobody is there to answer Neovim's own question.
---@param command string
local function load_by(command)
  local is_guarded = false
  local guard = api.nvim_create_autocmd('SwapExists', {
    callback = function()
      if vim.v.swapchoice == '' then
        vim.v.swapchoice, is_guarded = 'o', true
      end
    end,
  })
  local is_done, failure = pcall(vim.cmd, command)
  api.nvim_del_autocmd(guard)
  if not is_done then
    require('copane.message').warn('copane: ' .. failure)
  elseif is_guarded then
    require('copane.message').info('copane: Another editor has a swap file of it; opened read-only', 'A swap file: read-only')
  end
end

--- Shows the buffer of a file in a window, without losing the window's buffer.
---@param file string
function M.show(file)
  local buf = vim.fn.bufadd(vim.fn.fnamemodify(file, ':.'))
  local win = vim.fn.win_findbuf(buf)[1]
  if win then
    return api.nvim_set_current_win(win)
  end
  local here = api.nvim_get_current_buf()
  local is_taken = vim.bo[here].modified and not vim.o.hidden and vim.bo[here].bufhidden ~= 'hide'
  vim.bo[buf].buflisted = true
  load_by(('%s %d'):format(is_taken and 'sbuffer' or 'buffer', buf))
end

return M
