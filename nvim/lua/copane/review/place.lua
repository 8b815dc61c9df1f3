--- The path of the host's socket: the same rule as the program's own, from the same variables. Pure.
local M = {}

--- A longer path cannot be bound on every system.
local PATH_MAX_BYTES = 103

---@param value string|nil
---@param fallback string
---@return string
local function absolute(value, fallback)
  return value and value:sub(1, 1) == '/' and value or fallback
end

---@param env table<string, string|nil>
---@param uid number
---@return string
function M.socket(env, uid)
  local state = absolute(env.XDG_STATE_HOME, (env.HOME or '') .. '/.local/state') .. '/copane'
  local runtime = absolute(env.XDG_RUNTIME_DIR, '')
  local usual = runtime ~= '' and runtime .. '/copane/host.sock' or state .. '/host.sock'
  local wanted = absolute(env.COPANE_SOCKET, usual)
  wanted = wanted:gsub('//+', '/')
  if #wanted > PATH_MAX_BYTES then
    local temporary = (env.TMPDIR or '/tmp'):gsub('/$', '')
    return ('%s/copane-%d/host.sock'):format(temporary, uid)
  end
  return wanted
end

return M
