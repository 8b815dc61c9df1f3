--- The position in the host's event log, across broken connections and changes of leader: each event once, in order,
--- and none missing unless the host says so. Pure.
local M = {}

---@class CopaneFeed
---@field cursor number|nil the last processed event; nil: not subscribed yet

---@return CopaneFeed
function M.new()
  return { cursor = nil }
end

--- Processes a message of the stream. `event`: handle it, `reload`: the state must be reread; nil: ignore it (an
--- earlier event).
---@param feed CopaneFeed
---@param message table
---@return 'event'|'reload'|nil
function M.take(feed, message)
  if message.type == 'subscribed' then
    local is_first = feed.cursor == nil
    feed.cursor = message.seq
    return is_first and 'reload' or nil
  elseif message.type == 'gap' then
    feed.cursor = message.seq
    return 'reload'
  elseif message.type == 'event' and feed.cursor and message.seq > feed.cursor then
    feed.cursor = message.seq
    return 'event'
  end
  return nil
end

return M
