--- Reports suggestions that concern the folder of this Neovim, and how many wait, briefly.
local M = {}

local message = require('copane.message')
local counted = require('copane.text').counted

--- How many columns of a title are shown at least.
local TITLE_MIN_COLUMNS = 12

---@param folder string
---@param path string
---@return boolean
local function holds(folder, path)
  return path == folder or vim.startswith(path, folder == '/' and '/' or folder .. '/')
end

--- Whether a working copy is the folder of this Neovim, contains it, or is inside it.
---@param target string
---@return boolean
function M.concerns(target)
  local here = require('copane.file').real(vim.fn.getcwd())
  return holds(here, target) or holds(target, here)
end

--- Whether a waiting suggestion includes the file.
---@param file string
---@return boolean
function M.is_about(file)
  local state = require('copane.review.session').peek()
  for _, summary in ipairs(state and state.list or {}) do
    for _, name in ipairs(summary.files) do
      if require('copane.file').real(summary.target .. '/' .. name) == file then
        return true
      end
    end
  end
  return false
end

---@return table
local function wishes()
  return require('copane.config').get().suggestion_review.notifications
end

--- `5 hunks in 3 files`
---@param summary table
---@return string
function M.size_of(summary)
  return ('%s in %s'):format(counted(summary.hunkCount, 'hunk'), counted(#summary.files, 'file'))
end

--- The first line of its title, safe to show.
---@param summary table
---@return string
function M.title_of(summary)
  local title = vim.trim((summary.description:match('^[^\n]*') or ''))
  return title ~= '' and require('copane.hidden').shown(title) or 'no description'
end

--- Cuts text to so many columns.
---@param text string
---@param columns number
---@return string
local function cut(text, columns)
  if vim.fn.strdisplaywidth(text) <= columns then
    return text
  end
  local kept = text
  while kept ~= '' and vim.fn.strdisplaywidth(kept) >= columns do
    kept = vim.fn.strcharpart(kept, 0, vim.fn.strchars(kept) - 1)
  end
  return kept .. '…'
end

---@param summary table
function M.published(summary)
  if wishes().on_ready and M.concerns(summary.target) then
    local before, behind = 'Suggestion ready: ', (' (%s)'):format(M.size_of(summary))
    local room = math.max(TITLE_MIN_COLUMNS, message.room() - #before - #behind)
    local title = M.title_of(summary)
    message.info(before .. cut(title, room) .. behind, 'Ready: ' .. cut(title, message.room() - #'Ready: '))
  end
end

---@param report table
function M.reported(report)
  if report.error then
    if wishes().on_error then
      message.warn('copane: ' .. report.message)
    end
  elseif wishes().on_status then
    message.info(report.message)
  end
end

--- Whether a running host is worth following in the background.
---@return boolean
function M.is_wanted()
  local wanted = wishes()
  return wanted.on_ready or wanted.on_error or wanted.on_status
end

--- How many suggestions have an open hunk, as in copane's other screens: `copane: 3 to review`. Empty if none has one,
--- or if this is unknown.
---@return string
function M.statusline()
  local session = require('copane.review.session')
  session.show_in_statusline()
  local state = session.peek()
  local open = 0
  for _, summary in ipairs(state and state.list or {}) do
    if summary.status == 'pending' or summary.status == 'partial' then
      open = open + 1
    end
  end
  return open > 0 and ('copane: %d to review'):format(open) or ''
end

return M
