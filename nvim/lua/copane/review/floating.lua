--- One hunk in floating windows: its description above, its lines below, inline or side by side.
local M = {}

local api = vim.api
local draw = require('copane.review.draw')
local head = require('copane.review.head')
local keys = require('copane.review.keys')
local paint = require('copane.review.paint')
local session = require('copane.review.session')

--- From this width, both sides fit beside each other.
local SIDES_MIN_COLUMNS = 120
--- Rows of the hunk shown above its first change.
local ROWS_ABOVE = 3

---@class CopaneFloating: CopaneView
---@field head CopaneHead
---@field bodies { buf: number, win: number|nil, rows: CopaneRow[] }[] one, or old and new
---@field layout 'inline'|'side_by_side'
---@field wish 'auto'|'inline'|'side_by_side'
---@field top string|nil the hunk and layout that was scrolled to its first change
---@field key string|nil identifies the content of the bodies
---@field sides CopaneRow[][] the rows of the bodies

---@type CopaneStage
local stage

---@return table
local function ui()
  return require('copane.config').get().suggestion_review.ui
end

---@param view CopaneFloating
---@param width number
---@return 'inline'|'side_by_side'
local function layout_for(view, width)
  if view.wish == 'auto' then
    return width >= SIDES_MIN_COLUMNS and 'side_by_side' or 'inline'
  end
  return view.wish
end

--- The rows of the bodies; redrawn only if their content has changed.
---@param view CopaneFloating
---@return boolean whether it has
local function plan_bodies(view)
  local state = session.state()
  local key = ('%s %s'):format(view.layout, paint.body_key(state))
  if view.key == key then
    return false
  end
  view.key = key
  view.sides = view.layout == 'side_by_side' and { paint.sides(state) } or { paint.inline(state) }
  -- A conflict, or a change without lines, has no sides.
  if view.sides[2] and #view.sides[2] == 0 then
    view.sides = { view.sides[1] }
  end
  return true
end

---@param view CopaneFloating
local function ensure_bodies(view)
  while #view.bodies > #view.sides do
    api.nvim_win_close(table.remove(view.bodies).win, true)
  end
  while #view.bodies < #view.sides do
    local buf = draw.scratch()
    keys.attach(buf, { back = M.close, has_lines = true })
    table.insert(view.bodies, { buf = buf, win = nil, rows = {} })
  end
end

--- Scrolls to the first changed line, on both sides alike, when another hunk or layout is shown.
---@param view CopaneFloating
local function to_first_change(view)
  local top = ('%s %d'):format(session.state().hunk, #view.bodies)
  if view.top == top then
    return
  end
  view.top = top
  local first = math.huge
  for _, body in ipairs(view.bodies) do
    for at, each in ipairs(body.rows) do
      if each.group then
        first = math.min(first, at)
        break
      end
    end
  end
  local row = first == math.huge and 1 or first
  for _, body in ipairs(view.bodies) do
    api.nvim_win_call(body.win, function()
      vim.wo.scrollbind = false
      local last = api.nvim_buf_line_count(body.buf)
      vim.fn.winrestview({ lnum = math.min(row, last), col = 0, topline = math.max(1, row - ROWS_ABOVE) })
    end)
  end
  for _, body in ipairs(view.bodies) do
    vim.wo[body.win].scrollbind = #view.bodies > 1
    vim.wo[body.win].cursorbind = #view.bodies > 1
  end
end

---@param view CopaneFloating
---@param rect CopaneRect the area below the head, with borders
local function place_bodies(view, rect)
  local col, share = rect.col, math.floor((rect.width - 2 * #view.bodies) / #view.bodies)
  for at, body in ipairs(view.bodies) do
    local is_last = at == #view.bodies
    local is_new = not (body.win and api.nvim_win_is_valid(body.win))
    body.win = draw.window(body.win, body.buf, {
      row = rect.row,
      col = col,
      width = math.max(1, is_last and rect.col + rect.width - col - 2 or share),
      height = math.max(1, rect.height - 2),
    }, { enter = is_new and is_last })
    vim.wo[body.win].cursorline = true
    col = col + share + 2
  end
end

--- Places and fills all windows.
---@param view CopaneFloating
local function redraw(view)
  local columns, lines = draw.screen()
  local outer = draw.outer(ui(), columns, lines)
  local below = head.draw(view.head, outer, outer.height - 7)
  view.layout = layout_for(view, outer.width)
  local is_changed = plan_bodies(view)
  ensure_bodies(view)
  for at, body in ipairs(is_changed and view.bodies or {}) do
    body.rows = view.sides[at]
    draw.rows(body.buf, body.rows)
  end
  place_bodies(view, below)
  to_first_change(view)
end

stage = require('copane.review.stage').new({
  name = 'floating',
  redraw = redraw,
  windows = function(view)
    return vim.list_extend({ view.head }, view.bodies)
  end,
})
stage:furnish(M)

--- Switches between inline and side by side.
function M.toggle_layout()
  local view = stage.view
  if view then
    view.wish = view.layout == 'inline' and 'side_by_side' or 'inline'
    redraw(view)
  end
end

--- The targets at these rows of the current window, or at its cursor.
---@param rows CopaneRows|nil
---@return CopaneTarget[], string|nil why there is none
function M.at(rows)
  local view, buf = stage.view, api.nvim_get_current_buf()
  for _, body in ipairs(view and view.bodies or {}) do
    if body.buf == buf then
      if rows and #view.bodies > 1 then
        return {}, 'Lines are selected in one column; the key for the layout shows it so'
      end
      return keys.at(session.state().hunk, body.rows, rows)
    end
  end
  return keys.elsewhere(session.state().hunk, rows)
end

--- Opens it on the session's open suggestion.
function M.open()
  local view = stage.view
  if view then
    return api.nvim_set_current_win(view.bodies[#view.bodies].win)
  end
  view = { head = head.new(), bodies = {}, sides = {}, layout = 'inline', wish = ui().layout }
  stage:begin(view)
  redraw(view)
end

return M
