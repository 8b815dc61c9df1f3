--- The words behind `:Copane`, `:CopaneSend` and `:CopanePull`: what they mean and how they complete.
local M = {}

local CONTEXTS = { 'bare', 'quote', 'line' }
local SOURCES = { 'auto', 'transcript', 'screen' }
local NUMBERS = { '1', '2', '3', '4', '5', '6', '7', '8', '9' }

---@type table<string, { words: string[], act: string }>
local SUBCOMMANDS = {
  send = { words = CONTEXTS, act = 'send' },
  pull = { words = vim.list_extend(vim.list_extend({}, NUMBERS), SOURCES), act = 'pull' },
  split = { words = vim.list_extend(vim.list_extend({}, NUMBERS), SOURCES), act = 'pull_split' },
  plain = { words = vim.list_extend(vim.list_extend({}, NUMBERS), SOURCES), act = 'pull_plain' },
  clear = { words = {}, act = 'clear' },
}

--- The options that the words of a command mean, or the word that means nothing.
---@param words string[]
---@return table|nil options, string|nil wrong
local function options_of(sub, words)
  local options = {}
  for _, word in ipairs(words) do
    local number = tonumber(word)
    if number and sub ~= 'send' and sub ~= 'clear' and number >= 1 and number % 1 == 0 then
      options.number = number
    elseif not vim.tbl_contains(SUBCOMMANDS[sub].words, word) then
      return nil, word
    elseif sub == 'send' then
      options.context = word
    else
      options.source = word
    end
  end
  return options, nil
end

--- Runs one subcommand. `opts` is what Neovim hands to a user command.
---@param sub string
---@param words string[]
---@param opts table
function M.run(sub, words, opts)
  local known = SUBCOMMANDS[sub]
  if not known then
    return require('copane.message').warn(('copane: there is no command "%s"'):format(sub))
  end
  local options, wrong = options_of(sub, words)
  if not options then
    return require('copane.message').warn(('copane: %s does not know "%s"'):format(sub, wrong))
  end
  if sub == 'send' then
    options.preview = opts.bang
    options.range = opts.range > 0 and { first = opts.line1 - 1, last = opts.line2 - 1 } or nil
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

--- Completes the words of `sub`; of `:Copane` (nil) the subcommand first.
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
  return known and starting(known.words, lead) or {}
end

return M
