import { spawn } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../test/helpers/until.ts';
import { isAlive, processState } from './process-state.ts';

let child: ReturnType<typeof spawn> | null = null;
afterEach(() => {
  child?.kill('SIGKILL');
});

it('distinguishes running, stopped and gone, even for a command with odd characters in its name', async () => {
  child = spawn(process.execPath, ['-e', "process.title = ') T (x'; setInterval(() => {}, 1000)"]);
  const pid = child.pid ?? 0;
  await until('a running process', async () => (await processState(pid)) === 'running');
  child.kill('SIGSTOP');
  await until('a stopped process', async () => (await processState(pid)) === 'stopped');
  child.kill('SIGCONT');
  await until('a running process', async () => (await processState(pid)) === 'running');
  child.kill('SIGKILL');
  await until('the end', async () => (await processState(pid)) === 'gone');
  expect(await processState(2 ** 22 + 1)).toBe('gone');
});

it('counts an ended process as gone even before its parent reaps it', async () => {
  child = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += String(chunk);
  });
  const pid = await until('the pid', () => Number(/^(\d+)\n/.exec(said)?.[1] ?? 0) || null);
  await until('the end', () => !isAlive(pid));
  expect(isAlive(child.pid ?? 0)).toBe(true);
  expect(isAlive(1)).toBe(true);
});
