--- The message in a buffer whose unsaved edits collide with a decision on its file.
local M = {}

local api = vim.api
local uv = vim.uv or vim.loop
local namespace = api.nvim_create_namespace('copane_conflict')

--- Shows the message at the row of the collision, or at the first row.
---@param buf number
---@param row number|nil
function M.show(buf, row)
  local is_known, name = vim.b[buf].copane_conflict, api.nvim_buf_get_name(buf)
  local is_gone = not uv.fs_stat(name)
  local what, way = is_gone and 'removed' or 'changed on disk', is_gone and '' or ' (:Copane diff)'
  vim.b[buf].copane_conflict = true
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  api.nvim_buf_set_extmark(buf, namespace, row or 0, 0, {
    virt_text = { { ('%s by a decision; your unsaved edits are kept%s'):format(what, way), 'WarningMsg' } },
    sign_text = '!',
    sign_hl_group = 'WarningMsg',
  })
  if not is_known then
    local words = 'copane: %s %s; your unsaved edits stay%s'
    require('copane.message').warn(words:format(vim.fn.fnamemodify(name, ':.'), what, way))
  end
end

---@param buf number
function M.clear(buf)
  vim.b[buf].copane_conflict = nil
  api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
end

return M
