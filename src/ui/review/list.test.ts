import { expect, test } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';

const of = (id: string, target: string, description: string) =>
  testSuggestion({ id, target, description, hunks: [testHunk(`${id}h`)] });

async function open(...suggestions: readonly ReturnType<typeof of>[]) {
  const review = fakeReview({ suggestions, view: { project: '/work/here' } });
  const ui = await driveUi(fakeUi({ review }));
  await ui.type('2');
  return ui;
}

const here = of('a', '/work/here', 'Here');
const inner = of('b', '/work/here/packages/x', 'Inside');
const other = of('c', '/work/other', 'Other');

test('the list has the suggestions of this project; a key adds those of others below', async () => {
  const ui = await open(other, here, inner);
  expect(ui.screen()).toContain('2 to review, 1 in other projects (o)');
  expect(ui.screen()).not.toMatch(/Other/);
  await ui.type('o');
  expect(ui.screen()).toMatch(/Here[\s\S]*Inside[\s\S]*Other/);
  await ui.type('o');
  expect(ui.screen()).not.toMatch(/Other/);
});

test('the only one of this project opens automatically, and going back lists all', async () => {
  const ui = await open(other, here);
  expect(ui.screen()).toContain('Review Here');
  await ui.type('\u001b\u001b');
  expect(ui.screen()).toMatch(/Here[\s\S]*Other/);
});

test('lists the others if this project has none', async () => {
  const ui = await open(other, of('d', '/work/third', 'Third'));
  expect(ui.screen()).toMatch(/2 to review[^,]*$/m);
  expect(ui.screen()).toMatch(/Other[\s\S]*Third/);
});

test('the only one of another project is listed but does not open automatically', async () => {
  const ui = await open(other);
  expect(ui.state().review.suggestion).toBeNull();
  expect(ui.screen()).toContain('Other');
  await ui.type('\r');
  expect(ui.screen()).toContain('Review Other');
});

test('a search filters the list, and Esc clears it', async () => {
  const ui = await open(here, inner);
  await ui.type('/insi\r');
  expect(ui.screen()).toContain('1 to review with "insi"');
  expect(ui.screen()).not.toMatch(/parser.*Here/);
  await ui.type('\u001b');
  expect(ui.screen()).toMatch(/Here[\s\S]*Inside/);
  await ui.type('/nowhere\r');
  expect(ui.screen()).toContain('No suggestion has "nowhere"');
});
