import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentHost, replaceLine } from '../../test/helpers/agent-host.ts';
import { authorName } from '../server/mcp/author-name.ts';
import { AUTHOR_NAME } from '../server/suggestions/who.ts';

let host: AgentHost;
afterEach(() => host.stop());

const NOTE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

describe('a proposal', () => {
  it('a path through a link out of the root, .git/hooks, binary and latin-1 files', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    host.put('bin.dat', Buffer.from([0, 1, 2]));
    host.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    const outside = path.join(host.home.home, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(host.root, 'link'));
    symlinkSync('/etc/hostname', path.join(host.root, 'file-link'));
    symlinkSync(path.join(outside, 'not-yet'), path.join(host.root, 'dangling'));
    const session = await host.session();
    const insert = (file: string) => ({
      file_path: file,
      operation: 'insert' as const,
      start_line: 1,
      new_text: 'x\n',
    });
    for (const [file, message] of [
      ['link/evil.md', /link/],
      ['file-link', /link/],
      ['dangling', /link/],
      ['../evil.md', /leaves the root/],
      ['.git/hooks/pre-commit', /version control/],
      ['bin.dat', /binary/],
      ['latin.txt', /not valid UTF-8/],
    ] as const) {
      const id = await host.run(session, ({ propose }) => propose([insert(file)]));
      const error = await host.failed(id);
      expect(error.code).toBe('invalid_edits');
      expect(error.message).toMatch(message);
    }
    expect(host.disk('latin.txt')).not.toBe(null);
  });
});

describe('the review of a proposal', () => {
  it('is by an author whom nobody can impersonate', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    await host.proposed(await host.session(), [replaceLine('a.md', 1, 'ONE')]);
    const [listed] = await host.ask('review/list', {});
    expect(listed?.author).not.toMatch(AUTHOR_NAME);
    expect(authorName(listed?.author ?? null)).not.toBe(listed?.author);
  });

  it('ended from there: undecided changes leave the text, accepted ones can be saved', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 1, 'ONE'), replaceLine('a.md', 5, 'FIVE')]);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    const [first = ''] = host.hunks(job);
    const decided = await host.ask('review/decide', { suggestion, hunk: first, action: 'accept' });
    expect(decided.suggestion.write).toBe('on-save');
    expect(await host.refused('review/finish', { suggestion, how: 'finalize', commit: true })).toMatchObject({
      code: 'refused',
    });
    await host.ask('review/finish', { suggestion, how: 'discard' });
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('one', 'ONE'));
    expect(host.disk('a.md')).toBe(NOTE);
    await host.ask('agent/save', { session_id: session });
    expect(host.disk('a.md')).toBe(NOTE.replace('one', 'ONE'));
    await host.reached(job.id, 'completed');
  });

  it('can be modified, commented, undone and split like any other', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const job = await host.proposed(session, [replaceLine('a.md', 2, 'TWO\nand more')]);
    const suggestion = job.diff_bundle?.suggestion_id ?? '';
    const [hunk = ''] = host.hunks(job);
    const text = Buffer.from('my own two\n').toString('base64');
    await host.ask('review/decide', {
      suggestion,
      hunk,
      action: 'modify',
      modified: { kind: 'text', base64: text },
      comment: 'shorter',
    });
    const modified = await host.working(session, 'a.md');
    expect(modified).toContain('my own two\n');
    await host.ask('review/undo', { suggestion, hunk });
    expect(await host.working(session, 'a.md')).toBe(NOTE.replace('two', 'TWO\nand more'));
    await host.ask('review/split', { suggestion, hunk, first: 4, last: 4 });
    const now = await host.ask('agent/job', { job_id: job.id });
    expect(now.diff_bundle?.files[0]?.hunks.map((one) => one.edit_ids)).toEqual([['e_1'], ['e_1']]);
    const parts = host.hunks(now);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: parts.slice(0, 1),
    });
    expect([NOTE.replace('two', 'TWO'), NOTE.replace('two', 'two\nand more')]).toContain(host.disk('a.md'));
  });

  it('warns of files that run by themselves, and passes on the reason', async () => {
    host = await AgentHost.start({ '.envrc': 'export A=1\n', 'a.md': NOTE });
    const job = await host.proposed(await host.session(), [
      { ...replaceLine('.envrc', 1, 'export A=$(id)'), rationale: 'Needed.' },
      { ...replaceLine('a.md', 1, 'ONE'), rationale: 'Louder.' },
    ]);
    const { hunks } = await host.ask('review/show', { suggestion: job.diff_bundle?.suggestion_id ?? '' });
    expect(hunks.map((hunk) => hunk.note)).toEqual(['Needed.', 'Louder.']);
    const kinds = (all: readonly { warnings: readonly { kind: string }[] }[]) =>
      all.map(({ warnings }) => warnings.map(({ kind }) => kind));
    expect(kinds(hunks)).toEqual([['runs'], []]);
    expect(kinds(job.diff_bundle?.files.flatMap((file) => file.hunks) ?? [])).toEqual([['runs'], []]);
  });

  it('splits long hunks, and reports one that is still too long', async () => {
    host = await AgentHost.start({ 'a.md': NOTE });
    const session = await host.session();
    const block = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n');
    const job = await host.proposed(session, [
      { file_path: 'a.md', operation: 'insert', start_line: 3, new_text: `${block}\n\n${block}\n` },
      { file_path: 'b.md', operation: 'insert', start_line: 1, new_text: `${block}\n${block}\n` },
    ]);
    const [a, b] = job.diff_bundle?.files ?? [];
    expect(a?.hunks.map((hunk) => hunk.oversized_hunk)).toEqual([false, false]);
    expect(b?.hunks.map((hunk) => hunk.oversized_hunk)).toEqual([true]);
    await host.ask('agent/apply', {
      session_id: session,
      job_id: job.id,
      accepted_hunk_ids: [...host.hunks(job)],
    });
    expect(host.disk('a.md')).toBe(NOTE.replace('three', `${block}\n\n${block}\nthree`));
  });
});
