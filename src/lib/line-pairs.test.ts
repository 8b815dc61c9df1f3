import { expect, test } from 'vitest';
import { COMPARED_MAX_PAIRS, pairLines } from './line-pairs.ts';

const pairsOf = (removed: string, added: string) => [...pairLines(removed.split('\n'), added.split('\n'))];

test.each<[name: string, removed: string, added: string, partners: number[]]>([
  [
    'comments above a changed signature',
    'function load(path: string) {',
    '/** Reads the file. */\n// It may be missing.\nfunction load(path: string, limit = 10) {',
    [2],
  ],
  [
    'the body below a changed signature, with another function added below',
    'function add(a: number, b: number) {\n  return a + b;',
    'function add(first: number, b: number, c = 0) {\n  return first + b + c;\n}\n\nfunction tail() {\n  return 1;',
    [0, 1],
  ],
  [
    'a line removed above an edit',
    'import { a } from "./a.ts";\nconst total = sum(items);',
    'const total = sum(items, tax);',
    [-1, 0],
  ],
  [
    'two edits around a new line',
    'const first = read(1);\nconst second = read(2);',
    'const first = read(1, now);\nlog("between");\nconst second = read(2, now);',
    [0, 2],
  ],
  ['lines with nothing in common', 'alpha beta\ngamma delta', 'one two\nthree four\nfive six', [-1, -1]],
  ['one line with one, whatever their text', 'alpha', 'omega', [0]],
  [
    'an indented block, however far down',
    'first();\nsecond();\nthird();',
    'if (ready) {\n  first();\n  second();\n  third();\n}',
    [1, 2, 3],
  ],
  [
    'no pairs that cross',
    'const a = load(x);\nconst b = save(y);',
    'const b = save(y, 1);\nconst a = load(x, 1);',
    [-1, 0],
  ],
  ['no punctuation that outweighs words', '});\nrun(task);', '});\nrun(task, 1);\n});', [0, 1]],
])('pairs %s', (_, removed, added, partners) => {
  expect(pairsOf(removed, added)).toEqual(partners);
});

test('a blank line pairs with another only if that costs no other pair', () => {
  expect(pairsOf('\nconst a = 1;', 'const a = 2;\n')).toEqual([-1, 0]);
  expect(pairsOf('const a = 1;\n\nconst b = 1;', 'const a = 2;\n\nconst b = 2;')).toEqual([0, 1, 2]);
});

test('very long lines pair by what both ends have in common', () => {
  const long = 'x'.repeat(200_000);
  expect(pairsOf(`${long}1${long}`, `// new\n${long}2${long}`)).toEqual([1]);
});

test('a gap beyond the bound pairs by position, one at the bound by words', () => {
  const removed = Array.from({ length: 60 }, (_, at) => `call_${at}(argument_${at});`);
  const shifted = ['// a new line', ...removed.slice(1).map((line) => `${line} // once more`)];
  expect(removed.length * shifted.length).toBe(COMPARED_MAX_PAIRS);
  expect(pairLines(removed, shifted)[5]).toBe(5);
  const added = ['// one', '// two', ...removed.map((line) => line.replace(';', ', 1);'))];
  expect(pairLines(removed, added)[5]).toBe(5);
  expect(pairLines(removed.slice(0, 50), added.slice(0, 52))[5]).toBe(7);
});

test('thousands of differing lines take only a moment', () => {
  const lines = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name} ${at} ${at * 7}`);
  const started = performance.now();
  pairLines(lines('before'), lines('after'));
  expect(performance.now() - started).toBeLessThan(2_000);
});
