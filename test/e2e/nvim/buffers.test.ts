/**
 * Buffers of every kind while somebody else decides on their files: typed text stays, decisions arrive, and conflicts
 * are reported.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readText, type Tree } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { serve } from '../../helpers/serve.ts';
import { until } from '../../helpers/until.ts';

/** Thirty lines, some of them replaced. */
const long = (change: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');

const BOM = '\xef\xbb\xbf';
/** How lines that end in line feeds become the bytes of a file; one character per byte. */
const FORMATS: Readonly<Record<string, (text: string) => string>> = {
  unix: (text) => text,
  dos: (text) => text.replaceAll('\n', '\r\n'),
  mixed: (text) => text.replace('\n', '\r\n'),
  noeol: (text) => text.slice(0, -1),
  bom: (text) => BOM + text,
  'bom-dos-noeol': (text) => BOM + text.replaceAll('\n', '\r\n').slice(0, -2),
  latin1: (text) => text.replaceAll('line', 'z\xe9ro'),
  'latin1-dos': (text) => text.replaceAll('line', 'z\xe9ro').replaceAll('\n', '\r\n'),
  utf8: (text) => text.replaceAll('line', 'z\xc3\xa9ro'),
  'no\ttab [x] {y} $z %': (text) => text,
};
const all = (change: Record<number, string> = {}) =>
  Object.fromEntries(Object.entries(FORMATS).map(([name, format]) => [name, format(long(change))]));
const BASE = { ...all(), f: long(), g: long({ 1: 'g' }) };

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let host: ChildProcess;
  let nvim: Neovim;
  const place = () => ({ root: desk.root, project: desk.project });
  beforeAll(async () => {
    desk = await ReviewDesk.open({ base: BASE, columns: 100, rows: 30 });
    host = await serve(place());
    nvim = await connected();
  });
  afterAll(async () => {
    await nvim.close();
    host.kill('SIGKILL');
    await desk.close();
  });
  beforeEach(async () => {
    await nvim.lua(`vim.cmd('silent! tabonly! | silent! only!')
      vim.cmd('silent! %bwipeout!')
      vim.cmd('messages clear')
      said = {}
      return true`);
    for (const [name, bytes] of Object.entries(BASE))
      writeFileSync(path.join(desk.project, name), Buffer.from(bytes, 'latin1'));
  });

  async function connected(before = ''): Promise<Neovim> {
    const made = await Neovim.startAt(binary, place(), {
      before: `vim.o.fixeol, vim.o.hidden = false, true ${before}`,
    });
    await follow(made);
    return made;
  }
  async function follow(which: Neovim): Promise<void> {
    await which.lua("require('copane').follow() return true");
    await until('a connection', () =>
      which.lua(`return select(2, require('copane.review.session').peek()).kind == 'connected'`),
    );
  }

  const file = (name = 'f') => readText(desk.project, name);
  async function untilText(wanted: string, which = nvim): Promise<void> {
    let last = '';
    const isThere = async () => {
      last = `${(await which.lines()).join('\n')}\n`;
      return last === wanted;
    };
    await until('the text', isThere).catch(() => expect(last).toBe(wanted));
  }
  /** Publishes `want`, and returns what accepts one hunk of it, or all. */
  function publish(want: Tree): (at?: number) => void {
    const id = desk.publish(want, 'Change');
    const { hunks } = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { id: string }[] };
    return (at) => desk.copane(['decide', id, at === undefined ? 'all' : (hunks[at]?.id ?? ''), 'accept']);
  }
  const conflicts = async () => (await nvim.said()).filter((words) => !words.startsWith('Suggestion ready'));

  it('applies decisions beside unsaved edits in files of any format, and :wa writes both', async () => {
    const accept = publish(all({ 5: 'five\nhalf', 25: 'last but five', 30: 'END' }));
    await nvim.lua(`for _, name in ipairs(vim.fn.readdir('.')) do
        if not name:find('^[.fg]') then vim.cmd('silent edit ' .. vim.fn.fnameescape(name)) end
      end
      return true`);
    await nvim.act(':silent bufdo 10s/$/ mine/');
    accept();
    const missing = `local left = {}
      for _, buf in ipairs(vim.fn.getbufinfo({ buflisted = 1 })) do
        local lines = table.concat(vim.api.nvim_buf_get_lines(buf.bufnr, 0, -1, false), ' ')
        if not lines:find('last but five', 1, true) then table.insert(left, buf.name) end
      end
      return table.concat(left, ' ')`;
    let left = '';
    const show = () => left;
    await until(
      'the decisions',
      async () => {
        left = await nvim.lua<string>(missing);
        return left === '';
      },
      { show },
    );
    await nvim.keys(':silent wa<CR>');
    await until('the files', () => nvim.lua('return #vim.fn.getbufinfo({ bufmodified = 1 }) == 0'));
    const files = Object.fromEntries(Object.keys(FORMATS).map((name) => [name, file(name)]));
    expect(files).toEqual(all({ 5: 'five\nhalf', 10: 'line 10 mine', 25: 'last but five', 30: 'END' }));
  });

  it.each(['V', 'v', '<C-v>', 'gh<C-g>'])('waits for the end of a selection: %s', async (select) => {
    const accept = publish({ f: `new\nnewer\n${long()}`, g: long({ 1: 'g', 5: 'five' }) });
    await nvim.act(':silent edit f', ':split g', ':wincmd p');
    await nvim.keys(`18G${select}j`);
    accept();
    const inOther = "return vim.api.nvim_buf_get_lines(vim.fn.bufnr('^g$'), 4, 5, false)[1] == 'five'";
    await until('the decision in the other buffer', () => nvim.lua(inOther));
    await nvim.keys(':delete<CR>');
    await untilText(`new\nnewer\n${long()}`.replace('line 18\nline 19\n', ''));
  });

  it('applies a decision as one undo step, in the current buffer and in another, with edits and without', async () => {
    const accept = publish({ f: long({ 5: 'five', 25: 'x' }), g: long({ 1: 'g', 20: 'y' }) });
    await nvim.act(':silent edit f', ':split g');
    await nvim.keys('10Gccmine<Esc>');
    accept();
    await untilText(long({ 1: 'g', 10: 'mine', 20: 'y' }));
    await nvim.keys('u');
    await untilText(long({ 1: 'g', 10: 'mine' }));
    await nvim.keys('u');
    await untilText(long({ 1: 'g' }));
    await nvim.keys('<C-r><C-r><C-w>w');
    await untilText(long({ 5: 'five', 25: 'x' }));
    await nvim.keys('u');
    await untilText(long());
    await nvim.keys('<C-r>');
    await untilText(long({ 5: 'five', 25: 'x' }));
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
  });

  it('listeners to the lines of a buffer, such as language servers, get every change', async () => {
    const accept = publish({ f: `new\nnewer\n${long({ 25: 'x' })}` });
    await nvim.act(':silent edit f');
    await nvim.lua(`mirror = vim.api.nvim_buf_get_lines(0, 0, -1, false)
      vim.api.nvim_buf_attach(0, false, {
        on_lines = function(_, buf, _, first, last, new_last)
          local come = vim.api.nvim_buf_get_lines(buf, first, new_last, false)
          mirror = vim.list_extend(vim.list_extend(vim.list_slice(mirror, 1, first), come), vim.list_slice(mirror, last + 1))
        end,
        on_reload = function(_, buf) mirror = vim.api.nvim_buf_get_lines(buf, 0, -1, false) end,
      })
      local edit = { range = { start = { line = 9, character = 0 }, ['end'] = { line = 9, character = 4 } }, newText = 'renamed' }
      vim.lsp.util.apply_workspace_edit({ changes = { [vim.uri_from_bufnr(0)] = { edit } } }, 'utf-16')
      return true`);
    accept();
    const wanted = `new\nnewer\n${long({ 10: 'renamed 10', 25: 'x' })}`;
    await untilText(wanted);
    expect(await nvim.lua("return table.concat(mirror, '\\n') .. '\\n'")).toBe(wanted);
    await nvim.keys(':write<CR>');
    await until('the file', () => file() === wanted);
  });

  it('shows a conflict at its place, and forgets it after :e!', async () => {
    const accept = publish({ f: long({ 5: 'five' }) });
    await nvim.act(':silent edit f');
    await nvim.keys('5Gccmine<Esc>2GOabove<Esc>');
    accept();
    await nvim.untilSaid('f changed on disk');
    const rows = `return vim.tbl_map(function(mark) return mark[2] end,
      vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('copane_conflict'), 0, -1, {}))`;
    expect(await nvim.lua(rows)).toEqual([5]);
    await nvim.act(':silent edit!');
    await nvim.keys('10Gccmine<Esc>:write<CR>');
    await until('the file', () => file() === long({ 5: 'five', 10: 'mine' }));
    expect(await conflicts()).toEqual([]);
  });

  it.each(['latin1-dos', 'bom', 'mixed'])(
    'compares a conflict with the file as the buffer would write it: %s',
    async (name) => {
      const accept = publish({ [name]: all({ 5: 'five' })[name] ?? '' });
      await nvim.act(`:silent edit ${name}`);
      await nvim.keys('5Gccmine<Esc>');
      accept();
      await nvim.untilSaid('changed on disk');
      await nvim.keys(':Copane diff<CR>');
      const differing = `return vim.tbl_map(function(win)
        return vim.api.nvim_win_call(win, function()
          return vim.tbl_filter(function(row) return vim.fn.diff_hlID(row, 1) > 0 end, vim.fn.range(1, vim.fn.line('$')))
        end)
      end, vim.api.nvim_tabpage_list_wins(0))`;
      await until('both sides', async () => (await nvim.lua<number[][]>(differing)).length === 2);
      expect(await nvim.lua(differing)).toEqual([[5], [5]]);
    },
  );

  it('does not apply decisions on another file whose name the buffer was given', async () => {
    const accept = publish({ g: long({ 1: 'g', 5: 'five' }) });
    await nvim.act(':silent edit f');
    await nvim.keys('10Gccmine<Esc>:file g<CR>');
    accept();
    await nvim.untilSaid('g changed on disk');
    await untilText(long({ 10: 'mine' }));
    await nvim.keys(':silent saveas! h<CR>:silent edit! g<CR>');
    await untilText(long({ 1: 'g', 5: 'five' }));
    rmSync(path.join(desk.project, 'h'));
  });

  it.each([':write! h', ':1,3write! h'])('%s leaves unsaved edits what they are', async (command) => {
    const accept = publish({ f: long({ 5: 'five' }) });
    await nvim.act(':silent edit f');
    await nvim.keys(`10Gccmine<Esc>:silent ${command.slice(1)}<CR>`);
    accept();
    const both = long({ 5: 'five', 10: 'mine' });
    await untilText(both);
    await nvim.keys(':write<CR>');
    await until('the file', () => file() === both, { show: () => file() ?? '' });
    expect(await conflicts()).toEqual([]);
    rmSync(path.join(desk.project, 'h'));
  });

  it('says when a decision deleted the file of unsaved edits, and when a write restores it', async () => {
    const accept = publish({ f: null, h: long({ 5: 'five' }) });
    await nvim.act(':silent edit f');
    await nvim.keys('10Gccmine<Esc>');
    accept();
    await nvim.untilSaid('f removed; your unsaved edits stay');
    await nvim.keys(':write<CR>');
    await nvim.untilSaid('Your text overwrites a decision');
    rmSync(path.join(desk.project, 'h'));
  });

  it.each(['recovered', 'recovered before it was used', 'edited before it was used'])(
    'does not take a text that was %s for one made of what the file holds',
    async (how) => {
      const swaps = mkdtempSync(`${desk.root}/swaps-`);
      const before = `vim.o.updatecount, vim.o.directory = 1, '${swaps}//'`;
      const accept = publish({ f: long({ 5: 'five', 25: 'x' }) });
      const edits = '10Gccmine<Esc>:preserve<CR>';
      const isEdited = how.startsWith('edited');
      if (!isEdited) {
        const lost = await connected(before);
        await lost.act(':silent edit f');
        await lost.keys(edits);
        await lost.lua('return true');
        await lost.close();
        accept(0);
      }
      const again =
        how === 'recovered' ? await connected(before) : await Neovim.startAt(binary, place(), { before });
      await again.keys(isEdited ? `:silent edit f<CR>${edits}` : ':silent! recover f<CR>');
      await untilText(long({ 10: 'mine' }), again);
      if (isEdited) accept(0);
      await follow(again);
      accept(1);
      await again.untilSaid('f changed on disk');
      await untilText(long({ 10: 'mine' }), again);
      await again.close();
    },
  );

  it.each([':wqa', ':wa', 'ZZ', ':w ++ff=dos'])(
    '%s before Neovim hears of a decision writes both',
    async (keys) => {
      const one = await connected();
      await one.act(':silent edit f');
      await one.keys('10Gccmine<Esc>');
      const accept = publish({ f: long({ 5: 'five' }) });
      await one.untilSaid('Suggestion ready');
      await one.lua(`function busy()
          vim.fn.writefile({}, '${desk.root}/busy')
          local till = vim.loop.hrtime() + 20 * 1e9
          while vim.loop.hrtime() < till and vim.fn.readfile('f')[5] ~= 'five' do end
        end
        return true`);
      const pressed = one.keys(`:lua busy()<CR>${keys}${keys.startsWith(':') ? '<CR>' : ''}`);
      await until('a busy Neovim', () => readText(desk.root, 'busy') !== null);
      accept();
      const both = long({ 5: 'five', 10: 'mine' });
      const wanted = keys.includes('dos') ? both.replaceAll('\n', '\r\n') : both;
      await until('both', () => file() === wanted, { show: () => file() ?? '' });
      await pressed;
      await one.close();
      rmSync(path.join(desk.root, 'busy'));
    },
  );

  it('writes without a question if a decision and its undo left the file unchanged', async () => {
    const id = desk.publish({ f: long({ 5: 'five' }) }, 'Change');
    await nvim.act(':silent edit f');
    await nvim.keys('10Gccmine<Esc>');
    await nvim.lua(`function busy()
        vim.fn.writefile({}, '${desk.root}/busy')
        while vim.fn.filereadable('${desk.root}/busy') == 1 do end
      end
      return true`);
    const pressed = nvim.keys(':lua busy()<CR>:write<CR>Golast<Esc>');
    await until('a busy Neovim', () => readText(desk.root, 'busy') !== null);
    desk.copane(['decide', id, 'all', 'accept']);
    desk.copane(['undo', id, 'all']);
    rmSync(path.join(desk.root, 'busy'));
    await pressed;
    const both = `${long({ 10: 'mine' })}last\n`;
    await untilText(both);
    // It is written a moment later, with the text typed meanwhile.
    await until('the file', () => file() === both, { show: () => file() ?? '' });
    expect(await nvim.lua("return vim.fn.execute('messages')")).not.toContain('WARNING');
  });

  it('writes at once text that was edited before the plugin was used', async () => {
    publish({ f: long({ 5: 'five' }) });
    utimesSync(path.join(desk.project, 'f'), 1, 1);
    const late = await Neovim.startAt(binary, place());
    try {
      await late.act(':silent edit f');
      await late.keys('10Gccmine<Esc>');
      await follow(late);
      await until('a guard', () =>
        late.lua("return #vim.api.nvim_get_autocmds({ event = 'BufWriteCmd', buffer = 0 }) > 0"),
      );
      expect(await late.lua("vim.cmd('silent write') return vim.bo.modified")).toBe(false);
      expect(file()).toBe(long({ 10: 'mine' }));
    } finally {
      await late.close();
    }
  });

  it('shows the result of a formatter on a file under review once it is written', async () => {
    publish({ f: long({ 5: 'five' }) });
    await nvim.untilSaid('Suggestion ready');
    await nvim.act(':silent edit f');
    await nvim.lua(`format = vim.api.nvim_create_autocmd('BufWritePost', { callback = function()
        vim.fn.writefile({ 'formatted', unpack(vim.fn.readfile('f')) }, 'f')
        vim.cmd('checktime')
      end })
      return true`);
    await nvim.keys('10Gccmine<Esc>:write<CR>');
    const formatted = `formatted\n${long({ 10: 'mine' })}`;
    await untilText(formatted);
    expect(await nvim.lua("return { vim.bo.modified, vim.fn.getline('.') }")).toEqual([false, 'mine']);
    expect(file()).toBe(formatted);
    await nvim.lua('vim.api.nvim_del_autocmd(format) return true');
  });

  it.each(['q:', ':echo 1'])('continues after %s', async (keys) => {
    const accept = publish({ f: long({ 5: 'five' }), g: long({ 1: 'g', 5: 'five' }) });
    await nvim.act(':silent edit f');
    await nvim.keys(`10Gccmine<Esc>:split g<CR>${keys}`);
    accept();
    await nvim.keys(keys === 'q:' ? ':q<CR>' : '<Esc>');
    await untilText(long({ 1: 'g', 5: 'five' }));
    await nvim.keys('<C-w>w');
    await untilText(long({ 5: 'five', 10: 'mine' }));
    expect(await nvim.lua("return vim.fn.execute('messages')")).not.toMatch(/E\d+:/);
  });
});
