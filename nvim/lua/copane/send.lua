--- Sends the notes of a buffer. `copane notes` finds them; if it is uncertain, the preview asks. Sent lines leave the
--- buffer only after the text has left us, and only if they are unchanged.
local M = {}

local api = vim.api
local client = require('copane.client')
local message = require('copane.message')
local tags = require('copane.tags')
local counted = require('copane.text').counted

local sent_marks = api.nvim_create_namespace('copane_sent')
local ATTEMPTS_MAX = 5

---@class CopaneOutgoing
---@field buf number
---@field snapshot CopaneSnapshot
---@field request table the request to `copane notes`
---@field answer table its answer

--- Records the positions of the outgoing lines.
---@param going CopaneOutgoing
---@return table<number, string> texts by mark
local function remember_lines(going)
  local texts = {}
  for _, line in ipairs(going.answer.going) do
    local mark = api.nvim_buf_set_extmark(going.buf, sent_marks, line, 0, {})
    texts[mark] = going.snapshot.lines[line + 1].text
  end
  return texts
end

--- Removes the sent lines in one undo step.
---@param buf number
---@param texts table<number, string>
local function remove_sent(buf, texts)
  local marks = api.nvim_buf_get_extmarks(buf, sent_marks, 0, -1, {})
  api.nvim_buf_call(buf, function()
    vim.cmd('let &l:undolevels = &l:undolevels')
    local below = math.huge
    for at = #marks, 1, -1 do
      local mark, row = marks[at][1], marks[at][2]
      local text = api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
      -- Two marks on one line: the line of one of them was deleted meanwhile.
      if texts[mark] and row < below and text == texts[mark] then
        api.nvim_buf_set_lines(buf, row, row + 1, false, {})
        below = row
      end
    end
  end)
end

--- Whether sent notes leave this buffer.
---@param buf number
---@return boolean
local function removes(buf)
  local wish = require('copane.config').get().after_send
  if wish == 'auto' then
    return api.nvim_buf_get_name(buf) == '' or vim.bo[buf].buftype ~= ''
  end
  return wish == 'remove'
end

---@param going CopaneOutgoing
---@param texts table<number, string>
local function after_send(going, texts)
  local buf = going.buf
  if not api.nvim_buf_is_valid(buf) then
    return
  end
  if removes(buf) and vim.bo[buf].modifiable then
    remove_sent(buf, texts)
    if going.answer.clearOnSend then
      require('copane.pull').clear(buf)
    end
  end
  api.nvim_buf_clear_namespace(buf, sent_marks, 0, -1)
end

--- Sends the text composed by `copane notes`.
---@param going CopaneOutgoing
function M._deliver(going)
  local texts = remember_lines(going)
  message.progress('Sending…')
  client.send(going.answer.text, function(has_left, words)
    tags.release(going.buf)
    if not has_left then
      if api.nvim_buf_is_valid(going.buf) then
        api.nvim_buf_clear_namespace(going.buf, sent_marks, 0, -1)
      end
      return message.warn(words)
    end
    after_send(going, texts)
    if words == 'delivered' or words == 'queued' then
      local notes = counted(going.answer.noteCount, 'note')
      local size = ('%s, %s'):format(notes, counted(going.answer.byteCount, 'byte'))
      message.info(('Sent %s: %s'):format(size, words), ('Sent %s: %s'):format(notes, words))
    else
      message.warn(words)
    end
  end)
end

---@param going CopaneOutgoing
local function preview(going)
  require('copane.preview').open({
    answer = going.answer,
    --- Requests the outgoing text again with these lines chosen, in this context.
    ask = function(chosen, context, on_end)
      local request = vim.tbl_extend('force', going.request, { chosen = chosen, context = context })
      client.notes(request, on_end)
    end,
    send = function(answer)
      if not api.nvim_buf_is_valid(going.buf) or api.nvim_buf_get_changedtick(going.buf) ~= going.snapshot.tick then
        tags.release(going.buf)
        return message.warn('copane: The buffer has changed since; nothing was sent')
      end
      going.answer = answer
      M._deliver(going)
    end,
    cancel = function()
      tags.release(going.buf)
      message.info('Nothing was sent')
    end,
  })
end

--- Reads the buffer and continues if the answer still matches it.
---@param options table
---@param buf number
---@param attempt number
local function prepare(options, buf, attempt)
  local snapshot = tags.snapshot(buf)
  local context = options.context or require('copane.config').get().context
  local request = { lines = snapshot.lines, pulls = snapshot.pulls, range = options.range, context = context }
  client.notes(request, function(answer, failure)
    if not api.nvim_buf_is_valid(buf) then
      return
    end
    if api.nvim_buf_get_changedtick(buf) ~= snapshot.tick then
      if attempt < ATTEMPTS_MAX then
        return prepare(options, buf, attempt + 1)
      end
      answer, failure = nil, 'copane: The buffer keeps changing; nothing was sent'
    end
    local asks = answer and #answer.undecided > 0
    if not asks and (not answer or not answer.text) then
      tags.release(buf)
      return message.warn(failure)
    end
    local going = { buf = buf, snapshot = snapshot, request = request, answer = answer }
    if asks or options.preview or require('copane.config').get().preview == 'always' then
      preview(going)
    else
      M._deliver(going)
    end
  end)
end

--- Sends the notes of the current buffer.
---@param options { range: { first: number, last: number }|nil, context: string|nil, preview: boolean|nil }
function M.send(options)
  local buf = api.nvim_get_current_buf()
  if tags.claim(buf, 'a send') then
    prepare(options, buf, 1)
  end
end

return M
