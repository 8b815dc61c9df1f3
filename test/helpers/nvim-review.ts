/** What the review shows in a Neovim under test: its floating windows, and what it draws in files. */
import type { Neovim } from './neovim.ts';
import { luaString } from './neovim-channel.ts';
import { until } from './until.ts';

const FLOATS = `local all = {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then
      vim.list_extend(all, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false))
    end
  end
  return table.concat(all, '\\n')`;

/** The text of all floating windows. */
export function floats(nvim: Neovim): Promise<string> {
  return nvim.lua<string>(FLOATS);
}

/** Everything that helps to see why something did not happen. */
function insight(nvim: Neovim): Promise<string> {
  return nvim.lua<string>(`local state, link = require('copane.review.session').peek()
    return vim.inspect({ link, said, state and state.ended, state and state.hunk, state and state.expected })
      .. vim.fn.execute('messages')`);
}

/** Polls `look` until its text contains all `words`. */
async function untilIn(nvim: Neovim, look: () => Promise<string>, words: readonly string[]): Promise<string> {
  let last = '';
  const found = () => words.every((one) => last.includes(one));
  try {
    return await until(
      words.join(' and '),
      async () => {
        last = await look();
        return found() && last;
      },
      { intervalMs: 30 },
    );
  } catch (thrown) {
    throw new Error(`${String(thrown)}\n${last}\n${await insight(nvim)}`);
  }
}

/** Waits until the floating windows show all of this. */
export function untilShown(nvim: Neovim, ...words: readonly string[]): Promise<string> {
  return untilIn(nvim, () => floats(nvim), words);
}

/** Waits until there is no floating window. */
export function untilNoFloat(nvim: Neovim): Promise<true> {
  return until('no floating window', async () => (await floats(nvim)) === '', { intervalMs: 30 });
}

/** What is drawn in the current buffer: `row sign text | virtual lines`, by row from 1. */
export function drawn(nvim: Neovim): Promise<string> {
  return nvim.lua<string>(`local space = vim.api.nvim_create_namespace('copane_inline')
    local rows = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
      local details, parts = mark[4], { tostring(mark[2] + 1) }
      for _, chunk in ipairs(details.virt_text or {}) do table.insert(parts, chunk[1]) end
      for _, line in ipairs(details.virt_lines or {}) do table.insert(parts, '| ' .. line[1][1]) end
      if details.hl_group then table.insert(parts, details.hl_group .. ' to ' .. details.end_row) end
      table.insert(rows, table.concat(parts, ' '))
    end
    return table.concat(rows, '\\n')`);
}

/** Waits until all of this is drawn in the current buffer. */
export function untilDrawn(nvim: Neovim, ...words: readonly string[]): Promise<string> {
  return untilIn(nvim, () => drawn(nvim), words);
}

/** Answers questions this way from now on; the questions are kept in \`asked\`. */
export async function answerQuestions(nvim: Neovim, choice: string): Promise<void> {
  await nvim.lua(`asked = asked or {}
    vim.ui.select = function(items, options, on_choice)
      table.insert(asked, options.prompt)
      for _, item in ipairs(items) do
        local text = options.format_item and options.format_item(item) or item
        if text:find(${luaString(choice)}, 1, true) then return on_choice(item) end
      end
      on_choice(nil)
    end
    return true`);
}

/** The questions so far. */
export function asked(nvim: Neovim): Promise<string[]> {
  return nvim.lua<string[]>('return asked or {}');
}
