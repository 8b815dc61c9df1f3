--- Reads a hunk that did not fit into one answer, page by page, and writes its diff as it would have come.
local M = {}

local PAGE_LINES = 5000
--- Nobody reads more of one hunk in a window.
local LINES_MAX = 50000
--- A longer line is cut: a page must fit into a message.
local LINE_MAX_BYTES = 1024

local SIGNS = { context = ' ', removed = '-', added = '+' }
local ENDS = { lf = '\n', crlf = '\r\n', none = '\n\\ No newline at end of file\n' }

--- A line of the page as a diff has it; nil for what another part of a split hunk adds.
---@param line table
---@return string|nil
local function as_diff(line)
  if not line.own and line.op == 'added' then
    return nil
  end
  local sign = not line.own and line.op == 'removed' and ' ' or SIGNS[line.op]
  return sign .. line.text .. ENDS[line.ending]
end

---@param ask fun(command: string, params: table, on_end: fun(value: any, failure: table|nil))
---@param suggestion string
---@param hunk table
---@param on_end fun(hunk: table)
local function pages(ask, suggestion, hunk, on_end)
  local header = hunk.diff:match('^@@[^\n]*\n')
  local parts, is_whole = { header or '' }, header ~= nil
  local function page(first)
    local params = { suggestion = suggestion, hunk = hunk.id, first = first }
    params.count, params.maxLineBytes = PAGE_LINES, LINE_MAX_BYTES
    ask('review/lines', params, function(value)
      if not value then
        return
      end
      for _, line in ipairs(value.lines) do
        table.insert(parts, as_diff(line))
        is_whole = is_whole and not line.cutFrom
      end
      local read = first + #value.lines
      if read <= value.total and read < LINES_MAX and #value.lines > 0 then
        return page(read)
      end
      is_whole = is_whole and read > value.total
      on_end(vim.tbl_extend('force', hunk, { diff = table.concat(parts), diffComplete = is_whole }))
    end)
  end
  page(1)
end

--- Reads `hunk` further; `on_end` is called with it when there is more than was known.
---@param ask fun(command: string, params: table, on_end: fun(value: any, failure: table|nil))
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
          pages(ask, suggestion, each, on_end)
        end
      end
    end
  end)
end

return M
