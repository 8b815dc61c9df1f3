import { expect, test } from 'vitest';
import { testTurn } from '../../../test/helpers/ui-fakes.ts';
import type { TurnFigures } from '../../protocol/commands/changes.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { type ListFacts, planList } from './list-view.ts';

const theme = createTheme({ depth: 'none', background: 'dark', plain: false, ascii: true });

function shown(columns: number, figures: TurnFigures | null, more: Partial<ListFacts> = {}): string {
  const facts: ListFacts = {
    turns: [testTurn('one')],
    ai: 'idle',
    selected: 0,
    top: 0,
    isFocused: true,
    now: 0,
    linesOf: () => 3,
    changesOf: () => figures,
    deliveryOf: () => null,
    ...more,
  };
  const [row = []] = planList(facts, columns, 1, theme);
  return row.map(({ text }) => text).join('');
}

const FIGURES = { turn: 'one', files: 2, added: 12, removed: 3, gap: null };

test.each([40, 50, 80, 160])('shows what a turn changed at %d columns', (columns) => {
  expect(shown(columns, FIGURES)).toContain('2 files +12 -3');
});

test('replaces the line count with the changes, and shows it if there are none', () => {
  expect(shown(40, FIGURES)).not.toContain('3 lines');
  expect(shown(40, null)).toContain('3 lines');
  expect(shown(80, FIGURES)).toContain('3 lines');
});

test.each([
  ['working', 'streaming'],
  ['unknown', 'streaming'],
  ['waiting', 'waiting'],
  ['suspended', 'suspended'],
  ['gone', 'interrupted'],
  ['idle', ''],
] as const)('an open turn of an AI that is %s: %j', (ai, word) => {
  const turns = [testTurn('one', { progress: 'streaming' })];
  const words = /one(.*?) {2,}transcript/.exec(shown(80, null, { ai, turns }))?.[1];
  expect(words?.trim()).toBe(word);
});
