import { expect, it } from 'vitest';
import { testEntry, testTurn } from '../../../test/helpers/ui-fakes.ts';
import { arrivedIn, DELIVERIES_SHOWN, withDelivery } from './pane-prompts.ts';

const NOW = 1_000_000;

function sent(
  id: string,
  text: string,
  createdAt: number,
  state: 'queued' | 'delivered' | 'unconfirmed' | 'staged' = 'queued',
) {
  return testEntry(state, { id, text, createdAt, updatedAt: createdAt });
}

function turn(id: string, prompt: string, startedAt: number | null) {
  return testTurn(id, { prompt, startedAt });
}

it('records a held prompt as delivered once the session file has it', () => {
  const deliveries = [sent('b', 'next', NOW), sent('a', 'go on', NOW - 60_000)];
  expect(arrivedIn([turn('t', 'go on', NOW - 30_000)], deliveries)).toEqual(['a']);
  expect(arrivedIn([turn('u', 'next', null), turn('t', 'go on', NOW)], deliveries)).toEqual(['a', 'b']);
});

it('records a prompt in the composer as delivered after Enter was pressed there', () => {
  expect(arrivedIn([turn('t', 'go on', NOW)], [sent('a', 'go on', NOW, 'staged')])).toEqual(['a']);
});

it('confirms one prompt per turn, and none by an older turn', () => {
  const twice = [sent('second', 'go on', NOW), sent('first', 'go on', NOW - 60_000)];
  expect(arrivedIn([turn('t', 'go on', NOW + 1)], twice)).toEqual(['first']);
  expect(arrivedIn([turn('t', 'go on', NOW - 300_000)], twice)).toEqual([]);
  const clockSetBack = [sent('second', 'go on', NOW - 60_000), sent('first', 'go on', NOW)];
  expect(arrivedIn([turn('t', 'go on', NOW + 1)], clockSetBack)).toEqual(['first']);
});

it('does not match a part of a prompt', () => {
  expect(arrivedIn([turn('t', 'go', NOW)], [sent('a', 'go on', NOW)])).toEqual([]);
  expect(arrivedIn([turn('t', 'go on', NOW)], [sent('a', 'go on', NOW, 'delivered')])).toEqual([]);
});

it('keeps records in the order of arrival, whatever their clocks say', () => {
  const recorded = (id: string, at: number) => testEntry('recorded', { id, createdAt: at, updatedAt: at });
  const ids = (entries: ReturnType<typeof withDelivery>) => entries.map(({ id }) => id);
  const two = withDelivery([recorded('a', NOW)], recorded('b', NOW - 60_000));
  expect(ids(two)).toEqual(['b', 'a']);
  expect(withDelivery(two, sent('a', 'x', NOW, 'delivered')).map(({ state }) => state)).toEqual([
    'recorded',
    'delivered',
  ]);
  const full = Array.from({ length: DELIVERIES_SHOWN }, (_, at) => recorded(`f${at}`, NOW));
  expect(withDelivery(full, sent('older', 'x', NOW - 1, 'delivered'))).toBe(full);
  expect(ids(withDelivery(full, recorded('new', NOW)))).toEqual(['new', ...ids(full).slice(0, -1)]);
});
