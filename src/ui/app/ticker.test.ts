import { expect, test } from 'vitest';
import { TEST_NOW, testClock, testView } from '../../../test/helpers/ui-fakes.ts';
import { initialAppState } from './state.ts';
import { createTicker } from './ticker.ts';

test('does not redraw for passing time while the pane is hidden, but does soon after it is shown', async () => {
  const clock = testClock();
  const view = testView({
    status: { state: 'working', since: TEST_NOW, dialog: null, queued: false, writing: null },
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
