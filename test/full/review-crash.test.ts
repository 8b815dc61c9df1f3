/** A decision, a batch and an undo, killed at each of their system calls, for every way of writing a file. */
import { describe, expect, test } from 'vitest';
import { crashAt, prepare, SCENARIOS } from '../helpers/crash-scenarios.ts';
import { canTrace, countCalls, THREADS } from '../helpers/kill-points.ts';

/** Each call takes a process and strace. */
const SCENARIO_MAX_MS = 1_800_000;

describe.skipIf(!canTrace())('SIGKILL at every system call of a decision (needs strace)', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const seen = new Set<string>();
      const lost: string[] = [];
      let tried = 0;
      for (const thread of THREADS) {
        const prepared = await prepare(scenario);
        const calls = await countCalls(prepared.args, thread);
        prepared.remove();
        for (let call = 1; call <= calls; call += 1) {
          tried += 1;
          try {
            seen.add(await crashAt(scenario, thread, call));
          } catch (thrown) {
            lost.push(`${thread} ${call}: ${String(thrown)}`);
          }
        }
      }
      console.log(`${scenario.name}: ${tried - lost.length} survived of ${tried} tried`);
      expect(lost).toEqual([]);
      expect([...seen]).toEqual(expect.arrayContaining(['new', 'old']));
    },
    SCENARIO_MAX_MS,
  );
});
