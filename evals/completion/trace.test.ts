import { expect, it } from 'vitest';
import { lastOf, type UserTrace } from './trace.ts';

const commands = ['a', 'b', 'c'].map((line, at) => ({ line, cwd: '', at, exit: null }));

it.each([
  [undefined, '', 'abc'],
  ['1', 'ab', 'c'],
  ['3', '', 'abc'],
  ['4', '', 'abc'],
  ['5', '', 'abc'],
])('the last %s commands of a history', (count, before, last) => {
  const linesOf = (list: UserTrace['before']) => list?.map(({ line }) => line).join('');
  const cut = lastOf({ user: '', commands }, count, true);
  expect([linesOf(cut.before), linesOf(cut.commands)]).toEqual([before, last]);
  expect(lastOf({ user: '', commands }, count, false)).toEqual({
    user: '',
    commands: cut.commands,
    before: [],
  });
});
