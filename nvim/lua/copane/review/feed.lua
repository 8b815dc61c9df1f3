--- The place in the host's log of events, over broken connections and changes of leader: each event once, in order,
--- and none left out unless the host says so. Pure.
local M = {}

---@class CopaneFeed
---@field cursor number|nil the last event that was taken; nil: none was asked for yet

---@return CopaneFeed
function M.new()
  return { cursor = nil }
end

--- Takes a message of the stream: `event` is to be handled, `reload` means that the state must be read anew; nil
--- for what is of no interest (an event that came before).
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
