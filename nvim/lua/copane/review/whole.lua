--- Reads the lines of a hunk page by page, to write the diff of one that did not fit into an answer as it would have come.
local M = {}

local PAGE_LINES = 5000
--- Nobody reads more of one hunk in a window.
local LINES_MAX = 50000
--- A longer line is cut: a page must fit into a message.
local LINE_MAX_BYTES = 1024

local SIGNS = { context = ' ', removed = '-', added = '+' }
local ENDS = { lf = '\n', crlf = '\r\n', none = '\n\\ No newline at end of file\n' }

---@alias CopaneAsk fun(command: string, params: table, on_end: fun(value: any, failure: CopaneFailure|nil))

--- What other parts add is left out of a part; what they remove is context in it.
---@param line table
---@return boolean
local function is_shown(line)
  return line.own or line.op ~= 'added'
end

--- A line as a diff has it.
---@param line table
---@return string
local function as_diff(line)
  local sign = not line.own and line.op == 'removed' and ' ' or SIGNS[line.op]
  return sign .. line.text .. ENDS[line.ending]
end

--- All lines of a hunk up to the bound, page by page.
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

--- Reads `hunk` further; `on_end` is called with it when there is more than was known.
---@param ask CopaneAsk
---@param suggestion string
---@param hunk table
---@param on_end fun(hunk: table)
function M.read(ask, suggestion, hunk, on_end)
  -- One file alone has more room in an answer than all of them.
  ask('review/show', { suggestion = suggestion, file = hunk.file }, function(shown)
    for _, each in ipairs(shown and shown.hunks or {}) do
      if each.id == hunk.id then
        on_end(each)
        if not each.diffComplete then
          read_lines(ask, suggestion, each.id, function(read)
            -- What is decided as a whole has none.
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
