--- The options: their defaults, and checks of the user's values. Reads no file.
local M = {}

---@class CopaneOptions
---@field cmd string|string[]|nil the copane program; nil: "copane" on the PATH, else the checkout of this plugin
---@field pane string|nil the AI pane; nil: copane finds it
---@field source string where to read: auto, transcript, screen
---@field context string|nil the context of a note: bare, quote, line; nil: as configured in copane
---@field preview string auto: shown if something must be decided; always
---@field after_send string sent notes: auto (stay in a file, leave any other buffer), remove, keep
---@field split string the command that opens the split
---@field timeout_ms number how long to wait for copane
---@field keys table<string, string|false>
---@field suggestion_review CopaneReviewOptions
local DEFAULTS = {
  cmd = nil,
  pane = nil,
  source = 'auto',
  context = nil,
  preview = 'auto',
  after_send = 'auto',
  split = 'botright vnew',
  timeout_ms = 120000,
  keys = {
    send = '<leader>llms',
    pull = '<leader>llmp',
    pull_split = '<leader>llmP',
    pull_plain = '<leader>llmv',
    clear = '<leader>llmx',
  },
}

---@param ... string
---@return CopaneCheck
local function one_of(...)
  local words = { ... }
  return function(value)
    return not vim.tbl_contains(words, value) and 'one of ' .. table.concat(words, ', ') or nil
  end
end

local function text(value)
  return (type(value) ~= 'string' or value == '') and 'a string that is not empty' or nil
end

local function dictionary(value)
  return type(value) ~= 'table' and 'a table' or nil
end

local function program(value)
  local argv = type(value) == 'table' and value or { value }
  local is_good = #argv > 0 and vim.tbl_count(argv) == #argv
  for _, word in ipairs(argv) do
    is_good = is_good and not text(word)
  end
  return not is_good and 'a string, or a list of strings' or nil
end

local function duration(value)
  return not (type(value) == 'number' and value > 0) and 'a number of milliseconds above 0' or nil
end

---@alias CopaneCheck fun(value: any): string|nil what it must be; nil: valid

---@type table<string, CopaneCheck>
local CHECKS = {
  cmd = program,
  pane = text,
  source = one_of('auto', 'transcript', 'screen'),
  context = one_of('bare', 'quote', 'line'),
  preview = one_of('auto', 'always'),
  after_send = one_of('auto', 'remove', 'keep'),
  split = text,
  timeout_ms = duration,
  keys = dictionary,
  suggestion_review = dictionary,
}

local function defaults()
  local fresh = vim.deepcopy(DEFAULTS)
  fresh.suggestion_review = require('copane.review.options').merge(nil, {})
  return fresh
end

---@type CopaneOptions|nil
local current = nil

---@return CopaneOptions
function M.get()
  current = current or defaults()
  return current
end

--- Sets the options; returns a message for each invalid one, which is ignored.
---@param options table|nil
---@return string[]
function M.set(options)
  current = defaults()
  if options ~= nil and type(options) ~= 'table' then
    return { ('copane: setup() takes a table of options, not %s'):format(vim.inspect(options)) }
  end
  local problems = {}
  for name, value in pairs(options or {}) do
    local check = CHECKS[name]
    local wanted = check and check(value)
    if not check then
      table.insert(problems, ('copane: There is no option "%s"'):format(name))
    elseif wanted then
      table.insert(problems, ('copane: Option "%s" must be %s, not %s'):format(name, wanted, vim.inspect(value)))
    elseif name == 'keys' then
      M._set_keys(value, problems)
    elseif name == 'suggestion_review' then
      current.suggestion_review = require('copane.review.options').merge(value, problems)
    else
      current[name] = value
    end
  end
  table.sort(problems)
  return problems
end

---@param keys table
---@param problems string[]
function M._set_keys(keys, problems)
  for name, key in pairs(keys) do
    if DEFAULTS.keys[name] == nil then
      table.insert(problems, ('copane: There is no key "%s"'):format(name))
    elseif key ~= false and text(key) then
      table.insert(problems, ('copane: Key "%s" must be a string, or false for none'):format(name))
    else
      current.keys[name] = key
    end
  end
end

--- The copane program as the start of an argument list.
---@return string[]
function M.command()
  local cmd = M.get().cmd
  if type(cmd) == 'table' then
    return vim.list_extend({}, cmd)
  end
  if cmd then
    return { vim.fn.expand(cmd) }
  end
  if vim.fn.executable('copane') == 1 then
    return { 'copane' }
  end
  local here = debug.getinfo(1, 'S').source:sub(2)
  local beside = vim.fn.fnamemodify(require('copane.file').real(here), ':h:h:h:h') .. '/bin/copane'
  return { vim.fn.executable(beside) == 1 and beside or 'copane' }
end

return M
