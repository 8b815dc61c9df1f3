/** Several suggestions at once, one of them the user's own working tree, reviewed in place. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { git, readText } from '../../helpers/git-fixture.ts';
import { ReviewDesk } from '../../helpers/review-desk.ts';
import { until } from '../../helpers/until.ts';

let desk: ReviewDesk | null = null;
afterEach(async () => {
  await desk?.close();
  desk = null;
});

/** A working tree with the user's own change, and a suggestion for another file. */
async function openBeside(): Promise<ReviewDesk> {
  const opened = await ReviewDesk.open({ base: { a: 'one\n', b: 'two\n' }, columns: 80, rows: 24 });
  opened.publish({ b: 'TWO\n' }, 'Louder');
  writeFileSync(path.join(opened.project, 'a'), 'mine\n');
  opened.copane(['review']);
  return opened;
}

/** The companion with the review of that change open. */
async function readOwnChange(opened: ReviewDesk) {
  const companion = await opened.companion();
  await companion.until('both', (screen) => screen.includes('2 to review') && screen.includes('Louder'));
  await companion.keys('Enter');
  await companion.until('my own change', (screen) => screen.includes('+ mine'));
  return companion;
}

test('a working tree is reviewed in place beside a suggestion: reject removes a change', async () => {
  desk = await openBeside();
  const { project } = desk;
  const companion = await readOwnChange(desk);
  await companion.keys('r');
  await until('the change taken out', () => readText(project, 'a') === 'one\n');
  await companion.keys('u');
  await until('the change again', () => readText(project, 'a') === 'mine\n');
  await companion.keys('q', 'q');
  await companion.until('the list', (screen) => screen.includes('2 to review'));
  await companion.keys('G', 'Enter');
  await companion.until('the suggestion', (screen) => screen.includes('+ TWO'));
  await companion.keys('a');
  await companion.until('all decided', (screen) => screen.includes('Every hunk is decided'));
  await companion.keys('Enter');
  await companion.until('the question', (screen) => screen.includes('Finish the review?'));
  await companion.keys('y');
  await companion.until('one left, opened', (screen) => screen.includes('●1') && screen.includes('+ mine'));
  expect(readText(project, 'b')).toBe('TWO\n');
  expect(git(project, 'status', '--porcelain')).toBe(' M a\n M b\n');
});

test('a reader of a replaced review continues in the new one, not in another suggestion', async () => {
  desk = await openBeside();
  const { project } = desk;
  const companion = await readOwnChange(desk);
  writeFileSync(path.join(project, 'c'), 'new\n');
  const replacing = desk.copane(['review']).trim();
  await companion.until('its new file', (screen) => screen.includes('0/2 decided'));
  expect(await companion.screen()).toContain('+ mine');
  // A replaced review has not ended: there is nothing to open again.
  await companion.keys('R');
  await companion.until('why not', (screen) => screen.includes('No review of this project has ended yet'));
  expect(desk.copane(['suggestions'])).toContain(replacing);
});

test('a file that changes during the review shows as a conflict, and as open again when it is restored', async () => {
  desk = await ReviewDesk.open({ base: { a: 'one\n' }, columns: 60, rows: 20 });
  const { project } = desk;
  desk.publish({ a: 'ONE\n' }, 'Louder');
  const companion = await desk.companion();
  await companion.until('the hunk', (screen) => screen.includes('◌ open'));
  writeFileSync(path.join(project, 'a'), 'mine\n');
  await companion.until(
    'the conflict',
    (screen) => screen.includes('! conflict') && screen.includes('+ mine'),
  );
  writeFileSync(path.join(project, 'a'), 'one\n');
  await companion.until('the hunk again', (screen) => screen.includes('◌ open'));
});

test('decisions of another client show at once, and ending it closes the suggestion', async () => {
  desk = await ReviewDesk.open({ base: { a: 'one\n' }, columns: 60, rows: 20 });
  const { project } = desk;
  const id = desk.publish({ a: 'ONE\n' }, 'Louder');
  const companion = await desk.companion();
  await companion.until('the hunk', (screen) => screen.includes('+ ONE'));
  desk.copane(['decide', id, 'all', 'accept']);
  await companion.until('the decision', (screen) => screen.includes('✓ accepted'));
  expect(readText(project, 'a')).toBe('ONE\n');
  await companion.keys('u');
  await until('the file as it was', () => readText(project, 'a') === 'one\n');
  desk.copane(['finish', id, 'discard']);
  await companion.until('the empty state', (screen) => screen.includes('No suggestion is waiting'));
});
