--- Files by their real path: links are followed, so that two names of one file are equal.
local M = {}

--- A longer text is not split into lines.
M.LINES_MAX_BYTES = 4 * 1024 * 1024
--- A longer text of a buffer is not sent to the host.
local SENT_MAX_BYTES = 1024 * 1024

local uv = vim.uv or vim.loop

--- The real path; for a missing file, that of its folder with the name.
---@param path string
---@return string
function M.real(path)
  local folder = vim.fn.fnamemodify(path, ':h')
  local real_folder = uv.fs_realpath(folder)
  return uv.fs_realpath(path) or (real_folder and real_folder .. '/' .. vim.fn.fnamemodify(path, ':t')) or path
end

--- The file of a loaded buffer; nil for a buffer without one.
---@param buf number
---@return string|nil
function M.of_buffer(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  if name == '' or vim.bo[buf].buftype ~= '' or not vim.api.nvim_buf_is_loaded(buf) then
    return nil
  end
  return M.real(name)
end

--- The text of a buffer, which the host compares with the file; nil if it is too long to send.
---@param buf number
---@return string|nil
function M.text_of(buf)
  if vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) > SENT_MAX_BYTES then
    return nil
  end
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  return #lines == 1 and lines[1] == '' and '' or table.concat(lines, '\n') .. '\n'
end

--- A text that changes whenever the file is written; nil if it does not exist.
---@param path string
---@return string|nil
function M.stamp(path)
  local stat = uv.fs_stat(path)
  return stat and ('%d.%d %d'):format(stat.mtime.sec, stat.mtime.nsec, stat.size)
end

--- The bytes of a file; nil if it cannot be read.
---@param path string
---@return string|nil
function M.read(path)
  local handle = uv.fs_open(path, 'r', 0)
  if not handle then
    return nil
  end
  local stat = uv.fs_fstat(handle)
  local text = stat and uv.fs_read(handle, stat.size, 0)
  uv.fs_close(handle)
  return text
end

--- The lines of a file as the buffer would have them; nil if that requires reading it into the buffer.
---@param buf number
---@param file string
---@return string[]|nil
function M.lines_on_disk(buf, file)
  local bo = vim.bo[buf]
  local text = M.read(file)
  if not text or #text > M.LINES_MAX_BYTES or bo.fileformat == 'mac' or text:find('%z') then
    return nil
  end
  if bo.fileencoding ~= '' and bo.fileencoding ~= 'utf-8' then
    text = vim.fn.iconv(text, bo.fileencoding, 'utf-8')
  end
  text = bo.bomb and text:gsub('^\239\187\191', '') or text
  text = bo.fileformat == 'dos' and text:gsub('\r\n', '\n') or text
  return vim.split((text:gsub('\n$', '')), '\n', { plain = true })
end

return M
