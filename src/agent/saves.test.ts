import { chmodSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('saving', () => {
  it('keeps line ends, BOM, an open end and the mode; creates, deletes and moves files', async () => {
    host = await AgentHost.start({
      'crlf.md': '\uFEFFa\r\nb\r\nc',
      'gone.md': 'x\n',
      'old.sh': '#!/bin/sh\nexit 1\n',
    });
    chmodSync(path.join(host.root, 'old.sh'), 0o755);
    const session = await host.session();
    const job = await host.proposed(session, [
      replaceLine('crlf.md', 2, 'B'),
      { file_path: 'gone.md', operation: 'delete_file', new_text: '' },
      { file_path: 'old.sh', operation: 'rename_file', new_path: 'bin/new.sh', new_text: '' },
      replaceLine('old.sh', 2, 'exit 0'),
      { file_path: 'new/note.md', operation: 'insert', start_line: 1, new_text: '# New' },
    ]);
    const applied = await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    expect(applied).toMatchObject({ status: 'completed', conflicts: [] });
    expect(applied.applied_files).toContainEqual({
      file_path: 'bin/new.sh',
      applied_hunks: 2,
      rejected_hunks: 0,
    });
    expect(host.disk('crlf.md')).toBe('\uFEFFa\r\nB\r\nc');
    expect(host.disk('gone.md')).toBe(null);
    expect(host.disk('old.sh')).toBe(null);
    expect(host.disk('bin/new.sh')).toBe('#!/bin/sh\nexit 0\n');
    expect(host.disk('new/note.md')).toBe('# New\n');
    expect((await host.reached(job.id, 'completed')).diff_bundle?.files.every((file) => file.saved)).toBe(
      true,
    );
  });

  it('apply accepts the named hunks and rejects the others', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('a.md', 5, 'FIVE')]);
    const [, second = ''] = host.hunks(job);
    const applied = await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [second],
    });
    expect(applied.applied_files).toEqual([{ file_path: 'a.md', applied_hunks: 1, rejected_hunks: 1 }]);
    expect(host.disk('a.md')).toBe(NOTE.replace('five', 'FIVE'));
    await host.reached(job.id, 'completed');
    const told = (await host.events(job.id)).filter((event) => event.type === 'review.updated');
    expect(told.map(({ data }) => [data.accepted, data.rejected, data.pending])).toEqual([[1, 1, 0]]);
  });

  it('is a conflict if the disk has changed; nothing is written or decided', async () => {
    host = await AgentHost.start({ 'a.md': NOTE, 'b.md': 'b\n' });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('b.md', 1, 'B')]);
    host.put('a.md', `${NOTE}mine\n`);
    const wanted = { session_id: session, job_id: job.id, accepted_hunk_ids: [...host.hunks(job)] };
    const applied = await host.ask('agent/apply', wanted);
    expect(applied).toMatchObject({
      status: 'conflict',
      applied_files: [],
      conflicts: [{ file_path: 'a.md', hunk_id: null }],
    });
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([`${NOTE}mine\n`, 'b\n']);
    const now = await host.ask('agent/job', { job_id: job.id });
    expect(now.diff_bundle?.files[0]).toMatchObject({
      file_path: 'a.md',
      conflict: expect.stringContaining('changed'),
    });
    expect(now.diff_bundle?.files.flatMap((file) => file.hunks.map((hunk) => hunk.accepted))).toEqual([
      null,
      null,
    ]);
    // The other file alone can be saved.
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'conflict' });
    expect(await host.ask('agent/save', { session_id: session, files: ['b.md'] })).toMatchObject({
      status: 'completed',
    });
    expect([host.disk('a.md'), host.disk('b.md')]).toEqual([`${NOTE}mine\n`, 'B\n']);
    // Merged by hand: the user's text stays, with the proposal on top.
    expect(await host.ask('agent/merge', { session_id: session, file_path: 'a.md' })).toEqual({
      conflicts: [],
    });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'completed' });
    expect(host.disk('a.md')).toBe(`${NOTE.replace('one', 'ONE')}mine\n`);
    await host.reached(job.id, 'completed');
  });

  it('is merged if both changed the same lines: the proposal is dropped there, and resolved by hand', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('a.md', 6, 'SIX')]);
    await host.ask('review/decide', {
      suggestion: job.diff_bundle?.suggestion_id ?? '',
      hunk: 'all',
      action: 'accept',
    });
    host.put('a.md', NOTE.replace('two', 'my two'));
    const merged = await host.ask('agent/merge', { session_id: session, file_path: 'a.md' });
    expect(merged.conflicts).toMatchObject([{ hunk_id: host.hunks(job)[0] }]);
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'my two').replace('six', 'SIX'));
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'conflict' });
    await host.ask('agent/edit', {
      session_id: session,
      file_path: 'a.md',
      text: NOTE.replace('two', 'MY TWO').replace('six', 'SIX'),
      settles_conflicts: true,
    });
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'completed' });
    expect(host.disk('a.md')).toBe(NOTE.replace('two', 'MY TWO').replace('six', 'SIX'));
  });

  it('is a conflict if a link is in the way; everything else continues', async () => {
    host = await AgentHost.start({ 'sub/a.md': NOTE, 'b.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [
      replaceLine('sub/a.md', 1, 'ONE'),
      replaceLine('b.md', 1, 'ONE'),
    ]);
    const outside = path.join(host.home.home, 'outside');
    renameSync(path.join(host.root, 'sub'), outside);
    symlinkSync(outside, path.join(host.root, 'sub'));
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    const saved = await host.ask('agent/save', { session_id: session });
    expect(saved).toMatchObject({ status: 'conflict', conflicts: [{ file_path: 'sub/a.md' }] });
    await host.close();
    await host.open();
    expect((await host.ask('agent/sessions', {})).length).toBe(1);
    await host.ask('agent/save', { session_id: session, files: ['b.md'] });
    expect(host.disk('b.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('sub/a.md')).toBe(NOTE);
    const [stuck = ''] = host.hunks(job);
    await host.ask('review/undo', { suggestion, hunk: stuck });
    await host.ask('review/decide', { suggestion, hunk: stuck, action: 'reject' });
  });

  it('is rerun: the old proposal is dropped, the new one is based on the current files', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO')]);
    host.put('a.md', `zero\n${NOTE}`);
    host.scripts.push(({ propose }) => propose([replaceLine('a.md', 3, 'TWO')]));
    const again = await host.ask('agent/rerun', { job_id: job.id });
    const second = await host.reached(again.job_id, 'awaiting_review');
    expect(second.rerun_of).toBe(job.id);
    await host.reached(job.id, 'completed');
    expect(await host.working(session, 'a.md')).toBe(`zero\n${NOTE.replace('two', 'TWO')}`);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: again.job_id,
      accepted_hunk_ids: [...host.hunks(second)],
    });
    expect(host.disk('a.md')).toBe(`zero\n${NOTE.replace('two', 'TWO')}`);
  });

  it('is rerun after a save with a conflict: accepted hunks are also dropped there', async () => {
    host = await AgentHost.start({ 'a.md': NOTE, 'b.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO'), replaceLine('b.md', 2, 'TWO')]);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    host.put('a.md', `zero\n${NOTE}`);
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ status: 'conflict' });
    host.scripts.push(({ propose }) => propose([replaceLine('a.md', 99, 'TWO')]));
    const failed = await host.ask('agent/rerun', { job_id: job.id });
    await host.failed(failed.job_id);
    // Added again by hand, it also blocks the next run.
    const [first = ''] = host.hunks(job);
    await host.ask('review/decide', { suggestion, hunk: first, action: 'accept' });
    host.put('a.md', `zero\n${NOTE}end\n`);
    host.scripts.push(({ propose }) => propose([replaceLine('a.md', 3, 'TWO')]));
    const again = await host.ask('agent/rerun', { job_id: failed.job_id });
    const second = await host.reached(again.job_id, 'awaiting_review');
    await host.ask('agent/apply', {
      session_id: session,
      job_id: second.id,
      accepted_hunk_ids: [...host.hunks(second)],
    });
    expect(host.disk('a.md')).toBe(`zero\n${NOTE.replace('two', 'TWO')}end\n`);
    // Hunks accepted elsewhere still are.
    expect(await host.ask('agent/save', { session_id: session })).toMatchObject({ written_files: ['b.md'] });
    expect(host.disk('b.md')).toBe(NOTE.replace('two', 'TWO'));
    await host.reached(job.id, 'completed');
  });

  it('a file deleted during the job fails the job with a message', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const id = await host.run(await host.session(), async ({ propose }) => {
      const proposal = await propose([replaceLine('a.md', 1, 'ONE')]);
      host.remove('a.md');
      return proposal;
    });
    expect(await host.failed(id)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('a.md does not exist'),
    });
  });

  it('a second job builds on the first one, saved or not', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const first = await host.proposed(session, [replaceLine('a.md', 1, 'ONE\nnew')]);
    const second = await host.proposed(session, [replaceLine('a.md', 2, 'newer')]);
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('one', 'ONE\nnewer'));
    await host.ask('review/decide', {
      suggestion: first.diff_bundle?.suggestion_id ?? '',
      hunk: 'all',
      action: 'reject',
    });
    const shown = await host.ask('review/show', { suggestion: second.diff_bundle?.suggestion_id ?? '' });
    expect(shown.hunks).toMatchObject([{ status: 'conflict', reason: expect.stringContaining('are gone') }]);
    const sides = await host.ask('review/conflict', {
      suggestion: second.diff_bundle?.suggestion_id ?? '',
      hunk: host.hunks(second)[0] ?? '',
    });
    expect(sides).toMatchObject({
      base: expect.stringContaining('new\n'),
      yours: expect.not.stringContaining('new'),
    });
    const now = await host.ask('agent/job', { job_id: second.id });
    expect(now.diff_bundle?.files[0]?.hunks[0]?.conflict).toContain('are gone');
    expect(await host.working(session, 'a.md')).toBe(NOTE);
  });

  it("the user's own edits after a save are hunks of the same log", async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    host.put('a.md', NOTE.replace('one', 'ONE').replace('eight', 'my eight'));
    const second = await host.proposed(session, [replaceLine('a.md', 4, 'FOUR')]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: second.id,
      accepted_hunk_ids: [...host.hunks(second)],
    });
    expect(host.disk('a.md')).toBe(
      NOTE.replace('one', 'ONE').replace('eight', 'my eight').replace('four', 'FOUR'),
    );
  });
});

describe("the user's own edits", () => {
  const open = async () => (await host.ask('review/list', {})).map(({ description }) => description);

  it('are reviewed until they are on disk, even after they were undone', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    await host.ask('agent/edit', { session_id: session, file_path: 'a.md', text: 'mine\n' });
    expect(await open()).toEqual(['Your edits of a.md']);
    await host.ask('agent/save', { session_id: session });
    expect([host.disk('a.md'), await open()]).toEqual(['mine\n', []]);
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'theirs')]);
    const accepted_hunk_ids = [...host.hunks(job)];
    await host.ask('agent/apply', { session_id: session, job_id: job.id, accepted_hunk_ids });
    // Included with the next check of the file, and restored by the rollback.
    host.put('a.md', 'theirs\nmine on disk\n');
    const checkpoint_id = job.checkpoint_id ?? '';
    await host.ask('agent/rollback', { checkpoint_id, mode: 'hard_all' });
    expect(await open()).toContain('Your edits of a.md');
    await host.ask('agent/save', { session_id: session });
    expect([host.disk('a.md'), await open()]).toEqual(['mine\n', []]);
  });
});

describe('a save with nothing to write', () => {
  it('sends no event, and says so', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE')]);
    const before = await host.events(job.id);
    const saved = await host.ask('agent/save', { session_id: session });
    expect(saved).toMatchObject({ status: 'completed', written_files: [] });
    expect(await host.events(job.id)).toEqual(before);
  });
});

describe('several sessions', () => {
  it('of one folder share the working texts; each saves its own changes', async () => {
    host = await AgentHost.start({ 'a.md': NOTE, 'b.md': NOTE, 'both.md': NOTE });
    const [one, two] = [await host.session(), await host.session()];
    const first = await host.proposed(one, [replaceLine('a.md', 1, 'ONE'), replaceLine('both.md', 1, 'ONE')]);
    const second = await host.proposed(two, [
      replaceLine('b.md', 1, 'TWO'),
      replaceLine('both.md', 5, 'TWO'),
    ]);
    expect(await host.working(one, 'both.md')).toBe(NOTE.replace('one', 'ONE').replace('five', 'TWO'));
    for (const job of [first, second]) {
      const suggestion = job.diff_bundle?.suggestion_id ?? '';
      await host.ask('review/decide', { suggestion, hunk: 'all', action: 'accept' });
    }
    await host.ask('agent/save', { session_id: one });
    expect(host.disk('a.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('b.md')).toBe(NOTE);
    expect(host.disk('both.md')).toBe(NOTE.replace('one', 'ONE').replace('five', 'TWO'));
    await host.ask('agent/save', { session_id: two });
    expect(host.disk('b.md')).toBe(NOTE.replace('one', 'TWO'));
    for (const job of [first, second]) await host.reached(job.id, 'completed');
  });

  it('of a folder and one inside it see what the other has written, and overwrite nothing', async () => {
    host = await AgentHost.start({ 'sub/a.md': NOTE });
    const outer = await host.session();
    const inner = (await host.ask('agent/create', { root: path.join(host.root, 'sub') })).id;
    const wide = await host.proposed(outer, [replaceLine('sub/a.md', 1, 'OUTER')]);
    const narrow = await host.proposed(inner, [replaceLine('a.md', 1, 'INNER')]);
    await host.ask('agent/apply', {
      session_id: inner,
      job_id: narrow.id,
      accepted_hunk_ids: [...host.hunks(narrow)],
    });
    const late = { session_id: outer, job_id: wide.id, accepted_hunk_ids: [...host.hunks(wide)] };
    expect(await host.ask('agent/apply', late)).toMatchObject({ status: 'conflict' });
    expect(host.disk('sub/a.md')).toBe(NOTE.replace('one', 'INNER'));
  });
});
