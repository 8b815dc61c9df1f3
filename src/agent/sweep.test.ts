import { afterEach, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { ok } from '../lib/result.ts';
import { BLOB_GRACE_MS, sweepBlobs } from '../store/blob-sweep.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\n';

/** Deletes everything possible, as if a long time had passed. */
const sweep = () =>
  sweepBlobs({
    stateDir: host.home.paths.stateDir,
    now: Date.now() + 2 * BLOB_GRACE_MS,
    signal: new AbortController().signal,
  });

it('after a sweep, everything that could be read, saved or undone still can', async () => {
  host = await AgentHost.start({ 'a.md': NOTE, 'b.md': NOTE });
  const session = await host.session();
  const job = await host.proposed(session, [
    replaceLine('a.md', 1, 'ONE'),
    { file_path: 'b.md', operation: 'delete_file', new_text: '' },
    { file_path: 'c.md', operation: 'insert', start_line: 1, new_text: 'new\n' },
  ]);
  await sweep();
  await host.close();
  await host.open();
  const accepted = [...host.hunks(await host.ask('agent/job', { job_id: job.id }))];
  await host.ask('agent/apply', { session_id: session, job_id: job.id, accepted_hunk_ids: accepted });
  expect([host.disk('a.md'), host.disk('b.md'), host.disk('c.md')]).toEqual([
    NOTE.replace('one', 'ONE'),
    null,
    'new\n',
  ]);
  await sweep();
  await host.close();
  await host.open();
  const checkpoint_id = job.checkpoint_id ?? '';
  const sides = await host.ask('agent/diff3', { checkpoint_id, file_path: 'b.md' });
  expect(sides).toMatchObject({ checkpoint_base: NOTE, agent_proposed: null });
  await host.ask('agent/rollback', { checkpoint_id, mode: 'hard_all' });
  await sweep();
  await host.ask('agent/save', { session_id: session });
  expect([host.disk('a.md'), host.disk('b.md'), host.disk('c.md')]).toEqual([NOTE, NOTE, null]);
});

it('deletes what only a deleted checkpoint held', async () => {
  host = await AgentHost.start({ 'a.md': NOTE }, { max_jobs_per_session: 1 });
  const session = await host.session();
  const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
  const accepted = [...host.hunks(job)];
  await host.ask('agent/apply', { session_id: session, job_id: job.id, accepted_hunk_ids: accepted });
  // The next job replaces the first, whose proposal is deleted with it.
  await host.reached(await host.run(session, async () => ok({ edits: [], message: '' })), 'completed');
  const checkpoint_id = job.checkpoint_id ?? '';
  await sweep();
  expect(await host.ask('agent/diff3', { checkpoint_id, file_path: 'a.md' })).toMatchObject({
    checkpoint_base: NOTE,
  });
  await host.ask('agent/forget-checkpoint', { checkpoint_id });
  expect((await sweep()).kept).toBe(0);
});
