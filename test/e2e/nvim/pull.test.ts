/** Pulling and sending in real Neovim, with a stand-in for copane: changes, messages, undo. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { luaString } from '../../helpers/neovim-channel.ts';
import { until } from '../../helpers/until.ts';

const FAILED = 'Failed to pull response or no response found';
const OLD = ['First line of it.', '', 'Second line of it.'];
const NEW = [...OLD, '', 'A third line that came later.'];

describe.each(NEOVIMS)('%s', (binary) => {
  let nvim: Neovim;
  beforeAll(async () => {
    nvim = await Neovim.start(binary, "vim.keymap.set('n', '<leader>llmx', 'ix<Esc>')");
  });
  afterAll(() => nvim.close());

  const answer = (lines: readonly string[], id = 'turn') => nvim.answer({ id, response: lines.join('\n') });

  async function pull(lines: readonly string[], id = 'turn', number = 1): Promise<void> {
    answer(lines, id);
    await nvim.lua(`require('copane').pull({ number = ${number} }) return true`);
    await nvim.untilSaid(`Pulled ${lines.length} response line`);
  }

  async function send(): Promise<string> {
    const before = nvim.sent().length;
    await nvim.lua("require('copane').send() return true");
    return until('the send', () => nvim.sent()[before], { show: () => JSON.stringify(nvim.argv()) });
  }

  it('pulls below the cursor, coloured by whole lines', async () => {
    await nvim.fresh(['above', 'below']);
    await nvim.act('gg');
    await pull(OLD);
    expect(await nvim.lines()).toEqual(['above', ...OLD, 'below']);
    expect(await nvim.coloured()).toEqual(OLD);
    expect(await nvim.lua("return vim.api.nvim_exec('highlight CopaneResponse', true)")).toContain('Comment');
  });

  it('lists what an answer changed in the quickfix list', async () => {
    const hunk = { old_start: 1, old_lines: 3, new_start: 1, new_lines: 3, origin: 'tool' };
    const diff = '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';
    const files = [
      {
        path: '/p/a.txt',
        kind: 'edit',
        hunks: [
          { ...hunk, diff },
          { ...hunk, origin: 'command', diff },
        ],
      },
      { path: '/p/b.bin', kind: 'edit', why: 'it is larger than a snapshot keeps', hunks: [] },
      { path: '/p/c\u3164\nd', kind: 'edit', hunks: [{ ...hunk, diff: '@@ -0,0 +1 @@\n+is\u3164Admin\n' }] },
    ];
    await nvim.fresh([]);
    nvim.script('changes', { stdout: JSON.stringify({ files }) });
    await nvim.act(':Copane changes 2');
    const items = await until(
      'the list',
      async () => {
        const found = await nvim.lua<string[]>(
          "return vim.tbl_map(function(i) return i.module .. i.lnum .. ' ' .. i.text end, vim.fn.getqflist())",
        );
        return found.length === 4 && found;
      },
      { show: () => JSON.stringify(nvim.argv()) },
    );
    expect(items).toEqual([
      '2 -two',
      '2 by a command: -two',
      '1 it is larger than a snapshot keeps',
      '/p/c<3164>␊d1 +is<3164>Admin',
    ]);
    expect(await nvim.lua('return vim.fn.bufname(vim.fn.getqflist()[4].bufnr)')).toBe('/p/c\u3164\nd');
    expect(nvim.argv().at(-1)).toEqual(['changes', '--json', '--number', '2']);
    nvim.script('changes', { code: 4, stderr: 'copane: there is no turn 3: there are 2 turns' });
    await nvim.act(':Copane changes 3');
    await nvim.untilSaid('there is no turn 3');
    await nvim.act(':cclose');
  });

  it.each(['on disk', 'in its buffer'])('lists changes where they are by now: %s', async (where) => {
    const all = (one: string, two: string) =>
      [...'abcdef', ...['above', one, 'below'], ...'ghij', ...['above', two, 'below']].join('\r\n');
    const file = path.join(nvim.root, 'moved [x].txt');
    // Six lines came above since; the first hunk was taken back.
    writeFileSync(file, all('one', 'TWO'));
    const hunk = (line: number, old: string, now: string) => ({
      ...{ old_start: line, old_lines: 3, new_start: line, new_lines: 3, origin: 'tool' },
      diff: `@@ -${line},3 +${line},3 @@\n above\r\n-${old}\r\n+${now}\r\n below\r\n`,
    });
    const hunks = [hunk(1, 'one', 'ONE'), hunk(8, 'two', 'TWO'), hunk(3, 'gone', 'GONE')];
    await nvim.fresh([]);
    nvim.script('changes', { stdout: JSON.stringify({ files: [{ path: file, kind: 'edit', hunks }] }) });
    if (where !== 'on disk') {
      await nvim.lua(`vim.cmd('silent edit ' .. vim.fn.fnameescape(${luaString(file)})) return true`);
      await nvim.act('ggOtop<Esc>', ':enew');
    }
    await nvim.act(':call setqflist([])', ':Copane changes');
    const rows = () =>
      nvim.lua<number[]>('return vim.tbl_map(function(i) return i.lnum end, vim.fn.getqflist())');
    const added = where === 'on disk' ? 0 : 1;
    await until('the list', async () => (await rows()).length === 3);
    expect(await rows()).toEqual([8 + added, 15 + added, 4]);
    await nvim.act(':cclose');
  });

  it('opens a review of what an answer changed', async () => {
    await nvim.fresh([]);
    await nvim.lua(
      "local c = require('copane') _G.review, c.review = c.review, function(o) _G.id = o.id end",
    );
    nvim.script('review', { stdout: JSON.stringify({ suggestion_id: 'abc' }) });
    await nvim.act(':Copane! changes 2');
    await until('the review', async () => (await nvim.lua('return _G.id')) === 'abc', {
      show: () => JSON.stringify(nvim.argv()),
    });
    expect(nvim.argv().at(-1)).toEqual(['review', '--json', '--turn', '2']);
    nvim.script('review', {
      code: 4,
      stderr: 'copane: This answer changed no files: there is nothing to review.',
    });
    await nvim.act(':Copane! changes');
    await nvim.untilSaid('This answer changed no files');
    await nvim.lua("require('copane').review = _G.review");
  });

  it('keeps the colour across colour schemes', async () => {
    await nvim.act(':colorscheme desert');
    expect(await nvim.lua("return vim.api.nvim_exec('highlight CopaneResponse', true)")).toContain('Comment');
  });

  it.each([
    ['no such pane', { code: 4, stderr: 'copane: there is no AI pane' }, 'there is no AI pane'],
    [
      'no answer yet',
      { stdout: '{"turns":[{"id":"t","response":"","progress":"streaming","warning":null}]}' },
      FAILED,
    ],
    ['no turn', { stdout: '{"turns":[]}' }, FAILED],
    ['something that is not JSON', { stdout: 'oops' }, FAILED],
  ])('changes nothing after %s', async (_name, scripted, words) => {
    await nvim.fresh(['a note']);
    await pull(OLD);
    const tick = await nvim.lua('return vim.api.nvim_buf_get_changedtick(0)');
    nvim.script('pull', scripted);
    await nvim.keys('<Space>llmp');
    expect(await nvim.untilSaid(FAILED)).toContain(words);
    expect(await nvim.lua('return vim.api.nvim_buf_get_changedtick(0)')).toBe(tick);
    expect(await nvim.lines()).toEqual(['a note', ...OLD]);
  });

  it('replaces the old lines of the turn and keeps notes under their lines', async () => {
    await nvim.fresh(['on top']);
    await pull(OLD);
    await nvim.act('2Goto the first<Esc>', 'Goto the second<Esc>');
    await pull(NEW);
    const expected = ['on top', NEW[0], 'to the first', NEW[1], NEW[2], 'to the second', ...NEW.slice(3)];
    expect(await nvim.lines()).toEqual(expected);
    expect(await nvim.coloured()).toEqual(NEW);
    expect(await send()).toBe('on top\nto the first\nto the second');
  });

  it('is one undo step, after which the older response is still known', async () => {
    await nvim.fresh(['on top']);
    await pull([...OLD, 'A third li']);
    await nvim.act('2Goto the first<Esc>');
    const before = await nvim.lines();
    await pull(NEW);
    await nvim.act('u');
    expect(await nvim.lines()).toEqual(before);
    expect(await nvim.coloured()).toEqual([...OLD, 'A third li']);
    expect(await send()).toBe('on top\nto the first');
  });

  it('undoes a pull in one step', async () => {
    await nvim.fresh(['on top']);
    await pull(OLD);
    await nvim.act('u');
    expect(await nvim.lines()).toEqual(['on top']);
    expect(await send()).toBe('on top');
  });

  it('keeps responses of several turns, all known', async () => {
    await nvim.fresh(['on top']);
    await pull(OLD, 'one');
    await nvim.act('G');
    await pull(['An answer from before.'], 'zero', 2);
    expect(await nvim.lines()).toEqual(['on top', ...OLD, 'An answer from before.']);
    expect(await send()).toBe('on top');
  });

  it('makes room for a newer response: notes stay, with a quote of the line above them', async () => {
    await nvim.fresh([]);
    await pull(OLD, 'one');
    await nvim.act('2Gomy note<Esc>');
    const before = await nvim.lines();
    await pull(['Another answer altogether.'], 'two');
    const after = await nvim.lines();
    expect(after.filter((line) => line !== '')).toEqual([
      `> ${OLD[0]}`,
      'my note',
      'Another answer altogether.',
    ]);
    await nvim.act('u');
    expect(await nvim.lines()).toEqual(before);
    await nvim.act('<C-r>');
    expect(await nvim.lines()).toEqual(after);
    expect(await send()).toBe(`> ${OLD[0]}\nmy note`);
  });

  it('does not wait: typing continues while the response is on its way', async () => {
    await nvim.fresh(['one', 'two']);
    await pull(OLD);
    nvim.script('pull', {
      delayMs: 300,
      stdout: JSON.stringify({ turns: [{ id: 'turn', response: NEW.join('\n'), progress: 'complete' }] }),
    });
    await nvim.keys('<Space>llmp');
    await nvim.act('ggOtyped meanwhile<Esc>');
    await nvim.untilSaid('Pulled 5 response lines');
    // Text below the old response stays right below it; new lines of the response follow.
    expect(await nvim.lines()).toEqual(['typed meanwhile', 'one', ...OLD, 'two', ...NEW.slice(OLD.length)]);
    expect(await send()).toBe('typed meanwhile\none\ntwo');
  });

  it('pulls as plain text, which is sent', async () => {
    await nvim.fresh(['mine']);
    answer(['theirs']);
    await nvim.keys('<Space>llmv');
    await nvim.untilSaid('Pulled 1 line as plain text');
    expect(await nvim.coloured()).toEqual([]);
    expect(await send()).toBe('mine\ntheirs');
  });

  it('pulls into a split, which comes back with its notes', async () => {
    await nvim.fresh(['mine']);
    answer(OLD);
    await nvim.keys('<Space>llmP');
    await nvim.untilSaid('Pulled 3 response lines');
    expect(await nvim.lines()).toEqual(['mine']);
    expect(await nvim.lua('return #vim.api.nvim_tabpage_list_wins(0)')).toBe(2);
    await nvim.act(':wincmd p');
    expect(await nvim.lines()).toEqual(OLD);
    await nvim.act('Goa note in the split<Esc>', ':close');
    await nvim.keys('<Space>llmP');
    await nvim.untilSaid('Pulled 3 response lines');
    await nvim.act(':wincmd p');
    expect(await nvim.lines()).toEqual([...OLD, 'a note in the split']);
    expect(await send()).toBe('a note in the split');
  });

  it('can pull again after the split was wiped out during its pull', async () => {
    await nvim.fresh(['mine']);
    answer(OLD);
    await nvim.keys('<Space>llmP');
    await nvim.untilSaid('Pulled 3 response lines');
    await nvim.lua(`local client = require('copane.client')
      local edits = client.edits
      client.edits = function(...)
        client.edits = edits
        edits(...)
        for _, buf in ipairs(vim.api.nvim_list_bufs()) do
          if vim.b[buf].copane_split then vim.api.nvim_buf_delete(buf, { force = true }) end
        end
      end
      return true`);
    await nvim.keys('<Space>llmP');
    await nvim.untilSaid('The buffer is gone');
    await pull(OLD);
    expect(await nvim.lines()).toEqual(['mine', ...OLD]);
  });

  it('clears pulled lines and nothing else; undo brings them back as known lines', async () => {
    await nvim.fresh(['on top']);
    await pull(OLD);
    await nvim.act('2Goto the first<Esc>');
    const before = await nvim.lines();
    await nvim.act(':CopaneClear');
    await nvim.untilSaid('Cleared 3 response lines');
    expect(await nvim.lines()).toEqual(['on top', 'to the first']);
    await nvim.act('u');
    expect(await nvim.lines()).toEqual(before);
    expect(await send()).toBe('on top\nto the first');
  });

  it('sends pulled text that was cleared and pulled again as plain text', async () => {
    await nvim.fresh(['on top']);
    await pull(OLD);
    await nvim.act(':CopaneClear');
    await nvim.untilSaid('Cleared');
    await nvim.keys('<Space>llmv');
    await nvim.untilSaid('Pulled 3 lines as plain text');
    expect(await send()).toBe(['on top', ...OLD].join('\n'));
  });

  it('only sends a selection', async () => {
    await nvim.fresh(['one', 'two', 'three']);
    await nvim.keys('ggVj<Space>llms');
    await until('the send', () => nvim.sent().length > 0);
    expect(nvim.sent()).toEqual(['one\ntwo']);
    await nvim.untilSaid('Sent 1 note, 7 bytes: delivered');
    expect(await nvim.lines()).toEqual(['three']);
    await nvim.act('u');
    expect(await nvim.lines()).toEqual(['one', 'two', 'three']);
  });

  it('keeps the notes when nothing was sent, and says why', async () => {
    await nvim.fresh(['one']);
    nvim.script('send', { code: 3, stderr: 'copane: the pane asks something' });
    await nvim.keys('<Space>llms');
    await nvim.untilSaid('the pane asks something');
    expect(await nvim.lines()).toEqual(['one']);
  });

  it('only removes what was sent, if the buffer changes meanwhile', async () => {
    await nvim.fresh(['one', 'two', 'three']);
    nvim.script('send', { delayMs: 400 });
    await nvim.keys('<Space>llms');
    await until('the send to be under way', () => nvim.argv().some(([command]) => command === 'send'));
    await nvim.act('2GA and more<Esc>', '3Gdd', 'Gonew<Esc>');
    await nvim.untilSaid('delivered');
    expect(await nvim.lines()).toEqual(['two and more', 'new']);
  });

  it('says when there is nothing to send', async () => {
    await nvim.fresh(['', '  ']);
    await nvim.keys('<Space>llms');
    await nvim.untilSaid('Nothing to send');
    expect(nvim.sent()).toEqual([]);
  });

  it('filters a file, leaves its notes in it, and recognizes its pulled lines after a restart', async () => {
    const file = path.join(nvim.root, `notes ; touch ${binary.length} '$(x)'.md`);
    writeFileSync(file, 'on top\n');
    await nvim.fresh([]);
    await nvim.lua(`vim.cmd('edit! ' .. vim.fn.fnameescape(${JSON.stringify(file)})) return true`);
    await pull(OLD);
    await nvim.act('Goa note<Esc>');
    expect(await send()).toBe('on top\na note');
    await nvim.untilSaid('delivered');
    await nvim.act(':write');
    expect(readFileSync(file, 'utf8')).toBe(`${['on top', ...OLD, 'a note'].join('\n')}\n`);
    await nvim.act(':bwipeout!');
    await nvim.lua(`vim.cmd('edit ' .. vim.fn.fnameescape(${JSON.stringify(file)})) return true`);
    expect(await nvim.coloured()).toEqual(OLD.filter((line) => line !== ''));
    expect(await send()).toBe('on top\na note');
    await nvim.untilSaid('delivered');
    await nvim.act(':edit!');
    expect(await nvim.coloured()).toEqual(OLD.filter((line) => line !== ''));
  });

  it('handles 20,000 lines: pulled, pulled again, and the notes between them found', async () => {
    const long = Array.from({ length: 20_000 }, (_, row) => `response line ${row} of a long answer`);
    await nvim.fresh(['on top']);
    await pull(long);
    await nvim.act('10000Goin the middle<Esc>', 'Goat the end<Esc>');
    await pull([...long, 'and one more line']);
    const lines = await nvim.lines();
    expect([lines.length, lines[0], lines[10_000], lines.at(-2)]).toEqual([
      20_004,
      'on top',
      'in the middle',
      'at the end',
    ]);
    expect(await send()).toBe('on top\nin the middle\nat the end');
  });

  it('colours 20,000 lines while the user types between them', async () => {
    const long = Array.from({ length: 20_000 }, (_, row) => `response line ${row} of a long answer`);
    await nvim.fresh(['on top']);
    nvim.answer({ id: 'turn', response: long.join('\n') });
    // At the moment the text arrives: only its first lines are marked yet.
    await nvim.lua(`local notify = vim.notify
      vim.notify = function(text)
        notify(text)
        if not vim.startswith(text, 'Pulled') then return end
        vim.notify = notify
        vim.api.nvim_buf_set_lines(0, 15000, 15000, false, { 'mine', 'and mine' })
        vim.api.nvim_buf_set_lines(0, 9000, 9003, false, {})
      end return true`);
    await nvim.keys('<Space>llmp');
    await nvim.untilSaid('Pulled 20000 response lines');
    const marked = long.filter((_, row) => row < 8_999 || row >= 9_002);
    // While a test reads all lines, Neovim has no time left to colour them.
    const waiting = "return #require('copane.tags').of(vim.api.nvim_get_current_buf()).pending";
    await until('all colours', async () => (await nvim.lua(waiting)) === 0);
    expect(await nvim.coloured()).toEqual(marked);
    expect(await send()).toBe('on top\nmine\nand mine');
  });

  it('does not touch a buffer that cannot be changed', async () => {
    await nvim.fresh(['x']);
    await nvim.act(':setlocal nomodifiable');
    await nvim.keys('<Space>llmp');
    await nvim.untilSaid('cannot be changed');
  });

  it('does not override a mapping of the user, and names commands', async () => {
    expect(await nvim.lua("return vim.fn.maparg('<leader>llmx', 'n')")).toBe('ix<Esc>');
    expect(await nvim.lua("return require('copane.keys').taken(require('copane.config').get())")).toEqual([
      '<leader>llmx (n) is not mapped: <Plug>(copane-clear) has no key',
    ]);
    expect((await nvim.lua<string[]>("return vim.fn.getcompletion('Copane ', 'cmdline')")).join(' ')).toBe(
      'accept accept-all accept-file changes clear close comment commit complete diff discard filter fold join-hunk modify ' +
        'modify-diff new next next-open next-open-file plain previous previous-open previous-open-file pull redo reject ' +
        'reject-all reject-file review say-why seen send split split-hunk start undo undo-all',
    );
    expect(await nvim.lua("return vim.fn.getcompletion('Copane review ', 'cmdline')")).toEqual([
      'working-tree',
      'staged',
      'unstaged',
      'turn',
      'branch',
      'floating',
      'picker',
      'inline',
      'telescope',
      'fzf-lua',
    ]);
    await nvim.act(':Copane review sideways');
    await nvim.untilSaid('review does not know "sideways"');
    await nvim.act(':Copane review staged now');
    await nvim.untilSaid('review does not know "now"');
    await nvim.act(':Copane review branch --staged');
    await nvim.untilSaid('review does not know "--staged"');
    await nvim.act(':Copane accept now');
    await nvim.untilSaid('accept does not know "now"');
    expect(await nvim.lua("return vim.fn.getcompletion('CopaneSend q', 'cmdline')")).toEqual(['quote']);
    await nvim.act(':Copane nonsense');
    await nvim.untilSaid('no command "nonsense"');
    await nvim.act(':CopanePull 0');
    await nvim.untilSaid('does not know "0"');
  });

  it('passes number, source and context on as arguments', async () => {
    await nvim.fresh(['mine']);
    answer(OLD);
    await nvim.act(':CopanePull 2 screen');
    await nvim.untilSaid('Pulled');
    expect(nvim.argv()[0]).toEqual(['pull', '--json', '--number', '2', '--source', 'screen']);
    await nvim.act('Goto the second<Esc>', ':CopaneSend quote');
    await until('the send', () => nvim.sent().length > 0);
    expect(nvim.sent()).toEqual(['mine\n\n> Second line of it.\nto the second']);
  });

  it('remaps the keys of the review; reports invalid options', async () => {
    await nvim.lua(
      `require('copane').setup({ suggestion_review = {
        keymaps = { open_review = '<leader>q' }, global_keymaps = { accept = '<leader>Q', discard = false }, ui = { style = 'x' },
      } }) return true`,
    );
    await nvim.untilSaid('Option "suggestion_review.ui.style" must be one of');
    const maps = ['sr', 'q', 'sa', 'Q', 'sd', 'sn'].map((key) => `vim.fn.maparg('<leader>${key}', 'n')`);
    expect(await nvim.lua(`return { ${maps.join(', ')} }`)).toEqual([
      '',
      '<Plug>(copane-review)',
      '',
      '<Plug>(copane-review-accept)',
      '',
      '<Plug>(copane-review-next-hunk)',
    ]);
  });

  it('passes its own health check', async () => {
    await nvim.act(':checkhealth copane');
    const report = (await nvim.lines()).join('\n');
    expect(report).toContain('Notes are told from pulled lines');
    expect(report).toContain('No copane leads at');
    expect(report).toContain('Shown as: floating');
    expect(report).not.toContain('ERROR');
  });

  it('remaps the keys, and reports unknown options', async () => {
    await nvim.lua(
      "require('copane').setup({ keys = { send = '<leader>z', pull = false }, nope = 1 }) return true",
    );
    await nvim.untilSaid('There is no option "nope"');
    expect(
      await nvim.lua("return vim.fn.maparg('<leader>llms', 'n') .. vim.fn.maparg('<leader>llmp', 'n')"),
    ).toBe('');
    expect(await nvim.lua("return vim.fn.maparg('<leader>z', 'x')")).toBe('<Plug>(copane-send)');
  });

  it('says what to do when copane is missing', async () => {
    await nvim.fresh(['x']);
    await nvim.lua("require('copane').setup({ cmd = '/no/such/copane' }) return true");
    await nvim.lua("require('copane').send() return true");
    const said = await nvim.untilSaid('Cannot start /no/such/copane');
    expect(said).toMatch(
      /^copane: Cannot start .*\nPut copane on your \$PATH, or set cmd: :help copane-options$/,
    );
  });

  it('writes only to its own data folder', () => {
    const folders = ['home', 'config', 'state'].map((name) => path.join(nvim.root, name));
    expect(
      folders
        .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
        .filter((name) => name !== 'nvim'),
    ).toEqual([]);
  });
});

// Shows in the report, so that nobody mistakes one version for all.
if (NEOVIMS.length === 1) it.skip('a further Neovim: none is named in COPANE_TEST_NVIM', () => undefined);
