--- Starts a review of the user's own changes, or of an answer's changes. The `copane` program creates it.
local M = {}

local message = require('copane.message')
local CHOICES = require('copane.review.sign_table').starts

--- The arguments of `:Copane review`.
---@return string[]
function M.names()
  return vim.tbl_map(function(choice)
    return choice.name
  end, CHOICES)
end

--- The arguments of `copane review` for the arguments of a command; nil if the first one starts nothing.
---@param words string[]
---@return string[]|nil args, string|nil wrong
function M.args(words)
  local name, given = words[1], words[2]
  local known = vim.tbl_filter(function(choice)
    return choice.name == name
  end, CHOICES)[1]
  if not known then
    return nil, nil
  elseif name == 'turn' and (given or '1'):match('^%d+$') then
    return { '--turn', given or '1' }, words[3]
  elseif name == 'branch' and given and not vim.startswith(given, '-') then
    return { given }, words[3]
  elseif name == 'branch' and not given then
    return nil, name
  end
  return known.args, given
end

--- Creates the review and opens it.
---@param args string[]
function M.begin(args)
  require('copane.client').review(args, function(id, failure)
    if id then
      require('copane').review({ id = id })
    else
      message.warn(failure)
    end
  end)
end

local function ask_branch()
  vim.ui.input({ prompt = 'Branch or range: ' }, function(text)
    local range = vim.trim(text or '')
    if range ~= '' and not vim.startswith(range, '-') then
      M.begin({ range })
    end
  end)
end

--- Asks what to review.
function M.menu()
  vim.ui.select(CHOICES, {
    prompt = 'Review what?',
    format_item = function(choice)
      return choice.words
    end,
  }, function(choice)
    if choice and choice.name == 'branch' then
      ask_branch()
    elseif choice then
      M.begin(choice.args)
    end
  end)
end

return M
