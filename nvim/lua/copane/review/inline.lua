--- Hunks in the files themselves: a sign, what would go in its colour, what would come as virtual lines. The buffer's
--- text is never touched. Marks travel with the user's edits; they are set anew only when the review changes.
local M = {}

local api = vim.api
local uv = vim.uv or vim.loop
local core = require('copane.review.core')
local paint = require('copane.review.paint')
local session = require('copane.review.session')
local spot = require('copane.review.spot')

local marks = api.nvim_create_namespace('copane_inline')
local anchors = api.nvim_create_namespace('copane_inline_anchor')

--- Lines of one hunk that are shown below a row.
local SHOWN_MAX = 200

---@class CopaneInline
---@field group number
---@field unsubscribe fun()
---@field hunks table<number, table<number, string>> hunk ids by anchor, by buffer
---@field is_jump_due boolean the marked hunk is to be gone to when it is read
---@field is_due boolean|nil it is about to be drawn
local view = nil

---@param file string
---@return string
local function path_of(file)
  local path = session.state().suggestion.target .. '/' .. file
  return uv.fs_realpath(path) or path
end

--- Hunks by the path of their file.
---@return table<string, table[]>
local function hunks_by_path()
  local found, paths = {}, {}
  for _, hunk in ipairs(core.hunks(session.state())) do
    local path = paths[hunk.file] or path_of(hunk.file)
    paths[hunk.file] = path
    found[path] = found[path] or {}
    table.insert(found[path], hunk)
  end
  return found
end

---@param buf number
---@return string|nil
local function path_of_buffer(buf)
  local name = api.nvim_buf_get_name(buf)
  if name == '' or vim.bo[buf].buftype ~= '' or not api.nvim_buf_is_loaded(buf) then
    return nil
  end
  return uv.fs_realpath(name) or name
end

---@param texts string[]
---@param group string
---@return table[]
local function virtual(texts, group)
  local shown = {}
  for at, text in ipairs(texts) do
    if at > SHOWN_MAX then
      table.insert(shown, { { ('… %d more lines'):format(#texts - SHOWN_MAX), 'CopaneDim' } })
      break
    end
    -- A virtual line shows no tab as such.
    table.insert(shown, { { (text:gsub('\t', (' '):rep(8))), group } })
  end
  return shown
end

---@param buf number
---@param ranges { row: number, count: number }[]
---@param group string
local function colour(buf, ranges, group)
  for _, range in ipairs(ranges) do
    api.nvim_buf_set_extmark(buf, marks, range.row, 0, {
      end_row = range.row + range.count,
      end_col = 0,
      hl_group = group,
      hl_eol = true,
      strict = false,
    })
  end
end

--- Virtual lines above the first row are out of sight until a window is told to leave room for them.
---@param buf number
local function reveal_top(buf)
  local count = 0
  for _, mark in ipairs(api.nvim_buf_get_extmarks(buf, marks, 0, { 0, -1 }, { details = true })) do
    count = count + (mark[4].virt_lines_above and #mark[4].virt_lines or 0)
  end
  for _, win in ipairs(count > 0 and vim.fn.win_findbuf(buf) or {}) do
    api.nvim_win_call(win, function()
      if vim.fn.line('w0') == 1 then
        vim.fn.winrestview({ topline = 1, topfill = math.min(count, math.floor(api.nvim_win_get_height(win) / 2)) })
      end
    end)
  end
end

---@param buf number
---@param place CopaneSpot
local function draw_lines(buf, place)
  colour(buf, place.gone, 'CopaneTaken')
  colour(buf, place.stands, 'CopaneAdded')
  for _, come in ipairs(place.come) do
    api.nvim_buf_set_extmark(buf, marks, math.max(0, come.row), 0, {
      virt_lines = virtual(come.texts, 'CopaneAdded'),
      virt_lines_above = come.row < 0,
    })
  end
  for _, taken in ipairs(place.taken) do
    local is_above = taken.row == 0
    api.nvim_buf_set_extmark(buf, marks, is_above and 0 or math.min(taken.row, api.nvim_buf_line_count(buf)) - 1, 0, {
      virt_lines = virtual(taken.texts, 'CopaneTaken'),
      virt_lines_above = is_above,
    })
  end
end

--- What stands behind the first changed line.
---@param hunk table
---@param status string
---@param place CopaneSpot
---@return string
local function label(hunk, status, place)
  local words = ('%s %s'):format(paint.MARKS[status], paint.WORDS[status])
  if hunk.note then
    words = words .. ' · ' .. hunk.note:gsub('%s+', ' ')
  end
  if not place.fits and core.is_open(status) then
    words = words .. ' · ' .. (hunk.reason or ('%s, not shown in this text'):format(paint.size_of(hunk)))
  end
  return words
end

---@param buf number
---@param hunks table[] of this file
local function draw(buf, hunks)
  local state = session.state()
  local in_place = state.suggestion.inPlace
  local lines, shift = api.nvim_buf_get_lines(buf, 0, -1, false), 0
  view.hunks[buf] = {}
  for _, hunk in ipairs(hunks) do
    local status = core.status_of(state, hunk)
    local place = spot.of(lines, hunk, status, { in_place = in_place, shift = shift })
    shift = shift + spot.shift_of(hunk, status, in_place)
    if core.is_open(status) and place.fits then
      draw_lines(buf, place)
    end
    api.nvim_buf_set_extmark(buf, marks, place.first, 0, {
      sign_text = paint.MARKS[status],
      sign_hl_group = paint.group_of(status),
      virt_text = { { label(hunk, status, place), paint.group_of(status) } },
      virt_text_pos = 'eol',
    })
    -- What only comes stands between two rows: the cursor on either is on it.
    local from = #place.gone + #place.stands == 0 and math.max(0, place.first - 1) or place.first
    local anchor = api.nvim_buf_set_extmark(buf, anchors, from, 0, {
      end_row = math.min(place.last, #lines - 1),
      end_col = 0,
      strict = false,
    })
    view.hunks[buf][anchor] = hunk.id
  end
  reveal_top(buf)
end

---@param buf number
local function erase(buf)
  if api.nvim_buf_is_valid(buf) then
    api.nvim_buf_clear_namespace(buf, marks, 0, -1)
    api.nvim_buf_clear_namespace(buf, anchors, 0, -1)
  end
end

---@param buf number
---@param known table<string, table[]> hunks by path
local function refresh_one(buf, known)
  local path = path_of_buffer(buf)
  local hunks = path and known[path]
  if hunks then
    erase(buf)
    draw(buf, hunks)
  elseif view.hunks[buf] then
    erase(buf)
    view.hunks[buf] = nil
  end
end

--- Draws what belongs into a buffer.
---@param buf number
function M.refresh(buf)
  if view and session.state().suggestion then
    refresh_one(buf, hunks_by_path())
  end
end

local function draw_all()
  if session.state().ended then
    return M.close()
  elseif not session.state().suggestion then
    return
  end
  local known = hunks_by_path()
  for _, buf in ipairs(api.nvim_list_bufs()) do
    refresh_one(buf, known)
  end
  if view.is_jump_due and core.marked(session.state()) then
    view.is_jump_due = false
    M.go_to_marked()
  end
end

--- Draws soon, and once for many changes.
local function refresh_all()
  if not view or view.is_due then
    return
  end
  view.is_due = true
  local drawing = view
  vim.schedule(function()
    if view == drawing then
      view.is_due = false
      draw_all()
    end
  end)
end

--- The rows of each hunk in a buffer, as its marks stand now, from the top.
---@param buf number
---@return { id: string, first: number, last: number }[]
local function places(buf)
  local found = {}
  for _, mark in ipairs(api.nvim_buf_get_extmarks(buf, anchors, 0, -1, { details = true })) do
    local id = view.hunks[buf] and view.hunks[buf][mark[1]]
    if id then
      table.insert(found, { id = id, first = mark[2], last = math.max(mark[2], mark[4].end_row or mark[2]) })
    end
  end
  return found
end

--- The hunk at the cursor; nil where there is none.
---@return string|nil
function M.under_cursor()
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local near = nil
  for _, place in ipairs(view and places(api.nvim_get_current_buf()) or {}) do
    if row >= place.first and row <= place.last then
      near = place.id
    end
  end
  return near
end

--- Shows the buffer of a file in a window, without losing what the window's buffer has.
---@param path string
local function show_file(path)
  local buf = vim.fn.bufadd(vim.fn.fnamemodify(path, ':.'))
  local win = vim.fn.win_findbuf(buf)[1]
  if win then
    return api.nvim_set_current_win(win)
  end
  local here = api.nvim_get_current_buf()
  local is_taken = vim.bo[here].modified and not vim.o.hidden and vim.bo[here].bufhidden ~= 'hide'
  vim.fn.bufload(buf)
  vim.bo[buf].buflisted = true
  vim.cmd(('%s %d'):format(is_taken and 'sbuffer' or 'buffer', buf))
end

--- The cursor on the marked hunk, in its file.
function M.go_to_marked()
  local hunk = core.marked(session.state())
  if not hunk then
    return require('copane.message').info('The suggestion is still being read')
  end
  local path = path_of(hunk.file)
  if not uv.fs_stat(path) and hunk.kind ~= 'create' then
    return require('copane.message').info(('copane: %s cannot be opened here'):format(hunk.file))
  end
  show_file(path)
  local buf = api.nvim_get_current_buf()
  M.refresh(buf)
  for _, place in ipairs(places(buf)) do
    if place.id == hunk.id then
      local row = math.min(place.first + 1, api.nvim_buf_line_count(buf))
      vim.cmd("normal! m'")
      api.nvim_win_set_cursor(0, { row, 0 })
      vim.cmd('normal! zvzz')
      reveal_top(buf)
    end
  end
end

--- The next hunk (1) or the one before (-1), from the cursor on, over files.
---@param step number
function M.jump(step)
  local here = M.under_cursor()
  if here then
    session.mark(here)
    session.move(step)
    return M.go_to_marked()
  end
  local row, found = api.nvim_win_get_cursor(0)[1] - 1, nil
  for _, place in ipairs(places(api.nvim_get_current_buf())) do
    if step > 0 and place.first > row then
      found = found or place.id
    elseif step < 0 and place.last < row then
      found = place.id
    end
  end
  if found then
    session.mark(found)
  end
  M.go_to_marked()
end

---@return boolean
function M.is_open()
  return view ~= nil
end

--- Takes all marks out.
function M.close()
  local closing = view
  view = nil
  if not closing then
    return
  end
  closing.unsubscribe()
  api.nvim_del_augroup_by_id(closing.group)
  for buf in pairs(closing.hunks) do
    erase(buf)
  end
  require('copane.review').closed()
end

--- Shows the hunks of the open suggestion in the files, and goes to the marked one.
function M.open()
  if view then
    view.is_jump_due = true
    return refresh_all()
  end
  local group = api.nvim_create_augroup('copane_inline', {})
  view = { group = group, hunks = {}, is_jump_due = true, unsubscribe = session.subscribe(refresh_all) }
  api.nvim_create_autocmd({ 'BufReadPost', 'BufWritePost' }, {
    group = group,
    callback = function(event)
      M.refresh(event.buf)
    end,
  })
  refresh_all()
end

return M
