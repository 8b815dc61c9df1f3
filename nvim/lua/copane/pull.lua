--- Pulls a response into a buffer, and clears pulled lines. Fetches the response first. Changes the buffer only if
--- there is one, in one undo step, and removes only lines that `copane notes` identifies as the AI's.
local M = {}

local api = vim.api
local client = require('copane.client')
local message = require('copane.message')
local tags = require('copane.tags')
local counted = require('copane.text').counted

local places = api.nvim_create_namespace('copane_place')
local NOTHING = 'Failed to pull response or no response found'
--- The user may type during a request; the edits are then requested again, at most so often.
local ATTEMPTS_MAX = 5

---@param text string
---@return string[]
local function lines_of(text)
  local last = #text
  while last > 0 and text:find('^%s', last) do
    last = last - 1
  end
  local lines, count = {}, 0
  -- Three times as fast as `vim.split`, which matters for an answer with many lines.
  for line in (text:sub(1, last):gsub('\r\n', '\n') .. '\n'):gmatch('([^\n]*)\n') do
    count = count + 1
    lines[count] = line
  end
  if text:find('%z') then
    for at, line in ipairs(lines) do
      -- A buffer line cannot contain a NUL; Neovim represents it as a line feed.
      lines[at] = line:gsub('%z', '\n')
    end
  end
  return lines
end

--- Ends an open undo step, so that the next change is a separate one.
local function begin_undo_step()
  vim.cmd('let &l:undolevels = &l:undolevels')
end

--- Applies `edits` to the buffer, from the bottom up, and marks the inserted lines.
---@param buf number
---@param edits table[]
---@param pull { id: string, lines: string[] }|nil
local function apply(buf, edits, pull)
  api.nvim_buf_call(buf, function()
    begin_undo_step()
    for at = #edits, 1, -1 do
      local edit = edits[at]
      local fresh = vim.list_slice(edit.quotes, 1)
      if pull then
        vim.list_extend(fresh, pull.lines, edit.from + 1, edit.to)
      end
      api.nvim_buf_set_lines(buf, edit.at, edit.at + edit.remove, false, fresh)
    end
  end)
  local shift = 0
  for _, edit in ipairs(edits) do
    shift = shift + #edit.quotes
    if pull and edit.to > edit.from then
      tags.mark_rows(buf, edit.at + shift, pull.id, vim.list_slice(pull.lines, edit.from + 1, edit.to))
    end
    shift = shift + (edit.to - edit.from) - edit.remove
  end
end

--- Marks the remaining response lines that lost their mark through an undo, a formatter or a move.
---@param buf number
---@param answer table
---@param marked table<number, string> before the edits
local function mark_kept(buf, answer, marked)
  local shift, next_edit = 0, 1
  for _, kept in ipairs(answer.kept) do
    local edit = answer.edits[next_edit]
    while edit and edit.at <= kept.line do
      shift = shift + #edit.quotes + (edit.to - edit.from) - edit.remove
      next_edit = next_edit + 1
      edit = answer.edits[next_edit]
    end
    if not marked[kept.line] then
      local row = kept.line + shift
      tags.mark(buf, row, kept.turnId:gsub('#%d+%-%d+$', ''), api.nvim_buf_get_lines(buf, row, row + 1, false)[1])
    end
  end
end

--- Requests the edits and applies them; if the buffer has changed meanwhile, requests them again.
---@param buf number
---@param what 'pull'|'clear'
---@param make fun(snapshot: CopaneSnapshot): table
---@param on_end fun(answer: table|nil, snapshot: CopaneSnapshot, failure: string|nil)
---@param attempt number|nil
local function edits_for(buf, what, make, on_end, attempt)
  local snapshot = tags.snapshot(buf)
  client.edits(what, make(snapshot), function(answer, failure)
    if not api.nvim_buf_is_valid(buf) then
      return on_end(nil, snapshot, 'copane: The buffer is gone')
    end
    local is_current = api.nvim_buf_get_changedtick(buf) == snapshot.tick
    if answer and not is_current and (attempt or 1) < ATTEMPTS_MAX then
      return edits_for(buf, what, make, on_end, (attempt or 1) + 1)
    end
    on_end(is_current and answer or nil, snapshot, failure or 'copane: The buffer keeps changing')
  end)
end

--- Always one message: a second one would ask for Enter.
---@param turn table
---@param count number
local function pulled(turn, count)
  local words = 'Pulled ' .. counted(count, 'response line')
  if turn.progress == 'streaming' then
    words = words .. '; it is still being written'
  end
  if turn.warning then
    message.warn(words .. '; ' .. turn.warning)
  else
    message.info(words)
  end
end

---@param buf number
---@param line number below which it is inserted
---@param turn table
---@param on_end fun()
local function insert_tagged(buf, line, turn, on_end)
  local pull = { id = turn.id, lines = lines_of(turn.response) }
  local function finish(edits)
    apply(buf, edits, pull)
    if turn.newest then
      tags.cleared(buf)
    end
    tags.remember(buf, pull.id, pull.lines)
  end
  if #tags.of(buf).pulls == 0 then
    finish({ { at = line + 1, remove = 0, quotes = {}, from = 0, to = #pull.lines } })
    pulled(turn, #pull.lines)
    return on_end()
  end
  local place = api.nvim_buf_set_extmark(buf, places, line, 0, {})
  edits_for(buf, 'pull', function(snapshot)
    return {
      lines = snapshot.lines,
      pulls = snapshot.pulls,
      below = api.nvim_buf_get_extmark_by_id(buf, places, place, {})[1],
      pull = { turnId = pull.id, lines = pull.lines },
      newest = turn.newest,
    }
  end, function(answer, snapshot, failure)
    if api.nvim_buf_is_valid(buf) then
      api.nvim_buf_del_extmark(buf, places, place)
    end
    if answer then
      finish(answer.edits)
      mark_kept(buf, answer, snapshot.marked)
      pulled(turn, #pull.lines)
    else
      message.warn(NOTHING .. '\n' .. failure)
    end
    on_end()
  end)
end

---@param buf number
---@param line number
---@param turn table
local function insert_plain(buf, line, turn)
  local lines = lines_of(turn.response)
  api.nvim_buf_call(buf, function()
    begin_undo_step()
    api.nvim_buf_set_lines(buf, line + 1, line + 1, false, lines)
  end)
  message.info(('Pulled %s as plain text'):format(counted(#lines, 'line')))
end

--- The buffer of the split, made visible. A split that was closed comes back with its notes.
---@return number|nil buf, string|nil why there is none
local function split_buffer()
  local known
  for _, buf in ipairs(api.nvim_list_bufs()) do
    known = known or (api.nvim_buf_is_loaded(buf) and vim.b[buf].copane_split and buf or nil)
  end
  if known and #vim.fn.win_findbuf(known) > 0 then
    return known
  end
  local from, command = api.nvim_get_current_win(), require('copane.config').get().split
  local is_split, failure = pcall(vim.cmd, command)
  if not is_split then
    return nil, ('copane: Cannot split with "%s": %s'):format(command, failure)
  end
  local buf = api.nvim_get_current_buf()
  if known then
    api.nvim_win_set_buf(0, known)
    if api.nvim_buf_is_valid(buf) and api.nvim_buf_get_name(buf) == '' and not vim.bo[buf].modified then
      api.nvim_buf_delete(buf, {})
    end
  else
    vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'nofile', 'hide', false
    vim.bo[buf].filetype = 'markdown'
    vim.b[buf].copane_split = true
  end
  if api.nvim_win_is_valid(from) then
    api.nvim_set_current_win(from)
  end
  return known or buf
end

---@param turn table
---@param on_end fun()
local function insert_split(turn, on_end)
  local buf, failure = split_buffer()
  if not buf then
    message.warn(failure)
    return on_end()
  end
  local last = api.nvim_buf_line_count(buf) - 1
  insert_tagged(buf, last, turn, function()
    -- A new split begins with the empty line that Neovim gives every buffer.
    if last == 0 and api.nvim_buf_is_valid(buf) and api.nvim_buf_get_lines(buf, 0, 1, false)[1] == '' then
      api.nvim_buf_set_lines(buf, 0, 1, false, {})
    end
    on_end()
  end)
end

---@param buf number
---@return boolean
local function may_change(buf)
  if vim.bo[buf].modifiable then
    return true
  end
  message.warn('copane: This buffer cannot be changed')
  return false
end

--- Pulls the n-th newest response: `here` below the cursor, into a `split`, or as `plain` text.
---@param where 'here'|'split'|'plain'
---@param options { number: number|nil, source: string|nil }
function M.pull(where, options)
  local buf = api.nvim_get_current_buf()
  local number = options.number or math.max(1, vim.v.count)
  if (where ~= 'split' and not may_change(buf)) or not tags.claim(buf, 'a pull') then
    return
  end
  local place = api.nvim_buf_set_extmark(buf, places, api.nvim_win_get_cursor(0)[1] - 1, 0, {})
  message.progress('Pulling…')
  local source = options.source or require('copane.config').get().source
  client.pull({ number = number, source = source }, function(turn, failure)
    local function finish()
      tags.release(buf)
    end
    if not api.nvim_buf_is_valid(buf) then
      return finish()
    end
    local line = api.nvim_buf_get_extmark_by_id(buf, places, place, {})[1]
    api.nvim_buf_del_extmark(buf, places, place)
    if not turn then
      message.warn(NOTHING .. (failure and '\n' .. failure or ''))
      return finish()
    end
    turn.newest = number == 1
    if where == 'split' then
      return insert_split(turn, finish)
    elseif not may_change(buf) then
      return finish()
    elseif where == 'plain' then
      insert_plain(buf, line, turn)
      return finish()
    end
    insert_tagged(buf, line, turn, finish)
  end)
end

--- Removes the pulled lines; `on_end` lets a caller continue.
---@param buf number|nil
---@param on_end fun()|nil
function M.clear(buf, on_end)
  buf = buf or api.nvim_get_current_buf()
  if not may_change(buf) or not tags.claim(buf, 'clearing') then
    return
  end
  edits_for(buf, 'clear', function(snapshot)
    return { lines = snapshot.lines, pulls = snapshot.pulls }
  end, function(answer, _, failure)
    tags.release(buf)
    if not answer then
      return message.warn(failure)
    end
    local count = 0
    for _, edit in ipairs(answer.edits) do
      count = count + edit.remove
    end
    if count == 0 then
      message.info('No pulled lines to clear')
    else
      apply(buf, answer.edits, nil)
      tags.cleared(buf)
      message.info('Cleared ' .. counted(count, 'response line'))
    end
    if on_end then
      on_end()
    end
  end)
end

return M
