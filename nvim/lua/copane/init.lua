--- The public interface: setup and the actions. Loads the module of an action on first use.
local M = {}

--- Checks the options, and remaps the keys if some were given. Reports invalid options and uses their defaults.
---@param options table|nil
function M.setup(options)
  local config = require('copane.config')
  for _, problem in ipairs(config.set(options)) do
    require('copane.message').warn(problem)
  end
  options = type(options) == 'table' and options or {}
  if options.keys ~= nil then
    require('copane.keys').map(config.get().keys)
  end
  local review = options.suggestion_review
  if type(review) == 'table' and (review.keymaps or review.global_keymaps) then
    require('copane.keys').map_review(config.get().suggestion_review)
  end
end

--- Opens the review of suggestions. `options`: style (floating, picker, inline, telescope, fzf-lua), id.
---@param options { style: string|nil, id: string|nil }|nil
function M.review(options)
  require('copane.review').open(options)
end

--- Closes the review; decisions stay.
function M.review_close()
  require('copane.review').close()
end

--- Compares the current buffer with its file on disk, after a decision has changed the file under unsaved edits.
function M.review_diff()
  require('copane.review.compare').open()
end

--- How many hunks wait for this folder, for a status line: `%{v:lua.require'copane'.statusline()}`.
---@return string
function M.statusline()
  return require('copane.review.notify').statusline()
end

--- Follows a running host, to report suggestions as they arrive. Starts none.
function M.follow()
  if require('copane.review.notify').is_wanted() then
    require('copane.review.session').follow(false)
  end
end

--- Sends the notes of the buffer. `options`: range {first, last} from 0, context, preview.
---@param options table|nil
function M.send(options)
  require('copane.send').send(options or {})
end

--- Sends the notes of the visual selection.
function M.send_selection()
  local rows = require('copane.keys').take_selection()
  M.send({ range = { first = rows.first - 1, last = rows.last - 1 } })
end

--- Pulls a response below the cursor. `options`: number (1 = the newest; a count of the key), source.
---@param options table|nil
function M.pull(options)
  require('copane.pull').pull('here', options or {})
end

--- Pulls a response into a split.
---@param options table|nil
function M.pull_split(options)
  require('copane.pull').pull('split', options or {})
end

--- Pulls a response as plain text, which counts as yours.
---@param options table|nil
function M.pull_plain(options)
  require('copane.pull').pull('plain', options or {})
end

--- Lists an answer's changes in the quickfix list, or with `review` opens a review of them. `number`: 1 is the newest.
---@param options { number: number|nil, review: boolean|nil }|nil
function M.changes(options)
  options = options or {}
  local changes = require('copane.changes')
  local open = options.review and changes.review or changes.list
  open(options)
end

--- Removes the pulled lines from the buffer; edited ones stay.
function M.clear()
  require('copane.pull').clear()
end

return M
