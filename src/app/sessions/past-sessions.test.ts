/** Sessions with more turns than are kept: their titles and numbers of answers. */
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonLines, put, scratchFolder } from '../../../test/helpers/recorded-session.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import { piFolderName } from '../../responses/transcripts/pi.ts';
import { MAX_TURNS } from '../../responses/transcripts/turn-builder.ts';
import { listSessions } from './past-sessions.ts';

let home = '';
let project = '';
beforeEach(() => {
  home = realpathSync(scratchFolder());
  project = path.join(home, 'project');
  mkdirSync(project);
});
afterEach(() => removeTree(home));

const at = (file: string) => path.join(home, file);
const AT = '2026-01-02T03:04:05Z';
/** Longer than the part of a file that is read first. */
const LONG = 'word '.repeat(1_000);
const turns = <T>(count: number, records: (n: number) => readonly T[]): T[] =>
  Array.from({ length: count }, (_, n) => records(n)).flat();

function claude(count: number): void {
  const rows = turns(count, (n) => [
    {
      type: 'user',
      uuid: `u${n}`,
      parentUuid: n === 0 ? null : `a${n - 1}`,
      message: { content: `prompt ${n}` },
    },
    {
      type: 'assistant',
      uuid: `a${n}`,
      parentUuid: `u${n}`,
      message: { id: `m${n}`, content: [{ type: 'text', text: LONG }], stop_reason: 'end_turn' },
    },
  ]);
  put(at(`.claude/projects/${project.replace(/[^A-Za-z0-9-]/g, '-')}/s.jsonl`), jsonLines(rows));
}

function rollout(count: number): string {
  const message = (role: string, type: string, text: string) => ({
    timestamp: AT,
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type, text }] },
  });
  const event = (payload: object) => ({ timestamp: AT, type: 'event_msg', payload });
  return jsonLines([
    { timestamp: AT, type: 'session_meta', payload: { id: 's', cwd: project } },
    ...turns(count, (n) => [
      message('user', 'input_text', `prompt ${n}`),
      event({ type: 'user_message', message: `prompt ${n}` }),
      message('assistant', 'output_text', LONG),
      event({ type: 'task_complete' }),
    ]),
  ]);
}

const ROLLOUT =
  '.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-01234567-89ab-cdef-0123-456789abcdef.jsonl';

function pi(count: number): void {
  const rows = turns(count, (n) => [
    {
      type: 'message',
      id: `u${n}`,
      parentId: n === 0 ? null : `a${n - 1}`,
      message: { role: 'user', content: `prompt ${n}` },
    },
    {
      type: 'message',
      id: `a${n}`,
      parentId: `u${n}`,
      message: { role: 'assistant', content: [{ type: 'text', text: LONG }], stopReason: 'stop' },
    },
  ]);
  const head = { type: 'session', version: 3, id: 's', timestamp: AT, cwd: project };
  put(at(`.pi/agent/sessions/${piFolderName(project)}/2026_s.jsonl`), jsonLines([head, ...rows]));
}

function gemini(count: number): void {
  put(at('.gemini/tmp/mine/.project_root'), project);
  const rows = turns(count, (n) => [
    { id: `u${n}`, type: 'user', timestamp: AT, content: [{ text: `prompt ${n}` }] },
    { id: `a${n}`, type: 'gemini', timestamp: AT, content: LONG },
  ]);
  const head = { sessionId: 's', projectHash: 'h', kind: 'main' };
  put(at('.gemini/tmp/mine/chats/session-1.jsonl'), jsonLines([head, ...rows]));
}

function aider(count: number): void {
  const text = turns(count, (n) => [`#### prompt ${n}  \n\n${LONG}\n\n`]).join('');
  put(
    path.join(project, '.aider.chat.history.md'),
    `\n# aider chat started at 2026-01-02 03:04:05\n\n${text}`,
  );
}

function opencode(count: number): void {
  const file = at('.local/share/opencode/opencode.db');
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE session (id, parent_id, directory, project_id, time_created, time_updated, revert);
    CREATE TABLE message (id, session_id, time_created, data);
    CREATE TABLE part (id, message_id, data);
    BEGIN`);
  database.prepare('INSERT INTO session VALUES (?, NULL, ?, ?, 1, 2, NULL)').run('s', project, 'p');
  const message = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)');
  const part = database.prepare('INSERT INTO part VALUES (?, ?, ?)');
  for (let n = 0; n < count * 2; n += 1) {
    const id = `m${String(n).padStart(6, '0')}`;
    const role = n % 2 === 0 ? 'user' : 'assistant';
    message.run(id, 's', n, JSON.stringify({ role, finish: 'stop', time: { completed: n } }));
    const text = n % 2 === 0 ? `prompt ${n / 2}` : 'an answer';
    part.run(`p${id}`, id, JSON.stringify({ type: 'text', text }));
  }
  database.exec('COMMIT');
  database.close();
}

const SESSIONS: readonly (readonly [name: string, cli: CliId, write: (count: number) => unknown])[] = [
  ['claude', 'claude', claude],
  ['codex', 'codex', (count) => put(at(ROLLOUT), rollout(count))],
  ['codex, packed', 'codex', (count) => put(at(`${ROLLOUT}.zst`), zstdCompressSync(rollout(count)))],
  ['pi', 'pi', pi],
  ['gemini', 'gemini', gemini],
  ['aider', 'aider', aider],
  ['opencode', 'opencode', opencode],
];

const list = async () => {
  const env = { HOME: home, XDG_CACHE_HOME: at('cache'), XDG_STATE_HOME: at('state') };
  const listed = await listSessions(env, { cwd: project, words: null, running: null });
  return listed.ok ? listed.value : listed;
};

it.each(SESSIONS)('names a long session of %s by its first prompt', async (_name, cli, write) => {
  write(MAX_TURNS + 7);
  expect(await list()).toMatchObject([
    { session: { cli }, title: 'prompt 0', answers: MAX_TURNS, more: true },
  ]);
});

it.each(SESSIONS)('counts all answers of a short session of %s', async (_name, cli, write) => {
  write(7);
  expect(await list()).toMatchObject([{ session: { cli }, title: 'prompt 0', answers: 7, more: false }]);
});
