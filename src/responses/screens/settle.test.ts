/** Idle is reported only after two equal looks, far enough apart. */
import { expect, it } from 'vitest';
import type { ScreenReading } from '../../protocol/screen.ts';
import { IDLE_SETTLE_MS, settleState } from './settle.ts';
import { dialogReading, readingOf } from './shared.ts';

const idle = readingOf('idle', { kind: 'empty' });
const typing = readingOf('idle', { kind: 'draft', text: 'h' });
const working = readingOf('working', { kind: 'empty' });
const waiting = dialogReading(['Do you want to proceed?'], {
  question: 'Do you want to proceed?',
  options: [],
  pointed: null,
  keys: 'down',
});

it.each<[string, ScreenReading | null, ScreenReading, number, string]>([
  ['the first look proves nothing', null, idle, 0, 'unknown'],
  ['just before the limit', idle, idle, IDLE_SETTLE_MS - 1, 'unknown'],
  ['at the limit', idle, idle, IDLE_SETTLE_MS, 'idle'],
  ['typing into the composer is not a change of state', idle, typing, IDLE_SETTLE_MS, 'idle'],
  ['the first idle look after work', working, idle, 60_000, 'working'],
  ['work needs no second look', idle, working, 0, 'working'],
  ['nor does a dialog', working, waiting, 0, 'waiting'],
  ['a dialog that was just closed', waiting, idle, 60_000, 'unknown'],
])('%s', (_case, previous, reading, elapsedMs, state) => {
  expect(settleState(previous, reading, elapsedMs)).toBe(state);
});
