--- The arguments of `:Copane` and its relatives: parsing and completion.
local M = {}

local CONTEXTS = { 'bare', 'quote', 'line' }
local SOURCES = { 'auto', 'transcript', 'screen' }
local NUMBERS = { '1', '2', '3', '4', '5', '6', '7', '8', '9' }
local NUMBERS_AND_SOURCES = vim.list_extend(vim.list_extend({}, NUMBERS), SOURCES)

---@class CopaneSubcommand
---@field words string[]|fun(): string[] the possible arguments
---@field act string name of a function of `copane`, or of a review action
---@field is_review boolean|nil

---@param action string
---@return CopaneSubcommand
local function review(action)
  return { words = {}, act = action, is_review = true }
end

---@type table<string, CopaneSubcommand>
local SUBCOMMANDS = {
  send = { words = CONTEXTS, act = 'send' },
  pull = { words = NUMBERS_AND_SOURCES, act = 'pull' },
  split = { words = NUMBERS_AND_SOURCES, act = 'pull_split' },
  plain = { words = NUMBERS_AND_SOURCES, act = 'pull_plain' },
  clear = { words = {}, act = 'clear' },
  changes = { words = NUMBERS, act = 'changes' },
  review = {
    words = function()
      local names = require('copane.review.start').names()
      return vim.list_extend(names, require('copane.review.options').STYLES)
    end,
    act = 'review',
  },
  close = { words = {}, act = 'review_close' },
  diff = { words = {}, act = 'review_diff' },
  start = review('start'),
  next = review('next_hunk'),
  previous = review('prev_hunk'),
  ['next-open'] = review('next_open'),
  ['previous-open'] = review('prev_open'),
  ['next-open-file'] = review('next_open_file'),
  ['previous-open-file'] = review('prev_open_file'),
  filter = review('filter'),
  new = review('new'),
  fold = review('fold'),
  accept = review('accept'),
  reject = review('reject'),
  modify = review('modify'),
  ['modify-diff'] = review('modify_diff'),
  ['split-hunk'] = review('split'),
  ['join-hunk'] = review('join'),
  comment = review('comment'),
  ['say-why'] = review('say_why'),
  seen = review('seen'),
  undo = review('undo'),
  redo = review('redo'),
  ['undo-all'] = review('undo_all'),
  ['accept-file'] = review('accept_file'),
  ['reject-file'] = review('reject_file'),
  ['accept-all'] = review('accept_all'),
  ['reject-all'] = review('reject_all'),
  complete = review('complete'),
  commit = review('commit'),
  discard = review('discard'),
}

---@param known CopaneSubcommand
---@return string[]
local function words_of(known)
  return type(known.words) == 'function' and known.words() or known.words
end

--- What to review; or a style, or the id of a suggestion.
---@param words string[]
---@return table|nil options, string|nil wrong
local function review_options(words)
  local start, wrong = require('copane.review.start').args(words)
  if start or wrong then
    return not wrong and { start = start } or nil, wrong
  end
  local options = {}
  for _, word in ipairs(words) do
    if vim.tbl_contains(require('copane.review.options').STYLES, word) then
      options.style = word
    elseif word:match('^%x[%x-]+$') and not options.id then
      options.id = word
    else
      return nil, word
    end
  end
  return options, nil
end

--- The options for the arguments of a command, or the invalid argument.
---@param words string[]
---@return table|nil options, string|nil wrong
local function options_of(sub, words)
  if sub == 'review' then
    return review_options(words)
  end
  local options, known = {}, words_of(SUBCOMMANDS[sub])
  for _, word in ipairs(words) do
    local number = tonumber(word)
    if number and vim.tbl_contains(known, '1') and number >= 1 and number % 1 == 0 then
      options.number = number
    elseif not vim.tbl_contains(known, word) then
      return nil, word
    elseif sub == 'send' then
      options.context = word
    else
      options.source = word
    end
  end
  return options, nil
end

--- Runs one subcommand. `opts` are the options that Neovim passes to a user command.
---@param sub string
---@param words string[]
---@param opts table
function M.run(sub, words, opts)
  local known = SUBCOMMANDS[sub]
  if not known then
    return require('copane.message').warn(('copane: There is no command "%s"'):format(sub))
  end
  local options, wrong = options_of(sub, words)
  if not options then
    return require('copane.message').warn(('copane: %s does not know "%s"'):format(sub, wrong))
  end
  local rows = opts.range > 0 and { first = opts.line1, last = opts.line2 } or nil
  if known.is_review then
    return require('copane.review').actions[known.act]({ rows = rows })
  elseif sub == 'changes' then
    options.review = opts.bang
  elseif sub == 'send' then
    options.preview = opts.bang
    options.range = rows and { first = rows.first - 1, last = rows.last - 1 }
  end
  require('copane')[known.act](options)
end

---@param words string[]
---@param lead string
---@return string[]
local function starting(words, lead)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

--- Completes the arguments of `sub`; for `:Copane` (nil), the subcommand first.
---@param sub string|nil
---@param lead string
---@param line string
---@return string[]
function M.complete(sub, lead, line)
  if not sub then
    local before = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+')
    if #before < 2 then
      local names = vim.tbl_keys(SUBCOMMANDS)
      table.sort(names)
      return starting(names, lead)
    end
    sub = before[2]
  end
  local known = SUBCOMMANDS[sub]
  return known and starting(words_of(known), lead) or {}
end

return M
