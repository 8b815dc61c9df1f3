/** What is shown, warned of and quoted for a text that is decided as a whole. */
import { expect, it } from 'vitest';
import { testSubjects } from '../../../test/helpers/review-subject.ts';
import { runAtOnce } from '../../lib/steps.ts';
import type { Subject } from '../core/change.ts';
import { diffOf, warningsOf } from './describe-suggestion.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

function whole(old: string, updated: string) {
  const [plain] = testSubjects('diff --git a/f b/f\nBinary files a/f and b/f differ\n');
  const [change] = plain?.changes ?? [];
  if (plain === undefined || change === undefined) throw new Error('no change');
  const side = (text: string) => ({ type: 'file' as const, bytes: bytesOf(text) });
  const subject: Subject = { ...plain, whole: { old: side(old), new: side(updated) }, problem: null };
  return { subject, change };
}

/** Without the words about sizes. */
function shown(old: string, updated: string): string {
  const { subject, change } = whole(old, updated);
  const diff = diffOf(subject, change);
  return diff.slice(diff.indexOf('\n') + 1);
}

const warned = (old: string, updated: string) => {
  const { subject, change } = whole(old, updated);
  return runAtOnce(warningsOf(subject)(change)).map(({ text }) => text);
};

const lines = (amount: number, name = 'line') =>
  Array.from({ length: amount }, (_, at) => `${name} ${at}\n`).join('');

it.each([
  [
    'one line of a long text',
    lines(60_000),
    lines(60_000).replace('line 9\n', 'NINE\n'),
    '-line 9\n+NINE\n',
    'The first 9 lines and the last 59990',
  ],
  [
    'a line at its end',
    lines(60_000),
    `${lines(60_000)}end\n`,
    '+end\n',
    'The first 60000 lines and the last 0',
  ],
  [
    'a line at its beginning',
    lines(60_000),
    `begin\n${lines(60_000)}`,
    '+begin\n',
    'The first 0 lines and the last 60000',
  ],
  ['a line that occurs twice', 'a\nb\n', 'a\na\nb\n', '+a\n', 'The first 1 line and the last 1'],
  ['lines that end alike', 'xa\nb\n', 'ya\nb\n', '-xa\n+ya\n', 'The first 0 lines and the last 1'],
])('shows what changes: %s', (_, old, updated, diff, alike) => {
  expect(shown(old, updated)).toBe(`${alike} are the same.\n${diff}`);
});

it('shows unchanged lines between two changes, and a removed line end', () => {
  expect(shown('a\nb\nc\n', 'A\nb\nC')).toBe('-a\n+A\n b\n-c\n+C\n\\ No newline at end of file\n');
  expect(shown('', 'a\n')).toBe('+a\n');
});

it('shows equally much of both sides if both are too long, and says how much is missing', () => {
  const [old, updated] = [lines(100_000, 'old'), lines(90_000, 'new')];
  const diff = shown(old, updated);
  expect(Buffer.byteLength(diff)).toBeLessThan(1024 * 1024);
  const [removed, added] = ['-', '+'].map((sign) => diff.split('\n').filter((line) => line.startsWith(sign)));
  const bytes = (side: readonly string[] = []) => side.reduce((sum, line) => sum + line.length, 0);
  expect(bytes(removed)).toBeGreaterThan(255 * 1024);
  expect(bytes(added)).toBeGreaterThan(255 * 1024);
  const rests = /… (\d+) more bytes of the old lines and (\d+) of the new ones are not shown\.\n$/.exec(diff);
  expect(rests?.slice(1).map(Number)).toEqual([old.length - bytes(removed), updated.length - bytes(added)]);
});

it('looks for hidden characters in new lines', () => {
  const hidden = '2 hidden characters: U+202E RIGHT-TO-LEFT OVERRIDE, U+200B ZERO WIDTH SPACE';
  const evil = 'evil \u202e x\u200b\n';
  const plain = lines(60_000);
  const unusual = 'ä\n'.repeat(300_000);
  expect(warned(plain, plain + evil)).toEqual([hidden]);
  expect(warned(lines(60_000, 'old'), lines(60_000, 'new') + evil)).toEqual([hidden]);
  expect(warned(unusual, evil)).toEqual([hidden]);
  expect(warned(unusual, unusual + evil)).toEqual([hidden]);
  expect(warned('', unusual + evil)).toEqual([
    'Only the first 512 KiB of its lines beyond plain ASCII were checked for hidden characters',
  ]);
  expect(warned('a\n', `a\nok();${' '.repeat(90)}evil();\n`)).toEqual([
    'Text far to the right, after 80 blanks or more, in line 2',
  ]);
});
