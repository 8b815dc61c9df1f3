import { expect, test } from 'vitest';
import { fakeReview, testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { driveUi } from '../../../test/helpers/ui-driver.ts';
import { fakeUi } from '../../../test/helpers/ui-fakes.ts';
import { readHunk } from './hunk-doc.ts';
import { showLine, WHOLE_LINE_MAX_CHARACTERS } from './long-line.ts';

const packed = (middle: string) => `${'a;'.repeat(40_000)}${middle}${'b;'.repeat(40_000)}`;
const docOfLines = (...lines: readonly string[]) =>
  readHunk({ id: 'h', diff: `@@ -1,9 +1,9 @@\n${lines.join('\n')}\n` });

test('a long line begins shortly before its change', () => {
  const doc = docOfLines(`-${packed('return 1')}`, `+${packed('return 2')}`);
  for (const [index, number] of [
    [0, '1'],
    [1, '2'],
  ] as const) {
    const { text, leftOut, at } = doc.shownOf(index);
    expect(text).toMatch(/^<79007 more characters>;(a;)+return \d(b;)+<79000 more characters>$/);
    expect(at(doc.marksOf(index)).map(([start, end]) => text.slice(start, end))).toEqual([number]);
    expect(leftOut.map(([start, end]) => text.slice(start, end))).toEqual([
      '<79007 more characters>',
      '<79000 more characters>',
    ]);
  }
});

test('if text was only added, the side without it shows the same place', () => {
  const doc = docOfLines(`-${packed('')}`, `+${packed('NEW')}`);
  expect(doc.shownOf(0).text).toMatch(/^<\d+ more characters>(a;)+(b;)+<\d+ more characters>$/);
  expect(doc.shownOf(1).text).toContain('NEW');
});

test('an unchanged long line is shown from its beginning; a new one is shown whole', () => {
  const doc = docOfLines(` ${packed('')}`, `+${packed('NEW')}`);
  expect(doc.shownOf(0).text).toMatch(/^(a;){500}<159000 more characters>$/);
  expect(doc.shownOf(1).text).toBe(packed('NEW'));
});

test('a line at the bound is shown whole, the next longer one is not', () => {
  const text = 'x'.repeat(WHOLE_LINE_MAX_CHARACTERS);
  expect(showLine(text, [0, 0]).text).toBe(text);
  expect(showLine(`${text}x`, [0, 0]).text).not.toBe(`${text}x`);
});

test('a line that is not wrapped is drawn whole, and can be scrolled sideways to its end', async () => {
  const line = (number: string) =>
    `begin${'a;'.repeat(1_500)}return ${number};${'b;'.repeat(1_500)}end_marker`;
  const diff = `@@ -1,2 +1,2 @@\n ${line('0')}\n-${line('1')}\n+${line('2')}\n`;
  const hunks = [testHunk('a1', { file: 'a.ts', diff })];
  const fake = fakeReview({ suggestions: [testSuggestion({ hunks })], isRead: true });
  const ui = await driveUi(fakeUi({ review: fake }));
  await ui.type('2');
  expect(ui.screen()).toContain('more characters>');
  await ui.type('w');
  expect(ui.screen()).toContain('begina;a;');
  expect(ui.screen()).not.toContain('more characters>');
  for (let at = 0; at < 750; at += 1) await ui.type('l');
  expect(ui.screen().match(/end_marker/g)).toHaveLength(3);
  await ui.type('w');
  expect(ui.screen()).not.toContain('end_marker');
  // A match that wrapping omits comes into view.
  await ui.type('/end_marker\r');
  expect(ui.screen()).toContain('b;b;end_marker');
  expect(ui.state().review.isWrapped).toBe(false);
});

test('no character is split', () => {
  for (const at of [2_000, 2_001]) {
    const { text } = showLine('😀'.repeat(3_000), [at, at]);
    expect(text.isWellFormed()).toBe(true);
  }
});

test('colours outside the shown part are dropped, those at its edges are cut', () => {
  const { text, at } = showLine('x'.repeat(9_000), [4_000, 4_010]);
  const ranges = at([
    [0, 10, 'keyword'],
    [2_000, 6_000, 'string'],
  ] as const);
  expect(ranges.map(([start, end, kind]) => [text.slice(start, end), kind])).toEqual([
    ['x'.repeat(2_010), 'string'],
  ]);
});
