/** Parts of hunks in real Neovim: split, joined, and decided on by lines, in every style. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { answerQuestions, untilDrawn, untilShown } from '../../helpers/nvim-review.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const BASE = { a: '1\n2\n3\n4\n5\n6\n7\n8\n', b: 'one\n', c: 'two\n' };
/** One hunk with three changes; the second is longer than the text it replaces. */
const THREE = { a: '1\nII\n3\nIV\nIV b\n5\nVI\n7\n8\n' };

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

  const file = (name = 'a') => readText(desk.project, name);
  const untilFile = (text: string, name = 'a') =>
    until(`${name} to be as it should`, () => file(name) === text, { show: () => file(name) ?? 'no file' });
  /** The cursor on the line with this text. */
  const to = (text: string) => nvim.keys(`:call search('^${text}$', 'w')<CR>`);

  it('splits at the change under the cursor, decides lines of a part, and joins again', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '◌ open  a:2  hunk 1 of 1', '+IV b');
    await to('+IV');
    await nvim.keys('s');
    await nvim.untilSaid('Split into 2 parts');
    // The first and the last change stay together.
    const shown = await untilShown(nvim, 'hunk 1 of 2', '+II', '+VI');
    expect(shown).not.toContain('+IV');
    await to('-6');
    await nvim.keys('Vja');
    await untilFile('1\n2\n3\n4\n5\nVI\n7\n8\n');
    await untilShown(nvim, 'hunk 3 of 3', '✓ accepted');
    await nvim.keys('u');
    await untilFile(BASE.a);
    await nvim.keys('S');
    await nvim.untilSaid('One hunk again');
    await untilShown(nvim, 'hunk 1 of 1', '+IV b');
    await nvim.keys('S');
    await nvim.untilSaid('was not split');
  });

  it('keeps the mark that arrives with an answer, also if the hunks were read before', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '◌ open  a:2  hunk 1 of 1', '+VI');
    // The answer arrives after the hunks that it led to were read.
    await nvim.lua(`local requests = require('copane.review.requests')
      local answer, early, held, is_read = requests.answer, requests.early, nil, false
      requests.early = function() end
      requests.answer = function(all, message)
        local value = message.value or {}
        if value.kind == 'done' and not is_read then
          held = function() answer(all, message) end
          return
        end
        answer(all, message)
        is_read = is_read or value.hunks ~= nil and value.decidedCount == 1
        if held and is_read then
          requests.answer, requests.early = answer, early
          held()
        end
      end
      return true`);
    await to('-6');
    await nvim.keys('Vja');
    await untilFile('1\n2\n3\n4\n5\nVI\n7\n8\n');
    await untilShown(nvim, 'hunk 2 of 2', '✓ accepted');
  });

  it('never decides lines between the lines of a part', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, 'hunk 1 of 1');
    await to('+IV');
    await nvim.keys('s');
    await untilShown(nvim, 'hunk 1 of 2');
    await to('+II');
    await nvim.keys('VGa');
    await nvim.untilSaid('another part of the hunk');
    expect(file()).toBe(BASE.a);
  });

  it('splits off selected lines; undo applies to all of them together', async () => {
    desk.publish(THREE, 'Three');
    await answerQuestions(nvim, 'Yes');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, 'hunk 1 of 1');
    await to('+IV b');
    await nvim.keys('Vs');
    await nvim.untilSaid('Split into 2 parts');
    await untilShown(nvim, 'hunk 1 of 2');
    await nvim.keys('f');
    await untilFile(THREE.a);
    await nvim.keys('U');
    await nvim.untilSaid('2 decisions undone');
    await untilFile(BASE.a);
    await nvim.keys('<C-r>');
    await until('one of them again', () => file() !== BASE.a);
  });

  it('says where to select lines when both sides are shown side by side', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+II');
    await nvim.keys('|');
    await untilShown(nvim, '\nIV b\n');
    await nvim.keys('Va');
    await nvim.untilSaid('Lines are selected in one column');
    expect(file()).toBe(BASE.a);
  });

  it('both sides show the same rows, also after the layout has changed', async () => {
    desk.publish({ a: BASE.a.replace('8\n', 'VIII\n') }, 'The last line');
    await nvim.lua('vim.o.lines = 12 return true');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, '+VIII');
    await nvim.keys('|');
    await untilShown(nvim, '\nVIII');
    const tops = () =>
      nvim.lua<number[]>(`local tops = {}
        for _, win in ipairs(vim.api.nvim_list_wins()) do
          if vim.wo[win].scrollbind then table.insert(tops, vim.fn.line('w0', win)) end
        end
        return tops`);
    const [left, right, ...more] = await tops();
    expect([left === right, more]).toEqual([true, []]);
    expect(left).toBeGreaterThan(1);
  });

  it('inline: parts stay at their places, whatever was decided beside them', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '2 CopaneTaken to 2', '4 | IV | IV b', '6 | VI');
    await nvim.keys('4G:Copane split-hunk<CR>');
    await nvim.untilSaid('Split into 2 parts');
    await untilDrawn(nvim, '2 ◌ open', '4 ◌ open');
    await nvim.keys('4G<Space>sa');
    await untilFile('1\n2\n3\nIV\nIV b\n5\n6\n7\n8\n');
    await untilDrawn(nvim, '2 CopaneTaken to 2', '2 | II', '4 ✓ accepted', '7 CopaneTaken to 7', '7 | VI');
  });

  it('inline: a deletion comes before an addition beside it', async () => {
    desk.publish(THREE, 'Three');
    await nvim.keys('<Space>sr');
    await untilShown(nvim, 'hunk 1 of 1');
    await to('+IV b');
    await nvim.keys('Vs');
    await untilShown(nvim, 'hunk 1 of 2');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '4 CopaneTaken to 4', '4 | IV b');
    await nvim.keys('4G<Space>sa');
    await untilFile('1\nII\n3\nIV\n5\nVI\n7\n8\n');
  });

  it('inline: selected lines mean their changes, in every hunk that they touch', async () => {
    desk.publish({ ...THREE, a: THREE.a.replace('8\n', '8\n9\n10\n') }, 'Three');
    await nvim.keys(':Copane review inline<CR>');
    await untilDrawn(nvim, '2 CopaneTaken to 2', '6 | VI');
    await nvim.keys('3GVj<Space>sa');
    await untilFile('1\n2\n3\nIV\nIV b\n5\n6\n7\n8\n');
    await untilDrawn(nvim, '4 ✓ accepted', '7 | VI');
    await nvim.keys(':6,7Copane reject<CR>');
    await untilDrawn(nvim, '7 ✗ rejected');
    await nvim.keys('ggVj<Space>sx');
    await untilDrawn(nvim, '2 ✗ rejected');
    await nvim.keys('6GV<Space>sa');
    await nvim.untilSaid('No hunk in these lines');
    expect(file()).toBe('1\n2\n3\nIV\nIV b\n5\n6\n7\n8\n');
    await nvim.keys(':%Copane accept<CR>');
    await untilFile(`${THREE.a}9\n10\n`);
  });

  it('picker: hunks selected in the list are decided together', async () => {
    desk.publish({ a: '1\n2\n3\n4\n5\n6\n7\nVIII\n', b: 'ONE\n', c: 'TWO\n' }, 'Three files');
    await nvim.keys(':Copane review picker<CR>');
    await untilShown(nvim, '◌ a:8', '◌ b:1', '◌ c:1');
    await nvim.keys('jVja');
    await untilFile('ONE\n', 'b');
    await untilFile('TWO\n', 'c');
    await untilShown(nvim, '◌ a:8', '✓ b:1', '✓ c:1');
    expect(file()).toBe(BASE.a);
  });
});
