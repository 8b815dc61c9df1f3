import { execFileSync } from 'node:child_process';
/** Which session files belong to a place, and which one is meant. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import type { CliId } from '../../protocol/cli-id.ts';
import type { TranscriptReader } from './port.ts';
import { createTranscriptReaders } from './registry.ts';

let home = '';
let project = '';
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-find-'));
  project = path.join(home, 'my.project');
  mkdirSync(project);
});
afterEach(() => removeTree(home));

const LIVE = new Set([100, 200]);

function readerOf(cli: CliId): TranscriptReader {
  const reader = createTranscriptReaders({ isAlive: (pid) => LIVE.has(pid) }).get(cli);
  if (reader === undefined) throw new Error(`no reader for ${cli}`);
  return reader;
}

/** Writes a file below the home; `age` in seconds. */
function put(name: string, content: string | object, age = 0): string {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content)}\n`);
  const at = Date.now() / 1000 - age;
  utimesSync(file, at, at);
  return file;
}

async function find(
  cli: CliId,
  more: {
    pid?: number;
    others?: number[];
    cwd?: string;
    limit?: number;
    env?: Record<string, string>;
  } = {},
) {
  const { pid = null, others = [], cwd = project, limit, env = {} } = more;
  const refs = await readerOf(cli).find({
    cwd,
    pid,
    others,
    env: { HOME: home, ...env },
    ...(limit === undefined ? {} : { limit }),
  });
  return refs.map((ref) => `${ref.sessionId} ${ref.tie}`);
}

function claudeFolder(cwd = project): string {
  return `.claude/projects/${cwd.replace(/[^A-Za-z0-9-]/g, '-')}`;
}

/** More than a pane needs, and more heads than are read for one. */
const MANY = 210;

it.each<readonly [CliId, (at: number) => void]>([
  ['claude', (at) => put(`${claudeFolder()}/${at}.jsonl`, '{}', at)],
  [
    'codex',
    (at) =>
      put(`.codex/sessions/2026/01/02/rollout-${at}.jsonl`, {
        type: 'session_meta',
        payload: { id: String(at), cwd: project },
      }),
  ],
  ['gemini', (at) => put(`.gemini/tmp/mine/chats/session-${at}.jsonl`, '{}')],
  ['pi', (at) => put(`all/2026_${at}.jsonl`, { type: 'session', version: 3, id: 'x', cwd: project })],
])('returns as many sessions of %s as requested', async (cli, add) => {
  put('.gemini/tmp/mine/.project_root', project);
  for (let at = 0; at < MANY; at += 1) add(at);
  const env = { PI_CODING_AGENT_SESSION_DIR: '~/all' };
  expect(await find(cli, { env, limit: MANY + 1 })).toHaveLength(MANY);
  expect(await find(cli, { env, limit: MANY - 1 })).toHaveLength(MANY - 1);
  expect((await find(cli, { env })).length).toBeLessThan(MANY);
});

const CLEAR = '<command-name>/clear</command-name>';

describe('claude', () => {
  const prompt = (text: string) => ({
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    message: { content: text },
  });
  const pidFile = (pid: number, sessionId: string, more: object = {}) =>
    put(`.claude/sessions/${pid}.json`, {
      pid,
      sessionId,
      cwd: project,
      startedAt: Date.now() - 900_000,
      ...more,
    });

  it('lists the folder’s sessions, newest first, without sub-agents', async () => {
    put(`${claudeFolder()}/old.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/new.jsonl`, prompt('b'), 5);
    put(`${claudeFolder()}/agent-1.jsonl`, prompt('c'));
    put(`${claudeFolder()}/new/subagents/agent-2.jsonl`, prompt('d'));
    put(`${claudeFolder('/elsewhere')}/other.jsonl`, prompt('e'));
    expect(await find('claude')).toEqual(['new folder', 'old folder']);
  });

  it('knows the other folders for its files', async () => {
    put('conf/projects/named/one.jsonl', prompt('a'));
    const env = { CLAUDE_CONFIG_DIR: path.join(home, 'conf'), CLAUDE_CODE_PROJECT_DIR_NAME: 'named' };
    expect(await find('claude', { env })).toEqual(['one folder']);
  });

  it('finds a folder by its real path and by the typed one', async () => {
    const link = path.join(home, 'link');
    symlinkSync(project, link);
    put(`${claudeFolder()}/real.jsonl`, prompt('a'), 2);
    put(`${claudeFolder(link)}/typed.jsonl`, prompt('a'), 1);
    expect(await find('claude', { cwd: link })).toEqual(['typed folder', 'real folder']);
  });

  it('finds a folder whose name the program truncated', async () => {
    const long = `${project}/${'deep/'.repeat(60)}end`;
    put(`${claudeFolder(long).slice(0, '.claude/projects/'.length + 200)}-abc123/one.jsonl`, prompt('a'));
    expect(await find('claude', { cwd: long })).toEqual(['one folder']);
  });

  it('names the file in which a question is recorded, so that it can be watched', async () => {
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'));
    const file = pidFile(100, 'mine', { status: 'busy' });
    const [ref] = await readerOf('claude').find({ cwd: project, pid: 100, env: { HOME: home } });
    if (ref === undefined) throw new Error('no session');
    const session = readerOf('claude').open(ref);
    expect(session.sideFiles?.()).toEqual([]);
    const busy = await session.read();
    expect([busy?.state, session.sideFiles?.()]).toEqual(['working', [file]]);
    pidFile(100, 'mine', { status: 'waiting' });
    const asking = await session.read();
    expect([asking?.state, asking === busy]).toEqual(['waiting', false]);
    expect(await session.read()).toBe(asking);
  });

  it('gives each live process a separate session', async () => {
    put(`${claudeFolder()}/theirs.jsonl`, prompt('a'), 5);
    put(`${claudeFolder()}/nobodys.jsonl`, prompt('b'), 50);
    pidFile(200, 'theirs', { status: 'busy' });
    expect(await find('claude', { pid: 100 })).toEqual(['nobodys folder']);
    // A script that asks for a folder's sessions has no process.
    expect(await find('claude')).toEqual(['theirs folder', 'nobodys folder']);
    // A new process names its session before the file exists.
    pidFile(100, 'fresh', { status: 'idle' });
    expect((await find('claude', { pid: 100 }))[0]).toBe('fresh pid');
  });

  it('matches a live pid with its session, in whatever folder that began', async () => {
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/theirs.jsonl`, prompt('b'), 5);
    pidFile(100, 'mine');
    pidFile(200, 'theirs');
    expect(await find('claude', { pid: 100 })).toEqual(['mine pid']);
    put(`${claudeFolder('/elsewhere')}/resumed.jsonl`, prompt('c'), 500);
    pidFile(100, 'resumed', { status: 'idle' });
    expect((await find('claude', { pid: 100 }))[0]).toBe('resumed pid');
  });

  it('ignores the file of a dead pid', async () => {
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/newer.jsonl`, prompt('b'), 5);
    pidFile(300, 'mine');
    expect(await find('claude', { pid: 300 })).toEqual(['newer folder', 'mine folder']);
  });

  it('follows /clear if the pid file is not updated', async () => {
    pidFile(100, 'mine', { updatedAt: Date.now() - 900_000 });
    pidFile(200, 'theirs');
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/theirs.jsonl`, prompt(CLEAR), 1);
    expect((await find('claude', { pid: 100 }))[0]).toBe('mine pid');
    put(`${claudeFolder()}/cleared.jsonl`, prompt(CLEAR), 5);
    put(`${claudeFolder()}/newest.jsonl`, prompt('somebody else’s, gone by now'), 2);
    expect((await find('claude', { pid: 100 }))[0]).toBe('cleared pid');
  });

  it('takes a newer session that nobody claims, even if /clear is not recorded', async () => {
    pidFile(100, 'mine', { updatedAt: Date.now() - 900_000 });
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/newer.jsonl`, prompt('b'));
    expect((await find('claude', { pid: 100 }))[0]).toBe('newer pid');
  });

  it('trusts a pid file that the program keeps up to date', async () => {
    pidFile(100, 'mine', { status: 'idle', updatedAt: Date.now() - 900_000 });
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'), 50);
    put(`${claudeFolder()}/newer.jsonl`, prompt(CLEAR));
    expect((await find('claude', { pid: 100 }))[0]).toBe('mine pid');
  });

  it.each([
    ['busy', 'working'],
    ['waiting', 'waiting'],
    ['idle', 'idle'],
    ['levitating', 'working'],
  ])('takes the state %s from the pid file', async (status, state) => {
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'));
    const reader = readerOf('claude');
    pidFile(100, 'mine', { status });
    const [ref] = await reader.find({ cwd: project, pid: 100, env: { HOME: home } });
    if (ref === undefined) throw new Error('no session');
    const session = reader.open(ref);
    expect((await session.read())?.state).toBe(state);
    pidFile(100, 'other', { status: 'waiting' });
    expect((await session.read())?.state).toBe('working');
  });

  it('ignores pid files without a number', async () => {
    put(`${claudeFolder()}/mine.jsonl`, prompt('a'));
    put('.claude/sessions/100.json', '{"pid":');
    put('.claude/sessions/200.json', '[]');
    mkdirSync(path.join(home, '.claude/sessions/7.json'));
    expect(await find('claude', { pid: 100 })).toEqual(['mine folder']);
  });
});

describe('codex', () => {
  const meta = (id: string, cwd: string, more: object = {}) =>
    `${JSON.stringify({ type: 'session_meta', payload: { id, cwd, ...more, base_instructions: 'x'.repeat(60_000) } })}\n`;

  it('finds rollouts by the folder in their first record, newest change first', async () => {
    put('.codex/sessions/2026/01/02/rollout-a.jsonl', meta('resumed', project), 1);
    put('.codex/sessions/2026/03/04/rollout-b.jsonl', meta('later', project), 9);
    put('.codex/sessions/2026/03/04/rollout-c.jsonl', meta('other', '/elsewhere'));
    put(
      '.codex/sessions/2026/03/04/rollout-d.jsonl',
      meta('child', project, { source: { subagent: 'review' } }),
    );
    put('.codex/sessions/2026/03/04/rollout-e.jsonl', 'not json');
    put('.codex/sessions/2026/03/04/notes.txt', meta('notes', project));
    expect(await find('codex')).toEqual(['resumed folder', 'later folder']);
  });

  it.runIf(existsSync('/proc/self/fd'))('matches the rollout that the process has open', async () => {
    const mine = put('.codex/sessions/2026/03/04/rollout-mine.jsonl', meta('mine', '/begun/elsewhere'), 9);
    put('.codex/sessions/2026/03/04/rollout-newer.jsonl', meta('newer', project));
    const held = openSync(mine, 'r');
    try {
      expect(await find('codex', { pid: process.pid })).toEqual(['mine pid', 'newer folder']);
      put('.codex/sessions/2026/03/04/rollout-mine.jsonl', meta('mine', project));
      expect(await find('codex', { others: [process.pid] })).toEqual(['mine older', 'newer folder']);
    } finally {
      closeSync(held);
    }
    expect(await find('codex', { others: [process.pid] })).toEqual(['mine folder', 'newer folder']);
  });

  it('knows another home, and folders with quotes in their names', async () => {
    const odd = path.join(home, 'a "quoted" folder');
    put('elsewhere/sessions/2026/03/04/rollout-a.jsonl', meta('one', odd));
    expect(await find('codex', { cwd: odd, env: { CODEX_HOME: path.join(home, 'elsewhere') } })).toEqual([
      'one folder',
    ]);
  });
});

describe('gemini', () => {
  it('finds the project by its registry, its marker file and the older hash', async () => {
    put('.gemini/projects.json', { projects: { [project]: 'slug' } });
    put('.gemini/tmp/slug/chats/session-2026-01.jsonl', '{}', 3);
    put('.gemini/tmp/marked/.project_root', project);
    put('.gemini/tmp/marked/chats/session-2026-02.jsonl', '{}', 2);
    put('.gemini/tmp/marked/chats/parent/child.jsonl', '{}');
    put('.gemini/tmp/other/.project_root', '/elsewhere');
    put('.gemini/tmp/other/chats/session-2026-03.jsonl', '{}');
    expect(await find('gemini')).toEqual(['session-2026-02 folder', 'session-2026-01 folder']);
  });
});

describe('pi', () => {
  const header = (cwd: string) => ({ type: 'session', version: 3, id: 'x', cwd });

  it('finds the project’s folder', async () => {
    put(`.pi/agent/sessions/--${project.slice(1).replaceAll('/', '-')}--/2026_one.jsonl`, header(project));
    put('.pi/agent/sessions/--elsewhere--/2026_two.jsonl', header('/elsewhere'));
    expect(await find('pi')).toEqual(['one folder']);
  });

  it('finds the project’s sessions in a shared folder', async () => {
    put('all/2026_one.jsonl', header(project));
    put('all/2026_two.jsonl', header('/elsewhere'));
    put('all/2026_three.jsonl', 'no header');
    expect(await find('pi', { env: { PI_CODING_AGENT_SESSION_DIR: '~/all' } })).toEqual(['one folder']);
  });
});

describe('aider', () => {
  it('finds the history at the root of the repository, or at its configured path', async () => {
    mkdirSync(path.join(project, '.git'));
    mkdirSync(path.join(project, 'src'));
    const history = put('my.project/.aider.chat.history.md', 'x');
    expect(await find('aider', { cwd: path.join(project, 'src') })).toEqual([`${history} folder`]);
    const named = put('my.project/named.md', 'x');
    expect(await find('aider', { env: { AIDER_CHAT_HISTORY_FILE: 'named.md' } })).toEqual([
      `${named} folder`,
    ]);
  });
});

it.each(['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider'] as const)(
  '%s: returns an empty list if nothing exists',
  async (cli) => {
    expect(await find(cli)).toEqual([]);
    expect(await find(cli, { cwd: '/nonexistent/place', pid: 100, env: { HOME: '/nonexistent' } })).toEqual(
      [],
    );
  },
);

describe('what prevents sessions from being found', () => {
  const trouble = async (cli: CliId, env: Record<string, string> = {}) =>
    (await readerOf(cli).trouble?.({ cwd: project, pid: null, env: { HOME: home, ...env } })) ?? null;
  /** Nobody can read a link to itself, not even root. */
  const spoil = (name: string) => {
    const place = path.join(home, name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(place, place);
  };

  it.each<[CliId, () => string]>([
    ['claude', () => '.claude/projects'],
    ['claude', () => claudeFolder()],
    ['codex', () => '.codex/sessions'],
    ['codex', () => '.codex/sessions/2026/11/28'],
    ['gemini', () => '.gemini/tmp'],
    ['pi', () => `.pi/agent/sessions/--${project.slice(1).replaceAll('/', '-')}--`],
  ])('%s: a folder that cannot be read', async (cli, folder) => {
    expect(await trouble(cli)).toBeNull();
    spoil(folder());
    expect(await find(cli)).toEqual([]);
    expect(await trouble(cli)).toContain(path.join(home, folder()));
  });

  it('pi: the shared folder cannot be read', async () => {
    spoil('all');
    expect(await trouble('pi', { PI_CODING_AGENT_SESSION_DIR: '~/all' })).toContain(path.join(home, 'all'));
  });

  it('opencode: a FIFO in place of its store', async () => {
    const folder = path.join(home, '.local/share/opencode');
    mkdirSync(folder, { recursive: true });
    execFileSync('mkfifo', [path.join(folder, 'opencode.db')]);
    expect(await find('opencode')).toEqual([]);
    expect(await trouble('opencode')).toMatch(/not a regular file/);
  });

  it('opencode: a damaged store', async () => {
    put('.local/share/opencode/opencode.db', 'no database\n'.repeat(1_000));
    expect(await find('opencode')).toEqual([]);
    expect(await trouble('opencode')).toMatch(/store cannot be read/);
  });

  it.each(['claude', 'codex', 'gemini', 'opencode', 'pi', 'aider'] as const)(
    '%s: nothing is wrong if nothing exists',
    async (cli) => {
      expect(await trouble(cli)).toBeNull();
    },
  );
});
