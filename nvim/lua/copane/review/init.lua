--- The entry of the review: opens it in the chosen style, and has the actions of keys and commands. Without a review on
--- the screen, an action opens it instead: nothing is decided unseen.
local M = {}

local core = require('copane.review.core')
local intents = require('copane.review.intents')
local message = require('copane.message')
local session = require('copane.review.session')
local stops = require('copane.review.stops')

local NOT_READ = 'The suggestion is still loading'

--- The style on the screen.
---@type string|nil
local shown = nil

--- The module of a style; another plugin draws its own windows, and gets no updates.
---@param style 'floating'|'picker'|'inline'
---@return { open: fun(), close: fun(), is_open: (fun(): boolean), at: fun(rows: CopaneRows|nil): CopaneTarget[], string|nil }
local function module_of(style)
  return require('copane.review.' .. style)
end

--- A style that can be drawn here, and whether another plugin draws it.
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

--- Its style on the screen; nil if it is not there.
---@return string|nil
function M.style()
  return M.is_open() and (shown == 'plugin' and 'picker' or shown) or nil
end

--- Called by a view that has closed.
function M.closed()
  shown = nil
  session.rest()
end

--- Closes the view on the screen.
function M.close()
  local style = shown
  shown = nil
  if style and style ~= 'plugin' then
    module_of(style).close()
  end
  session.rest()
end

--- Saving a file may make a hunk fit or not fit.
local function look_after_saves()
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = vim.api.nvim_create_augroup('copane_review', {}),
    callback = function(event)
      local suggestion = M.is_open() and session.state().suggestion
      local file = suggestion and require('copane.file').of_buffer(event.buf)
      if file and vim.startswith(file, suggestion.target .. '/') then
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

--- A list of suggestions was requested, to open one of them: keys pressed meanwhile open nothing else.
local is_opening = false

--- Opens the review. Without `id`: the suggestion for this folder, or a question if there are several. With `start`,
--- the arguments of `copane review`, creates one first.
---@param options { style: string|nil, id: string|nil, start: string[]|nil }|nil
function M.open(options)
  if options and options.start then
    return require('copane.review.start').begin(options.start)
  end
  if is_opening and not options then
    return
  end
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
  if select(2, session.peek()).kind ~= 'connected' then
    message.progress('Looking for copane…')
  end
  is_opening = true
  session.list(function(list)
    is_opening = false
    if not list then
      return
    end
    local near = of_this_folder(list)
    if #near == 0 then
      session.rest()
      return message.info('No suggestion is waiting for a review', 'No suggestion is waiting')
    end
    message.progress('')
    if #near == 1 then
      return show(near[1].id)
    end
    choose(near, show)
  end)
end

--- The targets of an action: those of the view at these rows, or at its cursor. Says why if there are none.
---@param rows CopaneRows|nil
---@return CopaneTarget[]
local function targets(rows)
  local found, why
  if shown == 'plugin' then
    found, why = require('copane.review.keys').elsewhere(session.state().hunk, rows)
  else
    found, why = module_of(shown).at(rows)
  end
  if found[1] and not found[1].hunk then
    found, why = {}, session.state().ended and ('This suggestion is %s'):format(session.state().ended) or NOT_READ
  end
  if #found == 0 then
    message.info(why)
  end
  return found
end

--- An action of the review; opens the review instead if it is not on the screen.
---@param act fun(given: { rows: CopaneRows|nil }|nil)
---@return fun(given: { rows: CopaneRows|nil }|nil)
local function looking(act)
  return function(given)
    if not M.is_open() then
      return M.open()
    end
    act(given)
  end
end

--- Moves the mark to the hunk of an action: the one that the view shows as marked, or the one at the cursor.
---@param target CopaneTarget
---@param rows CopaneRows|nil
local function go_to(target, rows)
  if rows or shown == 'inline' or target.hunk ~= session.state().hunk then
    session.pick(target.hunk)
  end
  target.is_on_hunk = true
end

--- The same actions for a folded file as a whole.
local OF_FILE = { accept = 'accept_file', reject = 'reject_file' }

--- Whether the target is a folded file of several hunks.
---@param target CopaneTarget
---@return boolean
local function is_folded_file(target)
  local hunk = shown ~= 'inline' and core.find(session.state(), target.hunk) or nil
  return hunk ~= nil and #stops.together(session.state(), hunk) > 1
end

local function say_unfold()
  local key = require('copane.config').get().suggestion_review.keymaps.fold or ':Copane fold'
  message.info(('%s unfolds the file first'):format(key))
end

--- The user's intent for each hunk of the action.
---@param intent string
local function on_hunk(intent)
  return looking(function(given)
    local rows = given and given.rows
    for _, target in ipairs(targets(rows)) do
      local is_file = is_folded_file(target)
      if is_file and (intent == 'split' or intent == 'join') then
        return say_unfold()
      end
      go_to(target, rows)
      intents.intend(is_file and OF_FILE[intent] or intent, target)
    end
  end)
end

--- The user's intent for the suggestion.
---@param intent string
local function on_all(intent)
  return looking(function()
    intents.intend(intent)
  end)
end

---@param step number
local function moving(step)
  return looking(function()
    if shown == 'inline' then
      return require('copane.review.inline').jump(step)
    end
    session.move(step)
  end)
end

--- Moves to the next undecided hunk, or to the next file with one.
---@param step number
---@param is_file boolean
local function to_open(step, is_file)
  return looking(function()
    if require('copane.review.looking').to_open(step, is_file) and shown == 'inline' then
      require('copane.review.inline').go_to_marked()
    end
  end)
end

---@param name string of a function that changes the visited hunks
local function at_looking(name)
  return looking(function()
    require('copane.review.looking')[name]()
  end)
end

---@param as 'text'|'diff'
local function modifying(as)
  return looking(function()
    local target = targets()[1]
    if target and is_folded_file(target) then
      say_unfold()
    elseif target then
      go_to(target, nil)
      require('copane.review.modify').open(as)
    end
  end)
end

local function comment(given)
  local rows = given and given.rows
  local around, why
  if shown == 'inline' then
    around, why = require('copane.review.inline').around(rows)
  end
  if why then
    return message.info(why)
  end
  local found = around and { around } or targets(rows)
  if #found == 0 then
    return
  end
  -- The mark may move while the comment is being written.
  vim.ui.input({ prompt = 'Comment: ' }, function(text)
    for _, target in ipairs(text and found or {}) do
      intents.intend('comment', vim.tbl_extend('force', target, { text = text, is_on_hunk = true }))
    end
  end)
end

--- Comments on the last rejected hunk, since the mark has moved on.
local function say_why()
  local hunk = core.find(session.state(), session.state().rejected)
  if not hunk or hunk.status ~= 'rejected' then
    return message.info('No hunk was just rejected')
  end
  vim.ui.input({ prompt = ('Why not %s? '):format(require('copane.review.paint').name_of(hunk)) }, function(text)
    if text and text:find('%S') then
      intents.intend('comment', { hunk = hunk.id, text = text, is_on_hunk = true })
    end
  end)
end

--- Toggles whether the hunk, or all of a folded file, is marked as seen.
local function turn_seen()
  local target = targets()[1]
  if not target then
    return
  end
  go_to(target, nil)
  local state = session.state()
  local viewed = not state.viewed[target.hunk]
  local hunk = core.find(state, target.hunk)
  for _, each in ipairs(hunk and shown ~= 'inline' and stops.together(state, hunk) or { { id = target.hunk } }) do
    intents.intend('view', { hunk = each.id, viewed = viewed })
  end
end

local function commit()
  vim.ui.input({ prompt = 'Commit message: ' }, function(text)
    if text and text:find('%S') then
      intents.intend('commit', { message = text })
    end
  end)
end

--- The actions of keys and commands, by the name of the key.
---@type table<string, fun(given: { rows: CopaneRows|nil }|nil)>
M.actions = {
  next_hunk = moving(1),
  prev_hunk = moving(-1),
  next_open = to_open(1, false),
  prev_open = to_open(-1, false),
  next_open_file = to_open(1, true),
  prev_open_file = to_open(-1, true),
  filter = at_looking('turn_filter'),
  new = at_looking('turn_new'),
  fold = at_looking('turn_fold'),
  say_why = looking(say_why),
  start = function()
    require('copane.review.start').menu()
  end,
  accept = on_hunk('accept'),
  reject = on_hunk('reject'),
  accept_file = on_hunk('accept_file'),
  reject_file = on_hunk('reject_file'),
  accept_all = on_all('accept_all'),
  reject_all = on_all('reject_all'),
  undo = looking(function()
    intents.intend('undo', { is_on_hunk = true })
  end),
  redo = on_all('redo'),
  undo_all = on_all('undo_all'),
  complete = on_all('finish'),
  commit = looking(commit),
  discard = on_all('discard'),
  split = on_hunk('split'),
  join = on_hunk('join'),
  modify = modifying('text'),
  modify_diff = modifying('diff'),
  comment = looking(comment),
  seen = looking(turn_seen),
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
