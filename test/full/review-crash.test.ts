/** A decision killed at each of its system calls, in every way in which a file is written. */
import { describe, expect, test } from 'vitest';
import { crashAt, prepare, SCENARIOS } from '../helpers/crash-scenarios.ts';
import { canTrace, countCalls, THREADS } from '../helpers/kill-points.ts';

describe.skipIf(!canTrace())('SIGKILL at every system call of a decision (needs strace)', () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    const seen = new Set<string>();
    for (const thread of THREADS) {
      const prepared = await prepare(scenario);
      const calls = await countCalls(prepared.args, thread);
      prepared.remove();
      for (let call = 1; call <= calls; call += 1) seen.add(await crashAt(scenario, thread, call));
    }
    expect([...seen].sort()).toEqual(['new', 'old']);
  });
});
