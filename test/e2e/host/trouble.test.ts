import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireHostLock } from '../../../src/app/host/lock.ts';
import { draftOf, must, promptOf, temporaryHome } from '../../helpers/host-fakes.ts';
import { Companion } from '../../helpers/host-process.ts';
import { until } from '../../helpers/until.ts';

const KEY = { project: 'p', pane: '%1' };
const SOMEBODY_ELSE = 12_345;

let home: ReturnType<typeof temporaryHome>;
let stateDir: string;
let companions: Companion[] = [];
const cleanUps: (() => void)[] = [];

beforeEach(() => {
  home = temporaryHome();
  stateDir = home.paths.stateDir;
});
afterEach(async () => {
  await Promise.all(companions.map((companion) => companion.kill()));
  companions = [];
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
  home.remove();
});

async function start(env: Record<string, string> = {}): Promise<Companion> {
  const companion = await Companion.start({ home: home.home, env });
  companions.push(companion);
  return companion;
}

async function failureAt(env: Record<string, string> = {}): Promise<string> {
  const companion = await start(env);
  expect(companion.failure, 'it should not have started').not.toBeNull();
  expect((await companion.ended()).code).toBe(3);
  return `${companion.failure?.message} ${companion.failure?.hint ?? ''}`;
}

/** Mounts at `folder` until the test ends; returns why it cannot. */
function mount(folder: string, ...args: readonly string[]): string | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', [...args, folder], { stdio: 'pipe' });
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
  cleanUps.push(() => execFileSync('umount', ['-l', folder]));
  return null;
}

describe('the state folder', () => {
  it('is a file', async () => {
    mkdirSync(path.dirname(stateDir), { recursive: true });
    writeFileSync(stateDir, 'mine');
    expect(await failureAt()).toContain('a file stands in its place');
    expect(readFileSync(stateDir, 'utf8')).toBe('mine');
  });

  it('is on a read-only file system, new or with a database in it', async (context) => {
    const used = await start();
    await used.request('outbox/record', promptOf('a'));
    await used.kill();
    const parent = path.dirname(stateDir);
    const refused = mount(parent, '--bind', parent);
    if (refused !== null) context.skip(`mount is not allowed here: ${refused}`);
    execFileSync('mount', ['-o', 'remount,bind,ro', parent]);
    const words = await failureAt();
    expect(words).toMatch(/read-only|cannot be written|No permission/);
    expect(words).toContain('XDG_STATE_HOME');
    expect(await failureAt({ XDG_STATE_HOME: path.join(parent, 'new') })).toMatch(/read-only|No permission/);
  });

  it('is full: the refusal says so, nothing is half written, and it continues when there is space', async (context) => {
    const refused = mount(stateDir, '-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs');
    if (refused !== null) context.skip(`mount is not allowed here: ${refused}`);
    const companion = await start();
    must(await companion.request('draft/save', { key: KEY, draft: draftOf('kept'), baseRevision: 0 }));
    await companion.do('subscribe', { since: 0 });
    writeFileSync(path.join(stateDir, 'ballast'), Buffer.alloc(256 * 1024));
    const big = draftOf('x'.repeat(900_000));
    const full = await companion.request('draft/save', { key: KEY, draft: big, baseRevision: 1 });
    expect(full).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(!full.ok && full.error.message).toContain('is full; nothing was written');
    expect(must(await companion.request('draft/load', { key: KEY }))).toMatchObject({ revision: 1 });
    rmSync(path.join(stateDir, 'ballast'));
    must(await companion.request('draft/save', { key: KEY, draft: draftOf('more'), baseRevision: 1 }));
    await companion.until('the events', () => companion.eventSeqs.length === 2);
    expect(companion.eventSeqs).toEqual([1, 2]);
  });

  it('is full from the start', async (context) => {
    const refused = mount(stateDir, '-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs');
    if (refused !== null) context.skip(`mount is not allowed here: ${refused}`);
    writeFileSync(path.join(stateDir, 'ballast'), Buffer.alloc(60 * 1024));
    expect(await failureAt()).toContain('is full');
  });

  it('is removed under a running leader: it leads again in a new one, and clients follow', async () => {
    const [leader, other] = [await start(), await start()];
    must(await leader.request('outbox/record', promptOf('a')));
    rmSync(stateDir, { recursive: true });
    must(await other.request('draft/append', { key: KEY, text: 'x' }));
    expect(existsSync(path.join(stateDir, 'copane.db'))).toBe(true);
    expect(companions.filter(({ leads }) => leads)).toHaveLength(1);
    expect(must(await leader.request('draft/load', { key: KEY })).draft.lines).toHaveLength(1);
  });
});

describe('the database', () => {
  it('is damaged: it is kept aside, the user is told, and work continues', async () => {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(stateDir, 'copane.db'), 'no database '.repeat(1000));
    const companion = await start();
    expect(companion.ready?.notice).toContain('damaged');
    expect(readdirSync(stateDir).some((name) => name.startsWith('copane.db.damaged-'))).toBe(true);
    must(await companion.request('outbox/record', promptOf('a')));
  });

  it('is damaged under a running leader: it leads again in what could be read, and clients follow', async () => {
    const [leader, other] = [await start(), await start()];
    // More than fits in memory: some of it has to be read again.
    const text = 'a long prompt '.repeat(5_000);
    for (let i = 0; i < 100; i += 1) must(await leader.request('outbox/record', promptOf(`p${i}`, text)));
    must(await leader.request('draft/append', { key: KEY, text: 'kept' }));
    const file = path.join(stateDir, 'copane.db');
    for (const name of [file, `${file}-wal`]) {
      const size = statSync(name).size;
      // All but the first page; the whole log.
      const from = name === file ? Math.min(4096, size) : 0;
      const handle = openSync(name, 'r+');
      writeSync(handle, Buffer.alloc(size - from, 0x5a), 0, size - from, from);
      closeSync(handle);
    }
    await until('the damage is met', async () => {
      await other.request('outbox/list', { limit: 1_000 });
      return readdirSync(stateDir).some((name) => name.startsWith('copane.db.damaged-'));
    });
    must(await other.request('draft/append', { key: KEY, text: 'after' }));
    expect(companions.filter(({ leads }) => leads)).toHaveLength(1);
    const { draft } = must(await leader.request('draft/load', { key: KEY }));
    expect(draft.lines.map(({ text }) => text)).toContain('after');
    expect(must(await leader.request('host/status', {})).notices.join(' ')).toContain('damaged');
  });

  it('is from a newer copane', async () => {
    await (await start()).kill();
    const database = new DatabaseSync(path.join(stateDir, 'copane.db'));
    database.exec('PRAGMA user_version=99');
    database.close();
    expect(await failureAt()).toMatch(/written by a newer copane \(schema 99.*Update this copane/);
  });
});

describe('a leader that cannot be reached', () => {
  it('holds the lock and serves nothing: reported after a while, not waited for', async () => {
    const lock = must(acquireHostLock(stateDir));
    cleanUps.push(() => lock?.release());
    utimesSync(path.join(stateDir, 'host.lock'), 0, 0);
    expect(await failureAt()).toContain('holds the host lock, but does not answer');
  });

  it('has just taken the lock, and takes long to serve: clients wait for it', async () => {
    const lock = must(acquireHostLock(stateDir));
    const second = start();
    // Longer than clients wait for a leader that is not starting.
    await setTimeout(6_000);
    lock?.release();
    expect(await second).toMatchObject({ failure: null, leads: true });
  });

  it('is gone, and the client may not lead: its requests fail with the reason', async () => {
    const leader = await start();
    const asking = await start({ MAY_LEAD: 'no' });
    await leader.kill();
    expect(await asking.request('host/status', {})).toMatchObject({
      ok: false,
      error: { code: 'not_found', message: 'No copane is running.' },
    });
  });
});

describe('the epoch', () => {
  it('keeps a leader that lost its lock from writing: it becomes a client, and its requests run once', async () => {
    const old = await start();
    must(await old.request('draft/append', { key: KEY, text: 'before' }));
    old.signal('SIGSTOP');
    rmSync(path.join(stateDir, 'host.lock'));
    const next = await start();
    expect(next.leads).toBe(true);
    must(await next.request('draft/append', { key: KEY, text: 'next' }));
    const socket = lstatSync(home.paths.socketFile).ino;

    old.signal('SIGCONT');
    must(await old.request('draft/append', { key: KEY, text: 'old' }));
    await old.until('the step back', () => !old.leads);
    const status = must(await old.request('host/status', {}));
    expect(status).toMatchObject({ pid: next.pid, epoch: 2 });
    const { draft, revision } = must(await next.request('draft/load', { key: KEY }));
    expect(draft.lines.map(({ text }) => text)).toEqual(['before', 'next', 'old']);
    expect(revision).toBe(3);
    expect(lstatSync(home.paths.socketFile).ino, 'the new socket was not removed').toBe(socket);
  });
});

describe('the socket', () => {
  it('has a path that is too long to bind: all find a short one', async () => {
    const env = { COPANE_SOCKET: path.join(home.home, 'x'.repeat(120), 'host.sock'), TMPDIR: home.home };
    const [leader, other] = [await start(env), await start(env)];
    expect([leader.leads, other.leads]).toEqual([true, false]);
    expect(readdirSync(home.home).some((name) => name.startsWith('copane-'))).toBe(true);
  });

  it('is in a folder of another user', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a folder away');
    const folder = path.join(home.home, 'run');
    mkdirSync(folder, { mode: 0o755 });
    chownSync(folder, SOMEBODY_ELSE, SOMEBODY_ELSE);
    const words = await failureAt({ COPANE_SOCKET: path.join(folder, 'host.sock') });
    expect(words).toContain(`belongs to another user (uid ${SOMEBODY_ELSE})`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('belongs to another user, in one of our folders: it is neither used nor removed', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a socket away');
    const file = path.join(home.home, 's');
    const server = net.createServer((socket) => socket.end('{"type":"welcome"}\n')).listen(file);
    cleanUps.push(() => server.close());
    await until('the socket', () => existsSync(file));
    chownSync(file, SOMEBODY_ELSE, SOMEBODY_ELSE);
    expect(await failureAt({ COPANE_SOCKET: file })).toContain('belongs to another user');
    expect(statSync(file).uid).toBe(SOMEBODY_ELSE);
  });

  it.each([
    [0o777, false],
    [0o770, false],
    [0o755, true],
    [0o700, true],
  ])('is in a folder of mode %o', async (mode, taken) => {
    const folder = path.join(home.home, 'run');
    mkdirSync(folder);
    chmodSync(folder, mode);
    const env = { COPANE_SOCKET: path.join(folder, 'host.sock') };
    if (taken) expect((await start(env)).leads).toBe(true);
    else expect(await failureAt(env)).toContain('Others may write');
  });

  it('is an unrelated file, which stays', async () => {
    const file = path.join(home.home, 'notes.txt');
    writeFileSync(file, 'mine');
    expect(await failureAt({ COPANE_SOCKET: file })).toContain('is not a socket');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('was left behind by a killed leader', async () => {
    const first = await start();
    await first.kill();
    expect(lstatSync(home.paths.socketFile).isSocket()).toBe(true);
    const second = await start();
    expect(second.leads).toBe(true);
    expect((await start()).leads).toBe(false);
  });

  it('is private, removed by a leader that quits, and put back when somebody removes it', async () => {
    const leader = await start();
    const socket = home.paths.socketFile;
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    rmSync(socket);
    await until('the socket again', () => existsSync(socket));
    expect((await start()).leads).toBe(false);
    leader.order('close');
    expect(await leader.ended()).toEqual({ code: 0, signal: null });
    await until('the other to lead', () => companions.some((one) => one !== leader && one.leads));
  });

  it('is served by a copane with another state folder: neither is harmed', async () => {
    const socket = path.join(home.home, 's');
    const first = await start({ COPANE_SOCKET: socket });
    first.signal('SIGSTOP');
    const words = await failureAt({ COPANE_SOCKET: socket, XDG_STATE_HOME: path.join(home.home, 'other') });
    expect(words).toContain('another state folder');
    first.signal('SIGCONT');
    expect(must(await (await start({ COPANE_SOCKET: socket })).request('host/status', {})).pid).toBe(
      first.pid,
    );
  });
});

describe('the exit', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s: first the terminal, then the socket is removed, exit %i', async (signal, code) => {
    const companion = await start();
    companion.signal(signal);
    expect(await companion.ended()).toEqual({ code, signal: null });
    expect(companion.said.at(-1)).toEqual({ kind: 'terminal restored' });
    expect(existsSync(home.paths.socketFile)).toBe(false);
  });

  it('a crash: the terminal, then the message, exit 1', async () => {
    const companion = await start();
    companion.order('defect');
    expect(await companion.ended()).toEqual({ code: 1, signal: null });
    expect(companion.said.slice(-2)).toEqual([
      { kind: 'terminal restored' },
      { kind: 'defect', message: 'Error: planted defect' },
    ]);
    expect(existsSync(home.paths.socketFile)).toBe(false);
  });
});
