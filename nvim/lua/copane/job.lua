--- Runs one program by argument list, never through a shell, and returns its output when it has ended.
local M = {}

local uv = vim.uv or vim.loop

---@class CopaneOutcome
---@field code number exit code; -1 if it did not run or timed out
---@field stdout string
---@field stderr string

---@param pipe userdata
---@param parts string[]
---@param done fun()
local function collect(pipe, parts, done)
  pipe:read_start(function(_, chunk)
    if chunk then
      table.insert(parts, chunk)
    else
      pipe:close()
      done()
    end
  end)
end

---@param pipe userdata
---@param text string|nil
local function feed(pipe, text)
  if text and text ~= '' then
    -- A program that ends without reading reports that with its exit code.
    pipe:write(text, function()
      if not pipe:is_closing() then
        pipe:close()
      end
    end)
  else
    pipe:close()
  end
end

---@param program string
---@param failure string
---@return string
function M.not_started(program, failure)
  return ('Cannot start %s: %s\nPut copane on your $PATH, or set cmd: :help copane-options'):format(program, failure)
end

--- Starts `argv`; `on_end` is called in the main loop, always after this function returns.
---@param argv string[]
---@param options { stdin: string|nil, timeout_ms: number }
---@param on_end fun(outcome: CopaneOutcome)
function M.run(argv, options, on_end)
  local stdin, stdout, stderr = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local out, err, timer = {}, {}, uv.new_timer()
  local code, waiting, is_late = nil, 3, false
  local handle

  local function ended()
    waiting = waiting - 1
    if waiting > 0 then
      return
    end
    timer:close()
    local said = table.concat(err)
    if is_late then
      code, said = -1, ('%s did not answer within %d ms\nTry again, or set a longer timeout_ms'):format(argv[1], options.timeout_ms)
    end
    vim.schedule(function()
      on_end({ code = code, stdout = table.concat(out), stderr = said })
    end)
  end

  local failure
  handle, failure = uv.spawn(argv[1], {
    args = vim.list_slice(argv, 2),
    stdio = { stdin, stdout, stderr },
    cwd = uv.cwd(),
  }, function(exit_code, signal)
    code = signal ~= 0 and -1 or exit_code
    handle:close()
    ended()
  end)
  if not handle then
    for _, each in ipairs({ stdin, stdout, stderr, timer }) do
      each:close()
    end
    vim.schedule(function()
      on_end({ code = -1, stdout = '', stderr = M.not_started(argv[1], failure) })
    end)
    return
  end
  collect(stdout, out, ended)
  collect(stderr, err, ended)
  feed(stdin, options.stdin)
  timer:start(options.timeout_ms, 0, function()
    is_late = true
    handle:kill('sigterm')
  end)
end

return M
