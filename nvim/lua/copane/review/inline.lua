--- Hunks in the files themselves: a sign, removed text in its colour, added text as virtual lines. Never changes the
--- buffer's text. The host gives the positions; marks move with the user's edits from there, and are reset only when
--- the review changes.
local M = {}

local api = vim.api
local uv = vim.uv or vim.loop
local anchors = require('copane.review.anchors')
local core = require('copane.review.core')
local diff = require('copane.review.diff')
local files = require('copane.file')
local paint = require('copane.review.paint')
local session = require('copane.review.session')
local show_file = require('copane.review.show_file')
local signs = require('copane.review.sign_table')
local visible = require('copane.hidden').shown

local marks = api.nvim_create_namespace('copane_inline')

--- How many lines of one hunk are shown below a row.
local SHOWN_MAX = 200

--- How long to wait before asking the host again after an answer about an outdated text.
local AGAIN_MS = 100

---@class CopaneInline: CopaneView
---@field anchors CopaneAnchors
---@field keys table<number, string> the key of the drawing, done or requested, by buffer
---@field is_drawn table<number, boolean> whether it is drawn, by buffer
---@field is_jump_due boolean jump to the marked hunk when it is read
---@field jump { hunk: string, cursor: number[] }|nil the hunk to jump to when it is drawn, and the starting point

---@type CopaneStage
local stage

---@param file string
---@return string
local function path_of(file)
  return files.real(session.state().suggestion.target .. '/' .. file)
end

--- Hunks by the path of their file.
---@return table<string, table[]>
local function hunks_by_path()
  local found, paths = {}, {}
  for _, hunk in ipairs(core.hunks(session.state())) do
    local file = paths[hunk.file] or path_of(hunk.file)
    paths[hunk.file] = file
    found[file] = found[file] or {}
    table.insert(found[file], hunk)
  end
  return found
end

--- Virtual lines above the first row are hidden until the window has room for them.
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

--- The lines of a run that are not in the buffer, as virtual lines.
---@param lines CopaneDiffLine[]
---@param run CopaneRun
---@param op '+'|'-'
---@return table[]
local function absent(lines, run, op)
  local shown, count = {}, 0
  for at = run.first, math.min(run.last, #lines) do
    count = count + (lines[at].op == op and 1 or 0)
    if lines[at].op == op and count <= SHOWN_MAX then
      -- Virtual lines do not render tabs.
      local text = visible(lines[at].text):gsub('\t', (' '):rep(8))
      table.insert(shown, { { text, op == '+' and 'CopaneAdded' or 'CopaneTaken' } })
    end
  end
  if count > SHOWN_MAX then
    table.insert(shown, { { ('… %d more lines'):format(count - SHOWN_MAX), 'CopaneDim' } })
  end
  return shown
end

---@param buf number
---@param hunk table
---@param place CopaneHunkPlace
local function draw_lines(buf, hunk, place)
  local is_old = place.side == 'old'
  for _, run in ipairs(place.runs) do
    local gone = absent(diff.of(hunk).lines, run, is_old and '+' or '-')
    if run.count > 0 then
      api.nvim_buf_set_extmark(buf, marks, run.row, 0, {
        end_row = run.row + run.count,
        end_col = 0,
        hl_group = is_old and 'CopaneTaken' or 'CopaneAdded',
        hl_eol = true,
        strict = false,
      })
    end
    if #gone > 0 then
      -- Added text is shown below the lines that it replaces, removed text above those that replaced it.
      local below = is_old and run.row + run.count - 1 or math.min(run.row, api.nvim_buf_line_count(buf)) - 1
      api.nvim_buf_set_extmark(buf, marks, math.max(0, below), 0, {
        virt_lines = gone,
        virt_lines_above = below < 0,
      })
    end
  end
end

--- The label after the first changed line.
---@param hunk table
---@param status string
---@param place CopaneHunkPlace
---@return string
local function label(hunk, status, place)
  local words = vim.list_extend({ paint.state_of(status) }, paint.news_of(session.state(), hunk))
  for _, warning in ipairs(hunk.warnings) do
    table.insert(words, '! ' .. warning.text)
  end
  table.insert(words, hunk.note)
  if #place.runs == 0 and core.is_open(status) then
    table.insert(words, hunk.reason or ('%s, not shown in this text'):format(paint.size_of(hunk)))
  end
  return (visible(table.concat(words, ' · ')):gsub('%s+', ' '))
end

---@param view CopaneInline
---@param buf number
---@param hunks table[] of this file
---@param places CopaneHunkPlace[]
local function draw(view, buf, hunks, places)
  local by_hunk = {}
  for _, place in ipairs(places) do
    by_hunk[place.hunk] = place
  end
  for _, hunk in ipairs(hunks) do
    local status, place = hunk.status, by_hunk[hunk.id]
    if place then
      if core.is_open(status) then
        draw_lines(buf, hunk, place)
      end
      api.nvim_buf_set_extmark(buf, marks, math.min(place.row, api.nvim_buf_line_count(buf) - 1), 0, {
        sign_text = signs.marks[status],
        sign_hl_group = paint.GROUPS[status],
        virt_text = { { label(hunk, status, place), paint.GROUPS[status] } },
        virt_text_pos = 'eol',
      })
      anchors.set(view.anchors, buf, place)
    end
  end
  view.is_drawn[buf] = true
  reveal_top(buf)
end

---@param view CopaneInline
---@param buf number
local function erase(view, buf)
  view.keys[buf], view.is_drawn[buf] = nil, nil
  anchors.clear(view.anchors, buf)
  if api.nvim_buf_is_valid(buf) then
    api.nvim_buf_clear_namespace(buf, marks, 0, -1)
  end
end

--- A key of everything that the drawing in a buffer depends on.
---@param buf number
---@param hunks table[]
---@return string
local function key_of(buf, hunks)
  local state = session.state()
  local parts = { tostring(api.nvim_buf_get_changedtick(buf)) }
  for _, hunk in ipairs(hunks) do
    local words = (hunk.note or '') .. (hunk.reason or '') .. table.concat(paint.news_of(state, hunk))
    table.insert(parts, ('%s %s %d %s'):format(hunk.id, hunk.status, #hunk.diff, words))
  end
  return table.concat(parts, '\n')
end

--- Moves the cursor to the pending hunk if this buffer shows it by now, unless the user has moved elsewhere or is
--- typing.
---@param view CopaneInline
---@param buf number
local function jump_in(view, buf)
  local jump = view.jump
  if not jump or not view.is_drawn[buf] or api.nvim_get_current_buf() ~= buf then
    return
  end
  view.jump = nil
  if api.nvim_get_mode().mode ~= 'n' or not vim.deep_equal(api.nvim_win_get_cursor(0), jump.cursor) then
    return
  end
  for _, place in ipairs((anchors.places(view.anchors, buf))) do
    if place.hunk == jump.hunk then
      vim.cmd("normal! m'")
      api.nvim_win_set_cursor(0, { math.min(place.first + 1, api.nvim_buf_line_count(buf)), 0 })
      vim.cmd('normal! zvzz')
      return reveal_top(buf)
    end
  end
end

--- Requests the positions of these hunks and draws them there, unless something else must be drawn by then.
---@param view CopaneInline
---@param buf number
---@param hunks table[]
---@param key string
local function place_and_draw(view, buf, hunks, key)
  local text, tick = files.text_of(buf), api.nvim_buf_get_changedtick(buf)
  if not text and vim.bo[buf].modified then
    view.jump = nil
    return erase(view, buf)
  end
  local about = { suggestion = session.state().id, file = hunks[1].file, text = text }
  view.keys[buf] = key
  session.ask('review/places', about, function(places, failure)
    if stage.view ~= view or view.keys[buf] ~= key or not api.nvim_buf_is_loaded(buf) then
      return
    end
    view.keys[buf] = nil
    if not places then
      view.jump = nil
      erase(view, buf)
      session.warn(failure)
    elseif api.nvim_buf_get_changedtick(buf) ~= tick then
      -- While the user types, one request per letter would delay decisions.
      vim.defer_fn(function()
        if api.nvim_buf_is_loaded(buf) then
          M.refresh(buf)
        end
      end, AGAIN_MS)
    else
      erase(view, buf)
      draw(view, buf, hunks, places)
      view.keys[buf] = key
      jump_in(view, buf)
      view.jump = api.nvim_get_current_buf() ~= buf and view.jump or nil
    end
  end)
end

---@param view CopaneInline
---@param buf number
---@param known table<string, table[]> hunks by path
local function refresh_one(view, buf, known)
  local file = files.of_buffer(buf)
  local hunks = file and known[file]
  local key = hunks and key_of(buf, hunks)
  if hunks and key ~= view.keys[buf] then
    place_and_draw(view, buf, hunks, key)
  elseif hunks then
    reveal_top(buf)
  elseif view.anchors[buf] or view.keys[buf] then
    erase(view, buf)
  end
end

--- Draws the hunks of a buffer.
---@param buf number
function M.refresh(buf)
  if stage.view and session.state().suggestion then
    refresh_one(stage.view, buf, hunks_by_path())
  end
end

---@param view CopaneInline
local function redraw(view)
  if not session.state().suggestion then
    return
  end
  local known = hunks_by_path()
  for _, buf in ipairs(api.nvim_list_bufs()) do
    refresh_one(view, buf, known)
  end
  if view.is_jump_due and core.marked(session.state()) then
    view.is_jump_due = false
    M.go_to_marked()
  end
end

stage = require('copane.review.stage').new({
  name = 'inline',
  redraw = redraw,
  clear = function(view)
    for _, buf in ipairs(vim.tbl_keys(view.anchors)) do
      erase(view, buf)
    end
  end,
})
stage:furnish(M)

---@return CopaneTarget|nil
local function under_cursor()
  local row = api.nvim_win_get_cursor(0)[1] - 1
  return stage.view and anchors.on_row(stage.view.anchors, api.nvim_get_current_buf(), row)
end

--- The targets at these rows of the current window, or at its cursor.
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.at(rows)
  if rows and stage.view then
    return anchors.on_rows(stage.view.anchors, api.nvim_get_current_buf(), rows), 'No hunk in these lines'
  end
  return { under_cursor() }, 'No hunk under the cursor'
end

--- For a comment: lines of the file at these rows, or at the cursor, outside any hunk. In a text with unsaved edits
--- their numbers would not match the file.
---@param rows CopaneRows|nil
---@return CopaneTarget|nil, string|nil why there is none
function M.around(rows)
  local row = api.nvim_win_get_cursor(0)[1]
  if not stage.view or #(M.at(rows)) > 0 then
    return nil
  end
  local found =
    anchors.around(stage.view.anchors, api.nvim_get_current_buf(), rows or { first = row, last = row })
  if found and vim.bo.modified then
    return nil, 'Unsaved edits: write the file first, then comment on lines that no hunk has'
  end
  return found
end

--- Moves the cursor to the marked hunk in its file.
function M.go_to_marked()
  local hunk = core.marked(session.state())
  if not hunk then
    return require('copane.message').info('The suggestion is still loading')
  end
  local file = path_of(hunk.file)
  if not uv.fs_stat(file) and hunk.kind ~= 'create' then
    return require('copane.message').info(('copane: %s cannot be opened here'):format(hunk.file))
  end
  show_file.show(file)
  stage.view.jump = { hunk = hunk.id, cursor = api.nvim_win_get_cursor(0) }
  local buf = api.nvim_get_current_buf()
  M.refresh(buf)
  jump_in(stage.view, buf)
end

--- Moves to the next hunk (1) or the previous one (-1) from the cursor, across files.
---@param step number
function M.jump(step)
  local here = under_cursor()
  if here then
    session.pick(here.hunk)
    session.move(step)
    return M.go_to_marked()
  end
  local row, found = api.nvim_win_get_cursor(0)[1] - 1, nil
  for _, place in ipairs((anchors.places(stage.view.anchors, api.nvim_get_current_buf()))) do
    if step > 0 and place.first > row then
      found = found or place.hunk
    elseif step < 0 and place.last < row then
      found = place.hunk
    end
  end
  if found then
    session.pick(found)
  end
  M.go_to_marked()
end

--- Shows the hunks of the open suggestion in the files, and moves to the marked one.
function M.open()
  if stage.view then
    stage.view.is_jump_due = true
    return stage:refresh()
  end
  local view = { anchors = {}, keys = {}, is_drawn = {}, is_jump_due = true }
  stage:begin(view)
  api.nvim_create_autocmd({ 'BufReadPost', 'BufWritePost' }, {
    group = view.group,
    callback = function(event)
      M.refresh(event.buf)
    end,
  })
  stage:refresh()
end

return M
