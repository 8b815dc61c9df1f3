import { expect, test } from 'vitest';
import { runAtOnce } from '../../lib/steps.ts';
import { hardPatternIn } from '../vcs/obstacles.ts';

test.each([
  ['*a*a*a*a*b'],
  ['dir/*a*a*a*a*b/x'],
  ['!*a*a*a*a*b'],
  ['*[a]*[a]*[a]*[a]*[b]'],
  ['*\\a*\\a*\\a*\\a*b'],
  ['*?*?*?*?*?b'],
  ['**a**a**a**a**b'],
  ['**/a/**/a/**/a/**/b'],
  ['*a*a*a*a*b text eol=lf'],
])('%s is hard', (pattern) => {
  expect(runAtOnce(hardPatternIn(`node_modules/\n*.log\n${pattern}\r\nx\n`))).toBe(pattern);
});

test.each([
  ['report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json'],
  ['**/node_modules/**/*.d.ts'],
  ['*********************'],
  ['# * * * * * * * a title'],
  ['a*/b*/c*/d*/e*/f*'],
  ['\\*\\*\\*a\\*b\\*c'],
  ['[*][*][*][*][*]'],
  [''],
])('%s is not', (pattern) => {
  expect(runAtOnce(hardPatternIn(pattern))).toBeNull();
});
