import { describe, expect, it } from 'vitest';
import { rowPlainText, rowWidth } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { type HeaderFacts, paneName, planHeader } from './chrome.ts';

const FACTS: HeaderFacts = {
  active: 'responses',
  suggestions: 2,
  changedFiles: 0,
  openToAll: false,
  progress: null,
  pane: { name: 'claude', about: '', state: 'idle', ageMs: null, othersWaiting: false },
};
const theme = createTheme({ depth: 'none', background: 'dark', plain: false, ascii: true });

const header = (columns: number, change: Partial<HeaderFacts>) =>
  rowPlainText(planHeader({ ...FACTS, ...change }, columns, theme));

describe.each([40, 80, 160])('the header at %i columns', (columns) => {
  it('warns for as long as the port needs no token', () => {
    const row = planHeader({ ...FACTS, openToAll: true }, columns, theme);
    expect(rowPlainText(row)).toContain('auth: none');
    expect(rowWidth(row)).toBeLessThanOrEqual(columns);
    expect(header(columns, {})).not.toContain('auth: none');
  });

  it('gives a message of an AI only the remaining room', () => {
    const progress = 'Running the tests of the parser, then those of the printer 漢字漢字漢字漢字漢字漢字';
    const row = planHeader({ ...FACTS, progress }, columns, theme);
    expect(rowWidth(row)).toBeLessThanOrEqual(columns);
    expect(rowPlainText(row)).toContain('claude');
    expect(rowPlainText(row)).toContain('Running');
    // Even beside the warning: tab titles give way first.
    const warned = header(columns, { progress, openToAll: true });
    expect([warned.includes('auth: none'), warned.includes('Running')]).toEqual([true, columns >= 80]);
  });

  it('sanitizes messages of an AI', () => {
    expect(header(columns, { progress: 'a\u001b[2Jb\nc' })).not.toMatch(/[\u001b\n]/);
  });
});

it.each([
  [80, ' copane  1 Responses  2 Review'],
  [62, ' 1 Responses  2 Review *2  3 Agent  4 Shell'],
  [40, ' 1 Responses 2*2 3 4'],
])('at %i columns drops its own name before the tab titles', (columns, start) => {
  expect(header(columns, {}).startsWith(start)).toBe(true);
});

it.each([40, 44])('at %i columns the state has priority over every name of ours', (columns) => {
  const pane = { name: 'claude', about: '', state: 'waiting', ageMs: 18_000, othersWaiting: false } as const;
  expect(header(columns, { pane })).toContain('waiting for you');
  expect(header(columns, { pane: { ...pane, state: 'gone' } })).toContain('has ended');
});

it.each([
  [40, 'claude * waiting for you'],
  [44, 'claude api 1.0 * waiting for you'],
  [160, 'claude api 1.0 * waiting for you 18s'],
])('at %i columns says which of several panes it is if there is room', (columns, shown) => {
  const pane = {
    name: 'claude',
    about: 'api 1.0',
    state: 'waiting',
    ageMs: 18_000,
    othersWaiting: false,
  } as const;
  expect(header(columns, { pane }).trimEnd()).toMatch(new RegExp(`${shown.replace(/[.*]/g, '\\$&')}$`));
});

it('shows the age of a state, except of an unknown one', () => {
  const shown = (state: 'idle' | 'unknown') =>
    header(120, {
      pane: { name: paneName('generic'), about: '', state, ageMs: 12_000, othersWaiting: false },
    }).trimEnd();
  expect(shown('idle')).toMatch(/AI pane \* idle 12s$/);
  expect(shown('unknown')).toMatch(/AI pane \* state unknown$/);
});

it('says the same in words for a screen reader', () => {
  const plain = createTheme({ depth: 'none', background: 'dark', plain: true, ascii: true });
  const row = planHeader({ ...FACTS, openToAll: true, progress: 'Testing' }, 80, plain);
  expect(rowPlainText(row)).toBe(
    'copane, Responses. claude is idle. Every program on this machine may decide. An AI says: Testing',
  );
  const pane = {
    name: paneName('generic'),
    about: '',
    state: 'unknown',
    ageMs: null,
    othersWaiting: false,
  } as const;
  expect(rowPlainText(planHeader({ ...FACTS, pane }, 80, plain))).toBe(
    'copane, Responses. AI pane, state unknown',
  );
});
