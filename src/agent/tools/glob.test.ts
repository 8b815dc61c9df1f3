import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

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

test('a glob made to hang a backtracking matcher does not', () => {
  const match = compileGlob(`${'*a'.repeat(120)}b`);
  // What backtracks takes years; a script of its own is one that can be ended.
  const context = createContext({ match, path: 'a'.repeat(250) });
  expect(runInContext('match(path)', context, { timeout: 20_000 })).toBe(false);
});

test('braces that multiply are refused', () => {
  expect(compileGlob('{a,b,c,d}{a,b,c,d}{a,b,c,d}{a,b,c,d}')).toBeNull();
});

test('agrees with picomatch on globs as people write them', () => {
  const part = fc.stringMatching(/^[ab]{0,2}[*?]?[ab]{1,2}$|^\*$/);
  const parts = fc.array(
    fc.oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: fc.constant('**') }),
    {
      minLength: 2,
      maxLength: 4,
    },
  );
  const path = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, part, path, (globParts, last, pathParts) => {
      const glob = [...globParts, last].join('/');
      const name = pathParts.join('/');
      expect(compileGlob(glob)?.(name)).toBe(picomatch(glob, { dot: true })(name));
    }),
    { seed: 5, numRuns: 3_000 },
  );
});
