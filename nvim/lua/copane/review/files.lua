--- Buffers of files that a decision has changed: only the changed lines are set, so that cursor, marks and folds stay on
--- their text. One with unsaved edits keeps them and gets the change beside them; where the two collide it keeps them
--- and says so. Nothing is ever overwritten, on disk or in the buffer.
local M = {}

local api = vim.api
local files = require('copane.file')
local merge = require('copane.review.merge')
local uv = vim.uv or vim.loop
local namespace = api.nvim_create_namespace('copane_conflict')

--- A prompt or a command line is open: so often it is waited for, so long each time.
local WAITS_MAX, WAIT_MS = 50, 200

--- A longer text is not merged with unsaved edits.
local BASE_MAX_BYTES = 4 * 1024 * 1024

--- What a buffer and its file had in common last, by buffer.
---@type table<number, string[]>
local bases = {}

--- Buffers with unsaved edits in files under review, and the autocommands that look after their writing.
---@type table<number, number>
local guards = {}

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

--- The lines of a file as the buffer would have them; nil where they cannot be told without reading it into it.
---@param buf number
---@param file string
---@return string[]|nil
local function lines_on_disk(buf, file)
  local bo = vim.bo[buf]
  local text = files.read(file)
  local is_plain = bo.fileencoding == '' or bo.fileencoding == 'utf-8'
  if not text or #text > BASE_MAX_BYTES or not is_plain or bo.fileformat == 'mac' or text:find('%z') then
    return nil
  end
  text = bo.bomb and text:gsub('^\239\187\191', '') or text
  text = bo.fileformat == 'dos' and text:gsub('\r\n', '\n') or text
  return vim.split((text:gsub('\n$', '')), '\n', { plain = true })
end

---@param buf number
---@return string[]
local function lines_of(buf)
  return api.nvim_buf_get_lines(buf, 0, -1, false)
end

---@param buf number
---@param changes CopaneChange[] from the top
local function set_changed(buf, changes)
  for at = #changes, 1, -1 do
    local change = changes[at]
    api.nvim_buf_set_lines(buf, change.first, change.first + change.count, true, change.lines)
  end
end

---@param buf number
---@param file string
local function show_conflict(buf, file)
  local is_known = vim.b[buf].copane_conflict
  vim.b[buf].copane_conflict = true
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  api.nvim_buf_set_extmark(buf, namespace, 0, 0, {
    virt_text = { { 'changed on disk by a decision where you have unsaved edits; they are kept (:Copane diff)', 'WarningMsg' } },
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

--- From here on the buffer's text is what its file holds.
---@param buf number
local function remember(buf)
  local lines = files.of_buffer(buf) and lines_of(buf)
  local is_small = lines and api.nvim_buf_get_offset(buf, #lines) <= BASE_MAX_BYTES
  bases[buf] = is_small and lines or nil
end

---@param buf number
---@return boolean
local function is_empty(buf)
  return api.nvim_buf_line_count(buf) == 1 and api.nvim_buf_get_lines(buf, 0, 1, false)[1] == ''
end

--- Reads the file into its buffer without a question, whatever the user's 'autoread' says. Where the text is the same
--- already, this only tells Neovim that it has seen the file.
---@param buf number
local function read_anew(buf)
  local handler = api.nvim_create_autocmd('FileChangedShell', {
    buffer = buf,
    callback = function()
      vim.v.fcs_choice = 'reload'
    end,
  })
  -- However long the file is: what the user has done can be undone.
  local limit = vim.o.undoreload
  vim.o.undoreload = -1
  if is_empty(buf) then
    -- The file may have come after its buffer, of which a check of the time asks without that event.
    api.nvim_buf_call(buf, function()
      vim.cmd('silent! edit')
    end)
  else
    -- Named by number: a name may hold what a command line reads as something else.
    vim.cmd(('silent! checktime %d'):format(buf))
  end
  vim.o.undoreload = limit
  pcall(api.nvim_del_autocmd, handler)
end

---@param buf number
local function settled(buf)
  vim.b[buf].copane_conflict = nil
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  require('copane.review.inline').refresh(buf)
end

--- Whether the user is typing in the buffer: nothing moves under the fingers.
---@param buf number
---@return boolean
local function is_typed_in(buf)
  return api.nvim_get_current_buf() == buf and api.nvim_get_mode().mode:match('^[iR]') ~= nil
end

local bring_up

---@param buf number
---@param file string
local function after_typing(buf, file)
  api.nvim_create_autocmd('InsertLeave', {
    once = true,
    callback = vim.schedule_wrap(function()
      bring_up(buf, file)
    end),
  })
end

--- A buffer without unsaved edits has the file's text.
---@param buf number
---@param file string
local function reload(buf, file)
  if not uv.fs_stat(file) then
    -- Neovim tells by itself that the file is gone when the buffer is looked at; its text stays.
    return
  end
  local wanted = vim.bo[buf].modifiable and lines_on_disk(buf, file)
  if wanted and not is_empty(buf) then
    set_changed(buf, merge.changes(lines_of(buf), wanted))
  end
  read_anew(buf)
  remember(buf)
  settled(buf)
end

--- Has Neovim take the file as read, so that a `:w` asks nothing; the buffer keeps its text. Reading sets all lines, and
--- leaves marks, folds and the signs of other plugins on their rows: the lines are put back where they were, row by row.
---@param buf number
local function take_as_read(buf)
  local lines, views = lines_of(buf), {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = api.nvim_win_call(win, vim.fn.winsaveview)
  end
  read_anew(buf)
  -- The reading and what follows are one step of undo.
  pcall(vim.cmd, 'undojoin')
  vim.fn.setbufline(buf, 1, lines)
  if api.nvim_buf_line_count(buf) > #lines then
    vim.fn.deletebufline(buf, #lines + 1, '$')
  end
  for win, view in pairs(views) do
    api.nvim_win_call(win, function()
      vim.fn.winrestview(view)
    end)
  end
end

--- A buffer with unsaved edits gets what was decided beside them, as one step of its undo. What collides with them stays
--- out, and a write asks.
---@param buf number
---@param file string
local function merge_in(buf, file)
  local base, theirs = bases[buf], lines_on_disk(buf, file)
  local merged = base and theirs and vim.bo[buf].modifiable and merge.merge(base, lines_of(buf), theirs)
  if merged and merged.is_whole then
    take_as_read(buf)
    pcall(vim.cmd, 'undojoin')
  end
  if merged then
    set_changed(buf, merged.changes)
    bases[buf] = merged.base
  end
  if merged and merged.is_whole then
    settled(buf)
  else
    show_conflict(buf, file)
  end
end

---@param buf number
---@param file string
bring_up = function(buf, file)
  if not api.nvim_buf_is_loaded(buf) then
    return
  elseif is_typed_in(buf) then
    after_typing(buf, file)
  elseif not vim.bo[buf].modified or vim.deep_equal(lines_on_disk(buf, file), lines_of(buf)) then
    reload(buf, file)
  else
    merge_in(buf, file)
  end
end

--- Whether a suggestion that waits is about the file.
---@param file string
---@return boolean
local function is_under_review(file)
  local state = require('copane.review.session').peek()
  for _, summary in ipairs(state and state.list or {}) do
    for _, name in ipairs(summary.files) do
      if files.real(summary.target .. '/' .. name) == file then
        return true
      end
    end
  end
  return false
end

--- Writes a buffer as it was asked for. Neovim reads no file while it writes: where a decision is on disk that nobody
--- has told of yet, the buffer is written with it, a moment later.
---@param buf number
---@param name string as it was asked for
local function write(buf, name)
  local file = files.of_buffer(buf)
  local is_own = file ~= nil and files.real(vim.fn.fnamemodify(name, ':p')) == file
  local theirs = is_own and lines_on_disk(buf, file)
  if theirs and bases[buf] and not vim.deep_equal(theirs, bases[buf]) and not vim.b[buf].copane_conflict then
    return vim.schedule(function()
      merge_in(buf, file)
      api.nvim_buf_call(buf, function()
        vim.cmd('write')
      end)
    end)
  end
  -- Not this function again.
  local ignored = vim.o.eventignore
  vim.opt.eventignore:append('BufWriteCmd')
  local command = ('write%s %s'):format(vim.v.cmdbang == 1 and '!' or '', is_own and '' or vim.fn.fnameescape(name))
  local is_done, failure = pcall(vim.cmd, command)
  vim.o.eventignore = ignored
  if not is_done then
    api.nvim_err_writeln((failure:gsub('^.-Vim%(write%):', '')))
  end
end

--- Looks after the writing of a buffer with unsaved edits.
---@param buf number
local function guard(buf)
  local file = files.of_buffer(buf)
  if file and bases[buf] and not guards[buf] and is_under_review(file) then
    guards[buf] = api.nvim_create_autocmd('BufWriteCmd', {
      buffer = buf,
      nested = true,
      callback = function(event)
        write(buf, event.file)
      end,
    })
  end
end

---@param buf number
local function dismiss(buf)
  if guards[buf] then
    api.nvim_del_autocmd(guards[buf])
    guards[buf] = nil
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

--- Remembers what buffers and files have in common, and looks after the writing of unsaved edits.
function M.watch()
  local group = api.nvim_create_augroup('copane_review_files', {})
  ---@param events string|string[]
  ---@param act fun(buf: number)
  local function on(events, act)
    api.nvim_create_autocmd(events, {
      group = group,
      callback = function(event)
        act(event.buf)
      end,
    })
  end
  on('BufReadPost', remember)
  on('BufModifiedSet', function(buf)
    local act = vim.bo[buf].modified and guard or dismiss
    act(buf)
  end)
  on('BufUnload', function(buf)
    dismiss(buf)
    bases[buf] = nil
  end)
  on('BufWritePre', function(buf)
    if vim.b[buf].copane_conflict then
      require('copane.message').warn('copane: your text goes over a decision in this file (:Copane diff)')
    end
  end)
  on('BufWritePost', function(buf)
    remember(buf)
    settled(buf)
  end)
  for _, buf in ipairs(api.nvim_list_bufs()) do
    local file = files.of_buffer(buf)
    if file and vim.bo[buf].modified then
      bases[buf] = lines_on_disk(buf, file)
    elseif file then
      remember(buf)
    end
  end
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

return M
