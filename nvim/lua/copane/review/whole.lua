--- Reads the lines of a hunk page by page, to rebuild a diff that did not fit into an answer.
local M = {}

local PAGE_LINES = 5000
--- Nobody reads more of one hunk in a window.
local LINES_MAX = 50000
--- A longer line is cut: a page must fit into a message.
local LINE_MAX_BYTES = 1024

local SIGNS = { context = ' ', removed = '-', added = '+' }
local ENDS = { lf = '\n', crlf = '\r\n', none = '\n\\ No newline at end of file\n' }

---@alias CopaneAsk fun(command: string, params: table, on_end: fun(value: any, failure: CopaneFailure|nil))

--- Lines that other parts add are left out of a part; lines that they remove are its context.
---@param line table
---@return boolean
local function is_shown(line)
  return line.own or line.op ~= 'added'
end

--- A line in the form of a diff.
---@param line table
---@return string
local function as_diff(line)
  local sign = not line.own and line.op == 'removed' and ' ' or SIGNS[line.op]
  return sign .. line.text .. ENDS[line.ending]
end

--- All lines of a hunk up to the limit, page by page.
---@param ask CopaneAsk
---@param suggestion string
---@param hunk string
---@param on_end fun(read: { lines: table[], is_whole: boolean }|nil, failure: CopaneFailure|nil)
local function read_lines(ask, suggestion, hunk, on_end)
  local lines = {}
  local function page(first)
    local params = { suggestion = suggestion, hunk = hunk, first = first }
    params.count, params.maxLineBytes = PAGE_LINES, LINE_MAX_BYTES
    ask('review/lines', params, function(value, failure)
      if not value then
        return on_end(nil, failure)
      end
      for _, line in ipairs(value.lines) do
        table.insert(lines, line)
      end
      if #lines < value.total and #lines < LINES_MAX and #value.lines > 0 then
        return page(#lines + 1)
      end
      on_end({ lines = lines, is_whole = #lines >= value.total })
    end)
  end
  page(1)
end

---@param hunk table
---@param read { lines: table[], is_whole: boolean }
---@return table the hunk with these lines
local function with_lines(hunk, read)
  local header = hunk.diff:match('^@@[^\n]*\n')
  local parts, is_whole = { header or '' }, header ~= nil and read.is_whole
  for _, line in ipairs(read.lines) do
    if is_shown(line) then
      table.insert(parts, as_diff(line))
    end
    is_whole = is_whole and not line.cutFrom
  end
  return vim.tbl_extend('force', hunk, { diff = table.concat(parts), diffComplete = is_whole })
end

--- Reads `hunk` further; calls `on_end` with it if there is more than was known.
---@param ask CopaneAsk
---@param suggestion string
---@param hunk table
---@param on_end fun(hunk: table)
function M.read(ask, suggestion, hunk, on_end)
  -- A single file has more room in an answer than all of them.
  ask('review/show', { suggestion = suggestion, file = hunk.file }, function(shown)
    for _, each in ipairs(shown and shown.hunks or {}) do
      if each.id == hunk.id then
        on_end(each)
        if not each.diffComplete then
          read_lines(ask, suggestion, each.id, function(read)
            -- A hunk that can only be decided as a whole has no lines.
            if read and #read.lines > 0 then
              on_end(with_lines(each, read))
            end
          end)
        end
      end
    end
  end)
end

return M
