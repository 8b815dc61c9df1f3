/** Saves and jobs whose process is killed at every system call: each happens completely, or not at all. */
import { linkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../helpers/agent-host.ts';
import { inFull } from '../../helpers/full-run.ts';
import { canTrace, countCalls, killAt, THREADS, type Thread } from '../../helpers/kill-points.ts';
import { testProgram } from '../../helpers/product.ts';
import { until } from '../../helpers/until.ts';

const CHILD = testProgram('agent-child');
const LONG = Array.from(
  { length: 400 },
  (_, i) => `line ${i} of a file that is more than one page long\n`,
).join('');
const BEFORE: Readonly<Record<string, string | null>> = {
  'a.md': LONG,
  'linked.md': LONG,
  'gone.md': 'x\n',
  'old.md': 'moved\n',
  'sub/new.md': null,
  'made/a.md': null,
};
const AFTER: typeof BEFORE = {
  'a.md': LONG.replace('line 7 ', 'LINE seven '),
  'linked.md': LONG.replace('line 9 ', 'LINE nine '),
  'gone.md': null,
  'old.md': null,
  'sub/new.md': 'moved\n',
  'made/a.md': 'made\n',
};

/** A session with everything accepted and nothing saved; its host is closed. */
async function prepared(): Promise<{
  readonly host: AgentHost;
  readonly session: string;
  readonly job: string;
}> {
  const files = Object.entries(BEFORE).flatMap(([name, text]) =>
    text === null ? [] : [[name, text] as const],
  );
  const host = await AgentHost.start(Object.fromEntries(files));
  linkSync(path.join(host.root, 'linked.md'), path.join(host.home.home, 'second-name'));
  const session = await host.session();
  const job = await host.proposed(session, [
    replaceLine('a.md', 8, 'LINE seven of a file that is more than one page long'),
    replaceLine('linked.md', 10, 'LINE nine of a file that is more than one page long'),
    { file_path: 'gone.md', operation: 'delete_file', new_text: '' },
    { file_path: 'old.md', operation: 'rename_file', new_path: 'sub/new.md', new_text: '' },
    { file_path: 'made/a.md', operation: 'insert', start_line: 1, new_text: 'made\n' },
  ]);
  const suggestion = job.diff_bundle?.suggestion_id ?? '';
  await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
  await host.close();
  return { host, session, job: job.id };
}

const disk = (host: AgentHost) =>
  Object.fromEntries(Object.keys(BEFORE).map((name) => [name, host.disk(name)]));

async function crashAt(thread: Thread, call: number): Promise<'before' | 'after'> {
  const { host, session, job } = await prepared();
  try {
    await killAt([CHILD, host.home.home, session, 'save'], thread, call);
    await host.open();
    await host.ask('agent/working', { session_id: session });
    const found = disk(host);
    const isAfter = JSON.stringify(found) === JSON.stringify(AFTER);
    if (!isAfter) expect(found).toEqual(BEFORE);
    expect((await host.ask('agent/save', { session_id: session })).status).toBe('completed');
    expect(disk(host)).toEqual(AFTER);
    await host.reached(job, 'completed');
    return isAfter ? 'after' : 'before';
  } finally {
    await host.stop();
  }
}

/** A sample of that many calls, including the first and the last. */
function spread(count: number, most: number): number[] {
  const wanted = Math.min(count, most);
  return Array.from(
    { length: wanted },
    (_, i) => 1 + Math.round((i * (count - 1)) / Math.max(1, wanted - 1)),
  );
}

it.skipIf(!canTrace())('is complete or has not happened', { timeout: 400_000 }, async () => {
  const ends = new Set<string>();
  for (const thread of THREADS) {
    const { host, session } = await prepared();
    const calls = await countCalls([CHILD, host.home.home, session, 'save'], thread);
    await host.stop();
    expect(calls).toBeGreaterThan(10);
    for (const call of spread(calls, Number(process.env.AGENT_KILLS ?? inFull(3, 5))))
      ends.add(await crashAt(thread, call));
  }
  expect([...ends].sort()).toEqual(['after', 'before']);
});

async function runAt(call: number): Promise<string> {
  const host = await AgentHost.start({ 'a.md': LONG });
  try {
    const session = await host.session();
    await host.close();
    await killAt([CHILD, host.home.home, session, 'run'], 'main', call);
    await host.open();
    const jobs = await host.ask('agent/jobs', { session_id: session });
    // The child may not even have begun; a loop without a script now runs a queued job.
    const [job] = jobs;
    if (job === undefined) return 'none';
    const over = await until('the job is told of', async () => {
      const now = await host.ask('agent/job', { job_id: job.id });
      return now.status === 'failed' || now.status === 'awaiting_review' ? now : undefined;
    });
    const text = await host.working(session, 'a.md');
    expect(host.disk('a.md')).toBe(LONG);
    expect(text).toBe(over.status === 'failed' ? LONG : 'proposed\n');
    const waiting = await host.ask('review/list', {});
    expect(waiting.length).toBe(over.status === 'failed' ? 0 : 1);
    if (over.status === 'awaiting_review') {
      const wanted = { session_id: session, job_id: over.id, accepted_hunk_ids: [...host.hunks(over)] };
      expect((await host.ask('agent/apply', wanted)).status).toBe('completed');
      expect(host.disk('a.md')).toBe('proposed\n');
    } else {
      const again = await host.proposed(session, [replaceLine('a.md', 1, 'again')]);
      expect(again.status).toBe('awaiting_review');
    }
    return over.status;
  } finally {
    await host.stop();
  }
}

it.skipIf(!canTrace())('a job proposes all or nothing', { timeout: 400_000 }, async () => {
  const host = await AgentHost.start({ 'a.md': LONG });
  const session = await host.session();
  await host.close();
  const calls = await countCalls([CHILD, host.home.home, session, 'run'], 'main');
  await host.stop();
  const ends = new Set<string>();
  for (const call of spread(calls, 2 * Number(process.env.AGENT_KILLS ?? inFull(3, 5))))
    ends.add(await runAt(call));
  expect(ends.has('failed')).toBe(true);
});
