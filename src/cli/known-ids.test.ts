import { expect, test } from 'vitest';
import { testSuggestion } from '../../test/helpers/review-fakes.ts';
import { ok } from '../lib/result.ts';
import type { Client } from '../protocol/client.ts';
import type { SuggestionSummary } from '../protocol/review.ts';
import { idFrom, suggestionId } from './known-ids.ts';

const all = [
  { id: 'c887aa', title: 'one' },
  { id: 'c8', title: 'two' },
  { id: 'c88bbb', title: 'three' },
];
const find = (given: string) =>
  idFrom(given, all, { what: 'Suggestion', name: ({ title }) => title, list: 'suggestions' });

test.each([
  ['c887', 'c887aa'],
  ['c887aa', 'c887aa'],
  ['c8', 'c8'],
])('%s is %s', (given, id) => {
  expect(find(given)).toEqual({ ok: true, value: id });
});

test('an ambiguous prefix fails with the ids that match, one a line', () => {
  expect(find('c88')).toMatchObject({
    error: {
      code: 'invalid',
      message: 'c88 is the beginning of 2 ids.',
      hint: 'Type more of the id:\n  c887aa  one\n  c88bbb  three',
    },
  });
});

test('suggestions are told apart by project, file and description', async () => {
  const hint = async (...all: readonly Partial<SuggestionSummary>[]) => {
    const listed = all.map((one, at) => testSuggestion({ id: `c8${at}`, ...one }));
    const client = { request: async () => ok(listed) } as unknown as Client;
    const found = await suggestionId(client, 'c8');
    return found.ok ? found.value : found.error.hint?.split('\n').slice(1);
  };
  expect(
    await hint(
      { target: '/work/a/app', files: ['x.ts'], description: 'One\nmore' },
      { target: '/work/b/app', files: ['x.ts', 'y.ts', 'z.ts'], description: '' },
      { target: '/work/web', files: ['e\n.ts'], description: 'Three' },
    ),
  ).toEqual([
    '  c80  a/app  x.ts  One',
    '  c81  b/app  x.ts and 2 more  (no description)',
    '  c82  web  e␊.ts  Three',
  ]);
  const seven = Array.from({ length: 7 }, () => ({ target: '/work/app' }));
  expect(await hint(...seven)).toMatchObject({ 5: '  … and 2 more' });
});

test.each(['d', '', 'c887aaa'])('%j matches no id', (given) => {
  expect(find(given)).toMatchObject({
    error: {
      code: 'not_found',
      message: `Suggestion not found: ${given}`,
      hint: 'Run "copane suggestions" to see them.',
    },
  });
});
