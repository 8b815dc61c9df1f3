/** A hunk edited in Neovim: it is only decided by a save that the user types there, and only if the text was edited. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../helpers/full-run.ts';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { untilShown } from '../../helpers/nvim-review.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const BASE = { a: 'one\ntwo\nthree\n', crlf: 'one\r\ntwo\r\nthree' };
const LOUD = { a: 'one\nTWO\nthree\n' };

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let nvim: Neovim;
  let id = '';
  beforeAll(async () => {
    desk = await ReviewDesk.open({ base: BASE, columns: 80, rows: 24 });
    const before = "vim.cmd('augroup test | augroup END')";
    nvim = await Neovim.startAt(binary, { root: desk.root, project: desk.project }, { before });
  });
  afterAll(async () => {
    await nvim.close();
    await desk.close();
  });
  afterEach(async () => {
    const messages = await nvim.lua<string>("return vim.fn.execute('messages')");
    await nvim.lua(`require('copane.review').close()
      vim.cmd('messages clear | silent! only! | silent! %bwipeout! | autocmd! test')
      said, saved = {}, nil
      return true`);
    if (id !== '') desk.copane(['finish', id, 'discard', '--json']);
    for (const [name, text] of Object.entries(BASE)) writeFileSync(path.join(desk.project, name), text);
    id = '';
    expect(messages).not.toContain('Error executing');
  });

  const file = (name = 'a') => readText(desk.project, name);
  const status = () => {
    const shown = JSON.parse(desk.copane(['show', id, '--json'])) as { hunks: { status: string }[] };
    return shown.hunks.map((hunk) => hunk.status);
  };

  async function open(want: Readonly<Record<string, string>> = LOUD): Promise<void> {
    id = desk.publish(want, 'Louder');
    await nvim.keys(`:Copane review ${id}<CR>`);
    await untilShown(nvim, '0/1 decided', '+TWO');
    await nvim.keys('m');
    await nvim.untilSaid('takes this text');
  }
  const edit = () => nvim.keys(':%s/TWO/my two/<CR>');
  const isModified = () => nvim.lua<boolean>('return vim.bo.modified');

  it.each(rowsOf(5, [':w', 'ZZ', ':x', ':wq', ':up', ':write', ':sil w', ':w | echo 1']))(
    '%s on edited text replaces the hunk with it',
    async (save) => {
      await open();
      expect(await nvim.lines()).toEqual(['one', 'TWO', 'three']);
      await edit();
      await nvim.keys(save === 'ZZ' ? save : `${save}<CR>`);
      await nvim.untilSaid('a has your text');
      expect([file(), status()]).toEqual(['one\nmy two\nthree\n', ['modified']]);
    },
  );

  it('on unedited text decides nothing', async () => {
    await open();
    await nvim.keys(':w<CR>');
    await nvim.untilSaid('Nothing was changed');
    expect([file(), status()]).toEqual([BASE.a, ['pending']]);
  });

  const AUTOSAVES: readonly (readonly [autocmd: string, keys: string])[] = [
    ['InsertLeave * silent! write', 'GA!<Esc>'],
    ['TextChanged * lua vim.defer_fn(function() vim.cmd("silent! write") end, 20)', ':%s/TWO/my two/<CR>'],
    ['CursorHold,TextChanged * lua vim.schedule(function() vim.cmd("update") end)', ':%s/TWO/my two/<CR>'],
    ['TextChanged * ++nested silent! wall', ':%s/TWO/my two/<CR>'],
    ['TextChanged * silent! update', ':%s/TWO/my two/<CR>'],
    ['TextChanged * ++nested silent! update', ':%s/TWO/my two/<CR>'],
  ];
  it.each(rowsOf(5, AUTOSAVES))(
    'an autosave decides nothing, and :w still does: %s',
    async (autocmd, keys) => {
      await open();
      await nvim.lua(`vim.cmd([[set updatetime=20 | autocmd test ${autocmd}]])
      vim.cmd([[autocmd test TextChanged,InsertLeave * lua vim.defer_fn(function() saved = true end, 60)]]) return true`);
      await nvim.keys(keys);
      await until('the autosave', () => nvim.lua('return saved == true'));
      expect([file(), status(), await isModified()]).toEqual([BASE.a, ['pending'], true]);
      await nvim.keys(':w<CR>');
      await nvim.untilSaid('a has your text');
      expect(status()).toEqual(['modified']);
    },
  );

  it.each(rowsOf(2, [':wa', ':bufdo w', ':wall', ':windo w', ':lua vim.cmd.w and vim.cmd("w")']))(
    '%s decides nothing and loses nothing',
    async (save) => {
      await open();
      await edit();
      await nvim.keys(`${save}<CR>`);
      await until('the command to be over', async () => (await nvim.lua('return vim.fn.mode()')) === 'n');
      expect([file(), status(), await isModified()]).toEqual([BASE.a, ['pending'], true]);
      expect(await nvim.lines()).toEqual(['one', 'my two', 'three']);
    },
  );

  it(':wqa does not leave it while it is undecided', async () => {
    await open();
    await edit();
    await nvim.keys(':wqa<CR>');
    expect(await until('an answer', async () => (await isModified()) && nvim.lines())).toEqual([
      'one',
      'my two',
      'three',
    ]);
    expect(status()).toEqual(['pending']);
  });

  it('keeps the text, unsaved, when it cannot replace the hunk', async () => {
    await open();
    await edit();
    desk.copane(['finish', id, 'discard']);
    id = '';
    writeFileSync(path.join(desk.project, 'a'), 'something else\n');
    await nvim.keys(':wq<CR>');
    await nvim.untilSaid('copane: ');
    await until('the text, there again', async () => (await nvim.lines()).includes('my two'));
    expect([file(), await isModified()]).toEqual(['something else\n', true]);
  });

  it('continues with abandoned edits, and then with the modified hunk', async () => {
    await open();
    await edit();
    await nvim.keys(':hide<CR>');
    await untilShown(nvim, '0/1 decided', '+TWO');
    await nvim.keys('m');
    await until('the edits', async () => (await nvim.lines()).includes('my two'));
    await nvim.keys(':wq<CR>');
    await nvim.untilSaid('a has your text');
    await untilShown(nvim, '✎ modified');
    await nvim.keys('m');
    await until('the text', async () => (await nvim.lines()).includes('my two'));
    await nvim.keys(':%s/my two/again/<CR>:w<CR>');
    await nvim.untilSaid('a has your text');
    expect(file()).toBe('one\nagain\nthree\n');
  });

  it('opens a hunk that was modified elsewhere in its modified form', async () => {
    id = desk.publish(LOUD, 'Louder');
    const { hunks } = JSON.parse(desk.copane(['show', id, '--json'])) as {
      hunks: { id: string; diff: string }[];
    };
    const [{ id: hunk, diff } = { id: '', diff: '' }] = hunks;
    desk.copane(['decide', id, hunk, 'modify', '--diff', '-'], diff.replace('+TWO', '+2\n+zwei'));
    await nvim.keys(`:Copane review ${id}<CR>`);
    await untilShown(nvim, '✎ modified');
    await nvim.keys('m');
    await nvim.untilSaid('takes this text');
    expect(await nvim.lines()).toEqual(['one', '2', 'zwei', 'three']);
    await nvim.keys(':%s/zwei/dos/<CR>:w<CR>');
    await nvim.untilSaid('a has your text');
    expect(file()).toBe('one\n2\ndos\nthree\n');
  });

  it('replaces the hunk with an edited diff', async () => {
    id = desk.publish(LOUD, 'Louder');
    await nvim.keys(`:Copane review ${id}<CR>`);
    await untilShown(nvim, '0/1 decided', '+TWO');
    await nvim.keys('M');
    await nvim.untilSaid('takes this diff');
    expect(await nvim.lines()).toEqual(['@@ -1,3 +1,3 @@', ' one', '-two', '+TWO', ' three']);
    await nvim.keys(':%s/+TWO/+my two/<CR>:g/^ three/d<CR>:w<CR>');
    await nvim.untilSaid('a has your text');
    expect([file(), status()]).toEqual(['one\nmy two\nthree\n', ['modified']]);
  });

  it('keeps text that is no longer a diff, unsaved, and says so', async () => {
    id = desk.publish(LOUD, 'Louder');
    await nvim.keys(`:Copane review ${id}<CR>`);
    await untilShown(nvim, '0/1 decided', '+TWO');
    await nvim.keys('M');
    await nvim.untilSaid('takes this diff');
    await nvim.keys(':%s/^ one/ eins/<CR>:w<CR>');
    await nvim.untilSaid('copane: ');
    await until('the diff, unsaved', isModified);
    expect([file(), status(), (await nvim.lines())[1]]).toEqual([BASE.a, ['pending'], ' eins']);
  });

  it('keeps line ends, and a missing one at the end', async () => {
    await open({ crlf: 'one\r\nTWO\r\nthree' });
    expect(await nvim.lines()).toEqual(['one', 'TWO', 'three']);
    await nvim.keys(':%s/TWO/my two/<CR>:w<CR>');
    await nvim.untilSaid('crlf has your text');
    expect(file('crlf')).toBe('one\r\nmy two\r\nthree');
  });

  it('recognizes command lines that save only this buffer', async () => {
    const lines = {
      w: true,
      'w!': true,
      ' :wri': true,
      '%w': true,
      'silent! w': true,
      'keepalt update': true,
      'w|bd': true,
      xit: true,
      exi: true,
      wa: false,
      wall: false,
      wqa: false,
      xa: false,
      'w other': false,
      'w !tee': false,
      'w >>x': false,
      '1,2w': false,
      'bufdo w': false,
      "lua vim.cmd('w')": false,
      wn: false,
      write2: false,
      '': false,
    };
    const list = Object.keys(lines);
    const found = await nvim.lua<boolean[]>(
      `return vim.tbl_map(require('copane.review.modify').is_own_write, vim.fn.json_decode([==[${JSON.stringify(list)}]==]))`,
    );
    expect(Object.fromEntries(list.map((line, at) => [line, found[at]]))).toEqual(lines);
  });
});
