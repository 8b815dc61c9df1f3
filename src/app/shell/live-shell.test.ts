import { describe, expect, it } from 'vitest';
import { testCompletion } from '../../../test/helpers/shell-fakes.ts';
import { testClock } from '../../../test/helpers/ui-fakes.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import { LiveShell } from './live-shell.ts';

function create(answer: () => Result<unknown>) {
  const asked: string[] = [];
  const timers = testClock();
  const client = {
    request: (command: string, params: unknown) => {
      asked.push(`${command} ${JSON.stringify(params)}`);
      return Promise.resolve(answer());
    },
  } as unknown as Client;
  const shell = new LiveShell({ client, timers });
  let changes = 0;
  shell.subscribe(() => {
    changes += 1;
  });
  return { shell, timers, asked, changes: () => changes };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('LiveShell', () => {
  it('asks once a second while shown, and reports only changes', async () => {
    let requests = 1;
    const test = create(() => ok({ state: 'running', status: testCompletion({ requests }) }));
    test.shell.watch(true);
    await settle();
    for (let second = 0; second < 3; second += 1) {
      test.timers.advance(1_000);
      await settle();
    }
    expect(test.asked).toHaveLength(4);
    expect(test.changes()).toBe(1);
    requests = 2;
    test.timers.advance(1_000);
    await settle();
    expect(test.changes()).toBe(2);
    test.shell.watch(false);
    test.timers.advance(60_000);
    await settle();
    expect(test.asked).toHaveLength(5);
  });

  it('keeps its last state and reports a problem when the leader does not answer', async () => {
    let answer: Result<unknown> = ok({ state: 'running', status: testCompletion() });
    const test = create(() => answer);
    test.shell.watch(true);
    await settle();
    answer = fail('refused', 'leader suspended (pid 1)');
    test.timers.advance(1_000);
    await settle();
    expect(test.shell.getSnapshot()).toMatchObject({
      shell: { state: 'running' },
      problem: { message: 'leader suspended (pid 1)' },
    });
  });

  it('goes private and forgets through the leader, and shows the result at once', async () => {
    const test = create(() => ok({ state: 'running', status: testCompletion({ isPrivate: true }) }));
    expect(await test.shell.setPrivate(true)).toEqual(ok(undefined));
    expect(await test.shell.forget('git st')).toEqual(ok(undefined));
    expect(test.asked).toEqual(['shell/private {"on":true}', 'shell/forget {"line":"git st"}']);
    expect(test.shell.getSnapshot().shell).toMatchObject({ status: { isPrivate: true } });
  });
});
