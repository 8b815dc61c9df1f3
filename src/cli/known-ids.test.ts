import { expect, test } from 'vitest';
import { idFrom } from './known-ids.ts';

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

test('an ambiguous prefix fails with the ids that match', () => {
  expect(find('c88')).toMatchObject({
    error: { code: 'invalid', message: 'c88 is the beginning of 2 ids: c887aa one · c88bbb three' },
  });
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
