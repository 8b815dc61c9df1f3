import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { must, temporaryHome } from '../../../test/helpers/host-fakes.ts';
import { until } from '../../../test/helpers/until.ts';
import type { Env } from '../../platform/paths.ts';
import { processState } from '../../platform/process-state.ts';
import type { RunOutcome } from '../../platform/run.ts';
import { databaseFileOf, openStore } from '../../store/store.ts';
import { connectHost } from '../client/connect.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Check, type CheckReport, type DoctorContext, report, runDoctor } from './check.ts';
import { HOST_CHECKS, localeCheck, terminalCheck, tmuxCheck, tmuxOptionsCheck } from './checks.ts';
import { formatReports, hasFailure, reportsToJson } from './render.ts';
import { completionsCheck, configCheck, databaseCheck, hostCheck, stateFolderCheck } from './state-checks.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => home.remove());

const GOOD_ENV: Env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };

function outcome(fields: Partial<RunOutcome>): RunOutcome {
  return { code: 0, stdout: Buffer.alloc(0), stderr: '', failure: null, ...fields };
}

function contextWith(
  env: Env = GOOD_ENV,
  tmux: Partial<RunOutcome> = { stdout: Buffer.from('tmux 3.4\n') },
): DoctorContext {
  const { paths } = home;
  const config = loadConfig(paths.configFile, env);
  return { env, paths, config, version: 'me', run: () => Promise.resolve(outcome(tmux)) };
}

async function look(check: Check, context = contextWith()): Promise<CheckReport> {
  const [first] = [await check.look(context)].flat();
  if (first === undefined) throw new Error('no report');
  return first;
}

it('finds no problem on a healthy machine', async () => {
  const reports = await runDoctor(HOST_CHECKS, contextWith());
  expect(reports.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(reports.map(({ name }) => name)).toEqual(HOST_CHECKS.map(({ name }) => name));
});

describe('the environment', () => {
  it.each([
    [{ stdout: Buffer.from('tmux 3.3a\n') }, 'ok', '3.3a'],
    [{ stdout: Buffer.from('tmux next-3.6\n') }, 'ok', '3.6'],
    [{ stdout: Buffer.from('tmux 2.9\n') }, 'fail', 'too old'],
    [{ code: null, failure: 'not found' }, 'fail', 'not found'],
    [{ code: null, failure: 'timeout' }, 'warn', 'timeout'],
  ])('tmux: %j → %s', async (run, status, words) => {
    const found = await look(tmuxCheck, contextWith(GOOD_ENV, run as Partial<RunOutcome>));
    expect(found).toMatchObject({ status, message: expect.stringContaining(words) });
  });

  it.each([
    ['500 external 0', 'warn', /escape-time 500 ms.*Esc is slow/],
    ['10 off 1', 'warn', /mouse on: what is copied stays in tmux/],
    ['10 on 1', 'ok', /escape-time 10 ms, set-clipboard on, mouse on/],
    ['', 'ok', /no tmux server runs/],
  ])('options of tmux: %j → %s', async (shown, status, words) => {
    const found = await look(tmuxOptionsCheck, contextWith(GOOD_ENV, { stdout: Buffer.from(`${shown}\n`) }));
    expect(found).toMatchObject({ status, message: expect.stringMatching(words) });
  });

  it.each([
    [{ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }, 'warn', 'LC_ALL=C is not UTF-8'],
    [{ LC_ALL: '', LC_CTYPE: 'en_US.utf8' }, 'ok', 'LC_CTYPE=en_US.utf8'],
    [{}, 'warn', 'no locale is set'],
  ])('locale: %j → %s', async (env, status, words) => {
    const found = await look(localeCheck, contextWith(env as unknown as Env));
    expect(found).toMatchObject({ status, message: expect.stringContaining(words) });
  });

  it.each([
    [{}, 'warn'],
    [{ TERM: 'dumb' }, 'warn'],
    [{ TERM: 'tmux-256color' }, 'ok', /256 colours/],
    [{ TERM: 'foot', COLORTERM: 'truecolor' }, 'ok', /truecolor/],
    [{ TERM: 'xterm' }, 'warn', /16 colours/],
  ])('terminal: %j → %s', async (env, status, words = /TERM is/) => {
    const found = await look(terminalCheck, contextWith(env as unknown as Env));
    expect(found).toMatchObject({ status, message: expect.stringMatching(words) });
  });
});

describe('the state', () => {
  it('warns about a folder that others can enter, and fails on a file in its place', async () => {
    mkdirSync(home.paths.stateDir, { recursive: true });
    chmodSync(home.paths.stateDir, 0o755);
    expect(await look(stateFolderCheck)).toMatchObject({
      status: 'warn',
      hint: expect.stringContaining('chmod 700'),
    });
    chmodSync(home.paths.stateDir, 0o700);
    expect(await look(stateFolderCheck)).toMatchObject({ status: 'ok' });
    home.remove();
    mkdirSync(path.dirname(home.paths.stateDir), { recursive: true });
    writeFileSync(home.paths.stateDir, '');
    expect(await look(stateFolderCheck)).toMatchObject({ status: 'fail' });
  });

  it('reports, before the first start, a folder that cannot be created', async () => {
    const inTheWay = path.join(home.home, 'file');
    writeFileSync(inTheWay, '');
    const stateDir = path.join(inTheWay, 'deep', 'copane');
    const context = { ...contextWith(), paths: { ...home.paths, stateDir } };
    expect(await look(stateFolderCheck, context)).toMatchObject({
      status: 'fail',
      message: `${stateDir} cannot be made: ${inTheWay} is a file`,
    });
    const socketFile = path.join(inTheWay, 'run', 'host.sock');
    expect(await look(hostCheck, { ...contextWith(), paths: { ...home.paths, socketFile } })).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(`${inTheWay} is a file`),
    });
  });

  it('checks the database', async () => {
    expect(await look(databaseCheck)).toMatchObject({ status: 'ok', message: 'none yet' });
    must(openStore({ stateDir: home.paths.stateDir, now: () => 0 })).close();
    expect(await look(databaseCheck)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('schema'),
    });
    const newer = new DatabaseSync(databaseFileOf(home.paths.stateDir));
    newer.exec('PRAGMA user_version=99');
    newer.close();
    expect(await look(databaseCheck)).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('newer'),
    });
    writeFileSync(databaseFileOf(home.paths.stateDir), 'garbage '.repeat(1000));
    expect(await look(databaseCheck)).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('damaged'),
    });
    must(openStore({ stateDir: home.paths.stateDir, now: () => 0 })).close();
    const reports = [await databaseCheck.look(contextWith())].flat();
    expect(reports.map(({ status }) => status)).toEqual(['ok', 'warn']);
    expect(reports[1]?.message).toContain('.damaged-');
  });

  it('lists the problems of the configuration, line by line', async () => {
    mkdirSync(path.dirname(home.paths.configFile), { recursive: true });
    writeFileSync(home.paths.configFile, '{\n"marker":"auto",\n"theme":1\n}');
    const reports = [await configCheck.look(contextWith())].flat();
    expect(reports.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${home.paths.configFile}:2:1: unknown key "marker"`),
      expect.stringContaining(`${home.paths.configFile}:3:9: "theme"`),
    ]);
  });

  it('reports the leader, of this and of another version', async () => {
    expect(await look(hostCheck)).toMatchObject({
      status: 'ok',
      message: 'no background service is running',
    });
    const leader = must(await connectHost({ paths: home.paths, version: 'me' }));
    expect(await look(hostCheck)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining(`pid ${process.pid}`),
    });
    const other = { ...contextWith(), version: 'newer' };
    expect(await look(hostCheck, other)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('another version'),
    });
    await leader.close();
    expect(await look(hostCheck)).toMatchObject({ message: 'no background service is running' });
  });
});

it('reports a stopped leader and how to continue it', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const pid = child.pid ?? 0;
  try {
    child.kill('SIGSTOP');
    const store = must(openStore({ stateDir: home.paths.stateDir, now: () => 0 }));
    must(store.beginEpoch({ pid, startedAt: 0, version: 'me', socketPath: home.paths.socketFile }));
    store.close();
    await until('a stopped process', async () => (await processState(pid)) === 'stopped');
    expect(await look(hostCheck)).toEqual(
      report(
        'host',
        'warn',
        `the leader is suspended (pid ${pid}, version me)`,
        `Continue it: kill -CONT ${pid}, or fg in its shell.`,
      ),
    );
  } finally {
    child.kill('SIGKILL');
  }
});

it('reports that completions are off because something else uses their socket name', async () => {
  const ASHLET_SOCKET = path.join(home.home, 'ashlet.sock');
  const context = contextWith({ ...GOOD_ENV, ASHLET_SOCKET });
  expect(await look(completionsCheck, context)).toMatchObject({ status: 'ok' });
  writeFileSync(ASHLET_SOCKET, '');
  const message = `off: ${ASHLET_SOCKET} is not a socket, and is left as it is.`;
  const hint = 'Set ASHLET_SOCKET to a path in a folder of your own.';
  expect(await look(completionsCheck, context)).toEqual(report('completions', 'warn', message, hint));
});

it.skipIf(process.getuid?.() !== 0)(
  'reports that the completion socket belongs to another user',
  async () => {
    const ASHLET_SOCKET = path.join(home.home, 'ashlet.sock');
    writeFileSync(ASHLET_SOCKET, '');
    chownSync(ASHLET_SOCKET, 12345, 12345);
    const found = await look(completionsCheck, contextWith({ ...GOOD_ENV, ASHLET_SOCKET }));
    expect(found).toMatchObject({ status: 'warn', message: expect.stringContaining('off: The socket') });
  },
);

describe('running and showing', () => {
  it('reports a check that throws, and one that hangs, at its deadline', async () => {
    vi.useFakeTimers();
    const checks: Check[] = [
      { name: 'broken', look: () => Promise.reject(new Error('oh')) },
      { name: 'stuck', look: () => new Promise(() => undefined) },
    ];
    const running = runDoctor(checks, contextWith(), 100);
    await vi.advanceTimersByTimeAsync(100);
    vi.useRealTimers();
    expect(await running).toEqual([
      report('broken', 'fail', 'the check itself failed: oh'),
      report('stuck', 'fail', 'no result after 100 ms'),
    ]);
  });

  it('prints one aligned line per report, with hints below', () => {
    const reports = [
      report('node', 'ok', '24'),
      report('state folder', 'fail', 'bad', 'fix it'),
      report('locale', 'warn', 'C'),
    ];
    expect(formatReports(reports)).toBe(
      [
        'ok   node          24',
        'FAIL state folder  bad',
        '                   → fix it',
        'warn locale        C',
        '',
        '1 failed, 1 to look at, 1 ok.',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(reportsToJson(reports))).toEqual({ ok: false, checks: reports });
    expect(hasFailure([report('a', 'warn', '')])).toBe(false);
    expect(formatReports([report('a', 'ok', 'b')])).toContain('All is well.');
  });
});
