--- The window above a hunk: its suggestion, its notes, and the keys.
local M = {}

local draw = require('copane.review.draw')
local session = require('copane.review.session')

---@class CopaneHead
---@field buf number
---@field win number|nil

---@return CopaneHead
function M.new()
  return { buf = draw.scratch() }
end

--- Places and fills it at the top of `outer`, in as many rows as it needs.
---@param head CopaneHead
---@param outer CopaneRect its border included
---@param most number of rows
---@return CopaneRect the area below it
function M.draw(head, outer, most)
  local keymaps = require('copane.config').get().suggestion_review.keymaps
  local about, width = { problem = select(2, session.peek()).problem, keymaps = keymaps }, outer.width - 2
  local rows = require('copane.review.paint').head(session.state(), about, width)
  local height = math.min(#rows, math.max(1, most))
  draw.rows(head.buf, rows)
  local rect = { row = outer.row, col = outer.col, width = width, height = height }
  head.win = draw.window(head.win, head.buf, rect, { focusable = false })
  local taken = height + 2
  return { row = outer.row + taken, col = outer.col, width = outer.width, height = outer.height - taken }
end

return M
