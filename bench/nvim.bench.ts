/**
 * The plugin inside a real Neovim, beside the editor itself: its start beside a plugin that Neovim ships, a pull of
 * 20,000 lines beside bare lines with bare marks, a move in the list of a review beside a bare move.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from '../src/platform/exec.ts';
import { run } from '../src/platform/run.ts';
import { Neovim } from '../test/helpers/neovim.ts';
import type { BenchRow, BenchSuite } from './harness.ts';

const LINES = 20_000;
const HUNKS = 1_000;

/** Processor time: other programs on the machine do not affect it. */
const CPU_MS = `function cpu_ms()
    local used = vim.loop.getrusage()
    return (used.utime.sec + used.stime.sec) * 1000 + (used.utime.usec + used.stime.usec) / 1000
  end`;

/** What both sides need. The stand-ins for copane answer at once, so only the editor's part is measured. */
const SET_UP = `${CPU_MS}
  vim.notify = function() end
  local lines = {}
  for at = 1, ${LINES} do lines[at] = 'response line ' .. at .. ' of a long answer, with some words in it' end
  local turn = { id = 't', response = table.concat(lines, '\\n'), progress = 'complete' }
  local answer = vim.json.encode({ turns = { turn } })
  require('copane.job').run = function(_, _, on_end) on_end({ code = 0, stdout = answer, stderr = '' }) end
  function timed(act)
    local start = cpu_ms()
    act()
    return cpu_ms() - start
  end
  function fresh()
    vim.cmd('silent! %bwipeout!')
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'on top' })
    collectgarbage()
  end
  function bare()
    local space = vim.api.nvim_create_namespace('bare')
    vim.api.nvim_buf_set_lines(0, 1, 1, false, lines)
    for row = 1, #lines do
      vim.api.nvim_buf_set_extmark(0, space, row, 0, { end_row = row + 1, end_col = 0, hl_group = 'Comment', strict = false })
    end
  end
  local hunks = {}
  for at = 1, ${HUNKS} do
    hunks[at] = { id = 'h' .. at, file = 'f' .. at, kind = 'text', status = 'pending', diffComplete = true,
      diff = '@@ -1,3 +1,3 @@\\n a\\n-b' .. at .. '\\n+c' .. at .. '\\n d\\n', comments = {}, needs = {} }
  end
  local suggestion = { id = 's', description = 'd', status = 'pending', target = '/none', files = { 'f' },
    hunkCount = ${HUNKS}, decidedCount = 0, revision = 1, inPlace = false, hunks = hunks }
  function review()
    local session, core = require('copane.review.session'), require('copane.review.core')
    session.ask = function(command, _, on_end) if command == 'review/show' then on_end(suggestion) end end
    session.follow = function() end
    require('copane.review').open({ style = 'picker', id = 's' })
    vim.wait(1000, function() return core.marked(session.state()) ~= nil end, 5)
    vim.wait(50)
  end
  --- The mean of many moves with all that listens to them, in this call of the editor.
  function moves()
    local count = 200
    return timed(function()
      for at = 1, count do
        vim.api.nvim_win_set_cursor(0, { at, 0 })
        vim.cmd('doautocmd <nomodeline> CursorMoved')
      end
    end) / count
  end
  --- A file of many lines, and as many hunks in it; \`line\` is what the file has in their place.
  function placing(line)
    local spot, rows, hunks = require('copane.review.spot'), {}, {}
    for at = 1, #lines do rows[at] = 'row ' .. at end
    for at = 1, ${HUNKS} do
      local row = at * 20
      hunks[at] = { id = 'p' .. at, diff = ('@@ -%d,3 +%d,3 @@\\n row %d\\n-row %d\\n+ROW\\n row %d\\n'):format(
        row - 1, row - 1, row - 1, row, row + 1) }
      rows[row] = line:format(row)
    end
    for _, hunk in ipairs(hunks) do require('copane.review.diff').of(hunk) end
    return timed(function()
      local text = spot.text(rows)
      for _, hunk in ipairs(hunks) do spot.of(text, hunk, 'pending', { in_place = false, shift = 0 }) end
    end)
  end
  return true`;

/** Milliseconds that a fresh Neovim takes to read one plugin. */
async function startOf(binary: string, root: string, plugin: string): Promise<number> {
  const [script, result] = [path.join(root, 'start.lua'), path.join(root, 'start.result')];
  writeFileSync(
    script,
    `${CPU_MS}
    vim.g.mapleader = ' '
    vim.opt.runtimepath:prepend('${path.resolve(import.meta.dirname, '../nvim')}')
    local start = cpu_ms()
    vim.cmd('runtime ${plugin}')
    vim.fn.writefile({ tostring(cpu_ms() - start) }, '${result}')`,
  );
  await run(binary, ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', `+luafile ${script}`, '+qa!']);
  return Number(readFileSync(result, 'utf8'));
}

export const suite: BenchSuite = {
  name: 'nvim',
  prepare: async () => {
    const binary = findOnPath('nvim', process.env);
    if (binary === null) return { skip: 'there is no nvim' };
    const [pulling, reviewing] = [await Neovim.start(binary), await Neovim.start(binary)];
    await pulling.lua(SET_UP);
    await reviewing.lua(SET_UP);
    const bareMoves = await Neovim.start(binary);
    await bareMoves.lua(SET_UP);
    await bareMoves.lua(
      `vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(('x\\n'):rep(${HUNKS}), '\\n')) return true`,
    );
    await reviewing.lua('review() return true');
    const rows: BenchRow[] = [
      {
        name: 'start of the plugin (1 ms at most)',
        peer: 'netrw, which Neovim ships',
        target: 3,
        ours: () => startOf(binary, pulling.root, 'plugin/copane.lua'),
        theirs: () => startOf(binary, pulling.root, 'plugin/netrwPlugin.vim'),
      },
      {
        name: 'a pull of 20,000 lines, in the editor (150 ms at most)',
        peer: 'bare lines and marks',
        target: 3,
        ours: () =>
          pulling.lua<number>(`fresh() return timed(function() require('copane.pull').pull('here', {}) end)`),
        theirs: () => pulling.lua<number>('fresh() return timed(bare)'),
      },
      {
        name: 'a move in the list of 1,000 hunks (1 ms at most)',
        peer: 'a bare move',
        target: 20,
        ours: () =>
          reviewing.lua<number>(`local took = moves()
            assert(require('copane.review.session').state().hunk == 'h200', 'the mark did not follow')
            return took`),
        theirs: () => bareMoves.lua<number>('return moves()'),
      },
      {
        name: 'places of 1,000 hunks that 20,000 lines do not have any more',
        peer: 'of hunks that they have',
        target: 10,
        ours: () => pulling.lua<number>("return placing('rewritten %d')"),
        theirs: () => pulling.lua<number>("return placing('row %d')"),
      },
    ];
    return {
      rows,
      cleanup: async () => {
        for (const nvim of [pulling, reviewing, bareMoves]) await nvim.close();
      },
    };
  },
};
