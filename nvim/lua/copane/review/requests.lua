--- The pending requests, across changes of leader: they are sent again. Decisions carry an id by which the host
--- recognizes a repeat, so that none is made twice. Pure: the caller owns the socket.
local M = {}

--- Commands sent with such an id.
local NAMED = { ['review/intend'] = true }

--- The host refuses more from one client.
M.WAITING_MAX = 200

---@class CopaneFailure
---@field message string
---@field hint string|nil

---@class CopaneRequest
---@field message { id: number, command: string, params: table, once: string|nil }
---@field settle fun(value: any, failure: CopaneFailure|nil)
---@field on_early fun(value: any)|nil gets the expected result early
---@field sent_at number|nil on the current connection, in ms

---@class CopaneRequests
---@field waiting table<number, CopaneRequest>
---@field order number[]
---@field last_id number
---@field name string globally unique
---@field send fun(message: table)|nil nil while there is no connection

---@param name string
---@return CopaneRequests
function M.new(name)
  return { name = name, waiting = {}, order = {}, last_id = 0, send = nil }
end

---@param requests CopaneRequests
---@param id number
---@param value any
---@param failure CopaneFailure|nil
local function settle(requests, id, value, failure)
  local request = requests.waiting[id]
  if not request then
    return
  end
  requests.waiting[id] = nil
  for at, each in ipairs(requests.order) do
    if each == id then
      table.remove(requests.order, at)
      break
    end
  end
  request.settle(value, failure)
end

---@param requests CopaneRequests
---@param request CopaneRequest
---@param now number
local function transmit(requests, request, now)
  if requests.send then
    request.sent_at = now
    requests.send(request.message)
  end
end

--- Asks as soon as there is a connection; `on_end` is called once.
---@param requests CopaneRequests
---@param command string
---@param params table
---@param now number
---@param on_end fun(value: any, failure: CopaneFailure|nil)
---@param on_early fun(value: any)|nil
function M.ask(requests, command, params, now, on_end, on_early)
  if #requests.order >= M.WAITING_MAX then
    return on_end(nil, { message = ('More than %d requests wait for an answer'):format(M.WAITING_MAX), hint = 'Wait a moment, then try again.' })
  end
  requests.last_id = requests.last_id + 1
  local id = requests.last_id
  local once = NAMED[command] and ('%s/%d'):format(requests.name, id) or nil
  local message = { id = id, command = command, params = params, once = once }
  local request = { message = message, settle = on_end, on_early = on_early, sent_at = nil }
  requests.waiting[id] = request
  table.insert(requests.order, id)
  transmit(requests, request, now)
end

--- A connection opened: sends all waiting requests in order.
---@param requests CopaneRequests
---@param send fun(message: table)
---@param now number
function M.open(requests, send, now)
  requests.send = send
  for _, id in ipairs({ unpack(requests.order) }) do
    local request = requests.waiting[id]
    if request then
      transmit(requests, request, now)
    end
  end
end

--- The connection is gone.
---@param requests CopaneRequests
function M.interrupt(requests)
  requests.send = nil
  for _, id in ipairs({ unpack(requests.order) }) do
    local request = requests.waiting[id]
    if request then
      request.sent_at = nil
    end
  end
end

--- Handles the early result of a pending request.
---@param requests CopaneRequests
---@param message table
function M.early(requests, message)
  local request = requests.waiting[message.id]
  if request and request.on_early then
    request.on_early(message.early)
  end
end

--- Handles an answer; drops one that nobody waits for.
---@param requests CopaneRequests
---@param message table
function M.answer(requests, message)
  if type(message.id) == 'number' then
    local failure = message.ok and nil or message.error or { message = 'The failure came without a message', hint = 'See what is wrong: copane doctor' }
    settle(requests, message.id, message.value, not message.ok and failure or nil)
  end
end

---@param requests CopaneRequests
---@param failure CopaneFailure
function M.fail_all(requests, failure)
  for _, id in ipairs({ unpack(requests.order) }) do
    settle(requests, id, nil, failure)
  end
end

--- How long the oldest request has waited on the current connection; nil if none waits.
---@param requests CopaneRequests
---@param now number
---@return number|nil
function M.oldest_wait_ms(requests, now)
  for _, id in ipairs(requests.order) do
    local at = requests.waiting[id].sent_at
    if at then
      return now - at
    end
  end
  return nil
end

return M
