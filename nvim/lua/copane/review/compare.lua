--- A buffer and its file on disk, side by side.
local M = {}

local api = vim.api
local files = require('copane.file')

--- Compares the current buffer with its file on disk, side by side.
function M.open()
  local buf = api.nvim_get_current_buf()
  local file = files.of_buffer(buf)
  local lines = file and files.lines_on_disk(buf, file)
  if not lines then
    return require('copane.message').warn('copane: This buffer has no file on disk to compare with')
  end
  vim.cmd('diffthis')
  vim.cmd('leftabove vnew')
  local disk = api.nvim_get_current_buf()
  api.nvim_buf_set_lines(disk, 0, -1, false, lines)
  local bo = vim.bo[disk]
  bo.buftype, bo.bufhidden, bo.swapfile, bo.modifiable = 'nofile', 'wipe', false, false
  bo.filetype = vim.bo[buf].filetype
  local name = require('copane.hidden').line(vim.fn.fnamemodify(file, ':t'))
  pcall(api.nvim_buf_set_name, disk, ('copane://disk/%d/%s'):format(disk, name))
  vim.cmd('diffthis')
  vim.cmd('wincmd p')
  api.nvim_create_autocmd('BufWipeout', {
    buffer = disk,
    once = true,
    callback = function()
      vim.schedule(function()
        for _, win in ipairs(vim.fn.win_findbuf(buf)) do
          api.nvim_win_call(win, function()
            vim.cmd('diffoff')
          end)
        end
      end)
    end,
  })
end

return M
