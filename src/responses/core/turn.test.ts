import { expect, it } from 'vitest';
import { testTurn } from '../../../test/helpers/ui-fakes.ts';
import { turnTitle } from './turn.ts';

it.each([
  ['Fix it.\nNow.', 'Fix it.'],
  ['\n  \n  Fix it.', 'Fix it.'],
  ['> Answer 1\nWhy this?', 'Why this?'],
  ['> Answer 1\n> and its end\n\nWhy this?\n\n> Answer 2\nAnd this?', 'Why this?'],
  ['> only a quote', '> only a quote'],
  ['>not a quote\nand more', '>not a quote'],
  ['/compact', '/compact'],
  ['', ''],
  [' \n\n', ''],
])('the title of %j is %j', (prompt, title) => {
  expect(turnTitle(testTurn('t', { prompt }))).toBe(title);
});

it('names a plan by its heading', () => {
  expect(turnTitle(testTurn('t', { kind: 'plan', prompt: 'p', response: '## Plan\n> why' }))).toBe('Plan');
});
