import { expect, test } from 'vitest';
import { TEST_NOW, testClock, testView } from '../../../test/helpers/ui-fakes.ts';
import { initialAppState } from './state.ts';
import { createTicker } from './ticker.ts';

test('does not redraw for passing time while the pane is hidden, but does soon after it is shown', async () => {
  const clock = testClock();
  const view = testView({
    status: { state: 'working', since: TEST_NOW, dialog: null, writing: null },
  });
  const state = initialAppState({ columns: 80, rows: 24 });
  const seen = Promise.withResolvers<void>();
  let drawn = 0;
  const ticker = createTicker({
    clock,
    whenSeen: () => seen.promise,
    wake: () => {
      drawn += 1;
      ticker.arm(state, view);
    },
  });
  const second = async () => {
    clock.advance(1000);
    await Promise.resolve();
    await Promise.resolve();
  };
  ticker.arm(state, view);
  for (let n = 0; n < 5; n++) await second();
  expect(drawn).toBe(0);
  seen.resolve();
  await second();
  await second();
  expect(drawn).toBe(2);
  ticker.stop();
  await second();
  expect(drawn).toBe(2);
});

test.each([
  ['working', 300, [1, 2, 3, 4, 5]],
  ['idle', 300, [5, 10, 15, 20, 25]],
  ['waiting', 300, [5, 10, 15, 20, 25]],
  ['gone', 300, [5, 10, 15, 20, 25]],
  ['idle', 59_000, [60, 120, 180, 240, 300]],
  ['idle', 3_599_000, [3_600, 3_660, 3_720, 3_780, 3_840]],
  ['unknown', 300, []],
] as const)('redraws the age of an AI that is %s, after %i ms', (aiState, ageMs, ages) => {
  const clock = testClock();
  const since = TEST_NOW - ageMs;
  const view = testView({ status: { state: aiState, since, dialog: null, writing: null } });
  const state = initialAppState({ columns: 80, rows: 24 });
  const drawn: number[] = [];
  const ticker = createTicker({
    clock,
    whenSeen: undefined,
    wake: () => {
      drawn.push(Math.floor((clock.now() - since) / 1000));
      if (drawn.length < 5) ticker.arm(state, view);
    },
  });
  ticker.arm(state, view);
  for (let n = 0; n < 300; n++) clock.advance(1000);
  expect(drawn).toEqual(ages);
});
