/** opencode's store: its database while others write to it, all kinds of rows, and the folders of older versions. */
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpencodeReader } from '../../../src/responses/transcripts/opencode.ts';
import type { TranscriptRef } from '../../../src/responses/transcripts/port.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { placeOf, type RecordedSession, recordedSessions } from '../../helpers/transcript-fixtures.ts';
import { FIXTURE_PROJECT } from '../../helpers/transcript-recorder.ts';

const READER = createOpencodeReader();

let scratch = '';
let count = 0;
beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'copane-opencode-'));
});
afterAll(() => removeTree(scratch));

describe('opencode’s database', () => {
  const recording = recordedSessions().find(({ cli }) => cli === 'opencode') as RecordedSession;

  async function open(): Promise<{ file: string; ref: TranscriptRef }> {
    count += 1;
    const home = path.join(scratch, `opencode-${count}`);
    const [ref] = await READER.find(placeOf(recording, home));
    if (ref === undefined) throw new Error('no session');
    return { file: ref.path, ref };
  }

  it('is read while another process writes to it, and leaves no files beside it', async () => {
    const { file, ref } = await open();
    const session = READER.open(ref);
    const before = await session.read({ turns: 100 });
    const writer = new DatabaseSync(file);
    writer.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
    const time = Date.now();
    writer
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run('zz1', ref.sessionId, time, time, '{"role":"user"}');
    writer
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run('zzp', 'zz1', ref.sessionId, time, time, '{"type":"text","text":"fresh"}');
    expect((await session.read({ turns: 100 }))?.turns.length).toBe(before?.turns.length);
    writer.exec('COMMIT');
    const after = await session.read({ turns: 100 });
    expect(after?.turns.at(-1)?.prompt).toBe('fresh');
    expect(after?.state).toBe('working');
    writer.close();
    expect((await session.read({ turns: 100 }))?.turns.length).toBe(after?.turns.length);
    expect(readdirSync(path.dirname(file))).toEqual(['opencode.db']);
  });

  it('lists the project’s sessions without those of sub-agents and other projects', async () => {
    const { file, ref } = await open();
    const writer = new DatabaseSync(file);
    const copy = (id: string, column: string, value: string) => {
      writer.prepare('INSERT INTO session SELECT * FROM session WHERE id = ?').run(ref.sessionId);
      writer
        .prepare(`UPDATE session SET id = ?, ${column} = ? WHERE rowid = last_insert_rowid()`)
        .run(id, value);
    };
    copy('child', 'parent_id', ref.sessionId);
    copy('other', 'directory', '/elsewhere');
    writer.close();
    const home = path.dirname(path.dirname(path.dirname(path.dirname(file))));
    const refs = await READER.find({ cwd: FIXTURE_PROJECT, pid: null, env: { HOME: home } });
    expect(refs.map(({ sessionId }) => sessionId)).toEqual([ref.sessionId]);
  });

  it('leaves out rows that are not JSON, and says so', async () => {
    const { file, ref } = await open();
    const writer = new DatabaseSync(file);
    writer.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run('zz1', ref.sessionId, 1, 1, '{"role":');
    writer.close();
    const snapshot = await READER.open(ref).read({ turns: 100 });
    expect(snapshot?.turns.length).toBe(recording.expected.length);
    expect(snapshot?.problems).toEqual(['1 messages are not JSON and were left out']);
  });

  it('respects what the user undid', async () => {
    const { file, ref } = await open();
    const whole = await READER.open(ref).read({ turns: 100 });
    const last = whole?.turns.at(-1)?.id;
    const writer = new DatabaseSync(file);
    writer
      .prepare('UPDATE session SET revert = ? WHERE id = ?')
      .run(JSON.stringify({ messageID: last }), ref.sessionId);
    writer.close();
    const snapshot = await READER.open(ref).read({ turns: 100 });
    expect(snapshot?.turns.map((turn) => turn.id)).toEqual(whole?.turns.slice(0, -1).map((turn) => turn.id));
  });

  it('holds input typed during an answer, and then gives it a separate turn', async () => {
    const { file, ref } = await open();
    const session = READER.open(ref);
    const before = (await session.read({ turns: 100 }))?.turns.length ?? 0;
    const writer = new DatabaseSync(file);
    const begin = Date.now();
    const put = (id: string, data: object, text: string) => {
      const at = begin + Number(id.slice(2));
      writer.prepare('DELETE FROM message WHERE id = ?').run(id);
      writer.prepare('DELETE FROM part WHERE message_id = ?').run(id);
      const message = writer.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
      message.run(id, ref.sessionId, at, at, JSON.stringify(data));
      const part = writer.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
      part.run(`p${id}`, id, ref.sessionId, at, at, JSON.stringify({ type: 'text', text }));
    };
    put('zz1', { role: 'user' }, 'first');
    put('zz2', { role: 'assistant', time: { created: 1 } }, 'half an');
    put('zz3', { role: 'user' }, 'second');
    const busy = await session.read({ turns: 100 });
    expect(busy?.turns.slice(before).map(({ prompt, response }) => [prompt, response])).toEqual([
      ['first', 'half an'],
    ]);
    expect([busy?.queued, busy?.state]).toEqual([['second'], 'working']);
    put('zz2', { role: 'assistant', finish: 'stop', time: { created: 1, completed: 2 } }, 'half an answer');
    put('zz4', { role: 'assistant', time: { created: 3 } }, 'and');
    const next = await session.read({ turns: 100 });
    expect(next?.turns.slice(before).map(({ prompt, response }) => [prompt, response])).toEqual([
      ['first', 'half an answer'],
      ['second', 'and'],
    ]);
    expect(next?.queued).toEqual([]);
    writer.close();
  });

  it('does not treat text from our own plugin as a prompt', async () => {
    const { file, ref } = await open();
    const before = await READER.open(ref).read({ turns: 100 });
    const writer = new DatabaseSync(file);
    const at = Date.now();
    writer
      .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
      .run('zz1', ref.sessionId, at, at, '{"role":"user"}');
    const part = { type: 'text', text: '[Suggestion Feedback] …', metadata: { copane: 'feedback' } };
    writer
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run('zzp', 'zz1', ref.sessionId, at, at, JSON.stringify(part));
    writer.close();
    const after = await READER.open(ref).read({ turns: 100 });
    expect([after?.turns.length, after?.state]).toEqual([before?.turns.length, before?.state]);
  });

  it('reports a plan as a separate response, and a refusal as the end of the turn', async () => {
    const { file, ref } = await open();
    const before = (await READER.open(ref).read({ turns: 100 }))?.turns.length ?? 0;
    const writer = new DatabaseSync(file);
    const at = Date.now();
    const put = (id: string, data: object, parts: readonly object[]) => {
      writer.prepare('DELETE FROM message WHERE id = ?').run(id);
      writer.prepare('DELETE FROM part WHERE message_id = ?').run(id);
      const insert = 'INSERT INTO message VALUES (?, ?, ?, ?, ?)';
      writer.prepare(insert).run(id, ref.sessionId, at + Number(id.slice(2)), at, JSON.stringify(data));
      parts.forEach((part, index) => {
        const row = [`${id}p${index}`, id, ref.sessionId, at, at, JSON.stringify(part)] as const;
        writer.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(...row);
      });
    };
    const tool = (name: string, state: object) => ({ type: 'tool', tool: name, state });
    const filePath = '/home/dev/.local/share/opencode/plans/1-proud-harbor.md';
    put('zz1', { role: 'user' }, [{ type: 'text', text: 'plan it' }]);
    put('zz2', { role: 'assistant', finish: 'tool-calls', time: { created: 1, completed: 2 } }, [
      tool('write', { status: 'completed', input: { filePath, content: '# Plan\n\n1. a\n' } }),
      tool('edit', { status: 'completed', input: { filePath, oldString: '1. a', newString: '1. b' } }),
    ]);
    put('zz3', { role: 'assistant', time: { created: 3 } }, [
      { type: 'text', text: 'I planned it.' },
      tool('plan_exit', { status: 'running', input: {} }),
    ]);
    const asks = await READER.open(ref).read({ turns: 100 });
    expect(asks?.turns.slice(before)).toMatchObject([
      { kind: 'answer', response: 'I planned it.' },
      { kind: 'plan', response: '# Plan\n\n1. b\n' },
    ]);
    expect(asks).toMatchObject({ state: 'waiting', asked: [{ kind: 'plan' }] });
    const over = { role: 'assistant', finish: 'tool-calls', time: { created: 3, completed: 4 } };
    put('zz3', over, [tool('plan_exit', { status: 'error', error: 'The user dismissed this question' })]);
    expect(await READER.open(ref).read({ turns: 100 })).toMatchObject({ state: 'idle' });
    put('zz3', over, [tool('plan_exit', { status: 'completed', input: {} })]);
    put('zz4', { role: 'user' }, [{ type: 'text', text: 'The plan was approved.', synthetic: true }]);
    put('zz5', { role: 'assistant', finish: 'stop', time: { created: 5, completed: 6 } }, [
      { type: 'text', text: 'I begin.' },
    ]);
    writer.close();
    const agreed = await READER.open(ref).read({ turns: 100 });
    expect(agreed?.turns.at(-1)).toMatchObject({ prompt: '(plan answered)', response: 'I begin.' });
  });

  it('of a long session is only asked for its newest messages while it grows', async () => {
    const { file, ref } = await open();
    const writer = new DatabaseSync(file);
    const message = writer.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)');
    const part = writer.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
    const add = (turn: number) => {
      const id = `msg_${String(turn).padStart(6, '0')}`;
      const at = Date.now() + turn;
      message.run(id, ref.sessionId, at, at, '{"role":"user"}');
      part.run(`p${id}`, id, ref.sessionId, at, at, JSON.stringify({ type: 'text', text: `prompt ${turn}` }));
    };
    writer.exec('BEGIN');
    for (let turn = 0; turn < 300; turn += 1) add(turn);
    writer.exec('COMMIT');
    const session = READER.open(ref);
    expect((await session.read({ turns: 1 }))?.turns.length).toBeLessThan(100);
    const many = await session.read({ turns: 250 });
    expect(many?.turns.length).toBeGreaterThanOrEqual(250);
    add(300);
    const grown = await session.read({ turns: 250 });
    const fresh = await READER.open(ref).read({ turns: grown?.turns.length ?? 0 });
    expect(grown?.turns.length).toBe((many?.turns.length ?? 0) + 1);
    expect(grown?.turns).toEqual(fresh?.turns.slice(-(grown?.turns.length ?? 0)));
    writer.close();
  });

  it('of an unknown shape gives a reason', async () => {
    const file = path.join(scratch, 'unknown.db');
    writeFileSync(file, '');
    const writer = new DatabaseSync(file);
    writer.exec('CREATE TABLE session (name)');
    writer.close();
    const ref = { cli: 'opencode', path: file, sessionId: 'x', tie: 'folder', modifiedAt: 0 } as const;
    const session = READER.open(ref);
    expect(await session.read()).toBeNull();
    expect(session.failure()).toMatch(/cannot be read/);
  });

  it('of the versions before 1.2 was a folder of files', async () => {
    const home = path.join(scratch, 'older');
    const storage = path.join(home, '.local/share/opencode/storage');
    const put = (name: string, value: object) => {
      mkdirSync(path.dirname(path.join(storage, name)), { recursive: true });
      writeFileSync(path.join(storage, name), JSON.stringify(value));
    };
    put('session/p1/ses_1.json', {
      id: 'ses_1',
      directory: '/home/dev/project',
      time: { created: 1, updated: 5 },
    });
    put('session/p1/ses_2.json', {
      id: 'ses_2',
      parentID: 'ses_1',
      directory: '/home/dev/project',
      time: { updated: 9 },
    });
    put('message/ses_1/msg_1.json', { id: 'msg_1', role: 'user', time: { created: 2 } });
    put('part/msg_1/prt_1.json', { id: 'prt_1', type: 'text', text: 'one' });
    put('part/msg_1/prt_2.json', { id: 'prt_2', type: 'text', text: 'read by the program', synthetic: true });
    put('message/ses_1/msg_2.json', {
      id: 'msg_2',
      role: 'assistant',
      finish: 'stop',
      time: { created: 3, completed: 4 },
    });
    put('part/msg_2/prt_3.json', { id: 'prt_3', type: 'text', text: 'answer \n' });
    const refs = await READER.find({
      cwd: '/home/dev/project',
      pid: null,
      env: { HOME: home },
    });
    expect(refs.map((ref) => ref.sessionId)).toEqual(['ses_1']);
    const session = READER.open(refs[0] as TranscriptRef);
    const snapshot = await session.read();
    expect(snapshot?.turns.map(({ prompt, response }) => [prompt, response])).toEqual([['one', 'answer \n']]);
    expect(snapshot).toMatchObject({ state: 'idle', complete: true });
    expect(await session.read()).toBe(snapshot);
  });
});
