--- A list of all hunks, with the marked one beside it. The cursor is in the list; the preview follows it.
local M = {}

local api = vim.api
local draw = require('copane.review.draw')
local head = require('copane.review.head')
local keys = require('copane.review.keys')
local paint = require('copane.review.paint')
local session = require('copane.review.session')
local stops = require('copane.review.stops')

--- The list takes this share, up to this many columns.
local LIST_SHARE, LIST_MAX_COLUMNS = 0.4, 60
local SHARE_OF_SCREEN = 0.9
--- From this width, list and preview are side by side.
local BESIDE_MIN_COLUMNS = 80
--- The largest share of the height for description and keys.
local HEAD_SHARE = 0.34

---@class CopanePicker: CopaneView
---@field head CopaneHead
---@field list { buf: number, win: number|nil, key: string|nil }
---@field preview { buf: number, win: number|nil, rows: CopaneRow[], key: string|nil }

---@type CopaneStage
local stage

--- Moves the list's cursor to the marked hunk.
---@param view CopanePicker
local function follow_mark(view)
  local at = math.floor(stops.place(session.state()))
  if at > 0 and api.nvim_win_get_cursor(view.list.win)[1] ~= at then
    api.nvim_win_set_cursor(view.list.win, { at, 0 })
  end
end

--- Moves the mark to the hunk at the list's cursor.
---@param view CopanePicker
local function follow_cursor(view)
  local hunk = stops.list(session.state())[api.nvim_win_get_cursor(view.list.win)[1]]
  if hunk and hunk.id ~= session.state().hunk then
    session.pick(hunk.id)
  end
end

--- The picker's part of the screen.
---@return CopaneRect outer, boolean is_narrow
local function outer_rect()
  local columns, lines = draw.screen()
  local is_narrow = columns < BESIDE_MIN_COLUMNS
  local share = is_narrow and 1 or SHARE_OF_SCREEN
  local width, height = math.floor(columns * share), math.floor(lines * share)
  local row, col = math.floor((lines - height) / 2), math.floor((columns - width) / 2)
  return { row = row, col = col, width = width, height = height }, is_narrow
end

--- List and preview side by side, or below each other if there is no room.
---@param rect CopaneRect the area below the head, with borders
---@param is_narrow boolean
---@param count number of hunks
---@return CopaneRect list, CopaneRect preview
local function rects(rect, is_narrow, count)
  local row, col, width, left = rect.row, rect.col, rect.width, rect.height - 2
  if is_narrow then
    local list = math.max(1, math.min(count, math.floor(left * LIST_SHARE)))
    return { row = row, col = col, width = width - 2, height = list },
      { row = row + list + 2, col = col, width = width - 2, height = math.max(1, left - list - 2) }
  end
  local wide, height = math.min(math.floor(width * LIST_SHARE), LIST_MAX_COLUMNS), math.max(1, left)
  return { row = row, col = col, width = wide - 2, height = height },
    { row = row, col = col + wide, width = width - wide - 2, height = height }
end

---@param view CopanePicker
local function redraw(view)
  local state = session.state()
  local outer, is_narrow = outer_rect()
  local below = head.draw(view.head, outer, math.floor(outer.height * HEAD_SHARE))
  local key = paint.list_key(state)
  if key ~= view.list.key then
    view.list.key = key
    draw.rows(view.list.buf, paint.list(state))
  end
  local body = paint.body_key(state)
  if body ~= view.preview.key then
    view.preview.key, view.preview.rows = body, paint.inline(state)
    draw.rows(view.preview.buf, view.preview.rows)
  end
  local list, preview = rects(below, is_narrow, #stops.list(state))
  local is_new = not (view.list.win and api.nvim_win_is_valid(view.list.win))
  view.preview.win = draw.window(view.preview.win, view.preview.buf, preview)
  view.list.win = draw.window(view.list.win, view.list.buf, list, { enter = is_new })
  vim.wo[view.preview.win].cursorline, vim.wo[view.list.win].cursorline = false, true
  follow_mark(view)
end

stage = require('copane.review.stage').new({
  name = 'picker',
  redraw = redraw,
  windows = function(view)
    return { view.head, view.list, view.preview }
  end,
})
stage:furnish(M)

--- The targets at these rows of the current window, or at its cursor: hunks in the list, lines in the preview.
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.at(rows)
  local view, buf = stage.view, api.nvim_get_current_buf()
  if view and buf == view.preview.buf then
    return keys.at(session.state().hunk, view.preview.rows, rows)
  elseif view and rows and buf == view.list.buf then
    return vim.tbl_map(function(hunk)
      return { hunk = hunk.id }
    end, vim.list_slice(stops.list(session.state()), rows.first, rows.last))
  end
  return keys.elsewhere(session.state().hunk, rows)
end

--- Opens the built-in list on the session's open suggestion.
function M.open()
  local view = stage.view
  if view then
    return api.nvim_set_current_win(view.list.win)
  end
  view = {
    head = head.new(),
    list = { buf = draw.scratch() },
    preview = { buf = draw.scratch(), rows = {} },
  }
  stage:begin(view)
  keys.attach(view.list.buf, { back = M.close, has_lines = true })
  keys.attach(view.preview.buf, { back = M.close, has_lines = true })
  api.nvim_create_autocmd('CursorMoved', {
    group = view.group,
    buffer = view.list.buf,
    callback = function()
      follow_cursor(view)
    end,
  })
  redraw(view)
end

return M
