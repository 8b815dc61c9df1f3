--- The options of the review, `suggestion_review` in `setup`: their defaults, and checks of the user's values.
local M = {}

M.STYLES = { 'floating', 'picker', 'inline', 'telescope', 'fzf-lua' }

---@class CopaneReviewOptions
M.DEFAULTS = {
  server = {
    --- The host's socket; nil for copane's own default.
    socket = nil,
    --- The original server's address. Accepted but unused: the review comes over copane's own socket.
    host = 'localhost',
    port = 4097,
  },
  ui = {
    style = 'floating',
    position = 'right',
    --- A share of the screen up to 1, else columns (rows at the top and the bottom).
    width = 0.4,
    layout = 'auto',
    picker = 'auto',
  },
  --- In the windows of the review.
  keymaps = {
    open_review = '<leader>sr',
    accept = 'a',
    reject = 'r',
    modify = 'm',
    modify_diff = 'M',
    split = 's',
    join = 'S',
    next_hunk = 'n',
    prev_hunk = 'p',
    next_open = ']',
    prev_open = '[',
    next_open_file = '}',
    prev_open_file = '{',
    start = 'b',
    filter = 'O',
    new = 'L',
    fold = 'z',
    accept_all = 'A',
    reject_all = 'X',
    accept_file = 'f',
    reject_file = 'F',
    comment = 'c',
    say_why = 'i',
    seen = 'o',
    undo = 'u',
    redo = '<C-r>',
    undo_all = 'U',
    layout = '|',
    complete = '<CR>',
    commit = 'C',
    discard = 'd',
    back = '<Esc>',
  },
  --- Everywhere; in a file with visible hunks they apply to the hunk under the cursor.
  global_keymaps = {
    next_hunk = '<leader>sn',
    prev_hunk = '<leader>sp',
    accept = '<leader>sa',
    reject = '<leader>sx',
    modify = '<leader>sm',
    accept_all = '<leader>sA',
    reject_all = '<leader>sX',
    discard = '<leader>sd',
    complete = '<leader>sc',
  },
  notifications = {
    on_ready = true,
    on_error = true,
    on_status = false,
  },
}

local LOCAL_HOSTS = { localhost = true, ['127.0.0.1'] = true, ['::1'] = true, [''] = true }

---@param words string[]
local function one_of(words)
  return function(value)
    return not vim.tbl_contains(words, value) and 'must be one of ' .. table.concat(words, ', ') or nil
  end
end

local function boolean(value)
  return type(value) ~= 'boolean' and 'must be true or false' or nil
end

local function key(value)
  local is_key = value == false or (type(value) == 'string' and value ~= '')
  return not is_key and 'must be a key, or false for none' or nil
end

local CHECKS = {
  server = {
    socket = function(value)
      return type(value) ~= 'string' and 'must be a path' or nil
    end,
    host = function(value)
      if type(value) ~= 'string' then
        return 'must be a name'
      end
      return not LOCAL_HOSTS[value] and 'must be this machine: the review comes over a socket of your own' or nil
    end,
    port = function(value)
      local is_port = type(value) == 'number' and value % 1 == 0 and value > 0 and value < 65536
      return not is_port and 'must be a port, 1 to 65535' or nil
    end,
  },
  ui = {
    style = one_of(M.STYLES),
    position = one_of({ 'right', 'left', 'top', 'bottom', 'center' }),
    width = function(value)
      return not (type(value) == 'number' and value > 0) and 'must be a number above 0' or nil
    end,
    layout = one_of({ 'auto', 'inline', 'side_by_side' }),
    picker = one_of({ 'auto', 'builtin', 'telescope', 'fzf-lua' }),
  },
  keymaps = key,
  global_keymaps = key,
  notifications = boolean,
}

--- A key given for one action is removed from the action that has it by default. A key given for two actions is
--- ambiguous: it gets neither, and both names are reported.
---@param keymaps table
---@param given table
---@param problem fun(name: string, words: string)
local function settle_keys(keymaps, given, problem)
  local owner = {}
  local names = vim.tbl_keys(given)
  table.sort(names)
  for _, name in ipairs(names) do
    local lhs = keymaps[name] == given[name] and given[name] or nil
    local other = lhs and owner[lhs]
    if other then
      keymaps[name], keymaps[other] = false, false
      problem(name, ('has the key %s, and so has "%s"; it does neither'):format(lhs, other))
    elseif lhs then
      owner[lhs] = name
    end
  end
  for name, lhs in pairs(keymaps) do
    if given[name] == nil and owner[lhs] then
      keymaps[name] = false
    end
  end
end

--- The fault of one value; nil if it has none.
---@param section string
---@param name string
---@param value any
---@return string|nil
local function wrong_with(section, name, value)
  local checks = CHECKS[section]
  local check = type(checks) == 'table' and checks[name] or nil
  if type(checks) == 'function' and M.DEFAULTS[section][name] ~= nil then
    check = checks
  end
  if not check then
    return 'does not exist'
  end
  local words = check(value)
  return words and ('%s, not %s'):format(words, vim.inspect(value)) or nil
end

--- The options with `given` merged in; adds messages about invalid values, which are ignored, to `problems`.
---@param given table|nil
---@param problems string[]
---@return CopaneReviewOptions
function M.merge(given, problems)
  local merged = vim.deepcopy(M.DEFAULTS)
  local function problem(name, words)
    table.insert(problems, ('copane: Option "suggestion_review.%s" %s'):format(name, words))
  end
  for section, values in pairs(given or {}) do
    if not CHECKS[section] then
      problem(section, 'does not exist')
    elseif type(values) ~= 'table' then
      problem(section, 'must be a table, not ' .. vim.inspect(values))
    else
      for name, value in pairs(values) do
        local wrong = wrong_with(section, name, value)
        if wrong then
          problem(('%s.%s'):format(section, name), wrong)
        else
          merged[section][name] = value
        end
      end
      if CHECKS[section] == key then
        settle_keys(merged[section], values, function(name, words)
          problem(('%s.%s'):format(section, name), words)
        end)
      end
    end
  end
  return merged
end

return M
