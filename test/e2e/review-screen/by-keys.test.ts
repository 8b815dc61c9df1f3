/** A real repository, a published change, the real companion in tmux: reviewed by keys alone. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { git, readText, type Tree } from '../../helpers/git-fixture.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');

const BASE: Tree = {
  'src/parse.ts': lines(60, 'parse'),
  'src/lex.ts': lines(30, 'lex'),
  'src/old-name.ts': lines(20, 'name'),
  'bin/run': 'echo run\n',
  'gone.txt': 'soon gone\n',
};
const WANT: Tree = {
  'src/parse.ts': lines(60, 'parse')
    .replace('parse 5\n', 'parse five\n')
    .replace('parse 50\n', 'parse fifty\n'),
  'src/lex.ts': lines(30, 'lex').replace('lex 10\n', 'lex ten\n'),
  'src/old-name.ts': null,
  'src/new-name.ts': lines(20, 'name'),
  'bin/run': { run: 'echo run\n' },
  'gone.txt': null,
  'made.txt': 'made by the suggestion\n',
};

let desk: ReviewDesk | null = null;
afterEach(async () => {
  await desk?.close();
  desk = null;
});

test('accept, reject, modify and the rest, then everything undone: the tree is clean', async () => {
  desk = await ReviewDesk.open({
    base: BASE,
    columns: 80,
    rows: 24,
    // A person's edit in an editor: one word changed.
    editor: 'for last; do :; done; sed -i "s/lex ten/lex TEN by hand/" "$last"',
  });
  const { project } = desk;
  const companion = await desk.companion();
  await companion.until('the empty state', (screen) => screen.includes('copane publish'));
  desk.publish(WANT, 'Spell the numbers');
  await companion.until('the tab', (screen) => screen.includes('●1'));
  await companion.until('the diff', (screen) => /Spell the numbers.*0\/7 decided/.test(screen));

  await toFile(companion, 'src/parse.ts');
  await companion.keys('a');
  await companion.until('one accepted', (screen) => screen.includes('1/7 decided'));
  await until('its line on disk', () => readText(project, 'src/parse.ts')?.includes('parse five\n') === true);
  await companion.keys('r');
  await companion.until('one rejected', (screen) => screen.includes('2/7 decided'));
  expect(readText(project, 'src/parse.ts')).not.toContain('fifty');

  await toFile(companion, 'src/lex.ts');
  await companion.keys('m');
  await companion.until('one modified', (screen) => screen.includes('3/7 decided'));
  expect(readText(project, 'src/lex.ts')).toContain('lex 9\nlex TEN by hand\nlex 11\n');

  await companion.keys('A');
  await companion.until('the question', (screen) => screen.includes('Accept 4 open hunks?'));
  await companion.keys('y');
  await companion.until('the rest', (screen) => screen.includes('7/7 decided'));
  // The screen changes before the file does.
  await until('the rest on disk', () => readText(project, 'src/new-name.ts') === lines(20, 'name'));
  await until('the rename', () => readText(project, 'src/old-name.ts') === null);
  await until('the deletion', () => readText(project, 'gone.txt') === null);
  await until('the new file', () => readText(project, 'made.txt') === 'made by the suggestion\n');
  expect(git(project, 'status', '--porcelain').trim().split('\n')).not.toEqual(['']);

  // Everything accepted at once is one action.
  for (const left of [3, 2]) {
    await companion.keys('u');
    await companion.until(`${left} left`, (screen) => screen.includes(`${left}/7 decided`));
  }
  await companion.keys('C-r');
  await companion.until('one again', (screen) => screen.includes('3/7 decided'));
  await companion.keys('U');
  await companion.until('the question', (screen) => screen.includes('Undo every decision'));
  await companion.keys('Enter');
  await companion.until('nothing decided', (screen) => screen.includes('0/7 decided'));
  await until('a clean tree', () => git(project, 'status', '--porcelain') === '');

  await companion.keys('d');
  await companion.until('the question', (screen) => screen.includes('Discard this suggestion?'));
  await companion.keys('y');
  await companion.until('the empty state', (screen) => screen.includes('No suggestion is waiting'));
  await companion.keys('R');
  await companion.until('the review again', (screen) => screen.includes('0/7 decided'));
  await companion.keys('a');
  await companion.until('a decision on it', (screen) => screen.includes('1/7 decided'));
});

test('a file changed by another program while deciding is a conflict in three parts, and the merge is edited', async () => {
  desk = await ReviewDesk.open({
    base: { f: lines(20, 'line') },
    columns: 70,
    rows: 40,
    editor: 'for last; do :; done; printf "line 9\\nboth of us\\nline 11\\n" > "$last"',
  });
  const { project } = desk;
  desk.publish({ f: lines(20, 'line').replace('line 10\n', 'line ten\n') }, 'One line');
  const companion = await desk.companion();
  await companion.until(
    'the hunk',
    (screen) => screen.includes('line ten') && screen.includes('0/1 decided'),
  );
  writeFileSync(path.join(project, 'f'), lines(20, 'line').replace('line 10\n', 'mine\n'));
  await companion.keys('a');
  const screen = await companion.until(
    'the conflict',
    // The key's answer and the message about the file come in either order.
    (shown) => /! conflict/.test(shown) && shown.includes('yours:') && /m\s+edits\s+the\s+text/.test(shown),
  );
  expect(screen).toMatch(/\+ .*mine/);
  expect(screen).toMatch(/\+ .*line ten/);
  expect(readText(project, 'f')).toContain('mine\n');
  await companion.keys('m');
  await companion.until('the modified hunk', (shown) => shown.includes('1/1 decided'));
  expect(readText(project, 'f')).toContain('both of us\n');
  await companion.keys('u');
  await companion.until('the conflict again', (shown) => shown.includes('0/1 decided'));
  const mine = lines(20, 'line').replace('line 10\n', 'mine\n');
  await until('the file as it was before', () => readText(project, 'f') === mine);
});

/** Moves by hunks until the cursor is in that file. */
async function toFile(companion: Awaited<ReturnType<ReviewDesk['companion']>>, file: string): Promise<void> {
  for (let pressed = 0; pressed < 12; pressed += 1) {
    if ((await companion.screen()).includes(`─ ${file} ─`)) return;
    const before = await companion.screen();
    await companion.keys('n');
    await companion.until(`after n for ${file}`, (screen) => screen !== before);
  }
  throw new Error(`${file} was not reached:\n${await companion.screen()}`);
}
