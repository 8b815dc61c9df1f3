/** Suggestions reviewed in real Neovim with the real host: by keys, in every style. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import {
  answerQuestions,
  asked,
  drawn,
  floats,
  untilDrawn,
  untilNoFloat,
  untilShown,
} from '../../helpers/nvim-review.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');
const A = numbered(1, 40);
const BASE = { 'a.ts': A, 'b.txt': 'one\ntwo\nthree\n' };
const WANT = {
  'a.ts': A.replace('line 3\n', 'line three\n').replace('line 30\n', 'line 30\nline 30 b\n'),
  'b.txt': 'one\nTWO\nthree\n',
};

/** Holds answers about places until they are released unchanged, or fail; later ones come at once. */
const HOLD_PLACES = `held, asking = {}, 0
  local session = require('copane.review.session')
  local ask = session.ask
  session.ask = function(command, params, on_end)
    if command ~= 'review/places' then return ask(command, params, on_end) end
    asking = asking + 1
    ask(command, params, function(places)
      local function pass(failure) on_end(not failure and places or nil, failure) end
      if session.ask == ask then pass() else table.insert(held, pass) end
    end)
  end
  local function end_all(failure)
    session.ask = ask
    for _, one in ipairs(held) do one(failure) end
  end
  function release() end_all(nil) end
  function fail() end_all({ message = 'no places today' }) end`;

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let nvim: Neovim;
  beforeEach(async () => {
    desk = await ReviewDesk.open({ base: BASE, columns: 120, rows: 40 });
    nvim = await Neovim.startAt(binary, { root: desk.root, project: desk.project });
  });
  afterEach(async () => {
    const messages = await nvim.lua<string>("return vim.fn.execute('messages')");
    await nvim.close();
    await desk.close();
    expect(messages).not.toContain('Error');
  });

  const file = (name: string) => readText(desk.project, name) ?? '';
  const untilFile = (name: string, words: string) =>
    until(`${words} in ${name}`, () => file(name).includes(words));

  it('floating: accepts, rejects, undoes and completes by keys, and starts a host if none runs', async () => {
    desk.publish(WANT, 'Speak up');
    await answerQuestions(nvim, 'Yes');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '-line 3\n+line three', 'Speak up  0/3 decided', '◌ open  a.ts:3  hunk 1 of 3');
    await nvim.keys('a');
    await untilFile('a.ts', 'line three');
    await untilShown(nvim, '+line 30 b', '1/3 decided', 'hunk 2 of 3');
    await nvim.keys('r');
    await untilShown(nvim, '+TWO', '2/3 decided');
    await nvim.keys('p');
    await untilShown(nvim, '✗ rejected  a.ts:31');
    await nvim.keys('u');
    await untilShown(nvim, '◌ open  a.ts:31', '1/3 decided');
    await nvim.keys('<C-r>');
    await untilShown(nvim, '✗ rejected  a.ts:31', '2/3 decided');
    await nvim.keys('n');
    await untilShown(nvim, '+TWO');
    await nvim.keys('a');
    await nvim.untilSaid('Every hunk is decided');
    await nvim.keys('<CR>');
    await nvim.untilSaid('Review completed');
    await untilNoFloat(nvim);
    expect(await asked(nvim)).toEqual(['Finish the review? What was accepted stays.']);
    expect([file('a.ts'), file('b.txt')]).toEqual([A.replace('line 3\n', 'line three\n'), WANT['b.txt']]);
  });

  it('floating: side by side, and back', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys(':Copane review<CR>');
    await untilShown(nvim, '+line three');
    await nvim.keys('|');
    const shown = await untilShown(nvim, '\nline three\n', '\nline 3\n');
    expect(shown).not.toContain('+line three');
    await nvim.keys('|');
    await untilShown(nvim, '+line three');
    await nvim.keys('<Esc>');
    await untilNoFloat(nvim);
  });

  it('floating: a line stands beside the one that it became, as on the screen of copane, with its words', async () => {
    desk.publish({ 'a.ts': A.replace('line 3\nline 4\n', 'fresh\nline 3 b\nother\nline 4 c\n') }, 'Between');
    await nvim.keys(':Copane review<CR>');
    await untilShown(nvim, '+line 4 c');
    const words = `local found = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('copane_review'), 0, -1, { details = true })) do
        if mark[4].hl_group == 'CopaneAddedWord' then
          table.insert(found, vim.api.nvim_buf_get_text(0, mark[2], mark[3], mark[4].end_row, mark[4].end_col, {})[1])
        end
      end
      return table.concat(found, ',')`;
    let last = '';
    const isMarked = async () => {
      last = await nvim.lua<string>(words);
      return last === ' b, c';
    };
    await until('the words', isMarked, { show: () => last });
    await nvim.keys('|');
    await untilShown(
      nvim,
      'line 2\n\nline 3\n\nline 4\nline 5',
      'line 2\nfresh\nline 3 b\nother\nline 4 c\nline 5',
    );
  });

  it('floating: reads a hunk that is too long for one answer to its end', async () => {
    const long = Array.from({ length: 30_000 }, (_, at) => `${at} ${'word '.repeat(60)}\n`).join('');
    desk.publish({ long }, 'Long');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '0/1 decided');
    const last = () => nvim.lua<string>('return vim.api.nvim_buf_get_lines(0, -2, -1, false)[1]');
    await until('its last line', async () => (await last()).startsWith('+29999 word'), { timeoutMs: 30_000 });
    // The drawn lines stay, whatever else changes.
    expect(
      await nvim.lua<number>(`local start = vim.loop.getrusage().utime
        local session = require('copane.review.session')
        session.set(require('copane.review.core').with(session.state(), {}))
        vim.wait(100)
        local now = vim.loop.getrusage().utime
        return (now.sec - start.sec) * 1000 + (now.usec - start.usec) / 1000`),
    ).toBeLessThan(40);
    await nvim.keys('a');
    await until('the file', () => file('long') === long);
  });

  it('picker: the preview follows the list, which shows every decision', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys(':Copane review picker<CR>');
    await untilShown(nvim, '◌ a.ts:3  +1 -1\n◌ a.ts:31  +1 -0\n◌ b.txt:2  +1 -1', '+line three');
    await nvim.keys('j');
    await untilShown(nvim, '+line 30 b', 'hunk 2 of 3');
    await nvim.keys('f');
    await untilFile('a.ts', 'line 30 b');
    await untilShown(nvim, '✓ a.ts:3 ', '✓ a.ts:31', '+TWO');
    expect(await nvim.lua('return vim.api.nvim_win_get_cursor(0)[1]')).toBe(3);
    await nvim.keys('F');
    await untilShown(nvim, '✗ b.txt:2');
    await nvim.keys('q');
    await untilNoFloat(nvim);
  });

  it('inline: hunks appear in the files, and keys apply to the one under the cursor', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '3 CopaneTaken to 3', '3 | line three', '3 ◌ open', '30 | line 30 b');
    expect(await nvim.lua("return vim.fn.expand('%:t') .. vim.fn.line('.')")).toBe('a.ts3');
    await nvim.keys('<Space>sn');
    await until('the second hunk', async () => (await nvim.lua("return vim.fn.line('.')")) === 30);
    await nvim.keys('1G<Space>sa');
    await nvim.untilSaid('No hunk under the cursor');
    await nvim.keys('3G<Space>sa');
    await untilFile('a.ts', 'line three');
    await untilDrawn(nvim, '3 ✓ accepted', '30 | line 30 b');
    await until('the buffer', async () => (await nvim.lines())[2] === 'line three');
    // Marks move with the user's own edits.
    await nvim.keys('1GOmy own line<Esc>31G<Space>sx');
    await untilDrawn(nvim, '32 ✗ rejected');
    await nvim.keys('<Space>sn');
    await untilDrawn(nvim, '2 ◌ open', '2 | TWO');
    expect(await nvim.lua("return vim.fn.expand('%:t')")).toBe('b.txt');
    await nvim.keys(':Copane close<CR>');
    await until('nothing drawn', async () => (await drawn(nvim)) === '');
    expect(await nvim.lines()).toEqual(['one', 'two', 'three']);
  });

  it.each([
    ['that fails is said, and asked for again with the next write', 'fail()', 'no places today', ':w<CR>'],
    ['about a text that has changed is not drawn, and asked for again', 'release()', '', ''],
  ])('inline: an answer %s', async (_, end, said, then) => {
    desk.publish(WANT, 'Speak up');
    await nvim.lua(HOLD_PLACES);
    await nvim.keys(':Copane review inline<CR>');
    await until('the questions', () => nvim.lua<boolean>('return #held > 0 and #held == asking'));
    await nvim.keys('1GOmy own line<Esc>');
    // In one go: a moment later the next answer is drawn.
    const marks = `${end} return #vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('copane_inline'), 0, -1, {})`;
    expect(await nvim.lua(marks)).toBe(0);
    if (said !== '') await nvim.untilSaid(said);
    await nvim.keys(then);
    await untilDrawn(nvim, '4 ◌ open', '31 | line 30 b');
    expect(await nvim.lua("return vim.fn.line('.')")).toBe(1);
  });

  it('inline: the cursor does not jump to a hunk after the reader has moved away', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.lua(HOLD_PLACES);
    await nvim.keys(':Copane review inline<CR>');
    await until('the questions', () => nvim.lua<boolean>('return #held > 0 and #held == asking'));
    await nvim.keys(':edit b.txt<CR>2G');
    await nvim.lua('release()');
    await untilDrawn(nvim, '2 ◌ open');
    await nvim.keys(':edit a.ts<CR>9G');
    await untilDrawn(nvim, '3 ◌ open');
    expect(await nvim.lua("return vim.fn.expand('%:t') .. vim.fn.line('.')")).toBe('a.ts9');
  });

  it('inline: a file created by a decision is read into the buffer that waited for it', async () => {
    desk.publish({ ...BASE, new: 'brand new\nfile\n' }, 'A file');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '1 | brand new | file', '1 ◌ open');
    await nvim.keys('<Space>sa');
    await untilFile('new', 'brand new');
    await until('the text', async () => (await nvim.lines()).join() === 'brand new,file');
    await untilDrawn(nvim, '1 ✓ accepted');
    expect(await nvim.lua("return vim.bo.modified or vim.fn.execute('messages')")).not.toContain('W13');
  });

  it('opens in the requested style, whatever is pressed before it appears', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys(':Copane review inline<CR><Space>sr<Space>sa');
    await untilDrawn(nvim, '3 CopaneTaken to 3');
    expect(await floats(nvim)).toBe('');
    expect(file('a.ts')).toBe(A);
  });

  it('inline: the user’s working tree in place: additions are in the file, deletions shown above', async () => {
    writeFileSync(path.join(desk.project, 'b.txt'), 'top\none\nthree\n');
    desk.copane(['review']);
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '1 CopaneAdded to 1', '2 | two', '1 ◌ open');
    await nvim.keys('gg<Space>sx');
    await until('the change taken out', () => file('b.txt') === BASE['b.txt']);
    await until('the buffer as well', async () => (await nvim.lines()).join() === 'one,two,three');
    await nvim.keys(':Copane undo<CR>');
    await until('the change again', () => file('b.txt') === 'top\none\nthree\n');
    await untilDrawn(nvim, '1 CopaneAdded to 1', '2 | two', '1 ◌ open');
  });

  it('decides all remaining hunks only after a question, and not over decisions made meanwhile', async () => {
    const id = desk.publish(WANT, 'Speak up');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+line three');
    // Someone decides between the question and its answer.
    await nvim.lua(`vim.ui.select = function(items, options, on_choice) answer = function() on_choice('Yes') end end
      return true`);
    await nvim.keys('A');
    await until('the question', () => nvim.lua('return answer ~= nil'));
    desk.copane(['decide', id, 'all', 'reject', '--file', 'b.txt']);
    await untilShown(nvim, '1/3 decided');
    await nvim.lua('answer() return true');
    await nvim.untilSaid('since you looked');
    expect(file('a.ts')).toBe(A);
    await answerQuestions(nvim, 'No');
    await nvim.keys('A');
    await until('the question', async () => (await asked(nvim)).includes('Accept 2 open hunks?'));
    expect(file('a.ts')).toBe(A);
    await answerQuestions(nvim, 'Yes');
    // A decision of one's own is not a surprise.
    await nvim.keys('aA');
    await nvim.untilSaid('Accepted 1 hunk');
    expect(file('a.ts')).toBe(WANT['a.ts']);
    await nvim.keys('d');
    await nvim.untilSaid('Suggestion discarded');
    await untilNoFloat(nvim);
  });

  it('comments on a hunk and on lines of it, and decides lines', async () => {
    const id = desk.publish(WANT, 'Speak up');
    await nvim.lua(`vim.ui.input = function(options, on_confirm) on_confirm('why ' .. options.prompt .. '漢字') end
      return true`);
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+line three');
    await nvim.keys('c');
    await untilShown(nvim, 'you: why Comment: 漢字');
    await nvim.keys('ggjjVa');
    await untilShown(nvim, 'hunk 1 of 4');
    expect(file('a.ts')).toBe(A.replace('line 3\n', ''));
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { status: string }[] };
    expect(shown.hunks.map(({ status }) => status)).toEqual(['accepted', 'pending', 'pending', 'pending']);
  });

  it('inline: comments on lines of the file outside all hunks', async () => {
    const id = desk.publish(WANT, 'Speak up');
    await nvim.lua(
      `vim.ui.input = function(_, on_confirm) on_confirm('why ' .. vim.fn.line('.')) end return true`,
    );
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, 'line three');
    for (const line of [1, 5, 12, 28, 33]) {
      await nvim.keys(`:${line}<CR>:Copane comment<CR>`);
      await until(`the comment on line ${line}`, () =>
        desk.copane(['show', id, '--json']).includes(`why ${line}"`),
      );
    }
    const { hunks } = JSON.parse(desk.copane(['show', id, '--json'])) as {
      hunks: { comments?: { text: string; quote: string }[] }[];
    };
    const said = hunks.flatMap(({ comments = [] }) => comments.map(({ text, quote }) => `${text}:${quote}`));
    expect(said).toEqual([1, 5, 12, 28, 33].map((line) => `why ${line}: line ${line}`));
    await nvim.keys(':1<CR>ox<Esc>:12<CR>:Copane comment<CR>');
    await nvim.untilSaid('Unsaved edits: write the file first, then comment on lines that no hunk has');
  });

  it('shows a comment on lines outside all hunks with their first line', async () => {
    const rows = await nvim.lua<
      string[]
    >(`local hunk = { id = 'a', status = 'pending', file = 'f', kind = 'text',
        diff = '@@ -9 +9 @@\\n-a\\n+b\\n', warnings = {}, comments = {
          { text = 'odd', place = { side = 'new', first = 3, last = 4 }, quote = '   three\\n four' },
          { text = 'why?', by = 'author', place = { side = 'new', first = 3, last = 4 }, quote = '   three\\n four' },
          { text = 'own', lines = { first = 1, last = 1 }, place = { side = 'new', first = 9, last = 9 }, quote = '+b' } } }
      local state = { suggestion = { hunks = { hunk } }, hunk = 'a', details = {}, viewed = {} }
      return vim.tbl_map(function(row) return row.chunks[1][1] end, require('copane.review.paint')._about(state, hunk, 1))`);
    expect(rows.slice(1)).toEqual([
      'you, lines 3-4: odd',
      '  > three',
      'AI replies: why?',
      'you, line 9: own',
    ]);
  });

  it('shows both sides of a conflict; accepts a merge only on request', async () => {
    writeFileSync(path.join(desk.project, 'b.txt'), 'one\ntwo\nthree\n');
    desk.publish({ 'b.txt': 'one\nTWO\nthree\n' }, 'Louder');
    writeFileSync(path.join(desk.project, 'b.txt'), 'one\nmine\nthree\n');
    await answerQuestions(nvim, 'Yes');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '! conflict', 'what stands there', 'mine', 'what it suggests', 'TWO');
    await nvim.keys('a');
    await nvim.untilSaid('modify shows both sides');
    await nvim.keys('m');
    await until('both sides in one text', async () =>
      (await nvim.lines()).some((row) => row.startsWith('<<<<<<<')),
    );
    await nvim.keys('GA!<Esc>:w<CR>');
    await nvim.untilSaid('both sides still stand between markers');
    expect(file('b.txt')).toBe('one\nmine\nthree\n');
    await nvim.act(':%d', 'ione<CR>both of us<CR>three<Esc>');
    await nvim.keys(':w<CR>');
    await until('the text', () => file('b.txt') === 'one\nboth of us\nthree\n');
    expect(await asked(nvim)).toEqual([]);
  });

  it('replaces a hunk that does not fit with a clean merge, on request', async () => {
    desk.publish({ 'a.ts': WANT['a.ts'].replace('line three', 'line 3') }, 'One more line');
    const mine = A.replace('line 32\n', 'mine\n');
    writeFileSync(path.join(desk.project, 'a.ts'), mine);
    await answerQuestions(nvim, 'No');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '! conflict', 'what stands there', 'mine', 'line 30 b');
    await nvim.keys('a');
    await until('the question', async () => (await asked(nvim)).length === 1);
    expect((await asked(nvim))[0]).toContain('Use the three-way merge');
    expect(file('a.ts')).toBe(mine);
    await answerQuestions(nvim, 'Yes');
    await nvim.keys('a');
    await untilShown(nvim, '✎ modified');
    expect(file('a.ts')).toBe(mine.replace('line 30\n', 'line 30\nline 30 b\n'));
  });

  it('asks which suggestion, and says when none waits', async () => {
    await nvim.keys('<Space>sr');
    await nvim.untilSaid('No suggestion is waiting');
    desk.publish({ 'b.txt': 'one\nTWO\nthree\n' }, 'Louder');
    desk.publish(WANT, 'Speak up');
    await answerQuestions(nvim, 'Louder (1 hunk in 1 file, 0/1 decided)');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, 'Louder  0/1 decided', '+TWO');
  });

  it('decides nothing unseen: a key without a visible review opens it', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys('<Space>sa');
    await untilShown(nvim, '0/3 decided', 'hunk 1 of 3');
    expect(file('a.ts')).toBe(A);
    await nvim.keys('xp');
    await untilShown(nvim, '1/3 decided', '✗ rejected');
  });

  it('q closes it, unless q means something else', async () => {
    desk.publish(WANT, 'Speak up');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '0/3 decided');
    await nvim.keys('q');
    await untilNoFloat(nvim);
    await nvim.lua(
      "require('copane').setup({ cmd = require('copane.config').get().cmd, suggestion_review = { keymaps = { accept = 'q' } } }) return true",
    );
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '0/3 decided');
    await nvim.keys('q');
    await untilFile('a.ts', 'line three');
    await nvim.keys('<Esc>');
    await untilNoFloat(nvim);
  });
});
