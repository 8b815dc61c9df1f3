/** Reviewing the user's own changes in Neovim: starting, moving, folding, and giving reasons. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readText } from '../../helpers/git-fixture.ts';
import { NEOVIMS, Neovim } from '../../helpers/neovim.ts';
import { answerQuestions, untilShown } from '../../helpers/nvim-review.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
const EDITED = LINES.replace('line 3\n', 'line three\n').replace('line 30\n', 'line thirty\n');

describe.each(NEOVIMS)('%s', (binary) => {
  let desk: ReviewDesk;
  let nvim: Neovim;
  beforeEach(async () => {
    desk = await ReviewDesk.open({
      base: { 'a.ts': LINES, 'go.sum': LINES, 'z.ts': 'z\n' },
      columns: 120,
      rows: 40,
    });
    nvim = await Neovim.startAt(binary, { root: desk.root, project: desk.project });
    for (const [name, text] of Object.entries({ 'a.ts': EDITED, 'go.sum': EDITED, 'z.ts': 'zz\n' }))
      writeFileSync(path.join(desk.project, name), text);
  });
  afterEach(async () => {
    const messages = await nvim.lua<string>("return vim.fn.execute('messages')");
    await nvim.close();
    await desk.close();
    expect(messages).not.toContain('Error');
  });

  it('goes to open hunks; a lockfile is one until it is unfolded; a reason goes to the author', async () => {
    await nvim.act(':Copane review working-tree');
    await untilShown(nvim, 'Loading the suggestion');
    await untilShown(nvim, 'a.ts:3  hunk 1 of 5');
    await nvim.keys('}');
    await untilShown(nvim, 'z.ts:1  hunk 3 of 5');
    await nvim.keys(']');
    await untilShown(nvim, 'go.sum:3  hunk 4 of 5  2 hunks', '+2 -2  folded; z unfolds');
    await nvim.keys('m');
    await nvim.untilSaid('z unfolds the file first');
    await nvim.keys('z');
    await untilShown(nvim, 'hunk 4 of 5  +1 -1', '+line three');
    await nvim.keys('z');
    await untilShown(nvim, 'folded; z unfolds');
    await nvim.keys('r');
    await until('both are taken out', () => readText(desk.project, 'go.sum') === LINES);
    await untilShown(nvim, '2/5 decided');
    await nvim.lua("vim.ui.input = function(_, on_text) on_text('made by the wrong tool') end return true");
    await nvim.keys('i');
    await until('the reason', () => desk.copane(['review', '--notes']).includes('made by the wrong tool'));
  });

  it('filters, and shows only what is new', async () => {
    await answerQuestions(nvim, 'not committed');
    await nvim.keys('<Space>sr');
    await nvim.untilSaid('No suggestion is waiting');
    await nvim.act(':Copane start');
    await untilShown(nvim, 'a.ts:3  hunk 1 of 5');
    await nvim.keys('r');
    await untilShown(nvim, 'a.ts:30  hunk 2 of 5', '1/5 decided');
    await nvim.keys('O');
    await nvim.untilSaid('Only hunks that are open: 4 hunks');
    await untilShown(nvim, '1/5 decided  only open');
    await nvim.keys('p');
    await untilShown(nvim, 'go.sum:3');
    await nvim.keys('O');
    await nvim.untilSaid('Only hunks that are rejected: 1 hunk');
    await untilShown(nvim, '✗ rejected  a.ts:3');
    await nvim.keys('L');
    await nvim.untilSaid('Nothing is new since your last round');
  });
});
