import { describe, expect, it } from 'vitest';
import { carryOver, contains } from './carry-over.ts';
import type { FileImage } from './file-state.ts';

const file = (text: string, change: Partial<FileImage> = {}): FileImage => ({
  path: 'f',
  type: 'file',
  executable: false,
  bytes: new TextEncoder().encode(text),
  ...change,
});
const TEN = 'a\nb\nc\nd\ne\nf\n';
const from = file(TEN);
const to = file(TEN.replace('c', 'C'));

describe('carries a change over to another version of the file', () => {
  it.each<[string, FileImage | null, FileImage | null]>([
    ['the same', from, to],
    ['with a line above', file(`top\n${TEN}`), file(`top\n${TEN.replace('c', 'C')}`)],
    ['with that line edited', file(TEN.replace('c', 'x')), file(TEN.replace('c', 'x'))],
    ['executable', file(TEN, { executable: true }), file(TEN.replace('c', 'C'), { executable: true })],
    ['no file', null, null],
    ['a link', file('t', { type: 'symlink' }), file('t', { type: 'symlink' })],
    ['binary', file(`\0${TEN}`), file(`\0${TEN}`)],
  ])('%s', (_, disk, expected) => {
    expect(carryOver(disk, { from, to })).toEqual(expected);
  });

  it('carries it over to the new name of the file, with the executable bit', () => {
    const renamed = file(TEN, { path: 'g', executable: true });
    expect(carryOver(file(`${TEN}more\n`), { from, to: renamed })).toEqual(
      file(`${TEN}more\n`, { path: 'g', executable: true }),
    );
  });

  it('creates or deletes a file only if the other side is the same', () => {
    expect(carryOver(null, { from: null, to })).toBe(to);
    expect(carryOver(file('mine'), { from: null, to })).toEqual(file('mine'));
    expect(carryOver(file(TEN), { from, to: null })).toBeNull();
    expect(carryOver(file('mine'), { from, to: null })).toEqual(file('mine'));
  });
});

it('detects a contained change, which can be removed and restored', () => {
  expect(contains(to, { from, to })).toBe(true);
  expect(contains(file(`top\n${TEN.replace('c', 'C')}`), { from, to })).toBe(true);
  expect(contains(from, { from, to })).toBe(false);
  expect(contains(file(TEN.replace('c', 'x')), { from, to })).toBe(false);
  expect(contains(null, { from, to: null })).toBe(true);
  expect(contains(from, { from, to: null })).toBe(false);
});
