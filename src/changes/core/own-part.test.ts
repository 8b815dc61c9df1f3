import { expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { ownPart, type Texts } from './own-part.ts';

const lines = (words: string) => words.split(' ').map((word) => `${word}\n`);
const text = (old: string, put: string): Texts => [lines(old), lines(put)];

it.each([
  ['in its place', 'a b c', 'a X c', [text('b', 'X')], 'a X c'],
  ['whatever blanks are around it', 'a b c', 'a \tX c', [text('b', 'X')], 'a \tX c'],
  ['once, not the equal line elsewhere', 'a b c d e', 'a X c d e X', [text('b', 'X')], 'a X c d e'],
  ['beside a line that it kept', 'a b c d', 'a X b c X d', [text('a b', 'a X b')], 'a X b c d'],
  [
    'in both places that the edits name',
    'a b c d e',
    'a X c X e',
    [text('b', 'X'), text('d', 'X')],
    'a X c X e',
  ],
  ['if the replaced line is already gone', 'a c d', 'a X c d', [text('a b c', 'a X c')], 'a X c d'],
  ['if the replaced line appeared in between', 'a c d', 'X c d', [text('b c', 'X c')], 'a X c d'],
  ['after a later edit of it', 'a b c', 'a X Z c', [text('b', 'X Y'), text('Y', 'Z')], 'a X Z c'],
  ['within what a later edit changed', 'a b c d', 'a Z d', [text('b', 'X'), text('X c', 'Z')], 'a Z d'],
])('takes a line of an edit %s', (_, from, to, texts, own) => {
  expect(ownPart(lines(from), lines(to), texts)).toEqual(lines(own));
});

it.each([
  ['that was removed and is elsewhere now', 'a b c d e', 'a c d e X', [text('b', 'X')]],
  ['that is beside other lines', 'a b c d', 'a b c X d', [text('a b', 'a X b')]],
  ['if it is there twice', 'a b c', 'a X X c', [text('b', 'X')]],
])('takes no added line %s', (_, from, to, texts) => {
  expect(ownPart(lines(from), lines(to), texts)).not.toContain('X\n');
});

/** A file of blocks, each with an inserted line; the last line is somebody else's. */
const blocks = (count: number, put: readonly string[]) =>
  Array.from({ length: count }, (_, at) => [`a ${at}\n`, ...put, `b ${at}\n`]).flat();
const single = (at: number): Texts => [[`a ${at}\n`], [`A ${at}\n`]];

it('takes lines in hundreds of places', () => {
  const [from, put] = [blocks(400, []), blocks(400, ['}\n'])];
  expect(ownPart(from, [...put, 'mine\n'], [[from, put]])).toEqual(put);
});

it.each([
  ['8,000 places for one line', blocks(8_000, []), blocks(8_000, ['}\n']), null],
  ['4,000 edits', blocks(4_000, []), blocks(4_000, []).map((line) => line.replace('a', 'A')), single],
])('takes none if that takes too long: %s', (_, from, put, edit) => {
  const texts =
    edit === null ? [[from, put] as const] : Array.from({ length: 4_000 }, (_one, at) => edit(at));
  const ms = cpuMsOf(() => expect(ownPart(from, [...put, 'mine\n'], texts)).toBe(from));
  expect(ms).toBeLessThan(2_000);
});
