--- Stores the pulled texts of files that are saved with pulled lines, to tell these lines from notes after a restart of
--- the editor. One file for each, in the data folder; the oldest are deleted.
local M = {}

local uv = vim.uv or vim.loop

--- How many files are remembered.
local FILES_MAX = 100

---@return string
local function folder()
  return vim.fn.stdpath('data') .. '/copane/pulls'
end

--- The path for the pulls of this buffer; nil for a buffer without a file.
---@param buf number
---@return string|nil
local function place_of(buf)
  local file = require('copane.file').of_buffer(buf)
  return file and ('%s/%s.json'):format(folder(), vim.fn.sha256(file))
end

local function forget_oldest()
  local files = {}
  for _, path in ipairs(vim.fn.glob(folder() .. '/*.json', true, true)) do
    local stat = uv.fs_stat(path)
    table.insert(files, { path = path, at = stat and stat.mtime.sec or 0 })
  end
  table.sort(files, function(a, b)
    return a.at > b.at
  end)
  for at = FILES_MAX + 1, #files do
    uv.fs_unlink(files[at].path)
  end
end

--- Stores the texts pulled into the file.
---@param buf number
function M.save(buf)
  local tags = require('copane.tags')
  local path = tags.is_known(buf) and place_of(buf)
  if not path then
    return
  end
  local pulls = tags.snapshot(buf).pulls
  if #pulls == 0 then
    uv.fs_unlink(path)
    return
  end
  vim.fn.mkdir(folder(), 'p', 448) -- 0700
  local file, failure = uv.fs_open(path, 'w', 384) -- 0600
  if not file then
    require('copane.message').warn('copane: Cannot remember the pulled lines of this file: ' .. failure)
    return
  end
  uv.fs_write(file, vim.json.encode({ version = 1, pulls = pulls }), 0)
  uv.fs_close(file)
  forget_oldest()
end

---@param path string
---@return table[]
local function read(path)
  local text = require('copane.file').read(path)
  local is_json, record = pcall(vim.json.decode, text or '')
  return is_json and type(record) == 'table' and type(record.pulls) == 'table' and record.pulls or {}
end

--- Colours the lines that still equal the pulled ones.
---@param buf number
---@param pulls { id: string, lines: string[] }[]
local function colour(buf, pulls)
  local owner = {}
  for _, pull in ipairs(pulls) do
    for _, line in ipairs(pull.lines) do
      owner[line] = owner[line] or pull.id
    end
  end
  for row, text in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
    if vim.trim(text) ~= '' and owner[text] then
      require('copane.tags').mark(buf, row - 1, owner[text], text)
    end
  end
end

--- Restores the pulls of the file after a restart or a reload, and colours its response lines.
---@param buf number
function M.restore(buf)
  local tags = require('copane.tags')
  local path = place_of(buf)
  if not path or vim.tbl_count(tags.marked(buf, vim.api.nvim_buf_get_lines(buf, 0, -1, false))) > 0 then
    return
  end
  local known = tags.of(buf)
  if #known.pulls == 0 then
    for _, pull in ipairs(read(path)) do
      tags.remember(buf, pull.turnId, pull.lines)
    end
  end
  colour(buf, known.pulls)
end

return M
