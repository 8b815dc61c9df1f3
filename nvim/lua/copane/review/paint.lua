--- The content of the review's windows, as rows with the names of their colours. Pure, except for the word diff.
local M = {}

local core = require('copane.review.core')
local diff = require('copane.review.diff')
local shown = require('copane.hidden').shown
local signs = require('copane.review.sign_table')
local stops = require('copane.review.stops')
local words = require('copane.review.words')

--- The colour of a status.
M.GROUPS = {
  pending = 'CopaneOpen',
  accepted = 'CopaneAccepted',
  rejected = 'CopaneRejected',
  modified = 'CopaneAccepted',
  conflict = 'CopaneConflict',
  already_applied = 'CopaneDim',
}

--- How many comments of one hunk are shown.
local COMMENTS_MAX = 3

---@class CopaneRow
---@field chunks { [1]: string, [2]: string|nil, is_whole: boolean|nil }[] text, colour; whether it must stay on one row
---@field group string|nil colour of the whole row
---@field line number|nil the line of the hunk it shows

---@param ... any text, colour, text, colour
---@return CopaneRow
local function row(...)
  local chunks, given = {}, { ... }
  for at = 1, #given, 2 do
    table.insert(chunks, { shown(given[at]), given[at + 1] })
  end
  return { chunks = chunks }
end

--- Text on one row.
---@param text string
---@return string
local function flat(text)
  return (text:gsub('%s+', ' '))
end

--- The state of a folded file: open as long as one of its hunks is.
---@param state CopaneReviewState
---@param hunk table
---@return string
function M.status_of_stop(state, hunk)
  return not core.is_open(hunk.status) and stops.has_open(state, hunk) and 'pending' or hunk.status
end

--- `+3 -1`, or the kind of a change without lines.
---@param hunk table
---@return string
function M.size_of(hunk)
  local body = diff.of(hunk)
  if not body.header then
    return hunk.kind
  end
  local added, removed = diff.count(body.lines)
  return ('+%d -%d%s'):format(added, removed, hunk.kind ~= 'text' and ' ' .. hunk.kind or '')
end

--- The same for all hunks of a row in the list.
---@param state CopaneReviewState
---@param hunk table
---@return string
function M.size_of_stop(state, hunk)
  local all = stops.together(state, hunk)
  if #all == 1 then
    return M.size_of(hunk)
  end
  local added, removed = 0, 0
  for _, each in ipairs(all) do
    local more, fewer = diff.count(diff.of(each).lines)
    added, removed = added + more, removed + fewer
  end
  return ('%d hunks  +%d -%d'):format(#all, added, removed)
end

--- `src/a.ts:12`: the file, and the line with the first change of the hunk.
---@param hunk table
---@return string
function M.name_of(hunk)
  local name = require('copane.hidden').line(hunk.file)
  for _, line in ipairs(diff.of(hunk).lines) do
    if line.op ~= ' ' then
      return ('%s:%d'):format(name, line.new or line.old)
    end
  end
  return name
end

--- The rows above the hunk: its suggestion, its notes, and the keys.
---@param state CopaneReviewState
---@param about { problem: string|nil, keymaps: table<string, string|false> } of the link, of the user
---@param width number
---@return CopaneRow[]
function M.head(state, about, width)
  local rows = M._header(state, about.problem)
  table.insert(rows, M._footer(about.keymaps))
  return require('copane.wrap').rows(rows, width)
end

---@param state CopaneReviewState
---@param problem string|nil
---@return CopaneRow[]
function M._header(state, problem)
  local suggestion = state.suggestion
  if not suggestion then
    return { row(problem or 'Loading the suggestion…', problem and 'CopaneConflict' or 'CopaneDim') }
  end
  local title = require('copane.review.notify').title_of(suggestion)
  local state_words = ('  %s'):format(state.ended or ('%d/%d decided'):format(suggestion.decidedCount, suggestion.hunkCount))
  if state.filter then
    state_words = ('%s  only %s'):format(state_words, signs.words[state.filter] or state.filter)
  end
  local rows = { row(title, 'CopaneTitle', state_words, 'CopaneDim') }
  if suggestion.write == 'on-save' then
    table.insert(rows, row('Decisions reach the files with a save of the agent', 'CopaneDim'))
  end
  local places = vim.tbl_map(function(one)
    return ('%d. %s'):format(one.place, one.id == suggestion.id and 'this one' or flat(one.description))
  end, suggestion.stack or {})
  if #places > 0 then
    table.insert(rows, row('Open about the same files, oldest first: ' .. table.concat(places, ', '), 'CopaneDim'))
  end
  local hunk, at = core.marked(state)
  for _, note in ipairs(at == 1 and suggestion.notes or {}) do
    table.insert(rows, row('note: ' .. flat(note), 'CopaneNote'))
  end
  if hunk then
    vim.list_extend(rows, M._about(state, hunk, at))
  end
  if problem then
    table.insert(rows, row(flat(problem), 'CopaneConflict'))
  end
  return rows
end

--- `◌ open`
---@param status string
---@return string
function M.state_of(status)
  return ('%s %s'):format(signs.marks[status], signs.words[status])
end

--- `new`, `◉ seen`
---@param state CopaneReviewState
---@param hunk table
---@return string[]
function M.news_of(state, hunk)
  local news = { hunk.isNew and 'new' or nil }
  table.insert(news, state.viewed[hunk.id] and signs.marks.seen .. ' seen' or nil)
  return news
end

--- `, line 3`, `, lines 3-4 before`.
---@param place { side: 'new'|'old', first: number, last: number }
---@return string
local function lines_of(place)
  local before = place.side == 'old' and ' before' or ''
  local many = place.first ~= place.last
  return (many and ', lines %d-%d%s' or ', line %d%s'):format(place.first, many and place.last or before, before)
end

---@param state CopaneReviewState
---@param hunk table
---@param at number
---@return CopaneRow[]
function M._about(state, hunk, at)
  local status = hunk.status
  local news = hunk.version and { ('since version %d'):format(hunk.version) } or {}
  vim.list_extend(news, M.news_of(state, hunk))
  table.insert(news, 1, ('  hunk %d of %d  %s'):format(at, #core.hunks(state), M.size_of_stop(state, hunk)))
  local name, place = M.name_of(hunk), table.concat(news, '  ')
  local rows = { row(M.state_of(status) .. '  ', M.GROUPS[status], name, 'CopaneFile', place, 'CopaneDim') }
  for _, warning in ipairs(hunk.warnings) do
    table.insert(rows, row('! ' .. flat(warning.text), 'CopaneConflict'))
  end
  if hunk.reason then
    table.insert(rows, row(flat(hunk.reason), 'CopaneConflict'))
  end
  if hunk.note then
    table.insert(rows, row('AI: ' .. flat(hunk.note), 'CopaneNote'))
  end
  for index = math.max(1, #hunk.comments - COMMENTS_MAX + 1), #hunk.comments do
    local comment = hunk.comments[index]
    local is_gone = not comment.place and comment.quote ~= ''
    local where = is_gone and ', on lines that are gone' or comment.place and lines_of(comment.place) or ''
    local who = comment.by and 'AI replies' or 'you' .. where
    table.insert(rows, row(('%s: %s'):format(who, flat(comment.text)), 'CopaneNote'))
    if comment.quote ~= '' and not comment.lines and not comment.by then
      -- Lines of the file that the hunk does not show, or that are gone.
      table.insert(rows, row('  > ' .. vim.trim(comment.quote:match('[^\n]*')), 'CopaneDim'))
    end
  end
  return rows
end

--- The keys that are bound.
---@param keymaps table<string, string|false>
---@return CopaneRow
function M._footer(keymaps)
  local chunks = {}
  local function show(label, ...)
    local keys = {}
    for _, name in ipairs({ ... }) do
      table.insert(keys, keymaps[name] or nil)
    end
    if #keys > 0 then
      -- A key and its action stay on one row.
      local words = ('%s%s %s'):format(#chunks > 0 and '  ' or '', table.concat(keys, '/'), label)
      table.insert(chunks, { words, 'CopaneDim', is_whole = true })
    end
  end
  show('accept', 'accept')
  show('reject', 'reject')
  show('modify', 'modify')
  show('hunk', 'next_hunk', 'prev_hunk')
  show('open', 'next_open', 'prev_open')
  show('split', 'split')
  show('file', 'accept_file', 'reject_file')
  show('rest', 'accept_all', 'reject_all')
  show('comment', 'comment')
  show('say why', 'say_why')
  show('seen', 'seen')
  show('undo', 'undo')
  show('complete', 'complete')
  show('discard', 'discard')
  show('back', 'back')
  return { chunks = chunks }
end

local LINE_GROUPS = { ['+'] = 'CopaneAdded', ['-'] = 'CopaneTaken' }

--- Differing words by the index of the line.
---@param lines CopaneDiffLine[]
---@param paired { removed: number, added: number }[]
---@return table<number, CopaneSpan[]>
local function spans_of(lines, paired)
  local found = {}
  for _, pair in ipairs(paired) do
    local old, new = lines[pair.removed], lines[pair.added]
    if old and new then
      found[pair.removed], found[pair.added] = words.spans(old.text, new.text)
    end
  end
  return found
end

---@param line CopaneDiffLine
---@param index number
---@param sign string
---@param spans CopaneSpan[]|nil
---@return CopaneRow
local function line_row(line, index, sign, spans)
  local chunks, from = { { sign } }, 0
  for _, span in ipairs(spans or {}) do
    table.insert(chunks, { shown(line.text:sub(from + 1, span.first)) })
    table.insert(chunks, { shown(line.text:sub(span.first + 1, span.last)), LINE_GROUPS[line.op] .. 'Word' })
    from = span.last
  end
  table.insert(chunks, { shown(line.text:sub(from + 1)) })
  if line.is_open then
    table.insert(chunks, { '  ⏎ none at the end', 'CopaneDim' })
  end
  return { chunks = chunks, group = LINE_GROUPS[line.op], line = index }
end

--- Lines with their numbers in the file; none for an empty text.
---@param text string
---@param first number
---@param group string
---@return CopaneRow[]
local function text_rows(text, first, group)
  local rows = {}
  local lines = text == '' and {} or vim.split((text:gsub('\n$', '')), '\n', { plain = true })
  local digits = #tostring(first + #lines)
  for at, line in ipairs(lines) do
    local number = ('%' .. digits .. 'd  '):format(first + at - 1)
    table.insert(rows, { chunks = { { number, 'CopaneDim' }, { shown(line) } }, group = group })
  end
  return rows
end

--- The sides of a conflict, one below the other.
---@param hunk table
---@param sides table
---@return CopaneRow[]
local function conflict_rows(hunk, sides)
  local rows = {}
  local before, after = diff.starts(hunk.diff)
  for _, part in ipairs({
    { 'what stands there', sides.yours, sides.yoursLine, 'CopaneTaken' },
    { 'what it expected', sides.base, before, 'CopaneDim' },
    { 'what it suggests', sides.suggested, after, 'CopaneAdded' },
  }) do
    table.insert(rows, row('── ' .. part[1] .. ' ──', 'CopaneTitle'))
    vim.list_extend(rows, text_rows(part[2], part[3], part[4]))
  end
  return rows
end

--- A key of everything that the rows of the marked hunk depend on.
---@param state CopaneReviewState
---@return string
function M.body_key(state)
  local hunk = core.marked(state)
  if not hunk then
    return ''
  end
  local known = core.details(state, hunk.id)
  local sides = hunk.status == 'conflict' and known.sides
  local folded = stops.is_folded(state, hunk) and M.size_of_stop(state, hunk) or ''
  local look = sides and sides.yours .. sides.suggested or tostring(known.pairs ~= nil)
  return ('%s %d %s%s'):format(hunk.id, #hunk.diff, folded, look)
end

--- The hunk in one column.
---@param state CopaneReviewState
---@return CopaneRow[]
function M.inline(state)
  local hunk = core.marked(state)
  if not hunk then
    return {}
  end
  local sides = hunk.status == 'conflict' and core.details(state, hunk.id).sides
  if stops.is_folded(state, hunk) then
    local key = require('copane.config').get().suggestion_review.keymaps.fold or ':Copane fold'
    return { row(('%s  folded; %s unfolds'):format(M.size_of_stop(state, hunk), key), 'CopaneDim') }
  elseif sides then
    return conflict_rows(hunk, sides)
  end
  local body, rows = diff.of(hunk), {}
  local spans = spans_of(body.lines, core.details(state, hunk.id).pairs or {})
  for index, line in ipairs(body.lines) do
    table.insert(rows, line_row(line, index, line.op, spans[index]))
  end
  for _, text in ipairs(body.words) do
    table.insert(rows, row(text, 'CopaneDim'))
  end
  if not hunk.diffComplete then
    table.insert(rows, row('… the rest of this hunk is not shown', 'CopaneDim'))
  end
  return rows
end

--- The hunk side by side, with equally many rows on both sides.
---@param state CopaneReviewState
---@return CopaneRow[] old, CopaneRow[] new
function M.sides(state)
  local hunk = core.marked(state)
  local body = hunk and diff.of(hunk)
  if not body or not body.header or hunk.status == 'conflict' or stops.is_folded(state, hunk) then
    return M.inline(state), {}
  end
  local paired = core.details(state, hunk.id).pairs or {}
  local spans, left, right = spans_of(body.lines, paired), {}, {}
  local function side(rows, index)
    local line = index and body.lines[index]
    local filler = { chunks = { { '' } }, group = 'CopaneFiller' }
    table.insert(rows, line and line_row(line, index, '', spans[index]) or filler)
  end
  for _, pair in ipairs(diff.sides(body.lines, paired)) do
    side(left, pair.left)
    side(right, pair.right)
  end
  return left, right
end

--- A key of everything that the rows of the list depend on.
---@param state CopaneReviewState
---@return string
function M.list_key(state)
  local parts = {}
  for _, hunk in ipairs(stops.list(state)) do
    local look = { hunk.id, M.status_of_stop(state, hunk), tostring(stops.is_folded(state, hunk)) }
    table.insert(parts, table.concat(vim.list_extend(look, M.news_of(state, hunk))))
  end
  return table.concat(parts, ' ')
end

--- All hunks of the suggestion, one per row.
---@param state CopaneReviewState
---@return CopaneRow[]
function M.list(state)
  local rows = {}
  for _, hunk in ipairs(stops.list(state)) do
    local status = M.status_of_stop(state, hunk)
    local size = table.concat(vim.list_extend({ '', M.size_of_stop(state, hunk), stops.is_folded(state, hunk) and 'folded' or nil }, M.news_of(state, hunk)), '  ')
    table.insert(rows, row(signs.marks[status] .. ' ', M.GROUPS[status], M.name_of(hunk), 'CopaneFile', size, 'CopaneDim'))
  end
  return rows
end

return M
