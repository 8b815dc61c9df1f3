--- Shared parts of the review's views: at most one view of a kind is on the screen. It is drawn soon after a change and
--- once for several, and closes when its review is over or one of its windows is closed. Draws nothing itself.
local M = {}

local api = vim.api
local session = require('copane.review.session')

---@class CopaneView the stage's data of the view on the screen; the view adds its own
---@field group number of the autocommands, which end with the view
---@field unsubscribe fun()
---@field is_due boolean about to be drawn

---@class CopaneStageParts
---@field name string
---@field redraw fun(view: table)
---@field windows nil|fun(view: table): { win: number|nil }[] the view's windows; it closes with any of them
---@field clear nil|fun(view: table) removes other drawings of the view

---@class CopaneStage
---@field parts CopaneStageParts
---@field view table|nil
local Stage = {}
Stage.__index = Stage

---@param parts CopaneStageParts
---@return CopaneStage
function M.new(parts)
  return setmetatable({ parts = parts, view = nil }, Stage)
end

--- Gives the module of a view the common functions.
---@param module table
function Stage:furnish(module)
  --- Whether it is on the screen.
  ---@return boolean
  function module.is_open()
    return self.view ~= nil
  end
  --- Removes it from the screen.
  function module.close()
    self:close()
  end
end

--- Starts `view`: from now on it follows the session. Its caller draws it first.
---@param view table
function Stage:begin(view)
  view.group = api.nvim_create_augroup('copane_' .. self.parts.name, {})
  view.is_due = false
  view.unsubscribe = session.subscribe(function()
    self:refresh()
  end)
  self.view = view
  if self.parts.windows then
    self:_follow_windows(view)
  end
end

---@param view table
function Stage:_follow_windows(view)
  api.nvim_create_autocmd('VimResized', {
    group = view.group,
    callback = function()
      self:refresh()
    end,
  })
  api.nvim_create_autocmd('WinClosed', {
    group = view.group,
    callback = function(event)
      for _, each in ipairs(self.parts.windows(view)) do
        if each.win == tonumber(event.match) then
          return vim.schedule(function()
            self:close(view)
          end)
        end
      end
    end,
  })
end

--- Draws soon, once for several changes.
function Stage:refresh()
  local view = self.view
  if not view or view.is_due then
    return
  end
  view.is_due = true
  vim.schedule(function()
    if self.view ~= view then
      return
    elseif session.state().ended then
      return self:close()
    end
    view.is_due = false
    self.parts.redraw(view)
  end)
end

--- Removes the view from the screen; with `only`, only if it is that view.
---@param only table|nil
function Stage:close(only)
  local view = self.view
  if not view or (only and only ~= view) then
    return
  end
  self.view = nil
  view.unsubscribe()
  api.nvim_del_augroup_by_id(view.group)
  for _, each in ipairs(self.parts.windows and self.parts.windows(view) or {}) do
    if each.win and api.nvim_win_is_valid(each.win) then
      api.nvim_win_close(each.win, true)
    end
  end
  if self.parts.clear then
    self.parts.clear(view)
  end
  require('copane.review').closed()
end

return M
