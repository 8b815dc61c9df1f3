--- The public door: setup and the actions. Loads the module of an action when it is used.
local M = {}

--- Checks the options, and maps the keys anew when some were named. Wrong ones are told and the defaults count.
---@param options table|nil
function M.setup(options)
  local problems = require('copane.config').set(options)
  for _, problem in ipairs(problems) do
    require('copane.message').warn(problem)
  end
  if options and options.keys ~= nil then
    require('copane.keys').map(require('copane.config').get().keys)
  end
end

--- Sends the notes of the buffer. `options`: range {first, last} from 0, context, preview.
---@param options table|nil
function M.send(options)
  require('copane.send').send(options or {})
end

--- Sends the notes of the visual selection.
function M.send_selection()
  local first, last = vim.fn.line('v'), vim.fn.line('.')
  if first > last then
    first, last = last, first
  end
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<Esc>', true, false, true), 'nx', false)
  M.send({ range = { first = first - 1, last = last - 1 } })
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

--- Pulls a response as plain text, which is yours from then on.
---@param options table|nil
function M.pull_plain(options)
  require('copane.pull').pull('plain', options or {})
end

--- Takes the pulled lines out of the buffer; edited ones stay.
function M.clear()
  require('copane.pull').clear()
end

return M
