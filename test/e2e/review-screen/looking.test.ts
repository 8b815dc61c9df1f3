/** What the reader does without deciding, in the real companion: context, seen marks, comments on lines, the file itself. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { rowsOf } from '../../helpers/full-run.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const lines = Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`);
const base = lines.join('');
const want = base.replace('line 20\n', 'twenty\nand more\n').replace('line 50\n', 'fifty\n');

let desk: ReviewDesk | null = null;
afterEach(async () => {
  await desk?.close();
  desk = null;
});

/** Records the editor's input, and edits the file as a user would. */
const EDITOR = `printf '%s %s\\n' "$1" "$2" > "$HOME/asked"; sed -i 's/^line 3$/line three/' "$2"`;

/** The editor's input: the file exists before its line, and a part of the line before all of it. */
function asked({ root }: ReviewDesk): Promise<string> {
  const file = path.join(root, 'copane-home', 'asked');
  return until('the editor', () => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text.endsWith('\n') && text.trim();
  });
}

async function open({ columns = 80 } = {}) {
  desk = await ReviewDesk.open({ base: { f: base }, columns, rows: 56, editor: EDITOR });
  const id = desk.publish({ f: want }, 'Two edits');
  const companion = await desk.companion();
  await companion.until('the first hunk', (screen) => screen.includes('twenty'));
  return { desk, id, companion };
}

test('lines around a hunk come from the file, up to the next hunk, with the numbers of both sides', async () => {
  const { companion } = await open();
  await companion.keys('+');
  await companion.until('ten lines above', (screen) => /^\D*7 +7 +line 7$/m.test(screen));
  await companion.keys('+', 'g', 'g');
  const all = await companion.until('twenty lines', (screen) => /^\D*1 +1 +line 1$/m.test(screen));
  expect(all).toMatch(/33 +34 +line 33$/m);
  await companion.keys('n', '+');
  await companion.until('the second hunk', (screen) => /^\D*60 +61 +line 60$/m.test(screen));
});

test('a seen hunk is still seen in the next companion', async () => {
  const { companion, desk: here } = await open();
  await companion.keys('Space');
  await companion.keys('p');
  await companion.until('the mark', (screen) => screen.includes('◉ seen'));
  await companion.keys('C-c');
  const next = await here.companion();
  await next.until('the mark again', (screen) => screen.includes('◉ seen'));
  await next.keys('o');
  await next.keys('o');
  await next.until(
    'only the unseen one',
    (screen) => screen.includes('only unseen') && screen.includes('fifty'),
  );
});

test('the same hunk offered again is still seen, a changed one is not', async () => {
  const { companion, desk: here, id } = await open();
  await companion.keys('Space', 'Space');
  const headers = (screen: string) => screen.split('\n').filter((row) => row.includes('@@'));
  await companion.until('both marks', (screen) => headers(screen).every((row) => row.includes('◉ seen')));
  here.copane(['finish', id, 'discard']);
  await companion.until('nothing to decide', (screen) => screen.includes('No suggestion is waiting'));
  here.publish({ f: want.replace('twenty', 'zwanzig') }, 'Another word');
  const again = await companion.until('the other one', (screen) => screen.includes('zwanzig'));
  expect(headers(again).map((row) => row.includes('◉ seen'))).toEqual([false, true]);
});

test('a comment of two lines on a line goes to the author with its place and its text', async () => {
  const { companion, desk: here, id } = await open();
  await companion.keys('j', 'j', 'j', 'j', 'j', 'c');
  await companion.until('the box', (screen) => screen.includes('Comment on line 20 of f'));
  await companion.type('why');
  await companion.keys('M-Enter');
  await companion.type('not 20?');
  await companion.keys('Enter');
  await companion.until('the comment below its line', (screen) =>
    /you, line 20: why\n.*not 20\?/.test(screen),
  );
  const shown = JSON.parse(here.copane(['show', id, '--json']));
  expect(shown.hunks[0].comments).toEqual([
    {
      text: 'why\nnot 20?',
      lines: { first: 5, last: 5 },
      file_lines: { side: 'new', first: 20, last: 20 },
      quote: '+twenty',
    },
  ]);
});

test.each(rowsOf(1, [80, 40, 160]))(
  'a comment on a line outside all hunks is sent, at %i columns',
  async (columns) => {
    const { companion, desk: here, id } = await open({ columns });
    await companion.keys('+');
    await companion.until('lines of the file', (screen) => /\bline 8\b/.test(screen));
    await companion.keys('g', 'g', 'j', 'j', 'c');
    const box = await companion.until('the box', (screen) => /Comment on line \d+ of f/.test(screen));
    const line = Number(/Comment on line (\d+) of f/.exec(box)?.[1]);
    await companion.type('and this?');
    await companion.keys('Enter');
    await companion.until('the comment', (screen) => screen.includes(`you, line ${line}: and this?`));
    await companion.keys('-');
    await companion.until('it in words', (screen) => {
      const rows = screen.split('\n');
      const at = rows.findIndex((row) => row.includes(`you, line ${line}: and this?`));
      return rows[at - 1]?.includes('@@') === true;
    });
    const file_lines = { side: 'new', first: line, last: line };
    const quote = ` line ${line}`;
    const shown = JSON.parse(here.copane(['show', id, '--json']));
    expect(shown.hunks[0].comments).toEqual([{ text: 'and this?', file_lines, quote }]);
    expect(here.copane(['show', id])).toContain(`comment, line ${line}: and this?`);
    expect(here.copane(['review', '--notes', id])).toContain(`f:${line}\n> ${quote}\nand this?\n`);
  },
);

test("E opens the file at the line of the hunk; what the editor saves is the user's own edit", async () => {
  const { companion, desk: here } = await open();
  await companion.keys('n', 'E');
  const words = await asked(here);
  expect(words).toBe(`+50 ${path.join(here.project, 'f')}`);
  await companion.until('the screen again', (screen) => screen.includes('fifty'));
  await companion.keys('a');
  const edited = base.replace('line 3\n', 'line three\n').replace('line 50\n', 'fifty\n');
  await companion.until('both edits', () => readFileSync(path.join(here.project, 'f'), 'utf8') === edited);
});

test('an accepted hunk is at its new place', async () => {
  const { companion, desk: here } = await open();
  writeFileSync(path.join(here.project, 'f'), `mine\n${base}`);
  await companion.keys('a', 'E');
  const words = await asked(here);
  // One of the user's lines above, one more line in the accepted hunk.
  expect(words.split(' ')[0]).toBe('+52');
});
