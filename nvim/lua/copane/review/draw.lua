--- Puts rows into buffers, and floating windows on the screen. Does not create rows.
local M = {}

local api = vim.api
local namespace = api.nvim_create_namespace('copane_review')

local LINKS = {
  CopaneTitle = 'Title',
  CopaneFile = 'Directory',
  CopaneDim = 'Comment',
  CopaneNote = 'Special',
  CopaneOpen = 'Identifier',
  CopaneAccepted = 'String',
  CopaneRejected = 'Comment',
  CopaneConflict = 'WarningMsg',
  CopaneAdded = 'DiffAdd',
  CopaneTaken = 'DiffDelete',
  CopaneAddedWord = 'DiffText',
  CopaneTakenWord = 'DiffText',
  CopaneFiller = 'Folded',
}

--- Links the colours of the review, now and after each change of the colour scheme.
function M.set_highlights()
  local function set()
    for name, link in pairs(LINKS) do
      api.nvim_set_hl(0, name, { link = link, default = true })
    end
  end
  set()
  local group = api.nvim_create_augroup('copane_review_colours', {})
  api.nvim_create_autocmd('ColorScheme', { group = group, callback = set })
end

--- The rows as lines, with marks to set on them.
---@param rows CopaneRow[]
---@return string[] lines, table[] marks { row, first, last, group } with bytes
local function flatten(rows)
  local lines, marks = {}, {}
  for at, each in ipairs(rows) do
    local parts, column = {}, 0
    for _, chunk in ipairs(each.chunks) do
      local text = chunk[1]:gsub('\n', ' ')
      if chunk[2] and text ~= '' then
        table.insert(marks, { at - 1, column, column + #text, chunk[2] })
      end
      table.insert(parts, text)
      column = column + #text
    end
    lines[at] = table.concat(parts)
  end
  return lines, marks
end

--- Shows the rows in the buffer.
---@param buf number
---@param rows CopaneRow[]
function M.rows(buf, rows)
  local lines, marks = flatten(rows)
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable, vim.bo[buf].modified = false, false
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  -- One mark for a run of rows: a hunk may have fifty thousand.
  local first = 1
  for at = 1, #rows do
    if not rows[at + 1] or rows[at + 1].group ~= rows[at].group then
      if rows[at].group then
        api.nvim_buf_set_extmark(buf, namespace, first - 1, 0, {
          end_row = at,
          end_col = 0,
          hl_group = rows[at].group,
          hl_eol = true,
          strict = false,
          priority = 100,
        })
      end
      first = at + 1
    end
  end
  for _, mark in ipairs(marks) do
    local look = { end_col = mark[3], hl_group = mark[4], priority = 200 }
    api.nvim_buf_set_extmark(buf, namespace, mark[1], mark[2], look)
  end
end

--- A buffer that belongs to a window and is deleted with it.
---@return number
function M.scratch()
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden, vim.bo[buf].swapfile, vim.bo[buf].modifiable = 'wipe', false, false
  return buf
end

---@class CopaneRect
---@field row number
---@field col number
---@field width number inside its border
---@field height number inside its border

--- Opens a floating window, or moves an open one.
---@param win number|nil
---@param buf number
---@param rect CopaneRect
---@param options { enter: boolean|nil, focusable: boolean|nil }|nil
---@return number
function M.window(win, buf, rect, options)
  local config = { relative = 'editor', row = rect.row, col = rect.col, width = rect.width, height = rect.height }
  if win and api.nvim_win_is_valid(win) then
    api.nvim_win_set_config(win, config)
    return win
  end
  config.style, config.border = 'minimal', 'single'
  config.focusable = not options or options.focusable ~= false
  win = api.nvim_open_win(buf, options ~= nil and options.enter == true, config)
  vim.wo[win].wrap = false
  vim.wo[win].winhighlight = 'NormalFloat:Normal,FloatBorder:CopaneDim'
  return win
end

--- The review's part of the screen. `width`: a share of the screen up to 1, else cells.
---@param ui { position: string, width: number }
---@param columns number
---@param lines number
---@return CopaneRect outer, border included
function M.outer(ui, columns, lines)
  local function of(whole, least)
    local wanted = ui.width <= 1 and math.floor(whole * ui.width + 0.5) or math.floor(ui.width)
    return math.max(math.min(least, whole), math.min(whole, wanted))
  end
  local is_row = ui.position == 'top' or ui.position == 'bottom'
  local width = is_row and columns or of(columns, 40)
  local height = is_row and of(lines, 12) or lines
  if ui.position == 'center' then
    height = math.max(math.min(12, lines), math.floor(lines * 0.8))
  end
  local row, col = 0, 0
  if ui.position == 'right' then
    col = columns - width
  elseif ui.position == 'bottom' then
    row = lines - height
  elseif ui.position == 'center' then
    row, col = math.floor((lines - height) / 2), math.floor((columns - width) / 2)
  end
  return { row = row, col = col, width = width, height = height }
end

--- The rows and columns for windows: without the command line and the status line.
---@return number columns, number lines
function M.screen()
  local below = vim.o.cmdheight + (vim.o.laststatus > 0 and 1 or 0)
  return vim.o.columns, math.max(4, vim.o.lines - below)
end

return M
