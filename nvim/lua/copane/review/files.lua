--- Buffers of files that a decision has changed: reloaded where nothing is lost by it. One with unsaved edits keeps
--- them, and says so; nothing is ever overwritten, on disk or in the buffer.
local M = {}

local api = vim.api
local files = require('copane.file')
local uv = vim.uv or vim.loop
local namespace = api.nvim_create_namespace('copane_conflict')

--- A prompt or a command line is open: so often it is waited for, so long each time.
local WAITS_MAX, WAIT_MS = 50, 200

--- Loaded buffers by the file that they show.
---@return table<string, number[]>
local function buffers()
  local found = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    local file = files.of_buffer(buf)
    if file then
      found[file] = found[file] or {}
      table.insert(found[file], buf)
    end
  end
  return found
end

--- Whether the buffer has unsaved edits that the file has not. One whose text stands on disk has lost nothing.
---@param buf number
---@param file string
---@return boolean
local function would_lose(buf, file)
  if not vim.bo[buf].modified then
    return false
  end
  local text = (files.read(file) or ''):gsub('\r\n', '\n')
  return text ~= table.concat(api.nvim_buf_get_lines(buf, 0, -1, false), '\n') .. (vim.bo[buf].eol and '\n' or '')
end

---@param buf number
---@param file string
local function show_conflict(buf, file)
  local is_known = vim.b[buf].copane_conflict
  vim.b[buf].copane_conflict = true
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  api.nvim_buf_set_extmark(buf, namespace, 0, 0, {
    virt_text = { { 'changed on disk by a decision; your unsaved edits are kept (:Copane diff)', 'WarningMsg' } },
    sign_text = '!',
    sign_hl_group = 'WarningMsg',
  })
  if not is_known then
    local name = vim.fn.fnamemodify(file, ':.')
    require('copane.message').warn(
      ('copane: %s changed on disk; your unsaved edits stay (:Copane diff)'):format(name)
    )
  end
end

---@param buf number
---@return boolean
local function is_empty(buf)
  return api.nvim_buf_line_count(buf) == 1 and api.nvim_buf_get_lines(buf, 0, 1, false)[1] == ''
end

--- Reads the file into its buffer without a question, whatever the user's 'autoread' says.
---@param buf number
---@param file string
local function reload(buf, file)
  if not uv.fs_stat(file) then
    -- Neovim tells by itself that the file is gone when the buffer is looked at; its text stays.
    return
  end
  local handler = api.nvim_create_autocmd('FileChangedShell', {
    buffer = buf,
    callback = function()
      vim.v.fcs_choice = 'reload'
    end,
  })
  if is_empty(buf) then
    -- The file may have come after its buffer, of which a check of the time asks without that event.
    api.nvim_buf_call(buf, function()
      vim.cmd('silent! edit')
    end)
  else
    -- Named by number: a name may hold what a command line reads as something else.
    vim.cmd(('silent! checktime %d'):format(buf))
  end
  pcall(api.nvim_del_autocmd, handler)
  vim.b[buf].copane_conflict = nil
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  require('copane.review.inline').refresh(buf)
end

---@param buf number
---@param file string
local function bring_up(buf, file)
  if not api.nvim_buf_is_loaded(buf) then
    return
  elseif would_lose(buf, file) then
    show_conflict(buf, file)
  else
    reload(buf, file)
  end
end

--- Buffers are not touched under a prompt or a command line.
---@param act fun()
---@param waits number
local function when_free(act, waits)
  local mode = api.nvim_get_mode()
  if (mode.blocking or mode.mode:sub(1, 1) == 'c' or mode.mode:sub(1, 1) == 'r') and waits < WAITS_MAX then
    return vim.defer_fn(function()
      when_free(act, waits + 1)
    end, WAIT_MS)
  end
  act()
end

--- A `review/changed` event: brings up the buffers of the files that were decided on.
---@param body table
function M.decided(body)
  local names = {}
  for _, decision in ipairs(body.decisions) do
    names[decision.file] = true
  end
  if body.moreDecisions > 0 then
    for _, file in ipairs(body.suggestion.files) do
      names[file] = true
    end
  end
  when_free(function()
    local known = buffers()
    for name in pairs(names) do
      local file = body.suggestion.target .. '/' .. name
      for _, buf in ipairs(known[files.real(file)] or {}) do
        bring_up(buf, file)
      end
    end
  end, 0)
end

--- After a gap in the events: every buffer whose file is another one than was read.
function M.check_all()
  when_free(function()
    for file, bufs in pairs(buffers()) do
      for _, buf in ipairs(bufs) do
        if not vim.bo[buf].modified then
          reload(buf, file)
        end
      end
    end
  end, 0)
end

--- Compares the current buffer with its file on disk, side by side.
function M.compare()
  local buf = api.nvim_get_current_buf()
  local file = files.of_buffer(buf)
  local text = file and files.read(file)
  if not text then
    return require('copane.message').warn('copane: this buffer has no file on disk to compare with')
  end
  vim.cmd('diffthis')
  vim.cmd('leftabove vnew')
  local disk = api.nvim_get_current_buf()
  local lines = vim.split((text:gsub('\r\n', '\n'):gsub('\n$', '')), '\n', { plain = true })
  api.nvim_buf_set_lines(disk, 0, -1, false, lines)
  local bo = vim.bo[disk]
  bo.buftype, bo.bufhidden, bo.swapfile, bo.modifiable = 'nofile', 'wipe', false, false
  bo.filetype = vim.bo[buf].filetype
  pcall(api.nvim_buf_set_name, disk, ('copane://disk/%d/%s'):format(disk, vim.fn.fnamemodify(file, ':t')))
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
