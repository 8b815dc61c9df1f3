/** A decision killed at a sample of system calls; `test/full` has every call of every scenario. */
import { describe, expect, test } from 'vitest';
import { crashAt, prepare, SCENARIOS } from '../../helpers/crash-scenarios.ts';
import { inFull } from '../../helpers/full-run.ts';
import { canTrace, countCalls, THREADS } from '../../helpers/kill-points.ts';

/** Points of each thread, evenly spread, including the first and the last. */
const POINTS = inFull(3, 4);

describe.skipIf(!canTrace())('SIGKILL during a decision (needs strace)', () => {
  test.each(SCENARIOS.slice(0, 3).map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_, scenario) => {
      for (const thread of THREADS) {
        const prepared = await prepare(scenario);
        const calls = await countCalls(prepared.args, thread);
        prepared.remove();
        expect(calls).toBeGreaterThan(POINTS);
        for (let i = 0; i < POINTS; i += 1) {
          await crashAt(scenario, thread, 1 + Math.round((i * (calls - 1)) / (POINTS - 1)));
        }
      }
    },
  );
});
