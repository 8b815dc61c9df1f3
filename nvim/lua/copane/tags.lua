--- The known data of a buffer: the texts pulled into it, and a mark on each pulled line. Marks carry the colour and
--- drift when lines are edited; `copane notes` decides by content whose line it is. Decides nothing here.
local M = {}

local api = vim.api
local namespace = api.nvim_create_namespace('copane_response')
local anchors = api.nvim_create_namespace('copane_response_pending')

--- How many lines of a pull are marked at once; the rest follows in slices, so that the editor never blocks.
local MARKS_AT_ONCE, MARKS_A_SLICE = 500, 1000
--- If the text was changed meanwhile, how far below a line is searched.
local LOOK_AHEAD = 20

---@class CopanePull
---@field id string the turn
---@field lines string[] as received
---@field older string[] lines of earlier versions, which an undo may restore
---@field is_cleared boolean removed from the buffer, until one of its marks is valid again

---@class CopaneBuffer
---@field pulls CopanePull[]
---@field tags table<number, { id: string, text: string }> by extmark
---@field is_busy string|nil the running operation
---@field pending CopanePending[] lines not marked yet

---@class CopanePending
---@field anchor number the mark at the next row
---@field id string the turn
---@field texts string[]
---@field at number index of the next text

---@type table<number, CopaneBuffer>
local buffers = {}

--- Beyond this number of turns, the oldest texts are forgotten.
local PULLS_MAX = 50

---@param buf number
---@return CopaneBuffer
function M.of(buf)
  local known = buffers[buf]
  if not known then
    -- Known before it is restored, since restoring asks for it again.
    known = { pulls = {}, tags = {}, is_busy = nil, pending = {} }
    buffers[buf] = known
    api.nvim_create_autocmd('BufWipeout', {
      buffer = buf,
      once = true,
      callback = function()
        buffers[buf] = nil
      end,
    })
    require('copane.memory').restore(buf)
  end
  return known
end

---@param buf number
---@return boolean
function M.is_known(buf)
  return buffers[buf] ~= nil
end

--- Marks the line as one of turn `id`.
---@param buf number
---@param line number
---@param id string
---@param text string
function M.mark(buf, line, id, text)
  local mark = api.nvim_buf_set_extmark(buf, namespace, line, 0, {
    end_row = line + 1,
    end_col = 0,
    hl_group = 'CopaneResponse',
    hl_eol = true,
    strict = false,
  })
  buffers[buf].tags[mark] = { id = id, text = text }
end

--- Marks up to `most` of the waiting lines. Skips lines that the user changed meanwhile.
---@param buf number
---@param pending CopanePending
---@param most number
---@return boolean is_done
local function mark_slice(buf, pending, most)
  local row = api.nvim_buf_get_extmark_by_id(buf, anchors, pending.anchor, {})[1]
  if not row then
    return true
  end
  local first = row
  local lines = api.nvim_buf_get_lines(buf, first, first + most + LOOK_AHEAD, false)
  local last = math.min(#pending.texts, pending.at + most - 1)
  while pending.at <= last do
    local text = pending.texts[pending.at]
    for ahead = 0, LOOK_AHEAD do
      if lines[row - first + ahead + 1] == text then
        M.mark(buf, row + ahead, pending.id, text)
        row = row + ahead + 1
        break
      end
    end
    pending.at = pending.at + 1
  end
  if pending.at > #pending.texts then
    api.nvim_buf_del_extmark(buf, anchors, pending.anchor)
    return true
  end
  api.nvim_buf_set_extmark(buf, anchors, math.min(row, api.nvim_buf_line_count(buf) - 1), 0, { id = pending.anchor })
  return false
end

--- Marks one slice of the waiting lines, and the next one a moment later.
---@param buf number
local function go_on(buf)
  local known = buffers[buf]
  local pending = known and known.pending[1]
  if not pending or not api.nvim_buf_is_loaded(buf) then
    return
  end
  if mark_slice(buf, pending, MARKS_A_SLICE) then
    table.remove(known.pending, 1)
  end
  vim.defer_fn(function()
    go_on(buf)
  end, 1)
end

--- Marks all waiting lines at once.
---@param buf number
local function finish_marks(buf)
  local known = M.of(buf)
  local waiting = known.pending
  known.pending = {}
  for _, pending in ipairs(waiting) do
    mark_slice(buf, pending, #pending.texts)
  end
end

--- Marks the rows from `row` as lines of turn `id`; many of them in the background.
---@param buf number
---@param row number
---@param id string
---@param texts string[]
function M.mark_rows(buf, row, id, texts)
  local known, now = M.of(buf), math.min(#texts, MARKS_AT_ONCE)
  for at = 1, now do
    M.mark(buf, row + at - 1, id, texts[at])
  end
  if now < #texts then
    local anchor = api.nvim_buf_set_extmark(buf, anchors, row + now, 0, {})
    table.insert(known.pending, { anchor = anchor, id = id, texts = texts, at = now + 1 })
    vim.defer_fn(function()
      go_on(buf)
    end, 1)
  end
end

--- Lines with a valid mark, and its turn. The mark of a deleted line is empty and does not count.
---@param buf number
---@param lines string[]
---@return table<number, string>
function M.marked(buf, lines)
  finish_marks(buf)
  local tags, found = M.of(buf).tags, {}
  for _, mark in ipairs(api.nvim_buf_get_extmarks(buf, namespace, 0, -1, {})) do
    local id, row = mark[1], mark[2]
    local tag = tags[id]
    if tag and (lines[row + 1] == tag.text and tag.text ~= '' or M._lives(buf, id, row)) then
      found[row] = tag.id
    end
  end
  return found
end

---@param buf number
---@param mark number
---@param row number
---@return boolean
function M._lives(buf, mark, row)
  local place = api.nvim_buf_get_extmark_by_id(buf, namespace, mark, { details = true })
  local details = place[3]
  return details ~= nil and details.end_row ~= nil and details.end_row > row
end

--- Stores the text of a turn; keeps lines of earlier texts that this one lacks.
---@param buf number
---@param id string
---@param lines string[]
function M.remember(buf, id, lines)
  local known, fresh = M.of(buf), { id = id, lines = lines, older = {}, is_cleared = false }
  local has = {}
  for _, line in ipairs(lines) do
    has[line] = true
  end
  for at, pull in ipairs(known.pulls) do
    if pull.id == id then
      for _, line in ipairs(vim.list_extend(vim.list_extend({}, pull.older), pull.lines)) do
        if not has[line] then
          has[line] = true
          table.insert(fresh.older, line)
        end
      end
      table.remove(known.pulls, at)
      break
    end
  end
  table.insert(known.pulls, fresh)
  if #known.pulls > PULLS_MAX then
    table.remove(known.pulls, 1)
  end
end

--- All pulls left the buffer.
---@param buf number
function M.cleared(buf)
  for _, pull in ipairs(M.of(buf).pulls) do
    pull.is_cleared = true
  end
end

---@class CopaneSnapshot
---@field lines { text: string, mark: string|nil }[]
---@field pulls { turnId: string, lines: string[] }[]
---@field marked table<number, string>
---@field tick number

--- The buffer in the form for `copane notes`.
---@param buf number
---@return CopaneSnapshot
function M.snapshot(buf)
  local known = M.of(buf)
  local texts = api.nvim_buf_get_lines(buf, 0, -1, false)
  local marked = M.marked(buf, texts)
  local is_back, lines, pulls = {}, {}, {}
  for row, text in ipairs(texts) do
    local id = marked[row - 1]
    lines[row] = { text = text, mark = id and 'response' or nil }
    if id then
      is_back[id] = true
    end
  end
  for _, pull in ipairs(known.pulls) do
    pull.is_cleared = pull.is_cleared and not is_back[pull.id]
    if not pull.is_cleared then
      table.insert(pulls, { turnId = pull.id, lines = pull.lines })
      if #pull.older > 0 then
        -- The form of a partial pull: pulling the turn again also replaces these lines.
        table.insert(pulls, { turnId = ('%s#1-%d'):format(pull.id, #pull.older), lines = pull.older })
      end
    end
  end
  return { lines = lines, pulls = pulls, marked = marked, tick = api.nvim_buf_get_changedtick(buf) }
end

--- Claims the buffer for `what`; false, with a message, while another operation is running.
---@param buf number
---@param what string
---@return boolean
function M.claim(buf, what)
  local known = M.of(buf)
  if known.is_busy then
    require('copane.message').warn(('copane: %s is still under way'):format(known.is_busy))
    return false
  end
  known.is_busy = what
  return true
end

---@param buf number
function M.release(buf)
  if buffers[buf] then
    buffers[buf].is_busy = nil
  end
end

return M
