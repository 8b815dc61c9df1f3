import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../../test/helpers/agent-host.ts';
import { until } from '../../../test/helpers/until.ts';
import { ok } from '../../lib/result.ts';
import type { AgentJob } from '../../protocol/agent.ts';
import { reversePatch } from './checkpoints.ts';

let host: AgentHost;
let session = '';
afterEach(() => host.stop());

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const NOTE = `${LINES.join('\n')}\n`;
const withLines = (changed: Readonly<Record<number, string>>) =>
  LINES.map((line, i) => `${changed[i + 1] ?? line}\n`).join('');

async function begin(files: Readonly<Record<string, string>> = { 'a.md': NOTE, 'b.md': NOTE }) {
  host = await AgentHost.start(files);
  session = await host.session();
}

const applyAll = (job: AgentJob) =>
  host.ask('agent/apply', { session_id: session, job_id: job.id, accepted_hunk_ids: [...host.hunks(job)] });
const rollback = (
  job: AgentJob,
  mode: 'hard_all' | 'scoped_selected',
  hunks: readonly string[] = [],
  preview = false,
) =>
  host.ask('agent/rollback', { checkpoint_id: job.checkpoint_id ?? '', mode, hunk_ids: [...hunks], preview });
const save = () => host.ask('agent/save', { session_id: session });
const undo = (checkpoint: string | null) =>
  host.ask('agent/rollback', { checkpoint_id: checkpoint ?? '', mode: 'hard_all' });

describe('a checkpoint', () => {
  it('has the files before the run, its hunks, and how to undo each', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO\nmore')]);
    const checkpoint = await host.ask('agent/checkpoint', { checkpoint_id: job.checkpoint_id ?? '' });
    const [file] = checkpoint.affected_files;
    expect(checkpoint).toMatchObject({ session_id: session, job_id: job.id, kind: 'run' });
    expect(file).toMatchObject({ file_path: 'a.md', base_snapshot_hash: expect.stringMatching(/^sha256:/) });
    expect(file?.hunks[0]?.hunk_id).toBe(host.hunks(job)[0]);
    expect(file?.hunks[0]?.reverse_patch).toContain('-TWO\n-more\n+two\n');
    expect((await host.ask('agent/checkpoints', { session_id: session })).length).toBe(1);
  });

  it('is listed by session and by folder, even after the session is deleted', async () => {
    host = await AgentHost.start({ 'a.md': NOTE }, { max_sessions: 1 });
    session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
    await applyAll(job);
    // The first is archived to make room for the second, and deleted with the third.
    const second = await host.session();
    await host.reached(await host.run(second, async () => ok({ edits: [], message: '' })), 'completed');
    await host.session();
    expect(await host.refused('agent/session', { session_id: session })).toMatchObject({ code: 'not_found' });
    const listed = async (by: { session_id?: string; root?: string }) =>
      (await host.ask('agent/checkpoints', by)).map((one) => one.checkpoint_id);
    expect(await listed({ root: host.root })).toEqual([job.checkpoint_id]);
    expect(await listed({ session_id: session })).toEqual([job.checkpoint_id]);
    expect(await listed({ root: host.home.home })).toEqual([]);
    expect((await undo(job.checkpoint_id)).status).toBe('completed');
  });

  it('shows three texts and the result of merging them', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await applyAll(job);
    host.put('a.md', withLines({ 2: 'my two', 8: 'EIGHT' }));
    const view = { checkpoint_id: job.checkpoint_id ?? '', file_path: 'a.md' };
    await save();
    const sides = await host.ask('agent/diff3', view);
    expect(sides.checkpoint_base).toBe(NOTE);
    expect(sides.agent_proposed).toBe(withLines({ 2: 'TWO' }));
    expect(sides.current_file).toBe(withLines({ 2: 'my two', 8: 'EIGHT' }));
    expect(sides.conflicts).toBe(1);
    expect(await host.refused('agent/diff3', { ...view, file_path: 'other.md' })).toMatchObject({
      code: 'not_found',
    });
  });

  it('can be deleted by hand', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await host.ask('agent/forget-checkpoint', { checkpoint_id: job.checkpoint_id ?? '' });
    expect(await host.refused('agent/checkpoint', { checkpoint_id: job.checkpoint_id ?? '' })).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a hard rollback', () => {
  it('is previewed first; then the working text is restored, the disk with the next save; and it can be undone', async () => {
    await begin();
    const job = await host.proposed(session, [
      replaceLine('a.md', 2, 'TWO'),
      replaceLine('b.md', 3, 'THREE'),
    ]);
    await applyAll(job);
    const preview = await rollback(job, 'hard_all', [], true);
    expect(preview).toMatchObject({ status: 'preview', conflicts: [], undo_checkpoint_id: null });
    expect(preview.files.map((file) => file.file_path).sort()).toEqual(['a.md', 'b.md']);
    expect(preview.files[0]?.diff).toContain('-TWO\n+two\n');
    expect(await host.working(session, 'a.md')).toBe(withLines({ 2: 'TWO' }));
    const done = await rollback(job, 'hard_all');
    expect(done.status).toBe('completed');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO' }));
    expect((await host.ask('agent/job', { job_id: job.id })).status).toBe('awaiting_review');
    await save();
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([NOTE, NOTE]);
    await host.reached(job.id, 'completed');
    const undone = await undo(done.undo_checkpoint_id);
    expect(undone.status).toBe('completed');
    await save();
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([
      withLines({ 2: 'TWO' }),
      withLines({ 3: 'THREE' }),
    ]);
    // And the undo can be undone.
    await undo(undone.undo_checkpoint_id);
    expect(await host.working(session, 'a.md')).toBe(NOTE);
    const types = (await host.events(job.id)).map((event) => event.type);
    expect(types).toContain('checkpoint.rollback.started');
    expect(types).toContain('checkpoint.rollback.completed');
  });

  it('also undoes later edits of its files, by the user and later runs, but not in other files', async () => {
    await begin({ 'a.md': NOTE, 'b.md': NOTE, 'c.md': NOTE });
    const first = await host.proposed(session, [
      replaceLine('a.md', 2, 'TWO'),
      replaceLine('b.md', 2, 'TWO'),
    ]);
    await applyAll(first);
    host.put('a.md', withLines({ 2: 'TWO', 5: 'my five' }));
    const second = await host.proposed(session, [
      replaceLine('a.md', 8, 'EIGHT'),
      replaceLine('c.md', 1, 'ONE'),
    ]);
    await applyAll(second);
    const before = host.disk('a.md');
    expect(before).toBe(withLines({ 2: 'TWO', 5: 'my five', 8: 'EIGHT' }));
    const preview = await rollback(first, 'hard_all', [], true);
    expect(preview.later_hunks).toBe(2);
    const done = await rollback(first, 'hard_all');
    await save();
    expect([host.disk('a.md'), host.disk('b.md'), host.disk('c.md')]).toEqual([
      NOTE,
      NOTE,
      withLines({ 1: 'ONE' }),
    ]);
    await undo(done.undo_checkpoint_id);
    await save();
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([before, withLines({ 2: 'TWO' })]);
  });

  it('restores deleted and moved files, and removes new ones', async () => {
    await begin({ 'gone.md': NOTE, 'old.md': NOTE });
    const job = await host.proposed(session, [
      { file_path: 'gone.md', operation: 'delete_file', new_text: '' },
      { file_path: 'old.md', operation: 'rename_file', new_path: 'new.md', new_text: '' },
      { file_path: 'made.md', operation: 'insert', start_line: 1, new_text: 'made\n' },
    ]);
    await applyAll(job);
    expect([host.disk('gone.md'), host.disk('old.md'), host.disk('new.md'), host.disk('made.md')]).toEqual([
      null,
      null,
      NOTE,
      'made\n',
    ]);
    const done = await rollback(job, 'hard_all');
    await save();
    expect([host.disk('gone.md'), host.disk('old.md'), host.disk('new.md'), host.disk('made.md')]).toEqual([
      NOTE,
      NOTE,
      null,
      null,
    ]);
    await undo(done.undo_checkpoint_id);
    await save();
    expect([host.disk('gone.md'), host.disk('old.md'), host.disk('new.md'), host.disk('made.md')]).toEqual([
      null,
      null,
      NOTE,
      'made\n',
    ]);
  });

  it('of an undecided or rejected run, or a repeated one, changes no file unnecessarily', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await rollback(job, 'hard_all');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
    expect((await rollback(job, 'hard_all')).status).toBe('unchanged');
    expect(host.disk('a.md')).toBe(NOTE);
  });

  it('stops at a file that changed on disk while part of it is unsaved', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    host.put('a.md', withLines({ 7: 'mine' }));
    const done = await rollback(job, 'hard_all');
    expect(done).toMatchObject({ status: 'conflict', conflicts: [{ file_path: 'a.md' }] });
    expect(host.disk('a.md')).toBe(withLines({ 7: 'mine' }));
    expect((await host.events(job.id)).map((event) => event.type)).toContain('checkpoint.rollback.failed');
  });

  it('works after a restart', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    await applyAll(job);
    await host.close();
    await host.open();
    const done = await rollback(job, 'hard_all');
    await host.close();
    await host.open();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO' }));
    await save();
    expect(host.disk('a.md')).toBe(NOTE);
    await undo(done.undo_checkpoint_id);
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO' }));
  });
});

describe('a scoped rollback', () => {
  it('undoes the named hunks and keeps newer edits in other places', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await applyAll(job);
    host.put('a.md', withLines({ 2: 'TWO', 4: 'my four', 6: 'SIX' }));
    const [first = ''] = host.hunks(job);
    const done = await rollback(job, 'scoped_selected', [first]);
    expect(done.status).toBe('completed');
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 4: 'my four', 6: 'SIX' }));
    await undo(done.undo_checkpoint_id);
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO', 4: 'my four', 6: 'SIX' }));
  });

  it('is a conflict if newer edits are on the same lines; nothing happens', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await applyAll(job);
    host.put('a.md', withLines({ 2: 'TWO and mine', 6: 'SIX' }));
    const [first = '', second = ''] = host.hunks(job);
    const both = await rollback(job, 'scoped_selected', [first, second]);
    expect(both).toMatchObject({
      status: 'conflict',
      // No text is shown for it: the result of the decisions alone lacks the user's edit.
      files: [],
      conflicts: [{ file_path: 'a.md', hunk_id: first, reason: 'you have edited its lines since.' }],
    });
    expect(await host.working(session, 'a.md')).toBe(withLines({ 2: 'TWO and mine', 6: 'SIX' }));
    expect((await rollback(job, 'scoped_selected', [second])).status).toBe('completed');
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO and mine' }));
  });

  it('has nothing to do if the user has removed the hunks by hand, and leaves their other edits', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await applyAll(job);
    host.put('a.md', withLines({ 4: 'my four', 6: 'SIX' }));
    const [first = '', second = ''] = host.hunks(job);
    expect((await rollback(job, 'scoped_selected', [first])).status).toBe('unchanged');
    expect((await rollback(job, 'scoped_selected', [first, second])).status).toBe('completed');
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 4: 'my four' }));
  });

  it('of one file of a run over many; then hard, of the rest', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}.md`);
    await begin(Object.fromEntries(names.map((name) => [name, NOTE])));
    const job = await host.proposed(
      session,
      names.map((name) => replaceLine(name, 1, '# Heading')),
    );
    await applyAll(job);
    const one =
      job.diff_bundle?.files.find((file) => file.file_path === 'n07.md')?.hunks.map((hunk) => hunk.hunk_id) ??
      [];
    await rollback(job, 'scoped_selected', one);
    await save();
    expect(names.filter((name) => host.disk(name) === NOTE)).toEqual(['n07.md']);
    await rollback(job, 'hard_all');
    await save();
    expect(names.every((name) => host.disk(name) === NOTE)).toBe(true);
  });

  it('names its hunks', async () => {
    await begin();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    const wanted = { checkpoint_id: job.checkpoint_id ?? '', mode: 'scoped_selected' as const };
    expect(await host.refused('agent/rollback', wanted)).toMatchObject({ code: 'invalid' });
    expect(await host.refused('agent/rollback', { ...wanted, hunk_ids: ['no'] })).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('after the job and its change log are deleted', () => {
  async function forgotten() {
    host = await AgentHost.start({ 'a.md': NOTE }, { completed_ttl_hours: 0 });
    session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await applyAll(job);
    await host.reached(job.id, 'completed');
    host.put('a.md', withLines({ 2: 'TWO', 4: 'my four', 6: 'SIX' }));
    await until('the job is forgotten', async () => {
      await host.ask('agent/create', { root: host.root });
      return !(await host.client.request('agent/job', { job_id: job.id })).ok;
    });
    return job;
  }

  it('single hunks are still undone, and newer edits stay', async () => {
    const job = await forgotten();
    const [first = ''] = host.hunks(job);
    const done = await rollback(job, 'scoped_selected', [first]);
    expect(done).toMatchObject({ status: 'completed', conflicts: [] });
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 4: 'my four', 6: 'SIX' }));
    await undo(done.undo_checkpoint_id);
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO', 4: 'my four', 6: 'SIX' }));
  });

  it('a newer edit on the same lines is a conflict', async () => {
    const job = await forgotten();
    host.put('a.md', withLines({ 2: 'TWO of mine', 6: 'SIX' }));
    const [first = ''] = host.hunks(job);
    const done = await rollback(job, 'scoped_selected', [first]);
    expect(done).toMatchObject({ status: 'conflict', conflicts: [{ file_path: 'a.md', hunk_id: first }] });
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO of mine', 6: 'SIX' }));
  });

  it('a whole run is undone', async () => {
    const job = await forgotten();
    const done = await rollback(job, 'hard_all');
    expect(done.status).toBe('completed');
    await save();
    expect(host.disk('a.md')).toBe(NOTE);
    await undo(done.undo_checkpoint_id);
    await save();
    expect(host.disk('a.md')).toBe(withLines({ 2: 'TWO', 4: 'my four', 6: 'SIX' }));
  });
});

describe('in the other order', () => {
  it.each([
    ['@@ -1,3 +1,2 @@\n a\n-b\n-c\n+B\n', '@@ -1,2 +1,3 @@\n a\n-B\n+b\n+c\n'],
    [
      '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n',
      '@@ -1 +1 @@\n-b\n+a\n\\ No newline at end of file\n',
    ],
    [
      '@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
      '@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n',
    ],
    ['rename from a\nrename to b\n', 'rename from a\nrename to b\n'],
  ])('%j', (diff, reversed) => {
    expect(reversePatch(diff)).toBe(reversed);
  });
});
