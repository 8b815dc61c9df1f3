--- One hunk in floating windows: what it is about above, its lines below, inline or side by side.
local M = {}

local api = vim.api
local draw = require('copane.review.draw')
local keys = require('copane.review.keys')
local paint = require('copane.review.paint')
local session = require('copane.review.session')

--- From this width on, both sides fit beside each other.
local SIDES_MIN_COLUMNS = 120

---@class CopaneFloating
---@field head { buf: number, win: number }
---@field bodies { buf: number, win: number, rows: CopaneRow[] }[] one, or old and new
---@field layout 'inline'|'side_by_side'
---@field wish 'auto'|'inline'|'side_by_side'
---@field hunk string|nil that is shown
---@field unsubscribe fun()
---@field group number
---@field is_due boolean|nil it is about to be drawn
---@field key string|nil what the bodies show
---@field sides CopaneRow[][] the rows of the bodies
local view = nil

---@return table
local function ui()
  return require('copane.config').get().suggestion_review.ui
end

---@param width number
---@return 'inline'|'side_by_side'
local function layout_for(width)
  local wish = view.wish
  if wish == 'auto' then
    return width >= SIDES_MIN_COLUMNS and 'side_by_side' or 'inline'
  end
  return wish
end

---@return CopaneRow[]
local function head_rows()
  local keymaps = require('copane.config').get().suggestion_review.keymaps
  local rows = paint.header(session.state(), session.link_state().problem)
  table.insert(rows, paint.footer(keymaps))
  return rows
end

---@param count number
local function ensure_bodies(count)
  while #view.bodies > count do
    local body = table.remove(view.bodies)
    api.nvim_win_close(body.win, true)
  end
  while #view.bodies < count do
    local buf = draw.scratch()
    local body = { buf = buf, win = nil, rows = {} }
    keys.attach(buf, {
      back = M.close,
      lines_at = function(first, last)
        return view and view.layout == 'inline' and keys.lines_of(body.rows, first, last) or nil
      end,
    })
    table.insert(view.bodies, body)
  end
end

--- The first changed line in sight, when another hunk is shown.
local function to_first_change()
  local hunk = session.state().hunk
  if view.hunk == hunk then
    return
  end
  view.hunk = hunk
  for _, body in ipairs(view.bodies) do
    local row = 1
    for at, each in ipairs(body.rows) do
      if each.group then
        row = at
        break
      end
    end
    api.nvim_win_set_cursor(body.win, { math.max(1, math.min(row, api.nvim_buf_line_count(body.buf))), 0 })
    api.nvim_win_call(body.win, function()
      vim.fn.winrestview({ topline = math.max(1, row - 3) })
    end)
  end
end

--- Places and fills all windows.
local function redraw()
  local columns, lines = draw.screen()
  local outer = draw.outer(ui(), columns, lines)
  view.layout = layout_for(outer.width)
  local rows, width = head_rows(), outer.width - 2
  local head_height = math.min(draw.height_of(rows, width), math.max(1, outer.height - 7))
  draw.rows(view.head.buf, rows)
  local head_rect = { row = outer.row, col = outer.col, width = width, height = head_height }
  view.head.win = draw.window(view.head.win, view.head.buf, head_rect, { focusable = false })
  vim.wo[view.head.win].wrap, vim.wo[view.head.win].linebreak = true, true

  local state = session.state()
  local key = ('%s %s'):format(view.layout, paint.body_key(state))
  local is_same = view.key == key
  view.key = key
  local sides = is_same and view.sides
    or view.layout == 'side_by_side' and { paint.sides(state) }
    or { paint.inline(state) }
  view.sides = sides
  -- A conflict, or a change without lines, has no sides.
  if sides[2] and #sides[2] == 0 then
    sides, view.layout = { sides[1] }, 'inline'
    view.sides = sides
  end
  ensure_bodies(#sides)
  local col, share = outer.col, math.floor((outer.width - 2 * #sides) / #sides)
  for at, body in ipairs(view.bodies) do
    local is_last = at == #view.bodies
    local rect = {
      row = outer.row + head_height + 2,
      col = col,
      width = math.max(1, is_last and outer.col + outer.width - col - 2 or share),
      height = math.max(1, outer.height - head_height - 4),
    }
    col = col + share + 2
    if not is_same or body.rows ~= sides[at] then
      body.rows = sides[at]
      draw.rows(body.buf, body.rows)
    end
    local is_new = not (body.win and api.nvim_win_is_valid(body.win))
    body.win = draw.window(body.win, body.buf, rect, { enter = is_new and is_last })
    vim.wo[body.win].scrollbind = #view.bodies > 1
    vim.wo[body.win].cursorbind = #view.bodies > 1
    vim.wo[body.win].cursorline = true
  end
  to_first_change()
end

--- Draws soon, and once for many changes.
local function refresh()
  draw.soon(view, {
    is_open = function(drawing)
      return view == drawing
    end,
    is_over = function()
      return session.state().ended
    end,
    close = M.close,
    redraw = redraw,
  })
end

--- Whether it is on the screen.
---@return boolean
function M.is_open()
  return view ~= nil
end

--- Closes all windows of it.
function M.close()
  local closing = view
  view = nil
  if not closing then
    return
  end
  closing.unsubscribe()
  api.nvim_del_augroup_by_id(closing.group)
  for _, each in ipairs(vim.list_extend({ closing.head }, closing.bodies)) do
    if each.win and api.nvim_win_is_valid(each.win) then
      api.nvim_win_close(each.win, true)
    end
  end
  require('copane.review').closed()
end

--- Inline or side by side, from now on.
function M.toggle_layout()
  if view then
    view.wish = view.layout == 'inline' and 'side_by_side' or 'inline'
    redraw()
  end
end

--- Opens it on the suggestion that the session has open.
function M.open()
  if view then
    return api.nvim_set_current_win(view.bodies[#view.bodies].win)
  end
  local group = api.nvim_create_augroup('copane_floating', {})
  view = {
    head = { buf = draw.scratch(), win = nil },
    bodies = {},
    layout = 'inline',
    wish = ui().layout,
    hunk = nil,
    group = group,
    unsubscribe = session.subscribe(refresh),
  }
  api.nvim_create_autocmd('VimResized', { group = group, callback = refresh })
  api.nvim_create_autocmd('WinClosed', {
    group = group,
    callback = function(event)
      local closed = tonumber(event.match)
      for _, body in ipairs(view and view.bodies or {}) do
        if body.win == closed then
          return vim.schedule(M.close)
        end
      end
    end,
  })
  redraw()
end

return M
