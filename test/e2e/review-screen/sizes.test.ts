/** The Review screen when narrow, when wide, and with a large change: the real companion in tmux. */
import { afterEach, expect, test } from 'vitest';
import { rowsOf } from '../../helpers/full-run.ts';
import { git, readText, type Tree } from '../../helpers/git-fixture.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');

let desk: ReviewDesk | null = null;
afterEach(async () => {
  await desk?.close();
  desk = null;
});

const SIZES: readonly (readonly [columns: number, rows: number])[] = [
  [40, 12],
  [80, 24],
  [60, 40],
  [160, 50],
];
test.each(rowsOf(1, SIZES))(
  'lines of a hunk are decided one by one at %i x %i, and the hunk is joined again',
  async (columns, rows) => {
    const base: Tree = { f: 'one\ntwo\nthree\nfour\n' };
    const want: Tree = { f: 'one\nTWO\nTWO AND A HALF\nthree\nfour\n' };
    desk = await ReviewDesk.open({ base, columns, rows });
    const { project } = desk;
    desk.publish(want, 'Numbers');
    const companion = await desk.companion();
    await companion.until('the hunk', (screen) => screen.includes('TWO AND A HALF'));
    await companion.keys('/');
    await companion.type('AND A');
    await companion.keys('Enter', 'v', 'a');
    await companion.until('the parts', (screen) => screen.includes('accepted') && screen.includes('of 2'));
    expect(readText(project, 'f')).toBe('one\ntwo\nTWO AND A HALF\nthree\nfour\n');
    // The other part, again by lines: they are counted by the whole hunk.
    await companion.keys('p', '/');
    await companion.type('two');
    await companion.keys('Enter', 'v');
    await companion.until('the selection', (screen) => screen.includes('SELECT'));
    await companion.keys('a');
    await companion.until('a third part', (screen) => screen.includes('of 3'));
    expect(readText(project, 'f')).toBe('one\nTWO AND A HALF\nthree\nfour\n');
    await companion.keys('u');
    await companion.keys('u');
    await companion.until('nothing decided', (screen) => !screen.includes('accepted'));
    await companion.keys('S');
    await companion.until('one hunk', (screen) => screen.includes('1 of 1'));
    await companion.keys('f');
    await companion.until('the whole hunk', (screen) => screen.includes('✓ accepted'));
    await companion.keys('u');
    await companion.until('open again', (screen) => screen.includes('◌ open'));
    await companion.until('a clean tree', () => git(project, 'status', '--porcelain') === '');
  },
);

test('a change of 100,000 lines opens, is read to its end and undone', async () => {
  const base: Tree = { big: lines(50_000, 'old') };
  desk = await ReviewDesk.open({ base, columns: 100, rows: 30 });
  const { project } = desk;
  desk.publish({ big: lines(50_000, 'new') }, 'Every line');
  const companion = await desk.companion();
  await companion.until('the first lines', (screen) => screen.includes('old 1'));
  const started = performance.now();
  for (let page = 0; page < 20; page += 1) await companion.keys('C-d');
  await companion.until('later lines', (screen) => /old [12]\d\d\b/.test(screen));
  expect(performance.now() - started).toBeLessThan(5_000);
  await companion.keys('g', 'g');
  await companion.until(
    'the whole hunk',
    (screen) => screen.includes('old 1') && !screen.includes('not read'),
  );
  // The end is the end of what was read so far: the rest arrives while the key is pressed again.
  const deadline = performance.now() + 20_000;
  while (!(await companion.screen()).includes('new 50000') && performance.now() < deadline)
    await companion.keys('G');
  await companion.until('the last line', (screen) => screen.includes('new 50000'));
  await companion.keys('a');
  await companion.until('accepted', (screen) => screen.includes('1/1 decided'));
  await companion.until('on disk', () => readText(project, 'big')?.endsWith('new 50000\n') === true);
  await companion.keys('u');
  await companion.until('a clean tree', () => git(project, 'status', '--porcelain') === '');
});
