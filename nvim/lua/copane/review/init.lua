--- The door of the review: opens it in the style that is wished for, and the actions behind keys and commands. An
--- action without a review on the screen opens it instead: nothing is decided on unseen.
local M = {}

local core = require('copane.review.core')
local message = require('copane.message')
local session = require('copane.review.session')

local NO_HUNK = 'No hunk under the cursor; next and previous go to one'

--- The style that is on the screen.
---@type string|nil
local shown = nil

local MODULES = { floating = 'floating', picker = 'picker', inline = 'inline' }

---@param style string
---@return { open: fun(), close: fun(), is_open: fun(): boolean }
local function module_of(style)
  return require('copane.review.' .. MODULES[style])
end

--- The style as one that can be drawn here, and whether another plugin draws it.
---@param style string
---@return string style, string|nil plugin
local function resolve(style)
  local wish = require('copane.config').get().suggestion_review.ui.picker
  if style == 'telescope' or style == 'fzf-lua' then
    style, wish = 'picker', style
  end
  if style ~= 'picker' or wish == 'builtin' then
    return style, nil
  end
  return style, require('copane.review.plugins').find(wish)
end

--- Whether the review is on the screen.
---@return boolean
function M.is_open()
  return shown ~= nil and (shown == 'plugin' or module_of(shown).is_open())
end

--- How it is on the screen; nil when it is not.
---@return string|nil
function M.style()
  if not M.is_open() then
    return nil
  end
  return shown == 'plugin' and 'picker' or shown
end

--- Told by a view that it has closed.
function M.closed()
  shown = nil
  session.rest()
end

--- Closes what is on the screen.
function M.close()
  local style = shown
  shown = nil
  if style and style ~= 'plugin' then
    module_of(style).close()
  end
  session.rest()
end

--- A file that the user saves may make a hunk fit, or no longer.
local function look_after_saves()
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = vim.api.nvim_create_augroup('copane_review', {}),
    callback = function(event)
      local suggestion = M.is_open() and session.state().suggestion
      local name = (vim.uv or vim.loop).fs_realpath(vim.api.nvim_buf_get_name(event.buf))
      if suggestion and name and vim.startswith(name, suggestion.target .. '/') then
        session.read()
      end
    end,
  })
end

---@param style string
local function draw(style)
  require('copane.review.draw').set_highlights()
  look_after_saves()
  local drawn, plugin = resolve(style)
  local wanted = plugin and 'plugin' or drawn
  if shown and (shown ~= wanted or plugin) then
    M.close()
  end
  shown = wanted
  if plugin then
    require('copane.review.plugins').open(plugin)
  else
    module_of(drawn).open()
  end
end

---@param list table[]
---@return table[]
local function of_this_folder(list)
  local notify = require('copane.review.notify')
  local near = vim.tbl_filter(function(summary)
    return notify.concerns(summary.target)
  end, list)
  return #near > 0 and near or list
end

---@param list table[]
---@param on_choice fun(id: string)
local function choose(list, on_choice)
  local notify = require('copane.review.notify')
  vim.ui.select(list, {
    prompt = 'Which suggestion?',
    format_item = function(summary)
      local decided = ('%d/%d decided'):format(summary.decidedCount, summary.hunkCount)
      return ('%s (%s, %s)'):format(notify.title_of(summary), notify.size_of(summary), decided)
    end,
  }, function(summary)
    if summary then
      on_choice(summary.id)
    end
  end)
end

--- Opens the review. Without `id`: the suggestion for this folder, or a question which of them.
---@param options { style: string|nil, id: string|nil }|nil
function M.open(options)
  options = options or {}
  local style = options.style or require('copane.config').get().suggestion_review.ui.style
  local function show(id)
    session.open(id)
    draw(style)
  end
  local open = session.state().id
  if options.id then
    return show(options.id)
  elseif open and not session.state().ended and M.is_open() then
    return show(open)
  end
  if session.link_state().kind ~= 'connected' then
    message.progress('Looking for copane…')
  end
  session.list(function(list)
    if not list then
      return
    end
    message.progress('')
    local near = of_this_folder(list)
    if #near == 0 then
      session.rest()
      return message.info('No suggestion waits for a review')
    elseif #near == 1 then
      return show(near[1].id)
    end
    choose(near, show)
  end)
end

--- Makes the hunk under the cursor the marked one, where hunks are shown in files.
---@return boolean whether there is a hunk to act on
local function mark_under_cursor()
  if shown ~= 'inline' then
    return true
  end
  local id = require('copane.review.inline').under_cursor()
  if id then
    session.mark(id)
  end
  return id ~= nil
end

--- An action on the marked hunk, or under the cursor; opens the review where none is on the screen.
---@param intent string
---@param options { is_on_hunk: boolean }
local function acting(intent, options)
  return function(given)
    if not M.is_open() then
      return M.open()
    elseif options.is_on_hunk and not mark_under_cursor() then
      return message.info(NO_HUNK)
    end
    session.intend(intent, given)
  end
end

---@param step number
local function moving(step)
  return function()
    if not M.is_open() then
      return M.open()
    elseif shown == 'inline' then
      return require('copane.review.inline').jump(step)
    end
    session.move(step)
  end
end

local function modify()
  if not M.is_open() then
    return M.open()
  elseif not mark_under_cursor() then
    return message.info(NO_HUNK)
  end
  require('copane.review.modify').open()
end

local function comment(given)
  if not M.is_open() then
    return M.open()
  elseif not mark_under_cursor() then
    return message.info(NO_HUNK)
  end
  local hunk = core.marked(session.state())
  if not hunk then
    return message.info('The suggestion is still being read')
  end
  -- The mark may move while the words are written.
  vim.ui.input({ prompt = 'Comment: ' }, function(text)
    if text then
      session.intend('comment', { text = text, hunk = hunk.id, lines = given and given.lines })
    end
  end)
end

--- What keys and commands do, by the name of the key.
---@type table<string, fun(given: table|nil)>
M.actions = {
  next_hunk = moving(1),
  prev_hunk = moving(-1),
  accept = acting('accept', { is_on_hunk = true }),
  reject = acting('reject', { is_on_hunk = true }),
  accept_file = acting('accept_file', { is_on_hunk = true }),
  reject_file = acting('reject_file', { is_on_hunk = true }),
  accept_all = acting('accept_all', { is_on_hunk = false }),
  reject_all = acting('reject_all', { is_on_hunk = false }),
  undo = acting('undo', { is_on_hunk = false }),
  redo = acting('redo', { is_on_hunk = false }),
  complete = acting('complete', { is_on_hunk = false }),
  discard = acting('discard', { is_on_hunk = false }),
  modify = modify,
  comment = comment,
  layout = function()
    if shown == 'floating' then
      require('copane.review.floating').toggle_layout()
    end
  end,
  open_review = function()
    M.open()
  end,
}

return M
