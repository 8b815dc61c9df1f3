--- The picker by Telescope or fzf-lua, if one of them is installed by the user. Neither is required.
local M = {}

local paint = require('copane.review.paint')
local session = require('copane.review.session')
local stops = require('copane.review.stops')
local signs = require('copane.review.sign_table')

--- The plugin that draws the picker; nil for the built-in one.
---@param wish 'auto'|'telescope'|'fzf-lua'
---@return string|nil
function M.find(wish)
  -- Both need it; with older versions they offer no picker.
  if vim.fn.has('nvim-0.9') == 0 then
    return nil
  end
  for _, name in ipairs({ 'telescope', 'fzf-lua' }) do
    if (wish == 'auto' or wish == name) and pcall(require, name) then
      return name
    end
  end
  return nil
end

--- The row of a hunk as plain text.
---@param hunk table
---@return string
local function text_of(hunk)
  local parts = { signs.marks[paint.status_of_stop(session.state(), hunk)] .. ' ' .. paint.name_of(hunk), paint.size_of_stop(session.state(), hunk) }
  return table.concat(vim.list_extend(parts, paint.news_of(session.state(), hunk)), '  ')
end

---@param id string
local function show_hunk(id)
  session.pick(id)
  vim.schedule(function()
    require('copane.review').open({ style = 'floating', id = session.state().id })
  end)
end

--- Rows of all hunks.
---@return string[]
local function texts()
  return vim.tbl_map(text_of, stops.list(session.state()))
end

--- Waits until the suggestion is read, which both plugins need before they open.
---@param act fun()
local function when_read(act)
  if session.state().suggestion then
    return act()
  end
  local unsubscribe
  unsubscribe = session.subscribe(function()
    if session.state().suggestion and unsubscribe then
      unsubscribe()
      unsubscribe = nil
      act()
    end
  end)
end

--- Keys of the review that the picker has in its normal mode.
local PICKER_KEYS = {
  'accept',
  'reject',
  'accept_file',
  'reject_file',
  'accept_all',
  'reject_all',
  'undo',
  'redo',
  'undo_all',
  'comment',
  'seen',
  'modify',
  'modify_diff',
  'split',
  'join',
  'discard',
}

local function telescope_finder()
  return require('telescope.finders').new_table({
    results = stops.list(session.state()),
    entry_maker = function(hunk)
      local text = text_of(hunk)
      return { value = hunk.id, display = text, ordinal = text }
    end,
  })
end

--- Redraws the rows when one of them has changed, while the picker exists.
---@param prompt number its buffer
local function follow_in_telescope(prompt)
  local before = table.concat(texts(), '\n')
  local unsubscribe = session.subscribe(vim.schedule_wrap(function()
    local after = table.concat(texts(), '\n')
    -- A moved mark changes no row; a refresh would reset the selection.
    if after ~= before and vim.api.nvim_buf_is_valid(prompt) then
      before = after
      local picker = require('telescope.actions.state').get_current_picker(prompt)
      local row = picker:get_selection_row()
      picker:register_completion_callback(function(self)
        self:set_selection(row)
        self:clear_completion_callbacks()
      end)
      picker:refresh(telescope_finder(), { reset_prompt = false })
    end
  end))
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = prompt,
    once = true,
    callback = function()
      unsubscribe()
      require('copane.review').closed()
    end,
  })
end

---@param prompt number
---@param map fun(mode: string, key: string, act: fun())
---@return boolean
local function attach_to_telescope(prompt, map)
  local actions, action_state = require('telescope.actions'), require('telescope.actions.state')
  follow_in_telescope(prompt)
  actions.select_default:replace(function()
    local entry = action_state.get_selected_entry()
    actions.close(prompt)
    if entry then
      show_hunk(entry.value)
    end
  end)
  local keymaps = require('copane.config').get().suggestion_review.keymaps
  for _, name in ipairs(PICKER_KEYS) do
    if keymaps[name] then
      map('n', keymaps[name], function()
        local entry = action_state.get_selected_entry()
        if entry then
          session.pick(entry.value)
          require('copane.review').actions[name]({})
        end
      end)
    end
  end
  return true
end

local function telescope()
  local previewer = require('telescope.previewers').new_buffer_previewer({
    title = 'Hunk',
    define_preview = function(self, entry)
      session.pick(entry.value)
      require('copane.review.draw').rows(self.state.bufnr, paint.inline(session.state()))
    end,
  })
  require('telescope.pickers')
    .new({ initial_mode = 'normal' }, {
      prompt_title = require('copane.review.notify').title_of(session.state().suggestion),
      finder = telescope_finder(),
      sorter = require('telescope.config').values.generic_sorter({}),
      previewer = previewer,
      attach_mappings = attach_to_telescope,
    })
    :find()
end

--- The hunk of an fzf row; its number comes first.
---@param selected string[]|nil
---@return string|nil
local function hunk_of(selected)
  local number = selected and selected[1] and tonumber(selected[1]:match('^%s*(%d+)'))
  local hunk = number and stops.list(session.state())[number]
  return hunk and hunk.id
end

local function fzf()
  local function rows()
    local found = {}
    for at, text in ipairs(texts()) do
      found[at] = ('%d %s'):format(at, text)
    end
    return found
  end
  local function on(name)
    return function(selected)
      local id = hunk_of(selected)
      if not id then
        return
      end
      session.pick(id)
      require('copane.review.intents').intend(name, { is_on_hunk = true }, function()
        require('copane.review').open({ style = 'fzf-lua', id = session.state().id })
      end)
    end
  end
  local title = require('copane.review.notify').title_of(session.state().suggestion)
  require('fzf-lua').fzf_exec(rows(), {
    prompt = title .. '> ',
    preview = function(selected)
      local id = hunk_of(selected)
      if id then
        session.pick(id)
      end
      local lines = {}
      for _, row in ipairs(paint.inline(session.state())) do
        local text = ''
        for _, chunk in ipairs(row.chunks) do
          text = text .. chunk[1]
        end
        table.insert(lines, text)
      end
      return table.concat(lines, '\n')
    end,
    actions = {
      ['default'] = function(selected)
        local id = hunk_of(selected)
        if id then
          show_hunk(id)
        end
      end,
      ['ctrl-a'] = on('accept'),
      ['ctrl-x'] = on('reject'),
    },
    winopts = {
      on_close = function()
        require('copane.review').closed()
      end,
    },
  })
end

--- Opens the picker of a plugin named by `find`.
---@param name string
function M.open(name)
  when_read(name == 'telescope' and telescope or fzf)
end

return M
