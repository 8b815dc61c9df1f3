/** Each system call by which something is written fails once, in all that people do: nothing is lost, and it is told in words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FaultProcess } from '../helpers/fault-process.ts';
import { FAULT_SCENARIOS } from '../helpers/fault-scenarios.ts';
import { canTrace } from '../helpers/kill-points.ts';

describe.skipIf(!canTrace())('a full disk, a broken one, too many files, no locks (needs strace)', () => {
  let running: FaultProcess;
  beforeAll(async () => {
    running = await FaultProcess.start();
  });
  afterAll(() => running.stop());

  test.each(Object.keys(FAULT_SCENARIOS))('%s', async (scenario) => {
    const injections = await running.injections(scenario);
    const lost: string[] = [];
    let missed = 0;
    for (const injection of injections) {
      const tried = await running.tryWith(scenario, injection);
      if (tried.kind === 'missed') missed += 1;
      if (tried.kind === 'lost') lost.push(`${JSON.stringify(injection)}\n  ${tried.fault}`);
      if (tried.kind !== 'survived') running = await FaultProcess.restart(running);
    }
    const count = injections.length - missed;
    console.log(`${scenario}: ${count - lost.length} survived of ${count} tried, ${missed} missed`);
    expect(lost.join('\n')).toBe('');
    expect(count).toBeGreaterThan(5);
    expect(missed).toBeLessThan(injections.length / 4);
  });
});
