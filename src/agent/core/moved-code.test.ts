/** Code that moves: every hunk that is offered must make sense alone, so that rejecting it loses and doubles nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, reviewsOf, testEdit, textOf } from '../../../test/helpers/agent-proposals.ts';
import type { ProposedEdit } from '../../protocol/agent.ts';
import { movedBlocks } from './moved-blocks.ts';
import { splitHunk } from './split-hunk.ts';

const LIMITS = { max_hunk_lines: 30, max_hunk_bytes: 8_192 };

async function reviewOf(old: string, edits: (files: Record<string, string>) => readonly ProposedEdit[]) {
  const files = { f: old };
  const composed = compose(files, edits(files));
  if (!composed.ok) throw new Error(composed.faults[0]?.message);
  const [review] = await reviewsOf(composed.files, ({ body }) =>
    body === null ? null : splitHunk(body, LIMITS),
  );
  if (review === undefined) throw new Error('no file');
  return { review, hunks: composed.files[0]?.hunks ?? [] };
}

const rewritten = (old: string, new_text: string) =>
  reviewOf(old, (files) => [
    testEdit(files, {
      file_path: 'f',
      operation: 'replace',
      start_line: 1,
      end_line: old.split(/\n(?=.)/s).length,
      new_text,
    }),
  ]);

const fn = (name: string, lines = 5) =>
  `function ${name}(x) {\n${Array.from({ length: lines }, (_, i) => `  ${name}${i}(x);\n`).join('')}}\n`;
const method = (name: string) => `  ${name}() {\n    first${name}();\n\n    then${name}();\n  }\n`;
const joined = (parts: readonly string[]) => parts.join('\n');
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa'];
const ALL = NAMES.map((name) => fn(name));
const [A = '', B = '', C = '', D = ''] = ALL;
const IMPORTS = NAMES.map((name) => `import { ${name} } from './${name}-module.ts';\n`);
const inClass = (methods: readonly string[]) => `class K {\n${methods.map(method).join('\n')}}\n`;
const filler = (count: number) => Array.from({ length: count }, (_, i) => `filler ${i};\n`).join('');

/** The lines of a text but blank ones, sorted. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .sort();

describe('moved code', () => {
  it.each([
    ['two functions swapped', joined([A, B, C]), joined([B, A, C]), 1],
    ['three functions rotated', joined([A, B, C]), joined([C, A, B]), 1],
    ['one moved to the end', joined(ALL), joined([...ALL.slice(1), A]), 1],
    ['one moved to the beginning', joined(ALL), joined([fn('kappa'), ...ALL.slice(0, -1)]), 1],
    ['all in reverse order', joined(ALL), joined(ALL.toReversed()), 9],
    ['all in reverse order, without blank lines', ALL.join(''), ALL.toReversed().join(''), 5],
    ['long functions in reverse order', ...bothWays(NAMES.map((name) => fn(name, 25))), 9],
    ['imports sorted', IMPORTS.join(''), IMPORTS.toSorted().join(''), 1],
    ['imports sorted above code', `${IMPORTS.join('')}\n${A}`, `${IMPORTS.toSorted().join('')}\n${A}`, 1],
    ['the methods of a class reordered', inClass(NAMES), inClass(NAMES.toReversed()), 5],
    ['two swapped, and the file ends without a line end', `${A}\n${B}end`, `${B}\n${A}end`, 1],
    ['a function moved into a class', `${A}\nclass K {\n}\n`, `class K {\n${indented(A)}}\n`, 1],
    [
      'Python functions swapped',
      joined([py('one'), py('two'), py('three')]),
      joined([py('two'), py('three'), py('one')]),
      1,
    ],
    ['with CRLF', crlf(joined([A, B, C])), crlf(joined([C, B, A])), 2],
  ])('%s', async (_, old, updated, parts) => {
    const { review } = await rewritten(old, updated);
    expect(textOf(review.image()?.bytes)).toBe(updated);
    expect(review.changes).toHaveLength(parts);
    for (const { id } of review.changes) {
      const rejected = review.decide(new Set([id]), 'reject');
      const text = rejected.ok ? (textOf(rejected.value.image()?.bytes) ?? '') : '';
      expect(linesOf(text.replaceAll('  ', ''))).toEqual(linesOf(old.replaceAll('  ', '')));
    }
  });

  it('moved and edited: the old text goes where the new one comes', async () => {
    const edited = A.replace('alpha2(x);', 'alpha2(x, true);');
    const { review } = await rewritten(joined(ALL), joined([...ALL.slice(1), edited]));
    expect(review.changes).toHaveLength(1);
  });

  it('an edit elsewhere keeps a decision of its own', async () => {
    const old = joined([A, B, C, D]);
    const updated = joined([B, C.replace('gamma2(x)', 'gamma2(y)'), D, A]);
    const { review } = await rewritten(old, updated);
    expect(review.changes).toHaveLength(2);
    const texts = review.changes.map(({ id }) => {
      const rejected = review.decide(new Set([id]), 'reject');
      return rejected.ok ? textOf(rejected.value.image()?.bytes) : null;
    });
    expect(texts).toEqual([joined([A, B, C.replace('gamma2(x)', 'gamma2(y)'), D]), joined([B, C, D, A])]);
  });

  it('a move that the model sends as two edits is one hunk of both', async () => {
    const { review, hunks } = await reviewOf(joined([A, B, C, D]), (files) => [
      testEdit(files, { edit_id: 'cut', file_path: 'f', operation: 'delete', start_line: 1, end_line: 8 }),
      testEdit(files, {
        edit_id: 'put',
        file_path: 'f',
        operation: 'insert',
        start_line: 25,
        new_text: `${A}\n`,
      }),
    ]);
    expect(textOf(review.image()?.bytes)).toBe(joined([B, C, A, D]));
    expect(hunks.map(({ editIds }) => editIds)).toEqual([['cut', 'put']]);
    expect(review.changes).toHaveLength(1);
  });

  it('places far apart are two hunks', async () => {
    const { review } = await rewritten(`${A}${filler(200)}`, `${filler(200)}${A}`);
    expect(review.changes).toHaveLength(2);
  });

  it('equal short lines that come and go are no move', async () => {
    const old = `one();\nreturn null;\n${filler(20)}two();\nlast();\n`;
    const updated = `one();\n${filler(20)}two();\nreturn null;\nlast();\n`;
    const { review } = await rewritten(old, updated);
    expect(review.changes).toHaveLength(2);
  });

  it('any functions in any order: whatever is decided, each function is there once and whole', async () => {
    const order = fc.shuffledSubarray(NAMES, { minLength: NAMES.length });
    const sizes = fc.array(fc.integer({ min: 2, max: 8 }), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(order, sizes, fc.constantFrom('', '\n'), fc.nat(), async (names, lines, gap, seed) => {
        const texts = new Map(NAMES.map((name, i) => [name, fn(name, lines[i])]));
        const of = (all: readonly string[]) => all.map((name) => texts.get(name)).join(gap);
        fc.pre(names.join() !== NAMES.join());
        const { review } = await rewritten(of(NAMES), of(names));
        const rejected = new Set(
          review.changes.filter((_, i) => ((seed >> i) & 1) === 1).map(({ id }) => id),
        );
        const decided = review.decide(rejected, 'reject');
        const text = decided.ok ? (textOf(decided.value.image()?.bytes) ?? '') : '';
        for (const own of texts.values()) expect(text.split(own)).toHaveLength(2);
        expect(linesOf(text)).toEqual(linesOf(of(NAMES)));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

function bothWays(parts: readonly string[]): [string, string] {
  return [joined(parts), joined(parts.toReversed())];
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function py(name: string): string {
  return `def ${name}(x):\n    ${name}_one(x)\n    ${name}_two(x)\n    return ${name}_three(x)\n\n`;
}

function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

it.each([
  [
    'functions that both return null',
    ['if (a === null) {', '  return null;', '}', 'log(a);', '}'],
    ['if (!b) {', '  return null;', '}', 'emit(b);', '}'],
  ],
  [
    'classes with braces alike',
    ['class P {', '  get() {', '    return this.a;', '  }', '', '  set(v) {', '    this.a = v;', '  }', '}'],
    ['class Q {', '  run() {', '    return this.b;', '  }', '', '  stop(v) {', '    this.b = v;', '  }', '}'],
  ],
])('does not take for moved code %s', (_, removed, added) => {
  const lines = (texts: readonly string[], run: number) => texts.map((text) => ({ text, run }));
  expect(movedBlocks(lines(removed, 0), lines(added, 1))).toEqual([]);
});
