--- Buffers of files that a decision has changed: sets only the changed lines, so that cursor, marks and folds stay on
--- their text. A buffer with unsaved edits keeps them and gets the changes beside them; if both collide, it keeps the
--- edits and says so. Overwrites nothing, on disk or in the buffer.
local M = {}

local api = vim.api
local collision = require('copane.review.collision')
local files = require('copane.file')
local merge = require('copane.review.merge')
local uv = vim.uv or vim.loop

--- How often to check whether the user has finished typing.
local WAIT_MS = 50

--- The last common text of a buffer and its file, by buffer; false if the buffer was renamed to another file.
---@type table<number, string[]|false>
local bases = {}

--- When Neovim last read or wrote a buffer's file, by the file's own time: writing over a newer one would ask.
---@type table<number, string|nil>
local stamps = {}

--- Buffers that wait until the user stops typing.
---@type table<number, boolean>
local waiting = {}

--- Buffers with unsaved edits in files under review, and the autocommands that handle their writes.
---@type table<number, number>
local guards = {}

--- Loaded buffers with their files.
---@return table<number, string>
local function buffers()
  local found = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    found[buf] = files.of_buffer(buf)
  end
  return found
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

--- Records that the buffer's text now equals the file.
---@param buf number
local function remember(buf)
  local lines = files.of_buffer(buf) and lines_of(buf)
  local is_small = lines and api.nvim_buf_get_offset(buf, #lines) <= files.LINES_MAX_BYTES
  bases[buf] = is_small and lines or nil
  stamps[buf] = is_small and files.stamp(api.nvim_buf_get_name(buf)) or nil
end

---@param buf number
---@return boolean
local function is_empty(buf)
  return vim.deep_equal(lines_of(buf), { '' })
end

--- Reads the file into its buffer without asking, whatever the user's 'autoread' says. If the text is already the same,
--- this only tells Neovim that it has seen the file.
---@param buf number
---@return boolean is_read false: Neovim had already seen the file
local function read_anew(buf)
  local tick = api.nvim_buf_get_changedtick(buf)
  local handler = api.nvim_create_autocmd('FileChangedShell', {
    buffer = buf,
    callback = function()
      vim.v.fcs_choice = 'reload'
    end,
  })
  -- However long the file is, the user's edits can be undone.
  local limit = vim.o.undoreload
  vim.o.undoreload = -1
  if is_empty(buf) then
    -- The file may be newer than its buffer, in which case a time check asks without that event.
    api.nvim_buf_call(buf, function()
      vim.cmd('silent! edit')
    end)
  else
    -- By number: the command line could misread a name.
    vim.cmd(('silent! checktime %d'):format(buf))
  end
  vim.o.undoreload = limit
  pcall(api.nvim_del_autocmd, handler)
  return api.nvim_buf_get_changedtick(buf) ~= tick
end

---@param buf number
local function settled(buf)
  collision.clear(buf)
  require('copane.review.inline').refresh(buf)
end

--- Joins the next change of the buffer to the last undo step.
---@param buf number
local function join_undo(buf)
  api.nvim_buf_call(buf, function()
    pcall(vim.cmd, 'undojoin')
  end)
end

--- Makes Neovim treat the file as read, so that `:w` asks nothing; the buffer keeps its text. Reading sets all lines,
--- but leaves marks, folds and the signs of other plugins on their rows, so the lines are restored row by row.
---@param buf number
local function take_as_read(buf)
  local lines, views = lines_of(buf), {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = api.nvim_win_call(win, vim.fn.winsaveview)
  end
  stamps[buf] = files.stamp(api.nvim_buf_get_name(buf))
  if not read_anew(buf) then
    return
  end
  join_undo(buf)
  vim.fn.setbufline(buf, 1, lines)
  if api.nvim_buf_line_count(buf) > #lines then
    vim.fn.deletebufline(buf, #lines + 1, '$')
  end
  join_undo(buf)
  for win, view in pairs(views) do
    api.nvim_win_call(win, function()
      vim.fn.winrestview(view)
    end)
  end
end

--- Runs `act` without Neovim's reactions to a change: in a buffer opened read-only it warns and waits a second, and it
--- applies modelines again.
---@param buf number
---@param act fun()
local function quietly(buf, act)
  local bo, ignored = vim.bo[buf], vim.o.eventignore
  local readonly, modeline = bo.readonly, bo.modeline
  local function set(is_readonly, has_modeline)
    vim.opt.eventignore:append('OptionSet')
    bo.readonly, bo.modeline = is_readonly, has_modeline
    vim.o.eventignore = ignored
  end
  set(false, false)
  local is_done, failure = pcall(act)
  set(readonly, modeline)
  if not is_done then
    error(failure, 0)
  end
end

--- Merges decided changes into a buffer with unsaved edits, as one undo step. Changes that collide stay out, and a
--- write asks.
---@param buf number
---@param base string[]
---@param theirs string[]
local function merge_in(buf, base, theirs)
  local merged = merge.merge(base, lines_of(buf), theirs)
  quietly(buf, function()
    if not merged.collision then
      take_as_read(buf)
    end
    set_changed(buf, merged.changes)
  end)
  bases[buf] = merged.base
  if merged.collision then
    return collision.show(buf, merged.collision)
  end
  vim.bo[buf].modified = not vim.deep_equal(lines_of(buf), theirs)
  settled(buf)
end

---@param buf number
---@param file string
local function bring_up(buf, file)
  local is_modified, base = vim.bo[buf].modified, bases[buf]
  local theirs = base ~= false and vim.bo[buf].modifiable and files.lines_on_disk(buf, file)
  local own = is_modified and base or not is_modified and not is_empty(buf) and lines_of(buf)
  if theirs and own then
    merge_in(buf, own, theirs)
  elseif is_modified or base == false then
    collision.show(buf)
  elseif uv.fs_stat(file) then
    read_anew(buf)
    remember(buf)
    settled(buf)
  end
  -- When the buffer is looked at, Neovim itself reports that the file is gone; the text stays.
end

--- Whether the user is in the middle of an action that a change of the buffer would disturb: a prompt, a command line,
--- or typing, a selection or a pending operator in the buffer.
---@param buf number
---@return boolean
local function is_busy(buf)
  local mode = api.nvim_get_mode()
  return mode.blocking
    or mode.mode:match('^[cr]') ~= nil
    or (api.nvim_get_current_buf() == buf and mode.mode:match('^[iRvVsS\22\19]') ~= nil)
    or mode.mode:match('^no') ~= nil
end

--- Updates a buffer from its file as soon as the user is not typing.
---@param buf number
local function bring_up_soon(buf)
  local function try()
    local file = api.nvim_buf_is_valid(buf) and files.of_buffer(buf)
    if file and is_busy(buf) then
      return vim.defer_fn(try, WAIT_MS)
    end
    waiting[buf] = nil
    if file then
      bring_up(buf, file)
    end
  end
  if not waiting[buf] then
    waiting[buf] = true
    try()
  end
end

--- Writes a buffer as requested. Neovim cannot read a file while it writes: if the disk has a decision that was not
--- reported yet, the buffer is written with it, a moment later. The same applies to a file that was only rewritten, as
--- by a decision and its undo: Neovim would ask whether to overwrite it, and take typed keys for the answer.
---@param buf number
---@param name string as requested
local function write(buf, name)
  local file = files.of_buffer(buf)
  local is_own = file ~= nil and files.real(vim.fn.fnamemodify(name, ':p')) == file
  local theirs = is_own and files.lines_on_disk(buf, file)
  local bang, target = vim.v.cmdbang == 1 and '!' or '', is_own and '' or vim.fn.fnameescape(name)
  local command = ('write%s %s %s'):format(bang, vim.v.cmdarg, target)
  -- For a buffer that was edited before it was watched, only Neovim knows whether its file has changed since.
  local is_same_file = not stamps[buf] or files.stamp(file) == stamps[buf]
  local is_seen = not theirs or is_same_file and vim.deep_equal(theirs, bases[buf])
  if bases[buf] and not is_seen and not vim.b[buf].copane_conflict then
    return vim.schedule(function()
      merge_in(buf, bases[buf], theirs)
      api.nvim_buf_call(buf, function()
        vim.cmd(command)
      end)
    end)
  end
  -- Do not call this function again.
  local ignored = vim.o.eventignore
  vim.opt.eventignore:append('BufWriteCmd')
  local is_done, failure = pcall(vim.cmd, command)
  vim.o.eventignore = ignored
  -- A formatter may have rewritten the file, which Neovim treats as its own write after a write command.
  vim.schedule(function()
    if is_own and api.nvim_buf_is_valid(buf) and not vim.deep_equal(files.lines_on_disk(buf, file), bases[buf]) then
      bring_up_soon(buf)
    end
  end)
  if not is_done then
    api.nvim_err_writeln((failure:gsub('^.-Vim%(write%):', '')))
  end
end

--- Handles the writes of a buffer with unsaved edits.
---@param buf number
local function guard(buf)
  local file = files.of_buffer(buf)
  if file and bases[buf] and not guards[buf] and require('copane.review.notify').is_about(file) then
    guards[buf] = api.nvim_create_autocmd('BufWriteCmd', {
      buffer = buf,
      nested = true,
      callback = function(event)
        write(buf, event.file)
      end,
    })
  end
end

--- Guards unsaved edits in files of a new suggestion.
function M.guard_all()
  for buf in pairs(buffers()) do
    if vim.bo[buf].modified then
      guard(buf)
    end
  end
end

---@param buf number
local function dismiss(buf)
  if guards[buf] then
    api.nvim_del_autocmd(guards[buf])
    guards[buf] = nil
  end
end

--- Whether a file was last written before the unsaved edits of its buffer began: they were made on its text. When those
--- of a recovered text began is unknown.
---@param buf number
---@param file string
---@return boolean
local function is_older(buf, file)
  local stat, since = uv.fs_stat(file), nil
  for _, entry in ipairs(api.nvim_buf_call(buf, vim.fn.undotree).entries) do
    since = not entry.save and (since or entry.time) or nil
  end
  return stat ~= nil and since ~= nil and stat.mtime.sec < since
end

--- Tracks the common text of buffers and files, and handles the writes of unsaved edits.
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
  on('BufReadPost', function(buf)
    -- The base of a recovered text is unknown.
    bases[buf] = nil
  end)
  on({ 'BufReadPost', 'BufWritePost' }, function(buf)
    -- After a write to another file, the edits are still unsaved.
    if not vim.bo[buf].modified then
      remember(buf)
      settled(buf)
    end
  end)
  on('BufFilePost', function(buf)
    bases[buf] = false
  end)
  on('BufModifiedSet', function(buf)
    (vim.bo[buf].modified and guard or dismiss)(buf)
  end)
  on('BufUnload', function(buf)
    dismiss(buf)
    bases[buf], stamps[buf] = nil, nil
  end)
  on('BufWritePre', function(buf)
    if vim.b[buf].copane_conflict then
      require('copane.message').warn('copane: Your text overwrites a decision in this file (:Copane diff)')
    end
  end)
  for buf, file in pairs(buffers()) do
    if vim.bo[buf].modified then
      bases[buf] = is_older(buf, file) and files.lines_on_disk(buf, file) or nil
    else
      remember(buf)
    end
  end
end

--- Files below `root` were written or deleted: updates their buffers.
---@param root string
---@param names string[]
function M.written(root, names)
  local is_written = {}
  for _, name in ipairs(names) do
    is_written[files.real(root .. '/' .. name)] = true
  end
  for buf, file in pairs(buffers()) do
    -- A renamed file is reported only by its new name.
    local is_gone = vim.startswith(file, files.real(root) .. '/') and not uv.fs_stat(file)
    if is_written[file] or is_gone then
      bring_up_soon(buf)
    end
  end
end

--- After a gap in the events: updates every buffer whose file differs from the one read.
function M.check_all()
  for buf in pairs(buffers()) do
    bring_up_soon(buf)
  end
end

return M
