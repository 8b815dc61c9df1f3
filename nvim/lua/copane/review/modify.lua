--- The buffer in which a reviewer edits a hunk's new text, or its diff. Only a `:w` that the user enters there decides,
--- and only on edited text. After a `:wa`, a plugin that saves, or a script, the text stays there unsaved, and nothing
--- is decided.
local M = {}

local api = vim.api
local core = require('copane.review.core')
local editable = require('copane.review.editable')
local message = require('copane.message')
local session = require('copane.review.session')

--- The commands that write only this buffer, with their abbreviations.
local WRITES = { { 'w', 'write' }, { 'up', 'update' }, { 'wq', 'wq' }, { 'x', 'xit' }, { 'exi', 'exit' } }
local MODIFIERS = { { 'sil', 'silent' }, { 'keepa', 'keepalt' }, { 'keepj', 'keepjumps' }, { 'loc', 'lockmarks' } }

---@param word string
---@param commands string[][] shortest and full form
---@return boolean
local function is_one_of(word, commands)
  for _, forms in ipairs(commands) do
    local shortest, full = forms[1], forms[2]
    if #word >= #shortest and full:sub(1, #word) == word then
      return true
    end
  end
  return false
end

--- Whether a command line entered by the user saves the current buffer and nothing else.
---@param line string
---@return boolean
function M.is_own_write(line)
  local rest = line:gsub('^[%s:]+', '')
  while true do
    local word, after = rest:match('^(%l+)!?%s+(.*)$')
    if not word or not is_one_of(word, MODIFIERS) then
      break
    end
    rest = after
  end
  local word, after = rest:match('^%%?(%l+)!?(.*)$')
  if not word or not is_one_of(word, WRITES) then
    return false
  end
  return after:match('^%s*$') ~= nil or after:match('^%s*|') ~= nil
end

---@class CopaneShadow
---@field suggestion string
---@field hunk string
---@field file string
---@field as 'text'|'diff'
---@field editable CopaneEditable
---@field before string[] the undecided lines
---@field style string|nil in which to show the review again
---@field is_conflict boolean it started as a merge
---@field is_entered boolean the user has just entered a `:w` here
---@field was_told boolean

---@type table<number, CopaneShadow>
local shadows = {}

---@param a string[]
---@param b string[]
---@return boolean
local function is_same(a, b)
  if #a ~= #b then
    return false
  end
  for at, line in ipairs(a) do
    if line ~= b[at] then
      return false
    end
  end
  return true
end

local show, go_to

--- The text could not be accepted: it stays, unsaved, in a buffer that is recreated if it was closed.
---@param buf number
---@param shadow CopaneShadow
---@param lines string[]
local function keep(buf, shadow, lines)
  shadow.before = shadow.previous
  local kept = api.nvim_buf_is_loaded(buf) and buf or show(shadow, lines)
  vim.bo[kept].modified = true
  if #vim.fn.win_findbuf(kept) == 0 then
    go_to(kept)
  end
end

---@param buf number
---@param shadow CopaneShadow
---@param lines string[]
local function decide(buf, shadow, lines)
  local state = session.state()
  if state.id ~= shadow.suggestion or state.ended then
    return message.warn('copane: Nothing was decided; the suggestion is not open any more')
  end
  local text = editable.text(lines, shadow.editable)
  shadow.previous, shadow.before = shadow.before, lines
  vim.bo[buf].modified = false
  local modified = { kind = shadow.as, base64 = require('copane.review.base64').encode(text) }
  local target = { hunk = shadow.hunk, modified = modified, is_on_hunk = true }
  require('copane.review.intents').intend('modify', target, function(failure)
    if failure then
      return keep(buf, shadow, lines)
    end
    message.info(('copane: %s has your text'):format(shadow.file), 'The file has your text')
    local is_left = api.nvim_buf_is_loaded(buf) and #vim.fn.win_findbuf(buf) == 0 and not vim.bo[buf].modified
    if is_left then
      api.nvim_buf_delete(buf, {})
    end
  end)
end

--- Whether a place is left that the merge could not decide.
---@param lines string[]
---@return boolean
local function has_markers(lines)
  for _, line in ipairs(lines) do
    if line:find('^<<<<<<<') or line:find('^>>>>>>>') then
      return true
    end
  end
  return false
end

---@param buf number
local function on_write(buf)
  local shadow = shadows[buf]
  local lines = api.nvim_buf_get_lines(buf, 0, -1, false)
  if not shadow.is_entered then
    if not shadow.was_told then
      shadow.was_told = true
      message.info('copane: Not decided; enter :w here to decide', 'Not decided; enter :w here')
    end
    return
  end
  shadow.is_entered = false
  if is_same(lines, shadow.before) then
    vim.bo[buf].modified = false
    return message.info('Nothing was changed; the hunk is as it was', 'Nothing was changed')
  end
  if shadow.is_conflict and has_markers(lines) then
    return message.warn('copane: Not decided; both sides still stand between markers')
  end
  decide(buf, shadow, lines)
end

--- The window of the text was closed: shows the review again if it was open before.
---@param buf number
local function back_to_review(buf)
  local shadow, review, state = shadows[buf], require('copane.review'), session.state()
  local style = shadow and shadow.style
  local is_there = style and not state.ended and state.id == shadow.suggestion
  if is_there and not review.is_open() and #vim.fn.win_findbuf(buf) == 0 then
    review.open({ style = style, id = shadow.suggestion })
  end
end

---@param buf number
local function watch(buf)
  local group = api.nvim_create_augroup('copane_modify_' .. buf, {})
  api.nvim_create_autocmd('CmdlineLeave', {
    group = group,
    pattern = ':',
    callback = function()
      local shadow = shadows[buf]
      local is_here = shadow and api.nvim_get_current_buf() == buf and not vim.v.event.abort
      if is_here and M.is_own_write(vim.fn.getcmdline()) then
        shadow.is_entered = true
        -- This applies to the running command only.
        vim.schedule(function()
          shadow.is_entered = false
        end)
      end
    end,
  })
  api.nvim_create_autocmd('BufWriteCmd', {
    group = group,
    buffer = buf,
    callback = function()
      on_write(buf)
    end,
  })
  api.nvim_create_autocmd('BufWinLeave', {
    group = group,
    buffer = buf,
    callback = function()
      vim.schedule(function()
        back_to_review(buf)
      end)
    end,
  })
  api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = buf,
    callback = function()
      shadows[buf] = nil
      vim.schedule(function()
        pcall(api.nvim_del_augroup_by_id, group)
      end)
    end,
  })
end

--- Colours as in the file; none if the user has no file types.
---@param buf number
---@param file string
local function set_filetype(buf, file)
  local match = vim.filetype and vim.filetype.match
  -- Before 0.8 it returns nothing, and takes other arguments.
  local is_good, filetype = pcall(match or error, { filename = file, buf = buf })
  if is_good and filetype then
    vim.bo[buf].filetype = filetype
  elseif vim.fn.exists('#filetypedetect#BufRead') == 1 then
    api.nvim_buf_call(buf, function()
      vim.cmd('doautocmd <nomodeline> filetypedetect BufRead ' .. vim.fn.fnameescape(vim.fn.fnamemodify(file, ':t')))
    end)
  end
end

--- Shows `lines` in a separate buffer, which stands for the hunk.
---@param shadow CopaneShadow
---@param lines string[]
---@return number
show = function(shadow, lines)
  vim.cmd('botright split')
  local buf = api.nvim_create_buf(true, false)
  shadows[buf] = shadow
  api.nvim_win_set_buf(0, buf)
  local kind = shadow.as == 'diff' and 'diff' or 'modify'
  api.nvim_buf_set_name(buf, ('copane://%s/%s/%s'):format(kind, shadow.hunk, require('copane.hidden').line(shadow.file)))
  local bo = vim.bo[buf]
  bo.buftype, bo.bufhidden, bo.swapfile = 'acwrite', 'hide', false
  local undolevels = bo.undolevels
  bo.undolevels = -1
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  bo.undolevels, bo.modified = undolevels, false
  set_filetype(buf, shadow.as == 'diff' and 'hunk.diff' or shadow.file)
  vim.keymap.set('n', 'ZZ', function()
    shadow.is_entered = true
    vim.cmd('xit')
    shadow.is_entered = false
  end, { buffer = buf, desc = 'copane: take this text in place of the hunk, and close' })
  watch(buf)
  -- The ruler may move from the command line into the new status line; a later redraw would erase part of a message.
  vim.cmd('redraw')
  return buf
end

--- The buffer in which a hunk is already being edited this way.
---@param hunk string
---@param as 'text'|'diff'
---@return number|nil
local function known_buffer(hunk, as)
  for buf, shadow in pairs(shadows) do
    if shadow.hunk == hunk and shadow.as == as and api.nvim_buf_is_loaded(buf) then
      return buf
    end
  end
  return nil
end

---@param buf number
go_to = function(buf)
  local win = vim.fn.win_findbuf(buf)[1]
  if win then
    return api.nvim_set_current_win(win)
  end
  vim.cmd('botright split')
  api.nvim_win_set_buf(0, buf)
end

---@param hunk table
---@param as 'text'|'diff'
local function edit(hunk, as)
  local state = session.state()
  local known = known_buffer(hunk.id, as)
  local has_edits = known and vim.bo[known].modified
  local text, problem = editable.of(hunk, as, core.details(state, hunk.id))
  if not text and not has_edits then
    return message.warn(problem)
  end
  -- A floating window over the text would hide it.
  local style = require('copane.review').style()
  if style ~= 'inline' then
    require('copane.review').close()
  end
  if has_edits then
    return go_to(known)
  elseif known then
    api.nvim_buf_delete(known, { force = true })
  end
  show({
    suggestion = state.id,
    hunk = hunk.id,
    file = hunk.file,
    as = as,
    editable = text,
    before = #text.lines == 0 and { '' } or text.lines,
    style = style ~= 'inline' and style or nil,
    is_conflict = hunk.status == 'conflict' and as == 'text',
    is_entered = false,
    was_told = false,
  }, text.lines)
  message.info(('copane: Edit; :w takes this %s in place of the hunk'):format(as), ('Edit; :w takes this %s'):format(as))
end

--- Opens the marked hunk for editing, or continues with existing unsaved edits.
---@param as 'text'|'diff'
function M.open(as)
  local state = session.state()
  local hunk, why = core.marked(state), core.why_not(state)
  if why then
    return message.info(why)
  elseif as == 'text' and editable.is_waiting(hunk, core.details(state, hunk.id)) then
    return session.explain(function()
      local marked = core.marked(session.state())
      if marked and marked.id == hunk.id and require('copane.review').is_open() then
        edit(marked, as)
      end
    end)
  end
  edit(hunk, as)
end

return M
