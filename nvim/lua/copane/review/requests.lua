--- The requests that wait for their answers, over a change of leader. Reads are asked again; what decides is not, since
--- nobody knows whether it was done: it fails with `is_lost`, and its asker looks. Pure: the caller owns the socket.
local M = {}

--- Asking twice is the same as asking once.
local REPEATABLE = {
  ['review/list'] = true,
  ['review/show'] = true,
  ['review/lines'] = true,
  ['review/conflict'] = true,
  ['review/inspect'] = true,
}

--- The host refuses more from one client.
M.WAITING_MAX = 200

---@class CopaneFailure
---@field message string
---@field hint string|nil
---@field is_lost boolean|nil it may have been done

---@class CopaneRequest
---@field message { id: number, command: string, params: table }
---@field settle fun(value: any, failure: CopaneFailure|nil)
---@field sent_at number|nil on the present connection, in ms

---@class CopaneRequests
---@field waiting table<number, CopaneRequest>
---@field order number[]
---@field last_id number
---@field send fun(message: table)|nil nil while there is no connection

---@return CopaneRequests
function M.new()
  return { waiting = {}, order = {}, last_id = 0, send = nil }
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
function M.ask(requests, command, params, now, on_end)
  if #requests.order >= M.WAITING_MAX then
    return on_end(nil, { message = ('more than %d requests wait for copane'):format(M.WAITING_MAX) })
  end
  requests.last_id = requests.last_id + 1
  local id = requests.last_id
  local request = { message = { id = id, command = command, params = params }, settle = on_end, sent_at = nil }
  requests.waiting[id] = request
  table.insert(requests.order, id)
  transmit(requests, request, now)
end

--- A connection is there: all that waits is sent, in the order in which it was asked.
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
    if request and request.sent_at then
      request.sent_at = nil
      if not REPEATABLE[request.message.command] then
        settle(requests, id, nil, {
          message = 'the leading copane went away before it answered',
          is_lost = true,
        })
      end
    end
  end
end

--- An answer; one that nobody waits for is dropped.
---@param requests CopaneRequests
---@param message table
function M.answer(requests, message)
  if type(message.id) == 'number' then
    local failure = message.ok and nil or message.error or { message = 'copane answered without a word' }
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

--- How long the oldest request has waited on the present connection; nil when none does.
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
