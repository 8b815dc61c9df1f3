import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createProcSource, createPsSource, parseProcStat, parsePs, systemProcesses } from './process-tree.ts';

describe('process table', () => {
  it('reads a stat whose name contains blanks and parentheses', () => {
    expect(parseProcStat('42 (a) b (c) S 7 40 40 34816 40 4194304')).toEqual({
      pid: 42,
      ppid: 7,
      name: 'a) b (c',
      foreground: true,
      stopped: false,
    });
    expect(parseProcStat('42 (x) T 7 42 40 34816 40 0')).toMatchObject({ foreground: false, stopped: true });
    expect(parseProcStat('garbage')).toBeNull();
  });

  it('leaves out processes that have ended but are not reaped yet', () => {
    expect(parseProcStat('42 (opencode) Z 7 42 40 34816 40 0')).toBeNull();
    expect(parsePs(' 42  1 42 42 Z+ (opencode)\n 43  1 43 43 S+ sh\n')).toHaveLength(1);
  });

  it('reads ps output', () => {
    expect(parsePs('  1  0  1  -1 Ss  /sbin/launchd\n 42  1 42 42 S+ node /x/cli.js --a b\n')).toEqual([
      { pid: 1, ppid: 0, argv: ['/sbin/launchd'], foreground: false, stopped: false },
      { pid: 42, ppid: 1, argv: ['node', '/x/cli.js', '--a', 'b'], foreground: true, stopped: false },
    ]);
  });

  it.each([
    ['the source of this system', systemProcesses],
    ['ps and lsof', createPsSource()],
  ])('finds this process below its parent, with folder, files and start: %s', async (_, source) => {
    const table = await source.snapshot([process.ppid]);
    const below = table.below(process.ppid);
    expect(below[0]?.pid).toBe(process.ppid);
    expect(below.some((each) => each.pid === process.pid)).toBe(true);
    expect((await source.above(process.pid)).slice(0, 2).map(({ pid }) => pid)).toEqual([
      process.pid,
      process.ppid,
    ]);
    expect(await source.above(999_999_999)).toEqual([]);
    // Linux's own ps also counts seconds from a boot time that it rounds.
    const startedAt = (await source.startedAt(process.pid)) ?? 0;
    expect(Math.abs(startedAt - (Date.now() - process.uptime() * 1000))).toBeLessThan(3000);
    expect(await source.startedAt(999_999_999)).toBeNull();
    expect(await source.cwd(999_999_999)).toBeNull();
    expect(await source.environ(999_999_999)).toBeNull();
    expect(await source.openFiles(999_999_999)).toEqual([]);
  });

  it('sees started and ended processes on the next read', async () => {
    const source = systemProcesses;
    const pids = async () => (await source.snapshot([process.pid])).below(process.pid).map(({ pid }) => pid);
    const shell = spawn('sh', ['-c', 'read x; sleep 60 & echo $!; wait'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(await pids()).toContain(shell.pid);
    const told = once(shell.stdout, 'data');
    shell.stdin.write('\n');
    const inner = Number(String((await told)[0]));
    expect(await pids()).toContain(inner);
    process.kill(inner);
    shell.kill();
    await once(shell, 'exit');
    const last = await pids();
    expect(last).not.toContain(shell.pid);
    expect(last).not.toContain(inner);
  });

  it('finds what another thread of a process started', async () => {
    const code = `
      const { spawn } = require('node:child_process');
      require('node:worker_threads').parentPort.postMessage(spawn('sleep', ['60']).pid);`;
    const worker = new Worker(code, { eval: true });
    const [pid] = await once(worker, 'message');
    const below = (await systemProcesses.snapshot([process.pid])).below(process.pid);
    expect(below.find((each) => each.pid === pid)?.argv).toEqual(['sleep', '60']);
    process.kill(pid);
    await worker.terminate();
  });

  it('reads every process where the kernel does not list children', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-proc-'));
    const add = (pid: number, ppid: number, ...argv: string[]) => {
      mkdirSync(path.join(folder, String(pid)));
      writeFileSync(path.join(folder, `${pid}/stat`), `${pid} (x) S ${ppid} ${pid} ${pid} 0 ${pid} 0`);
      writeFileSync(path.join(folder, `${pid}/cmdline`), argv.map((word) => `${word}\0`).join(''));
    };
    add(40, 1, 'zsh');
    add(41, 40, 'claude', '--continue');
    add(39, 41, 'git', 'status');
    add(7, 1, 'cron');
    const below = (await createProcSource(folder).snapshot([40])).below(40);
    expect(below.map(({ pid, argv }) => [pid, ...argv])).toEqual([
      [40, 'zsh'],
      [41, 'claude', '--continue'],
      [39, 'git', 'status'],
    ]);
    rmSync(folder, { recursive: true });
  });

  it('reads the folder, files and environment of a process', async () => {
    const source = systemProcesses;
    const handle = await open(import.meta.filename);
    expect(await source.cwd(process.pid)).toBe(process.cwd());
    expect(await source.openFiles(process.pid)).toContain(import.meta.filename);
    expect((await source.environ(process.pid))?.PATH).toBeDefined();
    const child = spawn('/bin/sh', ['-c', 'read x', '', ' 9 '], { argv0: 'a b' });
    expect([null, ['a b', '-c', 'read x', '', ' 9 ']]).toContainEqual(await source.words(child.pid ?? 0));
    child.kill();
    const long = spawn('/bin/sh', ['-c', 'read x', 'x'.repeat(100_000)]);
    expect([null, 'x'.repeat(100_000)]).toContainEqual((await source.words(long.pid ?? 0))?.at(-1) ?? null);
    long.kill();
    await handle.close();
  });

  it('calls ps and lsof as macOS has them', async () => {
    const answers: Readonly<Record<string, string>> = {
      'ps -ww -o command= -p 7': 'node /opt/homebrew/bin/codex --x=1\n',
      'ps -Eww -o command= -p 7':
        'node /opt/homebrew/bin/codex --x=1 HOME=/Users/a b CODEX_HOME=/Users/a b/.codex PS1=%n = EMPTY=\n',
      'ps -ww -o lstart= -p 7': 'Sat Nov 28 21:27:17 2026    \n',
      'lsof -a -p 7 -d cwd -Fn': 'p7\nfcwd\nn/private/tmp/my project\n',
      'lsof -a -p 7 -d 0-9999 -Fn':
        'p7\nf0\nn/dev/ttys003\nf21\nn/Users/a b/.codex/sessions/x.jsonl\nf22\nn->0x1f\nf23\nnlocalhost:80\n',
    };
    const source = createPsSource(async (program, args) => answers[[program, ...args].join(' ')] ?? '');
    expect(await source.environ(7)).toEqual({
      HOME: '/Users/a b',
      CODEX_HOME: '/Users/a b/.codex',
      PS1: '%n =',
      EMPTY: '',
    });
    expect(await source.startedAt(7)).toBe(new Date(2026, 10, 28, 21, 27, 17).getTime());
    expect(await source.cwd(7)).toBe('/private/tmp/my project');
    expect(await source.openFiles(7)).toEqual(['/dev/ttys003', '/Users/a b/.codex/sessions/x.jsonl']);
    const silent = createPsSource(async () => '');
    expect(await silent.environ(7)).toBeNull();
  });
});
