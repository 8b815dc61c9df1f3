--- The connection to copane's host: finds it, follows its events, reconnects after a restart, and starts a host with
--- the `copane` program if one is needed and none runs. Does not interpret messages.
local M = {}

local uv = vim.uv or vim.loop
local feed = require('copane.review.feed')
local lines = require('copane.review.lines')
local requests = require('copane.review.requests')

--- The pause after a failed attempt doubles from the first to the second; to the third while nobody needs a host.
local RETRY_MIN_MS, RETRY_MAX_MS, IDLE_RETRY_MAX_MS = 20, 250, 3000
--- When a host is gone, another copane may be about to lead: wait this long before starting one.
local START_AFTER_MS = 400
--- After this long without an answer, say so and keep waiting.
local SILENT_AFTER_MS = 3000

---@class CopaneLinkState
---@field kind 'off'|'searching'|'starting'|'connected'
---@field problem string|nil

---@class CopaneLinkOptions
---@field socket string
---@field command string[] the copane program
---@field on_state fun(state: CopaneLinkState)
---@field on_event fun(body: table)
---@field on_reload fun() the state must be reread

---@class CopaneLink
---@field options CopaneLinkOptions
---@field state CopaneLinkState
---@field is_needed boolean somebody waits, so a host may be started
---@field pipe userdata|nil
---@field attempt number grows with each connection; messages of older ones are ignored
---@field pause_ms number
---@field lost_at number
---@field timer userdata|nil
---@field watch userdata|nil
---@field host userdata|nil the process we started
---@field host_stdin userdata|nil closing it ends the host
---@field has_failed string|nil why no host could be started
---@field feed CopaneFeed
---@field requests CopaneRequests
local Link = {}
Link.__index = Link

---@return number ms
local function now()
  return uv.hrtime() / 1e6
end

---@param options table
---@return CopaneLink
function M.new(options)
  return setmetatable({
    options = options,
    state = { kind = 'off' },
    is_needed = false,
    pipe = nil,
    attempt = 0,
    pause_ms = RETRY_MIN_MS,
    lost_at = -START_AFTER_MS,
    timer = nil,
    watch = nil,
    host = nil,
    feed = feed.new(),
    requests = requests.new(('nvim/%d/%d'):format(uv.os_getpid(), uv.hrtime())),
  }, Link)
end

--- Connects as soon as a host runs, and reconnects after each loss. `is_needed`: starts one if none runs.
---@param is_needed boolean
function Link:follow(is_needed)
  local was_needed = self.is_needed
  self.is_needed = self.is_needed or is_needed
  if is_needed and not self.pipe then
    -- The reason why a host could not start may have been fixed since.
    self.has_failed = nil
  end
  if self.state.kind == 'off' then
    self:_set_state('searching')
    self:_connect()
  elseif self.is_needed and not was_needed and not self.pipe then
    self.pause_ms = RETRY_MIN_MS
    self:_retry()
  end
end

--- Nobody waits any more: does not replace a host that ends.
function Link:rest()
  self.is_needed = false
end

--- Asks the host, if there is one; `on_end` is called once, in the main loop.
---@param command string
---@param params table
---@param on_end fun(value: any, failure: CopaneFailure|nil)
---@param on_early fun(value: any)|nil gets the expected result early
function Link:ask(command, params, on_end, on_early)
  params = next(params) == nil and vim.empty_dict() or params
  requests.ask(self.requests, command, params, now(), on_end, on_early)
end

--- Ends the connection, and the host that was started for it.
function Link:close()
  self.attempt = self.attempt + 1
  self.is_needed = false
  for _, name in ipairs({ 'timer', 'watch', 'pipe', 'host_stdin' }) do
    local handle = self[name]
    self[name] = nil
    if handle and not handle:is_closing() then
      handle:close()
    end
  end
  requests.interrupt(self.requests)
  requests.fail_all(self.requests, { message = 'The connection was closed; open the review again' })
  self.feed = feed.new()
  self:_set_state('off')
end

---@param kind string
---@param problem string|nil
function Link:_set_state(kind, problem)
  if self.state.kind ~= kind or self.state.problem ~= problem then
    self.state = { kind = kind, problem = problem }
    self.options.on_state(self.state)
  end
end

--- Tries again after a pause, or starts a host.
function Link:_retry(problem)
  if self.state.kind == 'off' then
    return
  end
  local is_late = now() - self.lost_at >= START_AFTER_MS
  if self.is_needed and is_late and not self.host and not self.has_failed then
    self:_start_host()
  end
  problem = problem or self.has_failed
  self:_set_state(self.host and 'starting' or 'searching', problem)
  if problem and self.is_needed and not self.host and is_late then
    requests.fail_all(self.requests, { message = problem })
  end
  self.timer = self.timer or uv.new_timer()
  local longest = self.is_needed and RETRY_MAX_MS or IDLE_RETRY_MAX_MS
  self.timer:start(self.pause_ms, 0, vim.schedule_wrap(function()
    self:_connect()
  end))
  self.pause_ms = math.min(longest, self.pause_ms * 2)
end

--- The state of the socket's path: `ours`, `absent`, or why it is not used.
---@param path string
---@return 'ours'|'absent'|nil, string|nil
local function inspect(path)
  local stat = uv.fs_lstat(path)
  if not stat then
    return 'absent'
  elseif stat.uid ~= uv.getuid() then
    return nil, ('copane: The socket %s belongs to another user\nSet server.socket, or $COPANE_SOCKET, to a path of your own'):format(path)
  elseif stat.type ~= 'socket' then
    return nil, ('copane: The file %s is not a socket\nRemove it, then try again'):format(path)
  end
  return 'ours'
end

function Link:_connect()
  if self.pipe or self.state.kind == 'off' then
    return
  end
  local standing, problem = inspect(self.options.socket)
  if standing ~= 'ours' then
    return self:_retry(problem)
  end
  self.attempt = self.attempt + 1
  local pipe, attempt = uv.new_pipe(false), self.attempt
  local function is_current()
    return attempt == self.attempt
  end
  pipe:connect(
    self.options.socket,
    vim.schedule_wrap(function(failure)
      if failure or not is_current() then
        pipe:close()
        return is_current() and self:_retry() or nil
      end
      self.pipe = pipe
      self:_listen(pipe, is_current)
    end)
  )
end

---@param pipe userdata
---@param is_current fun(): boolean
function Link:_listen(pipe, is_current)
  local decoder = lines.new()
  local take = vim.schedule_wrap(function(line)
    if is_current() then
      self:_take(line)
    end
  end)
  local lost = vim.schedule_wrap(function()
    if not pipe:is_closing() then
      pipe:close()
    end
    if is_current() then
      self:_lost()
    end
  end)
  pipe:read_start(function(failure, chunk)
    local whole = not failure and chunk and lines.push(decoder, chunk)
    if not whole then
      pipe:read_stop()
      return lost()
    end
    for _, line in ipairs(whole) do
      take(line)
    end
  end)
  self:_write({ hello = { client = ('nvim/%d'):format(uv.os_getpid()) } })
  self:_watch()
end

---@param message table
function Link:_write(message)
  if self.pipe and not self.pipe:is_closing() then
    -- The reading side notices a host that is gone.
    self.pipe:write(vim.json.encode(message) .. '\n', function() end)
  end
end

---@param line string
function Link:_take(line)
  local is_json, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if not is_json or type(message) ~= 'table' then
    return self:_drop()
  end
  if message.type == 'welcome' then
    self:_welcome()
  elseif message.early then
    requests.early(self.requests, message)
  elseif message.type == nil then
    requests.answer(self.requests, message)
  else
    local what = feed.take(self.feed, message)
    if what == 'event' then
      self.options.on_event(message.body)
    elseif what == 'reload' then
      self.options.on_reload()
    end
  end
end

--- Subscribes to events first, to see those caused by later requests.
function Link:_welcome()
  self.pause_ms, self.has_failed = RETRY_MIN_MS, nil
  self:_write({ subscribe = self.feed.cursor or vim.NIL })
  requests.open(self.requests, function(message)
    self:_write(message)
  end, now())
  self:_set_state('connected')
end

--- The host speaks another protocol: disconnect.
function Link:_drop()
  if self.pipe and not self.pipe:is_closing() then
    self.pipe:close()
  end
  self.attempt = self.attempt + 1
  self:_lost()
end

function Link:_lost()
  self.pipe = nil
  if self.watch then
    self.watch:stop()
  end
  requests.interrupt(self.requests)
  self.lost_at = now()
  self:_retry()
end

--- Says so if the host does not answer; it may be stopped, or busy.
function Link:_watch()
  self.watch = self.watch or uv.new_timer()
  local since = now()
  self.watch:start(SILENT_AFTER_MS, 1000, vim.schedule_wrap(function()
    if not self.pipe then
      return
    end
    local wait = self.state.kind ~= 'connected' and now() - since
    wait = wait or requests.oldest_wait_ms(self.requests, now()) or 0
    local is_silent = wait >= SILENT_AFTER_MS
    local words = 'copane does not answer: it may be stopped; "copane doctor" tells'
    self:_set_state(self.state.kind, is_silent and words or nil)
  end))
end

--- Starts a host that ends with this Neovim, however that ends: it reads until its input closes. In a separate session,
--- since `:suspend` would otherwise stop it with us.
function Link:_start_host()
  local command = self.options.command
  local stdin, stderr, said = uv.new_pipe(false), uv.new_pipe(false), {}
  local args = vim.list_extend(vim.list_slice(command, 2), { 'serve', '--until-eof' })
  local handle, failure
  handle, failure = uv.spawn(command[1], {
    args = args,
    stdio = { stdin, nil, stderr },
    detached = true,
  }, vim.schedule_wrap(function()
    for _, each in ipairs({ handle, stdin, stderr }) do
      if not each:is_closing() then
        each:close()
      end
    end
    if self.host == handle then
      self.host, self.host_stdin = nil, nil
      local words = vim.trim(table.concat(said))
      self.has_failed = not self.pipe and (words ~= '' and words or 'copane: The host ended as soon as it started\nSee what is wrong: copane doctor') or nil
    end
  end))
  if not handle then
    stdin:close()
    stderr:close()
    self.has_failed = 'copane: ' .. require('copane.job').not_started(command[1], failure)
    return
  end
  self.host, self.host_stdin = handle, stdin
  stderr:read_start(function(_, chunk)
    -- Its output is only needed if it fails.
    if chunk and #said < 20 then
      table.insert(said, chunk)
    end
  end)
end

return M
