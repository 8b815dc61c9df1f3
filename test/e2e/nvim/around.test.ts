/**
 * What else works on a buffer while its file is under review: a language server, formatters, plugins that show the
 * state of git, sessions, folds and marks, options of the user's. None of them loses a hunk, and no hunk costs them
 * their place.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, readText, type Tree } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim, type StartOptions } from '../../helpers/neovim.ts';
import { luaString } from '../../helpers/neovim-channel.ts';
import { untilDrawn } from '../../helpers/nvim-review.ts';
import { ROOT } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { serve } from '../../helpers/serve.ts';
import { until } from '../../helpers/until.ts';

/** Folders with third-party plugins, one each; tests whose plugin is missing are skipped. */
const PLUGINS = process.env.COPANE_TEST_NVIM_PLUGINS ?? '';
const LSP = path.join(ROOT, 'test/fixtures/programs/scripted-lsp.mjs');

/** Thirty lines, some of them replaced. */
const long = (change: Record<number, string> = {}) =>
  Array.from({ length: 30 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');
/** One character per byte, as `readText` reads a file that is not UTF-8. */
const modeline = (change: Record<number, string> = {}) =>
  `${long(change)}/* vim: set sw=3 tw=77 fdm=marker: */\n`;
const WIDE = `${'x'.repeat(3_000_000)}\n`;
/** One character per byte, as a UTF-16 file with a byte order mark. */
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
const BASE = {
  f: long(),
  g: long({ 1: 'g' }),
  'm.c': modeline(),
  wide: `${long()}${WIDE}`,
  utf16: utf16(long()),
};

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
    for (const [name, text] of Object.entries(BASE))
      writeFileSync(path.join(desk.project, name), text, 'latin1');
  });

  async function connected(options: StartOptions = {}): Promise<Neovim> {
    const made = await Neovim.startAt(binary, place(), options);
    await made.lua("require('copane').follow() return true");
    await until('a connection', () =>
      made.lua(`return select(2, require('copane.review.session').peek()).kind == 'connected'`),
    );
    return made;
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
  const untilFile = (wanted: string, name = 'f') =>
    until('the file', () => file(name) === wanted, { show: () => file(name) ?? '' });
  /** Publishes `want`, and returns what accepts one hunk of it, or all. */
  function publish(want: Tree): { id: string; accept: (at?: number) => void } {
    const id = desk.publish(want, 'Change');
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { id: string }[] };
    const hunks = shown.hunks.map((hunk) => hunk.id);
    const named = (at?: number) => (at === undefined ? 'all' : (hunks[at] ?? ''));
    return { id, accept: (at) => desk.copane(['decide', id, named(at), 'accept']) };
  }
  /** Opens this one of the waiting suggestions. */
  const review = (id: string, style: string, which = nvim) =>
    which.lua(
      `require('copane.review').open({ id = ${luaString(id)}, style = ${luaString(style)} }) return true`,
    );
  const trouble = async (which = nvim) => {
    const said = (await which.said()).filter((words) => !words.startsWith('Suggestion ready'));
    return `${said.join('\n')}${await which.lua("return vim.fn.execute('messages')")}`;
  };
  const expectNoTrouble = async (which = nvim) =>
    expect(await trouble(which)).not.toMatch(/WARNING|W1[0-9]|E[0-9]+:|Error|copane:/);

  describe('with a language server', () => {
    const mirror = (name = 'f') => {
      const copy = path.join(desk.root, 'lsp', name);
      return existsSync(copy) ? readFileSync(copy, 'utf8') : '';
    };
    const untilMirror = async (wanted: string) =>
      until("the server's copy", () => mirror() === wanted, { show: () => mirror() });
    async function attach(): Promise<void> {
      await nvim.lua(`client = vim.lsp.start_client({
          name = 'scripted', root_dir = vim.fn.getcwd(),
          cmd = { ${luaString(process.execPath)}, ${luaString(LSP)}, ${luaString(path.join(desk.root, 'lsp'))} },
        })
        vim.lsp.buf_attach_client(0, client)
        return true`);
      await until('the server', () => nvim.lua('return #vim.tbl_values(vim.lsp.buf_get_clients(0)) > 0'));
    }
    const insert = (line: number, text: string) =>
      nvim.lua(`local params = { command = 'insert', arguments = { vim.uri_from_bufnr(0), ${line}, ${luaString(text)} } }
        vim.lsp.get_client_by_id(client).request('workspace/executeCommand', params, function() end, 0)
        return true`);
    const format = () =>
      nvim.lua(`local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
        if vim.lsp.buf.format then format({ timeout_ms = 5000 }) else format(nil, 5000) end
        return true`);

    it('tells it every change, formats the accepted text, and writes the results of both', async () => {
      const { accept } = publish({ f: `new\nfmt newer  \n${long({ 25: 'fmt x' })}` });
      await nvim.act(':silent edit f');
      await attach();
      await untilMirror(long());
      await nvim.keys('10Gccmine<Esc>');
      accept(0);
      const first = `new\nfmt newer  \n${long({ 10: 'mine' })}`;
      await untilText(first);
      await untilMirror(first);
      await insert(20, 'from the server\n');
      const second = first.replace('line 19\n', 'from the server\nline 19\n');
      await untilText(second);
      accept(1);
      const third = second.replace('line 25', 'fmt x');
      await untilText(third);
      await format();
      const formatted = third.replace('fmt newer  ', 'FMT NEWER').replace('fmt x', 'FMT X');
      await untilText(formatted);
      await untilMirror(formatted);
      await nvim.keys(':write<CR>');
      await untilFile(formatted);
      await expectNoTrouble();
      // An undo reverts the decision, and says where the formatter is in its way.
      await nvim.keys('u');
      await untilText(third);
    });

    it('updates a clean buffer from the file without telling the server anything false', async () => {
      const { accept, id } = publish({ f: long({ 5: 'five\nand a half', 25: 'x' }) });
      await nvim.act(':silent edit f');
      await attach();
      await untilMirror(long());
      accept();
      await untilMirror(long({ 5: 'five\nand a half', 25: 'x' }));
      desk.copane(['undo', id, 'all']);
      await untilMirror(long());
      expect(await nvim.lua('return vim.bo.modified')).toBe(false);
      await expectNoTrouble();
    });
  });

  it.each([
    ['BufWritePre', `vim.cmd([[silent! keeppatterns %s/\\s\\+$//e]])`],
    [
      'BufWritePre',
      `local view = vim.fn.winsaveview()
      vim.cmd([[silent %!sed 's/ *$//']])
      vim.fn.winrestview(view)`,
    ],
    [
      'BufWritePost',
      `vim.fn.system({ 'sed', '-i', 's/ *$//', vim.fn.expand('%:p') }) vim.cmd('silent! checktime')`,
    ],
  ] as const)(
    'a formatter on %s: decisions and typed text are written, formatted (%#)',
    async (event, act) => {
      const { accept } = publish({ f: long({ 5: 'five   ', 25: 'x  ' }) });
      await nvim.untilSaid('Suggestion ready');
      await nvim.act(':silent edit f');
      await nvim.lua(
        `format = vim.api.nvim_create_autocmd(${luaString(event)}, { callback = function() ${act} end }) return true`,
      );
      try {
        await nvim.keys('10Gccmine  <Esc>');
        accept(0);
        await untilText(long({ 5: 'five   ', 10: 'mine  ' }));
        await nvim.keys(':silent write<CR>');
        const formatted = long({ 5: 'five', 10: 'mine' });
        await untilFile(formatted);
        await untilText(formatted);
        accept(1);
        await untilText(long({ 5: 'five', 10: 'mine', 25: 'x  ' }));
        await nvim.keys('12Gccagain  <Esc>:silent write<CR>');
        await untilFile(long({ 5: 'five', 10: 'mine', 12: 'again', 25: 'x' }));
        await untilText(long({ 5: 'five', 10: 'mine', 12: 'again', 25: 'x' }));
        expect(await nvim.lua('return vim.bo.modified')).toBe(false);
        await expectNoTrouble();
      } finally {
        await nvim.lua('vim.api.nvim_del_autocmd(format) return true');
      }
    },
  );

  it('undoes a hunk whose line a formatter has since changed', async () => {
    const { accept, id } = publish({ f: long({ 5: 'five   ', 25: 'x' }) });
    await nvim.act(':silent edit f');
    accept();
    await untilText(long({ 5: 'five   ', 25: 'x' }));
    await nvim.keys(':%s/ *$//<CR>:silent write<CR>');
    await untilFile(long({ 5: 'five', 25: 'x' }));
    await review(id, 'inline');
    await untilDrawn(nvim, 'accepted');
    await nvim.lua('said = {} return true');
    await nvim.keys('5G:Copane undo<CR>');
    await nvim.untilSaid('2 decisions undone');
    await nvim.lua("require('copane.review').close() return true");
    expect(file()).toBe(long());
    await untilText(long());
  });

  it('folds, marks, jumps, extmarks and both windows stay on their lines', async () => {
    const { accept } = publish({ f: `new\nnewer\n${long({ 8: 'eight\nand a half', 20: 'twenty' })}` });
    await nvim.act(
      ':silent edit f',
      ':setlocal foldmethod=manual',
      ':12,15fold',
      ':18mark a',
      ':split',
      ':wincmd j',
    );
    await nvim.act(':setlocal foldmethod=manual', ':22,24fold', ':27');
    await nvim.act(':wincmd k', ':17');
    await nvim.lua(`space = vim.api.nvim_create_namespace('of another')
      mark = vim.api.nvim_buf_set_extmark(0, space, 25, 2, { end_col = 4, hl_group = 'Search' })
      return true`);
    accept();
    await untilText(`new\nnewer\n${long({ 8: 'eight\nand a half', 20: 'twenty' })}`);
    const seen = `local at = vim.api.nvim_buf_get_extmark_by_id(0, space, mark, {})
      local function of(win)
        return vim.api.nvim_win_call(vim.fn.win_getid(win), function()
          local closed = {}
          for row = 1, vim.fn.line('$') do
            if vim.fn.foldclosed(row) == row then table.insert(closed, vim.fn.getline(row) .. '-' .. vim.fn.getline(vim.fn.foldclosedend(row))) end
          end
          return { vim.fn.getline('.'), closed }
        end)
      end
      return { vim.fn.getline("'a"), vim.fn.getline(at[1] + 1), of(1), of(2) }`;
    const fold = 'line 12-line 15';
    expect(await nvim.lua(seen)).toEqual([
      'line 18',
      'line 26',
      ['line 17', [fold]],
      ['line 27', [fold, 'line 22-line 24']],
    ]);
    await expectNoTrouble();
  });

  it.each(['readonly', 'nomodifiable', 'view'])(
    '%s: the buffer follows its file, or says so',
    async (kind) => {
      const { accept } = publish({ f: long({ 5: 'five' }) });
      await nvim.act(kind === 'view' ? ':silent view f' : ':silent edit f');
      if (kind !== 'view') await nvim.act(`:setlocal ${kind}`);
      accept();
      await untilText(long({ 5: 'five' }));
      expect(await nvim.lua('return vim.bo.modified')).toBe(false);
      expect(await nvim.lua(`return vim.bo.${kind === 'nomodifiable' ? 'modifiable' : 'readonly'}`)).toBe(
        kind !== 'nomodifiable',
      );
      await expectNoTrouble();
    },
  );

  it('stays in a terminal in the middle of a word', async () => {
    const { accept } = publish({ f: long({ 5: 'five' }) });
    await nvim.act(':silent edit f', ':split', ':terminal cat');
    await nvim.keys('ihello');
    accept();
    const inFile = "return vim.api.nvim_buf_get_lines(vim.fn.bufnr('^f$'), 4, 5, false)[1]";
    await until('the decision', async () => (await nvim.lua(inFile)) === 'five');
    expect(await nvim.lua('return vim.fn.mode(1)')).toBe('t');
    await nvim.keys(' you<CR>');
    await until('the word', async () => (await nvim.lines()).some((line) => line === 'hello you'));
    await expectNoTrouble();
  });

  it('keeps the settings of a modeline, and reads no other modeline', async () => {
    const { accept } = publish({ 'm.c': modeline({ 5: 'five', 30: '/* vim: set sw=9 ro: */' }) });
    await nvim.act(':set modeline', ':silent edit m.c');
    accept();
    await untilText(modeline({ 5: 'five', 30: '/* vim: set sw=9 ro: */' }));
    expect(await nvim.lua('return { vim.bo.shiftwidth, vim.bo.textwidth, vim.bo.readonly }')).toEqual([
      3,
      77,
      false,
    ]);
    await expectNoTrouble();
  });

  it('a file in UTF-16, which git takes for binary, follows a decision, and says where unsaved edits are in its way', async () => {
    const { accept, id } = publish({ utf16: utf16(long({ 5: 'five' })) });
    await nvim.act(':set fileencodings=ucs-bom,utf-8,latin1', ':silent edit utf16');
    await untilText(long());
    accept();
    await untilText(long({ 5: 'five' }));
    expect(await nvim.lua('return { vim.bo.modified, vim.bo.fileencoding, vim.bo.bomb }')).toEqual([
      false,
      'utf-16le',
      true,
    ]);
    await nvim.keys('10Gccmine<Esc>');
    desk.copane(['undo', id, 'all']);
    await nvim.untilSaid('utf16 changed on disk; your unsaved edits stay');
    await untilText(long({ 5: 'five', 10: 'mine' }));
    await nvim.keys(':silent edit!<CR>');
    await untilText(long());
    await expectNoTrouble();
  });

  it.each([
    ['undofile', 'undofile'],
    ['a backup', 'backup backupcopy=yes backupdir=.'],
    ['no backup while it writes', 'nowritebackup backupcopy=no'],
    ['autowriteall, by going to another file', 'autowriteall nohidden'],
    ['binary', 'binary'],
  ] as const)('with %s writes the decision and the typed text', async (name, options) => {
    const { accept } = publish({ f: long({ 5: 'five' }) });
    const one = await connected({ before: `vim.cmd('set ${options}') vim.o.undodir = '${desk.root}'` });
    await one.act(':silent edit f');
    await one.keys('10Gccmine<Esc>');
    accept();
    await untilText(long({ 5: 'five', 10: 'mine' }), one);
    await one.keys(name.startsWith('autowriteall') ? ':silent edit g<CR>' : ':silent write<CR>');
    await untilFile(long({ 5: 'five', 10: 'mine' }));
    await expectNoTrouble(one);
    await one.close();
  });

  it('applies a decision to a file with a very long line, beside an edit', async () => {
    const { accept } = publish({ wide: `${long({ 5: 'five' })}${WIDE}` });
    await nvim.act(':silent edit wide');
    await nvim.keys('10Gccmine<Esc>');
    accept();
    await untilText(`${long({ 5: 'five', 10: 'mine' })}${WIDE}`);
    await nvim.keys(':silent write<CR>');
    await untilFile(`${long({ 5: 'five', 10: 'mine' })}${WIDE}`, 'wide');
    await expectNoTrouble();
  });

  it.each(['autoread', 'noautoread'])(
    '%s and a time check before the decision was announced: no question',
    async (option) => {
      const { accept } = publish({ f: long({ 5: 'five', 25: 'x' }) });
      await nvim.act(`:set ${option}`, ':silent edit f', ':12mark a', ':12');
      accept();
      await nvim.keys(':checktime<CR>');
      await untilText(long({ 5: 'five', 25: 'x' }));
      await nvim.keys(':doautocmd FocusGained<CR>');
      expect(await nvim.lua(`return { vim.fn.getline("'a"), vim.fn.getline('.'), vim.bo.modified }`)).toEqual(
        ['line 12', 'line 12', false],
      );
      await expectNoTrouble();
    },
  );

  it('writes all and quits with a decision in a hidden buffer', async () => {
    const { accept } = publish({ f: long({ 5: 'five' }), g: long({ 1: 'g', 5: 'five' }) });
    const one = await connected();
    await one.act(':silent edit f', ':10s/$/ mine/', ':silent edit g', ':10s/$/ mine/');
    accept();
    const inFile = "return vim.api.nvim_buf_get_lines(vim.fn.bufnr('^f$'), 4, 5, false)[1]";
    await until('the decision', async () => (await one.lua(inFile)) === 'five');
    const pressed = one.keys(':silent wqa<CR>').catch(() => undefined);
    await untilFile(long({ 5: 'five', 10: 'line 10 mine' }));
    await untilFile(long({ 1: 'g', 5: 'five', 10: 'line 10 mine' }), 'g');
    await pressed;
    await one.close();
  });

  it('a session saved during a review opens the same files, and nothing of the review', async () => {
    const { accept, id } = publish({ f: long({ 5: 'five' }), g: long({ 1: 'g', 5: 'five' }) });
    const one = await connected();
    await one.act(':silent edit f', ':silent split g');
    // Sessions in 0.7 count any plugin's floating windows, and then miss one.
    const hasFloats = await one.lua("return vim.fn.has('nvim-0.9') == 1");
    await review(id, hasFloats ? 'floating' : 'inline', one);
    await until('the review', () => one.lua("return require('copane.review').is_open()"));
    const session = path.join(desk.root, 'session.vim');
    await one.act(`:mksession! ${session}`);
    await one.close();
    accept();
    const again = await connected();
    await again.act(`:silent source ${session}`);
    const shown = `return vim.tbl_map(function(win)
      return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)), ':t')
    end, vim.api.nvim_list_wins())`;
    expect(((await again.lua(shown)) as string[]).sort()).toEqual(['f', 'g']);
    await expectNoTrouble(again);
    await again.keys(':bufdo 5s/$/ ok/<CR>:silent wa<CR>');
    await untilFile(long({ 5: 'five ok' }));
    await again.close();
  });

  it('an inherited GIT_DIR misleads neither the plugin nor the host that it starts', async () => {
    const other = makeRepository({ f: 'other\n' });
    const own = await ReviewDesk.open({ base: BASE, columns: 100, rows: 30 });
    const env = {
      GIT_DIR: path.join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: path.join(other, '.git/index'),
    };
    const one = await Neovim.startAt(binary, { root: own.root, project: own.project }, { env });
    try {
      own.publish({ f: long({ 5: 'five' }) }, 'Change');
      await one.act(':silent edit f');
      await one.keys(':Copane review inline<CR>');
      await untilDrawn(one, '5 | five');
      await one.keys('5G<Space>sa');
      await until('the decision', () => readText(own.project, 'f') === long({ 5: 'five' }));
      await untilText(long({ 5: 'five' }), one);
      expect(readText(other, 'f')).toBe('other\n');
    } finally {
      await one.close();
      await own.close();
      removeTree(other);
    }
  });

  const gitsigns = path.join(PLUGINS, 'gitsigns.nvim');
  const diffview = path.join(PLUGINS, 'diffview.nvim');
  const load = (folder: string) => `vim.opt.runtimepath:append(${luaString(folder)})`;

  it('gitsigns shows the lines changed by a decision, beside the signs of the review', async (context) => {
    const has = await nvim.lua("return vim.fn.has('nvim-0.11') == 1");
    if (PLUGINS === '' || !existsSync(gitsigns) || !has) context.skip('needs gitsigns.nvim, and Neovim 0.11');
    const { accept, id } = publish({ f: `new\n${long({ 25: 'x' })}` });
    const one = await connected({ before: load(gitsigns) });
    await one.lua("vim.o.hidden = true require('gitsigns').setup({}) return true");
    await one.act(':silent edit f');
    await until('gitsigns', () => one.lua('return vim.b.gitsigns_status_dict ~= nil'));
    await one.keys('10Gccmine<Esc>');
    await review(id, 'inline', one);
    await untilDrawn(one, 'open');
    accept();
    await untilText(`new\n${long({ 10: 'mine', 25: 'x' })}`, one);
    const rows = `local rows = {}
      for _, hunk in ipairs(require('gitsigns').get_hunks() or {}) do
        table.insert(rows, hunk.type .. ' ' .. hunk.added.start)
      end
      return rows`;
    let last: unknown;
    const wanted = ['add 1', 'change 11', 'change 26'];
    await until(
      'its hunks',
      async () => {
        last = await one.lua(rows);
        return JSON.stringify(last) === JSON.stringify(wanted);
      },
      { show: () => JSON.stringify(last) },
    );
    // What it reverts in the buffer is the user's edit, and is written as such.
    await one.keys('26G:Gitsigns reset_hunk<CR>');
    await untilText(`new\n${long({ 10: 'mine' })}`, one);
    await one.keys(':silent write<CR>');
    await untilFile(`new\n${long({ 10: 'mine' })}`);
    await expectNoTrouble(one);
    await one.close();
  });

  it('diffview shows a decision in its windows, and lets the text be edited there', async (context) => {
    if (PLUGINS === '' || !existsSync(diffview)) context.skip('needs diffview.nvim');
    const { accept } = publish({ f: `new\n${long({ 25: 'x' })}` });
    writeFileSync(path.join(desk.project, 'f'), long({ 10: 'mine' }));
    const one = await connected({ before: `${load(diffview)} vim.cmd('runtime plugin/diffview.lua')` });
    await one.keys(':DiffviewOpen<CR>');
    const isShown = `for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
        local buf = vim.api.nvim_win_get_buf(win)
        if vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':p') == vim.fn.getcwd() .. '/f' and vim.wo[win].diff then
          vim.api.nvim_set_current_win(win)
          return true
        end
      end
      return false`;
    await until('its windows', () => one.lua(isShown));
    await one.keys('12Gccmine too<Esc>');
    accept();
    const both = `new\n${long({ 10: 'mine', 12: 'mine too', 25: 'x' })}`;
    await untilText(both, one);
    await one.keys(':silent write<CR>');
    await untilFile(both);
    await one.keys(':DiffviewClose<CR>');
    await expectNoTrouble(one);
    await one.close();
  });
});
