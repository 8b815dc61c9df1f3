import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compose, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import type { Change } from '../../review/core/change.ts';
import { ADDED, changedLines, REMOVED } from '../../review/core/hunk-body.ts';
import { isOversized, splitHunk } from './split-hunk.ts';

const LIMITS = { max_hunk_lines: 10, max_hunk_bytes: 400 };
const split = (change: Change) => (change.body === null ? null : splitHunk(change.body, LIMITS));

async function parts(old: string, updated: string) {
  const files = { 'f.md': old };
  const count = old.split('\n').length - 1;
  const edit = testEdit(files, {
    file_path: 'f.md',
    operation: 'replace',
    start_line: 1,
    end_line: count,
    new_text: updated,
  });
  const composed = compose(files, [edit]);
  if (!composed.ok) throw new Error(composed.faults[0]?.message);
  const [review] = await reviewsOf(composed.files, split);
  if (review === undefined) throw new Error('no file');
  return review;
}

const paragraph = (word: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `${word} ${i}`).join('\n');
const isLarge = (change: Change) =>
  change.body !== null && isOversized(change.body, change.picked ?? changedLines(change.body), LIMITS);

/** For each part, how many lines it removes and adds, and the first of each. */
async function shapeOf(old: string, updated: string) {
  const review = await parts(old, updated);
  expect(textOf(review.image()?.bytes)).toBe(updated);
  return review.changes.map(({ body, picked }) => {
    const lines = [...(picked ?? (body === null ? [] : changedLines(body)))].sort((a, b) => a - b);
    const side = (wanted: number) => lines.filter((line) => body?.op(line) === wanted);
    const head = (line: number | undefined) =>
      line === undefined ? '' : textOf(body?.bytes.subarray(body.start(line), body.end(line)))?.trim();
    const [removed, added] = [side(REMOVED), side(ADDED)];
    return `-${removed.length} +${added.length} ${head(removed[0])} → ${head(added[0])}`;
  });
}

const call = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `  ${name}${i}();\n`).join('');
const fn = (name: string, body: string) => `function ${name}() {\n${body}}\n`;
const method = (name: string) => `  ${name}() {\n    ${name}1();\n    ${name}2();\n    ${name}3();\n  }\n`;
const rows = (word: string) => Array.from({ length: 12 }, (_, i) => `| a${i} | ${word} |\n`).join('');

describe('the parts of a large hunk', () => {
  it.each([
    [
      'removed lines stay with the first of their replacements',
      `${paragraph('old', 4)}\n`,
      `${paragraph('x', 6)}\n\n${paragraph('y', 6)}\n`,
      ['-4 +7 old 0 → x 0', '-0 +6  → y 0'],
    ],
    [
      'each function stays with the one of the same name',
      fn('one', call('a', 3)) + fn('two', call('b', 5)),
      fn('one', call('c', 3)) + fn('two', call('d', 5)),
      ['-3 +3 a0(); → c0();', '-5 +5 b0(); → d0();'],
    ],
    [
      'a function is not split if two would fit',
      `${fn('one', call('a', 3))}\n${fn('two', call('b', 3))}`,
      `${fn('uno', call('x', 3))}\n${fn('due', call('y', 3))}`,
      ['-4 +4 function one() { → function uno() {', '-4 +4 function two() { → function due() {'],
    ],
    [
      'a shrinking function is split equally on both sides',
      fn('f', call('formerly', 18)),
      fn('f', call('henceforth', 9)),
      [
        '-6 +3 formerly0(); → henceforth0();',
        '-6 +3 formerly6(); → henceforth3();',
        '-6 +3 formerly12(); → henceforth6();',
      ],
    ],
    [
      'rows stay with the rows that they become',
      rows('old'),
      rows('new'),
      [
        '-5 +5 | a0 | old | → | a0 | new |',
        '-5 +5 | a5 | old | → | a5 | new |',
        '-2 +2 | a10 | old | → | a10 | new |',
      ],
    ],
    [
      'text without a place to split stays whole with its replacement',
      `${paragraph('old', 12)}\n`,
      `${paragraph('x', 4)}.\n${paragraph('y', 4)}.\n`,
      ['-12 +8 old 0 → x 0'],
    ],
    [
      'moved lines are removed and inserted by the same part',
      ['a', 'b', 'c'].map(method).join(''),
      ['c', 'b', 'a'].map(method).join(''),
      ['-5 +5 a() { → a() {', '-5 +5 b() { → b() {'],
    ],
  ])('%s', async (_, old, updated, shape) => {
    expect(await shapeOf(old, updated)).toEqual(shape);
  });
});

test('a whole file of many thousand lines is split quickly', async () => {
  const before = call('a', 2_000);
  const shape = await shapeOf(before, before.replaceAll(/^ +/gm, '\t'));
  expect(shape).toHaveLength(400);
});

test.each([
  ['added', 'a\nb\n', 140_000],
  ['rewritten', Array.from({ length: 20_000 }, (_, at) => `x${at}\n`).join(''), 20_000],
])('many thousand lines that are %s are split quickly', async (_, old, count) => {
  const files = { 'f.md': old };
  const new_text = Array.from({ length: count }, (_, at) => `y${at}\n`).join('');
  const end_line = old.split('\n').length - 1;
  const composed = compose(files, [
    testEdit(files, { file_path: 'f.md', operation: 'replace', start_line: 1, end_line, new_text }),
  ]);
  if (!composed.ok) throw new Error(composed.faults[0]?.message);
  let tookMs = Number.POSITIVE_INFINITY;
  await reviewsOf(composed.files, ({ body }) => {
    tookMs = cpuMsOf(() => body && splitHunk(body, { max_hunk_lines: 80, max_hunk_bytes: 8_192 }));
    return null;
  });
  expect(tookMs).toBeLessThan(3_000);
});

describe('a hunk that is too large', () => {
  it.each([
    ['fits at the limit', 'a\n', paragraph('x', 9), 1, 0],
    ['one line above the limit, and nowhere to split', 'a\n', paragraph('x', 10), 1, 1],
    ['at blank lines', 'a\n', `${paragraph('x', 6)}\n\n${paragraph('y', 6)}\n\n${paragraph('z', 6)}\n`, 3, 0],
    ['at ends of sentences', 'a\n', `${paragraph('x', 6)}.\n${paragraph('y', 6)}.\n`, 2, 0],
    ['by bytes', 'a\n', `${'x'.repeat(300)}\n\n${'y'.repeat(300)}\n`, 2, 0],
    ['one long line is left alone', 'a\n', `${'x'.repeat(500)}\n`, 1, 1],
    ['small paragraphs stay together', 'a\n', 'b\n\nc\n\nd\n\ne\n\nf\n\ng\n\nh\n', 2, 0],
    [
      'both sides are split',
      `${paragraph('a', 7)}\n\n${paragraph('b', 7)}\n`,
      `${paragraph('x', 2)}\n\n${paragraph('y', 2)}\n`,
      2,
      0,
    ],
  ])('%s', async (_, old, updated, count, large) => {
    const review = await parts(old, updated.endsWith('\n') ? updated : `${updated}\n`);
    expect(review.changes.length).toBe(count);
    expect(review.changes.filter(isLarge).length).toBe(large);
    expect(textOf(review.image()?.bytes)).toBe(updated.endsWith('\n') ? updated : `${updated}\n`);
  });

  it('all parts together give the new text, and rejecting all of them gives the old one', async () => {
    const text = fc.array(fc.constantFrom('', 'word', 'A sentence.', 'x'.repeat(120)), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (old, updated) => {
        const [before, after] = [old, updated].map((lines) => lines.map((line) => `${line}\n`).join(''));
        fc.pre(before !== after && before !== undefined && after !== undefined);
        const review = await parts(before ?? '', after ?? '');
        expect(textOf(review.image()?.bytes) ?? '').toBe(after);
        const ids = new Set(review.changes.map((change) => change.id));
        expect(ids.size).toBe(review.changes.length);
        const rejected = review.decide(ids, 'reject');
        expect(rejected.ok && textOf(rejected.value.image()?.bytes)).toBe(before);
        for (const change of review.changes) {
          const one = review.decide(new Set([change.id]), 'reject');
          const again = one.ok ? one.value.decide(new Set([change.id]), 'accept') : one;
          expect(again.ok && (textOf(again.value.image()?.bytes) ?? '')).toBe(after);
        }
      }),
      { seed: 23, numRuns: 200 },
    );
  });
});
