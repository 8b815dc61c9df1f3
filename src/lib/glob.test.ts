import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { compileGlob, compileGlobs } from './glob.ts';

const CASES: readonly (readonly [glob: string, path: string, fits: boolean])[] = [
  ['**/*', 'a', true],
  ['**/*', 'a/b/c.md', true],
  ['*.md', 'a.md', true],
  ['*.md', 'a/b.md', true],
  ['*.md', 'a/b.txt', false],
  ['./notes/*.md', 'notes/a.md', true],
  ['/notes/*.md', 'notes/a.md', true],
  ['notes/*.md', 'notes/b/a.md', false],
  ['notes/**', 'notes/b/a.md', true],
  ['notes/**', 'notes', false],
  ['**', 'a', true],
  ['notes/**/*.md', 'notes/a.md', true],
  ['notes/**/x/**/*.md', 'notes/a/x/b/c.md', true],
  ['notes/**/x/**/*.md', 'notes/a/y/b/c.md', false],
  ['a?c', 'abc', true],
  ['a?c', 'a日c', true],
  ['a?c', 'ac', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[!a-c]x', 'dx', true],
  ['[]]x', ']x', true],
  ['[x', '[x', true],
  ['*.{md,txt}', 'a/b.txt', true],
  ['{a,b{c,d}}', 'bd', true],
  ['{a', '{a', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['.github/**', '.github/x.yml', true],
];

test.each(CASES)('%s against %s: %s', (glob, path, fits) => {
  expect(compileGlob(glob)?.(path)).toBe(fits);
});

test('is not slowed by a glob that makes a backtracking matcher hang', () => {
  const match = compileGlob(`${'*a'.repeat(120)}b`);
  // A backtracking matcher would take years; a script in its own context can be stopped.
  const context = createContext({ match, path: 'a'.repeat(250) });
  expect(runInContext('match(path)', context, { timeout: 20_000 })).toBe(false);
});

test('refuses braces that multiply beyond the limit', () => {
  expect(compileGlob('{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}')).toBeNull();
});

test('limits the length of a glob with no braces and with many', () => {
  expect(compileGlob('a'.repeat(2_048))?.('a'.repeat(2_048))).toBe(true);
  expect(compileGlob('a'.repeat(2_049))).toBeNull();
  expect(compileGlob(`${'x'.repeat(1_000)}{a,b,c}`)).toBeNull();
});

test('refuses nested braces by their length, without expanding them', () => {
  expect(compileGlob(`${'{'.repeat(1_024)}a${'}'.repeat(1_024)}`)).toBeNull();
  expect(
    compileGlobs(Array.from({ length: 1_000 }, () => `${'{'.repeat(480)}a${'}'.repeat(480)}`)),
  ).toBeNull();
  expect(compileGlobs(['{{a}}', 'b'])?.('a/c')).toBe(true);
});

/** All paths of up to three names of one or two letters. */
const PATHS = ['a', 'b', 'ab'].flatMap((a) => [
  a,
  ...['a', 'b', 'ba'].flatMap((b) => [`${a}/${b}`, `${a}/${b}/a`]),
]);

test.each([
  ['*', ['a', 'b', 'ab', 'a/a', 'b/a', 'ab/a', 'a/ba/a']],
  ['a/*', ['a/a', 'a/b', 'a/ba']],
  ['a/**', ['a/a', 'a/b', 'a/ba', 'a/a/a', 'a/b/a', 'a/ba/a']],
  ['**/b', ['b', 'a/b', 'b/b', 'ab/b']],
  ['**/b/**', ['a/b/a', 'b/a', 'b/b', 'b/ba', 'b/a/a', 'b/b/a', 'b/ba/a', 'ab/b/a']],
  ['?b/*/a', ['ab/a/a', 'ab/b/a', 'ab/ba/a']],
])('%s matches these of all short paths', (glob, taken) => {
  const match = compileGlob(glob);
  const found = PATHS.filter((path) => match?.(path));
  expect(found).toEqual(expect.arrayContaining([...taken]));
  if (glob !== '*') expect(found.toSorted()).toEqual([...taken].toSorted());
  else expect(found).toEqual(PATHS);
});
